"""The bootstrap: intervals for a mean loss, .632 and .632+, and the jackknife."""

from errlab._core.public import elsewhere
from errlab.bootstrap.intervals import bca_interval, jackknife, percentile_interval
from errlab.bootstrap.point632 import combine632, loo_bootstrap, loo_bootstrap_linear

__all__ = [
    "bca_interval",
    "combine632",
    "jackknife",
    "loo_bootstrap",
    "loo_bootstrap_linear",
    "percentile_interval",
]
elsewhere(
    __name__,
    jackknife_error="jackknife, of errors with each case left out",
    point632="loo_bootstrap(...).point632",
    point632plus="loo_bootstrap(...).point632plus",
    stratified_interval="percentile_interval",
)
