"""One odd argument at a time, for every public function: refused by name, or the right result.

`test_fuzz` makes every call. Nothing is listed by hand but what is bound to a name: a parameter of
the same name means the same thing everywhere, so that a new function is tested as soon as it is
public.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import inspect
import linecache
import re
import signal
import warnings
from decimal import Decimal
from fractions import Fraction
from numbers import Real

import numpy as np
import pandas as pd
from scipy import sparse

import errlab
from errlab import bounds, metrics
from errlab_book import leaderboards

# Accepted exceptions, and why: {(function, parameter): reason}.
JUDGED = {("metrics.fdr_threshold", "fdr"): "-inf where every example is a discovery, as it says"}
HANGS = 60.0  # a call that takes milliseconds counts as endless after this many CPU seconds

RNG = np.random.default_rng(0)
CASES = RNG.normal(size=(24, 2))
LABELS = (CASES[:, 0] + RNG.normal(size=24) > 0).astype(int)
SIGNS = 2 * LABELS - 1
GUESSES = np.where(np.arange(24) % 5 == 0, 1 - LABELS, LABELS)
OTHERS = np.where(np.arange(24) % 7 == 0, 1 - LABELS, LABELS)
LOSSES = (np.arange(24) % 4 == 0).astype(float)
FOLDS = np.arange(24) % 4
EIGHT = np.arange(8.0)

# --- which values are valid


class Nearest:
    """A quick classifier from no library; like others, it requires finite numbers."""

    def fit(self, X, y):
        self.X, self.y = self._finite(X), np.asarray(y)

    def predict(self, X):
        with np.errstate(all="ignore"):
            distance = ((self._finite(X)[:, None] - self.X) ** 2).sum(axis=2)
        return self.y[distance.argmin(axis=1)]

    def _finite(self, X):
        array = numbers(X.toarray() if sparse.issparse(X) else X)
        if array is None:
            raise ValueError("X must hold finite numbers")
        return array


def numbers(value):
    """Read a value as an array of finite real numbers; None if it isn't one."""
    masked = isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)
    if masked or isinstance(value, (str, bytes, dict, set)) or sparse.issparse(value):
        return None
    if isinstance(value, (list, tuple)) and any(v is np.ma.masked for v in value):
        return None
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O" and all(isinstance(v, (Real, np.bool_)) for v in array.ravel()):
            array = array.astype(float)
    except (ValueError, TypeError, OverflowError):
        return None
    if array.dtype.kind not in "biuf" or array.size == 0:
        return None
    return array.astype(float) if np.isfinite(array.astype(float)).all() else None


