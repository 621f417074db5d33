"""The bootstrap: intervals for a mean loss, .632 and .632+, and the jackknife."""

from errlab.bootstrap._jackknife import Jackknife, jackknife, jackknife_error
from errlab.bootstrap.combine import combine632, no_information_rate
from errlab.bootstrap.intervals import bca_interval, percentile_interval, stratified_interval
from errlab.bootstrap.loo_bootstrap import LooBootstrap, loo_bootstrap, loo_bootstrap_linear
from errlab.bootstrap.point632 import point632, point632plus

__all__ = [
    "Jackknife",
    "LooBootstrap",
    "bca_interval",
    "combine632",
    "jackknife",
    "jackknife_error",
    "loo_bootstrap",
    "loo_bootstrap_linear",
    "no_information_rate",
    "percentile_interval",
    "point632",
    "point632plus",
    "stratified_interval",
]
