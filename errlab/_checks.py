"""The only validation in errlab: every public function passes its arguments through here.

Each check returns a clean array (or scalar) or raises an error that names the argument, the
rule and the value. ``TypeError`` is for the wrong kind of thing, ``ValueError`` for the wrong
value of the right kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def _show(value: Any) -> str:
    """Show a value in an error message, short enough to read."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else text[:57] + "..."


def numbers(value: ArrayLike, name: str, *, ndim: int | None = None) -> FloatArray:
    """Check that `value` holds finite real numbers, at least one; return it as float64."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a regular array, got {_show(value)}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got {_show(value)}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimension(s), got shape {array.shape}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {_show(array[~np.isfinite(array)][0])}")
    return array


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
    bad = (array < low) | (array > high)
    bad |= (open_low & (array == low)) | (open_high & (array == high))
    if bad.any():
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        if np.isinf(high):
            rule = f"be {'above' if open_low else 'at least'} {low:g}"
        else:
            rule = f"lie in {left}{low:g}, {high:g}{right}"
        raise ValueError(f"{name} must {rule}, got {_show(array[bad][0])}")
    return array


def mean(value: ArrayLike, name: str = "mean") -> FloatArray:
    """Check a mean loss, a proportion or a probability: in [0, 1]."""
    return within(value, name, 0, 1)


def delta(value: ArrayLike, name: str = "delta") -> FloatArray:
    """Check a failure probability: in (0, 1), both ends excluded."""
    return within(value, name, 0, 1, open_low=True, open_high=True)


def count(value: ArrayLike, name: str = "n", low: int = 1, *, ndim: int | None = None) -> IntArray:
    """Check whole numbers of at least `low`; floats such as 200.0 are taken as 200."""
    raw = np.asarray(value)
    if raw.dtype.kind == "b":
        raise TypeError(f"{name} must be a whole number, got {_show(value)}")
    array = numbers(value, name, ndim=ndim)
    if (array != np.rint(array)).any():
        raise ValueError(
            f"{name} must be a whole number, got {_show(array[array != np.rint(array)][0])}"
        )
    if (array < low).any():
        raise ValueError(f"{name} must be at least {low}, got {_show(int(array[array < low][0]))}")
    return array.astype(np.int64)


def one_count(value: Any, name: str = "n", low: int = 1) -> int:
    """Check a single whole number of at least `low`."""
    return int(count(scalar_only(value, name), name, low))


def one_delta(value: Any, name: str = "delta") -> float:
    """Check a single failure probability in (0, 1)."""
    return float(delta(scalar_only(value, name), name))


def scalar_only(value: Any, name: str) -> Any:
    if np.ndim(value) != 0:
        raise ValueError(f"{name} must be a single number, got shape {np.shape(value)}")
    return value


def losses(value: ArrayLike, name: str = "losses", *, ndim: int | None = 1) -> FloatArray:
    """Check an array of losses in [0, 1]; booleans count as 0 and 1."""
    return within(value, name, 0, 1, ndim=ndim)


def plain(array: Any) -> Any:
    """Return a float for a single number, the array itself otherwise: scalar in, scalar out."""
    return np.asarray(array).item() if np.ndim(array) == 0 else array


def matrix(value: ArrayLike, name: str = "X") -> FloatArray:
    """Check a finite matrix of shape (n, p)."""
    return numbers(value, name, ndim=2)


def labels(value: ArrayLike, name: str = "y") -> NDArray[Any]:
    """Check a vector of class labels of any type, none of them missing."""
    array = np.asarray(value)
    if array.ndim != 1:
        raise ValueError(f"{name} must have 1 dimension(s), got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    missing = np.array([v is None or v != v for v in array.tolist()])
    if missing.any():
        raise ValueError(f"{name} must have no missing label, got {_show(array[missing][0])}")
    return array


def signs(value: ArrayLike, name: str = "y") -> FloatArray:
    """Check a vector of labels in {-1, +1}."""
    array = numbers(value, name, ndim=1)
    if (np.abs(array) != 1).any():
        raise ValueError(
            f"{name} must hold labels in {{-1, +1}}, got {_show(array[np.abs(array) != 1][0])}"
        )
    return array


def same_length(**arrays: Any) -> int:
    """Check that the named arrays have the same length, and return it."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        text = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{' and '.join(lengths)} must have the same length, but {text}")
    return next(iter(lengths.values()))


def same_shape(**arrays: Any) -> tuple[FloatArray, ...]:
    """Broadcast the named arrays together, or say which shapes do not fit."""
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        text = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise ValueError(f"shapes must broadcast together, got {text}") from None


def choice(value: Any, name: str, options: Iterable[str]) -> str:
    """Check that `value` is one of the named options."""
    names = list(options)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {', '.join(names)}, got {_show(value)}")
    if value not in names:
        raise ValueError(f"{name} must be one of {', '.join(names)}, got {_show(value)}")
    return value


def generator(value: Any, name: str = "rng") -> np.random.Generator:
    """Turn a seed, a ``SeedSequence``, a ``Generator`` or None into a ``Generator``."""
    if isinstance(value, bool) or not (
        value is None
        or isinstance(value, (int, np.integer, np.random.SeedSequence, np.random.Generator))
    ):
        raise TypeError(f"{name} must be a seed, a Generator or None, got {_show(value)}")
    if isinstance(value, (int, np.integer)) and value < 0:
        raise ValueError(f"{name} must be a seed of at least 0, got {_show(value)}")
    return np.random.default_rng(value)
