"""The bound from k folds (survey Appendix A, Eq. 51), and its guarantee."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab import bounds
from errlab._core import checks
from errlab._core.public import public
from errlab.crossval._losses import fold_codes, fold_means


@public
def kfold_bound(
    losses: ArrayLike, fold: ArrayLike, key: str, *, delta: float = 0.05, split: bool = False
) -> float:
    r"""Average the test-set bounds of all folds (survey Eq. 51).

    .. math:: \frac1k \sum_{j=1}^k \{\hat L_{n/k}(f_j) + \Delta(f_j, X_j, \delta)\}

    It bounds the average true error of the k models :math:`f_j`, each trained without its fold: the
    error of a prediction by a random one of them. It says nothing about the model trained on all
    data.

    The survey states a confidence of 1 - delta. This is a theorem only for Hoeffding's bound (HOE),
    whose fold bounds are therefore averaged before clipping at 1. The average of other bounds may
    fail more often: ten independent bounds that are 1 with probability .95 and 0 otherwise are each
    valid, but their average fails in 40% of all data sets. For other rigorous bounds, the
    confidence ``1 - k * delta`` is proven by the union bound; ``split=True`` uses ``delta / k`` for
    each fold, which is always valid.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].
    fold : array_like, shape (n,)
        The fold of each loss, labels of any kind.
    key : str
        Short name of a bound, a key of ``bounds.BOUNDS``.
    delta : float
        Probability that a bound may fail, in (0, 1): that of each fold, or with `split` of any
        fold.
    split : bool
        Whether each fold uses ``delta / k``, so that all are valid at once with confidence ``1 -
        delta``.

    Returns
    -------
    float
        The bound, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a loss leaves [0, 1], there is a single fold, or the key is unknown.

    References
    ----------
    Anguita et al., survey, Appendix A. Blum, Kalai & Langford (1999), "Beating the hold-out".

    Examples
    --------
    >>> losses, fold = [0, 1] + 8 * [0] + [1] + 9 * [0], 10 * ["a"] + 10 * ["b"]
    >>> round(kfold_bound(losses, fold, "CP"), 4)
    0.3942
    """
    key = bounds.BOUNDS.find(key)
    values = checks.losses(losses)
    codes = fold_codes(fold, losses=values)
    k = int(codes.max()) + 1
    level = checks.one_delta(delta)
    if checks.flag(split, "split"):
        level /= k
    if key == "HOE" and not split:  # clipping each fold's bound would invalidate the proof
        sizes = np.bincount(codes)
        width = np.sqrt(np.log(1 / level) / (2 * sizes))  # Eq. 48
        return min(float(np.mean(fold_means(values, codes) + width)), 1.0)
    # Each fold's bound can be clipped at 1; by the union bound, the mean stays valid.
    parts = [bounds.upper(key, losses=values[codes == j], delta=level) for j in range(k)]
    return float(np.mean(parts))
