"""The sandbox: right work gives its numbers, whatever it prints; code can't read or harm files."""

import ast
import ctypes
import json
import os
import platform
import shutil
import socket
import struct
import sys
from pathlib import Path
from queue import Empty

import psutil
import pytest

import sandbox
from sandbox import NUMBER, Step

needs_bubblewrap = pytest.mark.skipif(
    sandbox.bubblewrap() is None, reason="needs bubblewrap, which may make sandboxes"
)


def number(expression, task=""):
    return Step("", task, NUMBER.format(expression=expression))


@pytest.fixture(params=["sandbox", "none"])
def protected(request, monkeypatch):
    """With bubblewrap, and as on a machine without it."""
    if request.param == "none":
        monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    elif sandbox.bubblewrap() is None:
        pytest.skip("needs bubblewrap, which may make sandboxes")
    monkeypatch.setattr(sandbox, "SECONDS", 15)
    monkeypatch.setattr(sandbox, "PATIENCE", 15)


F = "def f(n):\n    print('n is', n, end='')\n    print(9.5)\n    return np.array([[n / 4]])"
HONEST = [
    (Step("import numpy as np; from fractions import Fraction"), None, ""),
    (Step(F), None, ""),
    (number("f(*[1])", "a"), 0.25, ""),
    (number("f('x')", "a"), None, "error"),
    (number("Fraction(1, 8)", "a"), 0.125, ""),
    *[(number(f"f({n})", "b"), n / 4, "") for n in range(20)],
    (Step("float = print = repr = None"), None, ""),  # the step itself needs print
    (number("f(4)", "e"), None, "error"),
    (number("np.float64(7)", "e"), 7.0, ""),
]
LOOP = "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass"
ENDLESS = [
    *HONEST[:5],
    (Step("while True: pass"), None, "late"),
    (number("f(2)", "b"), 0.5, ""),
    (Step(LOOP), None, "dead"),
    (Step("import os; os._exit(1)"), None, "dead"),
    (number("[__import__('time').sleep(60)]", "c"), None, "late"),
    (number("1.0", "c"), None, "left out"),  # the sandbox waits for only one endless computation
    (number("f(3)", "d"), 0.75, ""),
]


def arrive(wanted, folder):
    """Run steps; compare the text and the end of each."""
    ran = sandbox.run([step for step, _, _ in wanted], folder)
    texts = [None if value is None else str(value) for _, value, _ in wanted]
    ends = [end for _, _, end in wanted]
    assert list(zip(ran.texts, ran.ends, strict=True)) == list(zip(texts, ends, strict=True))
    assert ran.trouble == ""
    return ran


@pytest.mark.slow
@pytest.mark.usefixtures("protected")
def test_numbers_arrive_beside_prints_and_errors(tmp_path):
    assert 2**26 < arrive(HONEST, tmp_path).memory < 2**30


@pytest.mark.nightly
@pytest.mark.usefixtures("protected")
def test_numbers_arrive_beside_loops_and_dead_kernels(tmp_path):
    arrive(ENDLESS, tmp_path)


@pytest.mark.nightly
@needs_bubblewrap
def test_no_answer_of_a_thousand_submissions_is_lost(tmp_path):
    """Eight functions with three numbers each; forty submissions in each kernel."""
    steps = [Step("import numpy as np")]
    for task in range(8):
        steps.append(Step(f"def f(n):\n    print('n', n)\n    return n / {task + 1}"))
        steps += [number(f"f({n})", f"task {task}") for n in (1, 2, 3)]
    for _ in range(25):
        ran = sandbox.run(40 * steps, tmp_path, total=3600)
        assert ran.trouble == ""
        assert set(ran.ends) == {""}


class Kernel:
    """A kernel that is idle before it has replied; `pending` are the messages of its channels."""

    def __init__(self):
        self.pending = {"iopub": [], "shell": []}
        self.waited = 0

    def execute(self, code, **_):
        head = {"parent_header": {"msg_id": "1"}}
        idle = {"msg_type": "status", "content": {"execution_state": "idle"}}
        other = {"parent_header": {"msg_id": "0"}, "msg_type": "execute_reply", "content": {}}
        self.pending["iopub"] = [head | idle]
        self.pending["shell"] = [head | {"msg_type": "execute_reply", "content": {}}, other]
        return "1"

    def get_iopub_msg(self, timeout):
        if not self.pending["iopub"]:
            raise Empty
        return self.pending["iopub"].pop()

    def get_shell_msg(self, timeout):
        self.waited += 1
        if self.waited == 2:
            raise Empty
        return self.pending["shell"].pop()

    def is_alive(self):
        return True


def test_a_step_has_ended_when_the_kernel_has_replied():
    kernel = Kernel()
    assert sandbox.execute(kernel, kernel, "1", 60) == ([], "", "")
    assert kernel.pending == {"iopub": [], "shell": []}
    assert kernel.waited == 3


