"""Hardt: the holdout method: the audit's verdicts, pictures and numbers."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import errlab
from errlab import bounds, coverage, datasets, holdout, losses
from errlab_book import leaderboards, plots, say, show, tables

audit = tables.Audit()


def plus(x, noise):
    """Probability of the label +1 at x."""
    return np.where(x > 0.5, 1 - noise, noise)


@cache
def _testing_on_the_training_set() -> SimpleNamespace:
    on_training, on_new = _lookup_losses()
    rng = np.random.default_rng(8)
    in_training, discrete_risk, constant_risk = _risks_of_ten_kinds(rng)
    nn_training, nn_twins, nn_coins = _errors_on_coins(rng)
    population = datasets.donut(5_000, label_noise=0.2, rng=1)
    on_train, on_test = _gaps(population)
    return SimpleNamespace(
        clean=_risk_without_noise(),
        constant_risk=constant_risk,
        discrete_risk=discrete_risk,
        in_training=in_training,
        nn_coins=nn_coins,
        nn_large=_risk_of_a_large_sample(population),
        nn_training=nn_training,
        nn_twins=nn_twins,
        on_new=on_new,
        on_test=on_test,
        on_train=on_train,
        on_training=on_training,
    )


def _lookup_losses():
    """Return the losses of a lookup table on its 100 examples, and on 10,000 fresh ones."""
    rng = np.random.default_rng(0)
    X, y = rng.random(100), rng.integers(0, 2, 100)
    lookup = dict(zip(X, y, strict=True))
    on_training = losses.hard_loss(y, [lookup.get(x, 0) for x in X])
    X_new, y_new = rng.random(10_000), rng.integers(0, 2, 10_000)
    on_new = losses.hard_loss(y_new, [lookup.get(x, 0) for x in X_new])
    return on_training, on_new


def _risks_of_ten_kinds(rng):
    """Return which of ten kinds were seen, and the risks of the lookup table and of a constant."""
    kinds, kind_label = rng.integers(0, 10, 12), np.arange(10) % 2
    in_training = np.isin(np.arange(10), kinds)
    discrete_risk = losses.risk(np.where(in_training, 0, kind_label), np.full(10, 0.1))
    constant_risk = losses.risk(kind_label, np.full(10, 0.1))
    return in_training, discrete_risk, constant_risk


def _errors_on_coins(rng):
    """Return three errors of the nearest neighbour on coins: in training, with twins, on new ones.

    With twins, each point of the training set occurs with both labels.
    """
    spots, spin = rng.random((300, 2)), rng.choice([-1, 1], 300)
    one = KNeighborsClassifier(1).fit(spots, spin)
    nn_training = losses.hard_loss(spin, one.predict(spots)).mean()
    twin_spots, twin_spin = np.repeat(spots, 2, axis=0), np.tile([-1, 1], 300)
    twice = KNeighborsClassifier(1).fit(twin_spots, twin_spin)
    nn_twins = losses.hard_loss(twin_spin, twice.predict(twin_spots)).mean()
    new_spin, new_spots = rng.choice([-1, 1], 20_000), rng.random((20_000, 2))
    nn_coins = losses.hard_loss(new_spin, one.predict(new_spots)).mean()
    return nn_training, nn_twins, nn_coins


def _risk_without_noise():
    """Return the risk of the nearest neighbour of 50 examples on a line, without label noise."""
    rng = np.random.default_rng(4)
    position, luck = rng.random(50), rng.random(50)
    label = np.where(luck < plus(position, 0), 1, -1)
    model = KNeighborsClassifier(1).fit(position[:, None], label)
    grid = np.linspace(0, 1, 2001)
    predicted = model.predict(grid[:, None])
    return np.where(predicted > 0, 1 - plus(grid, 0), plus(grid, 0)).mean()


def _risk_of_a_large_sample(population):
    """Return the risk of the nearest neighbour of 20,000 examples with 20% label noise."""
    sample = datasets.donut(20_000, label_noise=0.2, rng=2)
    model = KNeighborsClassifier(1).fit(sample.X, sample.y)
    return losses.hard_loss(population.y, model.predict(population.X)).mean()


def _gaps(population):
    """Return the risks of 500 models less their training errors, and less their test errors."""
    on_train, on_test = [], []
    for seed in range(500):
        train = datasets.donut(100, label_noise=0.2, rng=2 * seed + 10)
        test = datasets.donut(100, label_noise=0.2, rng=2 * seed + 11)
        model = KNeighborsClassifier(3, algorithm="brute").fit(train.X, train.y)
        risk = losses.hard_loss(population.y, model.predict(population.X)).mean()
        on_train.append(risk - losses.hard_loss(train.y, model.predict(train.X)).mean())
        on_test.append(risk - losses.hard_loss(test.y, model.predict(test.X)).mean())
    return np.array(on_train), np.array(on_test)


def testing_on_the_training_set() -> Any:
    """Judge the claims of the section “Testing on the training set”."""
    return audit([*_lookup_table_claims(), *_nearest_neighbour_claims(), *_gap_claims()])


def _lookup_table_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about a lookup table."""
    results = _testing_on_the_training_set()
    on_training, on_new = results.on_training, results.on_new
    in_training = results.in_training
    discrete_risk, constant_risk = results.discrete_risk, results.constant_risk
    return [
        (
            "",
            "A lookup table has training error 0",
            f"{on_training.mean():g} on 100 examples",
            bool(on_training.mean() == 0),
            "01_test_error#a-model-that-knows-nothing",
        ),
        (
            "",
            "With balanced labels its risk is 1/2",
            f"{on_new.mean():.3f} on 10,000 fresh examples",
            bool(abs(on_new.mean() - 0.5) < 0.015),
            "01_test_error#a-model-that-knows-nothing",
        ),
        (
            "",
            (
                "Off the sample it is never better than a constant; so neither is its risk, if "
                "the sample has measure 0"
            ),
            (
                f"the condition is needed: with ten kinds of example, {in_training.sum()} of them seen, its "
                f"risk is {discrete_risk:.2f}, the constant's {constant_risk:.2f}"
            ),
            "holds as stated",
            "01_test_error#a-model-that-knows-nothing",
        ),
    ]


