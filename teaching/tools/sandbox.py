"""Run the code of a notebook where it can neither read nor harm anything: ``run(steps)``.

With bubblewrap (``bwrap``) each run has its own processes, home and network. The system's programs
and the Python environment are mounted read-only; the code goes in, and text and pictures come out.
Without bubblewrap the code runs as an ordinary program of the user.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import platform
import re
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 30  # seconds for a step until it is interrupted
PATIENCE = 15  # seconds until an interrupted step that hasn't ended counts as dead
TOTAL = 300  # seconds for all steps
MEMORY = 4 * 2**30  # bytes of all processes together
FILES = 64 * 2**20  # bytes of a single file
PROCESSES = 60
OPEN_FILES = 256  # per process, because buffers of pipes and sockets don't count as its memory
RESTARTS = 5
STARTED = b"{}\n"  # the first line of the results
TEXT = 10_000  # characters of one output; the rest is cut
IMAGE = 2 * 2**20
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
SYSTEM += ("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache")
PRINTED = """import builtins as _errlab_b
_errlab_b.print("\\n{mark}", {value}, flush=True)"""
# Arrays of one element, Fractions and Decimals count as numbers, too.
NUMBER = """_errlab_b.repr(_errlab_b.float(
    _errlab_b.__import__("numpy").asarray({expression}).item()))"""


# System calls that no assignment needs: each reaches outside of the sandbox, or uses memory that
# isn't counted for any process.
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_... in linux/audit.h
REFUSED_CALLS = {  # call numbers on the two machines, from asm/unistd.h
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
MMAP = (9, 222)
SHARED_ANONYMOUS = 0x21  # MAP_SHARED and MAP_ANONYMOUS of sys/mman.h


class Step(NamedTuple):
    """Code, and an expression to evaluate after it; see `PRINTED` and `NUMBER`.

    If a step of a task doesn't end in time, the later steps of that task are skipped.
    """

    code: str
    task: str = ""
    asks: str = ""


@dataclass
class Ran:
    """The result of a run: for each step its outputs, its expression's text, and how it ended."""

    outputs: list[list[dict[str, Any]]]
    texts: list[str | None]
    ends: list[str]
    trouble: str = ""
    seconds: float = 0.0
    memory: int = field(default=0)  # bytes, at most


@cache
def bubblewrap() -> str | None:
    """Return bubblewrap's path if it can make sandboxes here; needs version 0.8 or later."""
    program = shutil.which("bwrap")
    if not program:
        return None
    trial = [program, "--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/"]
    trial += ["--proc", "/proc", "--size", "65536", "--tmpfs", "/tmp", "true"]
    test = subprocess.run(trial, capture_output=True, check=False)
    return program if test.returncode == 0 else None


def lent() -> Path:
    """Return the folder of errlab, which may be outside of the environment."""
    spec = importlib.util.find_spec("errlab")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("errlab is not installed in the environment that marks")
    return Path(spec.origin).parent


