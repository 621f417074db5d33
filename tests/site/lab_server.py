"""A JupyterLab for tests: a server on a folder, and a tab with one of its notebooks."""

import contextlib
import os
import re
import subprocess
import sys
import time

from browser import ROOT, probe
from budget import COSTS

RUN_MS = 60_000


@contextlib.contextmanager
def serve(folder):
    """Start JupyterLab on a folder; yield its address."""
    homes = {"HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"}
    environment = {**os.environ, **dict.fromkeys(homes, str(folder / "home"))}
    path = os.pathsep.join([str(ROOT), str(ROOT / "book")])
    environment |= {"ERRLAB_OUTPUT": "live", "PYTHONPATH": path}
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
        "--port=0", "--IdentityProvider.token=", "--expose-app-in-browser",
        "--LabApp.extension_manager=readonly", "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    log, address = folder / "server.log", None
    with (
        log.open("w") as output,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        while not address and process.poll() is None:
            time.sleep(0.1)
            address = re.search(r"http://127\.0\.0\.1:\d+/", log.read_text("utf-8"))
        if not address:
            raise RuntimeError(log.read_text("utf-8")[-2000:])
        yield address.group()
        with COSTS.shared("JupyterLab"):  # with its kernels
            process.terminate()
            try:
                process.wait(timeout=60)
            # the server may be waiting for a kernel that doesn't answer
            except subprocess.TimeoutExpired:
                process.kill()


def open_notebook(chromium, server, name):
    """Return a tab with a notebook of the server, its kernel ready."""
    tab = chromium.new_page()
    tab.set_default_timeout(2 * RUN_MS)
    tab.set_viewport_size({"width": 1280, "height": 3000})
    tab.goto(f"{server}lab/tree/{name}?reset", timeout=RUN_MS)
    tab.wait_for_selector(".jp-Notebook .jp-Cell", timeout=RUN_MS)
    tab.wait_for_function(probe("idle"), timeout=RUN_MS)
    return tab


def run(tab, number):
    """Run one cell and wait until it is done."""
    tab.evaluate(probe("run"), number)
    tab.wait_for_function(probe("idle"), timeout=RUN_MS)
