"""Optional packages, each of which belongs to an extra and is imported when needed."""

import importlib
import importlib.util
from typing import Any

EXTRA = {
    "joblib": "ml",
    "matplotlib": "plot",
    "sklearn": "ml",
    "zstandard": "inspect",
}
CALLED = {"sklearn": "scikit-learn"}


def load(module: str) -> Any:
    """Import a module of an optional package, such as ``sklearn.base``.

    Raises
    ------
    ImportError
        If the package is not installed; the message names the extra that installs it.
    """
    need(module.partition(".")[0])
    return importlib.import_module(module)


def need(*packages: str) -> None:
    """Check that optional packages are installed, without importing them.

    Raises
    ------
    ImportError
        If one is missing; the message names the extra that installs it.
    """
    for name in packages:
        if importlib.util.find_spec(name) is None:
            # a user who passes a frame of pandas or pyarrow has that package installed
            remedy = f": pip install {name}"
            if name in EXTRA:
                extra = EXTRA[name]
                remedy = f", which comes with the extra {extra!r}: pip install 'errlab[{extra}]'"
            raise ImportError(f"this needs {CALLED.get(name, name)}{remedy}", name=name)
