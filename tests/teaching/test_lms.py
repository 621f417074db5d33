"""Quizzes for learning management systems: every question is there, with its right choice.

Other people's parsers read the files: moodle-xml-parser the Moodle XML, citolab-qti-convert the
QTI package, which it turns into QTI 3.0.
"""

import html
import re
from xml.etree import ElementTree as ET

import moodle_xml_parser.parser
import pytest
import qti_convert
from tables import sections

import lms
from errlab_book import quiz

STORED = [*lms.quizzes(), *lms.quizzes(lms.BANK)]
SPACE = {"q": "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"}


@pytest.fixture(scope="module")
def every():
    """All quizzes, the bank, and a quiz in which every text is unusual."""
    texts = [line.replace("\\n", "\n") for line in dict(sections("odd_texts.txt"))["any"]]
    odd = []
    for i, text in enumerate(texts):
        choices = (quiz.Choice(texts[i - j], texts[i - j - 1], right=j == 1) for j in (1, 2, 3))
        odd.append(quiz.Question(text, tuple(choices)))
    return [*STORED, quiz.Quiz("odd", tuple(odd))]


def questions(every):
    pairs = ((q, *pair) for q in every for pair in enumerate(q.questions, 1))
    return [(lms.question_name(q, i), question) for q, i, question in pairs]


def test_every_quiz_is_there_under_names_that_tell_what_is_asked():
    for folders, number in ((lms.FOLDERS, 80), (lms.BANK, 40)):
        assert len(lms.quizzes(folders)) >= 16
        assert len(questions(lms.quizzes(folders))) >= number
    names = [name for name, _ in questions(STORED)]
    assert 40 <= min(map(len, names)) <= max(map(len, names)) <= 80
    assert len(set(names)) == len(names)
    assert [name for name in names if "\\" in name] == []
    assert "bank 03.1 No error in 300 examples. Where is the exact upper bound, at 95%?" in names


def typeset(text):
    """Return a text as Moodle shows it, with its filter's delimiters around formulas."""
    return re.sub(r"\$([^$\n]+)\$", r"\\(\1\\)", text)


def plain(text):
    """Return a text as QTI contains it, in which a formula is an element."""
    return re.sub(r"\$[^$\n]+\$", "FORMULA", text)


def words(element):
    """Return the text of an element of QTI, with one word for each formula."""
    formulas = [child for child in element if child.tag.endswith("}math")]
    text = (element.text or "") + "".join(f"FORMULA{math.tail or ''}" for math in formulas)
    return text.strip()  # lines are broken around formulas


def converted(items, target):
    """Write a package, convert it, and return the elements of its items in their order."""
    assert lms.package(items, target) == len(items)
    files = qti_convert.upgrade_package(str(target)).files
    manifest = ET.fromstring(files["imsmanifest.xml"])
    listed = [e.get("href") for e in manifest.iter() if e.tag.endswith("}file")]
    assert len(listed) + 1 == len(files)
    assert {*listed, "imsmanifest.xml"} == set(files)
    return [ET.fromstring(files[path]) for path in listed]


def right_value(item):
    return item.findtext(".//q:qti-correct-response/q:qti-value", namespaces=SPACE)


def test_moodle_gets_every_question(every):
    text = lms.moodle(every)
    parsed = moodle_xml_parser.parser.parse_bytes(text.encode())["multichoice"]
    for entry, (name, question) in zip(parsed, questions(every), strict=True):
        choices = [(o.answer, o.feedback, o.score_fraction == 100) for o in entry.options]
        wanted = [(typeset(c.text), typeset(c.why), c.right) for c in question.shown()]
        assert (entry.name, choices) == (name, wanted)
        assert html.unescape(entry.text_pre_parse) == typeset(question.text)
        assert (entry.single, entry.shuffle_answers) == (True, True)
    root = ET.fromstring(text)
    assert len(root.findall("question[@type='category']")) == len(every)
    assert {e.get("format") for e in root.iter("questiontext")} == {"html"}


def test_the_qti_package_is_converted_with_every_question_and_its_right_choice(every, tmp_path):
    items = converted(lms.items(every), tmp_path / "quizzes.zip")
    for item, (_, question) in zip(items, questions(every), strict=True):
        choices = [
            (words(c), c.get("identifier") == right_value(item))
            for c in item.findall(".//q:qti-simple-choice", SPACE)
        ]
        assert choices == [(plain(c.text), c.right) for c in question.shown()]
        assert words(item.find(".//q:qti-prompt", SPACE)) == plain(question.text)
        (processing,) = item.findall("q:qti-response-processing", SPACE)
        rule = [e.tag.split("}qti-")[1] for e in processing.iter()][3:7]
        assert rule == ["and", "match", "variable", "correct"]
        feedback = {
            e.get("identifier"): words(e.find("q:qti-content-body", SPACE))
            for e in item.findall("q:qti-modal-feedback", SPACE)
        }
        assert feedback == {f"C{i}": plain(c.why) for i, c in enumerate(question.shown())}


def test_questions_for_marks_have_numbers_of_a_seed_and_are_nowhere_on_the_site():
    every = lms.numericals(7)
    assert {question.place for question in every} == {f"marks {i:02}" for i in range(1, 18)}
    assert every == lms.numericals(7)
    same = sum(a.answer == b.answer for a, b in zip(every, lms.numericals(8), strict=True))
    assert same < len(every) / 8
    for place in {question.place for question in every}:
        answers = {question.answer for question in every if question.place == place}
        assert len(answers) >= 5, place  # the versions of a question differ
    assert not [q.text for q in every if "{" in lms.FORMULA.sub("", q.text + q.why)]
    by_name = {question.name[9:]: question for question in every}
    # formulas of chapters 13 and 8 for the numbers in the question
    question = by_name["1 How many alarms are right?"]
    hit, false, n = map(int, re.findall(r"\d+(?=%)|(?<=in )\d+", question.text))
    assert question.answer == pytest.approx(100 * hit / (hit + (n - 1) * false))
    question = by_name["1 No error in a bootstrap sample"]
    n, k = map(int, re.findall(r"\d+", question.text))
    assert question.answer == pytest.approx(100 * ((n - k) / n) ** n)


def test_questions_for_marks_arrive_with_their_numbers(tmp_path):
    every = lms.numericals(7, versions=3)
    entries = ET.fromstring(lms.moodle_numbers(every)).findall("question[@type='numerical']")
    package = {str(i): lms.number_item(item, str(i)) for i, item in enumerate(every)}
    items = converted(package, tmp_path / "marks.zip")
    for entry, item, question in zip(entries, items, every, strict=True):
        assert entry.findtext("name/text") == question.name
        assert html.unescape(entry.findtext("questiontext/text")) == typeset(question.text)
        assert float(entry.findtext("answer/tolerance")) == question.tolerance
        for answer in (entry.findtext("answer/text"), right_value(item)):
            assert float(answer) == pytest.approx(question.answer)
        for name, away in (("gte", -question.tolerance), ("lte", question.tolerance)):
            end = item.findtext(f".//q:qti-{name}/q:qti-base-value", namespaces=SPACE)
            assert float(end) - question.answer == pytest.approx(away, abs=1e-5)
        why = item.find(".//q:qti-modal-feedback/q:qti-content-body", SPACE)
        assert words(why) == plain(question.why)
