"""Argument checks of all public functions; nothing else in errlab validates input.

Each check returns a clean array (or scalar) or raises an error that names the argument, the rule
and the value, in one line. ``TypeError`` means a wrong type, ``ValueError`` a wrong value.
"""

from __future__ import annotations

import reprlib
import textwrap
import warnings
from collections import Counter
from collections.abc import Collection, Hashable, Sized
from enum import Enum
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
FloatOrArray = float | FloatArray  # a float if every argument is a scalar
Labels = NDArray[Any]  # class labels, all of one kind: numbers of any type, strings or objects
Names = tuple[str, str]  # names of two classifiers
Scalar = float | np.floating[Any] | np.integer[Any]
Seed = np.random.Generator | np.random.SeedSequence | int | None

LARGE = 1e150  # the square of LARGE is still finite
SMALL = 1e-300  # the reciprocal of SMALL is still finite
EXACT = 2**53  # from here on, floats skip whole numbers

_SHORT = reprlib.Repr()
_SHORT.maxstring = 60
_SHORT.maxother = 60


def show(value: object) -> str:
    """Format a value for an error message: on one line, and shortened."""
    if isinstance(value, np.generic):
        value = value.item()
    shape = getattr(value, "shape", ())
    if isinstance(shape, tuple) and shape:
        return f"{type(value).__name__} of shape {shape}"
    return textwrap.shorten(_SHORT.repr(value), 80, placeholder="...")


def require(holds: object, name: str, rule: str, value: object) -> None:
    """Raise ``ValueError`` with the argument, the rule and the value unless `holds` is true.

    >>> require(3 >= 5, "cv", "be at least 5", 3)
    Traceback (most recent call last):
    ValueError: cv must be at least 5, got 3
    """
    if not holds:
        raise ValueError(f"{name} must {rule}, got {show(value)}")


def visible(text: str) -> str:
    """Escape control characters, such as those that change a terminal's colour."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def raw(value: object, name: str, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Convert to an array; refuse masked, sparse, ragged and empty values, which numpy accepts."""
    # numpy drops the mask silently, so masked values would count
    for part in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            raise ValueError(
                f"{name} must not hold masked values, got {show(part)}; pass only complete "
                "examples, the same ones in every argument"
            )
    # numpy wraps a sparse matrix as a single object
    if hasattr(value, "toarray"):
        raise TypeError(f"{name} must be a dense array, got {show(value)}; take .toarray()")
    try:
        array = np.asarray(value, dtype=dtype)
    except ValueError:
        raise ValueError(f"{name} must be a regular array, got {show(value)}") from None
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def numbers(value: ArrayLike, name: str, *, ndim: int | None = None) -> FloatArray:
    """Check that `value` is not empty and holds finite real numbers; return it as float64."""
    return _floats(raw(value, name), value, name, ndim)


def _floats(array: NDArray[Any], value: ArrayLike, name: str, ndim: int | None) -> FloatArray:
    """Check an array and return it as float64."""
    if ndim not in (None, array.ndim):
        _refuse_dimensions(array, name, ndim)
    # a column of a frame with mixed types has dtype object, even if it holds only numbers
    if array.dtype.kind == "O":
        for entry in array.flat:
            if not isinstance(entry, Real):
                raise TypeError(f"{name} must hold real numbers, got {show(entry)}")
        try:
            array = array.astype(np.float64)
        except OverflowError:
            raise ValueError(f"{name} must be finite, got a number above 1e308") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got {show(value)}")
    # copy, so that the caller's array never changes; adding 0 turns -0.0 into 0.0
    floats: FloatArray = np.add(array, 0.0, dtype=np.float64)
    if not np.isfinite(floats).all():
        raise ValueError(f"{name} must be finite, got {show(floats[~np.isfinite(floats)][0])}")
    return floats


def _refuse_dimensions(array: NDArray[Any], name: str, ndim: int | None) -> None:
    """Raise an error that says how many dimensions the array must have."""
    rule = "be a single number"
    if ndim:
        rule = f"have {ndim} dimension(s)"
    hint = ""
    if ndim == 1 and array.ndim == 2:
        hint = "; give one column"
        if array.shape[1] > 1:
            hint = (
                "; of probabilities give .argmax(axis=1) or the column of the positive class, of "
                "several labels per example .ravel(), with the examples as groups"
            )
    raise ValueError(f"{name} must {rule}, got shape {array.shape}{hint}")


