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
import importlib
import inspect
import io
import json
import pkgutil
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import nbformat
import pytest
from browser import ROOT
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from our_chapters import is_ours

from errlab_book import (
    answers,
    chapters,
    exercises,
    explore,
    guess,
    guesses,
    labs,
    pages,
    quiz,
    say,
    show,
)  # fmt: skip
from errlab_book.controls import Control
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

# Parts that are checked as a whole, and then replaced by a word.
PARTS = re.compile(
    r'(?P<explorer><div class="errlab-explorer".*?<script type="application/gzip">.*?</script>'
    r"(?:<script.*?</script>)?</div>)"
    r'|(?P<lab><div class="errlab-lab".*?<script type="application/json" class="lab-settings">'
    r".*?</script></div>)"
    r'|(?P<figure><figure class="errlab-figure">.*?</figure>)'
    r'|(?P<form><form class="errlab-[\w-]*".*?</form>)',
    re.DOTALL,
)
OUTPUT = '<div class="cell_output docutils container">'
DIV = re.compile(r"<div\b|</div>")
SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
# How a figure is drawn, for readers who have switched "Code" on.
SOURCE = re.compile(
    r'<details class="errlab-source"><summary>How this is drawn</summary><pre tabindex="0">'
    r"([^<]*)</pre></details>"
)
PACK = re.compile(r'(?<=<script type="application/gzip">)[^<]*')
SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
# Scripts of labs and forms (a page needs each once), and the parts that Jupyter Book adds.
KNOWN = "".join(
    [
        *(_modules.scripts(f"{lab.name}.js", "shim.js") for lab in labs.LABS.values()),
        *SCRIPT.findall(labs.Misses().html(Drawing("", ""))),
        answers.script(),
        "<script>kernelName = 'python3'</script>",
    ]
)
UNREAD = '<script type="text/x-thebe-config">'  # no browser runs it
STYLE = f'<style data-errlab-labs="">{_modules.text("labs.css")}</style>'
# Elements that could hide something recorded, or show something else.
BESIDE = re.compile(
    r"<(?:style|svg|img|picture|canvas|video|audio|iframe|object|embed|link|base)\b[^>]*>"
    r"|<[^>]*\s(?:style|on\w+)=[^>]*>"
)
SPAN = re.compile(r"</?span\b[^>]*>|<wbr>")
CITED = re.compile(r'<span class="bibtex-citation".*?</span>', re.DOTALL)
SILENT = re.compile(r"<math\b.*?</math>|<[^>]*>", re.DOTALL)


def read_parts(page):
    """Return the parts of a page, and its words in pieces: text, output, text, ..."""
    parts, beside = [], []

    def read(match):
        told = [html.unescape(code) for code in SOURCE.findall(match[0])]
        beside.extend(f"no code of the book: {code[:80]}" for code in told if code not in sources())
        parts.append(SOURCE.sub("", match[0]))
        return f" <p>part{len(parts)} </p> "

    before, start, after = page.partition("<article")
    inside, end, after = after.partition("</article>")
    text = PARTS.sub(read, start + inside + end).replace(STYLE, "")
    beside += [s for s in SCRIPT.findall(text) if s not in KNOWN and not s.startswith(UNREAD)]
    text = SCRIPT.sub("", text)
    beside += BESIDE.findall(text) + PARTS.findall(before + after)
    for cited in CITED.findall(text):
        more = set(words(plain(cited))) - NAMED
        beside += [f"in a citation: {' '.join(sorted(more))}"] * bool(more)
    text = CITED.sub("", text)
    pieces, start = [], 0
    while (first := text.find(OUTPUT, start)) >= 0:
        depth = 0
        for tag in DIV.finditer(text, first):
            depth += -1 if tag[0] == "</div>" else 1
            if depth == 0:
                break
        pieces += [text[start:first], text[first : tag.end()]]
        start = tag.end()
    return parts, beside, [words(plain(piece)) for piece in (*pieces, text[start:])]


