"""Lecture notes on estimating the real risk: the audit's verdicts, pictures and numbers."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import stats
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bootstrap, bounds, compare, coverage, crossval, holdout, metrics
from errlab.style import styled
from errlab_book import plots, say, show, studies, tables
from errlab_book.plots.paper import headline

audit = tables.Audit()


def expected(m, p):
    """Expected error of least squares after m examples, in units of the noise variance."""
    return 1 + p / (m - p - 1)


def on_noise(model, sets=30, resamples=50):
    """Five estimates of a model's error for each of many data sets of pure noise."""
    rows = []
    for seed in range(sets):
        rng = np.random.default_rng([8, seed])
        X, y = rng.normal(size=(40, 5)), rng.integers(2, size=40)
        loo = bootstrap.loo_bootstrap(model, X, y, resamples=resamples, rng=rng)
        cv = crossval.cross_val_losses(model, X, y, cv=10, rng=rng).mean
        rows.append((loo.resubstitution, cv, loo.error, loo.point632, loo.point632plus))
    names = ("training error", "10 folds", "leave-one-out\nbootstrap", ".632", ".632+")
    return dict(zip(names, np.array(rows).T, strict=True))


def width(interval):
    """Width of an interval."""
    return interval.high - interval.low


@cache
def _estimation_of_the_hypothesis_real() -> SimpleNamespace:

    first = metrics.confusion([1, 1, 1, 0, 0], [1, 0, 0, 1, 0])
    X, y = load_breast_cancer(return_X_y=True)
    malignant = 1 - y
    X_train, X_test, y_train, y_test = train_test_split(
        X[:, :4], malignant, test_size=300, random_state=0
    )
    model = make_pipeline(StandardScaler(), LogisticRegression())
    model.fit(X_train, y_train)
    p = model.predict_proba(X_test)[:, 1]
    table = metrics.confusion(y_test, p > 0.5)
    return SimpleNamespace(X_test=X_test, first=first, model=model, p=p, table=table, y_test=y_test)


def estimation_of_the_hypothesis_real() -> Any:
    """Judge the claims of the section “Estimation of the Hypothesis Real Risk”."""
    results = _estimation_of_the_hypothesis_real()
    first, table = results.first, results.table
    return audit(
        [
            (
                "Def. 1.3",
                "Binary matrix: row +, column - holds the false positives",
                f"rows are true classes; 2 true + called - give fn = {first.fn}, fp = {first.fp}",
                bool(first.fp == 2),
                "14_confusion_roc#four-counts",
            ),
            (
                "Table 5.2",
                "Table 5.2: margins N+, N-, called + and called -",
                (
                    f"{table.positives} + {table.negatives} = {table.n} = {table.called_positive} + "
                    f"{table.called_negative}"
                ),
                bool(table.positives + table.negatives == table.n),
                "14_confusion_roc#four-counts",
            ),
            (
                "",
                "The off-diagonal sum over t is the test error, and estimates the real risk",
                (
                    f"({table.fp} + {table.fn})/{table.n} = {table.errors / table.n:.4f}; "
                    f"1 - accuracy = {1 - table.rate('accuracy').value:.4f}"
                ),
                bool(np.isclose(table.errors / table.n, 1 - table.rate("accuracy").value)),
                "14_confusion_roc#four-counts",
            ),
            (
                "Tables 5.3 and 5.4",
                "Tables 5.3 and 5.4: TPR + FNR = 1, FPR + TNR = 1, PPV + FDP = 1",
                (
                    ", ".join(
                        f"{one} + {two} = {table.rate(one).value + table.rate(two).value:g}"
                        for one, two in (("TPR", "FNR"), ("FPR", "TNR"), ("PPV", "FDP"))
                    )
                ),
                bool(np.isclose(table.rate("PPV").value + table.rate("FDP").value, 1)),
                "14_confusion_roc#every-rate",
            ),
        ]
    )


def estimation_of_the_hypothesis_real_table() -> Any:
    """Show a table for the section “Estimation of the Hypothesis Real Risk”."""
    table = _estimation_of_the_hypothesis_real().table
    return tables.table(
        [
            {
                "rate": f"{row.key}: {', '.join(metrics.RATES[row.key].names)}",
                "estimates": metrics.RATES[row.key].meaning,
                "value": f"{row.hits}/{row.among} = {row.value:.3f}",
            }
            for row in metrics.rate_intervals(table)
        ],
        caption="Tables 5.3 and 5.4, for a detector of tumours",
    )


