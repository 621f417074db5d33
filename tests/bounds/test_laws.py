"""Laws that hold for every registered bound, or for those that declare a property.

A new bound in the registry is tested here without any edit. The law about coverage is in
test_coverage.py.
"""

import inspect
from functools import cache
from itertools import product

import numpy as np
import pytest
from marks import slow
from scipy.stats import binom

from errlab import bounds
from errlab.bounds import BOUNDS

SIZES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000, 10**4)
DELTAS = (1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.999)
SECTIONS = ("Parameters", "Returns", "Raises", "References", "Examples")
ROUNDING = 1e-12


SEARCHED = ("BEN", "BLA")  # bounds that are found by a slow search, so large n are tested by night


FROM_COUNTS = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]
FROM_LOSSES = [key for key in BOUNDS if key not in FROM_COUNTS]


def sized(names):
    """Give each bound, or pair of bounds, all sizes, or those of the day and of the night."""
    cases = []
    for name in names:
        if {*SEARCHED} & {*name.split()}:
            cases.append(pytest.param(name, SIZES[:8], marks=pytest.mark.slow))
            cases.append(pytest.param(name, SIZES[8:], marks=pytest.mark.nightly))
        else:
            cases.append((name, SIZES))
    return cases


def counts(n):
    """Return all counts of errors as means, or 1001 means if there are more."""
    return np.arange(n + 1) / n if n <= 1000 else np.linspace(0, 1, 1001)


@cache
def table(key, n):
    """Return the bound for each delta (rows) and count (columns)."""
    return bounds.upper(key, counts(n), n, delta=np.array(DELTAS)[:, np.newaxis])


# --- every bound that needs no more than mean, n and var ----------------------------------------


@pytest.mark.parametrize(("key", "sizes"), sized(FROM_COUNTS))
def test_lies_in_the_unit_interval_grows_with_the_errors_and_falls_with_delta(key, sizes):
    binary = BOUNDS[key].loss == "binary"
    for n in sizes:
        upper, mean = table(key, n), counts(n)
        assert ((upper >= 0) & (upper <= 1)).all()
        for law, step in (
            ("falls from this delta and mean on", np.diff(upper, axis=1)),
            ("rises from this delta and mean on", -np.diff(upper, axis=0)),
        ):
            wrong = [(DELTAS[i], mean[j]) for i, j in np.argwhere(step < -ROUNDING)]
            assert not wrong, f"{law} at {n = }: {wrong[0]}"
        # from delta = 1/2 on, a binary bound may be below the mean; a posterior's quantile isn't
        # guaranteed, and lies between the mean and 1/2
        rows = np.array(DELTAS) <= 0.5 if binary else slice(None)
        columns = (mean <= 0.5) | BOUNDS[key].rigorous
        above = upper >= mean - (ROUNDING if binary else 0)
        assert above[rows][:, columns].all(), f"below the mean at {n = }"


