"""Exercises: right answers, mistakes with their own messages, and the data sent to a page.

How an answer is read, and what is said to common mistakes, is in `tests/data/values.txt`.
"""

import dis
import html
import json
import re
from collections import Counter
from types import CodeType

import nbformat
import numpy as np
import pytest
from marks import slow
from our_chapters import CHAPTERS

import errlab_site
import lms
from errlab_book import answers, exercises, guess, labs, quiz
from errlab_book.chapters import (
    bounded_bounds,
    coverage,
    error_distribution,
    report,
    small_samples,
)
from errlab_book.exercises import check

KEYS = list(exercises.EXERCISES)
LONG = ["2.6", "3.7", "5.7", "5.8", "15.4", "10.4", "13.6", "14.5", "16.4", "6.5", "11.4"]


@pytest.fixture(params=slow(KEYS, *LONG))
def entry(request):
    return exercises.EXERCISES[request.param]


def parts(entry):
    """Return the right answer, one value for each part."""
    return list(entry.answer()) if entry.parts else [entry.answer()]


def test_every_exercise_knows_right_from_wrong(entry):
    answer = entry.answer()
    wrong = [object()]
    if isinstance(answer, str):
        assert answer in entry.choices
        assert len(entry.mistakes) == len(entry.choices) - 1, "each wrong choice says why"
        wrong.append("nonsense")
    else:
        wrong.append(np.asarray(answer, dtype=float) + 2 * entry.tolerance + 0.01)
    for tried, right in ((answer, True), (..., None), (wrong[0], False), (wrong[1], False)):
        assert exercises.check(entry.key, tried).right is right, tried
    assert entry.answer.__doc__, "the question"
    assert len({*entry.hints, ""}) == 3, "two hints"
    assert [exercises.hint(entry.key, n) for n in (1, 2)] == list(entry.hints)


def test_each_mistake_is_wrong_and_has_its_own_message(entry):
    right = parts(entry)
    for text, value in entry.wrong.items():
        values = np.broadcast_to(np.asarray(value), len(right))
        words = [entry.fault(part, value) for part, value in enumerate(values)]
        assert text in words
        assert all(s in (text, None) for s in words), "another mistake has the same value"
        message = exercises.check(entry.key, values if entry.parts else values[0]).message
        assert text[1:] in message
        assert re.match(r"not yet\. [^a-z]", message), "a sentence begins with a capital"


def test_neither_a_hint_nor_the_page_gives_the_answer_away(entry):
    answer = entry.answer()
    if np.ndim(answer) == 0 and not isinstance(answer, str):
        forms = {f"{float(answer):.{digits}g}" for digits in (3, 4, 6)}
        for text in (*entry.hints, *entry.mistakes):
            assert not forms & set(re.findall(r"[\d.]*\d", text.replace(",", ""))), text
    page = html.unescape(entry.html().replace(answers.script(), ""))
    data = json.loads(re.search(r'data-check="(\{.*\})"', page)[1])
    assert set(data) == {"key", "asks", "step", "parts"}
    for part, value in zip(data["parts"], parts(entry), strict=True):
        assert part["right"]
        assert all(re.fullmatch(r"[0-9a-f]{8}", mark) for mark in part["right"])
        if not isinstance(value, str) and not float(value * 1000).is_integer():
            assert f"{value:.4f}"[1:] not in page


def test_an_answer_is_right_within_its_tolerance_and_a_step():
    for key in ("3.1", "9.3", "10.4"):
        entry = exercises.EXERCISES[key]
        for factor in (0.0, 0.85, -0.85, 1.3, -1.3):
            answer = float(entry.answer()) + factor * entry.tolerance
            assert exercises.check(key, answer).right is (abs(factor) < 1), (key, factor)


def test_a_count_that_is_off_by_one_either_way_has_its_message():
    counts = [e for key, e in exercises.EXERCISES.items() if key not in LONG and e.asks == "count"]
    for step in (-1, 1):  # some exercises have their own message for these mistakes
        messages = [exercises.check(e.key, parts(e)[0] + step).message for e in counts]
        assert any("Off by one" in text for text in messages)


