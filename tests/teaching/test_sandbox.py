"""The sandbox: right work gives its numbers, whatever it prints; code can't read or harm files."""

import ast
import ctypes
import json
import platform
import re
import shutil
import socket
import struct
import sys
from pathlib import Path
from queue import Empty
from typing import Any
from unittest.mock import Mock

import pandas as pd
import psutil
import pytest
from marks import nightly
from tables import DATA, sections

import sandbox
from sandbox import MACHINES, NUMBER, REFUSED_CALLS, Step

needs_bubblewrap = pytest.mark.skipif(
    sandbox.bubblewrap() is None, reason="needs bubblewrap, which may make sandboxes"
)


def number(expression, task=""):
    return Step("", task, NUMBER.format(expression=expression))


@pytest.fixture(params=[pytest.param("sandbox", marks=needs_bubblewrap), "none"])
def protected(request, monkeypatch):
    """With bubblewrap, and as on a machine without it."""
    if request.param == "none":
        monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    monkeypatch.setattr(sandbox, "SECONDS", 15)
    monkeypatch.setattr(sandbox, "PATIENCE", 15)


STEPS = dict(sections("sandbox_steps.txt"))
ENDS = {"ok": "", "error": "error", "late": "late", "dead": "dead", "left out": "left out"}


@pytest.mark.slow
@pytest.mark.usefixtures("protected")
@pytest.mark.parametrize("title", nightly(STEPS, "loops and dead kernels"))
def test_numbers_arrive(title, tmp_path):
    steps, results = [], []
    for line, result in zip(STEPS[title][::2], map(str.strip, STEPS[title][1::2]), strict=True):
        task, _, expression = line.partition(": ")
        code = Step(line.replace("\\n", "\n"))
        steps.append(number(expression, task) if len(task) == 1 else code)
        results.append((None, ENDS[result]) if result in ENDS else (result, ""))
    ran = sandbox.run(steps, tmp_path)
    assert list(zip(ran.texts, ran.ends, strict=True)) == results
    assert ran.trouble == ""
    assert 2**26 < ran.memory < 2**30


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


def test_a_step_has_ended_when_the_kernel_has_replied():
    """The kernel is idle before it has replied, and first comes the reply to another request."""
    idle = {"msg_type": "status", "content": {"execution_state": "idle"}}
    reply = {"msg_type": "execute_reply", "content": {}}
    mine, other = ({"parent_header": {"msg_id": name}} for name in ("1", "0"))
    kernel = Mock()
    kernel.execute.return_value = "1"
    kernel.get_iopub_msg.side_effect = [mine | idle]
    kernel.get_shell_msg.side_effect = [other | reply, Empty, mine | reply]
    assert sandbox.execute(kernel, kernel, "1", 60) == ([], "", "")
    assert kernel.get_shell_msg.call_count == 3


@pytest.mark.nightly
@needs_bubblewrap
def test_nothing_is_left_of_a_submission(tmp_path):
    """It ends with all that it started, and the next one doesn't find its files."""
    leave = "import subprocess\nsubprocess.Popen(['sleep', '4242'], start_new_session=True)\n"
    leave += "open('/tmp/left', 'w').write('here'); open('/dev/shm/left', 'w').write('here')"
    ran = sandbox.run([Step(leave)], tmp_path)
    assert (ran.ends, ran.trouble) == ([""], "")
    left = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "4242"]]
    # ended processes may take a while to disappear; if they weren't killed, they would sleep for an
    # hour
    assert psutil.wait_procs(left, timeout=60)[1] == []
    look = "_errlab_b.repr(_errlab_b.__import__('os').listdir('/tmp') + os.listdir('/dev/shm'))"
    (result,) = sandbox.run([Step("import os", asks=look)], tmp_path).texts
    assert "left" not in result


HOG = "import time; a = bytearray(3 * 10**8); a[::4096] = a[::4096]; time.sleep(30)"
GREEDY = [
    ("while True: subprocess.Popen(['sleep', '99'])", 60, "programs"),
    ("import time; time.sleep(99)", 4, "longer than 4 seconds"),
    (f"a = [subprocess.Popen([sys.executable, '-c', {HOG!r}]) for _ in range(3)]\n"
     "[each.wait() for each in a]", 60, "of memory"),
]  # fmt: skip


@pytest.mark.nightly
@pytest.mark.usefixtures("protected")
def test_who_takes_too_much_is_ended_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "MEMORY", 6 * 10**8)  # of all programs together
    for code, total, why in GREEDY:
        ran = sandbox.run([Step(f"import subprocess, sys\n{code}")], tmp_path, total=total)
        assert why in ran.trouble, code