@pytest.mark.nightly
@needs_bubblewrap
def test_it_ends_with_all_that_it_started(tmp_path):
    code = "import subprocess, sys\nsubprocess.Popen(['sleep', '4242'], start_new_session=True)"
    assert sandbox.run([Step(code)], tmp_path).trouble == ""
    left = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "4242"]]
    # ended processes may take a while to disappear; if they weren't killed, they would sleep for an
    # hour
    assert psutil.wait_procs(left, timeout=60)[1] == []


@pytest.mark.nightly
@pytest.mark.usefixtures("protected")
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import subprocess\nwhile True: subprocess.Popen(['sleep', '99'])", "programs"),
        ("import time\ntime.sleep(99)", "longer than 4 seconds"),
    ],
)
def test_who_takes_too_much_is_ended_with_the_reason(tmp_path, code, why):
    assert why in sandbox.run([Step(code)], tmp_path, total=4 if "longer" in why else 60).trouble


def test_what_comes_out_is_text_whatever_was_written():
    good = {"step": 1, "outputs": [], "text": "0.5", "end": ""}
    html = {"output_type": "display_data", "data": {"text/html": "<script>", "text/plain": "x"}}
    lines = [
        "[" * 10**5,
        "null",
        '{"step": "1"}',
        json.dumps({**good, "step": -1}),
        json.dumps({**good, "step": 99}),
        json.dumps({**good, "text": [1], "outputs": [html, {"output_type": "stream"}]}),
        json.dumps({**good, "step": 0, "outputs": [html]}),
        json.dumps(good),
        json.dumps({**good, "step": 0, "text": "forged later"}),
    ]
    ran = sandbox.read("\n".join(lines).encode() + b"\n\xff\xfe", 2)
    assert ran.texts == ["0.5", "0.5"]
    assert ran.outputs[0] == [
        {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}
    ]


CALLED = {"KEYCTL": "keyctl", "ADD_KEY": "add_key", "MEMFD": "memfd_create"}
CALLED |= {"SHMGET": "shmget", "BPF": "bpf", "PERF": "perf_event_open"}
LOOK = """
import glob, os, pathlib, socket, sys
def tried(action):
    try:
        return action()
    except OSError as error:
        return type(error).__name__
import ctypes, mmap
library = ctypes.CDLL(None, use_errno=True)
def called(*words):
    return "made" if library.syscall(*words) >= 0 else os.strerror(ctypes.get_errno())
def mapped():
    return len(mmap.mmap(-1, 4096))
seen = {
    "keyring": called(KEYCTL, 11, SERIAL, ctypes.create_string_buffer(99), 99),
    "new key": called(ADD_KEY, b"user", b"left", b"here", 4, -3),
    "memfd": called(MEMFD, b"x", 0),
    "shared memory": called(SHMGET, 0, 4096, 0o600),
    "io_uring": called(425, 1, None),
    "bpf": called(BPF, 0, None, 0),
    "perf": called(PERF, None, 0, 0, 0, 0),
    "shared mapping": tried(mapped),
    "zeros": open("/dev/zero", "rb").read(1),
    "key": tried(lambda: open(PATH).read()),
    "home": sorted(os.listdir(os.path.expanduser("~"))),
    "folders": sorted(os.listdir("/")),
    "way": [name for path in pathlib.Path(sys.prefix).parents[:-1] for name in os.listdir(path)],
    "programs": [open(path).read() for path in sorted(glob.glob("/proc/[0-9]*/cmdline"))],
    "secret": os.environ.get("SECRET"),
    "etc": sorted(os.listdir("/etc")),
    "caller": tried(lambda: socket.create_connection(("127.0.0.1", PORT), timeout=2)),
    "setting": tried(lambda: open("/proc/sys/kernel/core_pattern", "w").write("x")),
    "library": tried(lambda: open(os.__file__, "a").write("x")),
    "errlab": tried(lambda: open(__import__("errlab").__file__, "a").write("x")),
    "root": tried(lambda: open("/x", "w").write("x")),
}
"""


SESSION = -3  # the caller's keyring, of linux/keyctl.h


