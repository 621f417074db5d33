"""A page of the site shows what was recorded, and nothing else.

nbval compares the stored records with what the code gives; this compares them with the pages: each
figure, every frame of each explorer with its sentence, its data and its controls, where these
start, labs, quizzes, and every text that a program prints. Between two outputs stands the
notebook's own text alone. Needs the built site, no browser.
"""

import ast
import base64
import csv
import difflib
import gzip
import html
import io
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import lxml.html
import nbformat
import numpy as np
import pandas as pd
import pytest
from browser import ROOT
from labs_in_browser import CASES
from lxml.etree import tostring
from marks import nightly
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from our_chapters import is_ours

from errlab_book import answers, chapters, explore, guess, guesses, labs, pages, quiz, say, show
from errlab_book.controls import Control
from errlab_book.exercises import EXERCISES, check
from errlab_book.figures import drawn
from errlab_book.figures._record import Drawing
from errlab_book.figures._show import data_html, figure_html, picture
from errlab_book.figures._table import _CURVE
from errlab_book.labs import _modules
from errlab_book.widgets import Explorer, Frame, explorer_script
from errlab_site import typeset

pytestmark = pytest.mark.site

LISTED = re.findall(r"^\s*- file: (\S+)", (ROOT / "_toc.yml").read_text("utf-8"), re.MULTILINE)
NOTEBOOKS = [name for name in LISTED if (p := ROOT / f"{name}.ipynb").exists() and is_ours(p)]

# ---- what is on a page ---------------------------------------------------------------------------

RAW = re.compile(r"<script\b.*?</script>|<svg\b.*?</svg>", re.DOTALL)
PARSER = lxml.html.HTMLParser(remove_comments=True, huge_tree=True, encoding="utf-8")
# Parts that are checked as a whole, and then replaced by a word.
PART = """self::div[@class='errlab-explorer' or @class='errlab-lab'] or
  self::figure[@class='errlab-figure'] or self::form[starts-with(@class, 'errlab-')]"""
PARTS = f".//*[({PART}) and not(ancestor::*[{PART}])]"
OUTPUT = '<div class="cell_output docutils container">'
OUTPUTS = ".//div[@class='cell_output docutils container']"
# How a figure is drawn, for readers who have switched "Code" on.
SOURCES = ".//details[@class='errlab-source']"
SHEETS = "//link[contains(@rel, 'stylesheet')]/@href"
DRAWING = "string(.//svg/@data-raw)"
PACKED, SETTINGS = ".//script[@type='application/gzip']", ".//script[@class='lab-settings']"
UNREAD = ("text/x-thebe-config", "application/gzip", "application/json")  # no browser runs these
# Elements and attributes that could hide something recorded, or show something else.
BESIDE = """.//*[self::style or self::svg or self::img or self::picture or self::canvas
  or self::video or self::audio or self::iframe or self::object or self::embed or self::link
  or self::base or @style or @*[starts-with(name(), 'on')]]"""


def parsed(text):
    """Parse HTML; a drawing stays as it is written, because its checksum is that of the text."""

    def keep(match):
        if match[0].startswith("<script"):
            return match[0]
        return f'<svg data-raw="{html.escape(match[0])}"></svg>'

    return lxml.html.document_fromstring(RAW.sub(keep, text).encode(), parser=PARSER)


@cache
def known_scripts():
    """Scripts of labs, forms and explorers, and what Jupyter Book adds."""
    scripts = [_modules.scripts(f"{lab.name}.js", "shim.js") for lab in labs.LABS.values()]
    scripts += [labs.Misses().html(Drawing("", "")), answers.script(), explorer_script()]
    scripts += ["<script>kernelName = 'python3'</script>"]
    return {script.text for script in parsed("".join(scripts)).iter("script")}


@cache
def sources():
    """The code of every function of the chapters' and pages' modules, as a page may show it."""
    code = set()
    for package in (chapters, pages):
        for path in Path(package.__file__).parent.glob("*.py"):
            text = path.read_text("utf-8")
            lines = text.splitlines(keepends=True)
            for one in ast.parse(text).body:
                if isinstance(one, ast.FunctionDef):
                    first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                    code.add("".join(lines[first - 1 : one.end_lineno]))
    return code


