"""What a page says about itself to search engines, to other sites and to who wants to cite it.

The settings come as ``errlab_about``: a description, the citation, and where JupyterLite is. What
needs the address of the site (canonical link, sitemap) is written only where ``html_baseurl`` says
it.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

CARD = "card.png"  # drawn by tools/card.py
CARD_SHOWS = "the title beside the probabilities of counts of errors, with the tail up to 7 marked"
LONGEST = 200  # characters of a description
GONE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>This page is not here</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>body {{ font: 1.1rem/1.5 sans-serif; max-width: 36rem; margin: 15vh auto }}</style>
</head><body><main><h1>This page is not here</h1>
<p>It may have moved when the chapters of <em>{title}</em> changed. {home}</p>
</main></body></html>
"""


def words(doctree: nodes.document | None, otherwise: str) -> str:
    """Return the first paragraph of a page that says something, shortened at a word."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        bare = isinstance(paragraph.parent, (nodes.section, nodes.document))
        text = " ".join(paragraph.astext().split())
        if bare and len(text) >= 40 and not paragraph.next_node(nodes.raw):
            break
    else:
        text = otherwise
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(",;:") + " \u2026"


def meta(name: str, value: str, key: str = "name") -> str:
    """Return one meta element."""
    return f'\n<meta {key}="{name}" content="{html.escape(value)}">'


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put description, Open Graph and, on the front page, the citation into the head of a page."""
    about = app.config.errlab_about
    text = words(doctree, about.get("description", ""))
    title = (
        html.unescape(re.sub(r"<[^>]*>", "", context.get("title") or "")) or app.config.html_title
    )
    front = page == app.config.root_doc
    tags = meta("description", text) if text else ""
    tags += meta("og:title", title, "property") + meta(
        "og:site_name", app.config.html_title, "property"
    )
    tags += meta("og:type", "website" if front else "article", "property")
    tags += meta("og:description", text, "property") if text else ""
    if app.config.html_baseurl and context.get("pageurl"):
        tags += meta("og:url", context["pageurl"], "property")
        picture = f"{app.config.html_baseurl.rstrip('/')}/_static/{CARD}"  # must be a whole address
        tags += meta("og:image", picture, "property") + meta("og:image:width", "1200", "property")
        tags += meta("og:image:height", "630", "property")
        tags += meta("og:image:alt", f"{app.config.html_title}: {CARD_SHOWS}", "property")
        tags += meta("twitter:card", "summary_large_image")
    cited = about.get("citation")
    if front and cited:
        tags += meta("citation_title", cited["title"])
        tags += "".join(meta("citation_author", name) for name in cited["authors"])
        tags += meta("citation_publication_date", cited["date"].replace("-", "/"))
        tags += meta("citation_doi", cited["doi"]) if cited["doi"] else ""
    context["metatags"] = context.get("metatags", "") + tags
    if about.get("lite") and context.get("page_source_suffix") == ".ipynb":
        button = {
            "type": "link",
            "text": "JupyterLite",
            "tooltip": "Launch via JupyterLite",
            "icon": "_static/images/logo_jupyterlite.svg",
            "url": f"{about['lite']}?path={page}.ipynb",
        }
        context.setdefault("header_buttons", []).insert(
            0,
            {
                "type": "group",
                "tooltip": "Launch interactive content",
                "icon": "fas fa-rocket",
                "buttons": [button],
                "label": "launch-buttons",
            },
        )


def finish(app: Sphinx, error: Exception | None) -> None:
    """Write the page for addresses that lead nowhere and, where the site's is known, a sitemap."""
    if error is not None or app.builder.format != "html":
        return
    base = app.config.html_baseurl
    home = "Go back, or begin at the front page of the book."
    if base:
        home = f'<a href="{html.escape(base)}">The front page of the book</a>'
    values = {"language": app.config.language, "title": html.escape(app.config.html_title)}
    out = Path(app.outdir)
    (out / "404.html").write_text(GONE.format(home=home, **values), "utf-8")
    sitemap = out / "sitemap.xml"
    sitemap.unlink(missing_ok=True)
    if base:
        places = [app.builder.get_target_uri(page) for page in sorted(app.env.found_docs)]
        lines = "\n".join(f"<url><loc>{escape(base + place)}</loc></url>" for place in places)
        name = "http://www.sitemaps.org/schemas/sitemap/0.9"
        text = (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{name}">\n{lines}\n</urlset>\n'
        )
        sitemap.write_text(text, "utf-8")


def cited(known: dict[str, Any]) -> tuple[str, str]:
    """Return a citation as a sentence and as BibTeX, with no address that is not set."""
    year = known["date"][:4]
    authors = ", ".join(known["authors"])
    link = f"https://doi.org/{known['doi']}" if known["doi"] else known["url"]
    sentence = f"{authors} ({year}). {known['title']}. Version {known['version']}."
    fields = {
        "author": " and ".join(known["bibtex"]),
        "title": f"{{{known['title']}}}",
        "year": year,
        "version": known["version"],
        "doi": known["doi"],
        "url": known["url"],
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"{sentence} {link}".strip(), f"@software{{errlab{year},\n{lines}\n}}"


class CiteDirective(SphinxDirective):
    """``{cite-this}``: how to cite the book, as a sentence and as BibTeX."""

    def run(self) -> list[nodes.Node]:
        """Return the paragraph and the code block."""
        known = self.config.errlab_about.get("citation")
        if not known:
            return []
        sentence, bibtex = cited(known)
        return [
            nodes.paragraph("", sentence),
            nodes.literal_block(bibtex, bibtex, language="bibtex"),
        ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the setting, the directive and the hooks."""
    app.add_config_value("errlab_about", {}, "env")
    app.add_directive("cite-this", CiteDirective)
    app.connect("html-page-context", describe, priority=900)
    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