def missing(entry: object) -> bool:
    """Whether a value is None, not a number, or a missing value of pandas."""
    if entry is None:
        return True
    try:
        return not bool(entry == entry)
    except (TypeError, ValueError):  # comparing pandas.NA with itself raises
        return True


def within(
    value: ArrayLike,
    name: str,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    ndim: int | None = None,
) -> FloatArray:
    """Check that every element lies between `low` and `high` (ends included unless open)."""
    array = numbers(value, name, ndim=ndim)
    inside = (array > low) & (array < high)
    if not open_low:
        inside |= array == low
    if not open_high:
        inside |= array == high
    if not inside.all():
        worst = float(array[~inside][0])
        if high < LARGE:
            rule = f"lie in {'[('[open_low]}{low:g}, {high:g}{'])'[open_high]}"
        elif worst > high:
            rule = f"be at most {high:g}"
        elif open_low:
            rule = f"be above {low:g}"
        else:
            rule = f"be at least {low:g}"
        raise ValueError(f"{name} must {rule}, got {show(worst)}")
    return array


def mean(value: ArrayLike, name: str = "mean", *, ndim: int | None = None) -> FloatArray:
    """Check a mean loss, a proportion or a probability: it must be in [0, 1]."""
    return within(value, name, 0, 1, ndim=ndim)


def delta(value: ArrayLike, name: str = "delta", *, ndim: int | None = None) -> FloatArray:
    """Check a failure probability: in (0, 1), and not so small that its reciprocal overflows."""
    array = within(value, name, 0, 1, open_low=True, open_high=True, ndim=ndim)
    if array.min() < SMALL:
        raise ValueError(f"{name} must be at least {SMALL:g}, got {show(float(array.min()))}")
    return array


def count(value: ArrayLike, name: str = "n", low: int = 1, *, ndim: int | None = None) -> IntArray:
    """Check whole numbers of at least `low` and below 2**53; 200.0 is accepted as 200."""
    original = raw(value, name)
    if original.dtype.kind == "b":
        raise TypeError(f"{name} must be a whole number, got {show(value)}")
    array = _floats(original, value, name, ndim)
    broken = array[array != np.rint(array)]
    if broken.size:
        raise ValueError(f"{name} must be a whole number, got {show(broken[0])}")
    if array.min() < low:
        raise ValueError(f"{name} must be at least {low}, got {show(int(array.min()))}")
    if array.max() >= EXACT:  # larger numbers have already lost their last digit as floats
        largest = int(original.flat[array.argmax()])
        raise ValueError(f"{name} must be below 2**53, got {show(largest)}")
    return array.astype(np.int64)


def one_count(value: ArrayLike, name: str = "n", low: int = 1) -> int:
    """Check a single whole number of at least `low`."""
    return int(count(value, name, low, ndim=0))


def one_mean(value: ArrayLike, name: str = "mean") -> float:
    """Check a single mean loss or fraction: it must be in [0, 1]."""
    return float(mean(value, name, ndim=0))


def one_result(errors: ArrayLike, n: ArrayLike) -> tuple[int, int]:
    """Check that the number of errors is at most the number of examples; return both."""
    size = one_count(n)
    made = one_count(errors, "errors", 0)
    require(made <= size, "errors", f"be at most n = {size}", made)
    return made, size


def one_delta(value: ArrayLike, name: str = "delta") -> float:
    """Check one failure probability in (0, 1); a float32 is read as the decimal it prints as."""
    if isinstance(value, np.floating):
        # through its text, numpy.float32(0.1) becomes 0.1, not 0.10000000149
        value = float(str(value))
    return float(delta(value, name, ndim=0))


def one_level(value: ArrayLike, name: str = "delta") -> float:
    """Check one failure probability; refuse one above 0.5, which is usually a confidence."""
    level = one_delta(value, name)
    if level > 0.5:
        raise ValueError(
            f"{name} must be at most 0.5, the probability that a claim may fail, "
            f"got {show(level)}; did you mean {round(1 - level, 12):g}?"
        )
    return level


def graded(true: Labels, scores: FloatArray, name: str) -> None:
    """Refuse labels where scores are needed, because an area from two values says little."""
    values = set(np.unique(scores).tolist())
    if len(values) == 2 and (values == set(true.tolist()) or values <= {-1.0, 0.0, 1.0}):
        raise ValueError(
            f"{name} must hold scores, one per example, got the labels {show(sorted(values))}; "
            "give probabilities, as of predict_proba(X)[:, 1], or take metric='balanced_accuracy'"
        )