@cache
def sources():
    """The code of every function of the chapters' and pages' modules, as a page may show it."""
    found = set()
    for package in (chapters, pages):
        for entry in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{entry.name}")
            functions = (f for f in vars(module).values() if inspect.isfunction(f))
            found |= {inspect.getsource(inspect.unwrap(f)) for f in functions}
    return found


def plain(part):
    """The text of a piece of HTML as a reader sees it, without formulas."""
    return html.unescape(SILENT.sub(" ", SPAN.sub("", part)))


def words(text):
    """The words and numbers of a text, with those signs that a renderer leaves unchanged."""
    plain = re.sub("[\u2010-\u2015\u2212]", "-", text)
    return re.findall(r"part\d+|-?\d+(?:[.,]\d+)*|[^\W\d_]+|%", plain)


# What a citation may contain: authors and years.
NAMED = {*words((ROOT / "book" / "references.bib").read_text("utf-8")), *words("et al n d Demšar")}

# --- what the page should contain

CHECKSUM = re.compile(r", [0-9a-f]{6}$")


def for_people(lines):
    return [CHECKSUM.sub("", line) for line in lines]


def split_record(lines):
    """The description of a drawing, its data and its checksum, from the lines of a record."""
    at = next(i for i, line in enumerate(lines) if line.startswith("Figure, "))
    return lines[:at], "\n".join(for_people(lines[at:-1])), lines[-1].removeprefix("drawn: ")


def only_svg(part):
    """Return the only drawing of a part of a page; two are a fault."""
    return (SVG.findall(part) or [""])[0]


def figure_part(text, part):
    head, data, checksum = split_record(text.splitlines())
    named = "\n".join(head)
    caption, _, alt = named.rpartition("What to see: ")
    svg = only_svg(part)
    image = picture(svg if drawn(svg) == checksum else "", alt if head else data)
    caption = caption.removesuffix("\n").removeprefix("Caption: ")
    return figure_html(image, caption, data_html(table_on_page(part) if fits(part, data) else ""))


TABLE = re.compile(r'<details class="errlab-data">.*?<pre tabindex="0">([^<]*)</pre>', re.DOTALL)
PLACES = re.compile(r" data-panels='([^']*)'")
DRAWN = re.compile(
    r"(?:Panel|Inset)[^:]*:|"
    r'  (?P<kind>line|path|bars|steppatch|fillbetweenpoly) (?:".*" )?\(.*\): (?P<count>\d+) points?'
    r"(?P<ends>(?:, [xy] \S+ to \S+ in \S+)*)$"
)
ENDS = re.compile(r"([xy]) (\S+) to (\S+) in (\S+)\.\.(\S+?)(?=,|$)")


def table_on_page(part):
    found = TABLE.search(part)
    return html.unescape(found[1]) if found else ""


def fits(part, data, table=None):
    """Whether the table of a figure contains the numbers in the record.

    Of each line and of each set of dots that the record describes: their number, ends, extremes.
    """
    rows = list(csv.reader(io.StringIO(table_on_page(part) if table is None else table)))
    places = json.loads(html.unescape((PLACES.search(part) or ["", "[]"])[1]))
    limits = re.findall(r"^(?:Panel|Inset)[^:]*: .*$", data, re.MULTILINE)
    if not rows or len(places) != len(limits):
        return False
    series = {}
    for row in rows[1:]:
        series.setdefault(tuple(row[:-2]), []).append(row[-2:])
    held = [
        [[*map(number, column)] for column in zip(*some, strict=True)] for some in series.values()
    ]
    for line in re.findall(r"^  (?:line|path) .*$", data, re.MULTILINE):
        described = DRAWN.match(line)
        if "(hidden" in line or not described or described["count"] == "0":
            continue
        ends = ENDS.findall(described["ends"])
        if not any(agrees(columns, int(described["count"]), ends) for columns in held):
            return False
    return True


def number(cell):
    """A number; None for a blank or a name."""
    try:
        return float(cell)
    except ValueError:
        return None


