"""What stands on a page of the site is what was recorded.

nbval compares the stored records with what the code gives; this compares them with the pages: each
figure, every frame of each explorer with its sentence, its data and the values of its controls,
the still pictures of labs, and every text that a program prints. Needs the built site, no browser.
"""

import base64
import gzip
import html
import json
import re
from pathlib import Path

import nbformat
import pytest
from browser import ROOT
from matplotlib.figure import Figure

from errlab.book import explore, labs, say, show
from errlab.book.figures import drawn

pytestmark = pytest.mark.site

LISTED = re.findall(r"^\s*- file: (\S+)", (ROOT / "_toc.yml").read_text("utf-8"), re.MULTILINE)
NOTEBOOKS = [name for name in LISTED if (ROOT / f"{name}.ipynb").exists()]

# ---- what is on a page ---------------------------------------------------------------------------

SHOWN = re.compile(
    r'(?P<explorer><div class="errlab-explorer".*?<script type="application/gzip">.*?</script>)'
    r'|(?P<lab><div class="lab-still">.*?<script type="application/json" class="lab-settings">)'
    r'|(?P<figure><figure class="errlab-figure">.*?</figure>)',
    re.DOTALL,
)
PICTURE = re.compile(r'role="img" aria-label="([^"]*)"[^>]*>(<svg.*?</svg>)', re.DOTALL)
SILENT = re.compile(r"<(script|style|math|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)
CONTROL = re.compile(
    r"<label for=[^>]*>(?P<slider>[^<]*)</label>.*?data-values='(?P<places>[^']*)'>"
    r"|data-values='(?P<values>[^']*)'><legend>(?P<choice>[^<]*)</legend>"
)


def plain(part):
    """The text of a piece of HTML as a reader sees it."""
    return html.unescape(re.sub(r"<[^>]*>", "", part))


def between(start, end, part):
    """The texts of the elements that begin and end so."""
    return [plain(found) for found in re.findall(f"{start}(.*?){end}", part, re.DOTALL)]


def figure_on_page(part):
    (alt, svg), *_ = PICTURE.findall(part)
    captions = [f"Caption: {text}" for text in between("<figcaption>", "</figcaption>", part)]
    data = "".join(between("<pre[^>]*>", "</pre>", part)).splitlines()
    return [*captions, f"What to see: {html.unescape(alt)}", *data, f"drawn: {drawn(svg)}"]


def explorer_on_page(part):
    packed = re.search(r'type="application/gzip">(.*?)<', part, re.DOTALL)[1]
    got = json.loads(gzip.decompress(base64.b64decode(packed)))
    controls = [
        (plain(m["slider"] or m["choice"]), json.loads(html.unescape(m["places"] or m["values"])))
        for m in CONTROL.finditer(part)
    ]
    frames = [
        [*alt.splitlines(), *data.splitlines(), f"drawn: {drawn(svg)}"]
        for alt, data, svg in zip(got["alt"], got["record"], got["svg"], strict=True)
    ]
    captions = [f"Caption: {text}" for text in between("<figcaption>", "</figcaption>", part)]
    told = [f"  {label}: {', '.join(values)}" for label, values in controls]
    first = [line.removeprefix("What to see: ") for line in figure_on_page(part)]
    return {
        "explorer": [f"{len(frames)} frames", *captions, *told],
        "frames": frames,
        # without scripts the first frame stands, beside sliders that show where it is
        "first": first[len(captions) :] in frames,
    }


def lab_on_page(part):
    (alt, svg), *_ = PICTURE.findall(part)
    sentences = between("<p>", "</p>", part)
    return [*sentences, f"alt: {html.unescape(alt)}", f"drawn: {drawn(svg)}"]


READ = {"explorer": explorer_on_page, "lab": lab_on_page, "figure": figure_on_page}


def on_page(page):
    """The drawings of a page, and its words in their order, each drawing a word, too."""
    found = []

    def read(match):
        found.append((match.lastgroup, READ[match.lastgroup](match[0])))
        return f" <p>drawing{len(found)} </p>"

    text = html.unescape(SILENT.sub(" ", SHOWN.sub(read, page)))
    return found, words(text)


def words(text):
    """The words and numbers of a text: signs count that a renderer leaves alone."""
    return re.findall(r"-?\d+|[^\W\d_]+|%", re.sub("[\u2010-\u2015\u2212]", "-", text))


# ---- what was recorded ---------------------------------------------------------------------------

APART = re.compile(r"Quiz |Guess: |Exercise [\d.]+: no answer yet")  # forms; see tests/book
CHECKSUM = re.compile(r", [0-9a-f]{6}$")


def for_people(lines):
    return [CHECKSUM.sub("", line) for line in lines]


def recorded(text, explorers):
    """What kind of drawing a stored text is, and what the page should have of it; or its words."""
    lines = text.splitlines()
    if text.startswith("Explorer of "):
        entry = next(explorers)
        head = [re.search(r"\d+ frames", entry["explorer"][0])[0], *entry["explorer"][1:]]
        frames = [for_people(frame) for frame in entry["frames"]]
        return "explorer", {"explorer": head, "frames": frames, "first": True}
    if "\ndrawn: " not in text:
        return None, text
    if any(line.startswith("What to see: ") for line in lines):
        return "figure", for_people(lines)
    at = next(i for i, line in enumerate(lines) if line.startswith("Figure, "))
    if at == 0:  # a figure that nobody has described
        data = for_people(lines[:-1])
        return "figure", [*("What to see: " + "\n".join(data)).splitlines(), *data, lines[-1]]
    sentences = [line.removeprefix("  ") for line in lines[1:at]]
    return "lab", [*sentences, f"alt: {' '.join(sentences)}", lines[-1]]


# What a renderer spells out: links without words, roles such as a citation, names of chapters.
SPELT_OUT = re.compile(r"\[\]\([^)]*\)|\{[\w:]+\}`[^`]*`|\b\d\d_\w+(?:#[\w-]*)?|\.\./[\w/]+#[\w-]*")
UNSEEN = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|(?<=[^[]\])\([^)]*\)|</?\w+>", re.DOTALL)


