"""Langford's inverted binomial tails (L)."""

from errlab.bounds import interval
from errlab.training_set._centre632 import centre632, effective
from errlab.training_set._method import Interval, Task, method


@method(key="L", name="Inverted binomial", place=4)
def langford(task: Task, *, effective_size: int | None = None) -> Interval:
    r"""Langford's inverted binomial tails at the .632 estimate (L).

    This is the two-sided Clopper-Pearson interval for :math:`m \hat\xi` errors among m examples;
    the count needn't be whole, because the beta quantile is defined for fractions.

    Options
    -------
    effective_size : int, optional
        :math:`m`. By default n, as the widths in the paper's tables imply. The paper's text says
        that it is the expected number of different examples in a bootstrap sample, about .632 n.

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