class Page:
    """The parts of a page, the words of its texts and outputs, and what doesn't belong there."""

    def __init__(self, text):
        whole = parsed(text)
        self.article = whole.find(".//article")
        if self.article is None:
            self.article = whole
        self.parts = self.article.xpath(PARTS)
        self.faults = ["a part beside the text"] * (len(whole.xpath(PARTS)) > len(self.parts))
        self._drop_code()
        for number, part in enumerate(self.parts, 1):
            replaced(part, f" part{number} ")
        self.faults += [f"beside: {tostring(e)[:80]}" for e in self.article.xpath(BESIDE)]
        self._drop_silent()
        outputs = self.article.xpath(OUTPUTS)
        self.outputs = [words(" ".join(output.itertext())) for output in outputs]
        for output in outputs:
            replaced(output, "\ue000")
        self.texts = [words(text) for text in " ".join(self.article.itertext()).split("\ue000")]

    def _drop_code(self):
        """Take out scripts, styles and sources that are the book's own."""
        for script in self.article.xpath(".//script"):
            if script.get("type") not in UNREAD:
                ours = script.text in known_scripts() and not script.get("src")
                self.faults += [f"a script: {script.text}"] * (not ours)
            if script.get("type") not in UNREAD[1:]:
                script.drop_tree()
        for source in self.article.xpath(SOURCES):
            self.faults += ["no code of the book"] * (source.find("pre").text not in sources())
            source.drop_tree()
        for style in self.article.xpath(".//style"):
            if style.text == _modules.text("labs.css"):
                style.drop_tree()

    def _drop_silent(self):
        """Take out formulas, citations, and tags within a word."""
        for cited in self.article.xpath(".//span[@class='bibtex-citation']"):
            self.faults += [f"cited: {word}" for word in set(words(cited.text_content())) - NAMED]
            cited.drop_tree()
        for formula in self.article.xpath(".//math | .//script"):
            formula.drop_tree()
        for tag in self.article.xpath(".//span | .//wbr"):
            tag.drop_tag()


def replaced(element, words):
    """Replace an element by words."""
    paragraph = lxml.html.Element("p")
    paragraph.text, paragraph.tail, element.tail = words, element.tail, None
    element.getparent().replace(element, paragraph)


def words(text):
    """The words and numbers of a text, with those signs that a renderer leaves unchanged."""
    plain = re.sub("[\u2010-\u2015\u2212]", "-", text)
    return re.findall(r"part\d+|-?\d+(?:[.,]\d+)*|[^\W\d_]+|%", plain)


# What a citation may contain: authors and years.
NAMED = {*words((ROOT / "book" / "references.bib").read_text("utf-8")), *words("et al n d Demšar")}

# --- what the page should contain


def split_record(lines):
    """The description of a drawing, its data and its checksum, from the lines of a record."""
    at = next(i for i, line in enumerate(lines) if line.startswith("Figure, "))
    data = [re.sub(r", [0-9a-f]{6}$", "", line) for line in lines[at:-1]]
    return lines[:at], "\n".join(data), lines[-1].removeprefix("drawn: ")


def figure_part(text, part):
    head, data, checksum = split_record(text.splitlines())
    caption, _, alt = "\n".join(head).rpartition("What to see: ")
    svg, table = part.xpath(DRAWING), part.findtext(".//details[@class='errlab-data']/pre") or ""
    image = picture(svg if drawn(svg) == checksum else "", alt if head else data)
    caption = caption.removesuffix("\n").removeprefix("Caption: ")
    return figure_html(image, caption, data_html(table if fits(svg, data, table) else ""))


PLACES = re.compile(r" data-panels='([^']*)'")
DRAWN = re.compile(
    r'  (?:line|path) (?:".*" )?\(.*\): (?P<count>\d+) points?'
    r"(?P<ends>(?:, [xy] \S+ to \S+ in \S+)*)$"
)
ENDS = re.compile(r"([xy]) (\S+) to (\S+) in (\S+)\.\.(\S+?)(?=,|$)")


