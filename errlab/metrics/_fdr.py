"""Bayesian false discovery rate: discoveries from given posterior probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.public import public
from errlab._core.spoken import Spoken


class _Discoveries(NamedTuple):
    threshold: float
    number: int
    expected_false: float
    rate: float


@public
def fdr(probabilities: ArrayLike, threshold: float) -> Discoveries:
    r"""Return the expected number and rate of false discoveries above a threshold.

    .. math:: FD(\tau) = \sum_i (1 - p_i) \mathbf 1\{p_i > \tau\}, \qquad
              FDR(\tau) = FD(\tau) / N(\tau)

    Parameters
    ----------
    probabilities : array_like, shape (n,)
        Posterior probability, given all the data, that example i is a true phenomenon: p(y_i = 1).
        These aren't p-values; the posterior probability of the null hypothesis is one minus each of
        them.
    threshold : float
        The threshold :math:`\tau`; examples strictly above it are discoveries.

    Returns
    -------
    Discoveries
        ``(threshold, number, expected_false, rate)``.

    Raises
    ------
    ValueError, TypeError
        If a probability leaves [0, 1].

    Examples
    --------
    >>> fdr([0.99, 0.95, 0.6], 0.9)
    Discoveries(threshold=0.9, number=2, expected_false=0.06..., rate=0.03...)
    """
    beliefs = checks.mean(probabilities, "probabilities", ndim=1)
    cut = float(checks.numbers(threshold, "threshold", ndim=0))
    return _discover(beliefs, cut)


def _discover(beliefs: checks.FloatArray, cut: float) -> Discoveries:
    discovered = beliefs[beliefs > cut]
    false = float((1 - discovered).sum())
    return Discoveries(cut, len(discovered), false, false / max(len(discovered), 1))


@public
def fdr_threshold(probabilities: ArrayLike, fdr: float) -> Discoveries:
    r"""Return the threshold with the most discoveries whose false discovery rate is at most `fdr`.

    This is the lowest threshold :math:`\tau` with :math:`FDR(\tau) \le \alpha`. The mean of
    :math:`1 - p_i` over the examples with the largest :math:`p_i` never falls as examples are
    added, so one pass over the sorted examples finds the threshold. Examples with equal
    probabilities are included or left out together.

    Parameters
    ----------
    probabilities : array_like, shape (n,)
        Posterior probability, given all the data, that example i is a true phenomenon: p(y_i = 1).
        These aren't p-values; the posterior probability of the null hypothesis is one minus each of
        them.
    fdr : float
        Largest acceptable false discovery rate (its posterior expectation), in (0, 1).

    Returns
    -------
    Discoveries
        ``(threshold, number, expected_false, rate)``. The threshold is the largest probability left
        out, or minus infinity if every example is a discovery.

    Raises
    ------
    ValueError, TypeError
        If a probability leaves [0, 1] or `fdr` leaves (0, 1).

    References
    ----------
    Newton, Noueiry, Sarkar and Ahlquist, Biostatistics 5 (2004), 155-176; lecture notes.

    Examples
    --------
    >>> fdr_threshold([0.99, 0.95, 0.9, 0.5], 0.06)
    Discoveries(threshold=0.5, number=3, expected_false=0.16..., rate=0.0533...)
    """
    beliefs = checks.mean(probabilities, "probabilities", ndim=1)
    level = checks.one_delta(fdr, "fdr")
    ranked = np.sort(beliefs)[::-1]
    # FDR of the k most probable examples, for every k
    means = np.cumsum(1 - ranked) / np.arange(1, len(ranked) + 1)
    # tolerance for rounding, so that a mean of exactly fdr is allowed
    allowed = means <= level * (1 + 1e-12)
    # the first excess probability is the threshold, so equal probabilities are left out, too
    cut = -np.inf if allowed.all() else float(ranked[np.argmin(allowed)])
    return _discover(beliefs, cut)


class Discoveries(_Discoveries, Spoken):
    """The examples with ``p > threshold``: their number, and the expected number of false ones.

    `rate` is `expected_false` / `number`, and 0 if there are no discoveries.
    """

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"{self.number} discoveries, with a probability above {self.threshold:.4g}; "
            f"{self.expected_false:.4g} of them are expected to be false, "
            f"{rounding.percent(self.rate)} (exact, if the probabilities are right)."
        )
