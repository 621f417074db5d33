"""How often a bound holds: exactly for 0/1 losses, by simulation for losses in [0, 1]."""

from errlab._core.public import elsewhere
from errlab.coverage._exact import exact, expected_width, worst
from errlab.coverage._peeking import peeking
from errlab.coverage._simulation import simulate

__all__ = ["exact", "expected_width", "peeking", "simulate", "worst"]
elsewhere(__name__, simulate_normal="errlab.book.normal_losses.simulate_normal")