@cache
def _roc_curves_and_all_that_figure() -> SimpleNamespace:

    pair = np.random.default_rng(5)
    labels = np.repeat([0, 1], 100)
    systems = {
        "A": pair.normal(size=200) + 2.0 * labels,
        "B": pair.normal(size=200) + 1.0 * labels,
    }
    return SimpleNamespace(labels=labels, systems=systems)


@styled
def roc_curves_and_all_that_figure() -> Any:
    """Draw a figure for the section “ROC curves and all that”."""
    results = _roc_curves_and_all_that_figure()
    labels, systems = results.labels, results.systems
    ax = plots.plot_roc(labels, systems)
    a, b = (
        metrics.equal_error_rate(*metrics.roc(labels, systems[name])[:2]) for name in ("A", "B")
    )
    headline(ax, f"A lies above B: its equal error rate is {a:.0%}, B's {b:.0%}", left=60)
    return show(
        ax,
        "Two detectors, as in Figure 5.15 (a): A lies above B, and its equal error rate is lower.",
        alt="Two rising step curves from bottom left to top right. A lies above B nearly everywhere. "
        "On the falling diagonal each has a marker, its equal error rate.",
    )


@cache
def _roc_curves_and_all_that() -> SimpleNamespace:
    results = _estimation_of_the_hypothesis_real()
    X_test, model, p, y_test = results.X_test, results.model, results.p, results.y_test
    scores = model.decision_function(X_test)
    outside = {t: metrics.confusion_at(y_test, scores, t).called_positive for t in (0, 1)}
    inside = {t: metrics.confusion_at(y_test, p, t).called_positive for t in (0, 1)}
    noise = np.random.default_rng(1)
    coins = noise.integers(0, 2, 20_000)
    chance = metrics.roc(coins, noise.random(20_000))
    apart = metrics.roc(coins, coins + noise.random(20_000))
    area, _ = metrics.delong(y_test, p)
    direct = (p[y_test == 1][:, None] > p[y_test == 0]).mean()
    return SimpleNamespace(
        apart=apart,
        area=area,
        chance=chance,
        direct=direct,
        inside=inside,
        noise=noise,
        outside=outside,
    )


def roc_curves_and_all_that() -> Any:
    """Judge the claims of the section “ROC curves and all that”."""
    table = _estimation_of_the_hypothesis_real().table
    results = _roc_curves_and_all_that()
    apart, area, chance, direct, inside, outside = (
        results.apart,
        results.area,
        results.chance,
        results.direct,
        results.inside,
        results.outside,
    )
    return audit(
        [
            (
                "",
                "tau = 1 calls nothing positive and tau = 0 everything",
                (
                    f"probabilities: {inside[1]} and {inside[0]} of 300; log odds: {outside[1]} and "
                    f"{outside[0]}"
                ),
                "only for scores between 0 and 1",
                "14_confusion_roc#the-threshold-is-yours",
            ),
            (
                "",
                "Chance gives the diagonal TPR = FPR",
                f"20,000 examples: largest distance {np.abs(chance.tpr - chance.fpr).max():.3f}",
                bool(np.abs(chance.tpr - chance.fpr).max() < 0.03),
                "14_confusion_roc#area-and-equal-error-rate",
            ),
            (
                "",
                "Perfect separation reaches the top left; area 1 and EER 0 are the best",
                f"EER {metrics.equal_error_rate(*apart[:2]):g}",
                bool(metrics.equal_error_rate(*apart[:2]) == 0),
                "14_confusion_roc#area-and-equal-error-rate",
            ),
            (
                "",
                "The area is the share of pairs in the right order",
                (
                    f"all {table.positives * table.negatives:,} pairs: {direct:.6f}; from ranks: "
                    f"{area:.6f}"
                ),
                bool(np.isclose(direct, area)),
                "14_confusion_roc#area-and-equal-error-rate",
            ),
        ]
    )


