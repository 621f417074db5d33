"""All quizzes for a learning management system: ``make -C teaching lms`` to ``_build/lms``.

``quizzes.xml``   Moodle XML, with the explanation of each choice as feedback
``quizzes.zip``   an IMS content package with one QTI 2.1 item for each question

Formulas stand between dollars in a quiz; here they become what either format knows. Choices are in
the order of the page, where no place is favoured.

The quizzes are those of the chapters and the reviews. The questions that students do not have
(``teaching/bank``) go into files of their own: ``bank.xml``, ``bank.zip``. So do those for marks
(``teaching/marks.toml``), whose numbers are drawn with the lecturer's seed: ``marks.xml``.
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
    """Return every quiz that students have, or those of other folders."""
    return [quiz.load(path) for name in folders for path in sorted((ROOT / name).glob("*.toml"))]


def named(each: quiz.Quiz, number: int) -> str:
    """Return a question's name: chapter, number, and the beginning of what is asked."""
    text = each.questions[number - 1].text
    plain = re.sub(r"\\sqrt\{(.*?)\}", r"√\1", FORMULA.sub(r"\1", text)).replace("\\", "")
    *before, asked = re.split(r"(?<=[.:?!])\s+", plain)
    short = textwrap.shorten(asked, 70, placeholder=" ...")
    if before and len(short) < 40:  # too little to tell it from others
        about = textwrap.shorten(" ".join(before), 64 - len(short), placeholder=" ...")
        short = f"{about} {short}"
    place = re.sub(r"(?<=\d)_.*", "", each.name).replace("_", " ")
    return f"{place}.{number} {short}"


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> ET.Element:
    """Add an element that holds a text, as Moodle nests them; HTML may have formulas."""
    if attributes.get("format") == "html":
        text = FORMULA.sub(lambda found: rf"\({found[1]}\)", html.escape(text, quote=False))
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
    """Return the questions for marks with the numbers that belong to a seed."""
    names = {name: getattr(errlab, name) for name in errlab.__all__} | {"np": np}
    found = []
    for entry in tomllib.loads(MARKS.read_text("utf-8"))["question"]:
        rng = random.Random(f"{seed} {entry['name']}")
        for version in range(1, versions + 1):
            drawn = {key: rng.randint(*ends) for key, ends in entry["draw"].items()}
            text, why = entry["text"], entry["why"]
            for key, value in drawn.items():  # formulas have braces of their own
                text, why = (each.replace(f"{{{key}}}", str(value)) for each in (text, why))
            answer = float(eval(entry["answer"], names | drawn))
            place = f"marks {entry['chapter']:02}"
            name = f"{place}.{version} {entry['name']}"
            found.append(Numerical(place, name, text, answer, entry["tolerance"], why))
    return found


def _document(root: ET.Element) -> str:
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def moodle(every: list[quiz.Quiz]) -> str:
    """Return all questions as Moodle XML, one category for each quiz."""
    root = ET.Element("quiz")
    for each in every:
        place = ET.SubElement(root, "question", type="category")
        _text(place, "category", f"$course$/errlab/{each.name}")
        for number, question in enumerate(each.questions, 1):
            entry = ET.SubElement(root, "question", type="multichoice")
            _text(entry, "name", named(each, number))
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
    """Return questions for marks as Moodle XML: a category for each chapter, to draw from."""
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
    words = FORMULA.split(text)  # every other one is a formula
    element.text = words[0]
    for latex, after in zip(words[1::2], words[2::2], strict=True):
        formula = ET.fromstring(convert(latex))
        formula.tail = after
        element.append(formula)


def _item(identity: str, title: str, response: str, right: str) -> ET.Element:
    """Return the beginning of a QTI 2.1 item: what is answered, and what is right."""
    head = {"xmlns": QTI, "identifier": identity, "title": title}
    root = ET.Element("assessmentItem", {**head, "adaptive": "false", "timeDependent": "false"})
    single = {"cardinality": "single", "baseType": response}
    declared = ET.SubElement(root, "responseDeclaration", identifier="RESPONSE", **single)
    ET.SubElement(ET.SubElement(declared, "correctResponse"), "value").text = right
    score = {"identifier": "SCORE", "cardinality": "single", "baseType": "float"}
    outcome = ET.SubElement(root, "outcomeDeclaration", score)
    ET.SubElement(ET.SubElement(outcome, "defaultValue"), "value").text = "0"
    told = {"identifier": "FEEDBACK", "cardinality": "single", "baseType": "identifier"}
    ET.SubElement(root, "outcomeDeclaration", told)
    return root