def test_a_page_shows_the_field_only_in_the_book(monkeypatch):
    unanswered, right = exercises.check("3.1", ...), exercises.check("3.1", "2.95%")
    for mode, output in (("book", True), ("live", False), ("record", False)):
        monkeypatch.setenv("ERRLAB_OUTPUT", mode)
        assert bool(unanswered._repr_html_()) is output
        assert right._repr_html_() is None


# --- Quizzes and guesses: answers favour no position, pages contain no key, bad files are refused.


QUIZZES = lms.quizzes()
QUESTIONS = [q for part in QUIZZES for q in part.questions]
APART = [q for part in lms.quizzes(lms.BANK) for q in part.questions]
quizzes = pytest.mark.parametrize("whole", QUIZZES, ids=lambda part: part.name)


def test_neither_a_place_nor_the_longest_is_favoured():
    for questions, lowest in ((QUESTIONS, 60), (APART, 40)):
        three = [q.shown() for q in questions if len(q.choices) == 3]
        places = Counter([choice.right for choice in choices].index(True) for choices in three)
        assert len(three) >= lowest
        # A position that is always chosen must be right in a third of the questions, within two
        # standard errors.
        for place in range(3):
            assert abs(places[place] / len(three) - 1 / 3) <= 2 * (2 / 9 / len(three)) ** 0.5
        longest = [max(q.choices, key=lambda c: len(c.text)).right for q in questions]
        assert 0.1 <= sum(longest) / len(longest) <= 0.4


def test_the_order_is_by_lot_and_always_the_same():
    again = [q.shown() for entry in lms.quizzes() for q in entry.questions]
    assert again == [q.shown() for q in QUESTIONS]
    assert sum(q.shown() != list(q.choices) for q in QUESTIONS) > len(QUESTIONS) / 2
    assert all(sorted(q.shown(), key=str) == sorted(q.choices, key=str) for q in QUESTIONS)


@quizzes
def test_the_page_holds_no_key_in_clear(whole):
    body = whole.html().partition("<script")[0]
    assert "right" not in re.sub(r'(>|value=")[^"<]*', "", body)
    choices = [choice for q in whole.questions for choice in q.choices]
    assert [c.why for c in choices if c.why in html.unescape(body)] == []
    assert [c.why for c in choices if "$" in c.why] == [], "an explanation holds no formula"
    assert len(re.findall(r'data-key="[0-9a-f]{8}"', body)) == len(whole.questions)


@quizzes
def test_a_sealed_quiz_is_the_same_quiz_without_its_key(whole):
    text = whole.sealed().toml()
    sealed = quiz.parse(text, whole.name)
    assert sealed.html() == whole.html()
    assert "right =" not in text
    for number, question in enumerate(whole.questions, 1):
        # in the page's order, because in a file the right choice is often the first
        choices = sealed.questions[number - 1].choices
        for choice, open_choice in zip(choices, question.shown(), strict=True):
            key = f"{whole.name} {number} {choice.text}"
            assert choice.text == open_choice.text
            assert choice.why == answers.veil(open_choice.why, key)
    assert quiz.parse(whole.toml(), whole.name) == whole


def test_neither_the_answer_nor_what_is_said_to_it_can_be_read_on_the_page():
    choice = guess("Q?", answer="a", choices={"a": "So it was.", "b": "Not so."})
    assert repr(choice).startswith("Guess: Q?\n  ( ) a\n  ( ) b\nkey: ")
    assert not re.search('data-right="a"|So it was|Not so', choice.html())
    share = guess("*How* many `n`?", answer="46.2%", value=0.462, within=0.02)
    assert repr(share).startswith("Guess: *How* many `n`?\nkey: ")
    form = share.html().partition("<script")[0]
    assert "<em>How</em> many <code>n</code>?" in form
    assert not re.search(r"46|0\.02(?!\d)", re.sub(r'="[\w ]*"', "", form))


def test_a_quiz_comes_with_the_package_unless_a_file_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = quiz.load("03_binary_bounds")
    assert shipped == quiz.load("quizzes/03_binary_bounds.toml")
    (tmp_path / "03_binary_bounds.toml").write_text(QUIZZES[0].toml(), "utf-8")
    assert quiz.load("03_binary_bounds.toml").questions == QUIZZES[0].questions


