"""The report of scores and of grouped examples: its claims, its proofs, its words."""

import itertools

import numpy as np
import pytest
from scipy import stats
from words import whole

import errlab
from errlab import bounds, metrics
from errlab._numerics.groups import caution
from errlab.compare._groups import grouped_betting, grouped_difference

RNG = np.random.default_rng(5)
GROUPS = np.repeat(np.arange(50), RNG.integers(1, 8, 50))
N = len(GROUPS)
RIGHT = RNG.random(N) < RNG.beta(6, 2, 50)[GROUPS]
OTHER = RNG.random(N) < RNG.beta(3, 2, 50)[GROUPS]
MARKS = np.clip(np.round(RNG.normal(3.5, 1, N) + RNG.normal(0, 1, 50)[GROUPS]), 1, 5)
BETTER = np.clip(MARKS + (RNG.random(N) < 0.3), 1, 5)
PAIR = {"scores": MARKS, "scores_b": BETTER, "range": (1, 5)}
SEED = int(np.random.default_rng(0).integers(2**63))  # the seed of the order in which bets are made


def ends(result):
    return result.low, result.high


def marks(scores=MARKS, **options):
    return errlab.report(scores=scores, range=(1, 5), **options)


@pytest.mark.slow
def test_a_report_of_scores_means_the_same_whatever_they_are():
    """A single score of 0.5 once turned the error's low and high into those of the score."""
    for last, better, groups in itertools.product(
        (0, 0.5), (True, False), (None, np.arange(100) // 5)
    ):
        scores = [1] * 90 + [0] * 9 + [last]
        options = {"higher_is_better": better, "groups": groups}
        report = errlab.report(scores=scores, **options)
        assert report.estimate == pytest.approx(np.mean(scores))
        assert report.low < report.estimate < report.high
        assert (report.bound < report.estimate) == better
        assert ("at least" in whole(report)) == better
        other = errlab.report(scores=scores, scores_b=scores[::-1], **options)
        assert (other.a.estimate, other.b.estimate) == pytest.approx([np.mean(scores)] * 2)
        one = errlab.report(scores=scores, scores_b=[0] * 100, **options)
        assert one.difference == pytest.approx(np.mean(scores))  # A minus B
        assert one.low < one.difference < one.high
        assert one.verdict == ("worse" if better else "better")
        assert f"of A minus that of B in {one.n} examples" in whole(one)


def test_zero_and_one_are_exact_and_agree_with_the_report_of_labels():
    ones = np.ones(N, int)
    labels = errlab.report(ones, RIGHT.astype(int))
    scores = errlab.report(scores=RIGHT)
    assert ends(scores) == pytest.approx((1 - labels.high, 1 - labels.low))
    assert scores.guarantee == "exact"
    assert scores.bound == pytest.approx(1 - labels.upper)
    assert errlab.report(scores=RIGHT, method="t") == scores  # exact with either method
    losses = errlab.report(scores=~RIGHT, higher_is_better=False)
    assert losses.estimate == labels.rate
    assert losses.bound == pytest.approx(labels.upper)
    assert f"{labels.errors} errors in {N} test examples" in whole(losses)
    assert f"{N - labels.errors} successes in {N} test examples: a success rate of" in whole(scores)
    two = {"margin": 0.02, "names": ("old", "new")}
    pair = errlab.report(scores=RIGHT, scores_b=OTHER, **two)
    same = errlab.report(ones, RIGHT.astype(int), OTHER.astype(int), **two)
    turned = (-same.difference, -same.high, -same.low)
    assert (pair.difference, *ends(pair)) == pytest.approx(turned)
    assert (pair.pvalue, pair.verdict, pair.reading) == (same.pvalue, same.verdict, same.reading)
    assert pair.interval_guarantee == same.interval_guarantee
    assert f"only old is wrong on {same.n01}, only new on {same.n10}" in whole(pair)


def test_t_is_students():
    report = marks(method="t")
    assert ends(report) == pytest.approx(tuple(stats.ttest_1samp(MARKS, 0).confidence_interval()))
    assert "(one-sided t bound; asymptotic)" in whole(report)
    assert "wider for it than method='t'" in whole(marks())
    pair = errlab.report(**PAIR, method="t")
    test = stats.ttest_rel(MARKS, BETTER)
    assert ends(pair) == pytest.approx(tuple(test.confidence_interval()))
    assert pair.pvalue == pytest.approx(test.pvalue)


def test_marks_are_betting_on_losses_of_0_to_1_in_an_order_that_is_fixed():
    report = marks()
    losses = (5 - MARKS) / 4
    low, high = bounds.interval("BET", losses=losses, rng=np.random.SeedSequence(SEED))
    upper = bounds.upper("BET", losses=losses, rng=np.random.SeedSequence(SEED))
    assert report.estimate == pytest.approx(MARKS.mean())
    assert (*ends(report), report.bound) == pytest.approx(
        (5 - 4 * high, 5 - 4 * low, 5 - 4 * upper)
    )
    assert report.low < report.bound < report.estimate < report.high
    assert report.guarantee == "finite sample"
    for words in (
        "finite sample; proven for every number of examples", "read in a random order",
        "the order in which the scores are read was fixed beforehand",
    ):  # fmt: skip
        assert words in whole(report)
    # a mark that is a loss is the mirror image
    down = marks(6 - MARKS, higher_is_better=False)
    turned = (6 - report.estimate, 6 - report.high, 6 - report.low, 6 - report.bound)
    assert (down.estimate, *ends(down), down.bound) == pytest.approx(turned)
    assert marks(rng=0) == report != marks(rng=1)
    ordered = marks(np.sort(MARKS))
    assert ordered.low < ordered.estimate < ordered.high


def test_a_graded_pair_is_betting_on_differences():
    pair = errlab.report(**PAIR)
    gains = (1 + (BETTER - MARKS) / 4) / 2
    low, high = bounds.interval("BET", losses=gains, rng=np.random.SeedSequence(SEED))
    assert pair.difference == pytest.approx((MARKS - BETTER).mean())
    assert ends(pair) == pytest.approx((4 - 8 * high, 4 - 8 * low), abs=1e-9)
    assert pair.verdict == "better"
    assert pair.reading == "B is better than A at level 0.05."
    assert pair.a == marks()
    assert f"Mean score of A minus that of B in {N} examples: -0." in whole(pair)
    turned = marks(BETTER, scores_b=MARKS)
    assert turned.reading == "A is better than B at level 0.05."
    assert ends(turned) == pytest.approx((-pair.high, -pair.low), abs=1e-9)
    # a margin is on the scale of the scores
    worse = np.clip(MARKS - (np.random.default_rng(0).random(N) < 0.05), 1, 5)
    near = marks(scores_b=worse, margin=0.5)
    assert (near.verdict, near.within_margin) == ("not worse", True)
    assert "by more than the margin of 0.5" in near.reading


def test_groups_of_an_error_rate():
    wrong, labels = ~RIGHT, ([1] * N, RIGHT.astype(int))
    report = errlab.report(*labels, groups=GROUPS)
    same = errlab.report(scores=wrong, higher_is_better=False, groups=GROUPS)
    assert vars(report) == vars(same)
    bets = metrics.grouped_betting(wrong, groups=GROUPS)
    assert (*ends(report), report.bound) == pytest.approx((*ends(bets), bets.upper), rel=1e-12)
    turned = errlab.report(scores=RIGHT, groups=GROUPS)
    assert ends(turned) == pytest.approx((1 - report.high, 1 - report.low))
    assert (report.groups, report.n, report.guarantee) == (50, N, "finite sample")
    assert report.design_effect == pytest.approx(metrics.design_effect(wrong, groups=GROUPS))
    # if groups differ in size, the mean over groups differs from that over examples
    means = metrics.group_means(wrong, groups=GROUPS)
    alike = metrics.grouped_betting(means, groups=np.arange(50))
    assert report.group_claim == pytest.approx((alike.upper, alike.low, alike.high))
    assert report.group_mean == pytest.approx(means.mean())
    largest = np.bincount(GROUPS).max()
    for words in (
        f"The examples come in 50 groups, which weigh as much as {bets.effective_groups:.1f} of "
        "one size: the largest holds",
        f"{np.count_nonzero(means)} of them hold an error",
        f"the design effect is {report.design_effect:.1f}, so that they tell about as much as",
        f"proven for every number of groups of at most {largest} examples",
        f"no group of that population has more than {largest} examples",
        f"each group counts alike, is {100 * means.mean():.1f}%: with 95%",
        "the groups are independent draws",
    ):
        assert words in whole(report)
    assert "this is the" not in whole(turned)
    naive = errlab.report(scores=RIGHT)
    assert report.high - report.low > naive.high - naive.low
    wider = errlab.report(scores=RIGHT, groups=GROUPS, max_group_size=3 * int(largest))
    assert wider.bound < turned.bound
    assert f"more than {3 * largest} examples" in whole(wider)
    # the cluster-robust way
    report = errlab.report(*labels, groups=GROUPS, method="t")
    korn = metrics.korn_graubard(wrong, groups=GROUPS)
    assert (*ends(report), report.bound) == pytest.approx((*ends(korn), korn.upper))
    assert (report.guarantee, report.group_claim) == ("asymptotic", None)
    assert "bound of Korn and Graubard; asymptotic" in whole(report)
    assert "hold an error" in whole(report)


def test_groups_of_marks_are_bet_upon():
    """Student's t covered 52% of scores in three groups of 50, and 83% in five."""
    report = marks(groups=GROUPS)
    losses, other = (5 - MARKS) / 4, (5 - BETTER) / 4
    bets = metrics.grouped_betting(losses, groups=GROUPS)
    expected = (5 - 4 * bets.upper, 5 - 4 * bets.high, 5 - 4 * bets.low)
    assert (report.bound, *ends(report)) == pytest.approx(expected)
    assert (report.n, report.groups, report.guarantee) == (N, 50, "finite sample")
    assert report.estimate == pytest.approx(MARKS.mean())
    assert report.design_effect == pytest.approx(metrics.design_effect(MARKS, groups=GROUPS))
    pair = errlab.report(**PAIR, groups=GROUPS)
    test = grouped_betting(losses, other, groups=GROUPS)
    assert (-pair.high / 4, -pair.low / 4) == pytest.approx(tuple(test.interval))
    assert pair.pvalue == pytest.approx(test.pvalue)
    assert f"the two differ in {pair.groups_that_differ} of them" in whole(pair)
    models = errlab.models(scores={"a": MARKS, "b": BETTER}, range=(1, 5), groups=GROUPS)
    (one,) = [model for model in models.models if model.name == "a"]
    assert (one.estimate, *ends(one)) == (report.estimate, *ends(report))
    (gap,) = models.pairs
    turned = ends(gap) if gap.a == "a" else (-gap.high, -gap.low)
    assert turned == pytest.approx(ends(pair))
    assert (models.guarantee, models.n, models.groups) == ("finite sample", N, 50)


def test_groups_of_marks_and_of_pairs_by_t():
    t_test = {"method": "t", "groups": GROUPS}
    report = marks(**t_test)
    assert ends(report) == pytest.approx(ends(metrics.grouped_t(MARKS, groups=GROUPS)))
    assert (report.guarantee, report.group_claim) == ("asymptotic", None)
    pair = errlab.report(**PAIR, **t_test)
    test = grouped_difference(MARKS, BETTER, groups=GROUPS)
    assert ends(pair) == pytest.approx(tuple(test.interval))
    assert pair.pvalue == pytest.approx(test.pvalue)
    assert pair.design_effect == pytest.approx(metrics.design_effect(BETTER - MARKS, groups=GROUPS))
    labels = errlab.report([1] * N, RIGHT.astype(int), OTHER.astype(int), **t_test)
    test = grouped_difference(~RIGHT, ~OTHER, groups=GROUPS)
    assert ends(labels) == pytest.approx(tuple(test.interval))
    assert labels.verdict == ("worse" if test.pvalue <= 0.05 else "cannot tell")
    assert "percentage points" in whole(labels)
    assert "design effect of the difference is" in whole(labels)
    # a caution where groups are few or unequal, unless the claim is proven
    (warning,) = caution(3)
    unequal = [0] * 20 + [*range(1, 11)]
    assert warning in errlab.report(scores=RIGHT[:30], groups=unequal, method="t").sentences()
    few = {"scores_b": BETTER[:30], "groups": np.arange(30) // 5}
    assert warning in marks(MARKS[:30], **few, method="t").sentences()
    assert warning not in marks(MARKS[:30], **few).sentences()


def test_groups_of_one_case_are_the_plain_answer():
    y, p, q = np.ones(N, int), RIGHT.astype(int), OTHER.astype(int)
    for arguments, options in (((y, p), {}), ((y, p, q), {}), ((), PAIR)):
        report = errlab.report(*arguments, groups=np.arange(N)[::-1], **options)
        plain = errlab.report(*arguments, **options)
        assert str(report) == str(plain)
        # the only condition left is that no group of the population has two examples
        assert "has more than one example, as none has here" in report.details
        assert len(report.conditions()) == len(plain.conditions()) + 1


def test_all_right_or_all_wrong_in_groups():
    groups = np.repeat(np.arange(8), 5)
    for value in (0, 1):
        report = errlab.report(scores=[value] * 40, groups=groups)
        expected = tuple(bounds.interval("CP", errors=8 * value, n=8))
        assert ends(report) == pytest.approx(expected)
        assert report.guarantee == "finite sample"
        assert "no design effect can be seen" in whole(report)
        pair = errlab.report(scores=[value] * 40, scores_b=[value] * 40, groups=groups)
        assert (pair.verdict, pair.pvalue, pair.guarantee) == ("cannot tell", 1, "finite sample")
        assert pair.low < 0 < pair.high


def test_identifiers_that_repeat_are_noticed():
    with pytest.warns(UserWarning, match=f"{N} examples have 50 of them"):
        errlab.report(scores=RIGHT, ids=GROUPS)
    errlab.report(scores=RIGHT, ids=GROUPS, groups=GROUPS)  # accepted without a warning
    errlab.report(scores=RIGHT, ids=np.arange(N))


def test_the_p_value_of_a_graded_pair_is_that_of_the_bets():
    """Waudby-Smith and Ramdas (2024), one side at half of delta; equal gains have no order."""
    n, gain = 40, 0.3
    stakes, gains, capital = [], [0.5], 0.0
    for _ in range(n):
        # the earlier gains, preceded by an imaginary gain of 1/2 with variance 1/4
        means = np.cumsum(gains) / np.arange(1, len(gains) + 1)
        variance = (0.25 + sum((gains[1:] - means[1:]) ** 2)) / len(gains)
        stakes.append(np.sqrt(2 * np.log(2 / 0.05) / (n * variance)))
        gains.append((1 + gain) / 2)
        capital += np.log1p(min(stakes[-1], 0.75 / 0.5) * (gains[-1] - 0.5))
    # some stakes are below the limit, and others would be above it
    assert stakes[0] < 1 < 1.5 < stakes[-1]
    a = np.linspace(0.1, 0.6, n)
    assert errlab.report(scores=a, scores_b=a + gain).pvalue == pytest.approx(2 * np.exp(-capital))
