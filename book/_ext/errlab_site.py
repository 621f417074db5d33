"""Extend Jupyter Book for this site: formulas as MathML, and small pages without remote files."""

from __future__ import annotations

import html
import importlib
import inspect
import json
import math
import re
import string
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, ClassVar

import nbformat
import yaml
from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.ext import autosummary
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

import errlab_story

# Scripts that Jupyter Book and its theme add to every page and that our pages do not use.
UNUSED = re.compile(
    r'\s*<script[^>]*src="[^"]*(?:fontawesome|require|embed-amd|sphinx-thebe|togglebutton)[^"]*">'
    r"\s*</script>|\s*<script>\s*(?:const|let|var) (?:THEBE_JS_URL|toggleHint)[^<]*</script>"
    r"|\s*<link[^>]*(?:sphinx-thebe|togglebutton|fa-[a-z]+-\d+)[^>]*>"
)
SIDEBAR = '<div class="sidebar-primary-items__start sidebar-primary__section">'
LANDMARK = '<div role="navigation" aria-label="Book"'
SEARCH = re.compile(
    r'\s*<script[^>]*src="[^"]*(?:searchindex|searchtools|language_data)\.js[^"]*"[^>]*>\s*</script>'
)
# The label of a folded cell's button, which isn't needed, because the button shows a text, such as
# "Show the solution".
HIDDEN = ' aria-label="Toggle hidden content"'
# A link to a section of the sidebar, and the toggle of its pages, to which the theme gives no name.
TOGGLE = re.compile(r'>([^<"]+)</a>(<details[^>]*>)<summary>(?=<span class="toctree-toggle")')
NAMED = r'>\1</a>\2<summary aria-label="Pages of \1">'
# ARIA allows no label on a plain div, and no list without list items.
ROLES = re.compile(r' role="doc-biblioentry"| role="list"(?= class="citation-list")')
FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
# latex2mathml draws accents at full size, so that they touch the letter, and leaves no space around
# relations and function names.
GAP = '<mspace width="0.167em"/>'
MENDS = {
    r"<mo>&#x0005E;</mo></mover>": "<mo>&#x002C6;</mo></mover>",
    r">&#x0007E;</mo></mover>": ">&#x002DC;</mo></mover>",
    r"<mover>": '<mover accent="true">',
    r"<mi>&#x0007E;</mi>": "<mo>&#x0223C;</mo>",
    r"<mi>(&#x000B1;|[:;])</mi>": r"<mo>\1</mo>",
    r"(</m(?!o>|row>)[a-z]+>|&#x00029;</mo>)(?=<mi>(?:log|ln)</mi>)": rf"\1{GAP}",
    r"(<mi>(?:log|ln)</mi>)(?=<m(?!o))": rf"\1{GAP}",
}
# Each lab and explorer includes its style and scripts, but a page needs them only once.
LAB_PART = re.compile(r"<(style|script) data-errlab-[^>]*>.*?</\1>", re.DOTALL)
# The text and the choices of a quiz question, and any formula in them.
ASKED = re.compile(r"(?<=<legend>)[^<]*(?=</legend>)|(?<=<span>)[^<]*(?=</span></label>)")
DOLLARS = re.compile(r"\$([^$\n]+)\$")
# A docstring's list of attributes that share one description.
SEVERAL = re.compile(r"^:(ivar|vartype) (\w+(?:, \w+)+):(.*(?:\n .*)*)", re.MULTILINE)
RETURNED = re.compile(r"^:returns: \*([A-Z]\w+)\*", re.MULTILINE)
BAR = '<mo stretchy="false">&#x0007C;</mo>'


def mathml(latex: str, display: str) -> str:
    """Return a formula as MathML, which needs no script, font or other host."""
    text = latex.strip()
    if display == "block" and ("&" in text or r"\\" in text) and r"\begin" not in text:
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    # latex2mathml doesn't know "aligned"; an array with a right and a left column looks the same
    text = re.sub(r"\\begin\{align(?:ed)?\*?\}", r"\\begin{array}{rl}", text)
    text, lines = re.subn(r"\\end\{align(?:ed)?\*?\}", r"\\end{array}", text)
    try:
        formula = str(convert(text, display=display))
    except Exception as error:
        raise ExtensionError(f"cannot turn {latex!r} into MathML: {error!r}") from error
    left = re.search(r"<m[io][^>]*>(?:&|\\\w*)</m[io]>", formula)
    if left:
        raise ExtensionError(f"{left.group()} is left of {latex!r} in MathML")
    return mend(formula.replace("<mtable", '<mtable displaystyle="true"') if lines else formula)