def _nearest_neighbour_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the nearest neighbour."""
    results = _testing_on_the_training_set()
    nn_training, nn_twins, nn_coins = results.nn_training, results.nn_twins, results.nn_coins
    clean, nn_large = results.clean, results.nn_large
    return [
        (
            "",
            "The nearest neighbour has training error 0",
            f"{nn_training:g}; but {nn_twins:g} where each point occurs with both labels",
            "holds without twins",
            "01_test_error#a-model-that-may-know-something",
        ),
        (
            "",
            "Its risk could be anything",
            f"training error 0 each time: risk {clean:.1%} without noise, {nn_coins:.1%} on coins",
            True,
            "01_test_error#a-model-that-may-know-something",
        ),
        (
            "",
            "Sometimes it is provably optimal, sometimes poor",
            (
                f"without noise {clean:.1%}; with 20% noise and 20,000 examples {nn_large:.1%}, near "
                f"2 × 0.2 × 0.8 = {2 * 0.2 * 0.8:.0%}, where the best possible is 20%"
            ),
            True,
            "01_test_error#a-model-that-may-know-something",
        ),
    ]


def _gap_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the gap between an error and the risk."""
    results = _testing_on_the_training_set()
    on_train, on_test = results.on_train, results.on_test
    z = on_test.mean() / (on_test.std() / np.sqrt(len(on_test)))
    return [
        (
            "",
            (
                "A fresh sample estimates the risk without bias (as the survey and the lecture "
                "notes say, too)"
            ),
            (
                f"mean gap over 500 test sets {on_test.mean():+.4f}, "
                f"{abs(z):.1f} standard errors from 0"
            ),
            bool(abs(z) < 2),
            "01_test_error#the-gap",
        ),
        (
            "",
            "The training error does not; it is no estimate of the real risk (lecture notes)",
            f"mean gap over 500 training sets {on_train.mean():+.3f}",
            bool(on_train.mean() > 0.1),
            "01_test_error#the-gap",
        ),
    ]