def labels(value):
    """Whether a value is a row of labels of one kind, none of them missing."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        return False
    if isinstance(value, (str, bytes, dict, set)) or sparse.issparse(value):
        return False
    array = np.empty(len(value), dtype=object) if isinstance(value, (list, tuple)) else value
    if array is not value:
        with contextlib.suppress(ValueError):
            array[:] = value
    array = np.asarray(array)
    if array.ndim != 1 or not array.size:
        return False
    entries = array.tolist()
    if any(v is None or v is pd.NA or v is pd.NaT or v is np.ma.masked for v in entries):
        return False
    kinds = {"number" if isinstance(v, Real) else type(v).__name__ for v in entries}
    if len(kinds) > 1 or kinds & {"list", "dict", "set", "ndarray"}:
        return False
    return kinds != {"number"} or bool(np.isfinite([float(v) for v in entries]).all())


def seed(value):
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return value >= 0
    return value is None or isinstance(value, (np.random.Generator, np.random.SeedSequence))


RULES = {
    "labels": labels,
    "seed": seed,
    "flag": lambda v: isinstance(v, (bool, np.bool_)),
    "function": callable,
    "model": lambda v: hasattr(v, "fit") and not isinstance(v, type),
    "table": lambda v: sparse.issparse(v) or (numbers(v) is not None and np.ndim(v) >= 2),
    "folds": lambda v: kind("#[2,]")(v) or isinstance(v, (list, tuple)) or hasattr(v, "split"),
    "none": lambda v: v is None,
    "never": lambda v: False,
    "word": lambda v: isinstance(v, str),
    "pair": lambda v: isinstance(v, (list, tuple)) and len(v) == 2,
    "workers": lambda v: v is None or (type(v) is int and 1 <= abs(v) <= 1024),
    "binary": lambda v: v is None or (isinstance(v, (Real, np.bool_)) and v in (0, 1)),
    "within": lambda v: kind("[0,1]1")(v) and len(v) == 2,
    "zeros": lambda v: kind("[0,1]1")(v) and bool(np.isin(numbers(v), (0, 1)).all()),
    "range": lambda v: kind("[,]1")(v) and len(v) == 2 and v[0] <= -3 and v[1] >= 3,
    "yes or no": lambda v: isinstance(v, str) and v in ("yes", "no"),
}
RANGE = re.compile(r"(#?)([\[(])([^,]*),([^,]*)([\])])(\*|\d*)")


@dataclasses.dataclass(frozen=True)
class kind:
    """What an argument may be, in short.

    ``[0,1]`` is a number, ``(0,]`` one above 0, ``#[1,]`` a whole one; ``[0,1]12`` an array of one
    or two axes, ``[0,1]*`` of any; ``=a|b`` one of two words; else a name of `RULES`. A question
    mark at the end allows None.
    """

    text: str

    def __call__(self, value):
        text = self.text.removesuffix("?")
        if value is None and self.text.endswith("?"):
            return True
        if text.startswith("="):
            return isinstance(value, str) and value.upper() in text[1:].upper().split("|")
        if text in RULES:
            return bool(RULES[text](value))
        whole, opens, low, high, closes, axes = RANGE.fullmatch(text).groups()
        array = numbers(value)
        if array is None or str(array.ndim) not in ("0123" if axes == "*" else axes or "0"):
            return False
        if whole and (np.asarray(value).dtype.kind == "b" or (array != np.rint(array)).any()):
            return False
        low, high = float(low or "-inf"), float(high or (2**53 - 1 if whole else "inf"))
        above = array > low if opens == "(" else array >= low
        return bool((above & (array < high if closes == ")" else array <= high)).all())


# --- a valid value for each parameter, and its kind

PARAMETERS, OVERRIDES = {}, collections.defaultdict(dict)


def known(text, **values):
    """The good value and the kind of every parameter with a certain name."""
    PARAMETERS.update({name: (value, kind(text)) for name, value in values.items()})


def own(functions, text, **values):
    """The exceptions: functions in which the name means something else."""
    for name in functions.split():
        OVERRIDES[name].update({p: (value, kind(text)) for p, value in values.items()})


NAMES = "=" + "|".join([*bounds.BOUNDS, *(entry.name for entry in bounds.BOUNDS.values())])
# fmt: off
known("table", X=CASES)
known("labels", y=LABELS, y_true=LABELS, y_pred=GUESSES, pred_a=GUESSES, pred_b=OTHERS, fold=FOLDS,
      ids=np.arange(24), strata=FOLDS, groups=FOLDS)
known("[,]12", scores=CASES[:, 0], score_a=CASES[:, 0])
known("[,]12?", score_b=CASES[:, 1])
known("[,]1", scores_b=CASES[:, 1], losses_a=LOSSES, losses_b=LOSSES[::-1],
      values=LOSSES[:8] + EIGHT, complexity=np.arange(8), left_out=EIGHT, train=[0.1, 0.2],
      holdout=[0.1, 0.3], judged=LOSSES[::-1], judged_more=np.arange(30) % 3 / 2)
known("[0,1]1", losses=LOSSES, means=LOSSES[:8] / 2 + EIGHT / 20, pvalues=[0.01, 0.2, 0.03],
      probabilities=np.full(24, 1 / 24), fpr=[0, 0.2, 1], tpr=[0, 0.8, 1])
known("[0,]1", standard_errors=np.full(8, 0.1), full=EIGHT, reduced=EIGHT[::-1] / 2, first=EIGHT,
      second=EIGHT[::-1])
known("[,]123", differences=0.02 + CASES[:10, 0] / 50)
known("[0,]123", errors=np.arange(1.0, 9) ** 2)
known("[,]2", cases=np.repeat(CASES, 2, axis=0), Z=np.column_stack([np.ones(8), CASES[:8, 0]]))
known("#[0,]23", counts=[[5, 1], [2, 4]], table=[[5, 1], [2, 4]])
known("#[1,]1", copies=[2, 1, 1])
known("#[1,]01", kept=[1, 2])
known("never", predictions={"a": GUESSES, "b": OTHERS}, shares={0: 0.1, 1: 0.2, 2: 0.3, 3: 0.4},
      candidates={"near": Nearest()}, keys=["WIL", "NOR"], method=None, name="spam")
known("none", baseline=None, range=None, max_group_size=None)
known("flag?", progress=None)
known("model", estimator=Nearest(), estimator_a=Nearest(), estimator_b=Nearest())
known("function", board=leaderboards.latest_score, power_at=lambda n: n / (n + 5))
known("function?", loss=errlab.losses.hard_loss, basis=None, vote=None, guard=None)
known("[0,1]", tested_error=0.1, p01=0.1, p10=0.05, p_a=0.3, p_b=0.1, prior=0.5, share=0.1,
      label_noise=0.1, target=0.3, correlation=0.5)
known("[0,1]*", mean=0.25, error=0.25, resubstitution=0.1, loo_bootstrap=0.3)
known("[0,1]*?", no_information=0.5)
known("(0,1)", power=0.8, delta=0.05, fdr=0.05, test_size=0.3, public_size=0.3,
      validation_size=0.25)
known("(0,1)?", margin=0.02)
known("(0,1)*", prevalence=0.2)
known("[0,0.25]*?", var=0.1)
known("[0,]", noise=0.1, noise_variance=1.0, rope=0.01)
known("[0,]*", epsilon=0.1, training_mse=1.0)
known("[0,]01", ridge=0.5)
known("(0,]", steepness=0.5, beta=1.0, sd=0.05)
known("(0,]?", largest=None, alpha=0.5, step=0.1)
known("[,]", value=3.0, difference=0.02, coefficient=0.5)
known("[,]?", threshold=0.5)
known("[,]01", separation=2.0)
known("#[1,]", N=20, n_train=18, n_test=2, variables=5, block=2, resamples=20, repeats=5,
      inner_resamples=3, start=2, draws=500)
known("#[1,]?", effective_size=None, budget=None, sets=None, max_nodes=None)
known("#[1,]*", n=20, n_a=20, n_b=20, models=3, submissions=[1, 3])
known("#[2,]", classes=3)
known("#[0,]", tp=5, fp=3, fn=2)
known("#[0,]*", only_a_wrong=3, only_b_wrong=9, errors_a=3, errors_b=9, discordant=[3, 9])
known("folds", cv=4, inner_cv=3)
known("seed", rng=0)
known("workers", n_jobs=None)
known("binary", positive=1)
known("within", within=(0.1, 0.2))
known("pair", names=("A", "B"))
known("word", rate="TPR")
known(NAMES, key="WIL")
known("=roc_auc|roc auc", metric="roc_auc")

MANY = " ".join(f"bounds.{e.function.__name__}" for e in bounds.BOUNDS.values())
own(f"{MANY} bounds.upper bounds.lower bounds.interval bounds.tightest coverage.exact "
    "coverage.expected_width holdout.gap_bound holdout.sample_size holdout.ladder_bound",
    "(0,1)*", delta=0.05)
ENDS = "bounds.upper bounds.lower bounds.interval bounds.rank"
own(ENDS, "[0,1]123?", losses=None)
own(ENDS, "[0,1]*?", mean=0.25)
own(ENDS, "#[1,]*?", n=20)
own(ENDS, "#[0,]*?", errors=None)
own("bounds.applicable", "flag", losses=False)
own("bounds.betting", "[0,1]123", losses=LOSSES)
own("report", "labels?", pred_b=OTHERS, groups=None, ids=None)
# not accepted together with labels
own("report", "none", scores=None, scores_b=None, errors=None, n=None)
own("models", "none", scores=None, model=None, case=None, score=None, group=None)
own("per_class", "labels?", labels=None)
own("metric crossval.cross_val_losses crossval.estimate models metrics.delong "
    "metrics.area_interval", "labels?", groups=None)
own("metric", "#[100,]", resamples=100)
own("crossval.estimate", "function?", loss=None, scoring=None)
own("crossval.estimate", "#[1,]?", repeats=None)
own("crossval.one_standard_error", "[,]1", means=EIGHT / 8)
own("compare.friedman", "[,]2", errors=np.arange(24.0).reshape(8, 3) % 7)
own("compare.friedman", "none", names=None)
own("compare.wilcoxon compare.bayesian_signed_rank", "[,]1", differences=0.02 + CASES[:10, 0] / 50)
own("compare.bayesian_signed_rank", "(0,1]", prior=0.5)
own("compare.five_by_two_cv_f compare.five_by_two_cv_t", "[,]23", differences=CASES[:5] / 50)
own("compare.mcnemar_power", "[0,1]*", p01=0.1, p10=0.05)
own("metric per_class", "none", table=None)  # not accepted together with labels
own("compare.power compare.nemenyi_difference", "#[1,]", n=20)
own("compare.nemenyi_difference", "#[2,]", models=3)
own("compare.cochran_q holdout.ladder book.leaderboards.latest_score "
    "book.leaderboards.public_private", "[0,1]2", losses=np.column_stack([LOSSES, LOSSES[::-1]]))
own("compare.grouped_difference", "[,]123", losses_a=LOSSES, losses_b=LOSSES[::-1])
own("compare.grouped_mcnemar compare.grouped_betting", "[0,1]123", losses_a=LOSSES,
    losses_b=LOSSES[::-1])
own("metrics.weighted_error metrics.prediction_powered metrics.grouped_t metrics.group_means "
    "metrics.design_effect", "[,]1", losses=LOSSES)
own("metrics.weighted_error", "[0,]1", weights=1 + np.arange(24) % 3)
own("metrics.grouped_betting compare.grouped_betting", "#[6,]?", max_group_size=6)
own("report models", "#[6,]?", max_group_size=None)  # needs groups
own("compare.mcnemar", "none", n=None)  # the exact test doesn't use it
own("metrics.korn_graubard", "zeros", losses=LOSSES)
own("metrics.confusion_at metrics.roc", "[,]1", scores=CASES[:, 0])
own("metrics.precision_at", "[0,1]*", tpr=0.9, fpr=0.1)
own("metrics.rate_interval metrics.rate_intervals", "never", table=metrics.Confusion(5, 1, 2, 4))
own("metrics.Confusion", "#[0,]", tp=3, fp=3, fn=3, tn=3)
own("plan", "[0,1]?", error=0.25)
own("plan", "(0,1)?", half_width=0.1, margin=None, max_error=None)
own("plan", "[-1,1]?", difference=None)
own("plan", "(0,1]?", disagree=None)
own("plan", "[1,]", design_effect=1.5)
own("coverage.peeking", "=" + "|".join(n for k, e in bounds.BOUNDS.items() if e.needs != "losses"
    for n in (k, e.name)), key="WIL")
own("coverage.peeking holdout.interval_coverage", "[0,1]", error=0.25)
own("coverage.peeking", "#[1,]", n=20, step=2)
own("holdout.interval_coverage", "#[1,]", copies=2)
own("holdout.selection_bias", "[0,1]1", error=[0.1, 0.2, 0.3])
own("book.leaderboards.noisy_risk", "[0,1]*", label_noise=0.1)
own("holdout.ladder_bound", "(0,]*", step=0.1)
own("book.leaderboards.mix", "labels", first=GUESSES, second=OTHERS)
own("holdout.sample_size_for", "(0,1]?", epsilon=None)
own("datasets.load_board", "=cifar10", name="cifar10")
own("datasets.load_board", "none", folder=None)
own("datasets.chi2_small", "[0,0.5]", label_noise=0.05)
own("datasets.ar1_regression datasets.gaussian_mixture", "#[1,]", p=3)
own("generalization.fpe generalization.log_fpe", "#[0,]*", p=3)
own("generalization.fpe generalization.log_fpe", "#[1,]*", N=20)
own("training_set.cud_bound losses.from_scores losses.linear_soft_loss losses.logistic_loss",
    "labels", y=SIGNS, y_true=SIGNS)
own("training_set.cud_bound", "[,]2", X=CASES)
own("training_set.cud_supremum", "labels", y=SIGNS[:8])
own("training_set.cud_supremum", "#[0,]2", counts=[[1] * 8, [2, 0] * 4])
own("training_set.martin", "(0,]1", prior=(1.0, 1.0))
own("training_set.quantile_bootstrap training_set.reflected_bootstrap", "#[1,]", inner=3)
own("losses.linear_soft_loss losses.logistic_loss", "[,]1", y_pred=CASES[:, 0])
# fmt: on


def functions():
    """Every public function, by its name."""
    listed = {name: getattr(errlab, name) for name in errlab._FUNCTIONS}
    listed["metrics.Confusion"] = metrics.Confusion
    # errlab.style only concerns how plots look
    packages = {n: getattr(errlab, n) for n in errlab._MODULES if n != "style"}
    for package, module in (packages | {"book.leaderboards": leaderboards}).items():
        for name, value in sorted(vars(module).items()):
            public = inspect.isfunction(value) and not name.startswith("_")
            if public and value.__module__.startswith(module.__name__):
                listed[f"{package}.{name}"] = value
    return listed


def form(name, function):
    """Name each parameter of a function with a value that works and its kind."""
    values = {}
    for p, parameter in inspect.signature(function).parameters.items():
        default = parameter.default
        if p in OVERRIDES[name]:
            values[p] = OVERRIDES[name][p]
        elif isinstance(default, (str, bool)):  # a flag, or a string with a few valid values
            values[p] = (default, kind("flag" if isinstance(default, bool) else f"={default}"))
        elif p in PARAMETERS:
            values[p] = PARAMETERS[p]
        else:
            raise LookupError(f"{name} has a parameter that tests/fuzz.py does not know: {p}")
    return values


# Further valid calls of the same functions: values, and kinds where they differ.
SCORED = dict.fromkeys(("y_true", "y_pred", "pred_b"), "none")
NOTHING = dict.fromkeys(SCORED)
FROM_LOSSES = {"mean": None, "n": None, "var": None, "losses": LOSSES / 2, "key": "HOE"}
INSTEAD = [
    *((f, FROM_LOSSES, {}) for f in ENDS.split()),
    ("bounds.interval", FROM_LOSSES | {"key": "BET"}, {}),
    ("report", {"pred_b": None, "margin": None}, {}),
    (
        "report",
        NOTHING | {"scores": CASES[:, 0] > 0, "scores_b": CASES[:, 1] > 0, "groups": FOLDS},
        SCORED | {"scores": "[0,1]1", "scores_b": "[0,1]1?"},
    ),
    (
        "report",
        NOTHING | {"scores": CASES[:, 0], "scores_b": CASES[:, 1], "range": (-5, 5)},
        SCORED
        | {"scores": "[-5,5]1", "scores_b": "[-5,5]1?", "range": "range", "margin": "(0,10)?"},
    ),
    (
        "report",
        NOTHING | {"margin": None, "groups": None, "ids": None, "errors": 3, "n": 20},
        SCORED
        | {"margin": "none", "groups": "none", "ids": "none", "errors": "#[0,]", "n": "#[1,]"},
    ),
    ("plan", {"error": None, "half_width": None, "difference": 0.1, "disagree": 0.3}, {}),
]


def in_words(value, allows):
    if allows.text.startswith("labels") and np.isin(value, (-1, 0, 1)).all():
        return np.where(np.asarray(value) > 0, "yes", "no")
    return value


VARIANTS = {
    "many at once": lambda v, allows: (
        [v, v] if allows.text.rstrip("?").endswith("*") and np.ndim(v) == 0 else v
    ),
    "labels in words": in_words,
    "none given": lambda v, allows: None if allows.text.endswith("?") else v,
}


def forms(name, function):
    """Give the good calls of a function: the plain one, and its variants where they work."""
    plain = form(name, function)
    yield "", plain
    for other, values, kinds in INSTEAD:
        if other == name:
            yield (
                "instead",
                {p: (values.get(p, v), kind(kinds.get(p, k.text))) for p, (v, k) in plain.items()},
            )
    for variant, change in VARIANTS.items():
        changed = {p: (v if v is None else change(v, k), k) for p, (v, k) in plain.items()}
        if "positive" in changed and variant == "labels in words":
            changed["positive"] = ("yes", kind("yes or no"))
        values = {p: v for p, (v, _) in changed.items()}
        differs = any(values[p] is not plain[p][0] for p in plain)
        if differs and outcome(function, values)[1] is None:
            yield variant, changed


# --- invalid values to put in their place

CONSTANTS = [
    None, True, "abc", "", "1", b"ab", np.nan, np.inf, -np.inf, -1, -0.0, 0, 1, 0.5, 2.5, 3, 300,
    1e300, 1e-300, 5e-324, 1 - 1.2e-16, 2**53, 2**63, -(2**63), 10**400, 1j, Decimal("0.5"),
    Fraction(1, 2), [], [[]], {}, {"a": 1}, {0, 1}, object(), dict, [[1], [1, 2]], [1, "a"],
    ["a", "b"], [0.5], np.ma.masked, pd.NA, pd.NaT, np.datetime64("2020-01-01"), range(0),
    np.zeros((0, 2)), np.zeros((2, 2, 2)), np.array("a"), sparse.csr_matrix(np.eye(3)), ...,
    (i for i in (0, 1)),
]  # fmt: skip


def hole(base, filling, dtype=object):
    array = np.array(base, dtype=dtype)
    array[(0,) * array.ndim] = filling
    return array


# Changes to a valid array. If only numbers are spoiled, labels may stay valid.
SPOILT = {
    "a None in it": lambda a: hole(a, None),
    "an NA in it": lambda a: hole(a, pd.NA),
    "a list in it": lambda a: [[0], *np.asarray(a).tolist()[1:]],
    "a mask": lambda a: np.ma.array(a, mask=hole(np.zeros(np.shape(a)), True, bool)),
    "one more": lambda a: np.concatenate([a, np.asarray(a)[:1]]),
    "one fewer": lambda a: np.asarray(a)[1:],
    "one alone": lambda a: np.asarray(a)[:1],
    "a column": lambda a: np.asarray(a)[..., None],
    "a row": lambda a: np.asarray(a)[None],
    "dates": lambda a: np.full(np.shape(a), np.datetime64("2020-01-01")),
}
SPOILT_NUMBERS = {
    "a nan in it": lambda a: hole(a, np.nan, float),
    "an inf in it": lambda a: hole(a, np.inf, float),
    "a word in it": lambda a: hole(a, "a"),
    "a word in the list": lambda a: hole(a, "a").tolist(),
    "all masked": lambda a: np.ma.masked_all(np.shape(a)),
    "negative": lambda a: -1.0 * np.asarray(a) - 1,
    "large": lambda a: np.asarray(a) * 1e300,
    "in words": lambda a: np.asarray(a).astype(str),
    "complex": lambda a: np.asarray(a) * 1j,
    "constant": lambda a: np.zeros_like(np.asarray(a, dtype=float)),
}
SPOILT_COUNTS = {
    "huge counts": lambda a: np.asarray(a) + 2.0**53,
    "halves": lambda a: np.asarray(a) + 0.5,
}
EQUAL = {  # changes after which the array is still valid
    "a list": lambda a: np.asarray(a).tolist(),
    "a tuple": lambda a: tuple(np.asarray(a).tolist()),
    "an array": np.asarray,
    "objects": lambda a: np.asarray(a).astype(object),
    "every other": lambda a: np.repeat(np.asarray(a), 2, axis=0)[::2],
    "no mask": np.ma.array,
    "a series or frame": lambda a: (
        pd.DataFrame(a) if np.ndim(a) == 2 else pd.Series(a, index=np.arange(len(a))[::-1])
    ),
}
EQUAL_NUMBERS = {
    "big-endian": lambda a: np.asarray(a).astype(np.asarray(a).dtype.newbyteorder(">")),
    "read only": lambda a: np.frombuffer(np.asarray(a).tobytes(), np.asarray(a).dtype).reshape(
        np.shape(a)
    ),
    "floats": lambda a: np.asarray(a, dtype=float),
}


# Calls that take a second or more, so they are made by night only.
LONG = {
    ("metrics.rate_intervals", "delta", "1e-300"), ("per_class", "delta", "1e-300"),
    ("report", "delta", "1e-300"), ("metric", "delta", "1e-300"),
    ("training_set.quantile_bootstrap", "inner_resamples", "300"),
    ("training_set.reflected_bootstrap", "inner_resamples", "300"),
}  # fmt: skip


def odd_calls(parameters):
    """Give every call with one argument changed, whether it is fine, and whether it is equal."""
    base = {p: value for p, (value, _) in parameters.items()}
    for p, (value, allows) in parameters.items():
        for odd in CONSTANTS:
            fine = allows(odd)
            if p == "n_jobs" and fine and odd not in (None, 1):
                continue  # starting workers takes long; test_work.py tests them
            if not (allows.text.startswith("function") and callable(odd)):
                yield p, repr(odd)[:60], base | {p: odd}, fine, False
        numeric = numbers(value) is not None
        if not np.ndim(value) or not (numeric or allows.text.startswith("labels")):
            continue
        spoilt = SPOILT | (SPOILT_NUMBERS if numeric else {})
        for what, spoil in (spoilt | (SPOILT_COUNTS if "#" in allows.text else {})).items():
            changed = spoil(value)
            yield p, what, base | {p: changed}, allows(changed), False
        for what, convert in (EQUAL | (EQUAL_NUMBERS if numeric else {})).items():
            if np.ndim(value) < 3:
                yield p, what, base | {p: convert(value)}, True, True


# --- which calls raise errors, and which


def outcome(function, arguments):
    """Call, and return the outcome: a result, an error, warnings, or a time-out."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(
        signal.ITIMER_VIRTUAL, HANGS
    )  # CPU time of this process, so the machine's load doesn't count
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            result = function(**arguments)
        # errlab's own warnings are UserWarnings; the others come from libraries
        return result, None, [str(w.message) for w in raised if w.category is not UserWarning]
    except Exception as error:
        return None, error, []
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ours(error):
    """Whether an error is one clear line that errlab raised on purpose."""
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    file, text = frame.tb_frame.f_code.co_filename, str(error)
    raised = linecache.getline(file, frame.tb_lineno).strip().startswith("raise")
    clear = type(error) in (ValueError, TypeError) and "\n" not in text and len(text) < 320
    return clear and raised and re.search("/errlab(_book)?/", file) is not None


