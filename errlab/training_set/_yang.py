"""Yang's half-split cross-validation (Y)."""

import numpy as np

from errlab._core import checks
from errlab._numerics.roots import normal_quantile
from errlab.training_set._centre632 import centre632, effective
from errlab.training_set._method import Interval, Task, method


@method(key="Y", name="Half-split cross-validation", place=6)
def yang(task: Task, *, effective_size: int | None = None, centre: str = "cv") -> Interval:
    r"""Yang's normal approximation by half-split cross-validation (Y).

    .. math:: \hat\xi_{cv} \pm z_{1-\delta/2} \sqrt{\hat\xi_{cv} (1 - \hat\xi_{cv}) / n^*}

    with :math:`\hat\xi_{cv}` the mean test error over random splits that train on one half and
    test on the other.

    Options
    -------
    effective_size : int, optional
        :math:`n^*`. By default the size of the test half, n - n // 2.
    centre : {"cv", ".632"}
        The centre: the cross-validated error, as the paper's tables imply, or the .632 estimate,
        which its text uses for all competitors.

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
    # splits x examples: 1 if an example is used for training
    train = np.zeros((task.resamples, n), dtype=np.int64)
    train[:, : n // 2] = 1
    train = task.rng.permuted(train, axis=1)
    error = float(task.wrong(train)[train == 0].mean())
    middle = error if centre == "cv" else centre632(task)
    half = normal_quantile(task.delta / 2) * np.sqrt(error * (1 - error) / size)
    return Interval(middle - half, middle + half)
