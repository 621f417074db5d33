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

    It bounds the average true error of the k models :math:`f_j`, each trained without its fold:
    the error of a prediction by one of them, picked at random. It says nothing of the model
    trained on all the data.

    The survey gives it the confidence 1 - delta. That is a theorem for Hoeffding's bound (HOE)
    alone, which is why only its fold bounds are averaged before the cap at 1. For other bounds
    the average may fail more often: ten independent bounds, each worth 1 with probability .95
    and 0 otherwise, are valid one by one, and their average fails in 40 % of all cases.
    What is proven of any other rigorous bound is ``1 - k * delta``, the union of the failures;
    ``split=True`` takes ``delta / k`` a fold, which holds always.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].
    fold : array_like, shape (n,)
        Which fold each loss belongs to, labels of any kind.
    key : str
        Short name of a bound, a key of ``bounds.BOUNDS``.
    delta : float
        Probability that the bound may fail, in (0, 1): of each fold, or of all with `split`.
    split : bool
        Whether each fold takes ``delta / k``, so that all hold at once with confidence
        ``1 - delta``.

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