def agrees(columns, count, ends):
    """Whether a series has these ends and extremes; a name or a blank may replace any number."""
    for axis, *values in ends:
        column = columns["xy".index(axis)]
        if None in column:
            continue
        wanted = [number(value) for value in values]
        first, last, low, high = (column[0], column[-1], min(column), max(column))
        if len(column) == _CURVE < count:  # a table has only some points of a long curve
            if not (at_most(wanted[2], low) and at_most(high, wanted[3])):
                return False
            low, high = wanted[2:]
        elif len(column) != count:
            return False
        if not all(map(close, (first, last, low, high), wanted)):
            return False
    return True


def close(got, want):
    """Whether two numbers agree to the digits of a record; None agrees with any."""
    return got is None or want is None or abs(got - want) <= 1e-3 * abs(want) + 1e-12


def at_most(low, high):
    """Whether a number is at most another, to the digits of a record."""
    return low is None or high is None or low <= high or close(low, high)


def frames_on_page(part):
    packed = PACK.search(part)
    return json.loads(gzip.decompress(base64.b64decode(packed[0]))) if packed else {}


def start_on_page(part):
    """The positions of an explorer's controls: the index of the value of each."""
    found = []
    for control in re.findall(r"<input type=\"range\"[^>]*>|<fieldset.*?</fieldset>", part):
        slider = re.search(r'\svalue="(\d+)"', control)
        buttons = [" checked" in button for button in re.findall(r"<input[^>]*>", control)]
        found.append(int(slider[1]) if slider else buttons.index(True) if any(buttons) else 0)
    return found


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
    listed = [json.loads(html.unescape(v)) for v in re.findall("data-values='([^']*)'", part)]
    controls = {}
    for line, values in zip(lines[len(captions) :], listed, strict=True):
        label = line.removeprefix("  ").removesuffix(f": {', '.join(values)}")
        controls[label] = Control(tuple(typed(values)), tuple(values))
    got = frames_on_page(part)
    frames = []
    for record, svg, table in zip(entry["frames"], got["svg"], got["table"], strict=True):
        alt, data, checksum = split_record(record)
        right = drawn(svg) == checksum and fits(svg, data, table)
        frames.append(Frame("", "\n".join(alt), Drawing(svg * right, data, table)))
    for label, place in zip(controls, start_on_page(part), strict=True):
        controls[label] = replace(controls[label], start=place)

    def draw():
        """Stand in for the function that drew the frames."""

    draw.__qualname__ = re.match(r"Explorer of (.*): \d+ frames", name)[1]
    return Explorer(draw, controls, {}, "".join(captions), None).html(frames)


SETTINGS = re.compile(r'(?<=class="lab-settings">)[^<]*')


def lab_part(text, part):
    """The lab of the record, in the page's state and with the page's drawing."""
    state = json.loads(SETTINGS.search(part)[0])["state"]
    kind = getattr(labs, text.partition("(")[0])
    lab = kind(**{name: value for name, value in state.items() if name != "words"})
    said, _, checksum = split_record(text.splitlines())
    svg = only_svg(part)
    right = drawn(svg) == checksum and said == repr(lab).splitlines()
    return PARTS.search(lab.html(Drawing(svg * right, "")))[0]


@cache
def guessed():
    """The guesses of all chapters and pages, by their stored text."""
    files = [
        path for kind in (chapters, pages) for path in Path(kind.__file__).parent.glob("*.toml")
    ]
    return {repr(one): one for path in files for one in guesses.load(str(path)).values()}


def parts_of(text, on_page, entries):
    """The parts of a page that a stored text should become; None if it is only text.

    `on_page` are those from here on: the drawings are taken from them, if they are those that were
    recorded, and where the controls of an explorer stand.
    """
    part = on_page[0] if on_page else ""
    if text.startswith("Explorer of "):
        return [explorer_part(next(entries), part)]
    if text.startswith("Quiz "):
        whole = quiz.load(re.match(r"Quiz (\S+):", text)[1])
        page = typeset(whole.html()) if repr(whole) == text else ""
        return [match[0] for match in PARTS.finditer(page)]
    if text.startswith("Guess: "):
        return [guessed()[text].html()]
    if asked := re.match(r"Exercise ([\d.]+): no answer yet", text):
        return [exercises.EXERCISES[asked[1]].html()]
    if "\ndrawn: " not in text:
        return None
    described = re.match("Caption: |What to see: |Figure, ", text)
    return [figure_part(text, part) if described else lab_part(text, part)]