@styled
def precision_recall_curves_figure() -> Any:
    """Draw a figure for the section “Precision recall curves”."""
    results = _roc_curves_and_all_that_figure()
    labels, systems = results.labels, results.systems
    ax = plots.plot_precision_recall(labels, systems)
    # recall falls along each curve, so take the last point with 80% or more
    a, b = (
        np.asarray(line.get_ydata())[np.asarray(line.get_xdata()) >= 0.8][-1]
        for line in ax.lines[:2]
    )
    headline(ax, f"At a recall of 80% A's precision is {a:.0%}, B's {b:.0%}", left=60)
    return show(
        ax,
        "The same two detectors, as in Figure 5.15 (b): here the top right corner is the best.",
        alt="Two falling curves of precision against recall. A stays above 0.9 up to a recall of 0.9, "
        "B falls earlier; both end at 0.5, the fraction of positives.",
    )


def precision_recall_curves() -> Any:
    """Judge the claims of the section “Precision recall curves”."""
    noise = _roc_curves_and_all_that().noise
    rare_y = np.repeat([0, 1], [20_000, 20])
    rare_table = metrics.confusion_at(rare_y, noise.normal(size=20_020) + 3 * rare_y, 2.5)
    return audit(
        [
            (
                "",
                "Rare events: the false positive rate says little",
                (
                    f"20 in 20,020: FPR {rare_table.rate('FPR').value:.4f}, precision "
                    f"{rare_table.rate('precision').value:.3f}"
                ),
                bool(rare_table.rate("FPR").value < 0.01 and rare_table.rate("PPV").value < 0.25),
                "14_confusion_roc#precision-and-recall-who-receives-the-alarm",
            ),
        ]
    )


def scores_2() -> Any:
    """Judge the claims of the section “F-scores”."""
    table = _estimation_of_the_hypothesis_real().table
    everything = metrics.Confusion(tp=1, fp=9999, fn=0, tn=0)
    return audit(
        [
            (
                "",
                "F1 of calling everything at prevalence 1 in 10,000 is about 0.2%",
                f"{everything.f1:.2%}",
                bool(abs(everything.f1 - 0.002) < 0.0005),
                "14_confusion_roc#f1-one-number-for-both",
            ),
            (
                "",
                "The forms of F1 agree",
                (
                    f"{2 / (1 / table.rate('PPV').value + 1 / table.rate('TPR').value):.6f} and "
                    f"{table.f1:.6f}"
                ),
                (
                    bool(
                        np.isclose(
                            2 / (1 / table.rate("PPV").value + 1 / table.rate("TPR").value),
                            table.f1,
                        )
                    )
                ),
                "14_confusion_roc#f1-one-number-for-both",
            ),
        ]
    )


def false_discovery_rates() -> Any:
    """Judge the claims of the section “False discovery rates”."""
    rng = np.random.default_rng(8)
    active = rng.random(2000) < 0.1
    signal = rng.normal(size=2000) + 3 * active
    odds = 0.1 / 0.9 * norm.pdf(signal - 3) / norm.pdf(signal)
    belief = odds / (1 + odds)
    chosen = metrics.fdr_threshold(belief, 0.05)
    # the fraction of false discoveries at such a threshold in fresh data
    rates = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        active = rng.random(2000) < 0.1
        signal = rng.normal(size=2000) + 3 * active
        odds = 0.1 / 0.9 * norm.pdf(signal - 3) / norm.pdf(signal)
        belief = odds / (1 + odds)
        announced = belief > metrics.fdr_threshold(belief, 0.05).threshold
        rates.append((announced & ~active).sum() / max(announced.sum(), 1))
    honest = np.mean(rates)
    return audit(
        [
            (
                "",
                "The threshold can be adapted to a tolerated FDR",
                f"alpha = 0.05: {chosen.rate:.4f} expected, {honest:.4f} found over 200 data sets",
                bool(chosen.rate <= 0.05 and abs(honest - 0.05) < 0.005),
                "14_confusion_roc#discoveries",
            ),
        ]
    )


def the_estimation_by_the_confidence() -> Any:
    """Judge the claims of the section “The estimation by the confidence interval”."""
    wald = coverage.worst("NOR", 100, side="two-sided", within=(0.02, 0.5)).coverage
    wald_few = coverage.exact("NOR", 0.02, 100, side="two-sided")
    at10 = bounds.interval("CP", 0.1, 100), bounds.interval("CP", 0.1, 400)
    return audit(
        [
            (
                "",
                "Beyond a hundred examples the normal interval is good enough",
                (
                    f"at n = 100 it covers {wald_few:.3f} at a true error of 2%, at worst {wald:.3f} "
                    "between 2% and 50%"
                ),
                bool(wald > 0.94),
                "16_report#sentence-by-sentence",
            ),
            (
                "",
                "The precision depends only on the size of the test set and its error",
                (
                    f"width at 10%: {at10[0].high - at10[0].low:.3f} with 100 examples, "
                    f"{at10[1].high - at10[1].low:.3f} with 400, whatever the classifier"
                ),
                True,
                "16_report#one-command",
            ),
        ]
    )