def generalization() -> Any:
    """Judge the claims of the section “Generalization”."""
    on_test = _testing_on_the_training_set().on_test
    X, y = load_breast_cancer(return_X_y=True)
    y = 2 * y - 1
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    score = model.decision_function(X_test)
    hard = losses.from_scores(y_test, score)
    accuracy = model.score(X_test, y_test)
    return audit(
        [
            (
                "",
                "The gap can have either sign",
                f"on test sets from {on_test.min():+.2f} to {on_test.max():+.2f}",
                bool(on_test.min() < 0 < on_test.max()),
                "01_test_error#the-gap",
            ),
            (
                "",
                "0/1 loss is one minus accuracy",
                f"{hard.mean():.3f} and 1 - {accuracy:.3f}",
                bool(abs(hard.mean() - 1 + accuracy) < 1e-12),
                "01_test_error#which-mistakes-count",
            ),
        ]
    )


def guarantees_of_the_holdout_method() -> Any:
    """Judge the claims of the section “Guarantees of the holdout method”."""
    return audit([*_mean_and_variance_claims(), *_sample_size_claims()])


def _mean_and_variance_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the mean and the variance of the test error."""
    grid = np.linspace(0, 1, 11)
    laws = np.random.default_rng(0).dirichlet(np.full(11, 0.3), 200)
    ratio = max(m.variance / m.worst for m in (holdout.risk_moments(grid, law, 50) for law in laws))
    fair = holdout.risk_moments([0, 1], [0.5, 0.5], 50)
    every_risk = np.linspace(0, 0.5, 501)
    hundred = [holdout.gap_coverage(every_risk, n, n**-0.5).min() for n in (100, 1000, 10_000)]
    return [
        (
            "",
            "The mean of the test error is the risk, its variance at most 1/(4n)",
            f"200 random losses on [0, 1], n = 50: variance at most {ratio:.2f} of 1/(4n)",
            bool(ratio <= 1),
            "02_holdout#right-on-average",
        ),
        (
            "",
            "A fair coin has the largest variance",
            f"n = 50: {fair.variance:g} and 1/(4n) = {fair.worst:g}",
            bool(abs(fair.variance - fair.worst) < 1e-15),
            "02_holdout#right-on-average",
        ),
        (
            "",
            "Within 1/√n you can be reasonably sure",
            (
                "worst probability over all risks: "
                + ", ".join(f"{h:.3f}" for h in hundred)
                + " for n = 100, 1,000, 10,000"
            ),
            bool(min(hundred) > 0.94),
            "02_holdout#right-on-average",
        ),
    ]


def _sample_size_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the number of test examples."""
    share = holdout.gap_coverage(0.5, 10_000, 0.01)
    small_risk = holdout.gap_coverage(0.01, 400, 0.01)
    tiny = holdout.gap_bound(1000, delta=1e-6) / holdout.gap_bound(1000)
    return [
        (
            "",
            "10,000 examples give two digits after the point",
            (
                f"within 0.01 with probability {share:.4f} for a coin; by Hoeffding the failure "
                f"can only be bounded by {holdout.failure_probability(10_000, 0.01):.2f}"
            ),
            "holds as a rule of two standard deviations",
            "02_holdout#how-many-do-you-need",
        ),
        (
            "",
            "For a gap of ε you need at least 1/ε² examples",
            (
                f"at a risk of 1%, 400 examples are within 0.01 with {small_risk:.3f}; with a "
                "guarantee "
                f"for every risk it is {holdout.sample_size(0.01):,}"
            ),
            "right size; too many for small risks, too few for a guarantee",
            "02_holdout#how-many-do-you-need",
        ),
        (
            "Prop. 1",
            "With 95% probability the gap is at most 1.36/√n",
            f"{holdout.gap_bound(10_000) * 100:.4f}/√n",
            bool(round(holdout.gap_bound(10_000) * 100, 2) == 1.36),
            "02_holdout#how-many-do-you-need",
        ),
        (
            "",
            "A very small δ costs little",
            f"from 5% to one in a million the bound grows by a factor of {tiny:.2f}",
            bool(tiny < 2),
            "02_holdout#how-many-do-you-need",
        ),
        (
            "Prop. 1",
            "The proposition holds for every δ > 0",
            f"log(2/δ) = {np.log(2 / 3):.2f} at δ = 3 has no root; for δ < 1 it holds",
            "holds for δ up to 2",
            "02_holdout#how-many-do-you-need",
        ),
    ]


