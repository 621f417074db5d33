"""The .632 and .632+ estimates of the error from its ingredients."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatOrArray
from errlab._core.public import public

__all__ = ["combine632", "no_information_rate"]

WEIGHT = 0.632  # as printed by Efron; the lecture notes have .636, a slip


@public
def combine632(
    resubstitution: ArrayLike, loo_bootstrap: ArrayLike, *, no_information: ArrayLike | None = None
) -> FloatOrArray:
    r"""Combine the training error and the leave-one-out bootstrap error.

    The .632 estimate is :math:`.368 \, err + .632 \, Err_1`. The .632+ estimate, where the
    no-information rate :math:`\gamma` is given, moves the weight towards :math:`Err_1` by the
    relative overfitting R:

    .. math:: (1 - w) \, err + w \, Err_1', \quad w = \frac{.632}{1 - .368 R}, \quad
              R = \frac{Err_1' - err}{\gamma - err}, \quad Err_1' = \min(Err_1, \gamma)

    with R = 0 where :math:`Err_1'` or :math:`\gamma` is not above err. So R and w lie in their
    ranges, and the estimate lies between err and :math:`Err_1'`. (The paper's last form keeps the
    uncapped :math:`Err_1` in its .632 part, and so may exceed both; the two differ only where
    :math:`Err_1 > \gamma`.)

    Parameters
    ----------
    resubstitution : float or array_like
        Error of the full model on its own training set, in [0, 1].
    loo_bootstrap : float or array_like
        Leave-one-out bootstrap error, in [0, 1].
    no_information : float or array_like, optional
        Error expected if labels and cases were independent, in [0, 1]; it asks for .632+.

    Returns
    -------
    float or ndarray
        The estimate, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a rate leaves [0, 1] or the shapes do not broadcast.

    References
    ----------
    Efron & Tibshirani (1997), "Improvements on cross-validation: the .632+ bootstrap method".

    Examples
    --------
    >>> combine632(0.0, 0.5)
    0.316
    >>> combine632(0.0, 0.5, no_information=0.5)
    0.5
    """
    err = checks.mean(resubstitution, "resubstitution")
    err1 = checks.mean(loo_bootstrap, "loo_bootstrap")
    if no_information is None:
        err, err1 = checks.same_shape(resubstitution=err, loo_bootstrap=err1)
        return checks.plain((1 - WEIGHT) * err + WEIGHT * err1)
    gamma = checks.mean(no_information, "no_information")
    err, err1, gamma = checks.same_shape(
        resubstitution=err, loo_bootstrap=err1, no_information=gamma
    )
    # Efron and Tibshirani (1997): R is 0 without overfitting and 1 at chance.
    capped = np.minimum(err1, gamma)
    overfits = capped > err
    R = np.where(overfits, (capped - err) / np.where(overfits, gamma - err, 1), 0)
    w = WEIGHT / (1 - (1 - WEIGHT) * R)
    return checks.plain(np.clip((1 - w) * err + w * capped, 0, 1))


@public
def no_information_rate(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    r"""Error expected if labels and predictions were independent, with the same frequencies.

    .. math:: \gamma = \sum_k p_k (1 - q_k)

    with :math:`p_k` the share of class k among the labels and :math:`q_k` among the predictions.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Labels, and predictions of the full model on its training set.

    Returns
    -------
    float
        The rate, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a label is missing, or strings are mixed with numbers.

    References
    ----------
    Efron & Tibshirani (1997).

    Examples
    --------
    >>> no_information_rate([0, 0, 0, 1], [0, 0, 1, 1])
    0.5
    """
    true, pred = checks.same_labels(y_true=y_true, y_pred=y_pred)
    agree = sum(np.sum(true == name) * np.sum(pred == name) for name in set(true.tolist()))
    return float(1 - agree / len(true) ** 2)