def fits(svg, data, table):
    """Whether the table of a drawing contains the numbers in the record.

    Of each line and of each set of dots that the record describes: their number, ends, extremes.
    """
    rows = list(csv.reader(io.StringIO(table)))
    places = json.loads(html.unescape((PLACES.search(svg) or ["", "[]"])[1]))
    limits = re.findall(r"^(?:Panel|Inset)[^:]*: .*$", data, re.MULTILINE)
    if not rows or len(places) != len(limits):
        return False
    series = {}
    for row in rows[1:]:
        series.setdefault(tuple(row[:-2]), []).append(row[-2:])
    columns = [np.transpose([*map(numbers, some)]) for some in series.values()]
    lengths = np.array([len(x) for x, _ in columns])
    ends = np.array([*map(extremes, columns)]).reshape(-1, 2, 4)
    for line in re.findall(r"^  (?:line|path) .*$", data, re.MULTILINE):
        described = DRAWN.match(line)
        if "(hidden" in line or not described or described["count"] == "0":
            continue
        wanted = [(axis, numbers(values)) for axis, *values in ENDS.findall(described["ends"])]
        if not agree(lengths, ends, int(described["count"]), wanted).any():
            return False
    return True


def numbers(cells):
    """Numbers; NaN for a blank or a name."""
    return pd.to_numeric(np.array(cells, object), errors="coerce")


def extremes(columns):
    """First, last, least and largest number of each column; NaN if one isn't a number."""
    blank = [np.nan] * 4
    return [blank if np.isnan(c).any() else [c[0], c[-1], c.min(), c.max()] for c in columns]


def agree(lengths, ends, count, wanted):
    """Of each series, whether it has these ends and extremes, to the digits of a record.

    A name or a blank may replace any number.
    """
    part = (lengths == _CURVE) & (count > _CURVE)  # only some points of a long curve
    right = np.full(len(lengths), True)
    for axis, values in wanted:
        got = ends[:, "xy".index(axis)]
        close = np.isclose(got, values, rtol=1e-3, atol=1e-12) | np.isnan(values)
        close[:, 2] |= part & (got[:, 2] >= values[2])
        close[:, 3] |= part & (got[:, 3] <= values[3])
        fitting = close.all(axis=1) & (part | (lengths == count))
        right &= fitting | np.isnan(got).any(axis=1)
    return right


def frames_on_page(part):
    return json.loads(gzip.decompress(base64.b64decode(part.findtext(PACKED) or "")) or "{}")


def start_on_page(part):
    """The positions of an explorer's controls: the index of the value of each."""
    for control in part.xpath(".//input[@type='range'] | .//fieldset"):
        buttons = [button.get("checked") is not None for button in control.iter("input")]
        slides = control.tag == "input"
        yield int(control.get("value")) if slides else buttons.index(True)


def typed(values):
    """Convert to numbers if all values are numbers, such as those of a slider."""
    try:
        return [ast.literal_eval(value) for value in values if float(value) == float(value)]
    except ValueError:
        return values


def explorer_part(entry, part):
    """An explorer with the recorded frames, which starts at the page's controls."""
    name, *lines = entry["explorer"]
    captions = [line.removeprefix("Caption: ") for line in lines if line.startswith("Caption: ")]
    # a value may contain a comma, so the page marks its end; joined, they are the record
    listed = [json.loads(values) for values in part.xpath(".//@data-values")]
    controls = {}
    starts = start_on_page(part)
    for line, values, start in zip(lines[len(captions) :], listed, starts, strict=True):
        label = line.removeprefix("  ").removesuffix(f": {', '.join(values)}")
        controls[label] = replace(Control(tuple(typed(values)), tuple(values)), start=start)
    got = frames_on_page(part)
    frames = []
    for record, svg, table in zip(entry["frames"], got["svg"], got["table"], strict=True):
        alt, data, checksum = split_record(record)
        right = drawn(svg) == checksum and fits(svg, data, table)
        frames.append(Frame("", "\n".join(alt), Drawing(svg * right, data, table)))

    def draw():
        """Stand in for the function that drew the frames."""

    draw.__qualname__ = re.match(r"Explorer of (.*): \d+ frames", name)[1]
    return Explorer(draw, controls, {}, "".join(captions), None).html(frames)


def lab_part(text, part):
    """The lab of the record, in the page's state and with the page's drawing."""
    state = json.loads(part.findtext(SETTINGS))["state"]
    kind = getattr(labs, text.partition("(")[0])
    lab = kind(**{name: value for name, value in state.items() if name != "words"})
    sentences, _, checksum = split_record(text.splitlines())
    svg = part.xpath(DRAWING)
    right = drawn(svg) == checksum and sentences == repr(lab).splitlines()
    return lab.html(Drawing(svg * right, ""))