def model_selection() -> Any:
    """Judge the claims of the section “Model selection”."""
    inside = holdout.gap_coverage(0.5, 500, holdout.gap_bound(500, models=1000)) ** 1000
    million = holdout.gap_bound(1000, models=1_000_000) / holdout.gap_bound(1000)
    trivial = [holdout.gap_bound(n, models=int(2 ** (n**0.5))) for n in (100, 900, 2500)]
    trials = np.arange(201)

    def some_fail(delta):
        """Probability that one of 50 bounds fails, for classifiers with a true error of 6%."""
        below = bounds.clopper_pearson(trials / 200, 200, delta=delta) < 0.06
        return 1 - (1 - stats.binom.cdf(np.flatnonzero(below).max(), 200, 0.06)) ** 50

    void, corrected = some_fail(0.05), some_fail(0.05 / 50)
    return audit(
        [
            (
                "Prop. 2",
                "k models are all within √(log(2k/δ)/(2n))",
                (
                    "1,000 independent models that guess, n = 500: all inside with probability "
                    f"{inside:.4f}"
                ),
                bool(inside >= 0.95),
                "02_holdout#choosing-between-models",
            ),
            (
                "",
                "The number of models costs only √log k",
                f"a million models: {million:.2f} times the bound for one",
                bool(million < 2.5),
                "02_holdout#choosing-between-models",
            ),
            (
                "",
                "Exponentially many models, 2^o(n), before the bound is trivial",
                "2^√n models, n = 100, 900, 2,500: bound " + ", ".join(f"{t:.3f}" for t in trivial),
                bool(trivial[0] > trivial[1] > trivial[2]),
                "02_holdout#choosing-between-models",
            ),
            (
                "",
                "With many claims, delta divided by their number is safe",
                (
                    f"50 classifiers, 200 examples: some plain bound fails with probability {void:.2f}, "
                    "some shared one "
                    f"with {corrected:.3f}"
                ),
                bool(corrected <= 0.05),
                "16_report#how-many-classifiers-did-you-try",
            ),
        ]
    )


@cache
def _the_iron_vault() -> SimpleNamespace:

    # three hundred trees on twenty pixels each
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    rng = np.random.default_rng(1)
    predicted = []
    for seed in range(300):
        pixels = rng.choice(64, 20, replace=False)
        tree = DecisionTreeClassifier(max_depth=8, random_state=seed)
        tree.fit(X[:600, pixels], y[:600])
        predicted.append(tree.predict(X[600:, pixels]))
    predicted, y = np.array(predicted), y[600:]
    tree_losses = (predicted != y).astype(float)
    steps = [1, 10, 100, 1000]
    attack = leaderboards.climb(1000, steps, repeats=5, rng=0)
    how = {"public_size": 0.25, "repeats": 200, "rng": 2}
    plain = leaderboards.public_private(tree_losses, **how)
    guess = holdout.selection_bias([0.5] * 1000, 1000)
    mixing = {"public_size": 0.25, "repeats": 5, "rng": 3}
    mixed = leaderboards.mix(y, predicted[0], predicted[1], [1000], **mixing)
    mixed_held = leaderboards.mix(
        y, predicted[0], predicted[1], [1000], board=holdout.ladder, **mixing
    )
    return SimpleNamespace(
        attack=attack,
        guess=guess,
        mixed=mixed,
        mixed_held=mixed_held,
        plain=plain,
        predicted=predicted,
        tree_losses=tree_losses,
        y=y,
    )


