"""Quizzes for learning management systems: every question arrives, with its one right choice.

Tried with parsers of others: gift-pegjs reads the GIFT, moodle-xml-parser the Moodle XML, and
citolab-qti-convert turns the QTI package into QTI 3.0.
"""

import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from errlab.book import quiz

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lms  # noqa: E402


@pytest.fixture(scope="module")
def every():
    return lms.quizzes()


def wanted(every):
    return [(f"{q.name} {i}", question) for q in every for i, question in enumerate(q.questions, 1)]


def test_every_quiz_of_the_book_is_there(every):
    assert len(every) >= 17
    assert sum(len(each.questions) for each in every) >= 70


def test_moodle_gets_every_question(every):
    root = ET.fromstring(lms.moodle(every))
    found = root.findall("question[@type='multichoice']")
    assert len(root.findall("question[@type='category']")) == len(every)
    for entry, (name, question) in zip(found, wanted(every), strict=True):
        assert entry.findtext("name/text") == name
        assert entry.findtext("questiontext/text") == question.text
        told = [
            (a.findtext("text"), a.findtext("feedback/text"), a.get("fraction") == "100")
            for a in entry.findall("answer")
        ]
        assert told == [(c.text, c.why, c.right) for c in question.choices]


def parsed(text):
    """Read GIFT: its escapes, titles, choices and feedback."""
    question = re.compile(r"^::(.*?)::((?:\\.|[^\\{])*) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
    line = re.compile(r"^  ([=~])((?:\\.|[^\\#\n])*)#((?:\\.|[^\\\n])*)$", re.MULTILINE)

    def plain(part):
        return re.sub(r"\\(.)", r"\1", part)

    for match in question.finditer(text):
        choices = [(plain(b), plain(c), a == "=") for a, b, c in line.findall(match.group(3))]
        yield match.group(1), plain(match.group(2)), choices


def test_gift_says_the_same(every):
    for (name, text, choices), (wanted_name, question) in zip(
        parsed(lms.gift(every)), wanted(every), strict=True
    ):
        assert (name, text) == (wanted_name, question.text)
        assert choices == [(c.text, c.why, c.right) for c in question.choices]


def test_what_means_something_to_gift_is_escaped():
    choices = (quiz.Choice("{~=#:}", "a \\ b", right=True), quiz.Choice("no", "why"))
    odd = quiz.Quiz("odd", (quiz.Question("Is 1 = {1}: ~1?", choices),))
    ((_, text, told),) = parsed(lms.gift([odd]))
    assert text == "Is 1 = {1}: ~1?"
    assert told == [("{~=#:}", "a \\ b", True), ("no", "why", False)]


def test_the_qti_package_lists_its_items_and_each_has_one_right_choice(every, tmp_path):
    target = tmp_path / "quizzes.zip"
    assert lms.package(every, target) == len(wanted(every))
    space = {"q": lms.QTI, "cp": lms.CP}
    with zipfile.ZipFile(target) as archive:
        manifest = ET.fromstring(archive.read("imsmanifest.xml"))
        listed = [entry.get("href") for entry in manifest.findall(".//cp:file", space)]
        assert {*listed, "imsmanifest.xml"} == set(archive.namelist())
        for path, (_, question) in zip(listed, wanted(every), strict=True):
            item = ET.fromstring(archive.read(path))
            right = item.findtext(".//q:correctResponse/q:value", namespaces=space)
            shown = {c.get("identifier"): c.text for c in item.findall(".//q:simpleChoice", space)}
            assert len(shown) == len(question.choices)
            assert shown[right] == next(c.text for c in question.choices if c.right)
            assert item.findtext(".//q:prompt", namespaces=space) == question.text
