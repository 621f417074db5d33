"""Pictures are computed by the reader's own function, at the values that the reader tries."""

from functools import partial

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


PICTURES = (
    (binary_bounds.tail, lambda k, n, error: 0.01),
    (binary_bounds.intervals, half_of(binary_bounds.by_errlab("NOR"))),
    (coverage.saw, half_of(coverage.by_errlab("WIL"))),
    (bounded_bounds.bet, half_of(bounded_bounds.fixed_stake)),
    (bounded_bounds.known, half_of(bounded_bounds.from_losses)),
    (partial(groups.fifty, interval="yours"), half_of(groups.sums_of_groups)),
    (test_error.on_a_line, lambda x, y, new, k: np.ones(len(new))),
    (holdout.bands, half_of(gap_bound)),
    (cross_validation.fold_models, lambda fit, X, y, fold: y > 0),
    (cross_validation.simplest, lambda means, errors, complexity: 0),
    (bootstrap.resamples, half_of(bootstrap.rates)),
    (bootstrap.rare_errors, half_of(bootstrap.resampled)),
)


@pytest.mark.slow
@pytest.mark.parametrize(("picture", "other"), PICTURES)
def test_a_picture_is_computed_by_the_reader_s_function(picture, other):
    ours, readers = picture(), picture(other)
    at = ours.start().values()
    assert ours.frame(*at).record != readers.frame(*at).record


@pytest.mark.slow
def test_the_edits_that_suggest_themselves_draw():
    for explorer, words in (
        (binary_bounds.tail(errors=5), "5 errors or fewer"),
        (cross_validation.fold_models(folds=8), "8 folds"),
        (bootstrap.resamples(n=30), "test examples 30"),
    ):
        assert words in explorer.frame(*explorer.start().values()).alt