def pieces(text):
    """The words of a text as they are, or as Markdown shows them: without formulas and targets."""
    shown = UNSEEN.sub(" ", text)  # also the target of a link with words
    return [words(text)], [words(part) for part in SPELT_OUT.split(shown)]


def find(parts, there, start):
    """Where some runs of words end that stand one after another from `start` on, or None."""
    for wanted in parts:
        ends = range(start + len(wanted), len(there) + 1)
        start = next((end for end in ends if there[end - len(wanted) : end] == wanted), None)
        if start is None:
            return None
    return start


def differences(page, texts, frames=()):
    """Say how a page differs from the texts that were stored, in their order.

    `frames` holds what is stored of the explorers: the entries of ``tests/records``.
    """
    drawings, there = on_page(page)
    explorers, found, number, at = iter(frames), [], 0, 0
    for text in texts:
        if APART.match(text):
            continue
        kind, wanted = recorded(text, explorers)
        if kind:
            number += 1
            if number > len(drawings):
                found.append(f"{kind} {number} is missing: {text[:200]}")
                continue
            if drawings[number - 1] != (kind, wanted):
                found.append(f"drawing {number} differs: {text[:200]}")
            wanted = f"drawing{number}"
        end = next(filter(None, (find(one, there, at) for one in pieces(wanted))), None)
        if end is None:
            found.append(f"not on the page, or in another place: {wanted[:200]}")
        at = end or at
    if len(drawings) > number:
        found.append(f"{len(drawings)} drawings, {number} recorded")
    return found


def outputs(path):
    """The texts that a stored notebook shows on its page, in their order."""
    for cell in nbformat.read(path, as_version=4).cells:
        if not {"remove-cell", "remove-output"} & set(cell.metadata.get("tags", [])):
            for output in cell.get("outputs", []):
                yield output.get("text") or output.get("data", {}).get("text/plain", "")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_page_shows_what_was_recorded(name, site):
    page = (site / f"{name}.html").read_text("utf-8")
    records = ROOT / "tests" / "records" / f"{Path(name).name}.json"
    frames = json.loads(records.read_text("utf-8")) if records.exists() else []
    assert differences(page, list(outputs(ROOT / f"{name}.ipynb")), frames) == []


