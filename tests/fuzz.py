"""One bad argument at a time, for every public function: refused in one clear line, or right.

``python tests/fuzz.py`` makes every call and prints the counts; `test_fuzz.py` makes
them, too. Nothing is listed by hand but what is bound to a name: a parameter of the same name means
the same thing everywhere, so that a new function is tested as soon as it is public.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import importlib
import inspect
import linecache
import signal
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

import errlab
from errlab import bounds, holdout, metrics

PACKAGES = (
    "bounds", "bootstrap", "compare", "coverage", "crossval", "datasets", "generalization",
    "holdout", "intervals", "losses", "metrics",
)  # fmt: skip
SLOW = 5.0  # seconds that one call may take

RNG = np.random.default_rng(0)
CASES = RNG.normal(size=(24, 2))
LABELS = (CASES[:, 0] + RNG.normal(size=24) > 0).astype(int)
SIGNS = 2 * LABELS - 1
GUESSES = np.where(np.arange(24) % 5 == 0, 1 - LABELS, LABELS)
OTHERS = np.where(np.arange(24) % 7 == 0, 1 - LABELS, LABELS)
LOSSES = (np.arange(24) % 4 == 0).astype(float)
FOLDS = np.arange(24) % 4


class Nearest:
    """A quick classifier of no library; as others do, it wants finite numbers."""

    def fit(self, X, y):
        self.X, self.y = self._finite(X), np.asarray(y)

    def predict(self, X):
        with np.errstate(all="ignore"):
            distance = ((self._finite(X)[:, None] - self.X) ** 2).sum(axis=2)
        return self.y[distance.argmin(axis=1)]

    def _finite(self, X):
        if type(X) is np.ndarray and X.dtype == float and np.isfinite(X).all():
            return X
        array = as_numbers(X.toarray() if sparse.issparse(X) else X)
        if array is None:
            raise ValueError("X must hold finite numbers")
        return array


# What an argument may be. Each kind tells a fine value from one that must be refused.


def as_numbers(value):
    """Read a value as an array of finite real numbers, or None where it is none."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        return None
    if isinstance(value, (list, tuple)) and any(v is np.ma.masked for v in value):
        return None
    if isinstance(value, (str, bytes, dict, set)) or sparse.issparse(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        return None
    if array.dtype.kind == "O":
        if not all(isinstance(v, (Real, np.bool_)) for v in array.ravel()):
            return None
        try:
            array = array.astype(float)
        except (OverflowError, ValueError):
            return None
    if array.dtype.kind not in "biuf" or array.size == 0:
        return None
    array = array.astype(float)
    return array if np.isfinite(array).all() else None


@dataclasses.dataclass(frozen=True)
class Numbers:
    """Real numbers in a range: one, or an array of as many axes as is said."""

    low: float = -np.inf
    high: float = np.inf
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    axes: tuple[int, ...] = (0,)
    optional: bool = False

    def fine(self, value):
        if value is None:
            return self.optional
        array = as_numbers(value)
        if array is None or array.ndim not in self.axes:
            return False
        if self.whole and (np.asarray(value).dtype.kind == "b" or (array != np.rint(array)).any()):
            return False
        inside = (array >= self.low) & (array <= self.high)
        inside &= ~((array == self.low) & self.open_low) & ~((array == self.high) & self.open_high)
        return bool(inside.all())


ANY = (0, 1, 2, 3)


def rate(axes=(0,), **options):
    return Numbers(0, 1, axes=axes, **options)


def whole(low=1, axes=(0,), **options):
    return Numbers(low, 2**53 - 1, whole=True, axes=axes, **options)


class Labels:
    """A row of labels of one kind, none of them missing."""

    def fine(self, value):
        if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
            return False
        if isinstance(value, (str, bytes, dict, set)):
            return False
        if isinstance(value, (list, tuple)):
            array = np.empty(len(value), dtype=object)
            with contextlib.suppress(ValueError):
                array[:] = value
        else:
            array = np.asarray(value)
        if array.ndim != 1 or not array.size or sparse.issparse(value):
            return False
        entries = array.tolist()
        if any(v is None or v is pd.NA or v is pd.NaT or v is np.ma.masked for v in entries):
            return False
        kinds = {"number" if isinstance(v, Real) else type(v).__name__ for v in entries}
        if len(kinds) > 1 or kinds & {"list", "dict", "set", "ndarray"}:
            return False
        return kinds != {"number"} or bool(np.isfinite([float(v) for v in entries]).all())


class Named:
    """One of some words."""

    def __init__(self, *words, optional=False):
        self.words, self.optional = words, optional

    def fine(self, value):
        if value is None:
            return self.optional
        return isinstance(value, str) and value.upper() in {w.upper() for w in self.words}


class Seed:
    def fine(self, value):
        if value is None or isinstance(value, (np.random.Generator, np.random.SeedSequence)):
            return True
        is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        return is_whole and value >= 0


class Flag:
    def fine(self, value):
        return isinstance(value, (bool, np.bool_))


class Function:
    """Something that can be called; what it then says is checked elsewhere."""

    def __init__(self, optional=False):
        self.optional = optional

    def fine(self, value):
        return callable(value) or (value is None and self.optional)


class Model:
    def fine(self, value):
        return hasattr(value, "fit") and not isinstance(value, type)


class Table:
    """A finite matrix; or, for an estimator, anything with rows."""

    def fine(self, value):
        if sparse.issparse(value):
            return True
        array = as_numbers(value)
        return array is not None and array.ndim >= 2


class Folds:
    def fine(self, value):
        return whole(2).fine(value) or isinstance(value, (list, tuple)) or hasattr(value, "split")


class Of:
    """An object of one class, or of a shape that a function says."""

    def __init__(self, rule):
        self.rule = rule

    def fine(self, value):
        return bool(self.rule(value))


KEY = Named(*bounds.BOUNDS, *(entry.name for entry in bounds.BOUNDS.values()))
PEEKED = Named(
    *(k for k, e in bounds.BOUNDS.items() if e.needs != "losses"),
    *(e.name for e in bounds.BOUNDS.values() if e.needs != "losses"),
)
SIDE = Named("upper", "lower", "interval")

# By the name of the parameter: a value that works, and what the parameter may be.
PARAMETERS = {
    # data
    "X": (CASES, Table()),
    "y": (LABELS, Labels()),
    "y_true": (LABELS, Labels()),
    "y_pred": (GUESSES, Labels()),
    "pred_a": (GUESSES, Labels()),
    "pred_b": (OTHERS, Labels()),
    "scores": (CASES[:, 0], Numbers(axes=(1, 2))),
    "scores_b": (CASES[:, 1], Numbers(axes=(1,))),
    "ids": (np.arange(24), Labels()),
    "losses": (LOSSES, rate(axes=(1,))),
    "losses_a": (LOSSES, Numbers(axes=(1,))),
    "losses_b": (LOSSES[::-1], Numbers(axes=(1,))),
    "fold": (FOLDS, Labels()),
    "strata": (FOLDS, Labels()),
    "groups": (FOLDS, Labels()),
    "means": (LOSSES[:8] / 2 + np.arange(8) / 20, rate(axes=(1,))),
    "values": (LOSSES[:8] + np.arange(8), Numbers(axes=(1,))),
    "standard_errors": (np.full(8, 0.1), Numbers(0, axes=(1,))),
    "complexity": (np.arange(8), Numbers(axes=(1,))),
    "differences": (0.02 + CASES[:10, 0] / 50, Numbers(axes=(1, 2, 3))),
    "errors": (np.arange(1.0, 9) ** 2, Numbers(0, axes=(1, 2, 3))),
    "full": (np.arange(8.0), Numbers(0, axes=(1,))),
    "reduced": (np.arange(8.0)[::-1] / 2, Numbers(0, axes=(1,))),
    "first": (np.arange(8.0), Numbers(0, axes=(1,))),
    "second": (np.arange(8.0)[::-1], Numbers(0, axes=(1,))),
    "counts": ([[5, 1], [2, 4]], whole(0, axes=(2, 3))),
    "table": ([[5, 1], [2, 4]], whole(0, axes=(2, 3))),
    "pvalues": ([0.01, 0.2, 0.03], rate(axes=(1,))),
    "probabilities": (np.full(24, 1 / 24), rate(axes=(1,))),
    "left_out": (np.arange(8.0), Numbers(axes=(1,))),
    "cases": (np.repeat(CASES, 2, axis=0), Numbers(axes=(2,))),
    "copies": ([2, 1, 1], whole(axes=(1,))),
    "Z": (np.column_stack([np.ones(8), CASES[:8, 0]]), Numbers(axes=(2,))),
    "K": (CASES @ CASES.T, Numbers(axes=(2,))),
    "fpr": ([0, 0.2, 1], rate(axes=(1,))),
    "tpr": ([0, 0.8, 1], rate(axes=(1,))),
    "train": ([0.1, 0.2], Numbers(axes=(1,))),
    "holdout": ([0.1, 0.3], Numbers(axes=(1,))),
    "submissions": ([1, 3], whole(axes=ANY)),
    "kept": ([1, 2], whole(axes=(0, 1))),
    "discordant": ([3, 9], whole(0, axes=ANY)),
    "predictions": ({"a": GUESSES, "b": OTHERS}, Of(lambda v: False)),
    "baseline": (None, Of(lambda v: v is None)),
    "adjust": ("holm", Named("holm", "bonferroni")),
    "score_a": (CASES[:, 0], Numbers(axes=(1, 2))),
    "score_b": (CASES[:, 1], Numbers(axes=(1, 2), optional=True)),
    "metric": ("roc_auc", Named("roc_auc", "roc auc")),
    "draws": (500, whole()),
    "shares": ({0: 0.1, 1: 0.2, 2: 0.3, 3: 0.4}, Of(lambda v: False)),
    "judged": (LOSSES[::-1], Numbers(axes=(1,))),
    "judged_more": (np.arange(30) % 3 / 2, Numbers(axes=(1,))),
    "largest": (None, Numbers(0, open_low=True, optional=True)),
    # estimators and functions
    "estimator": (Nearest(), Model()),
    "estimator_a": (Nearest(), Model()),
    "estimator_b": (Nearest(), Model()),
    "candidates": ({"near": Nearest()}, Of(lambda v: False)),
    "loss": (errlab.losses.hard_loss, Function(optional=True)),
    "board": (holdout.latest_score, Function()),
    "power_at": (lambda n: n / (n + 5), Function()),
    "power": (0.8, rate(open_low=True, open_high=True)),
    "sample": (lambda rng, shape: rng.random(shape) < 0.2, Function()),
    "basis": (None, Function(optional=True)),
    # rates
    "mean": (0.25, rate(axes=ANY)),
    "error": (0.25, rate(axes=ANY)),
    "tested_error": (0.1, rate()),
    "resubstitution": (0.1, rate(axes=ANY)),
    "loo_bootstrap": (0.3, rate(axes=ANY)),
    "no_information": (0.5, rate(axes=ANY, optional=True)),
    "prevalence": (0.2, rate(axes=ANY, open_low=True, open_high=True)),
    "epsilon": (0.1, Numbers(0, axes=ANY)),
    "p01": (0.1, rate()),
    "p10": (0.05, rate()),
    "p_a": (0.3, rate()),
    "p_b": (0.1, rate()),
    "prior": (0.5, rate()),
    "share": (0.1, rate()),
    "noise": (0.1, Numbers(0)),
    "noise_variance": (1.0, Numbers(0)),
    "label_noise": (0.1, rate()),
    "target": (0.3, rate()),
    "delta": (0.05, rate(open_low=True, open_high=True)),
    "var": (0.1, Numbers(0, 0.25, axes=ANY, optional=True)),
    "threshold": (0.5, Numbers(optional=True)),
    "alpha": (0.5, Numbers(0, open_low=True, optional=True)),
    "steepness": (0.5, Numbers(0, open_low=True)),
    "fdr": (0.05, rate(open_low=True, open_high=True)),
    "beta": (1.0, Numbers(0, open_low=True)),
    "rope": (0.01, Numbers(0)),
    "ridge": (0.5, Numbers(0, axes=(0, 1))),
    "value": (3.0, Numbers()),
    "difference": (0.02, Numbers()),
    "sd": (0.05, Numbers(0, open_low=True)),
    "margin": (0.02, rate(open_low=True, open_high=True, optional=True)),
    "step": (0.1, Numbers(0, open_low=True, optional=True)),
    "correlation": (0.5, Numbers(0, 1)),
    "kurtosis": (3.0, Numbers(1, axes=ANY)),
    "coefficient": (0.5, Numbers()),
    "separation": (2.0, Numbers(axes=(0, 1))),
    "training_mse": (1.0, Numbers(0, axes=ANY)),
    "test_size": (0.3, rate(open_low=True, open_high=True)),
    "public_size": (0.3, rate(open_low=True, open_high=True)),
    "validation_size": (0.25, rate(open_low=True, open_high=True)),
    "effective_size": (None, whole(optional=True)),
    # counts
    "n": (20, whole(axes=ANY)),
    "N": (20, whole()),
    "tp": (5, whole(0)),
    "fp": (3, whole(0)),
    "fn": (2, whole(0)),
    "n01": (3, whole(0, axes=ANY)),
    "n10": (9, whole(0, axes=ANY)),
    "n_a": (20, whole(axes=ANY)),
    "n_b": (20, whole(axes=ANY)),
    "errors_a": (3, whole(0, axes=ANY)),
    "errors_b": (9, whole(0, axes=ANY)),
    "n_train": (18, whole()),
    "n_test": (2, whole()),
    "models": (3, whole(axes=ANY)),
    "variables": (5, whole()),
    "classes": (3, whole(2)),
    "block": (2, whole()),
    "budget": (None, whole(optional=True)),
    "resamples": (20, whole()),
    "repeats": (5, whole()),
    "inner_cv": (3, Folds()),
    "inner_resamples": (3, whole()),
    "start": (2, whole()),
    "sets": (None, whole(optional=True)),
    "max_nodes": (None, whole(optional=True)),
    # words and other things
    "key": ("WIL", KEY),
    "keys": (["WIL", "NOR"], Of(lambda v: False)),
    "method": (None, Named()),
    "side": ("upper", SIDE),
    "variance": ("within", Named("within", "all")),
    "rule": ("min", Named("min", "one-standard-error")),
    "order": ("shuffle", Named("shuffle", "given")),
    "outside": ("clip", Named("clip", "keep")),
    "scale": ("identity", Named("identity", "logit")),
    "centre": ("cv", Named("cv", ".632")),
    "rate": ("TPR", Of(lambda v: isinstance(v, str))),
    "name": ("spam", Named()),
    "range": (None, Of(lambda v: v is None)),
    "names": (("A", "B"), Of(lambda v: isinstance(v, (list, tuple)) and len(v) == 2)),
    "cv": (4, Folds()),
    "rng": (0, Seed()),
    "n_jobs": (None, Of(lambda v: v is None or (type(v) is int and 1 <= abs(v) <= 1024))),
    "progress": (None, Of(lambda v: v is None or isinstance(v, bool))),
    "positive": (1, Of(lambda v: v is None or (isinstance(v, (Real, np.bool_)) and v in (0, 1)))),
    "rigorous": (True, Flag()),
    "higher_is_better": (True, Flag()),
    "split": (False, Flag()),
    "paired": (True, Flag()),
    "corrected": (False, Flag()),
    "within": ((0.1, 0.2), Of(lambda v: rate(axes=(1,)).fine(v) and len(v) == 2)),
}


class Zeros(Numbers):
    """A row of zeros and ones."""

    def __init__(self):
        super().__init__(0, 1, axes=(1,))

    def fine(self, value):
        return super().fine(value) and bool(np.isin(as_numbers(value), (0, 1)).all())


OPTIONAL_GROUPS = (None, Of(lambda v: v is None or Labels().fine(v)))
EXACT_TEST = Named("exact", "mid-p", "chi2", "chi2-corrected", "z")

# Where one name stands for something else.
TWO_AXES = (np.column_stack([LOSSES, LOSSES[::-1]]), rate(axes=(2,)))
OWN_SIGNS = {"y": (SIGNS, Labels()), "y_true": (SIGNS, Labels())}
PAIRED = {"method": ("tango", Named("tango", "newcombe"))}
UNPAIRED = {"method": ("newcombe", Named("newcombe", "normal", "pooled"))}
ONE_DELTA = {"delta": (0.05, rate(open_low=True, open_high=True))}
BOUND = {
    "losses": (None, rate(axes=(1, 2, 3), optional=True)),
    "mean": (0.25, rate(axes=ANY, optional=True)),
    "n": (20, whole(axes=ANY, optional=True)),
    "errors": (None, whole(0, axes=ANY, optional=True)),
}
CELLS = OWN_SIGNS | {
    "y": (SIGNS[:8], Labels()),
    "counts": ([[1] * 8, [2, 0] * 4], whole(0, axes=(2,))),
}
OVERRIDES = {
    "report": {
        "method": ("proven", Named("proven", "t")),
        "pred_b": (OTHERS, Of(lambda v: v is None or Labels().fine(v))),
        "scores": (None, Of(lambda v: v is None)),  # not beside labels
        "scores_b": (None, Of(lambda v: v is None)),
        "range": (None, Of(lambda v: v is None)),
        "groups": OPTIONAL_GROUPS,
        "ids": OPTIONAL_GROUPS,
    },
    "metric": {"groups": OPTIONAL_GROUPS, "resamples": (100, whole(100))},
    "crossval.cross_val_losses": {"groups": OPTIONAL_GROUPS},
    "crossval.estimate": {
        "groups": OPTIONAL_GROUPS,
        "loss": (None, Function(True)),
        "scoring": (None, Function(True)),
        "target": ("procedure", Named("procedure", "model")),
        "repeats": (None, whole(optional=True)),
    },
    "compare.models": {"groups": OPTIONAL_GROUPS},
    "compare.friedman": {
        "errors": (np.arange(24.0).reshape(8, 3) % 7, Numbers(axes=(2,))),
        "names": (None, Of(lambda v: v is None)),
        "method": ("nemenyi", Named("nemenyi", "holm")),
    },
    "compare.wilcoxon": {"differences": (0.02 + CASES[:10, 0] / 50, Numbers(axes=(1,)))},
    "compare.bayesian_signed_rank": {
        "differences": (0.02 + CASES[:10, 0] / 50, Numbers(axes=(1,))),
        "prior": (0.5, rate(open_low=True)),
    },
    "metrics.error_at_shares": {"method": ("exact", Named("exact", "mover"))},
    "metrics.weighted_error": {
        "losses": (LOSSES, Numbers(axes=(1,))),
        "weights": (1 + np.arange(24) % 3, Numbers(0, axes=(1,))),
        "method": ("linear", Named("linear", "betting")),
    },
    "metrics.prediction_powered": {
        "losses": (LOSSES, Numbers(axes=(1,))),
        "method": ("tuned", Named("tuned", "plain", "betting")),
    },
    "plan": {
        "error": (0.25, rate(optional=True)),
        "half_width": (0.1, rate(open_low=True, open_high=True, optional=True)),
        "difference": (None, Numbers(-1, 1, optional=True)),
        "disagree": (None, rate(open_low=True, optional=True)),
        "margin": (None, rate(open_low=True, open_high=True, optional=True)),
        "design_effect": (1.5, Numbers(1)),
    },
    "bounds.betting": {"losses": (LOSSES, rate(axes=(1, 2, 3)))},
    "crossval.one_standard_error": {"means": (np.arange(8) / 8, Numbers(axes=(1,)))},
    "datasets.chi2_small": {"label_noise": (0.05, Numbers(0, 0.5))},
    "generalization.log_transform": {"errors": (np.arange(1.0, 9), Numbers(0, axes=ANY))},
    "holdout.noisy_risk": {"label_noise": (0.1, rate(axes=ANY))},
    "holdout.selection_bias": {"error": ([0.1, 0.2, 0.3], rate(axes=(1,)))},
    "holdout.simulated_selection_bias": {"error": ([0.1, 0.2, 0.3], rate(axes=(1,)))},
    "holdout.interval_coverage": {"error": (0.3, rate()), "copies": (2, whole())},
    "coverage.peeking": {
        "key": ("WIL", PEEKED),
        "error": (0.25, rate()),
        "n": (20, whole()),
        "step": (2, whole()),
        "side": ("two-sided", Named("upper", "lower", "two-sided")),
    },
    "watch": {"error": (0.25, rate(optional=True))},
    "bounds.confidence_sequence": {"losses": (LOSSES, rate(axes=(1,)))},
    "coverage.simulate": {"error": (0.2, rate())},
    "compare.kfold": {"cv": (5, whole(2)), "loss": (None, Function(True))},
    "crossval.kfold_confidence": {"cv": (5, whole(2))},
    "holdout.ladder_bound": {"step": (0.1, Numbers(0, open_low=True, axes=ANY))},
    "losses.sign": {"scores": (CASES[:, 0], Numbers(axes=ANY))},
    "metrics.confusion_at": {"scores": (CASES[:, 0], Numbers(axes=(1,)))},
    "metrics.roc": {"scores": (CASES[:, 0], Numbers(axes=(1,)))},
    "metrics.precision_recall": {"scores": (CASES[:, 0], Numbers(axes=(1,)))},
    "bounds.upper": BOUND,
    "bounds.lower": BOUND,
    "bounds.interval": BOUND,
    "bounds.rank": BOUND | ONE_DELTA | {"loss": ("bounded", Named("binary", "bounded"))},
    "bounds.applicable": {
        "loss": ("bounded", Named("binary", "bounded")),
        "losses": (False, Flag()),
    },
    "compare.cochran_q": {"losses": TWO_AXES},
    "compare.five_by_two": {"method": ("F", Named("F", "t")), "loss": (None, Function(True))},
    "compare.five_by_two_cv_f": {"differences": (CASES[:5] / 50, Numbers(axes=(2, 3)))},
    "compare.five_by_two_cv_t": {"differences": (CASES[:5] / 50, Numbers(axes=(2, 3)))},
    "compare.five_by_two_power": {"method": ("F", Named("F", "t"))},
    "compare.holdout": {"method": ("exact", EXACT_TEST), "loss": (None, Function(True))},
    "compare.mcnemar": {"method": ("exact", EXACT_TEST)},
    "compare.mcnemar_power": {
        "method": ("exact", EXACT_TEST),
        "p01": (0.1, rate(axes=ANY)),
        "p10": (0.05, rate(axes=ANY)),
    },
    "compare.mcnemar_size": {"method": ("exact", EXACT_TEST)},
    "compare.paired_difference": PAIRED,
    "compare.two_proportions": UNPAIRED,
    "compare.two_proportions_power": UNPAIRED,
    "metrics.delong": {"groups": OPTIONAL_GROUPS},
    "metrics.area_interval": {"groups": OPTIONAL_GROUPS},
    "metrics.korn_graubard": {"losses": (LOSSES, Zeros())},
    "metrics.grouped_t": {"losses": (LOSSES, Numbers(axes=(1,)))},
    "metrics.group_means": {"losses": (LOSSES, Numbers(axes=(1,)))},
    "metrics.design_effect": {"losses": (LOSSES, Numbers(axes=(1,)))},
    "compare.grouped_difference": {
        "losses_a": (LOSSES, Numbers(axes=(1, 2, 3))),
        "losses_b": (LOSSES[::-1], Numbers(axes=(1, 2, 3))),
    },
    "compare.grouped_mcnemar": {
        "method": ("durkalski", Named("durkalski", "obuchowski")),
        "losses_a": (LOSSES, rate(axes=(1, 2, 3))),
        "losses_b": (LOSSES[::-1], rate(axes=(1, 2, 3))),
    },
    "crossval.nested_interval": {
        "losses": (np.tile([[0.0], [0.5], [1.0]], (8, 4)), rate(axes=(2, 3))),
        "fold": (FOLDS, whole(0, axes=(1, 2))),
    },
    "crossval.pair_losses": {"fold": (FOLDS, whole(0, axes=(1,)))},
    "datasets.ar1_regression": {
        "p": (3, whole()),
        "weights": (None, Numbers(axes=(1,), optional=True)),
        "covariance": (None, Numbers(axes=(2,), optional=True)),
    },
    "datasets.gaussian_mixture": {"p": (2, whole())},
    "generalization.fpe": {"p": (3, whole(0, axes=ANY)), "N": (20, whole(axes=ANY))},
    "generalization.log_fpe": {"p": (3, whole(0, axes=ANY)), "N": (20, whole(axes=ANY))},
    "generalization.split_mse": {
        "p": (3, whole(0, axes=ANY)),
        "N": (20, whole(axes=ANY)),
        "n_train": (15, whole(axes=ANY)),
    },
    "generalization.optimal_fraction": {
        "p": (3, whole(0)),
        "method": ("exact", Named("asymptotic", "exact")),
    },
    "holdout.ladder": {"losses": TWO_AXES},
    "holdout.latest_score": {"losses": TWO_AXES},
    "holdout.mix": {"first": (GUESSES, Labels()), "second": (OTHERS, Labels())},
    "holdout.public_private": {"losses": TWO_AXES},
    "holdout.sample_size_for": {"epsilon": (None, Numbers(0, 1, open_low=True, optional=True))},
    "intervals.cud_bound": OWN_SIGNS | {"X": (CASES, Numbers(axes=(2,)))},
    "intervals.cud_cells": CELLS | {"counts": ([2, 0] * 4, whole(0, axes=(1,)))},
    "intervals.cud_supremum": CELLS,
    "intervals.martin": {"prior": ((1.0, 1.0), Numbers(0, open_low=True, axes=(1,)))},
    "intervals.quantile_bootstrap": {"inner": (3, whole())},
    "intervals.reflected_bootstrap": {"inner": (3, whole())},
    "losses.from_scores": OWN_SIGNS,
    "losses.linear_soft_loss": OWN_SIGNS | {"y_pred": (CASES[:, 0], Numbers(axes=(1,)))},
    "losses.logistic_loss": OWN_SIGNS | {"y_pred": (CASES[:, 0], Numbers(axes=(1,)))},
    "metrics.precision_at": {"tpr": (0.9, rate(axes=ANY)), "fpr": (0.1, rate(axes=ANY))},
    "metrics.rate_interval": {"table": (metrics.Confusion(5, 1, 2, 4), Of(lambda v: False))},
    "metrics.rate_intervals": {"table": (metrics.Confusion(5, 1, 2, 4), Of(lambda v: False))},
    "metrics.Confusion": dict.fromkeys(("tp", "fp", "fn", "tn"), (3, whole(0))),
}
for _name in ("fpe", "log_fpe", "split_mse"):
    OVERRIDES[f"generalization.{_name}"]["kurtosis"] = (3.0, Numbers(1, axes=ANY))

# Bounds, and what is said of them, take a delta for each of many bounds.
MANY_DELTAS = {"delta": (0.05, rate(axes=ANY, open_low=True, open_high=True))}
for _name in (
    *(f"bounds.{entry.function.__name__}" for entry in bounds.BOUNDS.values()),
    "bounds.upper", "bounds.lower", "bounds.interval", "bounds.tightest", "coverage.exact",
    "coverage.expected_width", "holdout.gap_bound", "holdout.sample_size", "holdout.ladder_bound",
):  # fmt: skip
    OVERRIDES[_name] = MANY_DELTAS | OVERRIDES.get(_name, {})


def functions():
    """Every public function, by its name."""
    doors = {name: getattr(errlab, name) for name in errlab._FUNCTIONS}
    found = {**doors, "metrics.Confusion": metrics.Confusion}
    for package in PACKAGES:
        module = importlib.import_module(f"errlab.{package}")
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                found[f"{package}.{name}"] = getattr(module, name)
    return found


def form(name, function):
    """Name each parameter of a function with a value that works and its kind."""
    own: dict[str, Any] = OVERRIDES.get(name, {})
    parameters = inspect.signature(function).parameters
    unknown = [p for p in parameters if p not in own and p not in PARAMETERS]
    if unknown:
        raise LookupError(f"{name} has a parameter that tests/fuzz.py does not know: {unknown}")
    return {p: own.get(p, PARAMETERS.get(p)) for p in parameters}


def in_words(value):
    return np.where(np.asarray(value) > 0, "yes", "no")


# Other good values of the same arguments; each form that they change is tried as well.
VARIANTS = {
    "many at once": lambda value, kind: (
        [value, value] if getattr(kind, "axes", ()) == ANY and np.ndim(value) == 0 else value
    ),
    "labels in words": lambda value, kind: (
        in_words(value) if isinstance(kind, Labels) and np.isin(value, (-1, 0, 1)).all() else value
    ),
    "none given": lambda value, kind: None if getattr(kind, "optional", False) else value,
}
INSTEAD = {
    "bounds.upper": {"mean": None, "n": None, "var": None, "losses": LOSSES},
    "bounds.lower": {"mean": None, "n": None, "var": None, "losses": LOSSES},
    "bounds.interval": {"mean": None, "n": None, "var": None, "losses": LOSSES, "key": "BET"},
    "bounds.rank": {"mean": None, "n": None, "var": None, "losses": LOSSES / 2},
    "report": {"pred_b": None, "margin": None},
    "report ": {
        **dict.fromkeys(("y_true", "y_pred", "pred_b")),
        "scores": CASES[:, 0] > 0,
        "scores_b": CASES[:, 1] > 0,
        "groups": FOLDS,
    },
    "report  ": {
        **dict.fromkeys(("y_true", "y_pred", "pred_b")),
        "scores": CASES[:, 0],
        "scores_b": CASES[:, 1],
        "range": (-5, 5),
    },
    "plan": {"error": None, "half_width": None, "difference": 0.1, "disagree": 0.3},
}

# What the arguments may be there, where it is something else; a name is told apart by blanks.
NONE = Of(lambda v: v is None)
SCORES = {
    **dict.fromkeys(("y_true", "y_pred", "pred_b"), NONE),
    "margin": rate(open_low=True, open_high=True, optional=True),
}
KINDS = {
    "report ": SCORES | {"scores": rate(axes=(1,)), "scores_b": rate(axes=(1,), optional=True)},
    "report  ": SCORES
    | {
        "scores": Numbers(-5, 5, axes=(1,)),
        "scores_b": Numbers(-5, 5, axes=(1,), optional=True),
        "range": Of(
            lambda v: (
                Numbers(axes=(1,)).fine(v)
                and len(v) == 2
                and v[0] <= CASES.min()
                and v[1] >= CASES.max()
            )
        ),
        "margin": Numbers(0, 10, open_low=True, open_high=True, optional=True),
    },
}


def forms(name, function):
    """Give the good calls of a function: the plain one, and its variants where they work."""
    plain = form(name, function)
    yield "", plain
    for other, values in INSTEAD.items():
        if other.strip() == name:
            kinds = KINDS.get(other, {})
            yield (
                "instead",
                {p: (values.get(p, v), kinds.get(p, kind)) for p, (v, kind) in plain.items()},
            )
    for variant, change in VARIANTS.items():
        changed = {p: (change(v, kind), kind) for p, (v, kind) in plain.items()}
        if "positive" in changed and variant == "labels in words":
            positive = Of(lambda v: isinstance(v, str) and v in ("yes", "no"))
            changed["positive"] = ("yes", positive)
        if any(changed[p][0] is not plain[p][0] for p in plain):
            values = {p: v for p, (v, _) in changed.items()}
            if outcome(function, values)[1] is None:
                yield variant, changed


CONSTANTS = {
    "None": lambda: None,
    "True": lambda: True,
    "a word": lambda: "abc",
    "no word": lambda: "",
    "a number in words": lambda: "1",
    "bytes": lambda: b"ab",
    "nan": lambda: np.nan,
    "inf": lambda: np.inf,
    "-inf": lambda: -np.inf,
    "-1": lambda: -1,
    "-0.0": lambda: -0.0,
    "0": lambda: 0,
    "1": lambda: 1,
    "0.5": lambda: 0.5,
    "2.5": lambda: 2.5,
    "3": lambda: 3,
    "1e300": lambda: 1e300,
    "1e-300": lambda: 1e-300,
    "5e-324": lambda: 5e-324,
    "1 - 1e-16": lambda: 1 - 1.2e-16,
    "2**53": lambda: 2**53,
    "2**63": lambda: 2**63,
    "-2**63": lambda: -(2**63),
    "10**400": lambda: 10**400,
    "complex": lambda: 1j,
    "Decimal": lambda: Decimal("0.5"),
    "Fraction": lambda: Fraction(1, 2),
    "[]": list,
    "[[]]": lambda: [[]],
    "{}": dict,
    "a dict": lambda: {"a": 1},
    "a set": lambda: {0, 1},
    "an object": object,
    "a class": lambda: dict,
    "ragged": lambda: [[1], [1, 2]],
    "mixed": lambda: [1, "a"],
    "words": lambda: ["a", "b"],
    "one in a list": lambda: [0.5],
    "masked": lambda: np.ma.masked,
    "NA": lambda: pd.NA,
    "NaT": lambda: pd.NaT,
    "a date": lambda: np.datetime64("2020-01-01"),
    "a generator": lambda: (i for i in (0, 1)),
    "no rows": lambda: np.zeros((0, 2)),
    "three axes": lambda: np.zeros((2, 2, 2)),
    "an array of a word": lambda: np.array("a"),
    "a sparse matrix": lambda: sparse.csr_matrix(np.eye(3)),
    "...": lambda: ...,
}


def _hole(base, hole, dtype=object):
    array = np.array(base, dtype=dtype)
    array[(0,) * array.ndim] = hole
    return array


# What is done to a good array; the second group leaves it as good as it was.
SPOILT = {
    "a nan in it": lambda a: _hole(a, np.nan, float),
    "an inf in it": lambda a: _hole(a, np.inf, float),
    "a None in it": lambda a: _hole(a, None),
    "an NA in it": lambda a: _hole(a, pd.NA),
    "a word in it": lambda a: _hole(a, "a"),
    "a word in the list": lambda a: _hole(a, "a").tolist(),
    "a list in it": lambda a: [[0], *np.asarray(a).tolist()[1:]],
    "a mask": lambda a: np.ma.array(a, mask=_hole(np.zeros(np.shape(a)), True, bool)),
    "all masked": lambda a: np.ma.masked_all(np.shape(a)),
    "one more": lambda a: np.concatenate([a, np.asarray(a)[:1]]),
    "one fewer": lambda a: np.asarray(a)[1:],
    "one alone": lambda a: np.asarray(a)[:1],
    "a column": lambda a: np.asarray(a)[..., None],
    "a row": lambda a: np.asarray(a)[None],
    "negative": lambda a: -1.0 * np.asarray(a) - 1,
    "large": lambda a: np.asarray(a) * 1e300,
    "huge counts": lambda a: np.asarray(a) + 2.0**53,
    "halves": lambda a: np.asarray(a) + 0.5,
    "in words": lambda a: np.asarray(a).astype(str),
    "complex": lambda a: np.asarray(a) * 1j,
    "constant": lambda a: np.zeros_like(np.asarray(a, dtype=float)),
    "dates": lambda a: np.full(np.shape(a), np.datetime64("2020-01-01")),
}
COUNTS = ("huge counts", "halves")  # for counts alone
WORDS = (
    "a None in it", "an NA in it", "a list in it", "a mask", "one more", "one fewer", "one alone",
    "a column", "a row", "dates",
)  # fmt: skip
NUMERIC = ("big-endian", "read only", "floats")
EQUAL = {
    "a list": lambda a: np.asarray(a).tolist(),
    "a tuple": lambda a: tuple(np.asarray(a).tolist()),
    "an array": np.asarray,
    "objects": lambda a: np.asarray(a).astype(object),
    "big-endian": lambda a: np.asarray(a).astype(np.asarray(a).dtype.newbyteorder(">")),
    "read only": lambda a: np.frombuffer(np.asarray(a).tobytes(), np.asarray(a).dtype).reshape(
        np.shape(a)
    ),
    "every other": lambda a: np.repeat(np.asarray(a), 2, axis=0)[::2],
    "no mask": np.ma.array,
    "a series or frame": lambda a: (
        pd.DataFrame(a) if np.ndim(a) == 2 else pd.Series(a, index=np.arange(len(a))[::-1])
    ),
    "floats": lambda a: np.asarray(a, dtype=float),
}


def bad_calls(parameters):
    """Give every call with one argument changed, whether it is fine, and whether it is equal."""
    base = {p: value for p, (value, _) in parameters.items()}
    for p, (value, kind) in parameters.items():
        for what, make in CONSTANTS.items():
            changed = make()
            fine = kind.fine(changed)
            if p == "n_jobs" and fine and what not in ("None", "1"):
                continue  # starting workers takes longer than a call may; test_work.py has them
            if not (isinstance(kind, Function) and callable(changed)):
                yield p, what, base | {p: changed}, fine, False
        numeric = as_numbers(value) is not None
        if not np.ndim(value) or not (numeric or isinstance(kind, Labels)):
            continue
        for what, spoil in SPOILT.items():
            skip = what in COUNTS and not getattr(kind, "whole", False)
            if not skip and (numeric or what in WORDS):
                changed = spoil(value)
                yield p, what, base | {p: changed}, kind.fine(changed), False
        for what, convert in EQUAL.items():
            if np.ndim(value) < 3 and (numeric or what not in NUMERIC):
                yield p, what, base | {p: convert(value)}, True, True


def outcome(function, arguments):
    """Call, and tell what came of it: a result, an error, warnings, or no end."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SLOW)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            result = function(**arguments)
        # A UserWarning is errlab's own, on purpose; what leaks from below is of another kind.
        return result, None, [str(w.message) for w in said if w.category is not UserWarning]
    except Exception as error:
        return None, error, []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ours(error):
    """Whether an error is one clear line that errlab raised on purpose."""
    if type(error) not in (ValueError, TypeError):
        return False
    text = str(error)
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    file = frame.tb_frame.f_code.co_filename
    line = linecache.getline(file, frame.tb_lineno).strip()
    return "\n" not in text and len(text) < 320 and "/errlab/" in file and line.startswith("raise")


def numbers_in(result):
    """Give every number of a result, whatever holds it."""
    if isinstance(result, (bool, np.bool_, str, bytes, type(None))) or callable(result):
        return
    if isinstance(result, Real):
        yield float(result)
    elif isinstance(result, np.ndarray):
        if result.dtype.kind in "iuf":
            yield from map(float, result.ravel())
    elif isinstance(result, (list, tuple)):
        for part in result:
            yield from numbers_in(part)
    elif isinstance(result, dict):
        yield from numbers_in(list(result.values()))
    elif dataclasses.is_dataclass(result):
        yield from numbers_in([getattr(result, f.name) for f in dataclasses.fields(result)])


def verdict(function, arguments, fine, equal, base):
    """Judge one call: refused, right, obscure, silent, or slow."""
    result, error, said = outcome(function, arguments)
    if isinstance(error, TimeoutError):
        return "slow", ""
    if error is not None:
        if not ours(error):
            return "obscure", f"{type(error).__name__}: {error}"
        return ("silent", f"refused though equal: {error}") if equal else ("refused", str(error))
    if said:
        return "silent", f"warns: {said[0]}"
    if not fine:
        return "silent", f"returned {result!r:.80}"
    found = np.array(list(numbers_in(result)))
    if equal:
        same = found.shape == base.shape and np.allclose(found, base, 1e-9, 0, equal_nan=True)
        return ("right", "") if same else ("silent", f"another result: {result!r:.80}")
    if not np.isfinite(found).all() and np.isfinite(base).all():
        return "silent", f"not finite: {result!r:.80}"
    return "right", ""


def calls():
    """Make all calls: function, parameter, change, verdict, words."""
    for name, function in functions().items():
        if name in LEFT_OUT:
            continue
        for variant, parameters in forms(name, function):
            good = {p: value for p, (value, _) in parameters.items()}
            result, error, said = outcome(function, good)
            if error is not None or said:
                raise AssertionError(f"{name} does not work in tests/fuzz.py: {error!r} {said}")
            base = np.array(list(numbers_in(result)))
            for p, what, arguments, fine, equal in bad_calls(parameters):
                found = verdict(function, arguments, fine, equal, base)
                yield (f"{name} {variant}".strip(), p, what, *found)


LEFT_OUT = {"datasets.load_uci": "it reads a file, or asks OpenML; tests/datasets/test_datasets.py"}


def main():
    bad = []
    counts = collections.Counter()
    for name, p, what, found, words in calls():
        if found not in ("refused", "right"):
            judged = JUDGED.get((name.split()[0], p))
            found = f"{found}, judged" if judged else found
        counts[found] += 1
        if found in ("obscure", "silent", "slow"):
            bad.append((found, name, p, what, words))
    for row in bad:
        print(*(" ".join(str(part).split()) for part in row), sep=" | ")
    print(sum(counts.values()), "calls:", dict(counts))
    return bool(bad)


# What is left, and why: {(function, parameter): reason}.
JUDGED: dict[tuple[str, str], str] = {
    ("metrics.fdr_threshold", "fdr"): "minus infinity where every case is a discovery, as it says",
}

if __name__ == "__main__":
    sys.exit(main())
