"""Run the code of a notebook where it can neither read nor harm anything: ``run(steps)``.

With bubblewrap (``bwrap``) each run has a process, a home and a network of its own. Mounted are the
system's programs and the Python environment, to be read only; the code comes in and what it printed
goes out as text. Where bubblewrap is missing the code runs as an ordinary program of the user's.
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

SECONDS = 30  # a step, then it is interrupted
PATIENCE = 15  # until a step that was interrupted has ended
TOTAL = 300  # all steps
MEMORY = 4 * 2**30  # bytes, of all processes together
FILES = 64 * 2**20  # bytes, of one file
PROCESSES = 60
OPEN_FILES = 256  # of one process: what the system holds for a pipe or a socket is not counted
RESTARTS = 5
STARTED = b"{}\n"  # the first that is written
TEXT = 10_000  # characters of an output that are kept
IMAGE = 2 * 2**20
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
SYSTEM += ("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache")
PRINTED = """import builtins as _errlab_b
_errlab_b.print("\\n{mark}", {value}, flush=True)"""
# An array of one element, a Fraction and a Decimal are numbers as well.
NUMBER = """_errlab_b.repr(_errlab_b.float(
    _errlab_b.__import__("numpy").asarray({expression}).item()))"""


# System calls that no marked work needs, by machine: each reaches what lies outside of the sandbox,
# or takes memory that no process is seen to hold.
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_... of linux/audit.h
REFUSED_CALLS = {  # their numbers on the two machines, from asm/unistd.h
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
    """A piece of code, and an expression whose text is asked for; see `PRINTED` and `NUMBER`.

    After a step of a task that did not end in time the other steps of this task are left out.
    """

    code: str
    task: str = ""
    asks: str = ""


@dataclass
class Ran:
    """What came out: for each step its outputs and the text that was asked for."""

    outputs: list[list[dict[str, Any]]]
    texts: list[str | None]
    ends: list[str]
    trouble: str = ""
    seconds: float = 0.0
    memory: int = field(default=0)  # bytes, at most


@cache
def bubblewrap() -> str | None:
    """Return the program, if it is 0.8 or later, and may make sandboxes on this machine."""
    found = shutil.which("bwrap")
    if not found:
        return None
    trial = [found, "--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/"]
    trial += ["--proc", "/proc", "--size", "65536", "--tmpfs", "/tmp", "true"]
    tried = subprocess.run(trial, capture_output=True, check=False)
    return found if tried.returncode == 0 else None


def lent() -> Path:
    """Return the folder of errlab: it may stand outside of the environment."""
    found = importlib.util.find_spec("errlab")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("errlab is not installed where you mark")
    return Path(found.origin).parent


def call_filter(machine: str) -> bytes:
    """Return the program that refuses `REFUSED_CALLS`, as seccomp(2) takes it; else none is known.

    Each instruction is a code, two jumps and a number; a jump of 1 skips the next instruction.
    """
    if machine not in MACHINES:
        return b""
    load, equal, at_least, both, end = 0x20, 0x15, 0x35, 0x54, 0x06  # of linux/bpf_common.h
    allowed, refused, killed = 0x7FFF0000, 0x00050001, 0x80000000  # 1 is EPERM
    column = list(MACHINES).index(machine)
    program = [(load, 0, 0, 4), (equal, 1, 0, MACHINES[machine]), (end, 0, 0, killed)]
    # the number of the call; from 2**30 on they are those of x32, a second set of the same calls
    program += [(load, 0, 0, 0), (at_least, 0, 1, 1 << 30), (end, 0, 0, refused)]
    for numbers in REFUSED_CALLS.values():
        program += [(equal, 0, 1, numbers[column]), (end, 0, 0, refused)]
    # memory that is shared and belongs to no file outlives the process that filled it
    program += [(equal, 0, 4, MMAP[column]), (load, 0, 0, 16 + 3 * 8)]  # the fourth argument
    program += [(both, 0, 0, SHARED_ANONYMOUS), (equal, 0, 1, SHARED_ANONYMOUS)]
    program += [(end, 0, 0, refused), (end, 0, 0, allowed)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def command(program: str, secret: Path, calls: int | None = None) -> list[str]:
    """Return how bubblewrap is called; nothing that is mounted may hold the secret folder.

    `calls` is the descriptor of a file with a filter of system calls, if there is one.
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
        # first, since the environment may stand below it
        *(*room, "/tmp"),
        *mounts,
        # root may write to /proc/sys without any capability, and so to the machine outside
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
        *("--dev-bind", "/dev/null", "/dev/zero"),  # which can be mapped as shared memory
        *(*room, "/dev/shm"),
        *barred,
        *("--remount-ro", "/", "--chdir", "/tmp"),
        *(sys.executable, "/lent/sandbox.py"),
    ]


def family(process: Any) -> list[Any]:
    """Return a process and all that it started."""
    import psutil

    with suppress(psutil.Error):
        return [process, *process.children(recursive=True)]
    return []


def watch(process: subprocess.Popen[bytes], total: float) -> tuple[str, int]:
    """Wait for the end; end it earlier if it takes too much. Return the reason, and its memory."""
    import psutil

    most, trouble, end = 0, "", time.monotonic() + total
    started: dict[int, Any] = {}
    with suppress(psutil.Error):
        top = psutil.Process(process.pid)
        while process.poll() is None and not trouble:
            every = family(top)
            started |= {each.pid: each for each in every}
            used = 0
            for each in every:
                with suppress(psutil.Error):
                    used += each.memory_info().rss
            most = max(most, used)
            if used > MEMORY:
                trouble = f"it used more than {MEMORY / 2**30:.0f} GB of memory"
            elif len(every) > PROCESSES:
                trouble = f"it started more than {PROCESSES} programs"
            elif time.monotonic() > end:
                trouble = f"it took longer than {total:.0f} seconds"
            time.sleep(0.1)
    process.kill()  # the sandbox ends with it, and all that runs there
    for each in started.values():  # without a sandbox they are ended one by one
        with suppress(psutil.Error):
            each.kill()
    process.wait()
    return trouble, most


