"""The parts of the other executed pages: cases, audits, ranks, tools, the detective.

As in `errlab_book.chapters`: a module for each page, and a file with its guesses.
"""

from errlab_book import setup

setup()
