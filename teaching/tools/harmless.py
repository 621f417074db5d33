"""Texts of students that nothing in your browser runs: ``harmless(text)``.

nbgrader shows Markdown as a page with the rights of its server. So each text is rendered as it will
be shown, and what came out is read as HTML: what holds more than text, pictures and links to
ordinary addresses is shown as it was typed.
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
ATTRIBUTES |= {"checked", "disabled", "type"}  # of the boxes in a list of tasks
SCHEMES = {"href": {"", "http", "https", "mailto"}, "src": {"", "http", "https"}}
# MathJax makes a link of the first, and loads whatever of its extensions with the second
COMMANDS = re.compile(r"\\(href|require)")
ALIGNED = re.compile(r"text-align:\s*(left|right|center);?")  # in tables
PICTURES = {"image/gif", "image/jpeg", "image/png"}
EMBEDDED = re.compile(rf"data:({'|'.join(sorted(PICTURES))});base64,[A-Za-z0-9+/=]*")


class _Dangers(HTMLParser):
    """Collect what a page holds beside text, pictures and links to ordinary addresses."""

    def __init__(self) -> None:
        super().__init__()  # which decodes entities as a browser does
        self.names: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.names.append(f"<{tag}>")
        for name, value in attrs:
            # a browser drops these characters, wherever they stand
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
    """Return tags, attributes and addresses of a page that may do more than show something."""
    parser = _Dangers()
    parser.feed(page)
    parser.close()
    return [*parser.names, *(found[0] for found in COMMANDS.finditer(parser.text))]


def rendered(text: str, attachments: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return the page that nbgrader's pages make of a text."""
    renderer = IPythonRenderer(escape=False, attachments=attachments or {})
    return str(MarkdownWithMath(renderer=renderer).render(text))


def harmless(
    text: str, attachments: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[str, list[str]]:
    """Return Markdown that can be shown, and what was in the way; then it is shown as typed."""
    text = re.sub(r"<(?=[a-z/!?])", "< ", text, flags=re.I)  # no HTML
    try:
        reasons = dangers(rendered(text, attachments))
    except Exception as error:  # what the renderer cannot read is no page either
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
    kept = {}
    for name, kinds in attachments.items():
        if isinstance(kinds, dict) and set(kinds) <= PICTURES:
            kept[str(name)] = {kind: str(content) for kind, content in kinds.items()}
    return kept