def the_iron_vault() -> Any:
    """Judge the claims of the section “The iron vault”."""
    results = _the_iron_vault()
    attack, guess, mixed, mixed_held, plain = (
        results.attack,
        results.guess,
        results.mixed,
        results.mixed_held,
        results.plain,
    )
    return audit(
        [
            (
                "",
                "Once a model depends on the test set the guarantees are gone",
                (
                    f"climber at k = 1,000, n = 1,000: off by {attack.gap[-1]:.3f}, bound for fixed "
                    f"models {holdout.gap_bound(1000, models=1000):.3f}"
                ),
                bool(attack.gap[-1] > holdout.gap_bound(1000, models=1000)),
                "13_leaderboards#a-thousand-examples-are-no-shelter",
            ),
            (
                "",
                "The chosen model's test error underestimates, sometimes substantially",
                (
                    f"winner of 300 trees: by {plain.optimism:.3f}; 1,000 guessers: by "
                    f"{guess.optimism:.3f}; a climber: by {attack.gap[-1]:.3f}"
                ),
                bool(min(plain.optimism, guess.optimism) > 0.02),
                "13_leaderboards#is-first-place-worth-anything",
            ),
            (
                "",
                "Following the scores gains on the board and not elsewhere",
                (
                    "mixtures of two digit trees, 1,000 submissions: off by "
                    f"{mixed.private[-1] - mixed.public[-1]:.3f}; on the Ladder by "
                    f"{mixed_held.private[-1] - mixed_held.public[-1]:.3f}"
                ),
                bool(mixed.private[-1] - mixed.public[-1] > 0.02),
                "13_leaderboards#a-thousand-examples-are-no-shelter",
            ),
        ]
    )


def model_ranking() -> Any:
    """Judge the claims of the section “Model ranking”."""
    results = _the_iron_vault()
    predicted, tree_losses, y = results.predicted, results.tree_losses, results.y
    worse = leaderboards.noisy_risk(0.7, 0.4)
    rng = np.random.default_rng(5)
    random = rng.choice(np.unique(y), len(y))
    noisy = np.where(rng.random(len(y)) < 0.4, random, y)
    clean_error = tree_losses.mean(axis=1)
    noisy_error = (predicted != noisy).mean(axis=1)
    close = np.abs(np.subtract.outer(clean_error, clean_error))
    wrong_order = (
        np.subtract.outer(clean_error, clean_error) * np.subtract.outer(noisy_error, noisy_error)
        < 0
    )
    return audit(
        [
            (
                "",
                "Random labels move all accuracies lower",
                f"true for models better than guessing; an error of 70% becomes {worse:.0%}",
                "only for models better than guessing",
                "13_leaderboards#rankings-are-tougher-than-numbers",
            ),
            (
                "",
                "The ranking is preserved, up to very close models",
                (
                    "digits, 40% noise: pairs in the wrong order differ by "
                    f"{close[wrong_order].mean():.3f} "
                    f"on average, all pairs by {close.mean():.3f}"
                ),
                bool(close[wrong_order].mean() < 0.5 * close.mean()),
                "13_leaderboards#rankings-are-tougher-than-numbers",
            ),
        ]
    )


def more_than_two_splits() -> Any:
    """Judge the claims of the section “More than two splits”."""
    plain = _the_iron_vault().plain
    guessers = holdout.selection_bias([0.5] * 1000, 1000)
    return audit(
        [
            (
                "",
                "The validation error of the selected model is biased; guessing models show it",
                (
                    f"the best of 1,000 guessing models shows {guessers.validation:.3f} on 1,000 "
                    "examples, true "
                    f"error {guessers.risk:.2f}"
                ),
                bool(guessers.optimism > 0.01),
                "02_holdout#choosing-between-models",
            ),
            (
                "",
                "A further test set detects it",
                (
                    f"private error of the digits' winner {plain.private.mean():.3f}, shown "
                    f"{plain.public.mean():.3f}"
                ),
                bool(plain.private.mean() > plain.public.mean()),
                "13_leaderboards#is-first-place-worth-anything",
            ),
        ]
    )


