"""Take the version of errlab, which this package belongs to: from its source, or from the sdist."""

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
SDIST, SOURCE = HERE / "PKG-INFO", HERE.parent / "errlab" / "__init__.py"
TEXT = (SDIST if SDIST.exists() else SOURCE).read_text("utf-8")
(VERSION,) = re.findall(r'^(?:Version: |__version__ = ")([\d.]+)', TEXT, re.MULTILINE)

setup(
    version=VERSION,
    install_requires=[
        f"errlab[ml,plot]=={VERSION}",
        "anywidget>=0.9",  # labs
        "ipython>=8",
        "ipywidgets>=8.1",  # explorers
        "nbformat>=5.9",  # notebooks to hand out
        "pandas>=2.2",  # the long table of chapter 11
    ],
)