def losses(value: ArrayLike, name: str = "losses", *, ndim: int | None = 1) -> FloatArray:
    """Check an array of losses in [0, 1]; booleans count as 0 and 1."""
    return within(value, name, 0, 1, ndim=ndim)


def plain(array: FloatOrArray) -> FloatOrArray:
    """Return a 0-d array as a float, and any other array unchanged."""
    return array if np.ndim(array) else np.asarray(array).item()


def matrix(value: ArrayLike, name: str = "X") -> FloatArray:
    """Check a matrix of shape (n, p) of numbers whose squares are finite."""
    return within(value, name, -LARGE, LARGE, ndim=2)


def labels(value: ArrayLike, name: str = "y") -> Labels:
    """Check a vector of class labels: all of one kind, and none missing.

    The array has the type of the labels, whether they came in a list, an array of objects or a
    column of a frame.
    """
    # keep the elements of a list as they are, because numpy would convert mixed types
    array = raw(value, name, object if isinstance(value, (list, tuple)) else None)
    if array.ndim != 1:
        _refuse_dimensions(array, name, 1)
    if array.dtype.kind == "O":
        array = _own_type(array, name)
    gone = array[array != array]  # NaN and NaT differ from themselves
    if gone.size:
        raise ValueError(f"{name} must have no missing label, got {show(gone[0])}")
    if array.dtype.kind == "f" and np.isinf(array).any():
        raise ValueError(f"{name} must be finite, got {show(array[np.isinf(array)][0])}")
    return array


_WORDS = 10**9  # largest array of strings in bytes; above, strings are stored as objects
_PLAIN = (bool, int, str, bytes)  # a value of these types is never missing


def _own_type(objects: Labels, name: str) -> Labels:
    """Convert labels of dtype object to their own dtype, if that changes none of them."""
    values = objects.tolist()
    examples = {type(entry): entry for entry in values}
    if examples.keys() - set(_PLAIN):
        for entry in values:
            if missing(entry):
                raise ValueError(f"{name} must have no missing label, got {show(entry)}")
            if not isinstance(entry, Hashable):
                raise TypeError(f"{name} must hold single labels, got {show(entry)}")
            if type(entry).__eq__ is object.__eq__ and not isinstance(entry, Enum):
                raise TypeError(
                    f"{name} must hold labels, got an object that is equal only to itself, "
                    f"{show(entry)}: take its label"
                )
    # numpy would turn numbers into strings if the array also holds strings
    kind, *others = kinds = {kind_of(entry): entry for entry in examples.values()}
    if others:
        both = " and ".join(map(show, list(kinds.values())[:2]))
        raise TypeError(f"{name} must hold labels of one kind, got {both}")
    if kind == "number" or (
        kind == "str" and 4 * len(values) * max(map(len, set(values))) <= _WORDS
    ):
        # next to floats whole numbers become floats, too, even those that no int64 can hold, such
        # as 1e20
        floats = any(issubclass(of, (float, np.floating)) for of in examples)
        try:
            typed = np.asarray(values, dtype=float if floats else None)
        except OverflowError:  # the whole number is too large for a float
            return objects
        # numpy drops a string's trailing NUL, and floats round whole numbers above 2**53
        if typed.dtype.kind in "biufU" and (typed == objects).all():
            return typed
    return objects


def kind_of(label: object) -> str:
    """Return the kind of a label; labels of different kinds are never equal."""
    if isinstance(label, (Real, np.bool_)):
        return "number"
    for kind in (str, bytes):
        if isinstance(label, kind):
            return kind.__name__
    return type(label).__name__


def same_labels(**columns: ArrayLike) -> tuple[Labels, ...]:
    """Check columns of labels of the same examples, true labels first, for comparison by ``==``."""
    arrays = {name: labels(column, name) for name, column in columns.items()}
    same_length(**arrays)
    truth, *others = arrays
    # numpy's == is silently False between strings and numbers, so we refuse to compare them
    for name in others:
        one_kind(arrays[truth], arrays[name], truth, name)
        no_scores(arrays[truth], arrays[name], name)
    return exact(*arrays.values())


def one_kind(true: Labels, pred: Labels, truth: str, name: str) -> None:
    """Refuse to compare strings with numbers, which are never equal."""
    if kind_of(true[0]) != kind_of(pred[0]):
        raise TypeError(
            f"{truth} and {name} must hold labels of one kind, "
            f"got {show(true[0])} and {show(pred[0])}"
        )