# ---- a page that is altered ----------------------------------------------------------------------


def draw(n, kind="one"):
    ax = Figure(figsize=(3, 2)).subplots()
    ax.plot([0, 5, n], [0, 1, 3], "--", color="#0072b2", label=kind)
    ax.plot([0, n], [2, 0], color="#d55e00", label=r"$\frac{1}{2}$")
    ax.legend()
    return ax


@pytest.fixture(scope="module")
def small():
    """A page with two figures, an explorer, a lab and a sentence, and what was recorded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ERRLAB_OUTPUT", "book")
        figures = [show(draw(n), f"Figure {n}", alt=f"It ends at {n}.") for n in (10, 20)]
        explorer = explore(draw, n=[10, 20, 30], kind=["one", "two"], start={"n": 20})
        lab = labs.Misses()._repr_mimebundle_()
        said = say("One **half** of 200 is 100: $n/2$. [It](01_test_error.ipynb#a) is half.")
        page = "".join(
            [
                *(figure.html() for figure in figures),
                "<p>One <strong>half</strong> of 200 is 100: <math><mn>3</mn></math>. ",
                "It is half.</p>",
                explorer.html(),
                lab["text/html"],
                "<pre>[1.5, -2.5]</pre>",
            ]
        )
        texts = [*map(repr, figures), repr(said), repr(explorer), lab["text/plain"], "[1.5, -2.5]"]
        records = [frame.record.splitlines() for frame in explorer.frames()]
    head = [line for line in repr(explorer).splitlines() if not line.startswith("  from ")]
    return page, texts, [{"explorer": head, "frames": records}]


def repacked(page, change):
    """The page with the frames of its explorer changed."""
    packed = re.search(r'type="application/gzip">([^<]*)<', page)[1]
    frames = json.loads(gzip.decompress(base64.b64decode(packed)))
    change(frames)
    again = base64.b64encode(gzip.compress(json.dumps(frames).encode())).decode()
    return page.replace(packed, again)


def swapped(page):
    one, two = re.findall(r'<svg class="errlab-svg".*?</svg>', page, re.DOTALL)[:2]
    return page.replace(one, "HERE", 1).replace(two, one, 1).replace("HERE", two, 1)


ALTERED = {
    "a curve dropped": lambda p: re.sub(
        r'<path d="[^"]*" clip-path="[^"]*"[^>]*/>', "", p, count=1
    ),
    "dashes dropped": lambda p: re.sub(r"stroke-dasharray: [^;\"]*;? ?", "", p, count=1),
    "the palette rotated": lambda p: re.sub(
        r"--errlab-(\d)", lambda m: f"--errlab-{(int(m[1]) + 1) % 10}", p
    ),
    "a transformation dropped": lambda p: re.sub(r' transform="translate[^"]*"', "", p, count=1),
    "frames reversed": lambda p: repacked(p, lambda f: f["svg"].reverse()),
    "data of frames reversed": lambda p: repacked(p, lambda f: f["record"].reverse()),
    "sentences of frames reversed": lambda p: repacked(p, lambda f: f["alt"].reverse()),
    "values of a slider reversed": lambda p: p.replace(
        html.escape('["10", "20", "30"]'), html.escape('["30", "20", "10"]')
    ),
    "a digit of a sentence changed": lambda p: p.replace("of 200 is 100", "of 200 is 101"),
    "a sign of a printed list changed": lambda p: p.replace("-2.5]", "2.5]"),
    "the picture of a lab changed": lambda p: re.sub(
        r'(lab-still.*?<path d="M )(\d+)', lambda m: f"{m[1]}{int(m[2]) + 1}", p, flags=re.DOTALL
    ),
    "two figures swapped": swapped,
    "a figure twice": lambda p: p + re.search("<figure.*?</figure>", p, re.DOTALL)[0],
    "a figure without its caption": lambda p: p.replace("<figcaption>Figure 20</figcaption>", ""),
}


def test_a_page_that_is_not_altered_shows_what_was_recorded(small):
    assert differences(*small) == []


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_page_is_noticed(how, small):
    page, texts, frames = small
    altered = ALTERED[how](page)
    assert altered != page
    assert differences(altered, texts, frames) != []
