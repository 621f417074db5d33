"""All quizzes for a learning management system: ``make -C teaching lms`` to ``_build/lms``.

``quizzes.xml``   Moodle XML, with the explanation of each choice as feedback
``quizzes.zip``   an IMS content package with one QTI 2.1 item for each question

A quiz has formulas between dollars; they are converted to the notation of each format. Choices are
in the page's order, in which the right one is equally often in each position.

These are the quizzes of the chapters and the reviews. The questions for the exam
(``teaching/bank``) are written to ``bank.xml`` and ``bank.zip``. The graded questions
(``teaching/marks.toml``), whose numbers are drawn with the lecturer's seed, are written to
``marks.xml`` and ``marks.zip``.
"""

from __future__ import annotations

import html
import random
import re
import sys
import textwrap
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from latex2mathml.converter import convert

import errlab
from errlab_book import quiz

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("book/errlab_book/quizzes", "book/quizzes")
BANK = ("teaching/bank",)
TARGET = ROOT / "_build" / "lms"
QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
FORMULA = re.compile(r"\$([^$\n]+)\$")
MARKS = ROOT / "teaching" / "marks.toml"
VERSIONS = 10


def quizzes(folders: Sequence[str] = FOLDERS) -> list[quiz.Quiz]:
    """Return all quizzes of some folders, by default those of the book."""
    return [quiz.load(path) for name in folders for path in sorted((ROOT / name).glob("*.toml"))]


def question_name(quiz_: quiz.Quiz, number: int) -> str:
    """Return a question's name: chapter, number, and the beginning of its last sentence."""
    text = quiz_.questions[number - 1].text
    plain = re.sub(r"\\sqrt\{(.*?)\}", r"√\1", FORMULA.sub(r"\1", text)).replace("\\", "")
    *before, last = re.split(r"(?<=[.:?!])\s+", plain)
    short = textwrap.shorten(last, 70, placeholder=" ...")
    if before and len(short) < 40:  # too short to be unique, so take more
        about = textwrap.shorten(" ".join(before), 64 - len(short), placeholder=" ...")
        short = f"{about} {short}"
    chapter = re.sub(r"(?<=\d)_.*", "", quiz_.name).replace("_", " ")
    return f"{chapter}.{number} {short}"


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> ET.Element:
    """Add a Moodle element with a nested text; only HTML can have formulas."""
    if attributes.get("format") == "html":
        text = FORMULA.sub(lambda match: rf"\({match[1]}\)", html.escape(text, quote=False))
    element = ET.SubElement(parent, tag, attributes)
    ET.SubElement(element, "text").text = text
    return element


@dataclass(frozen=True)
class Numerical:
    """A question whose answer is a number."""

    place: str
    name: str
    text: str
    answer: float
    tolerance: float
    why: str


def numericals(seed: int, versions: int = VERSIONS) -> list[Numerical]:
    """Return the graded questions, with numbers drawn from a seed."""
    names = {name: getattr(errlab, name) for name in errlab.__all__} | {"np": np}
    questions = []
    for entry in tomllib.loads(MARKS.read_text("utf-8"))["question"]:
        rng = random.Random(f"{seed} {entry['name']}")
        for version in range(1, versions + 1):
            drawn = {key: rng.randint(*ends) for key, ends in entry["draw"].items()}
            text, why = entry["text"], entry["why"]
            for key, value in drawn.items():  # no str.format, because formulas contain braces
                text, why = (part.replace(f"{{{key}}}", str(value)) for part in (text, why))
            answer = float(eval(entry["answer"], names | drawn))
            place = f"marks {entry['chapter']:02}"
            name = f"{place}.{version} {entry['name']}"
            questions.append(Numerical(place, name, text, answer, entry["tolerance"], why))
    return questions