def _score(root: ET.Element, feedback: ET.Element) -> ET.Element:
    """Add the rule: a point where the condition holds, and which feedback is shown.

    Return the place of the condition.
    """
    rules = ET.SubElement(root, "responseProcessing")
    condition = ET.SubElement(ET.SubElement(rules, "responseCondition"), "responseIf")
    compared = ET.SubElement(condition, "and")
    point = ET.SubElement(condition, "setOutcomeValue", identifier="SCORE")
    ET.SubElement(point, "baseValue", baseType="float").text = "1"
    ET.SubElement(rules, "setOutcomeValue", identifier="FEEDBACK").append(feedback)
    return compared


def _told(root: ET.Element, identifier: str, why: str) -> None:
    """Add a feedback that is shown after the answer."""
    shown = {"outcomeIdentifier": "FEEDBACK", "identifier": identifier, "showHide": "show"}
    _mixed(root, "modalFeedback", why, **shown)


def item(each: quiz.Quiz, number: int) -> str:
    """Return one question as a QTI 2.1 item, with the explanation of each choice."""
    question = each.questions[number - 1]
    shown = question.shown()
    right = next(f"C{i}" for i, choice in enumerate(shown) if choice.right)
    root = _item(f"errlab-{each.name}-{number}", named(each, number), "identifier", right)
    body = ET.SubElement(root, "itemBody")
    options = {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxChoices": "1"}
    interaction = ET.SubElement(body, "choiceInteraction", options)
    _mixed(interaction, "prompt", question.text)
    for i, choice in enumerate(shown):
        _mixed(interaction, "simpleChoice", choice.text, identifier=f"C{i}")
    place = _score(root, ET.Element("variable", identifier="RESPONSE"))
    match = ET.SubElement(place, "match")
    ET.SubElement(match, "variable", identifier="RESPONSE")
    ET.SubElement(match, "correct", identifier="RESPONSE")
    for i, choice in enumerate(shown):
        _told(root, f"C{i}", choice.why)
    return _document(root)


def number_item(question: Numerical, identity: str) -> str:
    """Return one question for marks as a QTI 2.1 item."""
    root = _item(f"errlab-{identity}", question.name, "float", f"{question.answer:.10g}")
    body = ET.SubElement(root, "itemBody")
    _mixed(body, "p", question.text)
    line = ET.SubElement(body, "p")
    ET.SubElement(line, "textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="12")
    shown = ET.Element("baseValue", baseType="identifier")
    shown.text = "WHY"
    place = _score(root, shown)
    ends = {"gte": -question.tolerance, "lte": question.tolerance}
    for comparison, away in ends.items():  # players know these; some do not know `equal` with room
        element = ET.SubElement(place, comparison)
        ET.SubElement(element, "variable", identifier="RESPONSE")
        end = ET.SubElement(element, "baseValue", baseType="float")
        end.text = f"{question.answer + away:.10g}"
    _told(root, "WHY", question.why)
    return _document(root)


def items(every: Sequence[quiz.Quiz]) -> dict[str, str]:
    """Return all questions as QTI items, by name."""
    numbers = [(each, i) for each in every for i in range(1, len(each.questions) + 1)]
    return {f"{each.name}-{number}": item(each, number) for each, number in numbers}


def package(every: Mapping[str, str], target: Path) -> int:
    """Write an IMS content package of QTI items; return how many there are."""
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
    """Write all of them and say how many questions they hold."""
    TARGET.mkdir(parents=True, exist_ok=True)
    written = {}
    for name, folders in (("quizzes", FOLDERS), ("bank", BANK)):
        every = quizzes(folders)
        written[name] = (moodle(every), items(every))
    if seed:
        numbers = numericals(int(seed))
        named_items = {
            f"marks-{i}": number_item(each, f"marks-{i}") for i, each in enumerate(numbers)
        }
        written["marks"] = (moodle_numbers(numbers), named_items)
    for name, (text, every_item) in written.items():
        (TARGET / f"{name}.xml").write_text(text, "utf-8")
        count = package(every_item, TARGET / f"{name}.zip")
        print(f"{count} questions as Moodle XML and QTI: {TARGET / name}.*")


if __name__ == "__main__":
    main(*sys.argv[1:2])
