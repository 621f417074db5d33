"""Connect the book to errlab: the output mode, the editions, links between pages, and downloads.

``ERRLAB_EDITION=student jupyter-book build .`` leaves out solutions, in downloads too.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from errlab_address import binder
from errlab_book import handout

ROOT = Path(__file__).resolve().parents[2]
GUIDES = (nodes.title, nodes.reference, nodes.literal, nodes.raw, nodes.math, nodes.table,
          nodes.literal_block, addnodes.pending_xref, addnodes.download_reference)  # fmt: skip
# the first words of a block that asks the reader to edit a cell
PROMPT = "Change it."


def terms() -> list[str]:
    """Return the terms of the glossary, longest first."""
    body = (ROOT / "book" / "glossary.md").read_text("utf-8")
    lines = body.split("```{glossary}\n")[1].split("```")[0].splitlines()
    return sorted((line for line in lines if line and line[0] != " "), key=len, reverse=True)


def link_terms(app: Sphinx, doctree: nodes.document) -> None:
    """Link the first use of each term in a chapter to the glossary."""
    page = app.env.docname
    if not page.startswith("notebooks/"):
        return
    left = terms()
    texts = list(doctree.findall(nodes.Text))
    for text in texts:  # the list grows, because a text that is split may contain another term
        parent = text.parent
        above = parent
        while above is not None and not isinstance(above, GUIDES):
            above = above.parent
        if above is not None:
            continue
        for term in left:
            match = re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", text, re.IGNORECASE)
            if match:
                label = nodes.inline("", match.group(), classes=["xref", "std", "std-term"])
                link = addnodes.pending_xref(
                    "", label, refdomain="std", reftype="term", reftarget=term, refdoc=page,
                    refexplicit=True, refwarn=True,
                )  # fmt: skip
                before, after = nodes.Text(text[: match.start()]), nodes.Text(text[match.end() :])
                parent.replace(text, [before, link, after])
                texts += [before, after]
                left.remove(term)
                break


def write_terms(app: Sphinx, error: Exception | None) -> None:
    """Write the glossary's definitions into a script, which shows them when a term is clicked."""
    page = Path(app.outdir, "book", "glossary.html")
    if error is None and app.builder.format == "html" and page.exists():
        entry = r'<dt id="(term-[^"]+)">.*?</dt>\s*<dd>(.*?)</dd>'
        entries = re.findall(entry, page.read_text("utf-8"), re.DOTALL)
        definitions = {
            name: re.sub(r"</?a\b[^>]*>", "", definition) for name, definition in entries
        }
        script = f"window.errlabTerms = {json.dumps(definitions)};\n"
        Path(app.outdir, "_static", "terms.js").write_text(script, "utf-8")


class UnlinkDrafts(SphinxPostTransform):
    """Turn a link to a chapter that is not in the book into plain words."""

    default_priority = 5  # run before MyST, which would search for the chapter and warn

    def run(self, **kwargs: Any) -> None:
        """Keep the link's words, or the chapter's title if it has none."""
        for link in list(self.document.findall(addnodes.pending_xref)):
            page = link["reftarget"]
            if link["refdomain"] == "doc" and page not in self.env.found_docs:
                words = link.children if link.astext() else [nodes.Text(title(page))]
                link.replace_self(words)


def title(page: str) -> str:
    """Return the title of a page that isn't in the book."""
    path = ROOT / f"{page}.ipynb"
    text = nbformat.read(path, 4).cells[0].source if path.exists() else page
    return text.splitlines()[0].removeprefix("# ")


def leave_out_the_lecturers_pages(app: Sphinx, config: Config) -> None:
    """Build no pages for lecturers in the students' edition; turn links to them into words."""
    if config.errlab_edition == "student":
        config.exclude_patterns += ["book/teaching*", "book/instructors*"]
        config.suppress_warnings += ["etoc.ref"]


def hide_solutions(app: Sphinx, doctree: nodes.document) -> None:
    """Remove cells with solutions from the students' edition; label them in the other."""
    student = app.config.errlab_edition == "student"
    containers = list(doctree.findall(nodes.container))
    for cell in (c for c in containers if f"tag_{handout.SOLUTION}" in c["classes"]):
        if student:
            cell.parent.remove(cell)
        else:
            cell["prompt_show"], cell["prompt_hide"] = "Show the solution", "Hide the solution"
    if not student:
        return
    for paragraph in doctree.findall(nodes.paragraph):
        text = paragraph.astext()  # Markdown stores each line as a node
        if (visible_text := handout.without_solutions(text)) != text:
            paragraph[:] = [nodes.Text(visible_text)]


def ways_to_run(app: Sphinx) -> str:
    """Return links to the places where the current page's notebook can be run."""
    page = app.env.docname
    ways = [
        f'<a class="btn btn-sm" href="../_sources/{page}.ipynb" download>'
        "Download this notebook</a>",
        '<a href="../book/launch.html">How to run it</a>',
    ]
    options = app.config.html_theme_options
    branch = options.get("repository_branch", "main")
    if there := binder(options.get("repository_url", ""), branch, f"{page}.ipynb"):
        ways.append(f'<a href="{there}">Run it here</a>')
    return f'<p class="errlab-notebook">{" ".join(ways)}</p>'


def offer_the_notebook(app: Sphinx, doctree: nodes.document) -> None:
    """Offer the notebook where an exercise needs code or the reader is to edit a cell."""
    if not app.env.docname.startswith("notebooks/"):
        return
    line = nodes.raw("", ways_to_run(app), format="html")
    for section in doctree.findall(nodes.section):
        if "with-code" in section["ids"]:
            section.insert(1, line.deepcopy())
    # once is enough: a reader without a kernel can still unfold the answer
    quotes = (quote for quote in doctree.findall(nodes.block_quote))
    prompts = [quote for quote in quotes if quote.astext().startswith(PROMPT)]
    for prompt in prompts[:1]:
        prompt.append(line.deepcopy())


def show_attachments(app: Sphinx, docname: str, source: list[str]) -> None:
    """Embed pictures that were pasted into a cell, because MyST-NB ignores attachments."""
    if "attachment:" not in source[0] or not str(app.env.doc2path(docname)).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        for name, kinds in cell.get("attachments", {}).items():
            kind, content = next(iter(kinds.items()))
            for address in {name, quote(name)}:
                text = text.replace(f"(attachment:{address})", f"(data:{kind};base64,{content})")
        cell["source"] = text
    source[0] = json.dumps(notebook)


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    """Copy the notebooks to the addresses of their download buttons."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir, "_sources").rglob("*.ipynb"):
            student = app.config.errlab_edition == "student"
            address = app.config.html_theme_options.get("repository_url", "")
            handout.write(path, path, student=student, address="" if student else address)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the edition switch and the hooks."""
    os.environ.setdefault("ERRLAB_OUTPUT", "book")  # kernels inherit these variables
    os.environ["PYTHONSTARTUP"] = str(ROOT / "tools" / "still.py")
    # kernels run in parallel, so each uses one core
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    app.add_config_value("errlab_edition", os.environ.get("ERRLAB_EDITION", "reader"), "env")
    app.add_post_transform(UnlinkDrafts)
    app.connect("config-inited", leave_out_the_lecturers_pages)
    app.connect("source-read", show_attachments)
    app.connect("doctree-read", hide_solutions)
    app.connect("doctree-read", link_terms)
    app.connect("doctree-read", offer_the_notebook)
    app.connect("build-finished", write_terms)
    app.connect("build-finished", write_downloads)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