def run(steps: list[Step], secret: Path, *, total: float = TOTAL) -> Ran:
    """Run steps one after the other, as one notebook."""
    mark = secrets.token_hex(8)
    codes = []
    for step in steps:
        value = step.asks and PRINTED.format(mark=mark, value=step.asks)
        codes.append({"code": f"{step.code}\n{value}", "task": step.task, "asks": bool(value)})
    question = {"steps": codes, "mark": mark, "seconds": SECONDS}
    program, begin = bubblewrap(), time.monotonic()
    calls = call_filter(platform.machine()) if program else b""
    with (
        tempfile.TemporaryDirectory() as home,
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as told,
        tempfile.TemporaryFile() as complaints,
        tempfile.TemporaryFile() as barred,
    ):
        inside = "/tmp" if program else home
        environment = {
            "HOME": inside,
            "TMPDIR": inside,
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin")),
            "LANG": "C.UTF-8",
            "PYTHONPATH": "/lent" if program else str(lent().parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
        }
        given.write(json.dumps(question).encode())
        given.seek(0)
        barred.write(calls)
        barred.seek(0)
        number = barred.fileno() if calls else None
        process = subprocess.Popen(
            command(program, secret, number) if program else [sys.executable, __file__],
            stdin=given,
            stdout=told,
            stderr=complaints,
            cwd="/" if program else home,
            env=environment,
            start_new_session=True,
            pass_fds=[number] if number is not None else [],
        )
        trouble, memory = watch(process, total)
        told.seek(0)
        content = told.read(2 * FILES)
        if not content.startswith(STARTED):  # then nothing of the student's has run
            complaints.seek(0)
            why = complaints.read(10_000).decode("utf-8", "replace").strip()
            raise RuntimeError(f"the code could not be started: {trouble} {why[-500:]}")
        ran = read(content, len(steps))
    ran.trouble, ran.memory, ran.seconds = trouble, memory, time.monotonic() - begin
    return ran


def read(told: bytes, number: int) -> Ran:
    """Read what came out of a sandbox; every line of it may be forged, and is text at most.

    Steps are told in their order, each once, also where a second kernel repeats them: nothing can
    be written into the outputs of a step from code that runs later.
    """
    ran = Ran([[] for _ in range(number)], [None] * number, ["left out"] * number)
    last = -1
    for line in told.splitlines():
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
    """Return an output of a notebook that holds text or a picture, and no script."""
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


# From here on: what runs inside.


def limits() -> None:
    """Bound what one process may take; the watch outside bounds them all."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


def collected(outputs: list[dict[str, Any]], message: dict[str, Any], spoken: list[str]) -> None:
    """Add a message of a kernel to the outputs, and to what it wrote."""
    kind, content = message["msg_type"], message["content"]
    if kind == "stream":
        if content["name"] == "stdout":
            spoken[0] = (spoken[0] + content["text"])[-(10**6) :]
        last = outputs[-1] if outputs else {}
        if last.get("name") != content["name"]:
            outputs.append({"output_type": "stream", "name": content["name"], "text": ""})
        outputs[-1]["text"] = (outputs[-1]["text"] + content["text"])[:TEXT]
    elif kind in ("error", "display_data", "execute_result") and len(outputs) < 50:
        outputs.append({"output_type": kind, **content})


def execute(manager: Any, client: Any, code: str, seconds: float) -> tuple[list[Any], str, str]:
    """Run code in a kernel. Return its outputs, what it wrote, and how it ended.

    It has ended when the kernel is idle and has replied: ipykernel 7 loses a request that comes
    while it still writes the reply to the one before (its issue 1554).
    """
    from queue import Empty

    outputs: list[dict[str, Any]] = []
    spoken, end, deadline = [""], "", time.monotonic() + seconds
    request = client.execute(code, allow_stdin=False, stop_on_error=False)
    idle = False
    while True:
        try:
            receive = client.get_shell_msg if idle else client.get_iopub_msg
            message = receive(timeout=0.5)
            if message["parent_header"].get("msg_id") == request:
                if idle:
                    return outputs, spoken[0], end
                collected(outputs, message, spoken)
                if message["msg_type"] == "error":
                    end = end or "error"
                idle = message["content"].get("execution_state") == "idle"
        except Empty:
            if not manager.is_alive():
                return outputs, spoken[0], "dead"
        if time.monotonic() > deadline:
            if end == "late":
                return outputs, spoken[0], "dead"
            end, deadline = "late", time.monotonic() + PATIENCE
            manager.interrupt_kernel()


def attempt(question: dict[str, Any], skipped: set[int], late: set[str], results: Any) -> bool:
    """Run all steps but those to be skipped; return whether a kernel lived to the end."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(startup_timeout=60, kernel_name="python3")
    try:
        for place, step in enumerate(question["steps"]):
            if place in skipped or (step["task"] and step["task"] in late):
                continue  # a kernel that follows a dead one does not wait again
            outputs, spoken, end = execute(manager, client, step["code"], question["seconds"])
            text = re.findall(rf"^{question['mark']} (.*)$", spoken, re.MULTILINE)
            said = text[-1] if text and step["asks"] else None
            entry = {"step": place, "outputs": outputs, "text": said, "end": end}
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
    """Answer the question on the standard input; who kills a kernel is left out of the next."""
    limits()
    question = json.load(sys.stdin)
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # kernels inherit these
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
