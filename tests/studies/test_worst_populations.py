"""A search for the population with the lowest coverage: the printed sentence must state it.

Populations of two and three points, some hundred for each door: exactly by enumeration where the
data are counts, else by seeded simulation. `FOUND` is what the search may find at most; what lies
below 90% has to be a row of the study.
"""

import itertools

import numpy as np
import pytest
from marks import nightly
from scipy import special, stats

import errlab
from errlab.bounds import interval
from errlab.compare._fay_lumbard import melded
from errlab.metrics._rates import mean_rate

LOW = (0.005, 0.01, 0.02, 0.06, 0.1, 0.2, 0.35, 0.5)


def rates():
    """Some hundred pairs of recalls of two classes."""
    return [(a, b) for a in LOW for b in (*LOW, *(1 - q for q in LOW[::-1]))]


def binomial(n, p):
    return stats.binom.pmf(np.arange(n + 1), n, p)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "lowest"), [((2, 2), 0.93), ((4, 16), 0.95), ((5, 5), 0.925), ((20, 20), 0.93)]
)
def test_balanced_accuracy_by_enumeration(sizes, lowest):
    """Every table of hits in two classes, for 128 pairs of recalls."""
    tables = list(itertools.product(*(range(n + 1) for n in sizes)))
    ends = np.array([mean_rate(np.transpose([hits, sizes]), 0.05)[1] for hits in tables])
    worst = {}
    for pair in rates():
        chance = np.outer(*map(binomial, sizes, pair)).ravel()
        inside = (ends[:, 0] <= np.mean(pair) + 1e-12) & (ends[:, 1] >= np.mean(pair) - 1e-12)
        worst[pair] = float(chance @ inside)
    assert min(worst.values()) >= lowest, min(worst, key=worst.get)


def paired(n):
    """Every pair of counts (A alone, B alone) in n examples, with the difference's interval."""
    counts = np.array([(i, j) for i in range(n + 1) for j in range(n + 1 - i)], dtype=float)
    low, high = melded(counts[:, 0], counts[:, 1], np.full(len(counts), float(n)), delta=0.05)
    gap = (counts[:, 0] - counts[:, 1]) / n
    return counts, gap, gap - low, high - gap


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "lowest"), [((3, 12), 0.97), ((6, 20), 0.95)])
def test_two_balanced_accuracies_by_enumeration(sizes, lowest):
    """Every pair of tables, for 100 populations: who alone is right in which class."""
    a, b = map(paired, sizes)
    value = (a[1][:, None] + b[1]) / 2
    down, up = (np.sqrt(a[k][:, None] ** 2 + b[k] ** 2) / 2 for k in (2, 3))
    kinds = [(0.02, 0.0), (0.1, 0.0), (0.05, 0.05), (0.3, 0.0), (0.2, 0.2), (0.5, 0.1), (0.6, 0.3),
             (0.0, 0.1), (0.1, 0.4), (0.9, 0.05)]  # fmt: skip
    worst = {}
    for first, second in itertools.product(kinds, kinds):
        truth = (first[0] - first[1] + second[0] - second[1]) / 2
        chance = np.outer(*(
            stats.multinomial.pmf(
                np.column_stack([c[0], n - c[0].sum(axis=1)]), n, [*p, 1 - sum(p)]
            )
            for c, n, p in ((a, sizes[0], first), (b, sizes[1], second))
        ))  # fmt: skip
        inside = (value - down <= truth + 1e-12) & (value + up >= truth - 1e-12)
        worst[first, second] = float((chance * inside).sum())
    assert min(worst.values()) >= lowest, min(worst, key=worst.get)


@pytest.mark.slow
@pytest.mark.parametrize("step", nightly([3, 1], 1))
def test_one_area_on_three_kinds_of_scores(step):
    """Positives with three scores, negatives with two: 30 populations of 12 and 60 examples.

    Where positives are misranked as a whole the area is a binomial share of 12 examples, which no
    model of the scores knows; the score interval by itself covers .77 there.
    """
    worst = {}
    for number, (good, bad, tie) in enumerate(
        itertools.product((0.5, 0.8, 0.95), (0.0, 0.02, 0.05, 0.1, 0.2), (0.0, 0.3))
    ):
        if number % step:
            continue
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
        worst[good, bad, tie] = inside / 40
    # three standard errors of 40 test sets below 93%; without Clopper and Pearson's end it is .72
    assert min(worst.values()) >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / 40), min(worst, key=worst.get)


