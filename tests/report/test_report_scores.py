"""The report of scores and of grouped examples: its claims, its proofs, its words."""

import json

import numpy as np
import pytest
from scipy import stats
from words import whole

import errlab
from errlab import bounds, metrics
from errlab._numerics.groups import caution
from errlab.bounds._betting import log_capital
from errlab.compare._groups import grouped_betting, grouped_difference
from errlab_book.figures import record

RNG = np.random.default_rng(5)
GROUPS = np.repeat(np.arange(50), RNG.integers(1, 8, 50))
N = len(GROUPS)
RIGHT = RNG.random(N) < RNG.beta(6, 2, 50)[GROUPS]
OTHER = RNG.random(N) < RNG.beta(3, 2, 50)[GROUPS]
MARKS = np.clip(np.round(RNG.normal(3.5, 1, N) + RNG.normal(0, 1, 50)[GROUPS]), 1, 5)
BETTER = np.clip(MARKS + (RNG.random(N) < 0.3), 1, 5)
PROVEN = ("exact", "finite sample", "asymptotic", "none proven")


@pytest.mark.parametrize("scores", [[1] * 90 + [0] * 10, [1] * 90 + [0] * 9 + [0.5]])
@pytest.mark.parametrize("better", [True, False])
@pytest.mark.parametrize("groups", [None, np.arange(100) // 5])
def test_a_report_of_scores_means_the_same_whatever_they_are(scores, better, groups):
    """A single score of 0.5 once turned the error's low and high into those of the score."""
    report = errlab.report(scores=scores, higher_is_better=better, groups=groups)
    assert report.estimate == pytest.approx(np.mean(scores))
    assert report.low < report.estimate < report.high
    assert (report.bound < report.estimate) == better
    assert ("at least" in whole(report)) == better
    other = errlab.report(
        scores=scores, scores_b=scores[::-1], higher_is_better=better, groups=groups
    )
    assert (other.a.estimate, other.b.estimate) == pytest.approx([np.mean(scores)] * 2)
    one = errlab.report(scores=scores, scores_b=[0] * 100, higher_is_better=better, groups=groups)
    assert one.difference == pytest.approx(np.mean(scores))  # A minus B
    assert one.low < one.difference < one.high
    assert one.verdict == ("worse" if better else "better")
    assert f"of A minus that of B in {one.n} examples" in whole(one)


def test_zero_and_one_are_exact_and_agree_with_the_report_of_labels():
    labels = errlab.report([1] * N, RIGHT.astype(int))
    scores = errlab.report(scores=RIGHT)
    assert (scores.low, scores.high) == pytest.approx((1 - labels.high, 1 - labels.low))
    assert scores.guarantee == "exact"
    assert scores.bound == pytest.approx(1 - labels.upper)
    losses = errlab.report(scores=~RIGHT, higher_is_better=False)
    assert losses.estimate == labels.rate
    assert losses.bound == pytest.approx(labels.upper)
    assert f"{labels.errors} errors in {N} test examples" in whole(losses)
    assert f"{N - labels.errors} successes in {N} test examples: a success rate of" in whole(scores)
    two = {"margin": 0.02, "names": ("old", "new")}
    pair = errlab.report(scores=RIGHT, scores_b=OTHER, **two)
    same = errlab.report([1] * N, RIGHT.astype(int), OTHER.astype(int), **two)
    assert (pair.difference, pair.low, pair.high) == pytest.approx(
        (-same.difference, -same.high, -same.low)
    )
    assert (pair.pvalue, pair.verdict, pair.reading) == (same.pvalue, same.verdict, same.reading)
    assert pair.interval_guarantee == same.interval_guarantee
    assert f"only old is wrong on {same.n01}, only new on {same.n10}" in whole(pair)


def test_t_is_students():
    report = errlab.report(scores=MARKS, range=(1, 5), method="t")
    t = stats.ttest_1samp(MARKS, 0).confidence_interval(0.95)
    assert (report.low, report.high) == pytest.approx(tuple(t))
    assert "(one-sided t bound; asymptotic)" in whole(report)
    assert "wider for it than method='t'" in whole(errlab.report(scores=MARKS, range=(1, 5)))
    pair = errlab.report(scores=MARKS, scores_b=BETTER, range=(1, 5), method="t")
    test = stats.ttest_rel(MARKS, BETTER)
    assert (pair.low, pair.high) == pytest.approx(tuple(test.confidence_interval()))
    assert pair.pvalue == pytest.approx(test.pvalue)
    assert errlab.report(scores=RIGHT, method="t") == errlab.report(
        scores=RIGHT
    )  # scores of 0 and 1 get the exact interval with either method
    equal = errlab.report(scores=[0.5] * 9, method="t")
    assert 0 < equal.low < 0.5 < equal.high < 1


def test_marks_are_betting_on_losses_of_0_to_1():
    report = errlab.report(scores=MARKS, range=(1, 5))
    losses = (5 - MARKS) / 4
    low, high = bounds.interval("BET", losses=losses, rng=np.random.SeedSequence(seed()))
    assert report.estimate == pytest.approx(MARKS.mean())
    assert (report.low, report.high) == pytest.approx((5 - 4 * high, 5 - 4 * low))
    upper = bounds.upper("BET", losses=losses, rng=np.random.SeedSequence(seed()))
    assert report.bound == pytest.approx(5 - 4 * upper)
    assert report.low < report.bound < report.estimate < report.high
    assert report.guarantee == "finite sample"
    assert "finite sample; proven for every number of examples" in whole(report)
    assert "read in a random order" in whole(report)
    assert "the order in which the scores are read was fixed beforehand" in whole(report)


def seed(rng=0):
    return int(np.random.default_rng(rng).integers(2**63))


def test_a_mark_that_is_a_loss_is_the_mirror_image():
    up = errlab.report(scores=MARKS, range=(1, 5))
    down = errlab.report(scores=6 - MARKS, range=(1, 5), higher_is_better=False)
    assert (down.estimate, down.low, down.high) == pytest.approx(
        (6 - up.estimate, 6 - up.high, 6 - up.low)
    )
    assert down.bound == pytest.approx(6 - up.bound)


def test_the_order_is_fixed_and_can_be_another():
    one, same, other = (errlab.report(scores=MARKS, range=(1, 5), rng=r) for r in (0, 0, 1))
    assert one == same
    assert one != other
    ordered = errlab.report(scores=np.sort(MARKS), range=(1, 5))
    assert ordered.low < ordered.estimate < ordered.high


def test_a_graded_pair_is_betting_on_differences():
    pair = errlab.report(scores=MARKS, scores_b=BETTER, range=(1, 5))
    shares = (1 + (BETTER - MARKS) / 4) / 2
    low, high = bounds.interval("BET", losses=shares, rng=np.random.SeedSequence(seed()))
    assert pair.difference == pytest.approx((MARKS - BETTER).mean())
    assert (pair.low, pair.high) == pytest.approx((4 - 8 * high, 4 - 8 * low), abs=1e-9)
    assert pair.verdict == "better"
    assert pair.reading == "B is better than A at level 0.05."
    assert pair.a == errlab.report(scores=MARKS, range=(1, 5))
    assert f"Mean score of A minus that of B in {N} examples: -0." in whole(pair)
    turned = errlab.report(scores=BETTER, scores_b=MARKS, range=(1, 5))
    assert turned.reading == "A is better than B at level 0.05."
    assert (turned.low, turned.high) == pytest.approx((-pair.high, -pair.low), abs=1e-9)


def test_a_graded_margin_is_on_the_scale_of_the_scores():
    rng = np.random.default_rng(0)
    worse = np.clip(MARKS - (rng.random(N) < 0.05), 1, 5)
    near = errlab.report(scores=MARKS, scores_b=worse, range=(1, 5), margin=0.5)
    assert (near.verdict, near.within_margin) == ("not worse", True)
    assert "by more than the margin of 0.5" in near.reading


def test_groups_of_an_error_rate():
    wrong = ~RIGHT
    report = errlab.report([1] * N, RIGHT.astype(int), groups=GROUPS)
    same = errlab.report(scores=wrong, higher_is_better=False, groups=GROUPS)
    assert vars(report) == vars(same)
    bets = metrics.grouped_betting(wrong, groups=GROUPS)
    ends = (report.low, report.high, report.bound)
    assert ends == pytest.approx((bets.low, bets.high, bets.upper), rel=1e-12)
    turned = errlab.report(scores=RIGHT, groups=GROUPS)
    assert (turned.low, turned.high) == pytest.approx((1 - report.high, 1 - report.low))
    assert (report.groups, report.n, report.guarantee) == (50, N, "finite sample")
    assert report.design_effect == pytest.approx(metrics.design_effect(wrong, groups=GROUPS))
    # if groups differ in size, the mean over groups differs from that over examples
    means = metrics.group_means(wrong, groups=GROUPS)
    alike = metrics.grouped_betting(means, groups=np.arange(50))
    assert report.group_claim == pytest.approx((alike.upper, alike.low, alike.high))
    assert report.group_mean == pytest.approx(means.mean())
    weigh = f"50 groups, which weigh as much as {bets.effective_groups:.1f} of one size"
    assert f"The examples come in {weigh}: the largest holds" in whole(report)
    assert f"{np.count_nonzero(means)} of them hold an error" in whole(report)
    effect = f"{report.design_effect:.1f}"
    assert f"the design effect is {effect}, so that they tell about as much as" in whole(report)
    largest = np.bincount(GROUPS).max()
    assert f"proven for every number of groups of at most {largest} examples" in whole(report)
    assert f"no group of that population has more than {largest} examples" in whole(report)
    assert f"each group counts alike, is {100 * means.mean():.1f}%: with 95%" in whole(report)
    assert "the groups are independent draws" in whole(report)
    naive = errlab.report(scores=RIGHT)
    assert report.high - report.low > naive.high - naive.low
    wider = errlab.report(scores=RIGHT, groups=GROUPS, max_group_size=3 * int(largest))
    assert wider.bound < turned.bound
    assert f"more than {3 * largest} examples" in whole(wider)


def test_groups_of_an_error_rate_by_the_cluster_robust_way():
    wrong = ~RIGHT
    report = errlab.report([1] * N, RIGHT.astype(int), groups=GROUPS, method="t")
    korn = metrics.korn_graubard(wrong, groups=GROUPS)
    assert (report.low, report.high, report.bound) == pytest.approx(
        (korn.low, korn.high, korn.upper)
    )
    assert (report.guarantee, report.group_claim) == ("asymptotic", None)
    assert "bound of Korn and Graubard; asymptotic" in whole(report)
    assert "hold an error" in whole(report)


def test_groups_of_marks_are_bet_upon():
    """Student's t covered 52% of scores in three groups of 50, and 83% in five."""
    report = errlab.report(scores=MARKS, range=(1, 5), groups=GROUPS)
    losses = (5 - MARKS) / 4
    bets = metrics.grouped_betting(losses, groups=GROUPS)
    ends = (5 - 4 * bets.upper, 5 - 4 * bets.high, 5 - 4 * bets.low)
    assert (report.bound, report.low, report.high) == pytest.approx(ends)
    assert (report.n, report.groups) == (N, 50)
    assert report.estimate == pytest.approx(MARKS.mean())
    assert report.guarantee == "finite sample"
    assert report.design_effect == pytest.approx(metrics.design_effect(MARKS, groups=GROUPS))
    pair = errlab.report(scores=MARKS, scores_b=BETTER, range=(1, 5), groups=GROUPS)
    other = (5 - BETTER) / 4
    test = grouped_betting(losses, other, groups=GROUPS)
    assert (-pair.high / 4, -pair.low / 4) == pytest.approx(tuple(test.interval))
    assert pair.pvalue == pytest.approx(test.pvalue)
    assert f"the two differ in {pair.groups_that_differ} of them" in whole(pair)
    models = errlab.models(scores={"a": MARKS, "b": BETTER}, range=(1, 5), groups=GROUPS)
    of = {model.name: model for model in models.models}
    assert (of["a"].estimate, of["a"].low, of["a"].high) == (
        report.estimate,
        report.low,
        report.high,
    )
    (one,) = models.pairs
    turned = (one.low, one.high) if one.a == "a" else (-one.high, -one.low)
    assert turned == pytest.approx((pair.low, pair.high))
    assert (models.guarantee, models.n, models.groups) == ("finite sample", N, 50)


def test_groups_of_marks_and_of_pairs_by_t():
    t_test = {"method": "t", "groups": GROUPS, "range": (1, 5)}
    report = errlab.report(scores=MARKS, **t_test)
    t = metrics.grouped_t(MARKS, groups=GROUPS)
    assert (report.low, report.high) == pytest.approx((t.low, t.high))
    assert (report.guarantee, report.group_claim) == ("asymptotic", None)
    pair = errlab.report(scores=MARKS, scores_b=BETTER, **t_test)
    test = grouped_difference(MARKS, BETTER, groups=GROUPS)
    assert (pair.low, pair.high) == pytest.approx(tuple(test.interval))
    assert pair.pvalue == pytest.approx(test.pvalue)
    assert pair.design_effect == pytest.approx(metrics.design_effect(BETTER - MARKS, groups=GROUPS))
    two = ([1] * N, RIGHT.astype(int), OTHER.astype(int))
    labels = errlab.report(*two, groups=GROUPS, method="t")
    test = grouped_difference(~RIGHT, ~OTHER, groups=GROUPS)
    assert (labels.low, labels.high) == pytest.approx(tuple(test.interval))
    assert labels.verdict == ("worse" if test.pvalue <= 0.05 else "cannot tell")
    assert "percentage points" in whole(labels)
    assert "design effect of the difference is" in whole(labels)


def test_groups_of_one_case_are_the_plain_answer():
    alone = np.arange(N)[::-1]
    y, p, q = np.ones(N, int), RIGHT.astype(int), OTHER.astype(int)
    marks = {"scores": MARKS, "scores_b": BETTER, "range": (1, 5)}
    for arguments, options in (((y, p), {}), ((y, p, q), {}), ((), marks)):
        report = errlab.report(*arguments, groups=alone, **options)
        plain = errlab.report(*arguments, **options)
        assert str(report) == str(plain)
        # the only condition left is that no group of the population has two examples
        assert "has more than one example, as none has here" in report.details
        assert len(report.conditions()) == len(plain.conditions()) + 1


@pytest.mark.parametrize("value", [0, 1])
def test_all_right_or_all_wrong_in_groups(value):
    report = errlab.report(scores=[value] * 40, groups=np.repeat(np.arange(8), 5))
    low, high = bounds.interval("CP", errors=8 * value, n=8)
    assert (report.low, report.high) == pytest.approx((low, high))
    assert report.guarantee == "finite sample"
    assert "no design effect can be seen" in whole(report)
    pair = errlab.report(
        scores=[value] * 40, scores_b=[value] * 40, groups=np.repeat(np.arange(8), 5)
    )
    assert (pair.verdict, pair.pvalue, pair.guarantee) == ("cannot tell", 1, "finite sample")
    assert pair.low < 0 < pair.high


def test_identifiers_that_repeat_are_noticed():
    with pytest.warns(UserWarning, match=f"{N} examples have 50 of them"):
        errlab.report(scores=RIGHT, ids=GROUPS)
    errlab.report(scores=RIGHT, ids=GROUPS, groups=GROUPS)  # accepted without a warning
    errlab.report(scores=RIGHT, ids=np.arange(N))


def every():
    marks, groups = {"scores": MARKS, "range": (1, 5)}, {"groups": GROUPS}
    for extra in ({}, groups):
        yield errlab.report(scores=RIGHT, **extra)
        yield errlab.report(scores=RIGHT, scores_b=OTHER, **extra)
        yield errlab.report(**marks, **extra)
        yield errlab.report(**marks, scores_b=BETTER, margin=0.3, **extra)


@pytest.mark.slow
def test_every_report_says_its_guarantee_and_has_all_forms():
    for result in every():
        assert result.guarantee in PROVEN
        assert result.guarantee in " ".join(result.sentences())
        text = json.loads(result.to_json())
        assert text["guarantee"] == result.guarantee
        assert "This holds if" in result._repr_html_()
        for sentence in result.sentences():
            assert sentence in whole(result)
        assert record(result.plot())
        low, high = result.plot().get_xlim()
        assert low <= result.low < result.high <= high


def test_what_is_proven_names_its_mean_and_says_first_where_it_is_another():
    """One large group of errors once gave "88.2% ... proven, the true error is at most 13.5%"."""
    groups = [0] * 300 + [*range(1, 41)]
    report = errlab.report([0] * 340, [1] * 300 + [0] * 40, groups=groups)
    assert report.group_mean == pytest.approx(1 / 41)
    first, *rest = report.sentences()
    assert "this is the mean over examples; where each group counts alike, it is 2.4%." in first
    assert "The mean over groups, where each group counts alike, is 2.4%: with 95%" in rest[-2]
    assert report.warnings() == report.to_dict()["warnings"] == [first]
    assert "weigh as much as 1.3 of one size: the largest holds 88%" in whole(report)
    assert report.low < 0.01 < 0.99 < report.high
    pair = errlab.report([0] * 340, [1] * 300 + [0] * 40, [0] * 340, groups=groups)
    assert "Caution: this is the difference over examples" in pair.sentences()[0]
    assert "where each group counts alike, it is +2.4 percentage points." in whole(pair)
    assert "this is the" not in whole(errlab.report(scores=RIGHT, groups=GROUPS))


def test_few_groups_are_no_fact():
    """It once said "the design effect is 0.0, so that they tell as much as 6 independent cases"."""
    smaller = errlab.report(scores=[0, 1] * 3, groups=[0, 0, 1, 1, 2, 2], method="t")
    assert smaller.design_effect == 0
    assert "design effect" not in whole(smaller)
    (warning,) = caution(3)
    assert warning in smaller.sentences()
    many = errlab.report(scores=[0, 1] * 12, groups=np.arange(24) // 2, method="t")
    assert "is 0.0, so that they tell about as much as 24 independent examples" in whole(many)
    assert "so few groups" not in whole(many)
    groups = [0] * 20 + [*range(1, 11)]
    unequal = errlab.report(scores=RIGHT[:30], groups=groups, method="t")
    assert warning in unequal.sentences()
    marks = {"scores": MARKS[:30], "scores_b": BETTER[:30], "range": (1, 5)}
    smaller = {**marks, "groups": np.arange(30) // 5}
    assert warning in errlab.report(**smaller, method="t").sentences()
    assert warning not in errlab.report(**smaller).sentences()  # proven: no warning


def test_a_mean_that_the_bets_rule_out_is_an_end_of_its_interval():
    """It once said "a mean of 0.54 ... 0.39 to 0.54", for one order in several hundred."""
    tenths = [9, 3, 5, 6, 1, 6, 1, 2, 5, 6, 8, 9, 6, 10, 7, 2, 2, 4, 3, 8, 2]
    scores = np.array(tenths) / 10
    report = errlab.report(scores=scores, delta=0.2)
    assert report.high == pytest.approx(report.estimate)
    assert "The mean is an end of it" in whole(report)
    order = np.random.default_rng(np.random.SeedSequence(seed())).permutation(len(scores))
    # the candidate is the observed mean
    capital = log_capital(scores[order], report.estimate, delta=0.1)
    assert capital.max() >= np.log(10)
    for value in (0, 1):
        assert "an end of it" not in whole(errlab.report(scores=[value] * 9, range=(0, 1)))


def test_the_p_value_of_a_graded_pair_is_that_of_the_bets():
    """Waudby-Smith and Ramdas (2024), one side at half of delta; equal gains have no order."""
    n, gain = 40, 0.3
    stakes, gains, log_capitals = [], [0.5], [0.0]
    for _ in range(n):
        # the earlier gains, preceded by an imaginary gain of 1/2 with variance 1/4
        means = np.cumsum(gains) / np.arange(1, len(gains) + 1)
        variance = (0.25 + sum((gains[1:] - means[1:]) ** 2)) / len(gains)
        stakes.append(np.sqrt(2 * np.log(2 / 0.05) / (n * variance)))
        gains.append((1 + gain) / 2)
        stake = min(stakes[-1], 0.75 / 0.5)
        log_capitals.append(log_capitals[-1] + np.log1p(stake * (gains[-1] - 0.5)))
    # some stakes are below the limit, and others would be above it
    assert stakes[0] < 1 < 1.5 < stakes[-1]
    a = np.linspace(0.1, 0.6, n)
    report = errlab.report(scores=a, scores_b=a + gain)
    assert report.pvalue == pytest.approx(2 * np.exp(-log_capitals[-1]))
