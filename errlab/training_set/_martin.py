"""The Bayesian set of Martin and Hirschberg (M)."""

import numpy as np
from scipy import special

from errlab._core import checks
from errlab.training_set._centre632 import centre632, effective
from errlab.training_set._method import Interval, Task, method


@method(key="M", name="Bayesian set", place=5)
def martin(
    task: Task, *, effective_size: int | None = None, prior: tuple[float, float] = (1.0, 1.0)
) -> Interval:
    r"""Martin's Bayesian set: equal tails of a beta posterior around the .632 estimate (M).

    The posterior is :math:`\mathrm{Beta}(\gamma + m \hat\xi, \; \lambda + m (1 - \hat\xi))`, as if
    :math:`m \hat\xi` errors had occurred among :math:`m` examples. (The paper's :math:`z_i =
    I(f(x_i) = y_i)` counts the right examples, but must mean the errors.)

    Options
    -------
    effective_size : int, optional
        :math:`m`. By default n, as the widths in the paper's tables imply. The paper's text says
        that it is n minus the expected number of different examples in a bootstrap sample, about
        .368 n.
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
    # treat the estimate as m * estimate errors in m examples, added to the prior's counts
    a, b = parameters + m * np.array([estimate, 1 - estimate])
    tail = task.delta / 2
    return Interval(special.betaincinv(a, b, tail), special.betainccinv(a, b, tail))
