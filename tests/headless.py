"""The Chromium of the browser tests, where there is one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import chromium

CHROMIUM, FLAGS = chromium.find(), chromium.FLAGS
