"""A search for the population with the lowest coverage: the printed sentence must state it.

Populations of two and three points, some hundred for each door: exactly by enumeration where the
data are counts, else by seeded simulation. What lies below 90% has to be a row of the study.
"""

import itertools

import numpy as np
import pytest
from marks import nightly
from scipy import special, stats

import errlab
from errlab.compare._fay_lumbard import melded
from errlab.metrics._area_interval import score_interval
from errlab.metrics._rates import mean_rate

LOW = (0.005, 0.01, 0.02, 0.06, 0.1, 0.2, 0.35, 0.5)
RECALLS = [*itertools.product(LOW, (*LOW, *(1 - q for q in LOW[::-1])))]


def check_lowest(threshold, populations, chance, truth, ends):
    """Intervals with these ends cover in each population, by enumeration."""
    for population in populations:
        value = truth(population)
        inside = (ends[0] <= value + 1e-12) & (ends[1] >= value - 1e-12)
        assert chance(population)[inside].sum() >= threshold, population


@pytest.mark.slow
def test_balanced_accuracy_by_enumeration():
    """Every table of hits in two classes, for 128 pairs of recalls."""
    for sizes, threshold in {(2, 2): 0.93, (4, 16): 0.95, (5, 5): 0.925, (20, 20): 0.93}.items():
        tables = [*np.ndindex(*np.add(sizes, 1))]
        ends = np.array([mean_rate(np.transpose([hits, sizes]), 0.05)[1] for hits in tables])

        def chance(recalls, sizes=sizes, tables=tables):
            return stats.binom.pmf(tables, sizes, recalls).prod(axis=1)

        check_lowest(threshold, RECALLS, chance, np.mean, ends.T)


# who alone is right in a class: A in this share of the examples, B in that
KINDS = [(0.02, 0.0), (0.1, 0.0), (0.05, 0.05), (0.3, 0.0), (0.2, 0.2), (0.5, 0.1), (0.6, 0.3),
         (0.0, 0.1), (0.1, 0.4), (0.9, 0.05)]  # fmt: skip


@pytest.mark.slow
def test_two_balanced_accuracies_by_enumeration():
    """Every pair of tables (A alone, B alone) in two classes, for 100 populations."""
    for sizes, threshold in {(3, 12): 0.97, (6, 20): 0.95}.items():
        tables, gaps, squares = [], [], []
        for n in sizes:
            a, b = np.transpose([t for t in np.ndindex(n + 1, n + 1) if sum(t) <= n]).astype(float)
            gap, ends = (a - b) / n, np.array(melded(a, b, np.full(len(a), float(n)), delta=0.05))
            tables.append(np.column_stack([a, b, n - a - b]))
            gaps.append(gap)
            squares.append((ends - gap) ** 2)
        down, up = (np.sqrt(np.add.outer(*both)) / 2 for both in zip(*squares, strict=True))
        value = np.add.outer(*gaps) / 2

        def chance(classes, tables=tables, sizes=sizes):
            return np.outer(*(
                stats.multinomial.pmf(table, n, [*p, 1 - sum(p)])
                for table, n, p in zip(tables, sizes, classes, strict=True)
            ))  # fmt: skip

        def truth(classes):
            return sum(a - b for a, b in classes) / 2

        populations = itertools.product(KINDS, KINDS)
        check_lowest(threshold, populations, chance, truth, (value - down, value + up))


