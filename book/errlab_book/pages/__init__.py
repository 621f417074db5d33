"""What the book's other executed pages are made of: cases, audits, ranks, tools, the detective.

As in `errlab_book.chapters`: a module for each page, and a file with its guesses.
"""

from errlab_book import setup

setup()
