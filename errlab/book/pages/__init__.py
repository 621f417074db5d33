"""What the book's other executed pages are made of: cases, audits, ranks, tools, the detective.

As in `errlab.book.chapters`: a module for each page, and a file with its guesses.
"""

from errlab.book import setup

setup()