def mend(formula: str) -> str:
    """Correct accents, spaces and bars to what TeX would draw."""
    for wrong, right in MENDS.items():
        formula = re.sub(wrong, right, formula)
    bars = formula.count(BAR)
    for i in range(bars - bars % 2):
        side = "postfix" if i % 2 else "prefix"
        formula = formula.replace(BAR, BAR.replace("<mo", f'<mo form="{side}"'), 1)
    return formula


def visit_math(self: Any, node: nodes.math) -> None:
    """Write an inline formula."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    """Write a displayed formula, and its number if it has one."""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    identity = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    # a wide formula scrolls by itself, so the keyboard must be able to reach it
    self.body.append(
        f'<div class="math"{identity} tabindex="0" role="group" aria-label="Formula">'
        f"{mathml(node.astext(), 'block')}{number}</div>"
    )
    raise nodes.SkipNode


class Numbers(string.Formatter):
    """Fill ``{lab.report.upper:up}`` with a number that a lab holds or computes."""

    def format_field(self, value: Any, spec: str) -> str:
        """Call a method, and round a fraction up, down or to the nearest tenth of a per cent."""
        from errlab.rounding import percent

        ways = {"near": round, "up": math.ceil, "down": math.floor}
        number = value() if callable(value) else value
        if spec == "rest":  # the complement of a confidence, such as 5% for 95
            return percent((100 - float(number)) / 100)
        return percent(float(number), ways[spec]) if spec in ways else format(number, spec)


class SceneDirective(SphinxDirective):
    """``{scene} misses``: a lab beside the steps of its story; ``:state:`` is its state as JSON.

    Where scripts can't run, the picture of step ``:still:`` is shown instead of the lab.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[Any] = {"state": json.loads, "still": int}

    def run(self) -> list[nodes.Node]:
        """Return the lab in the state of its first step, followed by the steps."""
        from errlab_book import labs

        self.env.temp_data["scene"] = labs.LABS[self.arguments[0]], self.options.get("state", {})
        self.env.temp_data["scene labs"] = []
        steps = self.parse_content_to_nodes()
        scene_labs = self.env.temp_data.pop("scene labs")
        first, still = scene_labs[0], scene_labs[self.options.get("still", 0)]
        first.sentences = still.sentences
        if first.name != "claim":
            first.address = {}  # only the lab "claim" reads numbers from the address
        start = '<div class="errlab-scene"><div class="errlab-stage">'
        page = first.html(errlab_story.still(still))
        return [
            nodes.raw("", f'{start}{page}<div class="errlab-steps">', format="html"),
            *steps,
            nodes.raw("", "</div></div></div>", format="html"),
        ]


class StepDirective(SphinxDirective):
    """``{scene-step} {"drawn": 100}``: one step of the story, with the lab's state at that step."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the step's text with the lab's numbers filled in."""
        kind, scene = self.env.temp_data["scene"]
        state = {**scene, **json.loads(self.arguments[0])}
        # draw test sets one after another while the reader watches
        play = ' data-play=""' if state.pop("play", False) else ""
        lab = kind(**state)
        self.env.temp_data["scene labs"].append(lab)
        words = Numbers().format("\n".join(self.content), lab=lab)
        start = f'<div class="errlab-step" data-state="{html.escape(json.dumps(state))}"{play}>'
        return [
            nodes.raw("", start, format="html"),
            *self.parse_text_to_nodes(words),
            nodes.raw("", "</div>", format="html"),
        ]


class PrintedDirective(SphinxDirective):
    """``{printed}``: the usual sentence about a test, and a better one with your numbers."""

    def run(self) -> list[nodes.Node]:
        """Return both sentences for the lab's initial numbers."""
        from errlab.rounding import percent
        from errlab_book import labs

        report = labs.Claim().report
        often = "Our model is {accuracy} accurate."
        first = often.format(accuracy=percent(1 - report.errors / report.n))
        text = (
            f'<div class="errlab-printed"><figure><figcaption>Often printed</figcaption>'
            f'<blockquote data-words="{often}">{first}</blockquote></figure>'
            f"<figure><figcaption>What you can print</figcaption>"
            f"<blockquote>{html.escape(' '.join(report.sentences()))}</blockquote></figure></div>"
        )
        return [nodes.raw("", text, format="html")]


class QuizDirective(SphinxDirective):
    """``{quiz} quizzes/review1.toml``: a quiz on a page of text."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the quiz's page fragment."""
        from errlab_book import quiz

        relative, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        return [nodes.raw("", quiz.load(path).html(), format="html")]