@pytest.mark.slow
@pytest.mark.parametrize("step", nightly([6, 1], 1))
def test_one_area_on_three_kinds_of_scores(step):
    """Positives with three scores, negatives with two: 30 populations of 12 and 60 examples.

    Where positives are misranked as a whole the area is a binomial share of 12 examples, which no
    model of the scores knows; the score interval by itself covers .77 there.
    """
    populations = itertools.product((0.5, 0.8, 0.95), (0.0, 0.02, 0.05, 0.1, 0.2), (0.0, 0.3))
    for number, (good, bad, tie) in [*enumerate(populations)][::step]:
        rng = np.random.default_rng(number)
        shares = np.array([good, bad * (1 - good), 0.0])
        shares[2] = 1 - shares.sum()
        # positives score 3, 0 or 1; negatives 1 (a tie) or 0.5
        truth = shares @ [1, 0, 1 - tie / 2]
        inside = 0
        for _ in range(40):
            y = (np.arange(72) < 12).astype(int)
            x = np.where(y, rng.choice([3.0, 0, 1], 72, p=shares),
                         np.where(rng.random(72) < tie, 1.0, 0.5))  # fmt: skip
            result = errlab.metric(y, x, metric="roc_auc")
            inside += result.low <= truth <= result.high
        # three standard errors of 40 sets below 93%; without Clopper and Pearson's end it is .72
        assert inside / 40 >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / 40), (good, bad, tie)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_losses_of_two_points_break_the_bootstrap_and_it_says_so(whole):
    """Losses of 1, rarely of `size`: no method covers what is missing in the sample."""
    # expected number of huge losses among 50, and how large they are
    populations = itertools.product((0.5, 1, 2, 4), (5, 30, 200)) if whole else [(0.5, 200), (2, 5)]
    worst = []
    for number, (per, size) in enumerate(populations):
        rng = np.random.default_rng(number)
        n, truth, contains, text = 50, 1 + per / 50 * (size - 1), 0, []
        for _ in range(25):
            off = np.where(rng.random(n) < per / n, size, 1.0) * (0.9 + 0.2 * rng.random(n))
            result = errlab.metric(off, np.zeros(n), metric="mae", resamples=100, rng=rng)
            inside = result.low <= truth <= result.high
            contains += inside
            text += [] if inside else [result.evidence.weakness or result.evidence.elsewhere]
        worst.append(contains / 25)
        assert worst[-1] >= 0.7 or all(text), (per, size)
    assert min(worst) < 0.6  # the search must find what the study shows


NAMES = np.repeat(np.arange(20), 6)


def areas():
    rng = np.random.default_rng(5)
    y = (rng.random(20) < 0.4)[NAMES].astype(int)
    return y, rng.normal(size=20)[NAMES] + rng.normal(size=120) + 2.5 * y


def ends(y, x, metric, groups=None):
    result = errlab.metric(y, x, metric=metric, groups=groups)
    return result.low, result.high


def test_names_of_groups_and_order_of_rows_move_nothing_and_groups_of_one_are_none():
    y, x = areas()
    order = np.random.default_rng(1).permutation(120)
    other = np.array([f"patient {(7 * k) % 20}" for k in NAMES])
    scores = {"roc_auc": x, "recall": x > 1, "accuracy": x > 1, "balanced_accuracy": x > 1}
    for metric, score in scores.items():
        if metric != "balanced_accuracy":
            again = ends(y[order], score[order], metric, other[order])
            assert again == pytest.approx(ends(y, score, metric, NAMES), abs=1e-9), metric
        if metric != "accuracy":
            assert ends(y, score, metric, np.arange(120)) == ends(y, score, metric), metric


def test_a_mistake_more_raises_no_end_that_a_perfect_ranking_has():
    """From an area of 1, move positives below all negatives: the ends only fall."""
    y = np.repeat(np.arange(20) % 2, 6)
    x = y + np.linspace(0, 0.5, 120)
    for groups in (None, NAMES):
        perfect = errlab.metric(y, x, metric="roc_auc", groups=groups).low
        for wrong in range(1, 12):
            worse = x - 3 * (np.cumsum(y) * y == wrong)
            result = errlab.metric(y, worse, metric="roc_auc", groups=groups)
            assert result.low <= perfect + 1e-12
            assert result.estimate < 1


def test_one_case_changed_moves_an_area_by_no_more_than_without_groups():
    y, x = areas()
    positive = np.flatnonzero(y == 1)
    for groups in (None, NAMES):
        before = errlab.metric(y, x, metric="roc_auc", groups=groups)
        for case in positive[:10]:
            moved = x.copy()
            moved[case] = x.min() - 1
            after = errlab.metric(y, moved, metric="roc_auc", groups=groups)
            # the area itself falls by at most one divided by the number of positives
            assert before.estimate - after.estimate <= 1 / len(positive) + 1e-12
            assert after.low <= before.low + 0.5 / len(positive)


def test_grouped_area_takes_t_with_the_groups_of_the_rarer_class():
    """Eight groups of positives: the score test with t of 7 degrees of freedom."""
    rng = np.random.default_rng(8)
    names = np.repeat(np.arange(40), 5)
    y = (names < 8).astype(int)
    x = rng.normal(size=40)[names] + rng.normal(size=200) + 1.2 * y
    result = errlab.metric(y, x, metric="roc_auc", groups=names)
    assert result.effective_groups == pytest.approx(8)
    assert result.evidence.unit == "effective groups of the rarer class"
    area, variance = errlab.metrics.delong(y, x, groups=names)
    # the score test itself is that of tests/metrics
    t = special.stdtrit(7, 0.975)
    expected = score_interval(y == 1, area, variance, None, t).low
    assert result.low == pytest.approx(expected, rel=1e-6)
    assert result.low > score_interval(y == 1, area, variance, None, t + 0.1).low
