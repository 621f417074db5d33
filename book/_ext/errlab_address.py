"""Apply the book's address, the line ``repository: url`` of ``_config.yml``, to the site.

If there is an address, the site has buttons to the repository and to Binder, canonical links,
cards, a sitemap and a page for addresses that don't exist. Otherwise it has none of these, and no
link to a place that doesn't exist.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

HOSTED = {"github.com": "github.io", "gitlab.com": "gitlab.io"}
BUTTONS = ("use_repository_button", "use_edit_page_button", "use_issues_button")
CARD = "_static/story.png"  # drawn by errlab_site
OG_URL = re.compile(r'<meta property="og:url"[^>]*>\s*')
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
{head}
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1em/1.6 system-ui, sans-serif; max-width: 34em; margin: 4em auto; padding: 0 1em }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def site_of(repository: str) -> str:
    """Return the address at which a host publishes a repository's pages; "" for other hosts.

    Examples
    --------
    >>> site_of("https://github.com/NAME/REPOSITORY")
    'https://name.github.io/REPOSITORY/'
    >>> site_of("https://example.org/NAME/REPOSITORY")
    ''
    """
    parts = urlsplit(repository)
    if parts.netloc not in HOSTED:
        return ""
    name, project = parts.path.strip("/").split("/")[:2]
    domain = f"{name.lower()}.{HOSTED[parts.netloc]}"
    # a repository named after the domain is published at its root
    return f"https://{domain}/" if project.lower() == domain else f"https://{domain}/{project}/"


def binder(repository: str, branch: str, place: str) -> str:
    """Return the Binder address of a notebook or folder at GitHub; "" for other hosts.

    Examples
    --------
    >>> binder("https://github.com/NAME/REPOSITORY", "main", "notebooks")
    'https://mybinder.org/v2/gh/NAME/REPOSITORY/main?urlpath=lab/tree/notebooks'
    """
    parts = urlsplit(repository)
    if parts.netloc != "github.com":
        return ""
    return f"https://mybinder.org/v2/gh{parts.path}/{branch}?urlpath=lab/tree/{place}"


def follow(app: Sphinx, config: Config) -> None:
    """Turn on the features that need an address, or turn off those that would have dead links."""
    options = config.html_theme_options
    repository = (options.get("repository_url") or "").rstrip("/").removesuffix(".git")
    config.html_baseurl = config.html_baseurl or site_of(repository)
    if config.html_baseurl:
        student = getattr(config, "errlab_edition", "") == "student"
        config.html_baseurl = config.html_baseurl.rstrip("/") + ("/student/" if student else "/")
        config.ogp_site_url = config.html_baseurl
        config.ogp_image = CARD
        if student:
            repository = ""  # the solutions are in the repository
    options["repository_url"] = repository
    hosted = urlsplit(repository).netloc in HOSTED
    if repository and not hosted:
        # the theme needs the name of a provider that it knows
        options.setdefault("repository_provider", "gitlab")
    for button in BUTTONS:
        options[button] = hosted or (bool(repository) and button == "use_repository_button")
    if not repository:
        options["launch_buttons"] = {"thebe": False}


def leave_out_the_way_here(app: Sphinx, doctree: nodes.document) -> None:
    """Remove the line by which a notebook links to its page, because this is that page."""
    site = app.config.html_baseurl
    for paragraph in list(doctree.findall(nodes.paragraph)):
        first = next(iter(paragraph.children), None)  # a paragraph may be empty
        uri = first.get("refuri", "") if isinstance(first, nodes.reference) else ""
        if site and uri.startswith(site + app.env.docname):
            paragraph.parent.remove(paragraph)


def drop_relative_url(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Leave the page's address out of the cards if the book has none."""
    if not app.config.html_baseurl and "metatags" in context:
        context["metatags"] = OG_URL.sub("", context["metatags"])


def write_pages(app: Sphinx, error: Exception | None) -> None:
    """Write the root page and, if there is an address, the sitemap and the 404 page."""
    if error is not None or app.builder.name != "html":
        return
    out, base = Path(app.outdir), app.config.html_baseurl
    front = f"{app.config.root_doc}.html"
    text = (out / front).read_text("utf-8")
    tags = re.findall(r'<meta (?:property="og:|name="(?:description|twitter:))[^>]*>', text)
    icon = f"_static/{Path(app.config.html_favicon).name}"
    title = html.escape(app.config.html_title)
    moved = [f'<meta http-equiv="refresh" content="0; url={front}">']
    if base:
        moved.append(f'<link rel="canonical" href="{base}{front}">')
    body = f'<p><a href="{front}">{title}</a></p>'
    filled = PAGE.format(title=title, icon=icon, head="\n".join(moved + tags), body=body)
    (out / "index.html").write_text(filled, "utf-8")
    if not base:
        return
    lost = (
        f'<h1>This page is not here</h1>\n<p>It may have moved. <a href="{base}{front}">Begin at '
        f'the front page</a>, or <a href="{base}search.html">search the book</a>.</p>'
    )
    filled = PAGE.format(title=f"Not found: {title}", icon=base + icon, head="", body=lost)
    (out / "404.html").write_text(filled, "utf-8")
    pages = sorted(base + app.builder.get_target_uri(page) for page in app.env.found_docs)
    places = "\n".join(f"<url><loc>{html.escape(page)}</loc></url>" for page in pages)
    (out / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}\n</urlset>\n',
        "utf-8",
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register one hook before the theme reads its options, and one after all pages are written."""
    app.connect("config-inited", follow, priority=400)
    app.connect("doctree-read", leave_out_the_way_here)
    app.connect("html-page-context", drop_relative_url, priority=900)  # after the cards
    app.connect("build-finished", write_pages, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
