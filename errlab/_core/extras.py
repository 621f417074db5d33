"""Packages that not every installation has: each comes with an extra, and is loaded on use."""

import importlib
import importlib.util
from typing import Any

EXTRA = {
    "IPython": "book",
    "anywidget": "book",
    "ipywidgets": "book",
    "joblib": "ml",
    "matplotlib": "plot",
    "sklearn": "ml",
    "zstandard": "inspect",
}
CALLED = {"sklearn": "scikit-learn"}
ALONE = ("joblib", "pandas", "pyarrow")  # no extra of ours: whoever has such a table has them


def load(module: str) -> Any:
    """Import a module of an optional package, such as ``sklearn.base``.

    Raises
    ------
    ImportError
        If the package is not installed; the message names the extra that brings it.
    """
    need(module.partition(".")[0])
    return importlib.import_module(module)


def need(*packages: str) -> None:
    """Check that optional packages are installed, without importing them.

    Raises
    ------
    ImportError
        If one is missing; the message names the extra that brings it.
    """
    for name in packages:
        if importlib.util.find_spec(name) is None:
            if name in ALONE:
                raise ImportError(f"this needs {name}: pip install {name}", name=name)
            extra = EXTRA[name]
            raise ImportError(
                f"this needs {CALLED.get(name, name)}, which comes with the extra {extra!r}: "
                f"pip install 'errlab[{extra}]'",
                name=name,
            )
