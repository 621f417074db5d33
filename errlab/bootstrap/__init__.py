"""The bootstrap: intervals for a mean loss, .632 and .632+, and the jackknife."""

from errlab.bootstrap._intervals import bca_interval, jackknife, percentile_interval
from errlab.bootstrap._point632 import combine632, loo_bootstrap, loo_bootstrap_linear, point632

__all__ = [
    "bca_interval",
    "combine632",
    "jackknife",
    "loo_bootstrap",
    "loo_bootstrap_linear",
    "percentile_interval",
    "point632",
]


def __dir__() -> list[str]:
    return __all__