# Texts that Sphinx fills in: links without words, roles such as citations, names of chapters.
SPELT_OUT = re.compile(r"\[\]\([^)]*\)|\{[\w:]+\}`[^`]*`|\b\d\d_\w+(?:#[\w-]*)?|\.\./[\w/]+#[\w-]*")
UNSEEN = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|(?<=[^[]\])\([^)]*\)|</?\w+>", re.DOTALL)
TARGET = re.compile(r"(?<=\])\([^)\s]*\.(?:ipynb|md|html)[^)\s]*\)")
# Buttons of folded cells, and those above exercises that need code.
FOLDS = (
    "Show code cell source Hide code cell source",
    "Show the solution Hide the solution",
    "Download this notebook How to run it",
)


def runs(text):
    """The words of a text, or of its Markdown, without formulas and link targets."""
    shown = UNSEEN.sub(" ", text)  # without formulas, or the target of a link with words
    return [words(text)], [words(part) for part in SPELT_OUT.split(shown)]


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
            yield tuple(words(title))
            yield tuple(words(number + title))


TITLES = {*headings()} - {()}
LONGEST = max(map(len, TITLES))


def after_headings(there, start):
    """The positions at which the text can continue after zero or more headings."""
    reached, found = [start], {start}
    while reached:
        at = reached.pop()
        for end in range(at + 1, min(at + LONGEST, len(there)) + 1):
            if end not in found and tuple(there[at:end]) in TITLES:
                found.add(end)
                reached.append(end)
    return sorted(found, reverse=True)


def ends(parts, there, start):
    """The end positions of runs of words from `start` on, with headings between them."""
    first, *rest = parts
    if there[start : start + len(first)] != first:
        return None
    end = start + len(first)
    if not rest:
        return end
    return next(filter(None, (ends(rest, there, at) for at in after_headings(there, end))), None)


def foreign(there, source):
    """Words between two outputs that aren't the notebook's, in order."""
    text = " ".join(there)
    for fold in FOLDS:
        text = text.replace(fold, "")
    own, left = words(TARGET.sub(" ", SPAN.sub("", source))), text.split()
    steps = difflib.SequenceMatcher(None, left, own, autojunk=False).get_opcodes()
    more = [left[i:j] for kind, i, j, *_ in steps if kind in ("replace", "delete")]
    return [" ".join(some) for some in more if after_headings(some, 0)[0] < len(some)]


def differences(page, cells, frames=()):
    """Say how a page differs from the stored notebook.

    `frames` holds what is stored of the explorers: the entries of ``tests/records``.
    """
    parts, faults, pieces = read_parts(page)
    entries, number = iter(frames), 0
    sources, outputs = by_output(cells)
    if len(pieces) != 2 * len(outputs) + 1:
        faults.append(f"{len(pieces) // 2} outputs, {len(outputs)} recorded")
    for piece, source in zip(pieces[::2], sources, strict=False):
        faults += [f"not the notebook's own: {more}" for more in foreign(piece, source)]
    for piece, texts in zip(pieces[1::2], outputs, strict=False):
        at = 0
        for text in texts:
            try:
                wanted = parts_of(text, parts[number:], entries)
            except (
                AttributeError,
                LookupError,
                TypeError,
                ValueError,
            ) as error:  # raised if the page lacks something
                wanted = [repr(error)]
            for name, part in enumerate(wanted or (), number):
                if name >= len(parts) or bare(parts[name]) != bare(part):
                    faults.append(f"part {name + 1} differs: {text[:200]}")
            options = runs(text)
            if wanted is not None:
                options = [[[f"part{number + i}" for i in range(1, len(wanted) + 1)]]]
                number += len(wanted)
            end = next(filter(None, (ends(one, piece, at) for one in options)), None)
            if end is None:
                faults.append(f"not on the page, or in another place: {text[:200]}")
            at = end or at
        if at < len(piece):
            faults.append(f"an output goes on with: {' '.join(piece[at:])[:200]}")
    if number != len(parts):
        faults.append(f"{len(parts)} parts, {number} recorded")
    return faults


