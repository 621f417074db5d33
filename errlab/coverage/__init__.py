"""How often a bound holds: exactly for 0/1 losses, by simulation for losses in [0, 1]."""

from errlab.coverage._exact import exact, expected_width, worst
from errlab.coverage._peeking import peeking
from errlab.coverage._simulation import simulate

__all__ = ["exact", "expected_width", "peeking", "simulate", "worst"]
