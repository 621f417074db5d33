"""Draw functions: each computes with errlab, draws on `ax`, and returns the Axes.

Each module contains the pictures of one subject; all of them can be imported from here.
"""

import importlib
import pkgutil
from typing import Any

_MODULES = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def _collect() -> dict[str, Any]:
    """Return every draw function of every module, by its name; names must be unique."""
    functions: dict[str, Any] = {}
    for file in _MODULES:
        module = importlib.import_module(f"{__name__}.{file}")
        for name, member in vars(module).items():
            # skip functions that the module imports from another one
            if name.startswith("plot_") and member.__module__ == module.__name__:
                if name in functions:
                    raise ImportError(f"two plots are called {name}")
                functions[name] = member
    return functions


globals().update(_collect())
__all__ = sorted(_collect())