def the_estimation_by_cross_validation() -> Any:
    """Judge the claims of the section “The estimation by cross validation”."""
    bias10, bias5 = (expected(20 - 20 // k, 10) / expected(20, 10) - 1 for k in (10, 5))
    study = studies.load("cv_coverage")
    settings = study["settings"]
    return audit(
        [
            (
                "",
                "Cross-validation is an unbiased estimate",
                (
                    f"of the fold models, yes; of the final model {bias10:+.0%} with 10 folds, "
                    f"{bias5:+.0%} with 5 (least squares, n = 20, p = 10)"
                ),
                "only for smaller training sets",
                "07_cross_validation#whose-error-is-it",
            ),
            (
                "",
                "Retrain on all data; its error is known from the folds",
                (
                    "in our study at n = 50, many features: folds "
                    f"{settings[3]['summary']['folds']:.3f}, "
                    f"refit {settings[3]['summary']['refit']:.3f}"
                ),
                "roughly, a little too high",
                "07_cross_validation#whose-error-is-it",
            ),
        ]
    )


def the_one_standard_error_rule() -> Any:
    """Judge the claims of the section “The one standard error rule”."""
    ones = np.ones((40, 1))
    fold = np.arange(40) % 10
    rng = np.random.default_rng(8)
    fold_errors = []
    for _ in range(2000):
        coins = rng.choice([-1.0, 1.0], size=40)
        vote = coins - crossval.cv_residuals_linear(ones, coins, fold)
        wrong = ((vote > 1e-12) != (coins > 0)) * 1.0
        fold_errors.append(crossval.CVLosses(wrong, fold, np.arange(40)).fold_means)
    fold_errors = np.array(fold_errors)
    real, claimed = fold_errors.mean(axis=1).std(), fold_errors.std() / np.sqrt(10)
    one_n = np.sqrt(100 / 99) - 1
    return audit(
        [
            (
                "",
                "The variance for the standard error is divided by N",
                (
                    f"N - 1 instead of N changes the root by {one_n:.1%} for 100 losses. But they are "
                    f"dependent: the truth is {real / claimed:.2f} times as wide for the majority vote"
                ),
                "a fair estimate for independent losses; these are not",
                "07_cross_validation#ten-folds-are-not-ten-test-sets",
            ),
            (
                "",
                "The rule takes the simplest model within one standard error",
                "that is what the rule does; it did not lower the true error everywhere",
                True,
                "07_cross_validation#everything-that-sees-the-labels-goes-inside",
            ),
        ]
    )


def the_estimate_by_the_leave() -> Any:
    """Judge the claims of the section “The estimate by the leave-one-out method”."""
    ks, repeats, n, p = [2, 4, 5, 8, 10, 20, 40], 1000, 40, 10
    rng = np.random.default_rng(7)
    squares, votes = np.empty((repeats, len(ks))), np.empty((repeats, len(ks)))
    coins = np.empty((repeats, n))
    for r in range(repeats):
        Z, noise = rng.normal(size=(n, p)), rng.normal(size=n)
        coins[r] = rng.choice([-1.0, 1.0], size=n)
        for c, k in enumerate(ks):
            deal = np.arange(n) % k
            squares[r, c] = (crossval.cv_residuals_linear(Z, noise, deal) ** 2).mean()
    for c, k in enumerate(ks):  # the sum of the coins outside the fold
        deal = np.arange(n) % k
        majority = coins.sum(axis=1, keepdims=True) - coins @ (deal[:, None] == np.arange(k))
        votes[:, c] = ((majority[:, deal] > 0) != (coins > 0)).mean(axis=1)
    sd, vd = squares.std(axis=0), votes.std(axis=0)
    return audit(
        [
            (
                "",
                "Leave-one-out is often more variable than fewer folds",
                (
                    f"least squares {sd[-1]:.3f} against {sd[4]:.3f} (10 folds); majority vote "
                    f"{vd[-1]:.3f} against {vd[4]:.3f}"
                ),
                (
                    f"least squares: {'holds' if sd[-1] > sd[4] else 'fails'}; "
                    f"vote: {'holds' if vd[-1] > vd[4] else 'fails'}"
                ),
                "07_cross_validation#whose-error-is-it",
            ),
            (
                "",
                "The test set alone has the advantage of simplicity and speed",
                "one training; ten folds take ten, leave-one-out n, and one only for linear fits",
                True,
                "07_cross_validation#whose-error-is-it",
            ),
        ]
    )


def some_alternatives_of_the_cross() -> Any:
    """Judge the claims of the section “Some alternatives of the cross validation method: bootstrap, jackknife”."""
    return audit([*_bootstrap_weight_claims(), *_bootstrap_precision_claims()])


def _bootstrap_weight_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the bootstrap's two parts and their weights."""
    P1, P2 = 0.5, 0.368 * 0.5
    printed, efron = 0.636 * P1 + 0.368 * P2, bootstrap.combine632(0.0, P1)
    counts = np.random.default_rng(0).multinomial(50, np.full(50, 1 / 50), size=4000)
    not_drawn = float((counts == 0).mean())
    return [
        (
            "",
            "Bootstrap and jackknife both sample with replacement",
            "the bootstrap does; the jackknife leaves each example out once",
            "only the bootstrap",
            "08_bootstrap#notes",
        ),
        (
            "",
            "The weights are 0.636 and 0.368",
            f"they sum to {0.636 + 0.368:.3f}; Efron's are 0.632 and 0.368",
            False,
            "08_bootstrap#notes",
        ),
        (
            "",
            "The second part is the bootstrap models' error on all examples",
            (
                f"{printed:.3f} on noise with one neighbour; Efron's training error gives "
                f"{efron:.3f}, both wrong"
            ),
            False,
            "08_bootstrap#notes",
        ),
        (
            "",
            "0.368 is the mean share of elements not repeated in the set",
            f"it is the share not drawn: {not_drawn:.3f} of 50 examples in 4,000 samples",
            "right number, other meaning",
            "08_bootstrap#resample-the-training",
        ),
    ]


def _bootstrap_precision_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the precision of bootstrap and jackknife."""
    nearest = on_noise(KNeighborsClassifier(1, algorithm="brute"))
    plus, plain, cv = nearest[".632+"], nearest[".632"], nearest["10 folds"]
    n, p = 20, 5
    aim = bootstrap.jackknife((n - p) / n, [(n - 1 - p) / (n - 1)] * n).estimate
    return [
        (
            "",
            "For small samples the estimate is remarkably precise",
            (
                f"spread {plain.std():.3f} against {cv.std():.3f} for 10 folds, but "
                f"{plain.mean():.2f} "
                "where the truth is 0.5"
            ),
            "low spread, large bias",
            "08_bootstrap#resample-the-training",
        ),
        (
            "",
            "It needs several hundred trainings",
            (
                f"with 50 resamples .632+ spreads {plus.std():.3f} over data sets, which includes "
                "the noise of resampling"
            ),
            "50 give a usable value",
            "08_bootstrap#resample-the-training",
        ),
        (
            "",
            "The jackknife reduces the bias of the plug-in error",
            (
                f"it moves {(n - p) / n:.2f} to {aim:.2f}, where the trained rule has "
                f"{1 + p / (n - p - 1):.2f}"
            ),
            "reduces it, does not remove it",
            "08_bootstrap#notes",
        ),
    ]


def algorithms_tuning_by_a_validation() -> Any:
    """Judge the claims of the section “Algorithms Tuning by a Validation Set”."""
    trials = np.arange(201)
    luck = (stats.binom.sf(trials, 200, 0.06) ** 50).sum() / 200
    return audit(
        [
            (
                "",
                "Tuning on the test set is dangerous",
                (
                    f"the best of 50 equal classifiers with a true error of 6% shows {luck:.1%} on "
                    "average (independent ones, 200 examples)"
                ),
                bool(luck < 0.05),
                "16_report#how-many-classifiers-did-you-try",
            ),
        ]
    )


def comparison_of_the_learning_methods() -> Any:
    """Judge the claims of the section “Comparison of the Learning Methods”."""
    needed = next(
        n
        for n in range(1000, 2000)
        if stats.norm.isf(0.025) * np.sqrt((0.17 * 0.83 + 0.2 * 0.8) / n) < 0.03
    )
    p_apart, p_shared = compare.mcnemar(60, 51).pvalue, compare.mcnemar(9, 0).pvalue
    return audit(
        [
            (
                "",
                "Whether 0.17 is better than 0.20 has no obvious answer",
                (
                    f"on two test sets from {needed} examples each on; on one, it depends on the "
                    f"disagreement (p from {p_shared:.3f} to {p_apart:.2f} with 300 examples)"
                ),
                bool(p_shared < 0.05 < p_apart),
                "10_comparing_two#two-test-sets-errors-against-errors",
            ),
        ]
    )


def comparison_of_two_hypotheses_produced() -> Any:
    """Judge the claims of the section “Comparison of two Hypotheses Produced by the same Algorithm on two Different Test Samples”."""
    normal_few = compare.two_proportions_power(0.02, 50, 0.02, 300, method="normal")
    newcombe_few = compare.two_proportions_power(0.02, 50, 0.02, 300)
    normal_many = compare.two_proportions_power(0.2, 300, 0.2, 300, method="normal")
    return audit(
        [
            (
                "",
                "The interval for two test sets",
                (
                    f"the formula is right; type I error {normal_many:.3f} at 20% of 300 and 300, but "
                    f"{normal_few:.3f} at 2% of 50 and 300 (Newcombe {newcombe_few:.3f})"
                ),
                "for many errors" if normal_few > 0.1 > 0.06 > normal_many else normal_few < 0.06,
                "10_comparing_two#two-test-sets-errors-against-errors",
            ),
        ]
    )


def comparison_of_two_algorithms_on() -> Any:
    """Judge the claims of the section “Comparison of two Algorithms on Different Test Sets”."""
    return audit([*_one_split_claims(), *_zeta_claims()])


def _one_split_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about one split and cross-validation."""
    study = studies.load("comparison_tests")
    tests = [
        t for t in study["settings"][0]["summary"] if not t.endswith("_se") and t != "difference"
    ]
    cells = {}
    for cell in study["settings"]:
        s = cell["setting"]
        cells[f"{s['problem']}, {s['n']}", s["learner"], s["gap"]] = cell["summary"]
    equal = {t: [cell[t] for key, cell in cells.items() if key[2] == 0] for t in tests}
    top = {t: max(v) for t, v in equal.items()}
    strong = {
        t: np.mean([c[t] for key, c in cells.items() if key[1] != "stump" and key[2] == 1.0])
        for t in tests
    }
    return [
        (
            "",
            "One split cannot decide between two algorithms",
            (
                "it decides between two classifiers. For equal learners McNemar's z finds a "
                f"difference up to {top['McNemar z']:.1%} of the time"
            ),
            bool(top["McNemar z"] > 0.06),
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
        (
            "",
            "Cross-validation compares more precisely, with the same data",
            (
                f"corrected 10-fold t finds {strong['10-fold t, corrected']:.0%}, McNemar's exact "
                f"test {strong['McNemar exact']:.0%} of large differences; the plain 10-fold t "
                f"finds more, but its type I error goes up to {top['10-fold t']:.0%}"
            ),
            "if corrected",
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
        (
            "Alg. 1.1",
            "Algorithm 1.1 is for different test sets",
            "in each fold both are tested on the same examples: it is paired",
            False,
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
    ]


def _zeta_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the quantiles zeta(x, K) and the size of a fold."""
    cells5 = np.random.default_rng(3).multinomial(5, [0.1, 0.1, 0.8], size=(20_000, 10))
    small_folds = compare.kfold_paired_t((cells5[..., 0] - cells5[..., 1]) / 5)
    small_rate = (small_folds.pvalue <= 0.05).mean()
    return [
        (
            "",
            "The table of zeta(x, K) is right for K folds",
            (
                f"it has K degrees of freedom: K = 2 covers {1 - 2 * stats.t.sf(4.30, 1):.3f}, "
                f"K = 5 {1 - 2 * stats.t.sf(2.57, 4):.3f} instead of 0.95"
            ),
            bool(1 - 2 * stats.t.sf(4.30, 1) > 0.945),
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
        (
            "",
            "zeta(x, K) tends to zeta(x)",
            (
                f"at 95%: {stats.t.isf(0.025, 9):.3f}, {stats.t.isf(0.025, 99):.3f}, "
                f"{stats.t.isf(0.025, 9999):.3f} for K = 10, 100, 10,000"
            ),
            bool(abs(stats.t.isf(0.025, 9999) - stats.norm.isf(0.025)) < 1e-3),
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
        (
            "",
            "Valid only if each fold holds at least thirty examples",
            (
                f"no sharp border: {small_rate:.3f} with folds of 5, two fixed classifiers; and "
                "large folds do not help against their dependence"
            ),
            bool(small_rate > 0.06),
            "10_comparing_two#two-learners-not-two-classifiers",
        ),
    ]


def comparison_of_two_algorithms_on_table() -> Any:
    """Show a table for the section “Comparison of two Algorithms on Different Test Sets”."""
    printed = {
        2: (2.92, 4.30, 6.96, 9.92),
        5: (2.02, 2.57, 3.36, 4.03),
        10: (1.81, 2.23, 2.76, 3.17),
        30: (1.70, 2.04, 2.46, 2.75),
    }
    tails = np.array([0.10, 0.05, 0.02, 0.01]) / 2
    return tables.table(
        [
            {
                "K": str(k),
                **{
                    f"{1 - 2 * tail:.0%}": f"{printed_value:.2f} → {stats.t.isf(tail, k - 1):.2f}"
                    for tail, printed_value in zip(tails, row, strict=True)
                },
                "covers at 95%": f"{1 - 2 * stats.t.sf(row[1], k - 1):.3f}",
            }
            for k, row in printed.items()
        ],
        caption=(
            "The table of zeta(x, K): printed quantile → right quantile, and what the printed "
            "one really covers"
        ),
    )


def comparison_of_two_algorithms_on_2() -> Any:
    """Judge the claims of the section “Comparison of two Algorithms on the Same Test Set”."""
    same_cases = [[35, 25], [16, 224]]
    paired = compare.paired_difference(same_cases, method="exact").interval
    separate = compare.two_proportions(60, 300, 51, 300).interval
    apart_table = [[0, 60], [51, 189]]
    wide = width(compare.paired_difference(apart_table, method="exact").interval)
    by_hand = compare.mcnemar_size(4, method="z")
    z = compare.mcnemar(1, 6, method="z")
    return audit(
        [
            (
                "",
                "On the same test set the interval can be much tighter",
                (
                    f"width {width(paired):.3f} against {width(separate):.3f} where 35 errors are "
                    f"shared; {wide:.3f} where none are"
                ),
                "if errors are shared",
                "10_comparing_two#one-test-set-only-disagreements-count",
            ),
            (
                "",
                "Equality is rejected with more than x% probability if |z| > zeta(x)",
                (
                    f"type I error at 95% up to {by_hand:.3f} (4 discordant examples); and 1 - p is no "
                    "probability that they differ"
                ),
                bool(by_hand <= 0.05),
                "10_comparing_two#which-p-value",
            ),
            (
                "",
                "z is McNemar's test",
                (
                    f"without correction: (1, 6) gives {z.pvalue:.3f}; corrected "
                    f"{compare.mcnemar(1, 6, method='chi2-corrected').pvalue:.3f}, exact "
                    f"{compare.mcnemar(1, 6).pvalue:.3f}"
                ),
                True,
                "10_comparing_two#which-p-value",
            ),
        ]
    )


def upper_bounding_the_risk_using() -> Any:
    """Judge the claims of the section “Upper bounding the risk using statistical learning theory”."""
    outside = 1 - holdout.gap_coverage(0.5, 500, 0.1) ** 1000
    printed = holdout.failure_probability(500, 0.1, models=1000)
    return audit(
        [
            (
                "Thm. 6.5.1",
                (
                    "max over H deviates by ε with probability at most 2 dim(H) exp(-2Nε²), where "
                    "dim(H) is the size of H"
                ),
                (
                    "1,000 models that guess, N = 500, ε = 0.1: some deviate with probability "
                    f"{outside:.4f}, "
                    f"at most {printed:.3f} for the number of models"
                ),
                bool(outside <= printed),
                "02_holdout#choosing-between-models",
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