def bare(part):
    """A part without what the record lacks, and with unpacked frames."""
    if part.startswith("<form"):  # a page needs the script of its forms once
        part = SCRIPT.sub("", part)
    part = part.replace(explorer_script(), "")  # the explorers' script also occurs once
    return PACK.sub("", part) + json.dumps(frames_on_page(part))


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


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_page_shows_what_was_recorded_and_nothing_else(name, site):
    page = (site / f"{name}.html").read_text("utf-8")
    records = ROOT / "tests" / "records" / f"{Path(name).name}.json"
    frames = json.loads(records.read_text("utf-8")) if records.exists() else []
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    assert differences(page, cells, frames) == []


SHEET = re.compile(r'<link[^>]*rel="stylesheet"[^>]*>')


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_page_is_drawn_by_the_sheets_of_the_book(name, site):
    """The page has no style that could hide or rotate what was recorded; our styles come last."""
    page = (site / f"{name}.html").read_text("utf-8")
    outside = re.sub(r"<noscript>.*?</noscript>|<article.*?</article>", "", page, flags=re.DOTALL)
    assert "<style" not in outside
    sheets = [re.search(r'_static/([\w./-]+)(?:\?|")', sheet) for sheet in SHEET.findall(page)]
    assert [sheet[1] for sheet in sheets][-2:] == ["parts.css", "errlab.css"]
    sources = (ROOT / "book/errlab_book/parts.css", ROOT / "book/_static/errlab.css")
    for source in sources:
        assert (site / "_static" / source.name).read_bytes() == source.read_bytes()


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


@pytest.fixture(scope="module")
def small():
    """A page with drawings, forms and sentences, and the notebook as it is stored."""
    question = "How *many* of 200?"
    asked = guess(question, answer="b", choices={"a": "Few.", "b": "Many."})
    asked_number = guess("How large?", answer="3.5%", value=0.035, within=0.01)
    guessed().update({repr(one): one for one in (asked, asked_number)})
    whole = quiz.load("03_binary_bounds")
    exercise = exercises.check("1.1", ...)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ERRLAB_OUTPUT", "book")
        figures = [show(draw(n), f"Figure {n}", alt=f"It ends at {n}.") for n in (10, 20)]
        explorer = explore(draw, n=[10, 20, 30, 40], kind=["one", "two"], start={"n": 20})
        lab = labs.Misses()._repr_mimebundle_()
        said = say("One **half** of 200 is 0.5: $n/2$. [It](01_test_error.ipynb#a) is half.")
        records = [frame.record.splitlines() for frame in explorer.frames()]
    head = [line for line in repr(explorer).splitlines() if not line.startswith("  from ")]
    outputs = [
        [figure.html() for figure in figures],
        ["<p>One <strong>half</strong> of 200 is 0.5: <math><mn>3</mn></math>. It is half.</p>"],
        [asked.html(), explorer.html()],
        [asked_number.html(), lab["text/html"]],
        [typeset(whole.html())],
        [exercises.EXERCISES["1.1"].html()],
        ["<pre>[1.5, -2.5]</pre>"],
    ]
    cells = [
        new_markdown_cell("# A page\n\nIts *own* words, 1.5 of them. See [](01_test_error.ipynb)."),
        cell("", *map(repr, figures)),
        cell("", repr(said)),
        new_markdown_cell("Guess first."),
        cell("", repr(asked), repr(explorer)),
        cell("", repr(asked_number), lab["text/plain"]),
        cell("quiz()", repr(whole), tags=()),
        cell("setup()", "unseen", tags=("remove-cell",)),
        cell("", str(exercise)),
        cell("", "[1.5, -2.5]"),
        new_markdown_cell("That is all."),
    ]
    first, *others = [f"{OUTPUT}<div>{''.join(parts)}</div></div>" for parts in outputs]
    page = "".join(
        [
            '<article class="bd-article"><h1>A page</h1><p>Its <em>own</em> words, 1.5 of them. ',
            f"See <a>1. Test error and true error</a>.</p>{first}{others[0]}<p>Guess first.</p>",
            f"{others[1]}{others[2]}<pre>quiz<span>()</span></pre>{''.join(others[3:])}",
            "<p>That is all.</p></article>",
        ]
    )
    return page, cells, [{"explorer": head, "frames": records}]


