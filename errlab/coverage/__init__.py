"""How often a bound holds: exactly for 0/1 losses, by simulation for losses in [0, 1]."""

from errlab.coverage._exact import Worst, exact, expected_width, worst
from errlab.coverage._normal import NormalErrors, simulate_normal
from errlab.coverage._outcomes import SIDES
from errlab.coverage._peeking import peeking
from errlab.coverage._simulation import Simulation, simulate

__all__ = [
    "SIDES",
    "NormalErrors",
    "Simulation",
    "Worst",
    "exact",
    "expected_width",
    "peeking",
    "simulate",
    "simulate_normal",
    "worst",
]
