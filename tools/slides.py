"""Slides from an executed notebook: one HTML file, one slide for each idea, figures alive.

Headings start a slide, code stays folded away, and explorers work. No other file is needed; the
arrow keys, Page Down and Space move on.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from errlab_site import mathml  # noqa: E402

SKIP = {"solution", "remove-cell"}
LEAVE_OUT = ("exercises", "quiz", "what to remember", "the claim check")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{css}
html {{ scroll-snap-type: y mandatory; scroll-padding: 0; }}
body {{ margin: 0; font: 1.35rem/1.45 "DejaVu Sans", Verdana, sans-serif; color: #1b1f24; background: #fff; }}
section {{ min-height: 100vh; box-sizing: border-box; padding: 4vh 8vw; scroll-snap-align: start; border-bottom: 1px solid #ccc; }}
h1 {{ font-size: 2.6rem; }} h2 {{ font-size: 2rem; }} h3 {{ font-size: 1.6rem; }}
.errlab-figure, .errlab-explorer {{ max-width: 46rem; }}
.errlab-picture svg {{ max-height: 58vh; }}
table {{ border-collapse: collapse; font-size: 1rem; }} td, th {{ border: 1px solid #999; padding: .2rem .5rem; text-align: left; }}
pre {{ background: #f3f4f5; padding: .6rem; overflow-x: auto; font-size: 1rem; }}
@media print {{ section {{ break-after: page; }} }}
</style></head><body>
{slides}
<script>
addEventListener("keydown", function (e) {{
  if (e.target.matches("input, summary")) {{ return; }}
  const step = {{ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1}}[e.key];
  if (!step) {{ return; }}
  e.preventDefault();
  const all = Array.from(document.querySelectorAll("section"));
  const at = all.findIndex(function (s) {{ return s.getBoundingClientRect().bottom > 10; }});
  const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
  next.scrollIntoView();
  next.focus();
}});
</script></body></html>
"""


def markdown(text: str) -> str:
    """Return Markdown as HTML, formulas as MathML, citations without their role."""
    text = re.sub(r"\s*\{cite:[a-z]+\}`[^`]*`", "", text)
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    dollarmath_plugin(
        parser, renderer=lambda latex, o: mathml(latex, "block" if o["display_mode"] else "inline")
    )
    return str(parser.render(text))


def outputs(cell: nbformat.NotebookNode) -> str:
    """Return what a code cell shows."""
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:
            shown.append(data["text/html"])
        elif "text/markdown" in data:
            shown.append(markdown(data["text/markdown"]))
        elif "text/plain" in data:
            shown.append(f"<pre>{html.escape(data['text/plain'])}</pre>")
    return "".join(shown)


def slides(notebook: nbformat.NotebookNode) -> list[str]:
    """Split a notebook at its headings and figures; leave out what is not for the screen."""
    found: list[str] = []
    skipping = False
    for cell in notebook.cells:
        if SKIP & set(cell.metadata.get("tags", [])):
            continue
        if cell.cell_type == "markdown":
            for part in re.split(r"(?m)^(?=#{1,3} )", cell.source):
                heading = re.match(r"#{1,3} (.+)", part)
                if heading:
                    skipping = heading.group(1).strip().lower().startswith(LEAVE_OUT)
                    if not skipping:
                        found.append("")
                if part.strip() and not skipping:
                    found[-1] += markdown(part)
        elif not skipping and found:
            shown = outputs(cell)
            if "errlab-figure" in shown and "errlab-figure" in found[-1]:
                found.append("")
            if "errlab-explorer" in shown:
                found += [shown, ""]
                continue
            found[-1] += shown
    return [slide for slide in found if slide.strip()]


def write(path: Path, target: Path) -> int:
    """Write the slides of one executed notebook; return how many there are."""
    notebook = nbformat.read(path, as_version=4)
    made = slides(notebook)
    title = re.sub(r"<[^>]+>", "", made[0].split("</h1>")[0])
    body = "\n".join(f'<section tabindex="-1">{slide}</section>' for slide in made)
    css = (ROOT / "errlab" / "book" / "parts.css").read_text("utf-8")
    css += (ROOT / "book" / "_static" / "errlab.css").read_text("utf-8")
    css = css.replace('url("math.woff")', 'url("../_static/math.woff")')
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(PAGE.format(title=title, css=css, slides=body), "utf-8")
    return len(made)
