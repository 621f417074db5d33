"""Join the ES modules of the labs, so that one text works on a page and in a notebook.

Each module becomes a function of its own, so that two modules may use the same name. A page
contains each module once, however many labs use it, and runs it once.
"""

import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_NAME = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)
_EXPORT = re.compile(r"^export default [^;]*;\n|^export (?=async |const |function |class )", re.M)


@cache
def text(name: str) -> str:
    """Return a file of this folder."""
    return files(__package__).joinpath(name).read_text("utf-8")


def needed(name: str) -> list[str]:
    """Return a module and its imports, each after the modules that it needs."""
    modules: list[str] = []
    for _, other in _IMPORT.findall(text(name)):
        # depth first, so that each module comes after its imports
        modules += [module for module in needed(other) if module not in modules]
    return [*modules, name]


def scoped(name: str) -> str:
    """Return a module as a statement that puts its exports into the object ``modules``."""
    source = text(name)
    taken = [f'const {{{names}}} = modules["{other}"];' for names, other in _IMPORT.findall(source)]
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    exports = ", ".join(_NAME.findall(source))
    # skip a module that another lab has already run on this page
    lines = [f'modules["{name}"] ??= (() => {{', '"use strict";', *taken, body]
    return "\n".join([*lines, f"return {{ {exports} }};", "})();", ""])


def esm(name: str) -> str:
    """Return a lab's module and all its imports as one ES module, for anywidget."""
    parts = "".join(scoped(module) for module in [*needed(name), "python.js"])
    render = f'modules["python.js"].withLine(modules["{name}"].render)'
    marks = files("errlab_book").joinpath("marks.js").read_text("utf-8")
    return f"{marks}\nconst modules = {{}};\n{parts}export default {{ render: {render} }};\n"


def scripts(*names: str) -> str:
    """Return modules and their imports as script elements for a page."""
    # each module once, after the ones that it imports; `dict` keeps the order
    modules = list(dict.fromkeys(module for name in names for module in needed(name)))
    return "".join(
        f'<script data-errlab-module="{module}">{{\n'
        f"const modules = window.errlabModules ??= {{}};\n{scoped(module)}}}</script>"
        for module in modules
    )
