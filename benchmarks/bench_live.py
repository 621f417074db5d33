"""How long a reader waits for an explorer with a kernel: from the slider to the new picture.

A real kernel runs a chapter as JupyterLab does. Then each explorer gets the messages that a moved
slider sends, one position after the other, and the clock stops when the picture comes back: first
for positions that were never drawn, then for the same ones again, then for steps to the next
position with a tenth of a second between them, as a finger makes.

Run it as ``python benchmarks/bench_live.py [NOTEBOOK ...]``; three chapters by default.
"""

import json
import os
import queue
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
from jupyter_client.manager import KernelManager

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
DEFAULT = ("03_binary_bounds", "07_cross_validation", "11_comparing_two")
POSITIONS = 6
WANTED = {"first": 0.15, "again": 0.05, "finger": 0.15}

COLLECT = """
import json as _json
from errlab.book.widgets import Explorer as _Explorer
_shown = []
for _one in list(Out.values()):
    if isinstance(_one, _Explorer) and not any(_one is _other for _other in _shown):
        _shown.append(_one)
_boxes = [_one.widget() for _one in _shown]
print(_json.dumps([
    {
        "name": _one.draw.__name__,
        "controls": [[_c.model_id, len(_c.options), _c.index] for _c in _box.children[:-2]],
        "picture": _box.children[-2].model_id,
    }
    for _one, _box in zip(_shown, _boxes)
]))
"""


class Kernel:
    """A kernel in live mode, and the messages that a page would exchange with it."""

    def __init__(self, folder):
        environment = {**os.environ, "ERRLAB_OUTPUT": "live", "OMP_NUM_THREADS": "1"}
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(
            env=environment, cwd=str(folder), extra_arguments=["--log-level=ERROR"]
        )
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code):
        """Run code and return what it prints."""
        printed = []

        def listen(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
            if message["msg_type"] == "error":
                raise SystemExit("\n".join(message["content"]["traceback"]))

        self.client.execute_interactive(code, output_hook=listen, timeout=600, store_history=True)
        return "".join(printed)

    def move(self, control, index, picture):
        """Move a control, and return the seconds until the picture has changed.

        None where it stays as it is: two positions may show the same.
        """
        content = {
            "comm_id": control,
            "data": {"method": "update", "state": {"index": index}, "buffer_paths": []},
        }
        sent = self.client.session.msg("comm_msg", content)
        start = time.perf_counter()
        self.client.shell_channel.send(sent)
        wait = 30.0
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=wait)
            except queue.Empty:
                if wait == 30:
                    raise
                return None
            content = message["content"]
            if message["msg_type"] == "error":
                raise SystemExit("\n".join(content["traceback"]))
            from_picture = message["msg_type"] == "comm_msg" and content["comm_id"] == picture
            if from_picture and "value" in content["data"].get("state", {}):
                return time.perf_counter() - start
            ours = message["parent_header"].get("msg_id") == sent["header"]["msg_id"]
            if ours and content.get("execution_state") == "idle":
                wait = 1.0  # all is said

    def quiet(self):
        """Wait until the kernel says nothing any more."""
        while True:
            try:
                self.client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                return

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def measure(kernel, explorer, rng):
    """Seconds for first, repeated and finger-like moves of the control with most positions."""
    control, number, now = max(explorer["controls"], key=lambda one: one[1])
    others = rng.permutation([i for i in range(number) if i != now])[:POSITIONS]
    seconds = {"first": [], "again": [], "finger": []}
    for name in ("first", "again"):
        for index in others:
            seconds[name].append(kernel.move(control, int(index), explorer["picture"]))
        kernel.quiet()
    return {name: [s for s in values if s is not None] for name, values in seconds.items()}


def drag(kernel, explorer, rng):
    """Seconds for steps to the next position of the second control, or of the only one."""
    control, number, now = min(explorer["controls"], key=lambda one: one[1])
    seconds = []
    way = 1
    for _ in range(POSITIONS):
        if number < 2:
            break
        way = -way if not 0 <= now + way < number else way
        now += way
        seconds.append(kernel.move(control, now, explorer["picture"]))
        time.sleep(0.1)
    return [s for s in seconds if s is not None]


def main(names):
    rng = np.random.default_rng(0)
    everything = {name: [] for name in WANTED}
    for name in names:
        kernel = Kernel(NOTEBOOKS)
        try:
            notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    kernel.run(cell.source)
            for explorer in json.loads(kernel.run(COLLECT).strip().splitlines()[-1]):
                kernel.quiet()
                seconds = measure(kernel, explorer, rng)
                if len(explorer["controls"]) > 1:
                    seconds["finger"] = drag(kernel, explorer, rng)
                text = ", ".join(
                    f"{kind} {np.median(values):.3f} s (at most {max(values):.3f})"
                    for kind, values in seconds.items()
                    if values
                )
                print(f"{name}, {explorer['name']}: {text}", flush=True)
                for kind, values in seconds.items():
                    everything[kind] += values
        finally:
            kernel.close()
    for kind, values in everything.items():
        if values:
            verdict = "met" if np.median(values) <= WANTED[kind] else "NOT MET"
            print(
                f"{kind}: median {np.median(values):.3f} s, nine in ten within "
                f"{np.quantile(values, 0.9):.3f} s (wanted {WANTED[kind]:g} s: {verdict})"
            )


if __name__ == "__main__":
    main(sys.argv[1:] or DEFAULT)
