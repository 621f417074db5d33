"""Print the oldest versions that errlab declares: ``pip install $(python tools/minimum.py)``.

Those of the core, of scikit-learn and of matplotlib; the tests of the library run on them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def pins() -> list[str]:
    """Return one pin for each declared lower limit: ``numpy>=2.0`` gives ``numpy==2.0.*``."""
    with PYPROJECT.open("rb") as stream:
        project = tomllib.load(stream)["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["ml"], *extras["plot"]]
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", line) for line in wanted]
    return [f"{match[1]}=={match[2]}.*" for match in found if match]


if __name__ == "__main__":
    print(*pins())
    sys.exit(0)
