"""Slides from an executed notebook: one HTML file for reveal.js, figures alive.

A heading begins a topic. In the browser, `slides.js` lays each topic out on as many slides of
1280 x 720 as it needs; reveal.js, which comes in the package sphinx-revealjs, does the rest: keys,
numbers, overview (Esc), speaker's view with notes and timer (S). No other file is needed.

A guess becomes a poll with its answer behind a key. Of a long paragraph the first sentence and what
is printed bold stand on the slide; all of it is in the speaker's notes, with the teaching notes.
"""

from __future__ import annotations

import html
import re
import sys
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from errlab.book import answers  # noqa: E402
from errlab_site import mathml  # noqa: E402

SKIP = {"solution", "audit", "remove-cell"}
LEAVE_OUT = ("exercises", "quiz", "what to remember", "reference:")
WORDS = 40  # of a paragraph; of a longer one a part is shown
LINES = 7  # of code that is shown with what it prints
FORM = re.compile(r'<form class="errlab-guess".*?</form>', re.DOTALL)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{css}</style></head><body>
<div class="reveal"><div class="slides">
{slides}
</div></div>
{scripts}
</body></html>
"""


@dataclass
class Topic:
    """A heading, what is shown under it, and what the speaker sees."""

    heading: str
    blocks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def html(self) -> str:
        """Return the topic as a section."""
        blocks = "".join(f'<div class="block">{block}</div>' for block in self.blocks)
        notes = f'<aside class="notes">{"".join(self.notes)}</aside>' if self.notes else ""
        return f"<section>{self.heading}{blocks}{notes}</section>"


def markdown(text: str) -> str:
    """Return Markdown as HTML, formulas as MathML, citations without their role."""
    text = re.sub(r"\s*\{cite:[a-z]+\}`[^`]*`", "", text)
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    dollarmath_plugin(
        parser, renderer=lambda latex, o: mathml(latex, "block" if o["display_mode"] else "inline")
    )
    return str(parser.render(text))


def shortened(paragraph: str) -> str:
    """Return the first sentence of a long paragraph, and those with something bold in them."""
    if len(paragraph.split()) <= WORDS or re.match(r"\s*([|>#]|[-*] |\d+\. |\$\$|```)", paragraph):
        return paragraph
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z*])", paragraph)
    return " ".join(s for i, s in enumerate(sentences) if i == 0 or "**" in s)


def prose(text: str, topic: Topic) -> None:
    """Add paragraphs to a topic: in short on the slide, in full to the notes."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        short = shortened(paragraph)
        topic.blocks.append(markdown(short))
        if short != paragraph:
            topic.notes.append(markdown(paragraph))


def poll(form: str) -> str:
    """Return a guess as a question to all, its answer behind a key (a fragment of reveal.js)."""
    name = re.search(r'data-answer="([^"]*)"', form).group(1)
    right = re.search(r'data-right="([^"]*)"', form).group(1)
    legend = re.search(r"<legend>(.*?)</legend>", form, re.DOTALL).group(1)
    choices = re.findall(r'value="([^"]*)" data-why="([^"]*)"[^>]*> <span>(.*?)</span>', form)
    listed = ""
    told = ""
    for value, why, shown in choices:
        listed += f"<li>{shown}</li>"
        value = html.unescape(value)
        if answers.digest(f"{name} {value}") == right:
            said = html.escape(answers.unveil(why, f"{name} {value}"))
            told = f"<strong>{shown}.</strong> {said}"
    if not choices:
        veiled = re.search(r'data-told="([^"]*)"', form).group(1)
        told = f"<strong>{html.escape(answers.unveil(veiled, name))}</strong>"
    listed = f'<ol class="poll">{listed}</ol>' if choices else ""
    return f'<p><strong>{legend}</strong></p>{listed}<p class="fragment answer">{told}</p>'