@cache
def guessed():
    """The guesses of all chapters and pages, by their stored text."""
    files = [
        path for kind in (chapters, pages) for path in Path(kind.__file__).parent.glob("*.toml")
    ]
    return {repr(one): one for path in files for one in guesses.load(str(path)).values()}


def recorded_part(text, part, entries):
    """The HTML that a stored text should become; None if it is only text.

    `part` is the next on the page: the drawing is taken from it, if it is the one that was
    recorded, and where the controls of an explorer stand.
    """
    if text.startswith("Explorer of "):
        return explorer_part(next(entries), part)
    if text.startswith("Quiz "):
        whole = quiz.load(re.match(r"Quiz (\S+):", text)[1])
        return typeset(whole.html()) if repr(whole) == text else ""
    if text.startswith("Guess: "):
        return guessed()[text].html()
    if exercise := re.match(r"Exercise ([\d.]+): no answer yet", text):
        return EXERCISES[exercise[1]].html()
    if "\ndrawn: " not in text:
        return None
    described = re.match("Caption: |What to see: |Figure, ", text)
    return figure_part(text, part) if described else lab_part(text, part)


def bare(part):
    """A part with unpacked frames."""
    for packed in part.xpath(PACKED):
        packed.text = json.dumps(frames_on_page(part))
    return tostring(part, with_tail=False)


# Texts that Sphinx fills in: links without words, roles such as citations, names of chapters.
SPELT_OUT = re.compile(r"\[\]\([^)]*\)|\{[\w:]+\}`[^`]*`|\b\d\d_\w+(?:#[\w-]*)?|\.\./[\w/]+#[\w-]*")
UNSEEN = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|(?<=[^[]\])\([^)]*\)|</?\w+>", re.DOTALL)
TARGET = re.compile(r"(?<=\])\([^)\s]*\.(?:ipynb|md|html)[^)\s]*\)")
SPAN = re.compile(r"</?span\b[^>]*>|<wbr>")
# Buttons of folded cells, and those above exercises that need code.
FOLDS = (
    "Show code cell source Hide code cell source",
    "Show the solution Hide the solution",
    "Download this notebook How to run it",
)


def runs(text):
    """A text, and the parts of its Markdown without formulas and the targets of links."""
    for parts in ([text], SPELT_OUT.split(UNSEEN.sub(" ", text))):
        yield [spaced(words(part)) for part in parts]


def end_of(parts, text):
    """Where these parts end that a text begins with, the titles of links between them, or None."""
    ends = {0}
    for number, part in enumerate(parts):
        if number:
            ends = after_links(text, ends)
        ends = {end + len(part) for end in ends if text.startswith(part, end)}
        ends = {end for end in ends if text[end : end + 1] in ("", " ")}
    return max(ends, default=None)


def after_links(text, ends):
    """These places of a text, and those after any number of titles that begin there."""
    reached, new = set(ends), set(ends)
    while new:
        new = {end + len(title) for end in new for title in TITLES if text.startswith(title, end)}
        new = {end for end in new if text[end : end + 1] in ("", " ")} - reached
        reached |= new
    return reached


def spaced(some):
    """Words with a blank before each."""
    return "".join(f" {word}" for word in some)


def headings():
    """The text of a link without words: a heading of the book, with or without its number."""
    notebooks = (path for folder in ("notebooks", "book") for path in (ROOT / folder).rglob("*"))
    for path in notebooks:
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        elif path.suffix == ".md":
            text = path.read_text("utf-8")
        else:
            continue
        for number, title in re.findall(r"^#+ (\d+\. )?(.*)", text, re.MULTILINE):
            yield spaced(words(title))
            yield spaced(words(number + title))


TITLES = {*headings()} - {""}


def foreign(there, source):
    """Words between two outputs that aren't the notebook's, in order."""
    text = " ".join(there)
    for fold in FOLDS:
        text = text.replace(fold, "")
    source_words, left = words(TARGET.sub(" ", SPAN.sub("", source))), text.split()
    steps = difflib.SequenceMatcher(None, left, source_words, autojunk=False).get_opcodes()
    more = [left[i:j] for kind, i, j, *_ in steps if kind in ("replace", "delete")]
    return [own for own in map(spaced, more) if len(own) not in after_links(own, {0})]


