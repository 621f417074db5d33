"""Begin a chapter of your own: ``python tools/new_chapter.py NAME [--title ...] [--after ...]``.

It writes a notebook that runs, a quiz, an exercise and teaching notes, to be filled with what you
have to say, stores what the notebook shows, and puts the chapter's line into `_course.toml`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import nbformat

import course
import notebooks

QUIZZES = "errlab/book/quizzes"
EXERCISES = "errlab/book/exercises"
TEACHING = "book/teaching.toml"

OPENING = """# {title}

**A number, and a question that somebody would really ask. You counted 2 errors in 100 cases: is
that good enough?**

What you will answer here, in two or three sentences.

**You will be able to**

- *say* something,
- *compute* something,
- *judge* something.

*Time: 15 minutes. Before: nothing.*"""

SETUP = """from errlab import bounds
from errlab.book import exercises, explore, guess, plots, quiz, say, setup

setup()"""

IDEA = """## The first idea

Words first, then a picture.

**Before you move the slider**, make your guess. Then find out: what do more cases change?"""

EXPLORER = '''def interval(cases):
    """Draw the intervals after an error in every ten cases."""
    ax = plots.plot_intervals(cases // 10, cases)
    ax.set(xlim=(0, 1), xticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    return ax


display(
    guess(
        "One error in ten, and four times as many cases. How long is the interval then?",
        answer="about half as long",
        choices={
            "a quarter as long": "Think of a root.",
            "about half as long": "The length falls with the root of the number of cases.",
        },
    )
)
explore(
    interval,
    cases=[20, 40, 80, 160],
    start={"cases": 20},
    caption="Two-sided 95% intervals after an error in every ten cases.",
    alt=lambda cases: "Clopper-Pearson from {:.1%} to {:.1%}".format(
        *bounds.interval("CP", 0.1, cases)
    ),
)'''

SAID = """few, more = bounds.interval("CP", 0.1, 20), bounds.interval("CP", 0.1, 80)
say(
    f"From 20 cases to 80 the exact interval shrinks from {few.high - few.low:.2f} to "
    f"{more.high - more.low:.2f}. Every number in your text is computed like these two."
)"""

ASKED = """## Exercises

Type your answer and check it here; in a notebook, replace the three dots and run the cell. There
are two hints, and a solution is folded under each.

**{number}.1** (apply) A test of 100 cases shows 2 errors. What is the exact 95% upper bound?"""

LAST = """## What to remember

