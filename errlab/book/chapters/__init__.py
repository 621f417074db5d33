"""What the chapters are made of: for each one a module, and a file with its guesses.

A notebook begins with ``from errlab.book.chapters import comparing_two as this``, which also
prepares it for its figures. ``this.discordant??`` shows how a picture is drawn.
"""

from errlab.book import setup

setup()

# for sentences that say small counts in words
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
