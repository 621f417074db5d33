"""Quizzes for learning management systems: every question arrives, with its one right choice.

Parsers of others read what is written: moodle-xml-parser the Moodle XML, citolab-qti-convert the
QTI package, which it turns into QTI 3.0, and gift-pegjs the GIFT, if ``make others`` has put it
there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import moodle_xml_parser.parser
import pytest
import qti_convert

from errlab.book import quiz

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import lms  # noqa: E402

OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others"))
PEGJS = OTHERS / "node_modules" / "gift-pegjs"
# Letters that mean something to one of the formats, a formula, an address of an image.
ODD = (
    "{~=#:} \\ $x_1^{2} \\le \\frac{1}{2}$",
    'p < 0.05 & "q" > \'r\' <b>not bold</b> <img src="a.png">',
    "é ≤ α½ — 50% [html] [plain] ::no title:: // no comment",
    "50%half - >no match =} -=~",
    "$CATEGORY: none\nover two lines\n\nand a blank one",
)


@pytest.fixture(scope="module")
def every():
    """All quizzes, the bank, and one in which each text of a question is odd."""
    odd = []
    for i, text in enumerate(ODD):
        choices = [quiz.Choice(ODD[i - j], ODD[i - j - 1], right=j == 1) for j in (1, 2, 3)]
        odd.append(quiz.Question(text, tuple(choices)))
    return [*lms.quizzes(), *lms.quizzes(lms.BANK), quiz.Quiz("odd", tuple(odd))]


def wanted(every):
    return [(f"{q.name} {i}", question) for q in every for i, question in enumerate(q.questions, 1)]


@pytest.mark.parametrize(("folders", "least"), [(lms.FOLDERS, 80), (lms.BANK, 40)])
def test_every_quiz_is_there(folders, least):
    found = lms.quizzes(folders)
    assert len(found) >= 16
    assert sum(len(each.questions) for each in found) >= least


def told(question):
    return question.text, [(c.text, c.why, c.right) for c in question.choices]


def test_moodle_gets_every_question(every):
    text = lms.moodle(every)
    found = moodle_xml_parser.parser.parse_bytes(text.encode())["multichoice"]
    for entry, (name, question) in zip(found, wanted(every), strict=True):
        choices = [(o.answer, o.feedback, o.score_fraction == 100) for o in entry.options]
        assert (entry.name, (entry.text_pre_parse, choices)) == (name, told(question))
        assert entry.single
        assert entry.shuffle_answers
    root = ET.fromstring(text)
    assert len(root.findall("question[@type='category']")) == len(every)
    assert {e.get("format") for e in root.iter("questiontext")} == {"plain_text"}


READ = """
const { parse } = require(process.argv[1]);
const told = parse(require("fs").readFileSync(0, "utf8")).filter((q) => q.type !== "Category");
const one = (c) => [c.text.text, c.feedback.text, c.isCorrect];
console.log(JSON.stringify(told.map((q) => [q.title, q.stem, q.choices.map(one)])));
"""


@pytest.mark.skipif(not PEGJS.exists(), reason="needs gift-pegjs; see `make others`")
def test_gift_pegjs_reads_the_same(every):
    node = shutil.which("node")
    assert node, "gift-pegjs needs node"
    run = subprocess.run(
        [node, "-e", READ, str(PEGJS)], input=lms.gift(every), capture_output=True,
        encoding="utf-8", check=True,
    )  # fmt: skip
    for (title, stem, choices), (name, question) in zip(
        json.loads(run.stdout), wanted(every), strict=True
    ):
        assert (title, stem["format"]) == (name, "plain")
        assert (stem["text"], [tuple(choice) for choice in choices]) == told(question)


def parsed(text):
    """Read GIFT: its escapes, titles, choices and feedback."""
    question = re.compile(
        r"^::(.*?)::\[plain\]((?:\\.|[^\\{])*) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE
    )
    line = re.compile(r"^  ([=~])((?:\\.|[^\\#\n])*)#((?:\\.|[^\\\n])*)$", re.MULTILINE)

    def plain(part):
        return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], part)

    for match in question.finditer(text):
        choices = [(plain(b), plain(c), a == "=") for a, b, c in line.findall(match.group(3))]
        yield match.group(1), plain(match.group(2)), choices


def test_gift_says_the_same(every):
    for (name, text, choices), (wanted_name, question) in zip(
        parsed(lms.gift(every)), wanted(every), strict=True
    ):
        assert (name, (text, choices)) == (wanted_name, told(question))


@pytest.mark.parametrize("text", ["%50% of them", "[html] all", "A -> B"])
def test_what_gift_has_no_way_to_say_is_refused(text):
    choices = (quiz.Choice(text, "why", right=True), quiz.Choice("no", "why"))
    with pytest.raises(ValueError, match="in GIFT a choice cannot begin with % or"):
        lms.gift([quiz.Quiz("odd", (quiz.Question("How many?", choices),))])


def test_the_qti_package_is_converted_with_every_question_and_its_right_choice(every, tmp_path):
    target = tmp_path / "quizzes.zip"
    assert lms.package(every, target) == len(wanted(every))
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
        shown = {
            c.get("identifier"): (c.text, c.get("identifier") == right)
            for c in item.findall(".//q:qti-simple-choice", space)
        }
        assert list(shown.values()) == [(c.text, c.right) for c in question.shown()]
        assert item.findtext(".//q:qti-prompt", namespaces=space) == question.text
        (processing,) = item.findall("q:qti-response-processing", space)
        assert processing.get("template").endswith("/match_correct.xml")