def no_scores(true: Labels, pred: Labels, name: str) -> None:
    """Refuse scores in place of labels, and measured numbers, of which few are ever equal."""
    if pred.dtype.kind != "f" or true.dtype.kind not in "biuf":
        return
    if (true != np.rint(true)).any():
        guesses = np.unique(pred)
        unseen = guesses[~np.isin(guesses, true)]
        if 2 * len(unseen) > len(guesses):
            _refuse_measured(true, unseen, name)
        return
    broken = pred[pred != np.rint(pred)]
    if broken.size and len(np.unique(true)) > 2:
        _refuse_measured(true, broken, name)
    if broken.size:
        raise ValueError(
            f"{name} must hold labels such as {show(true[0])}, got {show(broken[0])}: cut "
            "probabilities first, as in p > 0.5; for scores whose sign is the label take "
            "losses.from_scores, for graded scores report(scores=...)"
        )


def _refuse_measured(true: Labels, pred: Labels, name: str) -> None:
    raise ValueError(
        f"{name} must hold labels such as {show(true[0])}, got {show(pred[0])}: numbers count as "
        "labels, right if equal; of measured numbers take errlab.metric(y_true, y_pred, "
        "metric='mae'), or round both to classes"
    )


def share_labels(true: Labels, pred: Labels, name: str) -> None:
    """Refuse predictions that share no label with `y_true`, or that code two classes differently.

    0 and 1, or -1 and +1, are codes of the same two classes.
    """
    classes = set(true.tolist())
    guesses = set(pred.tolist())
    # -1 in one column and 0 in the other never agree, so each would count as an error
    for code, other in ((-1, 0), (0, -1)):
        if classes == {code, 1} and guesses == {other, 1}:
            raise ValueError(
                f"y_true and {name} must code the two classes alike, got {code} and 1, and {other} "
                f"and 1: recode one, as in np.where({name} == 1, 1, {code}); if there are three "
                "classes, of which this test set lacks one, take report(scores=...), with scores "
                "that are 1 if the two labels are equal"
            )
    # all labels 1 and all predictions 0 is a bad model, but the columns may be right
    codes = any(classes | guesses <= pair for pair in ({0, 1}, {-1, 1}))
    if not (codes or classes & guesses):
        raise ValueError(
            f"y_true and {name} must share labels, got {show(sorted(classes, key=str))} "
            f"and {show(sorted(guesses, key=str))}; give both the same names, or, for "
            "graded scores, take report(scores=...)"
        )


# Spellings of a missing value in other programs, in lower case.
MISSING_WORDS = {"nan", "na", "n/a", "<na>", "null", "none"}
# a label that is right half of the time is wrong this many times in a row in 1 of 32 test sets
_OFTEN = 5
_LISTED = 5  # labels that a warning lists


def never_true(true: Labels, pred: Labels) -> list[str]:
    """Describe the predicted labels that never occur in `y_true` and look like mistakes.

    A test set may lack a rare class that a model knows, so not every such label is a mistake. A
    label is reported if it differs from a true one only in capitals or blanks, or if it means that
    there is no answer. If labels are classes, it is also reported if there are only two classes, or
    if it is predicted at least `_OFTEN` times.
    """
    classes = set(true.tolist())
    written = {_plainly(label): label for label in classes}
    strange = []
    for label, times in Counter(pred.tolist()).most_common():
        if label in classes:
            continue
        description = f"{show(label)} ({times} of {len(pred)}"
        word = _plainly(label)
        rare = len(classes) == 1 or (times < _OFTEN and len(classes) > 2)
        # such as ? or #N/A
        no_answer = word.strip(" #") in MISSING_WORDS or not any(map(str.isalnum, word))
        if word in written:
            strange.append(f"{description}; y_true has {show(written[word])})")
        elif no_answer or not rare:
            strange.append(f"{description})")
    return strange


def _plainly(label: object) -> str:
    """Return a label in lower case, with single blanks."""
    return " ".join(str(label).casefold().split())


def _shift(true: Labels, pred: Labels) -> str:
    """Say if the labels look shifted by one, as if one column counted from 0 and one from 1."""
    if {true.dtype.kind, pred.dtype.kind} <= set("iu") and (true != pred).all():
        by = int(pred.min()) - int(true.min())
        if abs(by) == 1 and int(pred.max()) - int(true.max()) == by:
            return (
                f". None agrees, and their range is off by {by:+d}; do both count from one number?"
            )
    return ""


