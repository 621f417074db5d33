"""What the site needs beyond Jupyter Book: formulas as MathML, and light, local pages."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# Scripts that Jupyter Book adds to every page and that our pages do not use.
UNUSED = ("require", "embed-amd", "thebe", "fontawesome", "togglebutton")


def mathml(latex: str, display: str) -> str:
    """Return a formula as MathML, which needs no script, font or other host."""
    text = latex.strip()
    if display == "block" and ("&" in text or r"\\" in text) and r"\begin" not in text:
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    try:
        return str(convert(text, display=display))
    except Exception as error:
        raise ExtensionError(f"cannot turn {latex!r} into MathML: {error!r}") from error


def visit_math(self: Any, node: nodes.math) -> None:
    """Write an inline formula."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    """Write a displayed formula, with its number where it has one."""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    identity = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    # a wide formula scrolls by itself, so it must be reachable by keyboard
    self.body.append(
        f'<div class="math"{identity} tabindex="0" role="group" aria-label="Formula">'
        f"{mathml(node.astext(), 'block')}{number}</div>"
    )
    raise nodes.SkipNode


def lighten(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Drop the scripts that no page of ours uses."""
    for kind in ("script_files", "css_files"):
        files = context.get(kind) or []
        context[kind] = [f for f in files if not any(u in _name(f) for u in UNUSED)]


def _name(file: Any) -> str:
    return str(getattr(file, "filename", file) or "")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer and the hook."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    app.connect("html-page-context", lighten, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
