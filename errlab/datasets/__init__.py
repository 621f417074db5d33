"""Simulated problems with known true errors, and public leaderboards.

`donut`, `outlier`, `chi2_small` and `three_points` take the place of Laber and Murphy's simulated
sets, whose definitions are lost. Each result includes what is known about the problem: the Bayes
error for classification, the true weights and noise for regression.

`load_board` has real errors: those of public models on CIFAR-10, ImageNet and LiveCodeBench.
"""

from errlab.datasets._boards import load_board
from errlab.datasets._simulated import ar1_regression, donut, gaussian_mixture, three_points
from errlab.datasets._simulated import chi2_small as chi2_small
from errlab.datasets._simulated import outlier as outlier

__all__ = ["UCI", "ar1_regression", "donut", "gaussian_mixture", "load_board", "three_points"]
# The eight real problems of Laber and Murphy, by the names in their study.
UCI = ("spam", "ionosphere", "heart", "diabetes", "abalone", "liver", "mammogram", "magic")


def __dir__() -> list[str]:
    return __all__
