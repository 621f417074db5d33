"""Label metrics of many resamples at once, against scikit-learn on each of them."""

import numpy as np
import pytest

import errlab
from errlab.statements.metric import _arrays, _bootstrap
from errlab.statements.metric._asked import asked, value_of

AVERAGES = [
    f"{name}_{average}"
    for name in ("f1", "precision", "recall", "jaccard")
    for average in ("macro", "weighted")
]
NAMES = [*AVERAGES, "jaccard_micro", "cohen_kappa_score", "mcc", "balanced_accuracy_score"]


def against(name, truth, model, rng):
    """Compare with scikit-learn on resamples, including some that lack classes."""
    meant = asked(name)
    form = _arrays.form_of(meant.name, truth, model)
    counts = rng.multinomial(len(truth), np.full(len(truth), 1 / len(truth)), size=20)
    counts[:5] *= truth == truth[0]  # some tables with a single class
    counts = counts[counts.sum(axis=1) > 0]
    compared = 0
    for result, drawn in zip(form(counts.astype(float)), counts, strict=True):
        cases = np.repeat(np.arange(len(truth)), drawn)
        try:
            expected = value_of(meant, truth[cases], model[cases])
        except ValueError:  # scikit-learn warns, or returns nan
            continue
        assert result == pytest.approx(expected, rel=1e-12, abs=1e-12), name
        compared += 1
    assert compared > 10, name


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_resample_has_the_value_of_scikit_learn(name):
    for classes in (2, 3, 6):
        rng = np.random.default_rng(classes)
        truth = rng.integers(0, classes, 60)
        model = np.where(rng.random(60) < 0.6, truth, rng.integers(0, classes, 60))
        if classes == 3:
            truth, model = (np.array(list("abc"))[column] for column in (truth, model))
        against(name, truth, model, rng)


@pytest.mark.slow
def test_average_precision_and_areas_of_resamples():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 80)
    score = rng.dirichlet([1, 1, 1], 80)
    score[np.arange(80), truth] += 0.4
    # without and with ties: multiples of 1/8, so that scores sum to exactly 1
    for scores in (score / 1.4, rng.multinomial(8, [1 / 3] * 3, size=80) / 8):
        for name in ("roc_auc_ovr", "roc_auc_ovr_weighted"):
            against(name, truth, scores, rng)
        against("average_precision", (truth == 1) * 1, scores[:, 1], rng)


def kappa(t, p):
    """One minus the ratio of disagreements to those expected from independent columns."""
    expected = 1 - np.bincount(t, minlength=3) @ np.bincount(p, minlength=3) / len(t) ** 2
    return float(1 - np.mean(t != p) / expected)


@pytest.mark.slow
def test_the_bootstrap_is_that_of_the_function_itself():
    """The same metric as an unknown function: other resamples, the same interval."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 150)
    model = np.where(rng.random(150) < 0.6, truth, rng.integers(0, 3, 150))
    for options in ({}, {"groups": rng.integers(0, 40, 150)}):
        quick = errlab.metric(truth, model, metric="cohen_kappa_score", **options)
        unknown = errlab.metric(truth, model, metric=kappa, **options)
        assert quick.estimate == pytest.approx(unknown.estimate, abs=1e-12)
        error = 0.1 * (unknown.high - unknown.low)  # Monte Carlo error of 2,000 draws
        assert (quick.low, quick.high) == pytest.approx((unknown.low, unknown.high), abs=error)


def test_no_draw_depends_on_how_many_are_held_at_once_or_asks_scikit_learn(monkeypatch):
    """2,200 calls once took 4 s with 2,000 examples."""
    truth = np.arange(300) % 4
    model = np.where(np.arange(300) % 5, truth, 1)
    monkeypatch.delattr(_bootstrap, "value_of")
    for name in (*AVERAGES, "kappa", "mcc"):
        whole = errlab.metric(truth, model, metric=name, resamples=100)
        with monkeypatch.context() as patch:
            patch.setattr(_arrays, "_AT_ONCE", 50)
            assert errlab.metric(truth, model, metric=name, resamples=100) == whole, name
