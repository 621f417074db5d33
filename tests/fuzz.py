"""One odd argument at a time, for every public function: refused by name, or the right result.

`test_fuzz` makes every call. data/arguments.txt binds values to the names of parameters: one of the
same name means the same thing everywhere, so that a new function is tested as soon as it is public.
data/changes.txt has what is put in their place.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import linecache
import re
import signal
import traceback
import warnings
from decimal import Decimal
from fnmatch import fnmatch
from fractions import Fraction
from numbers import Real

import numpy as np
import pandas as pd
from scipy import sparse
from tables import sections

import errlab
from errlab import metrics
from errlab_book import leaderboards

# Accepted exceptions, and why: {(function, parameter): reason}.
JUDGED = {("metrics.fdr_threshold", "fdr"): "-inf where every example is a discovery, as it says"}
HANGS = 60.0  # a call that takes milliseconds counts as endless after this many CPU seconds
# Calls that take a second or more, so they are made by night only: by parameter and value.
LONG = {
    ("delta", "1e-300"): "metrics.rate_intervals per_class report metric models bounds.blaker",
    ("inner_resamples", "300"): "training_set.quantile_bootstrap training_set.reflected_bootstrap",
}

# --- which values are valid


class Nearest:
    """A quick classifier from no library; like others, it requires finite numbers."""

    def fit(self, X, y):
        self.X, self.y = self._finite(X), np.asarray(y)
        return self

    def predict(self, X):
        with np.errstate(all="ignore"):
            distance = ((self._finite(X)[:, None] - self.X) ** 2).sum(axis=2)
        return self.y[distance.argmin(axis=1)]

    def _finite(self, X):
        array = numbers(X.toarray() if sparse.issparse(X) else X)
        if array is None:
            raise ValueError("X must hold finite numbers")
        return array


def no_column(value):
    """Whether a value is masked, or of a type that is never a column."""
    entries = value if isinstance(value, (list, tuple)) else ()
    masked = np.ma.is_masked(value) or any(v is np.ma.masked for v in entries)
    return masked or isinstance(value, (str, bytes, dict, set)) or sparse.issparse(value)


def numbers(value):
    """Read a value as an array of finite real numbers; None if it isn't one."""
    if no_column(value):
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


NO_LABELS = {"list", "dict", "set", "ndarray", "NoneType", "NAType", "NaTType"}


def labels(value):
    """Whether a value is a row of labels of one kind, none of them missing."""
    if no_column(value):
        return False
    if not isinstance(value, (list, tuple)):
        array = np.asarray(value)
        value = array.tolist() if array.ndim == 1 else []
    kinds = {"number" if isinstance(v, Real) else type(v).__name__ for v in value}
    if len(kinds) != 1 or kinds & NO_LABELS:
        return False
    return kinds != {"number"} or bool(np.isfinite([float(v) for v in value]).all())


def hole(base, filling, dtype=object):
    array = np.array(base, dtype=dtype)
    array[(0,) * array.ndim] = filling
    return array


RANGE = re.compile(r"(#?)([\[(])([^,]*),([^,]*)([\])])(\*|\d*)")


