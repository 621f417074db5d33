"""All quizzes for a learning management system: ``python tools/lms.py`` writes to ``_build/lms``.

``quizzes.xml``   Moodle XML, with the explanation of each choice as feedback
``quizzes.zip``   an IMS content package with one QTI 2.1 item for each question

Formulas stand between dollars in a quiz; here they become what either format knows. Choices are in
the order of the page, where no place is favoured.

The quizzes are those of the chapters and the reviews. The questions that students do not have
(``teaching/bank``) go into files of their own: ``bank.xml``, ``bank.zip``.
"""

from __future__ import annotations

import html
import re
import textwrap
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from latex2mathml.converter import convert

from errlab.book import quiz

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("errlab/book/quizzes", "book/quizzes")
BANK = ("teaching/bank",)
TARGET = ROOT / "_build" / "lms"
QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
FORMULA = re.compile(r"\$([^$\n]+)\$")
RIGHT = "http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"


def quizzes(folders: Sequence[str] = FOLDERS) -> list[quiz.Quiz]:
    """Return every quiz that students have, or those of other folders."""
    return [quiz.load(path) for name in folders for path in sorted((ROOT / name).glob("*.toml"))]


def named(each: quiz.Quiz, number: int) -> str:
    """Return a question's name: chapter, number, and the beginning of what is asked."""
    text = each.questions[number - 1].text
    asked = re.split(r"(?<=[.:?!])\s+", text)[-1]
    short = textwrap.shorten(FORMULA.sub(r"\1", asked), 70, placeholder=" ...")
    place = re.sub(r"(?<=\d)_.*", "", each.name).replace("_", " ")
    return f"{place}.{number} {short}"


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> ET.Element:
    """Add an element that holds a text, as Moodle nests them; HTML may have formulas."""
    if attributes.get("format") == "html":
        text = FORMULA.sub(lambda found: rf"\({found[1]}\)", html.escape(text, quote=False))
    element = ET.SubElement(parent, tag, attributes)
    ET.SubElement(element, "text").text = text
    return element


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


def _mixed(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    """Add an element with a text whose formulas are MathML."""
    element = ET.SubElement(parent, tag, attributes)
    words = FORMULA.split(text)  # every other one is a formula
    element.text = words[0]
    for latex, after in zip(words[1::2], words[2::2], strict=True):
        formula = ET.fromstring(convert(latex))
        formula.tail = after
        element.append(formula)


def item(each: quiz.Quiz, number: int) -> str:
    """Return one question as a QTI 2.1 item."""
    question = each.questions[number - 1]
    identity = f"errlab-{each.name}-{number}"
    head = {
        "xmlns": QTI,
        "identifier": identity,
        "title": named(each, number),
        "adaptive": "false",
        "timeDependent": "false",
    }
    root = ET.Element("assessmentItem", head)
    shown = question.shown()
    right = next(f"C{i}" for i, choice in enumerate(shown) if choice.right)
    single = {"cardinality": "single", "baseType": "identifier"}
    response = ET.SubElement(root, "responseDeclaration", identifier="RESPONSE", **single)
    ET.SubElement(ET.SubElement(response, "correctResponse"), "value").text = right
    score = {"identifier": "SCORE", "cardinality": "single", "baseType": "float"}
    outcome = ET.SubElement(root, "outcomeDeclaration", score)
    ET.SubElement(ET.SubElement(outcome, "defaultValue"), "value").text = "0"
    body = ET.SubElement(root, "itemBody")
    options = {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxChoices": "1"}
    interaction = ET.SubElement(body, "choiceInteraction", options)
    _mixed(interaction, "prompt", question.text)
    for i, choice in enumerate(shown):
        _mixed(interaction, "simpleChoice", choice.text, identifier=f"C{i}")
    ET.SubElement(root, "responseProcessing", template=RIGHT)
    return _document(root)


def package(every: list[quiz.Quiz], target: Path) -> int:
    """Write an IMS content package of QTI items; return how many there are."""
    manifest = ET.Element("manifest", {"xmlns": CP, "identifier": "errlab-quizzes"})
    about = ET.SubElement(manifest, "metadata")
    ET.SubElement(about, "schema").text = "QTIv2.1 Package"
    ET.SubElement(about, "schemaversion").text = "1.0.0"
    ET.SubElement(manifest, "organizations")
    resources = ET.SubElement(manifest, "resources")
    count = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in every:
            for number in range(1, len(each.questions) + 1):
                path = f"items/{each.name}-{number}.xml"
                archive.writestr(path, item(each, number))
                facts = {"identifier": f"R-{each.name}-{number}", "type": "imsqti_item_xmlv2p1"}
                resource = ET.SubElement(resources, "resource", facts, href=path)
                ET.SubElement(resource, "file", href=path)
                count += 1
        archive.writestr("imsmanifest.xml", _document(manifest))
    return count


def main() -> None:
    """Write all of them and say how many questions they hold."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, folders in (("quizzes", FOLDERS), ("bank", BANK)):
        every = quizzes(folders)
        (TARGET / f"{name}.xml").write_text(moodle(every), "utf-8")
        count = package(every, TARGET / f"{name}.zip")
        print(f"{count} questions as Moodle XML and QTI: {TARGET / name}.*")


if __name__ == "__main__":
    main()