def code_cell(cell: nbformat.NotebookNode, topic: Topic) -> None:
    """Add what a code cell shows to a topic; plain results only with the code that printed them."""
    visible = not {"hide-input", "remove-input"} & set(cell.metadata.get("tags", []))
    short = len(cell.source.splitlines()) <= LINES
    code = f"<pre>{html.escape(cell.source)}</pre>"
    for output in cell.outputs:
        data: dict[str, Any] = output.get("data", {})
        if "text/html" in data:
            shown = data["text/html"]
            for form in FORM.findall(shown):
                topic.blocks.append(poll(form))
            shown = FORM.sub("", shown)
            if "errlab-check" not in shown and "errlab-quiz" not in shown and shown.strip():
                topic.blocks.append(shown)
        elif "text/markdown" in data:
            prose(data["text/markdown"], topic)
        elif "text/plain" in data and visible and short:
            result = f'<pre class="result">{html.escape(data["text/plain"])}</pre>'
            topic.blocks.append(code + result)


def topics(notebook: nbformat.NotebookNode) -> list[Topic]:
    """Split a notebook at its headings; leave out what is not for the screen."""
    found: list[Topic] = []
    skipping = True
    for cell in notebook.cells:
        if SKIP & set(cell.metadata.get("tags", [])):
            continue
        if cell.cell_type == "markdown":
            for part in re.split(r"(?m)^(?=#{1,3} )", cell.source):
                heading = re.match(r"(#{1,3}) (.+)\n?", part)
                if heading:
                    skipping = heading.group(2).strip().lower().startswith(LEAVE_OUT)
                    if not skipping:
                        level = "#" * min(len(heading.group(1)), 2)
                        found.append(Topic(markdown(f"{level} {heading.group(2)}")))
                    part = part[heading.end() :]
                if part.strip() and not skipping:
                    prose(part, found[-1])
        elif not skipping:
            code_cell(cell, found[-1])
    return [topic for topic in found if topic.blocks]


def teaching(stem: str, found: list[Topic]) -> list[Topic]:
    """Add the teaching notes: the plan to the first topic, what to discuss as the last one."""
    with (ROOT / "book" / "teaching.toml").open("rb") as stream:
        entry = tomllib.load(stream).get(stem)
    if entry is None or not found:
        return found
    steps = "".join(f"<li>{s['minutes']} min: {html.escape(s['what'])}</li>" for s in entry["plan"])
    found[0].notes.insert(0, f"<ol>{steps}</ol>")
    traps = "".join(f"<li>{html.escape(trap)}</li>" for trap in entry["traps"])
    last = Topic("<h2>To discuss</h2>", [f"<p>{html.escape(entry['discuss'])}</p>"])
    last.notes.append(f"<p>What students get wrong</p><ul>{traps}</ul>")
    return [*found, last]


def slides(notebook: nbformat.NotebookNode, stem: str = "") -> list[str]:
    """Return the topics of a notebook as HTML, with the teaching notes of the chapter."""
    return [topic.html() for topic in teaching(stem, topics(notebook))]


def reveal(*parts: str) -> str:
    """Return a file of reveal.js."""
    folder = files("sphinx_revealjs") / "_static" / "revealjs"
    return folder.joinpath(*parts).read_text("utf-8")


def write(path: Path, target: Path) -> int:
    """Write the slides of one executed notebook; return how many topics there are."""
    notebook = nbformat.read(path, as_version=4)
    made = slides(notebook, path.stem)
    title = re.sub(r"<[^>]+>", "", made[0].split("</h1>")[0])
    css = reveal("dist", "reset.css") + reveal("dist", "reveal.css")
    css += (ROOT / "errlab" / "book" / "parts.css").read_text("utf-8")
    css += (ROOT / "book" / "_static" / "errlab.css").read_text("utf-8")
    css = css.replace('url("math.woff")', 'url("../_static/math.woff")')
    css += (ROOT / "tools" / "slides.css").read_text("utf-8")
    code = [reveal("dist", "reveal.js"), reveal("plugin", "notes", "notes.js")]
    code.append((ROOT / "tools" / "slides.js").read_text("utf-8"))
    inert = [part.replace("</script", r"<\/script") for part in code]
    scripts = "\n".join(f"<script>{part}</script>" for part in inert)
    target.parent.mkdir(parents=True, exist_ok=True)
    body = "\n".join(made)
    target.write_text(PAGE.format(title=title, css=css, slides=body, scripts=scripts), "utf-8")
    return len(made)