1. One line that you would write on the board."""

QUIZ = """[[question]]
text = "No error in 50 cases. What may you print?"
[[question.choice]]
text = "The classifier makes no errors"
why = "Fifty cases cannot show that."
[[question.choice]]
text = "The true error is at most about 6%, with 95% confidence"
right = true
why = "Three divided by the number of cases is close to the exact bound."
[[question.choice]]
text = "Nothing at all"
why = "A bound can be computed from any count."
"""

ANSWERS = '''"""Exercises of the chapter {stem}."""

from __future__ import annotations

from typing import Any

from errlab import bounds
from errlab.book.exercises._exercise import exercise


@exercise(
    "{number}.1",
    hints=(
        "Which bound holds for every number of cases?",
        "Clopper-Pearson's bound, of the rate and the number of cases.",
    ),
    mistakes=[(lambda: 2 / 100, "this is the rate that was seen. A bound lies above it.")],
)
def two_in_100() -> Any:
    """What is the exact upper bound after 2 errors in 100 cases?"""
    return bounds.clopper_pearson(2 / 100, 100)
'''

NOTES = """
[{stem}]
plan = [
  {{ minutes = 10, what = "Ask the question of the first lines; collect answers." }},
  {{ minutes = 15, what = "The exercise, in pairs." }},
]
traps = ["What they will get wrong."]
discuss = "A question to which there is no answer in the chapter."
"""


def free(root: Path) -> int:
    """Return the next number of a file."""
    return 1 + max((int(p.name[:2]) for p in (root / "notebooks").glob("??_*.ipynb")), default=0)


def skeleton(stem: str, title: str) -> nbformat.NotebookNode:
    """Return the notebook of a new chapter."""
    number = int(stem[:2])
    check = f'exercises.check("{number}.1", '
    cells = (
        ("markdown", OPENING.format(title=title), []),
        ("code", SETUP, ["hide-input"]),
        ("markdown", IDEA, []),
        ("code", EXPLORER, ["hide-input"]),
        ("code", SAID, ["remove-input"]),
        ("markdown", ASKED.format(number=number), []),
        ("code", f"{check}...)", []),
        ("code", f"{check}bounds.clopper_pearson(2 / 100, 100))", ["hide-cell", "solution"]),
        ("markdown", "## Quiz", []),
        ("code", f'quiz.load("{stem}")', ["remove-input"]),
        ("markdown", LAST, []),
    )
    new = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    made = [new[kind](source, metadata={"tags": tags}) for kind, source, tags in cells]
    return notebooks.tidy(nbformat.v4.new_notebook(cells=made))


def line(text: str, stem: str, asks: str, after: str = "") -> str:
    """Return the text of the course file with a line for a new chapter.

    Raises
    ------
    ValueError
        If `after` is no chapter in the file.
    """
    listed = [m.group(1) for m in re.finditer(r'^ *\{ *name = "(\w+)"', text, re.MULTILINE)]
    after = after or listed[-1]
    if after not in listed:
        raise ValueError(f"after must be one of {', '.join(listed)}, got {after!r}")
    new = f'  {{ name = "{stem}", asks = {json.dumps(asks, ensure_ascii=False)} }},\n'
    there = re.compile(rf'^ *\{{ *name = "{after}".*\n', re.MULTILINE)
    return there.sub(lambda m: m.group() + new, text)


def write(name: str, title: str, asks: str, after: str = "", root: Path = course.ROOT) -> str:
    """Write all files of a new chapter; return the name of its notebook.

    Raises
    ------
    ValueError
        If `name` is not made of small letters, digits and underscores, or `after` is no chapter.
    FileExistsError
        If a chapter of that name exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"name must be small letters, digits and underscores, got {name!r}")
    if list((root / "notebooks").glob(f"??_{name}.ipynb")):
        raise FileExistsError(f"name must be new, got {name!r}: there is a notebook of that name")
    stem = f"{free(root):02}_{name}"
    contents = root / course.NAME
    listed = line(contents.read_text("utf-8"), stem, asks, after)
    number = int(stem[:2])
    texts = {
        root / QUIZZES / f"{stem}.toml": QUIZ,
        root / EXERCISES / f"chapter{stem[:2]}.py": ANSWERS.format(number=number, stem=stem),
        root / "notebooks" / f"{stem}.ipynb": nbformat.writes(skeleton(stem, title)) + "\n",
        contents: listed,
    }
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    with (root / TEACHING).open("a", encoding="utf-8") as stream:
        stream.write(NOTES.format(stem=stem))
    course.write(root)
    return stem


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the chapter, execute it, and say what to do next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", metavar="NAME", help="of the files: fairness, say")
    parser.add_argument("--title", help="of the chapter")
    parser.add_argument("--asks", help="the question by which the map leads to it")
    parser.add_argument("--after", default="", help="the chapter before it, such as 06_which_bound")
    options = parser.parse_args(arguments)
    title = options.title or options.name.replace("_", " ").capitalize()
    asks = options.asks or f"What is there to say of {title.lower()}?"
    try:
        stem = write(options.name, title, asks, options.after)
    except (ValueError, FileExistsError) as error:
        parser.error(str(error))
    notebooks.store(notebooks.NOTEBOOKS / f"{stem}.ipynb")
    print(f"""notebooks/{stem}.ipynb is chapter {course.number(stem)}. Write it, and with it
  {QUIZZES}/{stem}.toml  its quiz
  {EXERCISES}/chapter{stem[:2]}.py  the answers to its exercises
  {TEACHING}  its teaching notes
`python tools/notebooks.py store notebooks/{stem}.ipynb` after each change, then `make book`.""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
