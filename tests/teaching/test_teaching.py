"""The lecturers' pages: the sections and questions that they name exist, the numbers are right."""

import re
from pathlib import Path

import nbformat
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from words import whole

import errlab
from errlab_book import quiz

ROOT = Path(__file__).parents[2]
PARTS = (ROOT / "book" / "teaching.md").read_text("utf-8").split("\n## ")
NOTES = {
    match[1]: part
    for part in PARTS
    if (match := re.search(r"^\[The chapter\].*/(\w+)\.ipynb", part, re.M))
}


@pytest.mark.parametrize("chapter", NOTES)
def test_notes_name_sections_and_questions_that_exist(chapter):
    notebook = ROOT / "notebooks" / f"{chapter}.ipynb"
    if not notebook.exists():
        pytest.skip("a fork has taken it out")
    text = "\n".join(cell.source for cell in nbformat.read(notebook, 4).cells)
    plan = re.findall(r"^\| (\d+) \| (.+?) \|", NOTES[chapter], re.MULTILINE)
    assert [name for _, name in plan if f"\n## {name}\n" not in f"\n{text}\n"] == []
    minutes = int(re.search(r"(\d+) minutes in class", NOTES[chapter])[1])
    assert minutes == sum(int(number) for number, _ in plan) <= 45
    calls = [int(number) for number in re.findall(r"Ask question (\d)", NOTES[chapter])]
    assert calls
    assert max(calls) <= len(quiz.load(chapter).questions)


def test_the_syllabus_gives_a_hundred_marks():
    text = (ROOT / "book" / "syllabus.md").read_text("utf-8")
    marks = re.findall(
        r"^\| [^|]+ \| (\d+) \| (?:every week|weeks? [\d to]+) \|", text, re.MULTILINE
    )
    assert sum(map(int, marks)) == 100


def test_the_numbers_of_the_model_project():
    text = " ".join((ROOT / "book" / "project.md").read_text("utf-8").replace("> ", "").split())
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=600, random_state=1)
    a = SVC(gamma=0.001).fit(X, y).predict(X_test)
    b = KNeighborsClassifier(1).fit(X, y).predict(X_test)
    message = whole(errlab.report(y_test, a, b))
    for shared in ("8 errors in 600", "at most 2.4%", "on 7 ", "-1.0 to +1.4"):
        assert shared in message
    for words in ("8 errors on 600", "at most 2.4%", "right on 7 digits", "-1.0 to +1.4"):
        assert words in text
    assert (b != y_test).sum() == 7
    assert "753" in str(errlab.plan(error=0.01, half_width=0.01))
    marks = re.findall(r"\| (\d) of (\d) \|", text)
    assert [sum(map(int, column)) for column in zip(*marks, strict=True)] == [25, 30]