def fold_cross_validation() -> Any:
    """Judge the claims of the section “k-fold cross validation”."""
    labels = np.random.default_rng(1).integers(0, 2, size=(20_000, 20))

    def gain(folds):
        """How much less the mean of all folds varies than one fold, for the parity of the labels."""
        fold = np.arange(20) % folds
        # each answer is the parity of the labels outside the fold
        answer = np.stack([labels[:, fold != f].sum(axis=1) % 2 for f in range(folds)], axis=1)
        missed = answer[:, fold] != labels
        return missed[:, fold == 0].mean(axis=1).var() / missed.mean(axis=1).var()

    parity = {k: gain(k) for k in (5, 10, 20)}
    return audit(
        [
            (
                "",
                "In general k folds are no better than a single fold",
                (
                    "the parity of 20 labels, variance of one fold over that of the mean: "
                    + ", ".join(f"{g:.1f} with {k} folds" for k, g in parity.items())
                    + ". For 2 < k < n the mean is better for every learner that ignores the order "
                    "of its examples (Blum, Kalai and Langford, 1999)"
                ),
                "only for leave-one-out" if parity[10] > 5 and parity[20] < 1.1 else False,
                "07_cross_validation#ten-folds-are-not-ten-test-sets",
            ),
            (
                "",
                "k folds are never worse than a single fold",
                f"the same learner gains at least a factor of {min(parity.values()):.2f}",
                bool(min(parity.values()) > 1 - 1e-9),
                "07_cross_validation#ten-folds-are-not-ten-test-sets",
            ),
        ]
    )


@cache
def _error_bars_and_confidence_intervals() -> SimpleNamespace:

    rules = {}
    for smallest, largest in ((5, 120), (10, 200), (50, 700)):
        sizes = range(2 * smallest, largest + 1)
        worst = [
            coverage.worst("NOR", n, side="two-sided", within=(smallest / n, 0.5)) for n in sizes
        ]
        rules[smallest] = min((lowest.coverage, n) for lowest, n in zip(worst, sizes, strict=True))
    missing = 100 * (1 - holdout.interval_coverage("NOR", 0.25, 1000, error=0.25))
    bounded = holdout.interval_coverage("NOR", 0.01, 100, error=0.01)
    five = ["NOR", "WIL", "CP", "AC", "JEF"]
    large = {key: bounds.interval(key, 0.3, 1000) for key in five}
    ends_apart = max(
        np.ptp([e.low for e in large.values()]), np.ptp([e.high for e in large.values()])
    )
    ends = {key: bounds.interval(key, 0.1, 100) for key in five}
    widths = {key: end.high - end.low for key, end in ends.items()}
    return SimpleNamespace(
        bounded=bounded,
        ends=ends,
        ends_apart=ends_apart,
        missing=missing,
        rules=rules,
        widths=widths,
    )


def error_bars_and_confidence_intervals() -> Any:
    """Judge the claims of the section “Error bars and confidence intervals”."""
    return audit([*_normal_interval_claims(), *_width_claims()])


