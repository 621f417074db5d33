"""Choose a model by cross-validation, and still say honestly how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, training
from errlab._core.checks import FloatArray, Seed
from errlab._core.public import public
from errlab._core.training import Cases, Estimator
from errlab.crossval.losses import CVLosses, Folds, Loss, collect, fold_losses, losses_of, splits
from errlab.crossval.one_standard_error import one_standard_error
from errlab.losses import hard_loss

__all__ = ["Nested", "nested"]

RULES = ("min", "one-standard-error")


class Nested(NamedTuple):
    """Nested cross-validation: honest losses, what each fold chose, and on what grounds."""

    losses: CVLosses
    chosen: tuple[str, ...]
    inner_means: FloatArray  # shape (folds, candidates)


def _names(candidates: Mapping[str, Estimator]) -> tuple[str, ...]:
    """Check the candidates, and return what they are called."""
    if not isinstance(candidates, Mapping):
        raise TypeError(
            f"candidates must be a mapping from names to estimators, got {checks.show(candidates)}"
        )
    if not candidates:
        raise ValueError("candidates must not be empty, got {}")
    for name, model in candidates.items():
        training.estimator(model, f"candidates[{name!r}]")
    return tuple(candidates)


@public
def nested(
    candidates: Mapping[str, Estimator],
    X: Cases,
    y: ArrayLike,
    *,
    cv: Folds = 10,
    inner_cv: Folds = 5,
    rule: str = "min",
    loss: Loss = hard_loss,
    rng: Seed = None,
) -> Nested:
    """Cross-validate the whole procedure "choose by cross-validation, then train".

    The error of the best of several models in one cross-validation is optimistic: the same
    losses chose it. Here each outer fold is kept from the choice, too.

    Parameters
    ----------
    candidates : mapping
        Names to estimators, from the simplest to the most complex.
    X, y
        The cases and their labels.
    cv, inner_cv : int, splitter or iterable
        Outer and inner folds, as in `cross_val_losses`; `inner_cv` is a number or a splitter.
    rule : {"min", "one-standard-error"}
        How the inner cross-validation chooses.
    loss : callable
        ``loss(y_true, y_pred)`` returns one loss for each case.
    rng : seed, Generator or None
        Draws the folds.

    Returns
    -------
    Nested
        Losses of the outer folds, the name chosen in each, and the inner means.

    Raises
    ------
    ValueError, TypeError
        If the input is not usable.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.arange(24.0)[:, None], np.arange(24) // 12
    >>> models = {"9": KNeighborsClassifier(9), "1": KNeighborsClassifier(1)}
    >>> nested(models, X, y, cv=3, inner_cv=3, rng=0).chosen
    ('1', '1', '1')
    """
    names = _names(candidates)
    cases, labels = training.data(X, y)
    checks.choice(rule, "rule", RULES)
    generator = checks.generator(rng)
    outer = splits(cv, cases, labels, generator)
    chosen = []
    means = []
    parts = []
    for split in outer:
        inside = training.rows(cases, split[0])
        known = labels[split[0]]
        # All candidates see the same inner folds: their errors differ by the models alone.
        pairs = splits(inner_cv, inside, known, generator, "inner_cv")
        found = [losses_of(candidates[name], inside, known, pairs, loss) for name in names]
        means.append([result.mean for result in found])
        chosen.append(names[_choose(found, rule)])
        parts.append(fold_losses(candidates[chosen[-1]], cases, labels, split, loss))
    return Nested(collect(len(labels), outer, parts), tuple(chosen), np.array(means))


def _choose(found: list[CVLosses], rule: str) -> int:
    means = [result.mean for result in found]
    if rule == "min":
        return int(np.argmin(means))
    errors = [result.standard_error for result in found]
    return one_standard_error(means, errors, np.arange(len(found)))