def differences(text, cells, frames=()):
    """Say how a page differs from the stored notebook.

    `frames` holds what is stored of the explorers: the entries of ``tests/records``.
    """
    page, entries, number = Page(text), iter(frames), 0
    sources, outputs = by_output(cells)
    faults = page.faults
    if len(page.outputs) != len(outputs):
        faults.append(f"{len(page.outputs)} outputs, {len(outputs)} recorded")
    for there, source in zip(page.texts, sources, strict=False):
        faults += [f"not the notebook's own: {more}" for more in foreign(there, source)]
    for there, texts in zip(page.outputs, outputs, strict=False):
        left = spaced(there)
        for text in texts:
            parts = page.parts[number:] or [lxml.html.Element("p")]
            try:
                fragment = recorded_part(text, parts[0], entries)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                fragment = repr(error)  # the page lacks something
            found = runs(text)
            if fragment is not None:
                wanted = Page(f"<p>{fragment}").parts
                if not wanted or [*map(bare, parts[: len(wanted)])] != [*map(bare, wanted)]:
                    faults.append(f"part {number + 1} differs: {text[:200]}")
                found = [[spaced(f"part{number + i}" for i in range(1, len(wanted) + 1))]]
                number += len(wanted)
            ends = (end_of(some, left) for some in found)
            end = next((end for end in ends if end is not None), None)
            if end is not None:
                left = left[end:]
            else:
                faults.append(f"not on the page, or in another place: {text[:200]}")
        if left:
            faults.append(f"an output goes on with: {left[:200]}")
    if number != len(page.parts):
        faults.append(f"{len(page.parts)} parts, {number} recorded")
    return faults


def by_output(cells):
    """The sources that a page shows before each output and after the last, and the outputs."""
    sources, outputs = [""], []
    for cell in cells:
        tags = set(cell.metadata.get("tags", []))
        if "remove-cell" in tags:
            continue
        if "remove-input" not in tags:
            sources[-1] += f"\n{cell.source}"
        stored = cell.get("outputs", [])
        # on a page the caption is inside of the figure
        pictured = [False, *("image/png" in o.get("data", {}) for o in stored)]
        stored = [o for o, below in zip(stored, pictured, strict=False) if not below]
        texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in stored]
        if texts and "remove-output" not in tags:
            outputs.append(texts)
            sources.append("")
    return sources, outputs


@pytest.mark.parametrize("name", nightly(NOTEBOOKS, "book/ranks"))
def test_a_page_shows_what_was_recorded_and_nothing_else(name, site):
    page = (site / f"{name}.html").read_text("utf-8")
    records = ROOT / "tests" / "records" / f"{Path(name).name}.json"
    frames = json.loads(records.read_text("utf-8")) if records.exists() else []
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    assert differences(page, cells, frames) == []
    # no style could hide or rotate what was recorded; our sheets come last
    whole = parsed(page)
    assert whole.xpath("//style[not(ancestor::noscript) and not(ancestor::article)]") == []
    sheets = [Path(link).name.partition("?")[0] for link in whole.xpath(SHEETS)]
    assert sheets[-2:] == ["parts.css", "errlab.css"]
    for source in ("errlab_book/parts.css", "_static/errlab.css"):
        path = ROOT / "book" / source
        assert (site / "_static" / path.name).read_bytes() == path.read_bytes()


# ---- a page that is altered ----------------------------------------------------------------------


def draw(n, kind="one"):
    ax = Figure(figsize=(3, 2)).subplots()
    ax.plot([0, 5, n], [0, 1, 3], "--", color="#0072b2", label=kind)
    ax.plot([0, n], [2, 0], color="#d55e00", label=r"$\frac{1}{2}$")
    ax.legend()
    return ax


def cell(source, *texts, tags=("remove-input",)):
    """A cell of code with its stored outputs."""
    outputs = [new_output("display_data", {"text/plain": text}) for text in texts]
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)})


def output(*parts):
    return f"{OUTPUT}<div>{''.join(parts)}</div></div>"