def repacked(page, change):
    """The page with the frames of its explorer changed."""
    frames = frames_on_page(page)
    change(frames)
    again = base64.b64encode(gzip.compress(json.dumps(frames).encode())).decode()
    return PACK.sub(again, page, count=1)


def swapped(page):
    one, two = SVG.findall(page)[:2]
    return page.replace(one, "HERE", 1).replace(two, one, 1).replace("HERE", two, 1)


def another_first(page):
    """The explorer starts with its last frame: picture, sentence and data."""
    got = frames_on_page(page)
    at = page.index('<div class="errlab-explorer"')
    image, data = picture(got["svg"][-1], got["alt"][-1]), data_html(got["table"][-1])
    part = once(r'<div class="errlab-picture".*?</svg></div>', lambda _: image)(page[at:])
    part = once(r'<details class="errlab-data">.*?</details>', lambda _: data)(part)
    return page[:at] + part


def once(pattern, new):
    """Replace the first match of a pattern."""
    return lambda page: re.sub(pattern, new, page, count=1, flags=re.DOTALL)


SAID = r"(<p>One <strong>.*?</p>)"
HIDE = "<style>.errlab-svg path { display: none }</style>"
ALTERED = {
    "a curve dropped": once(r'<path d="[^"]*" clip-path="[^"]*"[^>]*/>', ""),
    "dashes dropped": once(r"stroke-dasharray: [^;\"]*;? ?", ""),
    "the palette rotated": lambda p: re.sub(
        r"--errlab-(\d)", lambda m: f"--errlab-{(int(m[1]) + 1) % 10}", p
    ),
    "a transformation dropped": once(r' transform="translate[^"]*"', ""),
    "frames reversed": lambda p: repacked(p, lambda f: f["svg"].reverse()),
    "data of frames reversed": lambda p: repacked(p, lambda f: f["table"].reverse()),
    "a number of a figure's data": once(r"(one|line),10,3\b", r"\1,10,4"),
    "a row less of a figure's data": once(r"\n[^\n]*,10,3(?=\n)", ""),
    "sentences of frames reversed": lambda p: repacked(p, lambda f: f["alt"].reverse()),
    "a frame less": lambda p: repacked(p, lambda f: [each.pop() for each in f.values()]),
    "values of a slider reversed": once(
        re.escape(html.escape('["10", "20", "30", "40"]')), html.escape('["40", "30", "20", "10"]')
    ),
    "where a slider starts": once(r'(type="range"[^>]* value=)"1"', r'\1"2"'),
    "where a slider ends": once(r'max="3"', 'max="1"'),
    "what a slider says": once(r"(<output[^>]*>)20<", r"\g<1>30<"),
    "what a slider says aloud": once(r'aria-valuetext="20"', 'aria-valuetext="30"'),
    "which button is pressed": once(r'(type="radio" name="x\w*-1"[^>]*) checked', r"\1"),
    "the name of an explorer": once(r'(explorer"[^>]* aria-label=)"[^"]*"', r'\1"Other"'),
    "another frame first": another_first,
    "the script of an explorer": once(
        r"(<script data-errlab-explorer[^>]*>)(.{20})", r"\1return;\2"
    ),
    "a number of a sentence changed": lambda p: p.replace("of 200 is 0.5", "of 200 is 0.6"),
    "a comma for a point": lambda p: p.replace("is 0.5", "is 0,5"),
    "a blank for a point": lambda p: p.replace("is 0.5", "is 0 5"),
    "a sentence twice": once(SAID, r"\1\1"),
    "a sentence more": once(SAID, r"\1<p>It is always right.</p>"),
    "a sentence more before it": once(SAID, r"<p>It is always right.</p>\1"),
    "a sentence more between outputs": once("<p>Guess first.", "<p>You need not. Guess first."),
    "a number more between outputs": once("Guess first.", "Guess 3 first."),
    "a stale output at the end": lambda p: p.replace("</article>", "<pre>0.3</pre></article>"),
    "an output at the end": lambda p: p.replace(
        "</article>", f"{OUTPUT}<pre>all</pre></div></article>"
    ),
    "an output dropped": once(re.escape(OUTPUT) + "<div><pre>.*?</pre></div></div>", ""),
    "a line more of what is printed": once(r"(-2\.5\])", r"\1\n[0.5]"),
    "a sign of a printed list changed": lambda p: p.replace("-2.5]", "2.5]"),
    "a false name in a citation": lambda p: p.replace(
        "Guess first.", 'Guess first.<span class="bibtex-citation">Nobody [1999]</span>'
    ),
    "the picture of a lab changed": once(r'(lab-still.*?<path d="M )\d', r"\g<1>99"),
    "the title of a lab": once(r'(<p class="lab-title">)[^<]*', r"\1Other"),
    "a setting of a lab": once(r'(class="lab-settings">.*?"low": )0', r"\g<1>-1"),
    "the state of a lab": once(r'(class="lab-settings">.*?"state": \{"\w+": )\d+', r"\g<1>3"),
    "what a lab says": once(r'(lab-title">[^<]*</p><p>)', r"\1Not: "),
    "two figures swapped": swapped,
    "a figure twice": lambda p: p + re.search("<figure.*?</figure>", p, re.DOTALL)[0],
    "a figure more": once("(<figure.*?</figure>)", r"\1\1"),
    "a figure without its caption": lambda p: p.replace("<figcaption>Figure 20</figcaption>", ""),
    "a picture beside a drawing": once(r"(</svg>)", r"\1<svg><path d='M 0 0'/></svg>"),
    "an image beside a figure": once(r"(</figure>)", r'\1<img src="x.png" alt="">'),
    "an image in a figure": once(r"(</svg></div>)", r'\1<img src="x.png" alt="">'),
    "a picture hidden": once(r'(class="errlab-picture"[^>]*style=")', r"\1display: none; "),
    "a picture stretched": once(r"aspect-ratio: [\d.]+", "aspect-ratio: 900"),
    "a figure hidden": once(
        '<figure class="errlab-figure">', '<figure class="errlab-figure" hidden>'
    ),
    "an output turned": once("<p>One", '<p style="transform: rotate(180deg)">One'),
    "curves hidden by a style": once("<p>Guess", f"{HIDE}<p>Guess"),
    "curves hidden by the style of labs": once(
        r"(data-errlab-labs=\"\">)", r"\1path { opacity: 0 }"
    ),
    "curves hidden by a script": once("<p>Guess", "<script>hide()</script><p>Guess"),
    "curves hidden by a handler": once("<p>Guess", '<p onclick="hide()">Guess'),
    "curves hidden by the script of labs": once("(<script data-errlab-module[^>]*>)", r"\1hide();"),
    "a question of a quiz": once(r"(<legend>1\. )", r"\1Not: "),
    "an option of a quiz": once(r"(<legend>1\. .*?<span>)", r"\1Not: "),
    "the value of an option": once(r'(<legend>1\. .*?value=")', r"\1Not: "),
    "the key of a quiz": once(r'data-key="\w{8}"', 'data-key="00000000"'),
    "the question of a guess": once("<em>many</em>", "<em>few</em>"),
    "what is right of a guess": once(r'(errlab-guess".*?data-right=")\w{4}', r"\1aaaa"),
    "what is said to a choice": once(r'(errlab-guess".*?data-why=")\w{4}', r"\1aaaa"),
    "how a figure is drawn": once(
        "(</figure>)",
        '<details class="errlab-source"><summary>How this is drawn</summary><pre tabindex="0">'
        r"draw()</pre></details>\1",
    ),
    "a choice of a guess": once("<span>b</span>", "<span>c</span>"),
    "the field of an exercise": once(r'(class="errlab-check".*?<label>)', r"\1Not: "),
}


def test_a_page_that_is_not_altered_shows_what_was_recorded(small):
    assert differences(*small) == []


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_page_is_noticed(how, small):
    page, cells, frames = small
    altered = ALTERED[how](page)
    assert altered != page
    assert differences(altered, cells, frames) != []