@dataclass(frozen=True)
class Chapter:
    """A chapter of ``_toc.yml``: its part, its notebook, and the title and minutes stated there."""

    part: str
    name: str
    title: str  # without the number
    minutes: int | None

    @property
    def number(self) -> str:
        """The number with which the notebook's name begins; empty without one."""
        digits = re.match(r"0*(\d+)", self.name)
        return digits[1] if digits else ""

    def link(self, words: str = "") -> str:
        """Return a link to it from a page in the folder ``book``."""
        return f"[{words or self.title}](../notebooks/{self.name}.ipynb)"


@cache
def chapters(root: Path) -> list[Chapter]:
    """Return the chapters that ``_toc.yml`` lists, each with the first duration that it states."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    entries = []
    # a table of contents without parts has chapters, and the other way round
    for part in toc.get("parts", [{"caption": "", "chapters": toc.get("chapters", [])}]):
        for entry in part["chapters"]:
            folder, _, name = entry["file"].rpartition("/")
            if folder == "notebooks":
                cells = nbformat.read(root / f"{entry['file']}.ipynb", as_version=4).cells
                text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
                heading = re.search(r"^# +(?:\d+\. +)?(.*\S)", text, re.MULTILINE)
                title = heading[1] if heading else name
                match = re.search(r"(\d+) minutes", text)
                minutes = int(match[1]) if match else None
                entries.append(Chapter(part["caption"], name, title, minutes))
    return entries


def contents(listed: list[Chapter], notes: dict[str, str]) -> str:
    """Return the chapters under the titles of their parts, each with its note."""
    lines, part = [], ""
    for chapter in listed:
        if chapter.part != part:
            part = chapter.part
            lines += ["", f"## {part}", ""]
        minutes = f" {chapter.minutes} minutes." if chapter.minutes else ""
        note = notes.get(chapter.name, "." if minutes else "")
        number = f"{chapter.number}. " if chapter.number else ""
        lines.append(f"- {chapter.link(number + chapter.title)}{note}{minutes}")
    return "\n".join(lines)


def hours(listed: list[Chapter]) -> str:
    """Return the total of the chapters' minutes, rounded up to half an hour."""
    halves = -(-sum(chapter.minutes or 0 for chapter in listed) // 30)
    return f"{halves // 2 or ''}{'½' * (halves % 2)} hour{'s' * (halves > 2)}" if halves else ""


def paths(listed: list[Chapter], wanted: dict[str, str], everything: str) -> str:
    """Return a table of paths through the book, without chapters that aren't in it."""
    lines = ["| You | Chapters | Reading |", "| --- | --- | --- |"]
    for reader, names in wanted.items():
        some = [chapter for chapter in listed if chapter.name in names.split()]
        links = ", ".join(chapter.link(chapter.number) for chapter in some)
        lines.append(f"| {reader} | {links} | {hours(some)} |")
    lines.append(f"| All of it | {everything} | {hours(listed)} |")
    if both := hours(listed * 2):
        sentence = (
            f"Exercises and quizzes take about as long again. With them, all of it takes {both}."
        )
        lines += ["", sentence]
    return "\n".join(lines)


class ContentsDirective(SphinxDirective):
    """``{chapters}``: the list of chapters; each line names a chapter and adds a note."""

    has_content = True
    option_spec: ClassVar[Any] = {"all": str}

    def run(self) -> list[nodes.Node]:
        """Return the list, or the paths, as if they had been written in Markdown."""
        root = Path(self.env.srcdir)
        listed = chapters(root)
        for name in ("_toc.yml", *(f"notebooks/{chapter.name}.ipynb" for chapter in listed)):
            self.env.note_dependency(name)
        if self.name == "paths":
            wanted = dict(line.split(": ", 1) for line in self.content)
            return self.parse_text_to_nodes(paths(listed, wanted, self.options["all"]))
        notes = {name: line.removeprefix(name) for line in self.content
                 if (name := re.match(r"\w+", line)[0])}  # fmt: skip
        text = contents(listed, notes)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def keywords(app: Sphinx, doctree: nodes.document) -> None:
    """Let the search find a page by words that aren't on it (``book/keywords.yml``)."""
    places = searched(Path(app.srcdir))
    here = [place for place in places if place.split("#")[0] == app.env.docname]
    phrases = [phrase for place in here for phrase in places[place]]
    app.env.note_dependency("book/keywords.yml")
    if phrases:  # the index stores single words
        words = ", ".join(dict.fromkeys(re.findall(r"\w+", " ".join(phrases).lower())))
        doctree.insert(0, nodes.meta("", name="keywords", content=words))


def number_pictures(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Call a picture that nobody described by its number; Sphinx would read out its file's name."""
    for number, image in enumerate(doctree.findall(nodes.image), 1):
        image.setdefault("alt", f"Picture {number} of this page, without a description")


@cache
def searched(root: Path) -> dict[str, list[str]]:
    """Return the search words of each page, or section of a page, that should be found first."""
    keywords: dict[str, list[str]] = yaml.safe_load(
        (root / "book" / "keywords.yml").read_text("utf-8")
    )
    return keywords


def lead_on(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Link the front page and the contents to the first chapter, and that chapter back to them."""
    listed = [chapter for chapter in chapters(Path(app.srcdir))
              if f"notebooks/{chapter.name}" in app.env.found_docs]  # fmt: skip
    if not listed:
        return
    first = f"notebooks/{listed[0].name}"
    turns = {"book/intro": ("next", first), "book/contents": ("next", first)}
    turns[first] = ("prev", "book/contents")
    if page in turns and turns[page][1] in app.env.titles:
        direction, other = turns[page]
        title = app.env.titles[other].astext()
        link = app.builder.get_relative_uri(page, other)
        context[direction] = {"link": link, "title": title}


def each_once(page: str) -> str:
    """Remove styles and scripts of labs and explorers that the page already includes."""
    earlier_parts: set[str] = set()

    def first(part: re.Match[str]) -> str:
        repeated = part.group() in earlier_parts
        earlier_parts.add(part.group())
        return "" if repeated else part.group()

    return LAB_PART.sub(first, page)


def typeset(page: str) -> str:
    """Turn formulas in quiz questions into MathML."""

    def formula(match: re.Match[str]) -> str:
        return mathml(html.unescape(match[1]), "inline")

    return ASKED.sub(lambda question: DOLLARS.sub(formula, question.group()), page)


def lighten(app: Sphinx, error: Exception | None) -> None:
    """Remove from every page the scripts that our pages don't use, and add our math font."""
    from errlab_book.labs import ranks

    if error is not None or app.builder.format != "html":
        return
    pages = list(Path(app.outdir).rglob("*.html"))
    used: set[str] = set()
    for page in pages:
        text = page.read_text("utf-8")
        light = UNUSED.sub("", text).replace(SIDEBAR, SIDEBAR.replace("<div", LANDMARK))
        # only the search page needs the index, and the search box opens that page
        if page.name != "search.html":
            light = SEARCH.sub("", light)
        light = TOGGLE.sub(NAMED, ROLES.sub("", light).replace(HIDDEN, ""))
        light = typeset(each_once(light))
        if light != text:
            page.write_text(light, "utf-8")
        for formula in FORMULA.findall(light):
            used |= set(html.unescape(re.sub(r"<[^>]*>", "", formula)))
    static = Path(app.outdir) / "_static"
    order = static / "language_data.js"  # the file in which Sphinx puts the scorer
    keywords = json.dumps(searched(Path(app.srcdir)), ensure_ascii=False)
    order.write_text(order.read_text("utf-8").replace("__KEYWORDS__", keywords), "utf-8")
    (static / "scripts" / "fontawesome.js").unlink(missing_ok=True)
    write_font(static / "math.woff", used)
    ranks.write_scripts(Path(app.outdir))
    if app.config.ogp_image:
        draw_card(Path(app.outdir, app.config.ogp_image))


def draw_card(target: Path) -> None:
    """Draw the story's winner, the picture that other sites show beside a link to the book."""
    from errlab_book import labs

    winner = labs.Winner(models=20, seed=3)
    errlab_story.winner(winner, 440, 230).figure.savefig(target, dpi=200)  # 1222 x 639 pixels


def write_font(target: Path, used: set[str]) -> None:
    """Write the glyphs of STIX Two Math (SIL Open Font License) that the book's formulas use."""
    from fontTools import subset

    # MathML uses mathematical italics for single letters
    letters = [chr(0x1D434 + i) for i in range(52)]
    greek = [chr(0x1D6FC + i) for i in range(25)]
    options = subset.Options(flavor="woff", layout_features=["ssty", "dtls", "flac"])
    options.notdef_outline = True
    with as_file(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf") as source:
        font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    always = "()[]{}|\u221a\u2211\u220f\u222b\u2016\u210e,.;:!+=<>/0123456789 "
    subsetter.populate(text="".join({*used, *letters, *greek, *always}))
    subsetter.subset(font)
    subset.save_font(font, str(target), options)


class ListedOnce(SphinxTransform):
    """Leave out autosummary's table of contents, because ``_toc.yml`` lists its pages."""

    default_priority = 50  # runs before the entries of _toc.yml are inserted

    def apply(self, **kwargs: Any) -> None:
        """Remove the placeholders of `:toctree:` from a page."""
        for node in list(self.document.findall(autosummary.autosummary_toc)):
            node.parent.remove(node)


def skip_member(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out classes, which follow, what others document, and a NamedTuple's fields, numbers."""
    page = str(app.env.temp_data.get("autodoc:module"))
    home = getattr(member, "__module__", None)
    guest = what == "module" and isinstance(home, str) and not home.startswith(page)
    later = what == "module" and inspect.isclass(member)
    return True if guest or later or type(member).__name__ == "_tuplegetter" else None


class BeyondDirective(SphinxDirective):
    """``.. beyond:: errlab.bounds``: methods that are called by key, and classes of results."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the functions that a module doesn't export, then the classes."""
        module = importlib.import_module(self.arguments[0])
        exported = getattr(module, "__all__", [key for key in vars(module) if key[0] != "_"])
        classes = {
            f".. autoclass:: {module.__name__}.{key}\n   :members:"
            for key, member in inspect.getmembers(module, inspect.isclass)
            if key in exported and member.__module__.startswith(module.__name__)
        }
        functions = set()
        for key, function in inspect.getmembers(module, inspect.isfunction):
            home = function.__module__
            if not home.startswith(f"{module.__name__}.") or key.startswith("_"):
                continue
            if key not in exported:
                functions.add(f".. autofunction:: {home}.{key}")
            returned = str(inspect.signature(function).return_annotation)
            for word in re.findall(r"[A-Z]\w+", returned):
                member = getattr(sys.modules[home], word, None)
                # a decorator may replace the class; the docstring then names the original
                documented = re.search(rf"\b{word}\b", function.__doc__ or "")
                of_module = inspect.isclass(member) and member.__module__.startswith(
                    f"{module.__name__}."
                )
                if of_module and documented and word not in exported:
                    classes.add(f".. autoclass:: {member.__module__}.{word}\n   :members:")
        lines = []
        for words, entries in (("By their keys", functions), ("Classes", classes)):
            by_name = sorted(entries, key=lambda entry: entry.split("\n")[0].rpartition(".")[2])
            lines += [f".. rubric:: {words}", *by_name] if entries else []
        return self.parse_text_to_nodes("\n\n".join(lines))


def link_class(app: Sphinx, env: Any, node: Any, words: nodes.Element) -> nodes.Element | None:
    """Link the name of a result's class, which is documented in a module below that of its page."""
    name = node["reftarget"]
    if node.get("refdomain") != "py" or not re.fullmatch(r"[A-Z]\w+", name):
        return None
    domain = env.domains["py"]
    entries = [entry for entry in domain.objects.items() if entry[0].endswith(f".{name}")]
    # link the class of this page, because another package may have one of the same name
    near = [entry for entry in entries if entry[1].docname == node["refdoc"]] or entries
    if len(near) != 1:
        return None
    page, anchor = near[0][1].docname, near[0][1].node_id
    return make_refnode(app.builder, node["refdoc"], page, anchor, words, name)


def describe_each(
    app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]
) -> None:
    """Give each attribute of ``low, high : float`` its own entry, and link the returned class."""

    def each(field: re.Match[str]) -> str:
        return "\n".join(f":{field[1]} {one}:{field[3]}" for one in field[2].split(", "))

    text = SEVERAL.sub(each, "\n".join(lines))
    # the link to a result's class goes on to its fields
    lines[:] = RETURNED.sub(r":returns: `\1`", text).split("\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer, the directives and the hooks."""
    app.add_directive("scene", SceneDirective)
    app.add_directive("scene-step", StepDirective)
    app.add_directive("printed", PrintedDirective)
    app.add_directive("quiz", QuizDirective)
    app.add_directive("beyond", BeyondDirective)
    app.connect("missing-reference", link_class)
    app.add_directive("chapters", ContentsDirective)
    app.add_directive("paths", ContentsDirective)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    # "Eq." doesn't end a sentence
    autosummary.WELL_KNOWN_ABBREVIATIONS += ("Eq.", "Eqs.")
    app.add_transform(ListedOnce)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-docstring", describe_each, priority=600)  # must run after napoleon
    app.connect("doctree-read", keywords)
    app.connect("doctree-resolved", number_pictures)
    app.connect("html-page-context", lead_on)
    app.connect("build-finished", lighten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
