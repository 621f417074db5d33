"""Find a Chromium: the one that CHROMIUM names, or one where systems put it."""

from __future__ import annotations

import os
import shutil

NAMES = (
    "chromium-headless-shell",  # has no windows to draw: a sixth less time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Chromium\Application\chrome.exe",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--no-first-run",
)


def find() -> str | None:
    """Return the path of a Chromium, or None where there is none."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    return on_path or next(filter(os.path.exists, PLACES), None)