def zero_one_losses(
    y_true: ArrayLike, y_pred: ArrayLike, name: str = "y_pred"
) -> NDArray[np.bool_]:
    """Return where two columns of labels differ, after checking that they can be compared."""
    true, pred = same_labels(**{"y_true": y_true, name: y_pred})
    share_labels(true, pred, name)
    strange = never_true(true, pred)
    if strange:
        if len(strange) > _LISTED:
            strange[_LISTED:] = [f"{len(strange) - _LISTED} more"]
        warnings.warn(
            f"{name} holds labels that y_true never does: {', '.join(strange)}; "
            "each counts as an error. If they aren't errors, spell labels alike, or leave out "
            f"the examples without an answer{_shift(true, pred)}",
            UserWarning,
            stacklevel=5,
        )
    return np.asarray(true != pred, dtype=bool)


def exact(*arrays: Labels) -> tuple[Labels, ...]:
    """Keep whole numbers exact when they are compared with floats or across signs."""
    kinds = {array.dtype.kind for array in arrays}
    for array in arrays if len(kinds) > 1 else ():
        # floats would round these numbers, so compare them as Python integers
        if array.dtype.kind in "iu" and (array.max() >= EXACT or array.min() <= -EXACT):
            return tuple(column.astype(object) for column in arrays)
    return arrays


def signs(value: ArrayLike, name: str = "y") -> FloatArray:
    """Check a vector of labels in {-1, +1}."""
    array = numbers(value, name, ndim=1)
    others = array[np.abs(array) != 1]
    if others.size:
        raise ValueError(f"{name} must hold labels in {{-1, +1}}, got {show(others[0])}")
    return array


def same_length(**arrays: Sized) -> int:
    """Check that the named arrays have the same length, and return that length."""
    lengths = {name: len(array) for name, array in arrays.items()}
    length, *others = set(lengths.values())
    if others:
        text = ", ".join(f"{name} has {number}" for name, number in lengths.items())
        raise ValueError(f"{' and '.join(lengths)} must have the same length, but {text}")
    return length


def same_shape(**arrays: ArrayLike) -> tuple[FloatArray, ...]:
    """Broadcast the named arrays together, or say which shapes don't fit."""
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        text = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise ValueError(f"shapes must broadcast together, got {text}") from None


def choice(value: object, name: str, options: Collection[str]) -> str:
    """Check that `value` is one of the named options."""
    if isinstance(value, str) and value in options:
        return value
    rule = f"be one of {', '.join(options)}"
    if not isinstance(value, str):
        raise TypeError(f"{name} must {rule}, got {show(value)}")
    raise ValueError(f"{name} must {rule}, got {show(value)}")


def generator(value: object, name: str = "rng") -> np.random.Generator:
    """Turn a seed, a ``SeedSequence``, a ``Generator`` or None into a ``Generator``."""
    # numpy.timedelta64 is a subclass of numpy's integers
    if isinstance(value, bool | np.timedelta64) or not isinstance(value, Seed | np.integer):
        raise TypeError(f"{name} must be a seed, a Generator or None, got {show(value)}")
    if isinstance(value, int | np.integer) and value < 0:
        raise ValueError(f"{name} must be a seed of at least 0, got {show(value)}")
    return np.random.default_rng(value)


def one_seed(value: object, name: str = "rng") -> np.random.SeedSequence:
    """Return one seed for all draws of a call, so that equal columns get equal draws."""
    if isinstance(value, np.random.SeedSequence):
        return value
    # draw once from the caller's Generator, so that its next call gives other numbers
    return np.random.SeedSequence(int(generator(value, name).integers(2**63)))


def flag(value: object, name: str) -> bool:
    """Check that `value` is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {show(value)}")
    return bool(value)


def function(value: object, name: str) -> None:
    """Check that `value` is callable."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {show(value)}")


def names_of(value: object, number: int = 2) -> tuple[str, ...]:
    """Check the names of classifiers: different strings, returned as they are printed."""
    if not isinstance(value, (list, tuple)) or list(map(type, value)) != [str] * number:
        raise TypeError(f"names must be {number} strings, got {show(value)}")
    names = tuple(map(visible, value))
    require(len(set(names)) == number, "names", "differ", value)
    return names


def two_names(value: object) -> Names:
    """Check the names of two classifiers."""
    first, second = names_of(value)
    return first, second
