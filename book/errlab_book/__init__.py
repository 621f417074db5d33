"""The book's package: everything that its notebooks use to draw, explain, ask and check.

It imports errlab, never the reverse. A notebook begins with ``from errlab_book import exercises,
explore, guess, labs, plots, quiz, say, setup, show, tables``.
"""

from errlab_book import exercises, labs, plots, quiz, studies, tables
from errlab_book.figures import say, setup, show
from errlab_book.guesses import guess
from errlab_book.tables import outward
from errlab_book.widgets import explore

__all__ = [
    "exercises",
    "explore",
    "guess",
    "labs",
    "outward",
    "plots",
    "quiz",
    "say",
    "setup",
    "show",
    "studies",
    "tables",
]
