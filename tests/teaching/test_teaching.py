"""The lecturers' pages: the sections and questions that they name exist, the numbers are right."""

import re

import nbformat
import pytest
from browser import ROOT
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from words import whole

import errlab
from errlab_book import quiz


def page(name):
    return (ROOT / "book" / f"{name}.md").read_text("utf-8")


def test_notes_name_sections_and_questions_that_exist():
    chapters = 0
    for notes in page("teaching").split("\n## "):
        named = re.search(r"^\[The chapter\].*/(\w+)\.ipynb", notes, re.MULTILINE)
        notebook = ROOT / "notebooks" / f"{named[1] if named else None}.ipynb"
        if not notebook.exists():  # a page's beginning, or a fork has taken the chapter out
            continue
        chapters += 1
        text = "\n".join(cell.source for cell in nbformat.read(notebook, 4).cells)
        plan = re.findall(r"^\| (\d+) \| (.+?) \|", notes, re.MULTILINE)
        assert [name for _, name in plan if f"\n## {name}\n" not in f"\n{text}\n"] == [], named
        minutes = int(re.search(r"(\d+) minutes in class", notes)[1])
        assert minutes == sum(int(number) for number, _ in plan) <= 45, named
        calls = [int(number) for number in re.findall(r"Ask question (\d)", notes)]
        assert 1 <= max(calls) <= len(quiz.load(named[1]).questions), named
    assert chapters > 0


def test_the_syllabus_gives_a_hundred_marks():
    marks = r"^\| [^|]+ \| (\d+) \| (?:every week|weeks? [\d to]+) \|"
    assert sum(map(int, re.findall(marks, page("syllabus"), re.MULTILINE))) == 100


@pytest.mark.slow
def test_the_numbers_of_the_model_project():
    text = " ".join(page("project").replace("> ", "").split())
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
