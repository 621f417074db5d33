"""Figures that can be checked: the text record of a figure, and what a figure shows where.

A picture cannot be compared between machines; its data can. `record` writes down what a figure
shows, to four significant digits, in words that also serve a reader who cannot see it. The
stored notebooks hold these records, and nbval compares them. `mode` is the one switch for what
figures and explorers emit.
"""

from errlab_book.figures._drawn import checksum, drawn
from errlab_book.figures._record import figure_of, record
from errlab_book.figures._show import mode, say, setup, show

__all__ = ["checksum", "drawn", "figure_of", "mode", "record", "say", "setup", "show"]
