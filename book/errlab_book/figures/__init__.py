"""Figures that tests can compare: a text record of each figure, and the output in each mode.

Pictures differ between machines, but their data don't. `record` describes a figure's data to four
significant digits, in words that also help a reader who can't see it. The stored notebooks contain
these records, and nbval compares them. `mode` switches what figures and explorers output.
"""

from errlab_book.figures._drawn import checksum, drawn
from errlab_book.figures._record import figure_of, record
from errlab_book.figures._show import mode, say, setup, show

__all__ = ["checksum", "drawn", "figure_of", "mode", "record", "say", "setup", "show"]
