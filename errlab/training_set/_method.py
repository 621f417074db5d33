"""The class `Method`, its registry, and the decorator that makes a public function.

A method is written as ``f(task, **options) -> Interval`` on checked input. The decorator turns
it into the public ``f(estimator, X, y, *, delta=0.05, resamples=500, rng=0, **options)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, training
from errlab._core.checks import FloatArray, IntArray, Labels, Seed
from errlab._core.interval import Interval, claim
from errlab._core.public import public
from errlab._core.registry import Registry, named_as
from errlab._core.training import Cases, Estimator, Rows
from errlab._numerics import least_squares
from errlab.training_set._least_squares import LeastSquares

__all__ = ["INTERVALS", "Interval", "Method", "Task", "method"]


@dataclass(kw_only=True)
class Method:
    """A confidence set from the training set alone; as a decorator it registers the formula.

    Attributes
    ----------
    key, name : str
        Short name (Laber and Murphy's) and full name.
    place : int
        Its place among the methods, which also determines colour and marker.
    function : callable
        ``function(estimator, X, y, *, delta, resamples, rng)``.
    """

    key: str
    name: str
    place: int
    function: Callable[..., Interval] = field(init=False)

    def __call__(self, formula: Callable[..., Interval]) -> Callable[..., Interval]:
        """Register the formula and return its public function."""
        self.function = public(named_as(formula, _of_task(formula, self.name)))
        INTERVALS.add(self.key, self)
        return self.function


INTERVALS: Registry[Method] = Registry("interval")
method = Method  # lower-case alias for use as a decorator


@dataclass(frozen=True)
class Task:
    """A checked training set with the classifier and the options of the interval."""

    estimator: Estimator
    X: Rows
    y: Labels
    delta: float
    resamples: int
    rng: np.random.Generator

    @property
    def design(self) -> FloatArray | None:
        """The design matrix of a `LeastSquares`, which is fitted to all samples at once."""
        if isinstance(self.estimator, LeastSquares):
            return self.estimator.design(cast(ArrayLike, self.X))
        return None

    def wrong(self, weights: IntArray) -> NDArray[np.bool_]:
        """Return the misclassified examples after training on each row of counts, shape (B, n)."""
        Z = self.design
        if Z is not None:
            codes = least_squares.class_codes(self.y)
            fitted = least_squares.classify(Z, codes, weights)
            return np.asarray(fitted != codes)
        every = np.arange(len(self.y))
        problem = training.Problem(self.estimator, self.X, self.y)
        samples = (np.repeat(every, counts) for counts in weights)
        return np.array([training.mistakes(problem, (train, every)) for train in samples])


def _of_task(formula: Callable[..., Interval], name: str) -> Callable[..., Interval]:
    """Return the public function of a formula, with the formula's own options."""

    def function(
        estimator: Estimator,
        X: Cases,
        y: ArrayLike,
        *,
        delta: float = 0.05,
        resamples: int = 500,
        rng: Seed = 0,
        **options: object,
    ) -> Interval:
        """Return the confidence set.

        Parameters
        ----------
        estimator : object with ``fit`` and ``predict``
            The classifier; a `LeastSquares` is solved for all samples at once. The CUD bound
            accepts only that, with the labels -1 and +1.
        X : array_like, shape (n, ...)
            Training examples.
        y : array_like, shape (n,)
            Their labels.
        delta : float
            Probability that the interval may fail, in (0, 1).
        resamples : int
            Number of bootstrap samples, or of half splits.
        rng : seed, Generator or None
            Draws the samples or splits; the same in each call by default.

        Returns
        -------
        Interval
            ``(low, high)``, in [0, 1].

        Raises
        ------
        ValueError, TypeError
            If an argument leaves its range, or X and y have different lengths.
        """
        cases, labels = training.data(X, y)
        training.estimator(estimator)
        least_squares.class_codes(labels)
        level = checks.one_delta(delta)
        size = checks.one_count(resamples, "resamples")
        task = Task(estimator, cases, labels, level, size, checks.generator(rng))
        low, high = np.clip(formula(task, **options), 0.0, 1.0).tolist()
        quantity = "the error of the classifier trained on these examples"
        return claim(Interval(low, high), quantity, name, "none proven", level)

    return function
