"""The limit of infinitely many bootstrap resamples of a mean, where resampling takes too long.

A bootstrap sample of n losses has the characteristic function

    phi(t)^n,   phi(t) = (1/n) sum_j exp(i t x_j),

so the distribution of its mean needs no draw: a Fourier series inverts it (Davies, Biometrika 60
(1973), 415-417, Eq. 6). The values need a few dozen passes, the memory is that of one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._numerics.roots import bisect

ComplexArray = NDArray[np.complex128]

WAIT = 20_000_000  # draws that take about a second; above, the limit is computed

_PERIOD = 24.0  # of the series, in standard errors; mass further off than half of it is nil
_FREQUENCIES = 64  # a round of them
_ROUNDS = 16
_NIL = 1e-13  # a characteristic function below it has nothing to add
_BLOCK = 65_536  # values held at once


class MeanLimit:
    """Distribution of the mean of a bootstrap sample of some values.

    If the characteristic function does not decay (a few values far above the others), a normal
    term of a hundredth of the standard error is added to the mean, which moves no quantile by more
    than about that.
    """

    def __init__(self, values: FloatArray):
        n = len(values)
        self.mean = float(values.mean())
        self.error = float(np.sqrt(values.var() / n))
        self._times = np.empty(0)
        self._terms = np.empty(0, dtype=complex)
        if self.error == 0:
            return
        for number in range(_ROUNDS):
            k = np.arange(number * _FREQUENCIES, (number + 1) * _FREQUENCIES)
            times = np.asarray((k + 0.5) * 2 * np.pi / _PERIOD, dtype=float)
            # phi(t)^n of the standardized mean, by its logarithm
            standardized = (values - self.mean) / (n * self.error)
            terms = np.exp(n * _log_transform(standardized, times))
            self._times = np.append(self._times, times)
            self._terms = np.append(self._terms, terms / (np.pi * (k + 0.5)))
            if np.abs(terms[-_FREQUENCIES // 2 :]).max() < _NIL:
                return
        self._terms *= np.exp(-((self._times * 0.01) ** 2) / 2)

    def below(self, value: float) -> float:
        """Probability of a mean below `value`, half of that of the value itself included."""
        if self.error == 0:
            return ((value > self.mean) + (value >= self.mean)) / 2
        return float(self._below(np.array((value - self.mean) / self.error)))

    def _below(self, x: FloatArray) -> FloatArray:
        """The same, of standardized values inside the period."""
        near = np.clip(x, -_PERIOD / 2, _PERIOD / 2)
        # Frequencies on the last axis.
        waves = np.exp(-1j * self._times * near[..., None])
        return np.asarray(np.clip(0.5 - (self._terms * waves).imag.sum(axis=-1), 0, 1))

    def interval(self, low: float, high: float) -> Interval:
        """From the quantile of one level to that of another, inside [0, 1]."""
        return Interval(max(self.quantile(low), 0.0), min(self.quantile(high), 1.0))

    def quantile(self, level: float) -> float:
        """Where the probability below reaches `level`."""
        if self.error == 0:
            return self.mean
        half = np.array(_PERIOD / 2)
        x = bisect(lambda x: self._below(x) < level, -half, half)
        return self.mean + float(x) * self.error


def _log_transform(values: FloatArray, times: FloatArray) -> ComplexArray:
    """Log of the mean of exp(i t x) for equally spaced times."""
    total = np.zeros(len(times), dtype=complex)
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK]
        # The times are equally spaced: one factor leads from each to the next.
        turned = np.exp(1j * times[0] * block)
        step = np.exp(1j * (times[1] - times[0]) * block)
        for number in range(len(times)):
            total[number] += turned.sum()
            turned *= step
    with np.errstate(divide="ignore"):  # a mean of 0 has the log -inf, and its power is 0
        return np.asarray(np.log(total / len(values)))
