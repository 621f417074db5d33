"""Draw functions: each computes through the package, draws on `ax`, and returns the Axes."""

from errlab.plots.bounds import (
    plot_gap,
    plot_intervals,
    plot_tail,
    plot_upper_against_mean,
    plot_upper_against_n,
)

__all__ = [
    "plot_gap",
    "plot_intervals",
    "plot_tail",
    "plot_upper_against_mean",
    "plot_upper_against_n",
]