def call_filter(machine: str) -> bytes:
    """Return the seccomp(2) filter that refuses `REFUSED_CALLS`; empty for other machines.

    Each instruction is a code, two jumps and a number; a jump of 1 skips the next instruction.
    """
    if machine not in MACHINES:
        return b""
    load, equal, at_least, both, end = 0x20, 0x15, 0x35, 0x54, 0x06  # codes from linux/bpf_common.h
    allowed, refused, killed = 0x7FFF0000, 0x00050001, 0x80000000  # 1 is EPERM
    column = list(MACHINES).index(machine)
    program = [(load, 0, 0, 4), (equal, 1, 0, MACHINES[machine]), (end, 0, 0, killed)]
    # the number of the call; x32 has the same calls from 2**30 on
    program += [(load, 0, 0, 0), (at_least, 0, 1, 1 << 30), (end, 0, 0, refused)]
    for numbers in REFUSED_CALLS.values():
        program += [(equal, 0, 1, numbers[column]), (end, 0, 0, refused)]
    # shared memory without a file isn't counted, and outlives its process
    program += [(equal, 0, 4, MMAP[column]), (load, 0, 0, 16 + 3 * 8)]  # the fourth argument
    program += [(both, 0, 0, SHARED_ANONYMOUS), (equal, 0, 1, SHARED_ANONYMOUS)]
    program += [(end, 0, 0, refused), (end, 0, 0, allowed)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def command(program: str, secret: Path, calls: int | None = None) -> list[str]:
    """Return the command line of bubblewrap; refuse to mount a folder that contains `secret`.

    `calls` is the file descriptor of a filter of system calls, if there is one.
    """
    places = {Path(p) for p in (sys.prefix, sys.base_prefix)}
    places |= {place.resolve() for place in places} | {Path(sys.executable).resolve().parent.parent}
    mounts: list[str] = []
    for place in sorted({*map(Path, SYSTEM), *places}):
        if secret.resolve().is_relative_to(place.resolve()) and place.exists():
            raise ValueError(f"{secret} must not lie inside {place}, which submissions can read")
        if place.is_symlink() and str(place) in SYSTEM:
            mounts += ["--symlink", os.readlink(place), str(place)]
        else:
            mounts += ["--ro-bind-try", str(place), str(place)]
    mounts += ["--ro-bind", str(lent()), "/lent/errlab", "--ro-bind", __file__, "/lent/sandbox.py"]
    room = ["--size", str(4 * FILES), "--tmpfs"]
    barred = [] if calls is None else ["--seccomp", str(calls)]
    return [
        *(program, "--unshare-user", "--unshare-all", "--disable-userns", "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
        # mount it first, because the environment may be in a folder below it
        *(*room, "/tmp"),
        *mounts,
        # read-only, because root could change settings of the host without any capability
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
        *("--dev-bind", "/dev/null", "/dev/zero"),  # /dev/zero can be mapped as shared memory
        *(*room, "/dev/shm"),
        *barred,
        *("--remount-ro", "/", "--chdir", "/tmp"),
        *(sys.executable, "/lent/sandbox.py"),
    ]


def family(process: Any) -> list[Any]:
    """Return a process and all of its descendants."""
    import psutil

    with suppress(psutil.Error):
        return [process, *process.children(recursive=True)]
    return []


def watch(process: subprocess.Popen[bytes], total: float) -> tuple[str, int]:
    """Wait for a process, and kill it if it exceeds a limit; return the reason and peak memory."""
    import psutil

    peak, trouble, end = 0, "", time.monotonic() + total
    started: dict[int, Any] = {}
    with suppress(psutil.Error):
        top = psutil.Process(process.pid)
        while process.poll() is None and not trouble:
            every = family(top)
            started |= {child.pid: child for child in every}
            used = 0
            for child in every:
                with suppress(psutil.Error):
                    used += child.memory_info().rss
            peak = max(peak, used)
            if used > MEMORY:
                trouble = f"it used more than {MEMORY / 2**30:.0f} GB of memory"
            elif len(every) > PROCESSES:
                trouble = f"it started more than {PROCESSES} programs"
            elif time.monotonic() > end:
                trouble = f"it took longer than {total:.0f} seconds"
            time.sleep(0.1)
    process.kill()  # this ends the sandbox and everything in it
    for child in started.values():  # without a sandbox, end them one by one
        with suppress(psutil.Error):
            child.kill()
    process.wait()
    return trouble, peak


def request_for(steps: list[Step]) -> dict[str, Any]:
    """Return the steps as the process in the sandbox reads them."""
    mark = secrets.token_hex(8)
    codes = []
    for step in steps:
        value = step.asks and PRINTED.format(mark=mark, value=step.asks)
        codes.append({"code": f"{step.code}\n{value}", "task": step.task, "asks": bool(value)})
    return {"steps": codes, "mark": mark, "seconds": SECONDS}


def environment(home: str, python_path: str) -> dict[str, str]:
    """Return the environment variables of a run."""
    return {
        "HOME": home,
        "TMPDIR": home,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin")),
        "LANG": "C.UTF-8",
        "PYTHONPATH": python_path,
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    }


def run(steps: list[Step], secret: Path, *, total: float = TOTAL) -> Ran:
    """Run steps one after the other, as one notebook."""
    program, begin = bubblewrap(), time.monotonic()
    with (
        tempfile.TemporaryDirectory() as home,
        tempfile.TemporaryFile() as request,
        tempfile.TemporaryFile() as results,
        tempfile.TemporaryFile() as errors,
        tempfile.TemporaryFile() as calls,
    ):
        request.write(json.dumps(request_for(steps)).encode())
        calls.write(call_filter(platform.machine()) if program else b"")
        filtered = calls.tell() > 0
        for stream in (request, calls):
            stream.seek(0)
        number = calls.fileno() if filtered else None
        process = subprocess.Popen(
            command(program, secret, number) if program else [sys.executable, __file__],
            stdin=request,
            stdout=results,
            stderr=errors,
            cwd="/" if program else home,
            env=environment("/tmp", "/lent") if program else environment(home, str(lent().parent)),
            start_new_session=True,
            pass_fds=[number] if number is not None else [],
        )
        trouble, memory = watch(process, total)
        results.seek(0)
        content = results.read(2 * FILES)
        if not content.startswith(STARTED):  # nothing that the student wrote has run
            errors.seek(0)
            why = errors.read(10_000).decode("utf-8", "replace").strip()
            raise RuntimeError(f"the code could not be started: {trouble} {why[-500:]}")
        ran = read(content, len(steps))
    ran.trouble, ran.memory, ran.seconds = trouble, memory, time.monotonic() - begin
    return ran


def read(content: bytes, number: int) -> Ran:
    """Read what came out of a sandbox. Any line may be forged, so each is treated as mere text.

    Only the first entry of each step counts, in order, even if a second kernel repeats them. So
    code that runs later can't change the outputs of an earlier step.
    """
    ran = Ran([[] for _ in range(number)], [None] * number, ["left out"] * number)
    last = -1
    for line in content.splitlines():
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            entry = json.loads(line)
            place = entry["step"]
            if isinstance(place, int) and last < place < number:
                ran.outputs[place] = [output for o in entry["outputs"] if (output := plain(o))]
                ran.texts[place] = None if entry["text"] is None else str(entry["text"])[:TEXT]
                ran.ends[place] = str(entry["end"])[:TEXT]
                last = place
    return ran


def plain(output: Any) -> dict[str, Any] | None:
    """Return the text or picture of a notebook's output, without any script."""
    kind = output["output_type"]
    if kind == "stream":
        name = "stderr" if output["name"] == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": str(output["text"])[:TEXT]}
    if kind == "error":
        trace = [str(line)[:TEXT] for line in output["traceback"][:50]]
        words = {key: str(output[key])[:TEXT] for key in ("ename", "evalue")}
        return {"output_type": "error", "traceback": trace, **words}
    data = {"text/plain": str(output["data"].get("text/plain", ""))[:TEXT]}
    image = output["data"].get("image/png")
    if isinstance(image, str) and len(image) < IMAGE:
        data["image/png"] = base64.b64encode(base64.b64decode(image)).decode()
    return {"output_type": "display_data", "data": data, "metadata": {}}


# The code from here on runs inside the sandbox.


def limits() -> None:
    """Limit the resources of one process; `watch` limits them for all together."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


def collect(outputs: list[dict[str, Any]], message: dict[str, Any], printed: list[str]) -> None:
    """Add a kernel's message to the outputs, and its text to what was printed."""
    kind, content = message["msg_type"], message["content"]
    if kind == "stream":
        if content["name"] == "stdout":
            printed[0] = (printed[0] + content["text"])[-(10**6) :]
        last = outputs[-1] if outputs else {}
        if last.get("name") != content["name"]:
            outputs.append({"output_type": "stream", "name": content["name"], "text": ""})
        outputs[-1]["text"] = (outputs[-1]["text"] + content["text"])[:TEXT]
    elif kind in ("error", "display_data", "execute_result") and len(outputs) < 50:
        outputs.append({"output_type": kind, **content})


def execute(manager: Any, client: Any, code: str, seconds: float) -> tuple[list[Any], str, str]:
    """Run code in a kernel. Return its outputs, what it printed, and how it ended.

    The code has ended when the kernel is idle and has replied: ipykernel 7 loses a request that
    arrives while it still writes the previous reply (its issue 1554).
    """
    from queue import Empty

    outputs: list[dict[str, Any]] = []
    printed, end, deadline = [""], "", time.monotonic() + seconds
    request = client.execute(code, allow_stdin=False, stop_on_error=False)
    idle = False
    while True:
        try:
            receive = client.get_shell_msg if idle else client.get_iopub_msg
            message = receive(timeout=0.5)
            if message["parent_header"].get("msg_id") == request:
                if idle:
                    return outputs, printed[0], end
                collect(outputs, message, printed)
                if message["msg_type"] == "error":
                    end = end or "error"
                idle = message["content"].get("execution_state") == "idle"
        except Empty:
            if not manager.is_alive():
                return outputs, printed[0], "dead"
        if time.monotonic() > deadline:
            if end == "late":
                return outputs, printed[0], "dead"
            end, deadline = "late", time.monotonic() + PATIENCE
            manager.interrupt_kernel()


def attempt(question: dict[str, Any], skipped: set[int], late: set[str], results: Any) -> bool:
    """Run all steps that are not skipped; return whether the kernel survived to the end."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(startup_timeout=60, kernel_name="python3")
    try:
        for place, step in enumerate(question["steps"]):
            if place in skipped or (step["task"] and step["task"] in late):
                continue  # after a restart, don't wait for the late step again
            outputs, printed, end = execute(manager, client, step["code"], question["seconds"])
            values = re.findall(rf"^{question['mark']} (.*)$", printed, re.MULTILINE)
            text = values[-1] if values and step["asks"] else None
            entry = {"step": place, "outputs": outputs, "text": text, "end": end}
            results.write(json.dumps(entry, default=str) + "\n")
            results.flush()
            if end in ("late", "dead"):
                late.add(step["task"])
                skipped.add(place)
            if end == "dead":
                return False
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return True


def main() -> None:
    """Run the steps on the standard input; skip a step that killed the kernel in the next one."""
    limits()
    question = json.load(sys.stdin)
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # kernels inherit these streams
    os.dup2(1, 2)
    results.write(STARTED.decode())
    results.flush()
    skipped: set[int] = set()
    late: set[str] = set()
    for _ in range(RESTARTS):
        if attempt(question, skipped, late, results):
            break


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