def test_what_comes_out_is_text_whatever_was_written():
    good = {"step": 1, "outputs": [], "text": "0.5", "end": ""}
    html = {"output_type": "display_data", "data": {"text/html": "<script>", "text/plain": "x"}}
    two = [html, {"output_type": "stream"}]
    changes: list[dict[str, Any]] = [{"step": -1}, {"step": 99}, {"text": [1], "outputs": two}]
    changes += [{"step": 0, "outputs": [html]}, {}, {"text": "forged again"}]
    changes += [{"step": 0, "text": "forged later"}]
    lines = ["[" * 10**5, "null", '{"step": "1"}', *(json.dumps(good | one) for one in changes)]
    ran = sandbox.read("\n".join(lines).encode() + b"\n\xff\xfe", 2)
    assert ran.texts == ["0.5", "0.5"]
    expected = {"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}
    assert ran.outputs[0] == [expected]


LOOK = """
import ctypes, glob, mmap, os, pathlib, socket, sys
def tried(action):
    try:
        return action()
    except OSError as error:
        return type(error).__name__
library = ctypes.CDLL(None, use_errno=True)
def called(name, *words):
    return library.syscall(CALLS[name], *words) >= 0 or os.strerror(ctypes.get_errno())
"""
PLACES = [
    "os.listdir(os.path.expanduser('~'))",
    "os.listdir('/')",
    "[n for path in pathlib.Path(sys.prefix).parents[:-1] for n in os.listdir(path)]",
]
SESSION = -3  # the caller's keyring, of linux/keyctl.h


@pytest.fixture
def calls():
    """The numbers of this machine's system calls."""
    if platform.machine() not in MACHINES:
        pytest.skip("its calls are not known")
    return numbers_of(platform.machine())


def numbers_of(machine):
    """Return the numbers in a machine's kernel of the calls that are refused, and of mmap."""
    table = pd.read_csv(DATA / "calls.txt", sep=" ", comment="#", index_col="name")
    return table[machine].to_dict()


@pytest.fixture
def secret_key(calls):
    """The serial number of a key in this process's keyring; 0 if there is no keyring."""
    library = ctypes.CDLL(None)
    serial = library.syscall(calls["add_key"], b"user", b"errlab", b"secret", 6, SESSION)
    yield max(serial, 0)
    if serial > 0:
        library.syscall(calls["keyctl"], 9, serial, SESSION)  # unlink


@pytest.mark.slow
@needs_bubblewrap
def test_nothing_is_there_but_the_environment(tmp_path, monkeypatch, calls, secret_key):
    wanted = {}
    for _, lines in sections("sandbox.txt"):
        wanted |= dict(zip(lines[::2], map(str.strip, lines[1::2]), strict=True))
    key = tmp_path / "key.toml"
    key.write_text("4 * n", "utf-8")
    monkeypatch.setenv("SECRET", "a password")
    pattern = Path("/proc/sys/kernel/core_pattern").read_text("utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        names = f"CALLS, SERIAL, KEY, PORT = {(calls, secret_key, str(key), port)!r}"
        tried = ", ".join(f"{call!r}: ({call})" for call in [*wanted, *PLACES])
        code = "\n".join([names, LOOK, f"seen = {{{tried}}}"])
        ran = sandbox.run([Step(code, asks="_errlab_b.repr(seen)")], tmp_path)
    results = ast.literal_eval(ran.texts[0])
    home, folders, way = map(results.get, PLACES)
    for call, words in wanted.items():
        assert str(results[call]) == words or results[call] in words.split(), call
    environment = Path(sys.prefix).parts  # it may be inside the folder for temporary files
    # hidden files, and the file that tells the kernel its ports
    own = {name for name in home if re.match(r"\.|tmp\w+\.json$", name)}
    assert set(home) - own <= set(environment)
    # an ordinary user's environment is in /home, and then the sandbox shows nothing else there
    assert ({"home", "var", "sys"} - {environment[1]}).isdisjoint(folders)
    assert {name for name in way if name[0] != "."} - own <= {*environment, "tmp"}
    assert Path("/proc/sys/kernel/core_pattern").read_text("utf-8") == pattern


ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050001, 0x80000000  # linux/seccomp.h


def test_the_filter_refuses_what_is_listed_on_each_machine():
    assert sandbox.call_filter("riscv64") == b""
    for machine, architecture in MACHINES.items():
        program = [*struct.iter_unpack("HBBI", sandbox.call_filter(machine))]
        calls = numbers_of(machine)
        mmap = calls.pop("mmap")
        assert calls.keys() == REFUSED_CALLS.keys()
        for call in calls.values():
            assert judged(program, call, architecture) == REFUSED
            assert judged(program, call + 2**30, architecture) == REFUSED
            assert judged(program, call, 0x40000003) == KILLED, "as another machine"
        for call, flags, result in ((mmap, 0x21, REFUSED), (mmap, 0x22, ALLOWED), (0, 0, ALLOWED)):
            assert judged(program, call, architecture, flags) == result


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