# expected number of huge losses among 50, and how large they are
BOTH = ((0.5, 1, 2, 4), (5, 30, 200))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("expected", "sizes"), nightly([((0.5, 2), (5, 200)), BOTH], BOTH), ids=["few", "all"]
)
def test_losses_of_two_points_break_the_bootstrap_and_it_says_so(expected, sizes):
    """Losses of 1, rarely of `size`: no method covers what is missing in the sample."""
    worst = {}
    for number, (per, size) in enumerate(itertools.product(expected, sizes)):
        rng = np.random.default_rng(number)
        n, truth, contains, text = 50, 1 + per / 50 * (size - 1), 0, []
        for _ in range(25):
            off = np.where(rng.random(n) < per / n, size, 1.0) * (0.9 + 0.2 * rng.random(n))
            result = errlab.metric(off, np.zeros(n), metric="mae", resamples=100, rng=rng)
            inside = result.low <= truth <= result.high
            contains += inside
            text += [] if inside else [result.evidence.weakness or result.evidence.elsewhere]
        worst[per, size] = contains / 25
        if worst[per, size] < 0.7:
            assert all(text), (per, size)
    assert min(worst.values()) < 0.6  # the search must find what the study shows


def areas():
    rng = np.random.default_rng(5)
    names = np.repeat(np.arange(20), 6)
    y = (rng.random(20) < 0.4)[names].astype(int)
    x = rng.normal(size=20)[names] + rng.normal(size=120) + 2.5 * y
    return y, x, names


def test_names_of_groups_and_order_of_rows_move_no_area_and_no_rate():
    y, x, names = areas()
    order = np.random.default_rng(1).permutation(120)
    other = np.array([f"patient {(7 * k) % 20}" for k in names])
    for metric, text in (("roc_auc", x), ("recall", x > 1), ("accuracy", x > 1)):
        result = errlab.metric(y, text, metric=metric, groups=names)
        again = errlab.metric(y[order], text[order], metric=metric, groups=other[order])
        assert (again.low, again.high) == pytest.approx((result.low, result.high), abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "text"), [("roc_auc", "x"), ("recall", "call"), ("balanced_accuracy", "call")]
)
def test_groups_of_one_case_are_no_groups(metric, text):
    y, x, _ = areas()
    column = x if text == "x" else x > 1
    alone = errlab.metric(y, column, metric=metric)
    single = errlab.metric(y, column, metric=metric, groups=np.arange(120))
    assert (single.low, single.high) == (alone.low, alone.high)


@pytest.mark.parametrize("groups", [False, True])
def test_a_mistake_more_raises_no_end_that_a_perfect_ranking_has(groups):
    """From an area of 1, move positives below all negatives: the ends only fall."""
    names = np.repeat(np.arange(20), 6) if groups else None
    y = np.repeat(np.arange(20) % 2, 6)
    x = y + np.linspace(0, 0.5, 120)
    perfect = errlab.metric(y, x, metric="roc_auc", groups=names).low
    for wrong in range(1, 12):
        worse = x - 3 * (np.cumsum(y) * y == wrong)
        result = errlab.metric(y, worse, metric="roc_auc", groups=names)
        assert result.low <= perfect + 1e-12
        assert result.estimate < 1


def test_one_case_changed_moves_an_area_by_no_more_than_without_groups():
    y, x, names = areas()
    positive = np.flatnonzero(y == 1)
    for groups in (None, names):
        before = errlab.metric(y, x, metric="roc_auc", groups=groups)
        for case in positive[:10]:
            moved = x.copy()
            moved[case] = x.min() - 1
            after = errlab.metric(y, moved, metric="roc_auc", groups=groups)
            # the area itself falls by at most one divided by the number of positives
            assert before.estimate - after.estimate <= 1 / len(positive) + 1e-12
            assert after.low <= before.low + 0.5 / len(positive)


def test_grouped_area_takes_t_with_the_groups_of_the_rarer_class():
    """By hand: the score test of the lower end with t of 7 degrees of freedom."""
    rng = np.random.default_rng(8)
    y = np.repeat(np.arange(40) < 8, 5).astype(int)
    names = np.repeat(np.arange(40), 5)
    x = rng.normal(size=40)[names] + rng.normal(size=200) + 1.2 * y
    result = errlab.metric(y, x, metric="roc_auc", groups=names)
    assert result.effective_groups == pytest.approx(8)
    assert result.evidence.unit == "effective groups of the rarer class"
    area, variance = errlab.metrics.delong(y, x, groups=names)
    m, n = 40, 160

    def model(a):
        shape = (1 - a) / (2 - a) + a / (1 + a)
        return a * (1 - a) * (1 + ((m + n) / 2 - 1) * shape) / (m * n)

    scale = variance / model(area)
    assert scale > 1
    t = special.stdtrit(7, 0.975)
    assert (area - result.low) ** 2 == pytest.approx(t**2 * scale * model(result.low), rel=1e-6)


def test_clopper_pearson_is_the_exact_rate_door():
    """The search needs no simulation there: 200 populations, none below 95%."""
    low, high = interval("CP", errors=np.arange(31), n=30)
    for p in np.linspace(0.001, 0.999, 200):
        assert binomial(30, p) @ ((low <= p) & (p <= high)) >= 0.95 - 1e-12