def numbers_in(result):
    """Yield every number of a result, however nested."""
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
    """Judge one call: refused, right, obscure, silent, or endless."""
    result, error, messages = outcome(function, arguments)
    if isinstance(error, TimeoutError):
        return "endless", ""
    if error is not None:
        # a message may also name the concept: a bound for `key`, folds for `cv` and `y`
        names = "|".join([*arguments, "bound", "folds", "scores", "plan"])
        if not ours(error) or not re.search(rf"\b({names})\b", str(error)):
            return "obscure", f"{type(error).__name__}: {error}"
        return ("silent", f"refused though equal: {error}") if equal else ("refused", str(error))
    if messages:
        return "silent", f"warns: {messages[0]}"
    if not fine:
        return "silent", f"returned {result!r:.80}"
    values = np.array(list(numbers_in(result)))
    if equal:
        same = values.shape == base.shape and np.allclose(values, base, 1e-9, 0, equal_nan=True)
        return ("right", "") if same else ("silent", f"another result: {result!r:.80}")
    if not np.isfinite(values).all() and np.isfinite(base).all():
        return "silent", f"not finite: {result!r:.80}"
    return "right", ""


def calls(name, night=False):
    """Make all calls of a function: function, parameter, change, verdict, words."""
    function = functions()[name]
    for variant, parameters in forms(name, function):
        good = {p: value for p, (value, _) in parameters.items()}
        result, error, messages = outcome(function, good)
        if error is not None or messages:
            raise AssertionError(f"{name} does not work in tests/fuzz.py: {error!r} {messages}")
        base = np.array(list(numbers_in(result)))
        for p, what, arguments, fine, equal in odd_calls(parameters):
            if ((name, p, what) in LONG) != night:
                continue
            judgement, words = verdict(function, arguments, fine, equal, base)
            if judgement not in ("refused", "right") and (name, p) in JUDGED:
                judgement = "judged"
            yield f"{name} {variant}".strip(), p, what, judgement, words