@pytest.fixture
def secret_key():
    """The serial number of a key in this process's keyring; 0 if there is no keyring."""
    numbers = sandbox.REFUSED_CALLS["add_key"]
    column = list(sandbox.MACHINES).index(platform.machine())
    library = ctypes.CDLL(None)
    serial = library.syscall(numbers[column], b"user", b"errlab", b"secret", 6, SESSION)
    yield max(serial, 0)
    if serial > 0:
        library.syscall(sandbox.REFUSED_CALLS["keyctl"][column], 9, serial, SESSION)  # unlink


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.skipif(platform.machine() not in sandbox.MACHINES, reason="its calls are not known")
def test_nothing_is_there_but_the_environment(tmp_path, monkeypatch, secret_key):
    column = list(sandbox.MACHINES).index(platform.machine())
    look = LOOK.replace("SERIAL", str(secret_key))
    for word, name in CALLED.items():
        look = look.replace(word, str(sandbox.REFUSED_CALLS[name][column]))
    key = tmp_path / "key.toml"
    key.write_text("4 * n", "utf-8")
    monkeypatch.setenv("SECRET", "a password")
    pattern = Path("/proc/sys/kernel/core_pattern").read_text("utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = look.replace("PATH", repr(str(key))).replace("PORT", str(server.getsockname()[1]))
        ran = sandbox.run([Step(code, asks="_errlab_b.repr(seen)")], tmp_path)
    observed = ast.literal_eval(ran.texts[0])
    assert observed["key"] == "FileNotFoundError"
    environment = Path(sys.prefix).parts  # it may be inside the folder for temporary files
    left = [name for name in observed["home"] if not name.startswith((".", "tmp"))]
    assert [name for name in left if name not in environment] == []
    # an ordinary user's environment is in /home, and then the sandbox shows nothing else there
    assert ({"home", "var", "sys"} - {environment[1]}).isdisjoint(observed["folders"])
    assert {name for name in observed["way"] if name[0] != "."} <= {*environment, "tmp"}
    assert not any("pytest" in program for program in observed["programs"])
    assert observed["secret"] is None
    assert set(observed["etc"]) <= {"alternatives", "fonts", "ld.so.cache"}
    assert observed["caller"] == "ConnectionRefusedError"
    for call in ("keyring", "new key", "memfd", "shared memory", "io_uring", "bpf", "perf"):
        assert observed[call] == "Operation not permitted", call
    assert observed["shared mapping"] == "PermissionError"
    assert observed["zeros"] == b""
    for place in ("setting", "library", "errlab", "root"):
        assert observed[place] in ("OSError", "PermissionError"), place
    assert Path("/proc/sys/kernel/core_pattern").read_text("utf-8") == pattern


@pytest.mark.nightly
@needs_bubblewrap
def test_what_a_submission_leaves_the_next_does_not_find(tmp_path):
    leave = "open('/tmp/left', 'w').write('here'); open('/dev/shm/left', 'w').write('here')"
    assert sandbox.run([Step(leave)], tmp_path).ends == [""]
    look = "_errlab_b.repr(_errlab_b.__import__('os').listdir('/tmp') + os.listdir('/dev/shm'))"
    (result,) = sandbox.run([Step("import os", asks=look)], tmp_path).texts
    assert "left" not in result


@pytest.mark.parametrize("machine", [*sandbox.MACHINES, "riscv64"])
def test_the_filter_refuses_what_is_listed_on_each_machine(machine):
    program = [struct.unpack_from("HBBI", sandbox.call_filter(machine), 8 * i)
               for i in range(len(sandbox.call_filter(machine)) // 8)]  # fmt: skip
    if machine not in sandbox.MACHINES:
        assert program == []
        return
    column = list(sandbox.MACHINES).index(machine)
    architecture = sandbox.MACHINES[machine]
    for numbers in sandbox.REFUSED_CALLS.values():
        assert judged(program, numbers[column], architecture) == 0x00050001
        assert judged(program, numbers[column] + 2**30, architecture) == 0x00050001
        assert judged(program, numbers[column], 0x40000003) == 0x80000000, "as another machine"
    assert judged(program, sandbox.MMAP[column], architecture, 0x21) == 0x00050001
    assert judged(program, sandbox.MMAP[column], architecture, 0x22) == 0x7FFF0000
    assert judged(program, 0, architecture) == 0x7FFF0000


def judged(program, call, machine, flags=0):
    """The result of a filter (linux/bpf_common.h) for a call, a machine and a fourth argument."""
    data, register, place = {0: call, 4: machine, 40: flags}, 0, 0
    while True:
        code, jump, other, value = program[place]
        place += 1
        if code == 0x20:
            register = data[value]
        elif code == 0x54:
            register &= value
        elif code == 0x06:
            return value
        else:
            holds = register == value if code == 0x15 else register >= value
            place += jump if holds else other


def test_a_course_inside_the_environment_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    (tmp_path / "course").mkdir()
    with pytest.raises(ValueError, match="must not lie inside"):
        sandbox.command("bwrap", tmp_path / "course")


@pytest.mark.slow
def test_a_sandbox_that_does_not_start_is_no_fault_of_the_student(tmp_path, monkeypatch):
    """A wrong option represents anything that may be wrong with a machine."""
    program = shutil.which("bwrap") or shutil.which("false")
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: program)
    monkeypatch.setattr(sandbox, "command", lambda *_: [program, "--no-such-option"])
    with pytest.raises(RuntimeError, match="could not be started"):
        sandbox.run([Step("1")], tmp_path)


@pytest.mark.nightly
@needs_bubblewrap
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="reads /proc")
def test_memory_of_all_programs_together_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "MEMORY", 6 * 10**8)
    hog = "import time; a = bytearray(3 * 10**8); a[::4096] = a[::4096]; time.sleep(30)"
    code = f"import subprocess, sys\na = [sys.executable, '-c', {hog!r}]\n"
    code += (
        "[each.wait() for each in [subprocess.Popen(a), subprocess.Popen(a), subprocess.Popen(a)]]"
    )
    assert "of memory" in sandbox.run([Step(code)], tmp_path).trouble
