"""Pictures are computed by the reader's own function, at the values that the reader tries."""

import numpy as np
import pytest

from errlab.holdout import gap_bound
from errlab_book.chapters import (
    binary_bounds,
    bootstrap,
    bounded_bounds,
    coverage,
    cross_validation,
    groups,
    holdout,
    test_error,
)  # fmt: skip


def half_of(function):
    """Return a function that gives half of what another gives."""
    return lambda *values: 0.5 * np.asarray(function(*values))


PICTURES = {
    "tail": (binary_bounds.tail, lambda k, n, error: 0.01),
    "intervals": (binary_bounds.intervals, half_of(binary_bounds.by_errlab("NOR"))),
    "saw": (coverage.saw, half_of(coverage.by_errlab("WIL"))),
    "bet": (bounded_bounds.bet, half_of(bounded_bounds.fixed_stake)),
    "known": (bounded_bounds.known, half_of(bounded_bounds.from_losses)),
    "fifty": (
        lambda *data: groups.fifty(*data, interval="yours"),
        half_of(groups.sums_of_groups),
    ),
    "on_a_line": (test_error.on_a_line, lambda x, y, new, k: np.ones(len(new))),
    "bands": (holdout.bands, half_of(gap_bound)),
    "fold_models": (cross_validation.fold_models, lambda fit, X, y, fold: y > 0),
    "simplest": (cross_validation.simplest, lambda means, errors, complexity: 0),
    "resamples": (bootstrap.resamples, half_of(bootstrap.rates)),
    "rare_errors": (bootstrap.rare_errors, half_of(bootstrap.resampled)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_computed_by_the_reader_s_function(name):
    picture, other = PICTURES[name]
    ours, readers = picture(), picture(other)
    at = ours.start().values()
    assert ours.frame(*at).record != readers.frame(*at).record


@pytest.mark.parametrize(
    ("explorer", "value"),
    [
        (lambda: binary_bounds.tail(errors=5), "5 errors or fewer"),
        (lambda: cross_validation.fold_models(folds=8), "8 folds"),
        (lambda: bootstrap.resamples(n=30), "test examples 30"),
    ],
)
def test_the_edits_that_suggest_themselves_draw(explorer, value):
    output = explorer()
    assert value in output.frame(*output.start().values()).alt
