"""Pages of the book that are computed: the API from the docstrings, linked with the chapters."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path

import nbformat

import course
import errlab
from notebooks import NOTEBOOKS

HIDDEN = ("__version__", *errlab._FUNCTIONS)
PARTS = ("exercises", "figures", "guesses", "labs", "plots", "quiz", "studies", "tables", "widgets")
BOOK = [f"book.{name}" for name in PARTS]


def chapters(built: list[Path]) -> dict[str, tuple[str, set[str]]]:
    """Return the title of each chapter and the public names of errlab that its code uses."""
    found = {}
    for path in built:
        notebook = nbformat.read(path, as_version=4)
        title = re.search(r"^# (.+)$", notebook.cells[0].source, re.MULTILINE)
        code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
        names = {n.attr for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Attribute)}
        names |= {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)}
        shown = title.group(1) if title else path.stem
        numbered = course.STEM.fullmatch(path.stem)
        shown = f"{course.number(path.stem)}. {shown}" if numbered else shown
        found[path.name] = (shown, names)
    return found


def _lives_in(member: object, module: str) -> bool:
    """Say whether a class or function is defined in `module`, and so documented there."""
    named = inspect.isclass(member) or inspect.isfunction(member)
    return not named or str(getattr(member, "__module__", module)).startswith(module)


def module_page(name: str, used: dict[str, tuple[str, set[str]]]) -> str:
    """Return the API page of one module."""
    module = importlib.import_module(f"errlab.{name}")
    public = set(getattr(module, "__all__", ()))
    links = [
        f"[{title}](../../notebooks/{file})"
        for file, (title, names) in used.items()
        if name in names or len(public & names) > 1
    ]
    guests = [m for m in sorted(public) if not _lives_in(getattr(module, m), f"errlab.{name}")]
    exclude = f"   :exclude-members: {', '.join(guests)}\n" if guests else ""
    chapters = f"Used in: {', '.join(links)}.\n" if links else ""
    head = f"# errlab.{name}\n\n{chapters}\n"
    if name != "book.plots":
        return head + members(f"errlab.{name}", exclude)
    files = sorted(path.stem for path in Path(module.__path__[0]).glob("[a-z]*.py"))
    parts = [
        f"## errlab.book.plots.{file}\n\n" + members(f"errlab.book.plots.{file}") for file in files
    ]
    return head + f"{inspect.getdoc(module)}\n\n" + "\n".join(parts)


def members(module: str, exclude: str = "") -> str:
    """Return the directive that lists the members of one module."""
    return f"""```{{eval-rst}}
.. automodule:: {module}
   :members:
   :no-value:
   :member-order: bysource
{exclude}```
"""


def function(name: str) -> str:
    """Return the directive for one of the functions that need no module."""
    place = f"errlab.{errlab._FUNCTIONS[name]}.{name}"
    return f"```{{eval-rst}}\n.. autofunction:: {place}\n```\n"


def api_pages(built: list[Path]) -> dict[Path, str]:
    """Return every API page, by its place in the book."""
    used = chapters(built)
    names = sorted(name for name in errlab.__all__ if name not in HIDDEN) + BOOK
    files = {name: f"{name.removeprefix('book.')}.md" for name in names}
    pages = {Path("book/api") / files[name]: module_page(name, used) for name in names}
    rows = []
    for name in names:
        doc = inspect.getdoc(importlib.import_module(f"errlab.{name}")) or ""
        rows.append(f"| [errlab.{name}]({files[name]}) | {doc.splitlines()[0]} |")
    pages[Path("book/api/index.md")] = f"""# API

Every page below is made from the docstrings; their examples are run by the tests.

| Module | What it does |
| --- | --- |
{chr(10).join(rows)}

These need no module, such as `errlab.report(y_true, y_pred)` and, for two classifiers on the same
cases, `errlab.report(y_true, pred_a, pred_b)`:

{chr(10).join(map(function, errlab._FUNCTIONS))}"""
    return pages


if __name__ == "__main__":
    for path in api_pages(sorted(NOTEBOOKS.glob("*.ipynb"))):
        print(path)
