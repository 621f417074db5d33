"""The six methods that Laber and Murphy set beside CUD: all from one .632 estimate, or many."""

from __future__ import annotations

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval
from errlab._numerics.roots import normal_quantile
from errlab.bootstrap import combine632, loo_bootstrap, loo_bootstrap_linear
from errlab.bounds import interval
from errlab.training_set._method import Task, method

__all__ = ["kohavi", "langford", "martin", "quantile_bootstrap", "reflected_bootstrap", "yang"]

CELLS = 2_000_000  # numbers held at once


def centre632(task: Task) -> float:
    """Efron's .632 estimate from ``task.resamples`` bootstrap samples."""
    if task.design is not None:
        return loo_bootstrap_linear(
            task.design, task.y, resamples=task.resamples, rng=task.rng
        ).point632
    found = loo_bootstrap(task.estimator, task.X, task.y, resamples=task.resamples, rng=task.rng)
    return found.point632


def double632(task: Task, inner: int) -> FloatArray:
    """Return the .632 estimate of each of ``task.resamples`` bootstrap samples.

    Each sample is taken as a data set of n cases, copies and all, with `inner` bootstrap
    samples of its own: what one gets by calling `centre632` on it.
    """
    inner = checks.one_count(inner, "inner_resamples")
    n = len(task.y)
    block = max(1, CELLS // (inner * n))
    parts = []
    for start in range(0, task.resamples, block):
        size = min(block, task.resamples - start)
        cases = task.rng.integers(n, size=(size, n))  # the sample: case behind each copy
        copies = task.rng.integers(n, size=(size, inner, n))  # drawn from it
        # Outer samples x inner samples x copies: which case of the data each copy is.
        behind = np.take_along_axis(cases[:, None, :], copies, axis=2)
        wrong = task.wrong(_tally(behind).reshape(-1, n)).reshape(size, inner, n)
        wrong = np.take_along_axis(wrong, cases[:, None, :], axis=2)
        # Leave-one-out over the copies. One that every inner sample holds does not count.
        out = _tally(copies) == 0
        times = out.sum(axis=1)
        losses = (wrong & out).sum(axis=1) / np.maximum(times, 1)
        error1 = losses.sum(axis=1) / np.maximum((times > 0).sum(axis=1), 1)
        error = np.take_along_axis(task.wrong(_tally(cases)), cases, axis=1).mean(axis=1)
        parts.append(combine632(error, error1))
    return np.concatenate(parts)


def _tally(drawn: IntArray) -> IntArray:
    """Count how often each of n numbers stands on the last axis, of length n."""
    return np.apply_along_axis(np.bincount, -1, drawn, minlength=drawn.shape[-1])


def effective(size: int | None, n: int) -> int:
    """Check an effective sample size; n where it is not given."""
    return n if size is None else checks.one_count(size, "effective_size")


@method(key="BS1", name="Quantile bootstrap", place=0, source="Efron & Tibshirani 1994")
def quantile_bootstrap(task: Task, *, inner_resamples: int = 20) -> Interval:
    r"""Quantile bootstrap of the .632 estimate (BS1).

    The :math:`\delta/2` and :math:`1 - \delta/2` quantiles of the .632 estimates of bootstrap
    samples. A bootstrap sample holds copies, which train and test: the estimates are too low.

    Options
    -------
    inner_resamples : int
        Bootstrap samples for the .632 estimate of each bootstrap sample.

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


@method(key="BS2", name="Reflected bootstrap", place=1, source="Efron & Tibshirani 1994")
def reflected_bootstrap(task: Task, *, inner_resamples: int = 20) -> Interval:
    r"""Reflected bootstrap of the .632 estimate (BS2).

    With :math:`\hat\xi` the .632 estimate and :math:`q` the quantiles of BS1, the interval is
    :math:`2\hat\xi - q_{1-\delta/2}` to :math:`2\hat\xi - q_{\delta/2}`: as wide as BS1 before
    it is clipped to [0, 1].

    Options
    -------
    inner_resamples : int
        Bootstrap samples for the .632 estimate of each bootstrap sample.

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


@method(key="K", name="Normal approximation", place=3, source="Kohavi 1995")
def kohavi(task: Task, *, effective_size: int | None = None) -> Interval:
    r"""Kohavi's normal approximation around the .632 estimate (K).

    .. math:: \hat\xi \pm z_{1-\delta/2} \sqrt{\hat\xi (1 - \hat\xi) / n^*}

    as if the estimate came from an independent test set of :math:`n^*` cases. (The paper prints
    the square root of a standard error; a variance must be meant.)

    Options
    -------
    effective_size : int, optional
        :math:`n^*`. By default n, as the widths in the paper's tables imply. The paper's text
        says the expected number of different cases in a bootstrap sample, about .632 n.

    References
    ----------
    Laber and Murphy (2008), Section 2; Kohavi, IJCAI 1995.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = kohavi(LeastSquares(), X, y, rng=0)
    >>> bool(0 <= low < high < 0.5)
    True
    """
    size = effective(effective_size, len(task.y))
    return interval("NOR", centre632(task), size, delta=task.delta)


@method(key="L", name="Inverted binomial", place=4, source="Langford 2005")
def langford(task: Task, *, effective_size: int | None = None) -> Interval:
    r"""Langford's inverted binomial tails at the .632 estimate (L).

    The two-sided Clopper-Pearson interval for :math:`m \hat\xi` errors among m cases; the count
    need not be whole, as the beta quantile is continuous in it.

    Options
    -------
    effective_size : int, optional
        :math:`m`. By default n, as the widths in the paper's tables imply. The paper's text
        says the expected number of different cases in a bootstrap sample, about .632 n.

    References
    ----------
    Laber and Murphy (2008), Section 5, footnotes 1 and 3; Langford, JMLR 6 (2005), 273-306.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = langford(LeastSquares(), X, y, rng=0)
    >>> bool(0 < low < high < 0.5)
    True
    """
    size = effective(effective_size, len(task.y))
    return interval("CP", centre632(task), size, delta=task.delta)


@method(key="M", name="Bayesian set", place=5, source="Martin & Hirschberg 1996")
def martin(
    task: Task, *, effective_size: int | None = None, prior: tuple[float, float] = (1.0, 1.0)
) -> Interval:
    r"""Martin's Bayesian set: equal tails of a beta posterior around the .632 estimate (M).

    The posterior is :math:`\mathrm{Beta}(\gamma + m \hat\xi, \; \lambda + m (1 - \hat\xi))`, as
    if :math:`m \hat\xi` errors had been seen among :math:`m` cases. (The paper's
    :math:`z_i = I(f(x_i) = y_i)` counts the right cases; the errors must be meant.)

    Options
    -------
    effective_size : int, optional
        :math:`m`. By default n, as the widths in the paper's tables imply. The paper's text
        says n less the expected number of different cases in a bootstrap sample, about .368 n.
    prior : tuple of float
        :math:`(\gamma, \lambda)`, above 0; uniform by default.

    References
    ----------
    Laber and Murphy (2008), Section 2; Martin and Hirschberg, ICS-TR-96-22 (1996).

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = martin(LeastSquares(), X, y, rng=0)
    >>> bool(0 < low < high < 0.5)
    True
    """
    m = effective(effective_size, len(task.y))
    parameters = checks.within(prior, "prior", 0, open_low=True, ndim=1)
    checks.require(len(parameters) == 2, "prior", "hold two numbers", len(parameters))
    estimate = centre632(task)
    # As if m * estimate of m cases had been errors; the prior's numbers were seen before.
    a, b = parameters + m * np.array([estimate, 1 - estimate])
    tail = task.delta / 2
    return Interval(special.betaincinv(a, b, tail), special.betainccinv(a, b, tail))


@method(key="Y", name="Half-split cross-validation", place=6, source="Yang 2006")
def yang(task: Task, *, effective_size: int | None = None, centre: str = "cv") -> Interval:
    r"""Yang's normal approximation by half-split cross-validation (Y).

    .. math:: \hat\xi_{cv} \pm z_{1-\delta/2} \sqrt{\hat\xi_{cv} (1 - \hat\xi_{cv}) / n^*}

    with :math:`\hat\xi_{cv}` the mean test error over random splits that train on one half and
    test on the other.

    Options
    -------
    effective_size : int, optional
        :math:`n^*`. By default the size of the half that is tested, n - n // 2.
    centre : {"cv", ".632"}
        Centre: the cross-validated error itself, as the paper's tables imply, or the .632
        estimate, which its text gives to all competitors.

    References
    ----------
    Laber and Murphy (2008), Sections 2 and 5; Yang, Statistica Sinica 16 (2006), 635-657.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = yang(LeastSquares(), X, y, rng=0)
    >>> bool(0 <= low < high < 0.6)
    True
    """
    n = len(task.y)
    checks.choice(centre, "centre", ["cv", ".632"])
    size = effective(effective_size, n - n // 2)
    # Splits x cases: 1 where a case trains.
    train = np.zeros((task.resamples, n), dtype=np.int64)
    train[:, : n // 2] = 1
    train = task.rng.permuted(train, axis=1)
    error = float(task.wrong(train)[train == 0].mean())
    middle = error if centre == "cv" else centre632(task)
    half = normal_quantile(task.delta / 2) * np.sqrt(error * (1 - error) / size)
    return Interval(middle - half, middle + half)
