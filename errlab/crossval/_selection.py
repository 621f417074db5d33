"""Choose a model by cross-validation, and estimate honestly how good it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, training
from errlab._core.checks import Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._core.training import Cases, Estimator, Problem
from errlab.crossval._losses import CVLosses, Folds, Loss, cross_val_losses, losses_of, splits
from errlab.crossval._one_standard_error import one_standard_error
from errlab.losses import hard_loss


class _Nested(NamedTuple):
    losses: CVLosses
    chosen: tuple[str, ...]


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
    rng: Seed = 0,
) -> Nested:
    """Cross-validate the whole procedure "choose by cross-validation, then train".

    In one cross-validation, the error of the best of several models is optimistic, because the same
    losses chose it. Here the choice doesn't use the outer fold, either.

    Parameters
    ----------
    candidates : mapping
        Estimators by name, from the simplest to the most complex.
    X, y
        The examples and their labels.
    cv, inner_cv : int, splitter or iterable
        Outer and inner folds, as in `cross_val_losses`; `inner_cv` must be a number or a splitter.
    rule : {"min", "one-standard-error"}
        How the inner cross-validation chooses.
    loss : callable
        ``loss(y_true, y_pred)`` returns one loss for each example.
    rng : seed, Generator or None
        Draws the folds; the same in each call by default.

    Returns
    -------
    Nested
        Losses of the outer folds, and the name chosen in each.

    Raises
    ------
    ValueError, TypeError
        If the shapes of the arguments don't fit, or an option is invalid.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.arange(24.0)[:, None], np.arange(24) // 12
    >>> models = {"9": KNeighborsClassifier(9), "1": KNeighborsClassifier(1)}
    >>> nested(models, X, y, cv=3, inner_cv=3, rng=0).chosen
    ('1', '1', '1')
    """
    if not isinstance(candidates, Mapping):
        raise TypeError(f"candidates must map names to estimators, got {checks.show(candidates)}")
    checks.require(candidates, "candidates", "not be empty", candidates)
    names = list(candidates)
    models = [training.estimator(candidates[name], f"candidates[{name!r}]") for name in names]
    cases, labels = training.data(X, y)
    checks.choice(rule, "rule", ("min", "one-standard-error"))
    generator = checks.generator(rng)
    outer = splits(cv, cases, labels, generator)
    chosen = []
    for split in outer:
        inside = training.rows(cases, split[0])
        inside_labels = labels[split[0]]
        # All candidates use the same inner folds, so their errors differ only by the models.
        pairs = splits(inner_cv, inside, inside_labels, generator, "inner_cv")
        results = [cross_val_losses(m, inside, inside_labels, cv=pairs, loss=loss) for m in models]
        means = [result.mean for result in results]
        errors = np.zeros(len(results))  # without standard errors, the rule takes the smallest mean
        if rule == "one-standard-error":
            errors += [result.standard_error for result in results]
        chosen.append(one_standard_error(means, errors, np.arange(len(results))))
    problems = [Problem(models[best], cases, labels) for best in chosen]
    return Nested(losses_of(problems, outer, loss), tuple(names[best] for best in chosen))


class Nested(Spoken, _Nested):
    """Nested cross-validation: the losses of the outer folds, and the model chosen in each."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        folds = Counter(self.chosen).most_common(5)
        chosen = ", ".join(f"{name} in {number}" for name, number in folds)
        n = len(self.losses.losses)
        return (
            f"Nested cross-validation: mean loss {self.losses.mean:.4g} on {n} "
            f"tested examples (nothing proven; crossval.estimate gives an interval).\n"
            f"Chosen in {len(self.chosen)} folds: {chosen}."
        )

    __repr__ = claim  # arrays would fill the screen
