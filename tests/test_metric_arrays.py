"""Label metrics of many resamples at once, against scikit-learn on each of them."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as peer

import errlab
from errlab.statements.metric import _arrays, _bootstrap
from errlab.statements.metric._asked import asked, value_of

AVERAGES = [
    f"{name}_{average}"
    for name in ("f1", "precision", "recall", "jaccard")
    for average in ("macro", "weighted")
]
NAMES = [*AVERAGES, "jaccard_micro", "cohen_kappa_score", "mcc", "balanced_accuracy_score"]


def against(name, truth, model, rng, rows=40):
    """Compare with scikit-learn on resamples, including some that lack classes."""
    meant = asked(name)
    form = _arrays.form_of(meant.name, truth, model)
    counts = rng.multinomial(len(truth), np.full(len(truth), 1 / len(truth)), size=rows)
    counts[:5] *= truth == truth[0]  # some tables with a single class
    counts = counts[counts.sum(axis=1) > 0]
    compared = 0
    for result, drawn in zip(form(counts.astype(float)), counts, strict=True):
        cases = np.repeat(np.arange(len(truth)), drawn)
        try:
            expected = value_of(meant, truth[cases], model[cases])
        except ValueError:  # scikit-learn warns, or returns nan
            continue
        assert result == pytest.approx(expected, rel=1e-12, abs=1e-12)
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("words", [False, True])
def test_each_resample_has_the_value_of_scikit_learn(name, classes, words):
    rng = np.random.default_rng(classes)
    truth = rng.integers(0, classes, 60)
    model = np.where(rng.random(60) < 0.6, truth, rng.integers(0, classes, 60))
    if words:
        truth, model = (np.array(list("abcdef"))[column] for column in (truth, model))
    against(name, truth, model, rng)


@pytest.mark.parametrize("ties", [False, True])
def test_average_precision_and_areas_of_resamples(ties):
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 80)
    score = rng.dirichlet([1, 1, 1], 80)
    score[np.arange(80), truth] += 0.4
    score /= score.sum(axis=1, keepdims=True)
    if ties:
        # multiples of 1/8, so that scores tie, and sum to exactly 1
        score = rng.multinomial(8, [1 / 3] * 3, size=80) / 8
    for name in ("roc_auc_ovr", "roc_auc_ovr_weighted"):
        against(name, truth, score, rng)
    against("average_precision", (truth == 1) * 1, score[:, 1], rng)


def test_the_bootstrap_is_that_of_the_function_itself():
    """The same metric as an unknown function: other resamples, the same interval."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 150)
    model = np.where(rng.random(150) < 0.6, truth, rng.integers(0, 3, 150))
    groups = rng.integers(0, 40, 150)

    def kappa(t, p):
        """One minus the ratio of disagreements to those expected from independent columns."""
        expected = 1 - np.bincount(t, minlength=3) @ np.bincount(p, minlength=3) / len(t) ** 2
        return float(1 - np.mean(t != p) / expected)

    assert kappa(truth, model) == pytest.approx(peer.cohen_kappa_score(truth, model))
    for options in ({}, {"groups": groups}):
        quick = errlab.metric(truth, model, metric="cohen_kappa_score", **options)
        unknown = errlab.metric(truth, model, metric=kappa, **options)
        assert quick.estimate == pytest.approx(unknown.estimate, abs=1e-12)
        error = 0.1 * (unknown.high - unknown.low)  # Monte Carlo error of 2,000 draws
        assert (quick.low, quick.high) == pytest.approx((unknown.low, unknown.high), abs=error)


def test_the_draws_do_not_depend_on_how_many_are_held_at_once(monkeypatch):
    truth = np.arange(200) % 3
    model = np.where(np.arange(200) % 7, truth, 0)
    call = {"metric": "f1_macro", "resamples": 300}
    whole = errlab.metric(truth, model, **call)
    monkeypatch.setattr(_arrays, "_AT_ONCE", 50)
    assert errlab.metric(truth, model, **call) == whole


def test_scikit_learn_is_not_asked_for_what_is_known(monkeypatch):
    """2,200 calls once took 4 s with 2,000 examples."""
    truth = np.arange(300) % 4
    model = np.where(np.arange(300) % 5, truth, 1)

    def refuse(*_, **__):
        raise AssertionError

    monkeypatch.setattr(_bootstrap, "value_of", refuse)
    for name in (*AVERAGES, "kappa", "mcc"):
        assert errlab.metric(truth, model, metric=name).n == 300


@pytest.mark.parametrize("name", ["f1_micro", "precision_micro", "recall_micro"])
def test_micro_averages_are_the_accuracy_with_its_exact_interval(name):
    truth, model = np.arange(90) % 3, np.where(np.arange(90) % 9, np.arange(90) % 3, 0)
    result = errlab.metric(truth, model, metric=name)
    scorer = getattr(peer, f"{name.removesuffix('_micro')}_score")
    assert result.estimate == pytest.approx(scorer(truth, model, average="micro"), abs=1e-12)
    exact = errlab.bounds.interval("CP", errors=round(90 * result.estimate), n=90)
    assert (result.low, result.high) == pytest.approx(exact)
    assert result.guarantee == "exact"


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy_has_the_exact_interval_of_a_mean(k):
    rng = np.random.default_rng(k)
    truth = np.append(np.arange(5), rng.integers(0, 5, 115))
    score = rng.multinomial(6, [0.2] * 5, size=120) / 6  # with ties
    scorer = peer.make_scorer(peer.top_k_accuracy_score, response_method="predict_proba", k=k)
    result = errlab.metric(truth, score, metric=scorer)
    expected = peer.top_k_accuracy_score(truth, score, k=k)
    assert result.estimate == pytest.approx(expected, abs=1e-12)
    exact = errlab.bounds.interval("CP", errors=round(120 * expected), n=120)
    assert (result.low, result.high) == pytest.approx(exact)


COUNTS = [[50, 3, 2], [4, 40, 6], [1, 5, 39]]


@pytest.mark.parametrize("name", [*NAMES, "f1_micro", "accuracy", "balanced_accuracy"])
def test_a_table_of_counts_is_the_labels_that_it_counts(name):
    truth, model = (np.repeat(side.ravel(), np.ravel(COUNTS)) for side in np.indices((3, 3)))
    expected = errlab.metric(truth, model, metric=name)
    assert errlab.metric(table=COUNTS, metric=name) == expected
    frame = pd.DataFrame(COUNTS).iloc[::-1]  # rows in another order than columns
    assert errlab.metric(table=frame, metric=name) == expected


def test_a_table_gives_each_class_its_rates():
    result = errlab.per_class(table=COUNTS)
    assert [(row.hits, row.support, row.called) for row in result.classes] == [
        (50, 55, 55), (40, 50, 48), (39, 45, 47),
    ]  # fmt: skip


def test_of_two_classes_the_rows_need_names():
    """Books and libraries differ in whether true positives come first."""
    table = [[86, 2], [4, 8]]
    named = errlab.metrics.Confusion(tp=8, fp=2, fn=4, tn=86)
    assert errlab.metric(table=named, metric="precision").estimate == 0.8
    assert errlab.metric(table=table, metric="precision", positive=1).estimate == 0.8
    assert errlab.metric(table=table, metric="accuracy").estimate == 0.94