@dataclasses.dataclass(frozen=True)
class kind:
    """What an argument may be, in short.

    ``[0,1]`` is a number, ``(0,]`` one above 0, ``#[1,]`` a whole one; ``[0,1]12`` an array of one
    or two axes, ``[0,1]*`` of any; ``=a|b`` one of two words; else a name of `RULES`, whose
    conditions are in data/arguments.txt. A question mark at the end allows None.
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


# --- the valid calls


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


NAMES = globals() | {"pd": pd, "Decimal": Decimal, "Fraction": Fraction}


def functions_of(variable, lines):
    """Read lines that give a function of a variable, after its name."""
    pairs = [line.split(": ", 1) for line in lines]
    return {name: eval(f"lambda {variable}: {text}", NAMES) for name, text in pairs}


def bound_values(lines):
    """Read lines of data/arguments.txt: by parameter, a valid value and its kind."""
    pairs = [line.split(": ", 1) for line in lines]
    return {
        name: (value, kind(text))
        for text, values in pairs
        for name, value in eval(f"dict({values})", NAMES).items()
    }


(_, DATA), (_, CONDITIONS), (_, EVERY), *OWN = sections("arguments.txt")
exec("\n".join(DATA), NAMES)
RULES = functions_of("v", CONDITIONS)
EVERY, OWN = bound_values(EVERY), [(title.split(), bound_values(lines)) for title, lines in OWN]


def own(name, instead=False):
    """Return the sections of a function, or those of its further calls."""
    return [
        values
        for patterns, values in OWN
        if (patterns[0] == "instead") == instead and any(fnmatch(name, p) for p in patterns)
    ]


def form(name, function):
    """Name each parameter of a function with a value that works and its kind."""
    defaults = {p: taken.default for p, taken in inspect.signature(function).parameters.items()}
    values = dict(EVERY)
    for p, default in defaults.items():
        if isinstance(default, (str, bool)):  # a flag, or a string with a few valid values
            values[p] = default, kind("flag" if isinstance(default, bool) else f"={default}")
    for section in own(name):
        values |= section
    return {p: values[p] for p in defaults}


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
    for section in own(name, instead=True):
        yield "instead", {p: section.get(p, pair) for p, pair in plain.items()}
    for variant, change in VARIANTS.items():
        changed = {p: (v if v is None else change(v, k), k) for p, (v, k) in plain.items()}
        if "positive" in changed and variant == "labels in words":
            changed["positive"] = ("yes", kind("yes or no"))
        values = {p: v for p, (v, _) in changed.items()}
        differs = any(values[p] is not plain[p][0] for p in plain)
        if differs and outcome(function, values)[1] is None:
            yield variant, changed


# --- invalid values to put in their place

(_, ODD), *CHANGES = sections("changes.txt")
ODD = {text: eval(text, NAMES) for text in ODD}
CHANGES = {title: functions_of("a", lines) for title, lines in CHANGES}


def odd_calls(parameters):
    """Give every call with one argument changed, whether it is fine, and whether it is equal."""
    base = {p: value for p, (value, _) in parameters.items()}
    for p, (value, allows) in parameters.items():
        for what, odd in ODD.items():
            fine = allows(odd)
            if p == "n_jobs" and fine and odd not in (None, 1):
                continue  # starting workers takes long; test_work.py tests them
            if not (allows.text.startswith("function") and callable(odd)):
                yield p, what, base | {p: odd}, fine, False
        numeric = numbers(value) is not None
        if not np.ndim(value) or not (numeric or allows.text.startswith("labels")):
            continue
        spoilt, equal = CHANGES["any array"], CHANGES["equal arrays"]
        if numeric:
            spoilt, equal = spoilt | CHANGES["numbers"], equal | CHANGES["equal numbers"]
        for what, spoil in (spoilt | CHANGES["counts"] if "#" in allows.text else spoilt).items():
            changed = spoil(value)
            yield p, what, base | {p: changed}, allows(changed), False
        for what, convert in equal.items() if np.ndim(value) < 3 else ():
            yield p, what, base | {p: convert(value)}, True, True


# --- which calls raise errors, and which


@contextlib.contextmanager
def limited(seconds):
    """Stop a computation after so much CPU time of this process, on which no load has a say."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def outcome(function, arguments):
    """Call, and return the outcome: a result, an error, warnings, or a time-out."""
    try:
        with limited(HANGS), warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            result = function(**arguments)
    except Exception as error:
        return None, error, []
    # errlab's own warnings are UserWarnings; the others come from libraries
    return result, None, [str(w.message) for w in raised if w.category is not UserWarning]


def ours(error):
    """Whether an error is one clear line that errlab raised on purpose."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    file, text = frame.f_code.co_filename, str(error)
    clear = type(error) in (ValueError, TypeError) and "\n" not in text and len(text) < 320
    raised = linecache.getline(file, line).strip().startswith("raise")
    return clear and raised and re.search("/errlab(_book)?/", file) is not None


def numbers_in(result):
    """Yield every number of a result, however nested."""
    parts = ()
    if isinstance(result, (bool, np.bool_, str, bytes)) or callable(result):
        return
    if isinstance(result, Real):
        yield float(result)
    elif isinstance(result, np.ndarray):
        yield from map(float, result.ravel() if result.dtype.kind in "iuf" else ())
    elif isinstance(result, (list, tuple)):
        parts = result
    elif isinstance(result, dict):
        parts = result.values()
    elif dataclasses.is_dataclass(result):
        parts = [getattr(result, field.name) for field in dataclasses.fields(result)]
    for part in parts:
        yield from numbers_in(part)


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
    """Make all calls of a function: function, parameter, change, verdict, words.

    By day, those that take long are left out, and of a variant all but its own arguments.
    """
    function = functions()[name]
    plain = form(name, function)
    for variant, parameters in forms(name, function):
        good = {p: value for p, (value, _) in parameters.items()}
        result, error, messages = outcome(function, good)
        if error is not None or messages:
            raise AssertionError(f"{name} does not work in tests/fuzz.py: {error!r} {messages}")
        base = np.array(list(numbers_in(result)))
        for p, what, arguments, fine, equal in odd_calls(parameters):
            same = variant in VARIANTS and good[p] is plain[p][0]
            if (same or name in LONG.get((p, what), "").split()) != night:
                continue
            judgement, words = verdict(function, arguments, fine, equal, base)
            if judgement not in ("refused", "right") and (name, p) in JUDGED:
                judgement = "judged"
            yield f"{name} {variant}".strip(), p, what, judgement, words
