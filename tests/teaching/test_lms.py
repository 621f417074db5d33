"""Quizzes for learning management systems: every question is there, with its right choice.

Other people's parsers read the files: moodle-xml-parser the Moodle XML, citolab-qti-convert the
QTI package, which it turns into QTI 3.0.
"""

import html
import re
import zipfile
from xml.etree import ElementTree as ET

import moodle_xml_parser.parser
import pytest
import qti_convert

import lms
from errlab_book import quiz

# Characters that are special in one of the formats, a formula, an image's address.
ODD = (
    "{~=#:} \\ $x_1^{2} \\le \\frac{1}{2}$",
    'p < 0.05 & "q" > \'r\' <b>not bold</b> <img src="a.png">',
    "é ≤ α½ — 50% [html] [plain] ::no title:: // no comment",
    "50%half - >no match =} -=~",
    "$CATEGORY: none\nover two lines\n\nand a blank one",
)


@pytest.fixture(scope="module")
def every():
    """All quizzes, the bank, and a quiz in which every text is unusual."""
    odd = []
    for i, text in enumerate(ODD):
        choices = [quiz.Choice(ODD[i - j], ODD[i - j - 1], right=j == 1) for j in (1, 2, 3)]
        odd.append(quiz.Question(text, tuple(choices)))
    return [*lms.quizzes(), *lms.quizzes(lms.BANK), quiz.Quiz("odd", tuple(odd))]


def wanted(every):
    return [
        (lms.question_name(q, i), question)
        for q in every
        for i, question in enumerate(q.questions, 1)
    ]


@pytest.mark.parametrize(("folders", "n_questions"), [(lms.FOLDERS, 80), (lms.BANK, 40)])
def test_every_quiz_is_there(folders, n_questions):
    quizzes = lms.quizzes(folders)
    assert len(quizzes) >= 16
    assert sum(len(entry.questions) for entry in quizzes) >= n_questions


def test_names_tell_what_is_asked_and_are_unique():
    names = [name for name, _ in wanted([*lms.quizzes(), *lms.quizzes(lms.BANK)])]
    assert max(map(len, names)) <= 80
    assert min(map(len, names)) >= 40
    assert len(set(names)) == len(names)
    assert [name for name in names if "\\" in name] == []
    assert (
        lms.question_name(lms.quizzes(lms.BANK)[2], 1)
        == "bank 03.1 No error in 300 examples. Where is the exact upper bound, at 95%?"
    )


def typeset(text):
    """Return a text as Moodle shows it, with its filter's delimiters around formulas."""
    return re.sub(r"\$([^$\n]+)\$", r"\\(\1\\)", text)


def told(question):
    choices = [(c.text, c.why, c.right) for c in question.shown()]
    return typeset(question.text), [(typeset(a), typeset(b), right) for a, b, right in choices]


def plain(text):
    """Return a text as QTI contains it, in which a formula is an element."""
    return re.sub(r"\$[^$\n]+\$", "FORMULA", text)


def words(element):
    """Return the text of an element of QTI, with one word for each formula."""
    formulas = [child for child in element if child.tag.endswith("}math")]
    text = (element.text or "") + "".join(f"FORMULA{math.tail or ''}" for math in formulas)
    return text.strip()  # lines are broken around formulas


def test_moodle_gets_every_question(every):
    text = lms.moodle(every)
    parsed = moodle_xml_parser.parser.parse_bytes(text.encode())["multichoice"]
    for entry, (name, question) in zip(parsed, wanted(every), strict=True):
        choices = [(o.answer, o.feedback, o.score_fraction == 100) for o in entry.options]
        assert (entry.name, (html.unescape(entry.text_pre_parse), choices)) == (
            name,
            told(question),
        )
        assert entry.single
        assert entry.shuffle_answers
    root = ET.fromstring(text)
    assert len(root.findall("question[@type='category']")) == len(every)
    assert {e.get("format") for e in root.iter("questiontext")} == {"html"}


