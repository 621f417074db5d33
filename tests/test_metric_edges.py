"""Metrics in edge cases: no error, one class, a constant model, a copy, labels off by one."""

import numpy as np
import pytest
from scipy import stats

import errlab

Y = np.array([0, 1] * 30)
DEAD = np.zeros(60, dtype=int)
SCORE = np.random.default_rng(0).random(60)


def test_nothing_wrong_has_an_exact_answer_or_names_the_call_that_has():
    result = errlab.metric(Y, Y, metric="f1")
    lowest = stats.beta.ppf(0.025, 30, 1)  # the lower end for 30 right examples of 30
    assert result.low == pytest.approx(2 * lowest / (1 + lowest))
    assert result.high == 1
    assert errlab.per_class(Y, Y).macro.recall_low > 0.9


def test_a_dead_model_has_an_f1_of_0_and_no_precision():
    assert errlab.metric(Y, DEAD, metric="f1").estimate == 0


def test_the_log_loss_of_one_class_is_the_mean_of_its_logs():
    """scikit-learn asks for an argument that errlab doesn't have (its issue 18523)."""
    chance = np.linspace(0.1, 0.9, 60)
    result = errlab.metric(np.ones(60, int), chance, metric="log_loss")
    assert result.estimate == pytest.approx(-np.log(chance).mean())
    assert result.low < result.estimate < result.high


@pytest.mark.parametrize("by", [1, -1])
def test_labels_that_are_off_by_one_are_told(by):
    labels = np.arange(60) % 10
    with pytest.warns(UserWarning, match=rf"None agrees, and their range is off by \{by:+d}"):
        assert errlab.report(labels, labels + by).errors == 60


def test_few_positives_that_all_rank_first_leave_room_for_those_that_were_not_drawn():
    """None of 3 is below all negatives, so a fraction of up to 1 - 0.025^(1/3) may be."""
    y, score = np.repeat([0, 1], [60, 3]), np.linspace(0.1, 0.9, 63)
    result = errlab.metric(y, score, metric="roc_auc")
    assert result.estimate == 1
    assert result.low == pytest.approx(0.025 ** (1 / 3))
