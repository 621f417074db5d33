"""Make students' texts safe to show in a browser: ``harmless(text)``.

nbgrader shows Markdown on a page with the rights of its server. So we render each text as nbgrader
will, and parse the HTML. If it contains more than text, pictures and links to ordinary addresses,
the text is shown as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from urllib.parse import urlsplit

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TAGS = {"a", "blockquote", "br", "code", "del", "div", "em", "hr", "img", "input", "li", "ol", "p"}
TAGS |= {"pre", "section", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead"}
TAGS |= {"tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6"}
ATTRIBUTES = {"align", "alt", "class", "href", "id", "src", "start", "style", "title"}
ATTRIBUTES |= {"checked", "disabled", "type"}  # attributes of the boxes in a list of tasks
SCHEMES = {"href": {"", "http", "https", "mailto"}, "src": {"", "http", "https"}}
# commands of MathJax: the first makes links, and the second loads an extension
COMMANDS = re.compile(r"\\(href|require)")
ALIGNED = re.compile(r"text-align:\s*(left|right|center);?")  # alignment of cells in tables
PICTURES = {"image/gif", "image/jpeg", "image/png"}
EMBEDDED = re.compile(rf"data:({'|'.join(sorted(PICTURES))});base64,[A-Za-z0-9+/=]*")


class _Dangers(HTMLParser):
    """Collect everything on a page but text, pictures and links to ordinary addresses."""

    def __init__(self) -> None:
        super().__init__()  # decode entities as a browser does
        self.names: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.names.append(f"<{tag}>")
        for name, value in attrs:
            # a browser ignores these characters anywhere in an address
            address = re.sub(r"[\x00-\x20]", "", value or "")
            if name not in ATTRIBUTES or (name == "style" and not ALIGNED.fullmatch(value or "")):
                self.names.append(name)
            elif name == "src" and EMBEDDED.fullmatch(address):
                continue
            elif name in SCHEMES and _scheme(address) not in SCHEMES[name]:
                self.names.append(address[:60])

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_decl(self, decl: str) -> None:
        self.names.append(f"<!{decl[:20]}>")

    def handle_pi(self, data: str) -> None:
        self.names.append(f"<?{data[:20]}>")


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme.casefold()
    except ValueError:
        return "not an address"


def dangers(page: str) -> list[str]:
    """Return the tags, attributes and addresses of a page that could be dangerous."""
    parser = _Dangers()
    parser.feed(page)
    parser.close()
    return [*parser.names, *(match[0] for match in COMMANDS.finditer(parser.text))]


def rendered(text: str, attachments: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return the HTML that nbgrader makes of a text."""
    renderer = IPythonRenderer(escape=False, attachments=attachments or {})
    return str(MarkdownWithMath(renderer=renderer).render(text))


def harmless(
    text: str, attachments: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[str, list[str]]:
    """Return Markdown that is safe to show, and the dangers, if any, that made it plain text."""
    text = re.sub(r"<(?=[a-z/!?])", "< ", text, flags=re.I)  # "<" before a letter isn't HTML here
    try:
        reasons = dangers(rendered(text, attachments))
    except Exception as error:  # if our renderer fails, nbgrader's would, too
        reasons = [type(error).__name__]
    if not reasons:
        return text, []
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}", reasons


def pictures(attachments: object) -> dict[str, dict[str, str]]:
    """Return the attachments of a text that are pictures."""
    if not isinstance(attachments, dict):
        return {}
    images = {}
    for name, kinds in attachments.items():
        if isinstance(kinds, dict) and set(kinds) <= PICTURES:
            images[str(name)] = {kind: str(content) for kind, content in kinds.items()}
    return images
