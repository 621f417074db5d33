"""Studies of resampling: the same results for any number of workers, and on a cluster."""

import numpy as np
import pytest

from errlab import bounds, crossval, datasets, training_set
from errlab._core.training import Problem
from errlab.bootstrap import combine632
from errlab.crossval._nested_intervals import loss_tables
from errlab.losses import hard_loss
from studies import broken_pairs, cv_coverage

pytestmark = pytest.mark.slow


class Least:
    """Least squares on labels -1 and +1."""

    def fit(self, X, y):
        self.beta = np.linalg.lstsq(X, y, rcond=None)[0]
        return self

    def predict(self, X):
        return np.where(X @ self.beta > 0, 1.0, -1.0)


def test_batched_pairs_equal_refits():
    rng = np.random.default_rng(1)
    Z, y = cv_coverage.draw(rng, "few features", 50)
    folds = np.array([rng.permutation(np.arange(50) % 10) for _ in range(2)])
    tables, other, loo, refit = cv_coverage.linear("few features", Z, y, folds)
    for table, error, fold in zip(tables, other, folds, strict=True):
        literal = loss_tables(Problem(Least(), Z, y), fold[None], hard_loss, None)
        np.testing.assert_array_equal(table, literal[0])
        fits = [Least().fit(Z[fold != j], y[fold != j]).beta for j in range(10)]
        left_out = cv_coverage.true_errors("few features", np.array(fits))
        assert error == pytest.approx(left_out.mean())
    np.testing.assert_array_equal(loo, crossval.loo_losses_linear(Z, y))
    beta = Least().fit(Z, y).beta
    assert [refit] == pytest.approx(cv_coverage.true_errors("few features", beta[None]))


def test_true_error_is_the_error_on_many_cases():
    rng = np.random.default_rng(2)
    for problem in ("few features", "rare class"):
        Z, y = cv_coverage.draw(rng, problem, 100)
        model = Least().fit(Z, y)
        fresh, labels = cv_coverage.draw(rng, problem, 100_000)
        true = cv_coverage.true_errors(problem, model.beta[None])[0]
        assert true == pytest.approx(np.mean(model.predict(fresh) != labels), abs=0.004)


# --- broken pairs -------------------------------------------------------------------------------


def training_cases(n=20):
    X, y, _ = datasets.gaussian_mixture(n, rng=3)
    drawn = np.random.default_rng(4).integers(n, size=(25, n))
    return X, y, training_set.LeastSquares().design(X), drawn


@pytest.mark.parametrize("kind", broken_pairs.KINDS)
def test_draws_and_estimates_equal_plain_loops(kind):
    X, y, Z, drawn = training_cases()
    wrong, other = broken_pairs.draws(Z, y, drawn, kind)
    left_out, entry = [[] for _ in y], []
    for b, rows in enumerate(drawn):
        labels = y[rows] if kind == "right" else y  # the two differ completely
        model = training_set.LeastSquares().fit(X[rows], labels)
        assert (wrong[b] == (model.predict(X) != y)).all()
        error = np.mean(model.predict(X[rows]) != labels)
        assert other[b] == pytest.approx(error)
        out = np.setdiff1d(np.arange(len(y)), rows)
        for i in out:
            left_out[i].append(wrong[b, i])
        entry.append(combine632(error, np.mean(wrong[b, out])))
    estimate, result = broken_pairs.estimates(0.1, wrong, other, drawn)
    expected = np.mean([np.mean(losses) for losses in left_out if losses])
    assert estimate == pytest.approx(combine632(0.1, expected))
    assert result == pytest.approx(entry)


def test_the_intervals_of_the_study_are_those_of_the_package():
    ends = broken_pairs.around(0.21, 30)
    for key, method, size in (("K", "NOR", 30), ("K*", "NOR", 19), ("L*", "CP", 19)):  # .638 of 30
        assert ends[key] == pytest.approx(bounds.interval(method, 0.21, size), rel=1e-9), key
    X, y, Z, _ = training_cases()
    high = training_set.yang(training_set.LeastSquares(), X, y, resamples=4000, rng=0).high
    error = broken_pairs.half_split_error(Z, y, 4000, np.random.default_rng(1))
    assert broken_pairs.normal(error, error, 10)[1] == pytest.approx(high, abs=0.01)
