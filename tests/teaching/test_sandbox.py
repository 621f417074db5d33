"""The sandbox: right work gives its numbers, whatever it prints; code reads and harms nothing."""

import ast
import json
import os
import shutil
import socket
import sys
from pathlib import Path

import psutil
import pytest

import sandbox
from sandbox import NUMBER, Step

pytestmark = pytest.mark.slow
needs_bubblewrap = pytest.mark.skipif(
    sandbox.bubblewrap() is None, reason="bubblewrap is missing, or may not make sandboxes here"
)


def number(expression, task=""):
    return Step("", task, NUMBER.format(expression=expression))


@pytest.fixture(params=["sandbox", "none"])
def protected(request, monkeypatch):
    """With bubblewrap, and as on a machine where there is none."""
    if request.param == "none":
        monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    elif sandbox.bubblewrap() is None:
        pytest.skip("bubblewrap is missing, or may not make sandboxes here")
    monkeypatch.setattr(sandbox, "SECONDS", 15)
    monkeypatch.setattr(sandbox, "PATIENCE", 15)


@pytest.mark.usefixtures("protected")
def test_numbers_arrive_beside_prints_errors_loops_and_dead_kernels(tmp_path):
    f = "def f(n):\n    print('n is', n, end='')\n    print(9.5)\n    return np.array([[n / 4]])"
    loop = "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass"
    asked = [
        (Step("import numpy as np; from fractions import Fraction"), None, ""),
        (Step(f), None, ""),
        (number("f(*[1])", "a"), 0.25, ""),
        (number("f('x')", "a"), None, "error"),
        (number("Fraction(1, 8)", "a"), 0.125, ""),
        (Step("while True: pass"), None, "late"),
        (number("f(2)", "b"), 0.5, ""),
        (Step(loop), None, "dead"),
        (Step("import os; os._exit(1)"), None, "dead"),
        (number("[__import__('time').sleep(60)]", "c"), None, "late"),
        (number("1.0", "c"), None, "left out"),  # one number that does not end is waited for
        (number("f(3)", "d"), 0.75, ""),
        (Step("float = print = repr = None"), None, ""),  # f itself needs print
        (number("f(4)", "e"), None, "error"),
        (number("np.float64(7)", "e"), 7.0, ""),
    ]
    ran = sandbox.run([step for step, _, _ in asked], tmp_path)
    texts = [None if wanted is None else str(wanted) for _, wanted, _ in asked]
    assert list(zip(ran.texts, ran.ends, strict=True)) == list(
        zip(texts, [end for _, _, end in asked], strict=True)
    )
    assert ran.trouble == ""
    assert 2**26 < ran.memory < 2**30


@needs_bubblewrap
def test_it_ends_with_all_that_it_started(tmp_path):
    code = "import subprocess, sys\nsubprocess.Popen(['sleep', '4242'], start_new_session=True)"
    assert sandbox.run([Step(code)], tmp_path).trouble == ""
    left = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "4242"]]
    # the kernel may take a while to end what was killed; alone it would sleep for over an hour
    assert psutil.wait_procs(left, timeout=60)[1] == []


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
    ]
    ran = sandbox.read("\n".join(lines).encode() + b"\n\xff\xfe", 2)
    assert ran.texts == ["0.5", "0.5"]
    assert ran.outputs[0] == [
        {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}
    ]


LOOK = """
import glob, os, socket
def tried(action):
    try:
        return action()
    except OSError as error:
        return type(error).__name__
seen = {
    "key": tried(lambda: open(KEY).read()),
    "home": sorted(os.listdir(os.path.expanduser("~"))),
    "folders": sorted(os.listdir("/")),
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


@needs_bubblewrap
def test_nothing_is_there_but_the_environment(tmp_path, monkeypatch):
    key = tmp_path / "key.toml"
    key.write_text("4 * n", "utf-8")
    monkeypatch.setenv("SECRET", "a password")
    pattern = Path("/proc/sys/kernel/core_pattern").read_text("utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = LOOK.replace("KEY", repr(str(key))).replace("PORT", str(server.getsockname()[1]))
        ran = sandbox.run([Step(code, asks="_errlab_b.repr(seen)")], tmp_path)
    seen = ast.literal_eval(ran.texts[0])
    assert seen["key"] == "FileNotFoundError"
    environment = Path(sys.prefix).parts  # it may stand below the folder for what is temporary
    left = [name for name in seen["home"] if not name.startswith((".", "tmp"))]
    assert [name for name in left if name not in environment] == []
    assert {"home", "var", "sys"}.isdisjoint(seen["folders"])
    assert not any("pytest" in program for program in seen["programs"])
    assert seen["secret"] is None
    assert set(seen["etc"]) <= {"alternatives", "fonts", "ld.so.cache"}
    assert seen["caller"] == "ConnectionRefusedError"
    for place in ("setting", "library", "errlab", "root"):
        assert seen[place] in ("OSError", "PermissionError"), place
    assert Path("/proc/sys/kernel/core_pattern").read_text("utf-8") == pattern
    again = sandbox.run([Step("import os", asks="_errlab_b.repr(os.listdir('/tmp'))")], tmp_path)
    assert "key.toml" not in again.texts[0]


def test_a_course_inside_the_environment_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    (tmp_path / "course").mkdir()
    with pytest.raises(ValueError, match="must not lie inside"):
        sandbox.command("bwrap", tmp_path / "course")


def test_a_sandbox_that_does_not_start_is_no_fault_of_the_student(tmp_path, monkeypatch):
    """A wrong option stands for whatever may be wrong with a machine."""
    program = shutil.which("bwrap") or shutil.which("false")
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: program)
    monkeypatch.setattr(sandbox, "command", lambda *_: [program, "--no-such-option"])
    with pytest.raises(RuntimeError, match="could not be started"):
        sandbox.run([Step("1")], tmp_path)


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
