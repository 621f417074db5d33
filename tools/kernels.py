"""Kernels that are warm when they start: one process imports what chapters use, and is forked.

Run as a program, this file is that process. Each line that it reads says what a kernel is given,
and the line that it answers is the number of the kernel's process. Each kernel has a memory of its
own, so nothing that a chapter does reaches another one. Where processes are not forked safely
(only Linux promises it), kernels start as usual.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbclient import NotebookClient

FORKS = sys.platform == "linux"
BUSY = {"OMP_NUM_THREADS": "1"}  # chapters run side by side; a fork must find one thread only
IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "scipy.stats",
    "sklearn.datasets",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "cloudpickle",
    "PIL.Image",
    "errlab.book.exercises",
    "errlab.book.figures",
    "errlab.book.guesses",
    "errlab.book.labs",
    "errlab.book.plots",
    "errlab.book.quiz",
    "errlab.book.tables",
    "errlab.book.widgets",
)


class Forked:
    """A kernel's process, which is no child of this one: what jupyter_client asks of a Popen."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return None while it runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        """Return what is not known; it is called when the process has ended."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The process that is forked. It ends when this one does."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **BUSY, "ERRLAB_OUTPUT": "live"},
            text=True,
        )
        atexit.register(self._process.communicate)  # which closes its input

    def fork(self, command: list[str], environment: dict[str, str], folder: str) -> Forked:
        """Start a kernel in this environment and folder.

        Parameters
        ----------
        command : list of str
            What would start it as usual; its arguments are what follows the name of the module.
        environment, folder : dict, str
            What it gets.
        """
        given = [command[command.index("-m") + 2 :], environment, folder]
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None  # both are pipes
        assert answers is not None
        with self._turn:
            requests.write(json.dumps(given) + "\n")
            requests.flush()
            answer = answers.readline()
        if not answer:
            raise SystemExit("no kernel can be started; what its imports say stands above")
        return Forked(int(answer))


@functools.cache
def warm() -> Warm:
    """Return the process that is forked, started when it is first asked for."""
    return Warm()


def prepare(client: NotebookClient) -> None:
    """Let the kernel of a notebook start warm, where that can be."""
    if not FORKS:
        return
    from jupyter_client.provisioning import LocalProvisioner

    class Provisioner(LocalProvisioner):
        """Fork instead of starting a program."""

        async def launch_kernel(self, cmd: list[str], **given: Any) -> Any:
            """Start the kernel, and return how to speak to it."""
            self.process = warm().fork(cmd, given["env"], str(given["cwd"]))
            self.pid = self.pgid = self.process.pid  # it leads a group of its own
            return self.connection_info

    manager = client.create_kernel_manager()
    manager.provisioner = Provisioner(kernel_spec=manager.kernel_spec, parent=manager)


def become(arguments: list[str], environment: dict[str, str], folder: str) -> None:
    """Turn this process, just forked, into a kernel."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # the answers are none of its business
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))
    os.chdir(folder)
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance(arguments)


def main() -> None:
    """Import what chapters use, then fork a kernel for each line that comes."""
    del sys.path[0]  # tools/, which no kernel knows
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its input
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # which buries the kernels
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # ipykernel reads it when it is imported
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # no kernel looks through all this for garbage
    while line := sys.stdin.readline():
        given = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become(*given)
            return
        print(pid, flush=True)


if __name__ == "__main__":
    main()