def test_a_formula_in_a_question_becomes_mathml_on_the_page():
    choices = (quiz.Choice("$k/n$ & more", "Yes.", right=True), quiz.Choice("5 $", "No."))
    page = quiz.Quiz("odd", (quiz.Question(r"How large is $\sqrt{a < b}$?", choices),)).html()
    output = errlab_site.typeset(page)
    assert output.count("<math ") == 2
    assert "<msqrt>" in output
    assert 'value="$k/n$ &amp; more"' in output, "what is compared stays"
    assert errlab_site.typeset(output) == output
    assert [c.why for q in APART for c in q.choices if "$" in c.why] == []


# --- Any number that an instrument of the book displays is accepted when typed as shown.


def read(lab, pattern):
    """Return what a lab says."""
    return re.search(pattern, " ".join(lab.sentences()))[1]


def drawn(explorer, pattern, **values):
    """Return what is written in a frame of an explorer."""
    axes, _ = explorer.shown(**values)
    texts = [axes.get_title("left"), *(text.get_text() for text in axes.texts)]
    return re.search(pattern, " ".join(" ".join(texts).split()))[1]


def described(explorer, pattern):
    """Yield each value of an explorer's control, and a number in its frame's sentence."""
    ((name, control),) = explorer.controls.items()
    for value in control.values:
        sentence = explorer.alt(*explorer.by, **{name: value})
        yield value, float(re.search(pattern, sentence)[1])


def squares(X, y, rows):
    """Return the squared errors of a line fitted to the other rows."""
    fit = np.linalg.lstsq(X[~rows], y[~rows], rcond=None)[0]
    return (y[rows] - X[rows] @ fit) ** 2


def positives():
    def lowest(n):
        lab = labs.Confusion(tp=round(0.9 * n), fn=n - round(0.9 * n), fp=0, tn=1)
        return float(read(lab, r"\(TPR\).*?interval ([\d.]+) to"))

    return next(n for n in range(10, 2000, 10) if lowest(n) >= 0.85)


def failing_count():
    """Draw single test sets, and return the count of errors from which on the interval misses."""
    sets = [labs.Misses(cases=10, error=1, method="NOR", drawn=1, seed=seed) for seed in range(300)]
    assert len({int(lab.counts[0]) for lab in sets}) > 2
    (count,) = {int(lab.counts[0]) for lab in sets if lab.misses}
    return count


def planned(confidence):
    lab = labs.Claim(expected=5.0, target=8.0, confidence=confidence)
    return int(read(lab, r"it takes ([\d,]+) test examples").replace(",", ""))


def nearer_to_the_truth():
    """Compare marks and right ends of the eight students' lines with those of the first row."""

    def leave_out(X, y, splits):
        return [np.mean(squares(X, y, np.asarray(test))) for test in splits]

    axes, _ = error_distribution.eight_sets(leave_out).shown(left_out=25)
    marks = [line.get_xdata()[0] for line in axes.lines]
    ends = [rows.get_segments()[0][1, 0] for rows in axes.collections[::2]]
    assert len(marks) == len(ends) == 9
    off = [np.abs(np.array(row[1:]) / row[0] - 1).mean() for row in (marks, ends)]
    return "the median alone" if off[0] < off[1] else "the one in twenty alone"


def below_seventy():
    def miss(X, y, test_rows):
        return np.sqrt(np.mean(squares(X, y, ~np.isin(np.arange(len(y)), test_rows))))

    rare = described(error_distribution.training_sets(miss), r"one in twenty above ([\d.]+)")
    return next(patients for patients, error in rare if error < 70)


def smallest_margin():
    lab = labs.Pair(both=30, only_a=12, only_b=15, neither=343)
    worse = -float(read(lab, r"95% interval (-[\d.]+) to"))
    margin = next(points for points in (1, 2, 4) if points >= worse)
    return f"{margin} point{'s' * (margin > 1)}"


def between_levels():
    errors = described(small_samples.seven(), r"true error is ([\d.]+)")
    low, high = sorted({round(error, 2) for _, error in errors})
    mean = low * 2 / 3 + high / 3
    return [f"{mean:.3f}", f"{mean - low:.3f}"]


