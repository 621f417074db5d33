"""Students' texts as pages: no link runs anything, and harmless text is unchanged."""

import itertools
import re

import nbformat
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from tables import sections

from harmless import harmless, pictures, rendered

TEXTS = {
    title: [line.replace("\\n", "\n") for line in lines]
    for title, lines in sections("payloads.txt")
}
PARTS = itertools.product(*map(TEXTS.get, ("forms", "scripts", "colons")))
LINKS = [form.format(script.format(colon)) for form, script, colon in PARTS]
PAYLOADS = [*LINKS, *TEXTS["others"]]


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
    assert [text for text in PAYLOADS if runs(rendered(harmless(text)[0]))] == []
    # before cleaning, the check finds that many of them run
    assert sum(bool(runs(rendered(text))) for text in PAYLOADS) > 100
    # nor on the page of a whole notebook
    clean = (harmless(text)[0] for text in (LINKS[1], *TEXTS["others"]))
    made = [*map(nbformat.v4.new_markdown_cell, clean)]
    notebook = nbformat.v4.new_notebook(cells=made)
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    cells = BeautifulSoup(page, "html.parser").select(".text_cell_render")
    assert len(cells) == len(made)
    assert [str(cell) for cell in cells if runs(str(cell))] == []


def test_an_honest_text_and_a_picture_stay_and_what_is_no_picture_goes():
    for text in TEXTS["honest texts"]:
        output, reasons = harmless(text)
        assert reasons == [], text
        assert output.replace("< b or", "<b or") == text
    attached = pictures({"a.png": {"image/png": "AAAA"}, "b": {"text/html": "<script>"}, "c": 1})
    assert attached == {"a.png": {"image/png": "AAAA"}}
    assert harmless("![curve](attachment:a.png)", attached)[1] == []
    assert harmless("![curve](attachment:b)", attached)[1] != []
    assert pictures("none") == {}