def test_the_qti_package_is_converted_with_every_question_and_its_right_choice(every, tmp_path):
    target = tmp_path / "quizzes.zip"
    assert lms.package(lms.items(every), target) == len(wanted(every))
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
    space = {"q": "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"}
    files = qti_convert.upgrade_package(str(target)).files
    assert set(files) == set(names)
    manifest = ET.fromstring(files["imsmanifest.xml"])
    listed = [e.get("href") for e in manifest.iter() if e.tag.endswith("}file")]
    assert {*listed, "imsmanifest.xml"} == set(names)
    for path, (_, question) in zip(listed, wanted(every), strict=True):
        item = ET.fromstring(files[path])
        right = item.findtext(".//q:qti-correct-response/q:qti-value", namespaces=space)
        choices = {
            c.get("identifier"): (words(c), c.get("identifier") == right)
            for c in item.findall(".//q:qti-simple-choice", space)
        }
        assert list(choices.values()) == [(plain(c.text), c.right) for c in question.shown()]
        assert words(item.find(".//q:qti-prompt", space)) == plain(question.text)
        (processing,) = item.findall("q:qti-response-processing", space)
        assert [e.tag.split("}")[1] for e in processing.iter()][3:7] == [
            "qti-and", "qti-match", "qti-variable", "qti-correct",
        ]  # fmt: skip
        feedback = item.findall("q:qti-modal-feedback", space)
        told_after = {
            e.get("identifier"): words(e.find("q:qti-content-body", space)) for e in feedback
        }
        assert told_after == {f"C{i}": plain(c.why) for i, c in enumerate(question.shown())}


def test_questions_for_marks_have_numbers_of_a_seed_and_are_nowhere_on_the_site():
    every = lms.numericals(7)
    assert {question.place for question in every} == {f"marks {i:02}" for i in range(1, 18)}
    assert every == lms.numericals(7)
    other = lms.numericals(8)
    same = sum(a.answer == b.answer for a, b in zip(every, other, strict=True))
    assert same < len(every) / 8
    for place in {question.place for question in every}:
        answers = [question.answer for question in every if question.place == place]
        assert len(set(answers)) >= 5, place  # the versions of a question differ
    assert not [q.text for q in every if "{" in lms.FORMULA.sub("", q.text + q.why)]
    by_name = {question.name[9:]: question for question in every}
    # formulas of chapters 13 and 8 for the numbers in the question
    question = by_name["1 How many alarms are right?"]
    hit, false, n = map(int, re.findall(r"\d+(?=%)|(?<=in )\d+", question.text))
    alarms = hit / 100 + (n - 1) * false / 100
    assert question.answer == pytest.approx(100 * hit / 100 / alarms)
    question = by_name["1 No error in a bootstrap sample"]
    n, k = map(int, re.findall(r"\d+", question.text))
    assert question.answer == pytest.approx(100 * ((n - k) / n) ** n)


def test_questions_for_marks_arrive_with_their_numbers(tmp_path):
    every = lms.numericals(7, versions=3)
    root = ET.fromstring(lms.moodle_numbers(every))
    for entry, question in zip(root.findall("question[@type='numerical']"), every, strict=True):
        assert entry.findtext("name/text") == question.name
        assert html.unescape(entry.findtext("questiontext/text")) == typeset(question.text)
        assert float(entry.findtext("answer/text")) == pytest.approx(question.answer)
        assert float(entry.findtext("answer/tolerance")) == question.tolerance
    package = {str(i): lms.number_item(item, str(i)) for i, item in enumerate(every)}
    assert lms.package(package, tmp_path / "marks.zip") == len(every)
    files = qti_convert.upgrade_package(str(tmp_path / "marks.zip")).files
    space = {"q": "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"}
    for i, question in enumerate(every):
        item = ET.fromstring(files[f"items/{i}.xml"])
        right = item.findtext(".//q:qti-correct-response/q:qti-value", namespaces=space)
        assert float(right) == pytest.approx(question.answer)
        ends = [item.findtext(f".//q:qti-{name}/q:qti-base-value", namespaces=space)
                for name in ("gte", "lte")]  # fmt: skip
        assert [float(end) - question.answer for end in ends] == pytest.approx(
            [-question.tolerance, question.tolerance], abs=1e-5
        )
        assert words(item.find(".//q:qti-modal-feedback/q:qti-content-body", space)) == plain(
            question.why
        )