def _normal_interval_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the normal interval."""
    results = _error_bars_and_confidence_intervals()
    bounded, missing, rules = results.bounded, results.missing, results.rules
    return [
        (
            "",
            "95% of a normal distribution lies within 1.96 standard deviations",
            f"{-stats.norm.ppf(0.025):.4f}",
            bool(round(-stats.norm.ppf(0.025), 2) == 1.96),
            "02_holdout#error-bars",
        ),
        (
            "",
            "The normal interval is right where n p and n (1 - p) are 50 or more",
            f"worst coverage {rules[50][0]:.4f}, at n = {rules[50][1]}",
            "holds to within two points",
            "02_holdout#error-bars",
        ),
        (
            "",
            "Of 100 intervals five miss",
            (
                f"on average {missing:.2f}; exactly five in {stats.binom.pmf(5, 100, 0.05):.0%} "
                "of examples"
            ),
            "holds on average",
            "02_holdout#error-bars",
        ),
        (
            "",
            "The same interval serves any loss in [0, 1]",
            f"losses 0 or 1, risk 1%, n = 100: it covers {bounded:.3f}",
            "fails for rare losses",
            "02_holdout#error-bars",
        ),
    ]


def _width_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the widths of five intervals."""
    results = _error_bars_and_confidence_intervals()
    ends, ends_apart, widths = results.ends, results.ends_apart, results.widths
    return [
        (
            "",
            "n - 1 or n does not matter",
            f"the width differs by {np.sqrt(100 / 99) - 1:.1%} at n = 100",
            True,
            "02_holdout#error-bars",
        ),
        (
            "",
            "All five intervals agree for large n and p not near 0 or 1",
            f"n = 1,000, p = 0.3: ends at most {ends_apart:.4f} apart",
            bool(ends_apart < 0.003),
            "02_holdout#error-bars",
        ),
        (
            "",
            "At n = 100 and p = 0.9 all widths are set by 0.03, the differences minor",
            (
                "widths "
                + ", ".join(f"{key} {w:.4f}" for key, w in widths.items())
                + f"; upper ends of the error {ends['NOR'].high:.3f} (NOR), {ends['CP'].high:.3f} "
                "(CP)"
            ),
            "holds for the width, not for the ends",
            "02_holdout#error-bars",
        ),
    ]


def error_bars_and_confidence_intervals_figure() -> Any:
    """Draw a figure for the section “Error bars and confidence intervals”."""
    ends = _error_bars_and_confidence_intervals().ends
    return show(
        plots.plot_intervals(10, 100),
        "The intervals agree well even for a classifier that is right on 90 of 100 (illustration 3).",
        alt="Bars around 10 per cent, nearly equally wide. That of the normal approximation lies "
        f"furthest left, from {100 * ends['NOR'].low:.1f} to {100 * ends['NOR'].high:.1f} per cent; "
        f"Clopper-Pearson's reaches from {100 * ends['CP'].low:.1f} to {100 * ends['CP'].high:.1f}.",
    )


def validity_of_confidence_intervals() -> Any:
    """Judge the claims of the section “Validity of confidence intervals”."""
    once, tenfold = (bounds.interval("NOR", 0.2, n) for n in (500, 5000))
    shrunk = (once.high - once.low) / (tenfold.high - tenfold.low)
    holds10 = holdout.interval_coverage("NOR", 0.2, 500, error=0.2, copies=10)
    return audit(
        [
            (
                "",
                "Ten copies of each example change no estimate, but make intervals too narrow",
                f"{shrunk:.2f} times narrower; coverage {holds10:.2f} instead of 0.95",
                bool(holds10 < 0.9),
                "02_holdout#three-mistakes-that-no-size-can-fix",
            ),
        ]
    )


def internal_versus_external_validity_of() -> Any:
    """Judge the claims of the section “Internal versus external validity of reported numbers”."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:1000], order[1000:]
    model = SVC(gamma=0.001).fit(X[train], y[train])
    report = errlab.report(y[test], model.predict(X[test]))
    shifted = np.zeros((len(X), 8, 8))
    shifted[:, :, 1:] = X.reshape(-1, 8, 8)[:, :, :-1]
    there = errlab.report(y[test], model.predict(shifted[test].reshape(-1, 64)))
    outward = np.ceil(1000 * report.high) / 1000
    return audit(
        [
            (
                "",
                "Intervals say nothing of another population",
                f"digits: at most {outward:.1%}; one pixel further {there.rate:.0%}",
                bool(there.rate > report.high),
                "02_holdout#three-mistakes-that-no-size-can-fix",
            ),
        ]
    )


def total() -> Any:
    """Count the verdicts of all sections."""
    return say(audit.total())


def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    return []


GIVEN: list[str] = []