def _document(root: ET.Element) -> str:
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def moodle(every: list[quiz.Quiz]) -> str:
    """Return all questions as Moodle XML, one category for each quiz."""
    root = ET.Element("quiz")
    for quiz_ in every:
        place = ET.SubElement(root, "question", type="category")
        _text(place, "category", f"$course$/errlab/{quiz_.name}")
        for number, question in enumerate(quiz_.questions, 1):
            entry = ET.SubElement(root, "question", type="multichoice")
            _text(entry, "name", question_name(quiz_, number))
            _text(entry, "questiontext", question.text, format="html")
            _text(entry, "generalfeedback", "", format="plain_text")
            settings = {
                "defaultgrade": "1",
                "penalty": "0.3333333",
                "hidden": "0",
                "single": "true",
                "shuffleanswers": "true",
                "answernumbering": "ABCD",
            }
            for tag, value in settings.items():
                ET.SubElement(entry, tag).text = value
            for choice in question.shown():
                fraction = "100" if choice.right else "0"
                answer = _text(entry, "answer", choice.text, fraction=fraction, format="html")
                _text(answer, "feedback", choice.why, format="html")
    return _document(root)


def moodle_numbers(every: Sequence[Numerical]) -> str:
    """Return graded questions as Moodle XML, one category for each chapter."""
    root = ET.Element("quiz")
    category = ""
    for question in every:
        if question.place != category:
            category = question.place
            place = ET.SubElement(root, "question", type="category")
            _text(place, "category", f"$course$/errlab/{category}")
        entry = ET.SubElement(root, "question", type="numerical")
        _text(entry, "name", question.name)
        _text(entry, "questiontext", question.text, format="html")
        _text(entry, "generalfeedback", question.why, format="html")
        for tag, value in {"defaultgrade": "1", "penalty": "0", "hidden": "0"}.items():
            ET.SubElement(entry, tag).text = value
        options = {"fraction": "100", "format": "moodle_auto_format"}
        answer = _text(entry, "answer", f"{question.answer:.10g}", **options)
        _text(answer, "feedback", "", format="html")
        ET.SubElement(answer, "tolerance").text = f"{question.tolerance:g}"
    return _document(root)


