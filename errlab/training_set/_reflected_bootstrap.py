"""The quantiles of BS1, reflected at the .632 estimate (BS2)."""

import numpy as np

from errlab.training_set._centre632 import centre632, double632
from errlab.training_set._method import Interval, Task, method


@method(key="BS2", name="Reflected bootstrap", place=1)
def reflected_bootstrap(task: Task, *, inner_resamples: int = 20) -> Interval:
    r"""Reflected bootstrap of the .632 estimate (BS2).

    With :math:`\hat\xi` the .632 estimate and :math:`q` the quantiles of BS1, the interval is
    :math:`2\hat\xi - q_{1-\delta/2}` to :math:`2\hat\xi - q_{\delta/2}`, which is as wide as BS1
    before clipping to [0, 1].

    Options
    -------
    inner_resamples : int
        Number of bootstrap samples for the .632 estimate of each bootstrap sample.

    References
    ----------
    Laber and Murphy (2008), Section 5 ("corrected bootstrap"); Efron and Tibshirani, An
    Introduction to the Bootstrap (1994).

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = reflected_bootstrap(LeastSquares(), X, y, rng=0)
    >>> bool(0 <= low < high < 0.5)
    True
    """
    estimates = double632(task, inner_resamples)
    high, low = np.quantile(estimates, [task.delta / 2, 1 - task.delta / 2])
    centre = 2 * centre632(task)
    return Interval(centre - low, centre - high)
