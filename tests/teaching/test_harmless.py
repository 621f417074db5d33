"""Students' texts as pages: no link runs anything, and harmless text is unchanged."""

import itertools
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from harmless import harmless, pictures, rendered

COLONS = [":", "&colon;", "&#58;", "&#x3a;"]
SCRIPTS = ["javascript{}alert(1)", "JavaScript{}alert(1)", "java&#x73;cript{}alert(1)"]
SCRIPTS += ["java&Tab;script{}alert(1)", "&#1;javascript{}alert(1)", "vbscript{}msgbox(1)"]
SCRIPTS += ["data{}text/html;base64,PHNjcmlwdD4=", "blob{}https://x.org/1"]
FORMS = ["[x]({})", "[x](<{}>)", "[x][a]\n\n[a]: {}", "<{}>", "![x]({})", "[x]({} 'title')"]
LINKS = [
    form.format(script.format(colon))
    for form, script, colon in itertools.product(FORMS, SCRIPTS, COLONS)
]
OTHERS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "< script>alert(1)</script>",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<!--><script>alert(1)</script>-->",
    "[x](https://x.org/'onmouseover='alert(1))",
    '[x](https://x.org/"onmouseover="alert(1))',
    '![x" onerror="alert(1)](https://x.org)',
    "$\\href{javascript:alert(1)}{x}$",
    "\\h&#114;ef{javascript:alert(1)}{x}",
    "$\\require{html}$",
    "```\n[x](javascript:alert(1))\n```\n[x](javascript:alert(1))",
    "````text\n```\n[x](javascript&colon;alert(1))",
]


def runs(page):
    """Return the parts of a page that a browser would run, according to another parser."""
    tree = BeautifulSoup(page, "html.parser")
    results = [tag.name for tag in tree.find_all(["script", "iframe", "svg", "object", "embed"])]
    for tag in tree.find_all(True):
        for name, value in tag.attrs.items():
            address = re.sub(r"[\x00-\x20]", "", value if isinstance(value, str) else "").lower()
            dead = not re.match(r"(javascript|vbscript|blob|data):", address)
            dead |= tag.name == "img" and address.startswith("data:image/png;base64,")
            results += [] if dead and not name.startswith("on") else [f"{name}={value}"]
    for tag in tree.find_all(["pre", "code"]):  # elements in which MathJax changes nothing
        tag.decompose()
    return results + re.findall(r"\\(?:href|require)", tree.get_text())


def test_of_all_payloads_none_runs():
    assert len(LINKS) + len(OTHERS) > 100
    alive = [text for text in (*LINKS, *OTHERS) if runs(rendered(harmless(text)[0]))]
    assert alive == []
    # before cleaning, the check finds that many of them run
    assert sum(bool(runs(rendered(text))) for text in (*LINKS, *OTHERS)) > 100


@pytest.mark.parametrize(
    "text",
    [
        "See [the book](https://example.org/a?b=1#c), <b or [me](mailto:a@example.org).",
        "$a < b$ and $$\\sum_i x_i * y_i$$",
        "| a | b |\n|:--|--:|\n| 1 | 2 |",
        "```python\nif x < 3: print('javascript:')\n```",
        "- [ ] read `code`\n- [x] *done*\n\n> **quoted**\n\n1. one\n\n---\n## Title",
        "data: 200 examples; script: none",
    ],
)
def test_an_honest_text_stays_as_it_is(text):
    output, reasons = harmless(text)
    assert reasons == []
    assert output.replace("< b or", "<b or") == text


def test_a_picture_stays_and_what_is_no_picture_goes():
    attached = pictures({"a.png": {"image/png": "AAAA"}, "b": {"text/html": "<script>"}, "c": 1})
    assert attached == {"a.png": {"image/png": "AAAA"}}
    assert harmless("![curve](attachment:a.png)", attached)[1] == []
    assert harmless("![curve](attachment:b)", attached)[1] != []
    assert pictures("none") == {}


def test_the_page_of_a_whole_notebook_runs_nothing_of_a_text():
    made = [nbformat.v4.new_markdown_cell(harmless(text)[0]) for text in (LINKS[1], *OTHERS)]
    notebook = nbformat.v4.new_notebook(cells=made)
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    cells = BeautifulSoup(page, "html.parser").select(".text_cell_render")
    assert len(cells) == len(made)
    assert [runs(str(cell)) for cell in cells if runs(str(cell))] == []
