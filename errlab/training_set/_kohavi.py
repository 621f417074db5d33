"""Kohavi's normal approximation (K)."""

from errlab.bounds import interval
from errlab.training_set._centre632 import centre632, effective
from errlab.training_set._method import Interval, Task, method


@method(key="K", name="Normal approximation", place=3)
def kohavi(task: Task, *, effective_size: int | None = None) -> Interval:
    r"""Kohavi's normal approximation around the .632 estimate (K).

    .. math:: \hat\xi \pm z_{1-\delta/2} \sqrt{\hat\xi (1 - \hat\xi) / n^*}

    as if the estimate came from an independent test set of :math:`n^*` examples. (The paper prints
    the square root of a standard error, but must mean a variance.)

    Options
    -------
    effective_size : int, optional
        :math:`n^*`. By default n, as the widths in the paper's tables imply. The paper's text says
        that it is the expected number of different examples in a bootstrap sample, about .632 n.

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
