"""Quantiles of the .632 estimates of bootstrap samples (BS1)."""

import numpy as np

from errlab.training_set._centre632 import double632
from errlab.training_set._method import Interval, Task, method


@method(key="BS1", name="Quantile bootstrap", place=0)
def quantile_bootstrap(task: Task, *, inner_resamples: int = 20) -> Interval:
    r"""Quantile bootstrap of the .632 estimate (BS1).

    The ends are the :math:`\delta/2` and :math:`1 - \delta/2` quantiles of the .632 estimates of
    bootstrap samples. These estimates are too low, because a bootstrap sample contains copies,
    which are in both training and test parts.

    Options
    -------
    inner_resamples : int
        Number of bootstrap samples for the .632 estimate of each bootstrap sample.

    References
    ----------
    Laber and Murphy (2008), Section 5; Efron and Tibshirani, An Introduction to the Bootstrap
    (1994).

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = quantile_bootstrap(LeastSquares(), X, y, rng=0)
    >>> bool(0 <= low < high < 0.5)
    True
    """
    estimates = double632(task, inner_resamples)
    return Interval(*np.quantile(estimates, [task.delta / 2, 1 - task.delta / 2]))