def without_twenty():
    truth, _, logistic = report.predictions()
    return read(labs.Predictions(truth[20:], logistic[20:]), r"true error is at most ([\d.]+%)")


def width():
    lab = labs.Claim(errors=12, cases=150, confidence=90.0)
    ends = [float(read(lab, pattern)) for pattern in (r"interval ([\d.]+)", r"% to ([\d.]+)%")]
    return f"{ends[1] - ends[0]:.1f}%"


READINGS = {
    "3.1": lambda: read(labs.Claim(errors=0, cases=100), r"at most ([\d.]+%)"),
    "3.4": width,
    "4.1": failing_count,
    "4.2": lambda: drawn(coverage.saw(), r"worst at ([\d.]+%)", n=50, bound="yours"),
    "5.3": lambda: drawn(
        bounded_bounds.known(), r"200 losses are worth ([\d,]+)", n=200, variance=25
    ),
    "5.5": lambda: planned(97.5) - planned(95.0),
    "8.2": lambda: max(k for k in range(101) if not labs.Bag(cases=100, errors=k).percentile.low),
    "9.1": nearer_to_the_truth,
    "9.2": below_seventy,
    "10.1": lambda: read(labs.Pair(both=0, only_a=4, only_b=11, neither=85), r"p = ([\d.]+)"),
    "10.2": smallest_margin,
    "14.2": positives,
    "14.5": lambda: read(labs.Confusion(tp=10, fn=10), r"\(TPR\).*?to ([\d.]+)\."),
    "15.1": between_levels,
    "16.1": without_twenty,
}


@pytest.mark.slow
@pytest.mark.parametrize("key", READINGS)
def test_a_reading_is_right(key):
    value = READINGS[key]()
    verdict = check(key, value)
    assert verdict.right, f"{value}: {verdict.message}"


def test_what_no_instrument_shows_is_not():
    typed = [("3.4", "8.3%"), ("3.4", "7.7%"), ("10.1", "0.13")]
    assert [answer for answer in typed if check(*answer).right] == []


def test_each_exercise_that_names_an_instrument_has_a_reading():
    named = set()
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        questions = re.findall(r"^\*\*(\d+\.\d+)\*\* (.*?)\n\n", f"{text}\n\n", re.M | re.S)
        named |= {key for key, asked in questions if re.search(r"\b(lab|explorer|slider)\b", asked)}
    assert len(named) >= 13
    assert named <= set(READINGS)


# --- Variables that an explorer reads keep their meaning, because it draws again when it is moved.


def names(code, operation):
    """Return the names that code stores or loads, including the functions inside it."""
    inner = [result for result in code.co_consts if isinstance(result, CodeType)]
    other = {step.argval for step in dis.get_instructions(code) if step.opname == operation}
    return other.union(*(names(result, operation) for result in inner))


def rebound(sources):
    """Yield the names that an explorer reads and a later cell redefines."""
    cells = [compile(source, "cell", "exec") for source in sources]
    functions = {f.co_name: f for cell in cells for f in cell.co_consts if isinstance(f, CodeType)}
    for place, (source, cell) in enumerate(zip(sources, cells, strict=True)):
        if "explore(" in source:
            read, more = set(), names(cell, "LOAD_GLOBAL") | set(cell.co_names) & functions.keys()
            while more - read:
                read |= more
                more = set().union(
                    *(names(functions[f], "LOAD_GLOBAL") for f in read if f in functions)
                )
            for later in cells[place + 1 :]:
                yield from read & names(later, "STORE_NAME")


@pytest.mark.slow
def test_no_later_cell_changes_what_an_explorer_reads():
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        sources = [cell.source for cell in cells if cell.cell_type == "code"]
        assert [*rebound([s for s in sources if not s.startswith("%")])] == [], path.stem


def test_a_name_that_changes_is_found():
    draw = "real = 1\ndef draw(k):\n    return helper(k)\nexplore(draw, k=[1, 2])"
    cells = ["def helper(k):\n    return real + k", draw, "real = 2"]
    assert set(rebound(cells)) == {"real"}
    assert not set(rebound(cells[:-1]))