def _mixed(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    """Add an element with a text whose formulas are MathML."""
    element = ET.SubElement(parent, tag, attributes)
    words = FORMULA.split(text)  # formulas are at every second place
    element.text = words[0]
    for latex, after in zip(words[1::2], words[2::2], strict=True):
        formula = ET.fromstring(convert(latex))
        formula.tail = after
        element.append(formula)


def _item(identity: str, title: str, response: str, right: str) -> ET.Element:
    """Return a QTI 2.1 item that declares the type of response and the right one."""
    head = {"xmlns": QTI, "identifier": identity, "title": title}
    root = ET.Element("assessmentItem", {**head, "adaptive": "false", "timeDependent": "false"})
    single = {"cardinality": "single", "baseType": response}
    declared = ET.SubElement(root, "responseDeclaration", identifier="RESPONSE", **single)
    ET.SubElement(ET.SubElement(declared, "correctResponse"), "value").text = right
    score = {"identifier": "SCORE", "cardinality": "single", "baseType": "float"}
    outcome = ET.SubElement(root, "outcomeDeclaration", score)
    ET.SubElement(ET.SubElement(outcome, "defaultValue"), "value").text = "0"
    feedback = {"identifier": "FEEDBACK", "cardinality": "single", "baseType": "identifier"}
    ET.SubElement(root, "outcomeDeclaration", feedback)
    return root


def _score(root: ET.Element, feedback: ET.Element) -> ET.Element:
    """Add the scoring rule, and return the element to which the condition must be added.

    A response that meets the condition earns one point; `feedback` selects what is shown.
    """
    rules = ET.SubElement(root, "responseProcessing")
    condition = ET.SubElement(ET.SubElement(rules, "responseCondition"), "responseIf")
    compared = ET.SubElement(condition, "and")
    point = ET.SubElement(condition, "setOutcomeValue", identifier="SCORE")
    ET.SubElement(point, "baseValue", baseType="float").text = "1"
    ET.SubElement(rules, "setOutcomeValue", identifier="FEEDBACK").append(feedback)
    return compared


def _feedback(root: ET.Element, identifier: str, why: str) -> None:
    """Add a feedback that is shown after the answer."""
    attributes = {"outcomeIdentifier": "FEEDBACK", "identifier": identifier, "showHide": "show"}
    _mixed(root, "modalFeedback", why, **attributes)


def item(quiz_: quiz.Quiz, number: int) -> str:
    """Return one question as a QTI 2.1 item, with the explanation of each choice."""
    question = quiz_.questions[number - 1]
    choices = question.shown()
    right = next(f"C{i}" for i, choice in enumerate(choices) if choice.right)
    title = question_name(quiz_, number)
    root = _item(f"errlab-{quiz_.name}-{number}", title, "identifier", right)
    body = ET.SubElement(root, "itemBody")
    options = {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxChoices": "1"}
    interaction = ET.SubElement(body, "choiceInteraction", options)
    _mixed(interaction, "prompt", question.text)
    for i, choice in enumerate(choices):
        _mixed(interaction, "simpleChoice", choice.text, identifier=f"C{i}")
    place = _score(root, ET.Element("variable", identifier="RESPONSE"))
    match = ET.SubElement(place, "match")
    ET.SubElement(match, "variable", identifier="RESPONSE")
    ET.SubElement(match, "correct", identifier="RESPONSE")
    for i, choice in enumerate(choices):
        _feedback(root, f"C{i}", choice.why)
    return _document(root)


def number_item(question: Numerical, identity: str) -> str:
    """Return one graded question as a QTI 2.1 item."""
    root = _item(f"errlab-{identity}", question.name, "float", f"{question.answer:.10g}")
    body = ET.SubElement(root, "itemBody")
    _mixed(body, "p", question.text)
    line = ET.SubElement(body, "p")
    ET.SubElement(line, "textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="12")
    feedback = ET.Element("baseValue", baseType="identifier")
    feedback.text = "WHY"
    place = _score(root, feedback)
    ends = {"gte": -question.tolerance, "lte": question.tolerance}
    # two comparisons, because some players don't support `equal` with a tolerance
    for comparison, away in ends.items():
        element = ET.SubElement(place, comparison)
        ET.SubElement(element, "variable", identifier="RESPONSE")
        end = ET.SubElement(element, "baseValue", baseType="float")
        end.text = f"{question.answer + away:.10g}"
    _feedback(root, "WHY", question.why)
    return _document(root)


def items(every: Sequence[quiz.Quiz]) -> dict[str, str]:
    """Return all questions as QTI items, by name."""
    numbers = [(quiz_, i) for quiz_ in every for i in range(1, len(quiz_.questions) + 1)]
    return {f"{quiz_.name}-{number}": item(quiz_, number) for quiz_, number in numbers}


def package(every: Mapping[str, str], target: Path) -> int:
    """Write an IMS content package of QTI items; return their number."""
    manifest = ET.Element("manifest", {"xmlns": CP, "identifier": "errlab-quizzes"})
    about = ET.SubElement(manifest, "metadata")
    ET.SubElement(about, "schema").text = "QTIv2.1 Package"
    ET.SubElement(about, "schemaversion").text = "1.0.0"
    ET.SubElement(manifest, "organizations")
    resources = ET.SubElement(manifest, "resources")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in every.items():
            path = f"items/{name}.xml"
            archive.writestr(path, text)
            facts = {"identifier": f"R-{name}", "type": "imsqti_item_xmlv2p1"}
            resource = ET.SubElement(resources, "resource", facts, href=path)
            ET.SubElement(resource, "file", href=path)
        archive.writestr("imsmanifest.xml", _document(manifest))
    return len(every)


def main(seed: str = "") -> None:
    """Write all files, and print the number of questions in each."""
    TARGET.mkdir(parents=True, exist_ok=True)
    written = {}
    for name, folders in (("quizzes", FOLDERS), ("bank", BANK)):
        every = quizzes(folders)
        written[name] = (moodle(every), items(every))
    if seed:
        numbers = numericals(int(seed))
        named_items = {
            f"marks-{i}": number_item(question, f"marks-{i}") for i, question in enumerate(numbers)
        }
        written["marks"] = (moodle_numbers(numbers), named_items)
    for name, (text, every_item) in written.items():
        (TARGET / f"{name}.xml").write_text(text, "utf-8")
        count = package(every_item, TARGET / f"{name}.zip")
        print(f"{count} questions as Moodle XML and QTI: {TARGET / name}.*")


if __name__ == "__main__":
    main(*sys.argv[1:2])