@pytest.fixture(scope="module")
def small():
    """A page with drawings, forms and sentences, and the notebook as it is stored."""
    question = "How *many* of 200?"
    choice = guess(question, answer="b", choices={"a": "Few.", "b": "Many."})
    number = guess("How large?", answer="3.5%", value=0.035, within=0.01)
    guessed().update({repr(one): one for one in (choice, number)})
    whole = quiz.load("03_binary_bounds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ERRLAB_OUTPUT", "book")
        figures = [show(draw(n), f"Figure {n}", alt=f"It ends at {n}.") for n in (10, 20)]
        explorer = explore(draw, n=[10, 20, 30, 40], kind=["one", "two"], start={"n": 20})
        lab = labs.Misses()._repr_mimebundle_()
        words = say("One **half** of 200 is 0.5: $n/2$. [It](01_test_error.ipynb#a) is half.")
        frames = explorer.frames()
    records = [frame.record.splitlines() for frame in frames]
    told = explorer._text(frames)
    head = [line for line in told.splitlines() if not line.startswith("  from ")]
    # each cell, and what a page shows of it
    both = [
        (
            new_markdown_cell("# A page\n\nIts *own* words, 1.5 of them. [](01_test_error.ipynb)."),
            "<h1>A page</h1><p>Its <em>own</em> words, 1.5 of them. "
            "<a>1. Test error and true error</a>.</p>",
        ),
        (cell("", *map(repr, figures)), output(*(figure.html() for figure in figures))),
        (
            cell("", repr(words)),
            output("<p>One <strong>half</strong> of 200 is 0.5: <math>3</math>. It is half.</p>"),
        ),
        (new_markdown_cell("Guess first."), "<p>Guess first.</p>"),
        (cell("", repr(choice), told), output(choice.html(), explorer.html(frames))),
        (
            cell("", repr(number), lab["text/plain"]),
            output(number.html(), lab["text/html"]),
        ),
        (
            cell("quiz()", repr(whole), tags=()),
            f"<pre>quiz<span>()</span></pre>{output(typeset(whole.html()))}",
        ),
        (cell("setup()", "unseen", tags=("remove-cell",)), ""),
        (cell("", str(check("1.1", ...))), output(EXERCISES["1.1"].html())),
        (cell("", "[1.5, -2.5]"), output("<pre>[1.5, -2.5]</pre>")),
        (new_markdown_cell("That is all."), "<p>That is all.</p>"),
    ]
    cells = [cell for cell, _ in both]
    page = f'<article class="bd-article">{"".join(html for _, html in both)}</article>'
    return page, cells, [{"explorer": head, "frames": records}]


PACK = re.compile(r'(?<=<script type="application/gzip">)[^<]*')


def repacked(change):
    """Return a function that changes the frames of a page's explorer."""

    def altered(page):
        frames = frames_on_page(parsed(page))
        change(frames)
        again = base64.b64encode(gzip.compress(json.dumps(frames).encode())).decode()
        return PACK.sub(again, page, count=1)

    return altered


def swapped(page):
    one, two = re.findall("<svg.*?</svg>", page, re.DOTALL)[:2]
    return page.replace(one, "HERE", 1).replace(two, one, 1).replace("HERE", two, 1)


def another_first(page):
    """The explorer starts with its last frame: picture, sentence and data."""
    frames = frames_on_page(parsed(page))
    at = page.index('<div class="errlab-explorer"')
    image, data = picture(frames["svg"][-1], frames["alt"][-1]), data_html(frames["table"][-1])
    part = once(r'<div class="errlab-picture".*?</svg></div>', lambda _: image)(page[at:])
    part = once(r'<details class="errlab-data">.*?</details>', lambda _: data)(part)
    return page[:at] + part


def once(pattern, new):
    """Replace the first match of a pattern."""
    return lambda page: re.sub(pattern, new, page, count=1, flags=re.DOTALL)


ALTERED = {
    "the palette rotated": lambda p: re.sub(
        r"--errlab-(\d)", lambda m: f"--errlab-{(int(m[1]) + 1) % 10}", p
    ),
    "frames reversed": repacked(lambda f: f["svg"].reverse()),
    "data of frames reversed": repacked(lambda f: f["table"].reverse()),
    "sentences of frames reversed": repacked(lambda f: f["alt"].reverse()),
    "a frame less": repacked(lambda f: [frame.pop() for frame in f.values()]),
    "another frame first": another_first,
    "two figures swapped": swapped,
    "a figure twice": lambda p: p + re.search("<figure.*?</figure>", p, re.DOTALL)[0],
} | {name: once(pattern, new) for name, pattern, new in CASES["altered"]}


@pytest.mark.parametrize("turn", range(3))
def test_an_altered_page_is_noticed(turn, small):
    page, cells, frames = small
    assert differences(page, cells, frames) == []
    for name in [*ALTERED][turn::3]:
        altered = ALTERED[name](page)
        assert altered != page, name
        assert differences(altered, cells, frames) != [], name