MANY = np.r_[20:200, 200:2001:50]
RISING = [
    # not Blaker's, which may rise a little with more examples
    *((key, MANY) for key in FROM_COUNTS if key not in SEARCHED),
    ("BEN", np.arange(20, 80)),
    pytest.param("BEN", MANY, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("key", "sizes"), RISING)
def test_falls_as_n_grows_at_a_fixed_mean(key, sizes):
    mean = np.array([0, 0.01, 0.1, 0.25, 0.5, 0.8])[:, np.newaxis]
    for delta in (1e-6, 0.01, 0.05, 0.2):
        upper = bounds.upper(key, mean, sizes, delta=delta)
        assert (np.diff(upper, axis=1) <= ROUNDING).all(), f"rises at delta = {delta}"


@pytest.mark.parametrize("key", [key for key in BOUNDS if BOUNDS[key].needs == "var"])
def test_a_smaller_variance_gives_a_smaller_bound(key):
    share = np.linspace(0, 1, 21)[:, np.newaxis]
    for n in (2, 10, 200):
        mean = counts(n)
        upper = bounds.upper(key, mean, n, var=share * mean * (1 - mean))
        assert (np.diff(upper, axis=0) >= -ROUNDING).all()
        np.testing.assert_allclose(upper[-1], bounds.upper(key, mean, n), atol=ROUNDING)


@pytest.mark.parametrize("key", slow(FROM_COUNTS, *SEARCHED))
def test_broadcasting_equals_a_loop_and_scalars_stay_scalars(key):
    rng = np.random.default_rng(0)
    mean, n = rng.random((4, 1)), rng.integers(1, 400, 5)
    delta = rng.uniform(0.01, 0.5, (3, 1, 1))
    together = bounds.upper(key, mean, n, delta=delta)
    assert together.shape == (3, 4, 5)
    assert together.dtype == np.float64
    for i, j, k in np.ndindex(3, 4, 5):
        alone = BOUNDS[key].function(float(mean[j, 0]), int(n[k]), delta=float(delta[i, 0, 0]))
        assert together[i, j, k] == pytest.approx(alone, rel=1e-12)
    assert type(alone) is float
    assert all(type(end) is float for end in bounds.interval(key, 0.3, 50))


@pytest.mark.parametrize("key", slow(FROM_COUNTS, *SEARCHED))
def test_lower_is_the_reflection_and_losses_stand_for_mean_n_and_var(key):
    mean = np.arange(61) / 60
    lower = bounds.lower(key, mean, 60)
    np.testing.assert_allclose(lower, 1 - bounds.upper(key, mean[::-1], 60), atol=1e-11)
    low, high = bounds.interval(key, mean, 60)
    assert (low <= high).all()
    losses = np.random.default_rng(1).random((3, 40))
    losses = losses < 0.3 if BOUNDS[key].loss == "binary" else losses
    from_mean = bounds.upper(key, losses.mean(axis=1), 40, var=losses.var(axis=1))
    np.testing.assert_allclose(bounds.upper(key, losses=losses), from_mean)
    variance_matters = bounds.upper(key, 0.3, 50, var=0.01) != bounds.upper(key, 0.3, 50)
    assert variance_matters == (BOUNDS[key].needs == "var")


@pytest.mark.parametrize("key", FROM_LOSSES)
def test_laws_of_bounds_that_need_the_losses(key):
    alone = BOUNDS[key].function
    for n in (1, 2, 5, 20, 200):
        none, one, every = map(alone, (np.zeros(n), np.eye(1, n)[0], np.ones(n)))
        assert {type(none), type(one), type(every)} == {float}
        assert bounds.upper("CP", 0, n) - ROUNDING <= none <= one <= every == 1
        assert none < 1 or n < 5
    rng = np.random.default_rng(2)
    rows = [np.zeros(50), np.ones(50), rng.random(50) < 0.1, rng.random(50), rng.beta(0.1, 9, 50)]
    losses = np.array([*rows, rng.beta(1, 4, 50)], dtype=float)
    expected = np.reshape([alone(row) for row in losses], (2, 3))
    losses = losses.reshape(2, 3, 50)
    np.testing.assert_allclose(bounds.upper(key, losses=losses), expected, rtol=1e-12)
    low, high = bounds.interval(key, losses=losses)
    assert ((low <= losses.mean(axis=-1)) & (losses.mean(axis=-1) <= high)).all()


# --- what is registered -------------------------------------------------------------------------


@pytest.mark.parametrize("key", BOUNDS)
def test_is_documented(key):
    """Every registered bound has a numpydoc docstring with an example that runs."""
    entry = BOUNDS[key]
    doc = inspect.getdoc(entry.function)
    summary, blank, *_ = doc.splitlines()
    assert summary.endswith("."), "one-line summary"
    assert blank == "", "one-line summary"
    for section in SECTIONS:
        assert f"\n{section}\n{'-' * len(section)}\n" in doc, section
    for name in inspect.signature(entry.function).parameters:
        assert name in doc.partition("Parameters\n")[2].partition("Returns\n")[0], name
    assert f">>> round({entry.function.__name__}(" in doc
    assert getattr(bounds, entry.function.__name__) is entry.function
    assert entry.name
    assert entry.equations
    assert entry.loss in ("binary", "bounded")


# --- orderings ----------------------------------------------------------------------------------


# the tighter bound, and the looser one
ORDERED = (
    "CP T_HOE", "CP BEN", "BEN T_HOE", "T_HOE HOE", "T_HOE CRF", "T_HOE BER", "T_HOE MAU",
    "JEF CP", "WIL CHE",
)  # fmt: skip


@pytest.mark.parametrize(("pair", "sizes"), sized(ORDERED))
def test_orderings(pair, sizes):
    tighter, looser = pair.split()
    rounding = 1e-9 if "CP" in pair else ROUNDING  # scipy's beta quantile at 1e-12
    for n in sizes:
        assert (table(tighter, n) <= table(looser, n) + rounding).all(), f"at n = {n}"


def test_bentkus_solves_its_equation():
    # the definition, by brute force over a fine grid of hinges that contains all integers
    mean = np.linspace(0, 0.99, 12)
    for n, delta in product((1, 2, 7, 40), (1e-6, 0.05, 0.7)):
        for m, upper in zip(mean, bounds.upper("BEN", mean, n, delta=delta), strict=True):
            law = binom.pmf(np.arange(n + 1), n, upper)
            h = np.arange(0, n + 2.001, 0.125)
            h = h[h > n * m + 1e-9]
            hinges = np.maximum(h[:, np.newaxis] - np.arange(n + 1), 0) @ law / (h - n * m)
            assert hinges.min() == pytest.approx(delta, rel=1e-7), (n, delta, m)


def test_looks_differ_among_bounds_that_meet():
    """A figure shows the bounds of one kind of loss, or the survey's three beside the others."""
    for kind in ("binary", "bounded"):
        looks = [entry.look for entry in BOUNDS.values() if entry.loss == kind]
        assert len(set(looks)) == len(looks), kind
