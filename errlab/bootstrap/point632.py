"""The .632 and the .632+ estimate of an estimator; `combine` has their formula."""

from __future__ import annotations

from numpy.typing import ArrayLike

from errlab._core.checks import Seed
from errlab._core.public import public
from errlab._core.training import Cases, Estimator
from errlab.bootstrap.loo_bootstrap import loo_bootstrap

__all__ = ["point632", "point632plus"]


@public
def point632(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    resamples: int = 200,
    rng: Seed = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> float:
    """Estimate the error by .632: `loo_bootstrap`, then `combine632`.

    Parameters, errors and notes are those of `loo_bootstrap`, which gives both estimates in one
    pass.

    Returns
    -------
    float
        The estimate, in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2  # pure noise
    >>> round(point632(KNeighborsClassifier(1), X, y, resamples=50, rng=0), 1)  # too low
    0.3
    """
    found = loo_bootstrap(
        estimator, X, y, resamples=resamples, rng=rng, n_jobs=n_jobs, progress=progress
    )
    return found.point632


@public
def point632plus(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    resamples: int = 200,
    rng: Seed = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> float:
    """Estimate the error by .632+: `loo_bootstrap`, then `combine632` with the no-information rate.

    Parameters, errors and notes are those of `loo_bootstrap`, which gives both estimates in one
    pass.

    Returns
    -------
    float
        The estimate, in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2  # pure noise
    >>> round(point632plus(KNeighborsClassifier(1), X, y, resamples=50, rng=0), 1)
    0.5
    """
    found = loo_bootstrap(
        estimator, X, y, resamples=resamples, rng=rng, n_jobs=n_jobs, progress=progress
    )
    return found.point632plus
