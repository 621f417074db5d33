"""Anguita, Ghelardoni, Ghio and Ridella: the survey: the audit's verdicts, pictures and numbers."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from IPython.display import display
from scipy.stats import binom, norm

from errlab import bounds, coverage, losses
from errlab_book import explore, outward, plots, say, show, tables
from errlab_book.figures import figure_of
from errlab_book.normal_losses import simulate_normal

audit = tables.Audit()

FIGURES = {
    "Fig. 1": (plots.plot_upper_against_n, {"mean": 0.25}),
    "Fig. 2": (plots.plot_upper_against_n, {"mean": 0.0}),
    "Fig. 3": (plots.plot_upper_against_mean, {"n": 10}),
    "Fig. 4": (plots.plot_upper_against_mean, {"n": 200}),
}

TEETH = {
    "Fig. 5": (plots.plot_coverage_against_error, {"n": 10}),
    "Fig. 6": (plots.plot_coverage_against_error, {"n": 200}),
    "Fig. 7": (plots.plot_coverage_against_n, {"error": 0.01}),
    "Fig. 8": (plots.plot_coverage_against_n, {"error": 0.25}),
}


def drawn(figures, keys, figure):
    """Draw one of the survey's figures."""
    draw, at = figures[figure]
    ax = draw(keys, **at)
    ax.set_title(
        f"{figure}: {', '.join(f'{name} = {value:g}' for name, value in at.items())}",
        loc="left",
        weight="bold",
    )
    return ax


def lowest_covered(figure, bound):
    """Return the lowest coverage on one of the figures."""
    at = TEETH[figure][1]
    if "n" in at:
        return coverage.worst(bound, at["n"], within=(0.001, 0.5)).coverage
    return coverage.exact(bound, at["error"], np.arange(10, 201)).min()


def coverage_of_one(figure, bound):
    """Draw one bound on one of Figs. 5 to 8."""
    return drawn(TEETH, [bound], figure)


def _introduction_words() -> list[str]:
    coins = np.random.default_rng(0).choice([-1, 1], size=(4000, 200))
    left = np.pad(coins.cumsum(axis=1), ((0, 0), (1, 0)))  # sums to the left of each threshold
    complexity = np.abs(2 * left - left[:, -1:]).max(axis=1).mean() / 200
    luck = 3 * np.sqrt(np.log(2 / 0.05) / 400)
    return [
        f"One threshold agrees with pure chance by {complexity:.2f}, so after a training error of 10% the formula gives **{0.1 + complexity + luck:.0%}**, whereas a *test* error of 10% on the same number of examples gives {outward(bounds.upper('CP', 0.1, 200))}.",
    ]


@cache
def _the_generalization_error_of_a() -> SimpleNamespace:

    margins = np.linspace(-3, 3, 601)
    ones = np.ones(len(margins))
    apart = {
        a: np.abs(
            losses.logistic_loss(ones, margins, steepness=a)
            - losses.linear_soft_loss(ones, margins)
        ).max()
        for a in (0.5, 1, 2, 5)
    }
    # probabilities of a test error below and above the true error
    under, over = binom.cdf(49, 200, 0.25), binom.sf(50, 200, 0.25)
    under_rare, over_rare = binom.cdf(0, 20, 0.005), binom.sf(0, 20, 0.005)
    errors = np.linspace(0, 0.5, 5001)[1:]
    exact_cp = coverage.exact("CP", errors, 10)
    return SimpleNamespace(
        apart=apart,
        errors=errors,
        exact_cp=exact_cp,
        over=over,
        over_rare=over_rare,
        under=under,
        under_rare=under_rare,
    )


def the_generalization_error_of_a() -> Any:
    """Judge the claims of the section “The Generalization Error of a Classifier”."""
    results = _the_generalization_error_of_a()
    apart, exact_cp, over, over_rare, under, under_rare = (
        results.apart,
        results.exact_cp,
        results.over,
        results.over_rare,
        results.under,
        results.under_rare,
    )
    return audit(
        [
            (
                "Eqs. 4 and 5",
                "The linear soft loss approximates the logistic loss",
                (
                    f"largest difference {apart[2]:.3f} at α = 2, {apart[0.5]:.3f} at α = 0.5, "
                    f"{apart[5]:.3f} at α = 5"
                ),
                "holds near α = 2",
                "01_test_error",
            ),
            (
                "",
                "The test error usually underestimates the true error",
                (
                    f"n = 200, L = 25%: below with probability {under:.3f}, above with {over:.3f}; "
                    f"n = 20, L = 0.5%: {under_rare:.3f} and {over_rare:.3f}. On average it is right"
                ),
                "more often below than above; not on average",
                "03_binary_bounds#another-200-patients",
            ),
            (
                "Eq. 8",
                "The coverage equals 1 - delta",
                f"CP at n = 10: from {exact_cp.min():.3f} to {exact_cp.max():.3f}",
                "as the level asked for; what is kept is at least that",
                "04_coverage#add-up-instead",
            ),
        ]
    )


@cache
def _normal_approximation() -> SimpleNamespace:

    three = ["NOR", "WIL", "CP"]
    worst = {key: coverage.worst(key, 200).coverage for key in three}
    sizes = np.arange(10, 201)
    nor = coverage.exact("NOR", 0.01, sizes)
    return SimpleNamespace(nor=nor, sizes=sizes, three=three, worst=worst)


def normal_approximation() -> Any:
    """Judge the claims of the section “Normal Approximation”."""
    results = _normal_approximation()
    nor, worst = results.nor, results.worst
    return audit(
        [
            (
                "",
                "NOR and WIL are not rigorous",
                f"worst coverage at n = 200: NOR {worst['NOR']:.3f}, WIL {worst['WIL']:.3f}",
                True,
                "03_binary_bounds#the-formula-that-everybody-uses",
            ),
            (
                "",
                "The coverage of NOR can fall well below 1 - delta",
                f"{nor[0]:.3f} at L = 1%, n = 10",
                bool(nor[0] < 0.9),
                "04_coverage#would-more-patients-help",
            ),
        ]
    )


def wilson_score_approach() -> Any:
    """Judge the claims of the section “Wilson Score Approach”."""
    z2 = 1.6448536269514722**2
    A = z2 / 10
    B_printed = np.sqrt(z2 / 100 + 4 * 0.25 * 0.75 / 10)
    wilson_printed = 0.25 + ((1 - 0.5) * A + B_printed) / (2 * (1 + A))
    return audit(
        [
            (
                "Eqs. 20 to 22",
                "WIL by Eqs. 20 to 22 equals Eq. 19",
                (
                    f"n = 10, 25%: {wilson_printed:.4f} as printed, {bounds.wilson(0.25, 10):.4f} by "
                    "Eq. 19; B lacks a factor z"
                ),
                False,
                "03_binary_bounds#the-formula-that-everybody-uses",
            ),
        ]
    )


def clopper_pearson_bound() -> Any:
    """Judge the claims of the section “Clopper-Pearson Bound”."""
    worst = _normal_approximation().worst
    return audit(
        [
            (
                "",
                "CP holds with probability 1 - delta",
                f"worst coverage at n = 200: {worst['CP']:.4f}; at least 0.95, usually more",
                True,
                "03_binary_bounds#which-true-errors-fit-three-errors",
            ),
        ]
    )


def scenario_2_bounded_real_valued() -> Any:
    """Judge the claims of the section “Scenario 2 - Bounded Real-Valued Loss Function”."""
    k = np.arange(51)
    exact_only = all(
        (bounds.upper(key, k / 50, 50) >= bounds.upper("CP", k / 50, 50) - 1e-12).all()
        for key in bounds.applicable("binary")
    )
    return audit(
        [
            (
                "",
                "CP is superior to the bounds for soft losses on 0/1 losses",
                (
                    "after every count at n = 50 no rigorous bound is below CP"
                    if exact_only
                    else "a rigorous bound is below CP"
                ),
                exact_only,
                "05_bounded_bounds#answer-three-questions",
            ),
        ]
    )


def guttman_bound() -> Any:
    """Judge the claims of the section “Guttman Bound”."""
    guttman_worse = bounds.upper("GUT", 0.25, 10, delta=0.3) - bounds.upper(
        "CHE", 0.25, 10, delta=0.3
    )
    return audit(
        [
            (
                "",
                "GUT is in general tighter than Chebyshev",
                (
                    f"everywhere at delta = 5%; at delta = 0.3 it is {guttman_worse:.3f} higher (25%, "
                    "n = 10)"
                ),
                "holds for delta up to about 0.27",
                "05_bounded_bounds#what-knowing-more-is-worth",
            ),
        ]
    )


def bernstein_bound() -> Any:
    """Judge the claims of the section “Bernstein Bound”."""
    by_hand = np.array([bounds.upper("BER", 0.25, n) for n in (10, 200)])
    t = np.log(20) / np.array([10, 200])
    left = by_hand - (0.25 + np.sqrt(2 * t * by_hand * (1 - by_hand)) + t / 3)
    return audit(
        [
            (
                "Eq. 40",
                "Bernstein with L(1 - L) needs a numerical procedure",
                (
                    f"the closed form solves Eq. 40 to within {max(abs(left)):.0e}"
                    if max(abs(left)) > 1e-12
                    else "the closed form solves Eq. 40 to within rounding"
                ),
                bool(max(abs(left)) > 1e-12),
                "05_bounded_bounds#what-knowing-more-is-worth",
            ),
        ]
    )


def experimental_results_table() -> Any:
    """Show a table for the section “Experimental Results”."""
    three = _normal_approximation().three
    listed = [*three, *("CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE"), "BEN"]
    display(
        tables.table(
            [
                {
                    "bound": f"{bounds.BOUNDS[key].name} ({key})",
                    "equations": bounds.BOUNDS[key].equations,
                    "proven for": "0/1" if key == "CP" else "no loss" if key in three else "[0, 1]",
                }
                for key in listed
            ],
            caption="Table 1 and Bentkus",
        )
    )
    return tables.table(
        [
            {
                "bound": key,
                "25%, n = 10": bounds.upper(key, 0.25, 10),
                "25%, n = 200": bounds.upper(key, 0.25, 200),
                "0%, n = 200": bounds.upper(key, 0.0, 200),
            }
            for key in listed
        ],
        caption="What each bound gives at δ = 5% after three test results",
        formats={"25%, n = 10": ".3f", "25%, n = 200": ".3f", "0%, n = 200": ".4f"},
    )


def scenario_1_results_figure() -> Any:
    """Draw a figure for the section “Scenario 1 - Results”."""
    three = _normal_approximation().three

    def three_bounds(figure):
        """Draw one of Figs. 1 to 4."""
        return drawn(FIGURES, three, figure)

    return explore(
        three_bounds,
        figure=list(FIGURES),
        labels={"figure": "of the survey"},
        caption="The more a bound guarantees, the higher it is, and the less so the more examples "
        "there are. "
        "Upper bounds for counts, δ = 5%.",
        alt=lambda figure: {
            "Fig. 1": "Clopper-Pearson is highest, the normal approximation lowest; from about n = "
            "100 on "
            "they can hardly be told apart",
            "Fig. 2": "Clopper-Pearson falls from 0.26 to 0.015, Wilson lies just below it, and the "
            "normal approximation is a flat line at zero",
            "Fig. 3": "Clopper-Pearson is highest throughout; the normal approximation starts at "
            "zero and "
            "crosses Wilson near 0.37",
            "Fig. 4": "three rising curves that nearly coincide; only below 0.03 the normal "
            "approximation "
            "falls away towards zero",
        }[figure],
    )


def scenario_1_results_figure_2() -> Any:
    """Draw a figure for the section “Scenario 1 - Results”."""
    three = _normal_approximation().three
    return explore(
        coverage_of_one,
        figure=list(TEETH),
        bound=three,
        labels={"figure": "of the survey", "bound": "bound"},
        caption="Only CP stays above 95%; WIL swings around it, and NOR is below it nearly "
        "everywhere. Exact "
        "coverage for counts, δ = 5%.",
        alt=lambda figure, bound: f"lowest coverage {lowest_covered(figure, bound):.3f}",
    )


@cache
def _scenario_1_results() -> SimpleNamespace:
    errors = _the_generalization_error_of_a().errors
    results = _normal_approximation()
    sizes, three = results.sizes, results.three
    n_all = np.arange(10, 201)
    half = np.linspace(0, 0.5, 501)
    grid_n, grid_m = np.meshgrid(n_all, half)
    NOR, WIL, CP = (bounds.upper(key, grid_m, grid_n) for key in three)
    wide = [bounds.upper(key, 0.25, 10**6) - 0.25 for key in three]
    means = np.linspace(0, 0.5, 5001)
    nor, wil, _ = (bounds.upper(key, means, 10) for key in three)
    crossing10 = means[np.flatnonzero(nor > wil)[0]]
    nor, wil, _ = (bounds.upper(key, means, 200) for key in three)
    crossing200 = means[np.flatnonzero(nor > wil)[0]]
    whole = {key: coverage.worst(key, 200).coverage for key in ("NOR", "WIL", "CP", "JEF")}
    low = {
        key: [coverage.worst(key, n, within=(0, 0.5)).coverage for n in (10, 200)] for key in whole
    }
    share = {
        (key, n): np.mean(coverage.exact(key, errors, n) < 0.95)
        for key in ("NOR", "WIL", "CP")
        for n in (10, 200)
    }
    wilson_small = coverage.exact("WIL", 0.01, sizes).min()
    zero = [coverage.exact(key, 0.0, sizes).min() for key in ("NOR", "WIL", "CP")]
    return SimpleNamespace(
        CP=CP,
        NOR=NOR,
        WIL=WIL,
        crossing10=crossing10,
        crossing200=crossing200,
        low=low,
        n_all=n_all,
        share=share,
        wide=wide,
        wilson_small=wilson_small,
        zero=zero,
    )


def scenario_1_results() -> Any:
    """Judge the claims of the section “Scenario 1 - Results”."""
    return audit(
        [*_scenario_1_value_claims(), *_scenario_1_size_claims(), *_scenario_1_coverage_claims()]
    )


def _scenario_1_value_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the values of three bounds, Figs. 1 to 4."""
    results = _scenario_1_results()
    CP, NOR, WIL = results.CP, results.NOR, results.WIL
    crossing10, crossing200 = results.crossing10, results.crossing200
    n_all = results.n_all
    return [
        (
            "",
            "WIL and CP give similar values",
            (
                f"at a test error of 25%: {abs(WIL - CP)[250, 0]:.3f} apart at n = 10, "
                f"{abs(WIL - CP)[250, -1]:.4f} at n = 200"
            ),
            True,
            "03_binary_bounds#the-formula-that-everybody-uses",
        ),
        (
            "Figs. 1 and 2",
            "NOR always outperforms WIL and CP (of test errors of 25% and 0%)",
            (
                f"lowest there for every n; above WIL for test errors over {crossing10:.3f} (n = "
                "10) "
                f"and over {crossing200:.3f} (n = 200)"
            ),
            bool((np.minimum(WIL, CP) > NOR)[[0, 250]].all()),
            "03_binary_bounds#the-formula-that-everybody-uses",
        ),
        (
            "",
            "NOR is useless for small test errors: 0 for every n",
            f"largest NOR at no error, n = 10 to 200: {bounds.normal(0, n_all).max():g}",
            True,
            "03_binary_bounds#the-formula-that-everybody-uses",
        ),
    ]


def _scenario_1_size_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the values of three bounds for small and large n."""
    results = _scenario_1_results()
    CP, NOR, WIL, wide = results.CP, results.NOR, results.WIL, results.wide
    return [
        (
            "",
            "For small n, CP is sometimes looser than NOR and WIL",
            (
                f"at n = 10, on {np.mean(CP[:, 0] > np.maximum(NOR, WIL)[:, 0]):.0%} of the "
                "test errors up to 0.5"
            ),
            True,
            "03_binary_bounds#the-formula-that-everybody-uses",
        ),
        (
            "",
            "As n grows the three predict similar values",
            (
                f"largest spread {np.ptp([NOR, WIL, CP], axis=0)[:, 0].max():.3f} at n = 10, "
                f"{np.ptp([NOR, WIL, CP], axis=0)[:, -1].max():.3f} at n = 200; at 25% and a "
                "million "
                f"examples the widths differ by a factor of {max(wide) / min(wide):.4f}"
            ),
            True,
            "03_binary_bounds#the-formula-that-everybody-uses",
        ),
    ]


def _scenario_1_coverage_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the coverage of three bounds, Figs. 5 to 8."""
    results = _scenario_1_results()
    low, share = results.low, results.share
    wilson_small, zero = results.wilson_small, results.zero
    return [
        (
            "Figs. 5 and 6",
            "CP is the only guaranteed one of the three",
            (
                f"lowest at n = 10 and 200: CP {low['CP'][0]:.3f}, {low['CP'][1]:.3f}; WIL "
                f"{low['WIL'][0]:.3f}, {low['WIL'][1]:.3f}; NOR {low['NOR'][0]:.0f}"
            ),
            bool(min(low["CP"]) > 0.95 - 1e-9 and max(low["WIL"] + low["NOR"]) < 0.95),
            "04_coverage#would-more-patients-help",
        ),
        (
            "",
            "WIL and NOR fall below the level even when n is increased",
            f"at n = 200 on {share['WIL', 200]:.0%} and {share['NOR', 200]:.0%} of the errors",
            bool(min(share["WIL", 200], share["NOR", 200]) > 0),
            "04_coverage#would-more-patients-help",
        ),
        (
            "Fig. 7",
            "WIL is an alternative when the true error is small",
            (
                f"at L = 1% it covers {wilson_small:.0%} for n from 10 to 200; but at n = 200 "
                f"it is worst next to L = {coverage.worst('WIL', 200, within=(0, 0.5)).error:.2%}"
            ),
            "at 1%; not for every small error",
            "04_coverage#would-more-patients-help",
        ),
        (
            "Fn. 4",
            "At L = 0 all three cover with 100%",
            f"lowest for n from 10 to 200: {min(zero):.0%}",
            bool(min(zero) == 1),
            "04_coverage#would-more-patients-help",
        ),
    ]


@cache
def _scenario_2_results_figure() -> SimpleNamespace:

    seven = ["CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE"]
    SEVEN = dict(zip(["Fig. 9", "Fig. 10", "Fig. 11", "Fig. 12"], FIGURES.values(), strict=True))

    def seven_bounds(figure):
        """Draw one of Figs. 9 to 12."""
        ax = drawn(SEVEN, seven, figure)
        figure_of(ax).set_size_inches(4.8, 4.2)  # two rows of names below the axes
        return ax

    return SimpleNamespace(SEVEN=SEVEN, seven=seven, seven_bounds=seven_bounds)


def scenario_2_results_figure() -> Any:
    """Draw a figure for the section “Scenario 2 - Results”."""
    results = _scenario_2_results_figure()
    SEVEN, seven_bounds = results.SEVEN, results.seven_bounds
    return explore(
        seven_bounds,
        figure=list(SEVEN),
        labels={"figure": "of the survey"},
        caption="T_HOE is lowest throughout. Seven bounds for losses in [0, 1], δ = 5%, variance at "
        "its largest.",
        alt=lambda figure: {
            "Fig. 9": "tight Hoeffding is lowest, then Hoeffding, Bernstein and Guttman close "
            "together; "
            "Chernoff, Maurer-Pontil and Chebyshev lie well above",
            "Fig. 10": "tight Hoeffding is lowest, Chernoff, Guttman and Bernstein follow; Hoeffding "
            "stays high, and Chebyshev is highest at 200 examples",
            "Fig. 11": "tight Hoeffding is lowest, Hoeffding and Guttman just above; Maurer-Pontil "
            "is 1 "
            "almost everywhere",
            "Fig. 12": "tight Hoeffding is lowest, Hoeffding is a straight line that comes close to it "
            "near 0.5; Chebyshev lies far above all others",
        }[figure],
    )


@cache
def _scenario_2_results_figure_2() -> SimpleNamespace:
    seven = _scenario_2_results_figure().seven
    grid, sizes = np.linspace(0.01, 0.5, 50), np.arange(10, 201, 5)
    NORMAL, COIN = "normal draws (the survey)", "0 or 1 (exact)"
    COVERAGE = {
        "Fig. 13": ({"n": 10}, {"error": grid}, plots.plot_coverage_against_error),
        "Fig. 14": ({"n": 200}, {"error": grid}, plots.plot_coverage_against_error),
        "Fig. 15": ({"error": 0.01}, {"n": sizes}, plots.plot_coverage_against_n),
        "Fig. 16": ({"error": 0.25}, {"n": sizes}, plots.plot_coverage_against_n),
    }

    def coverage_of_seven(figure, losses):
        """Draw the coverage of the seven bounds, by the survey's simulation or exactly."""
        at, across, exact = COVERAGE[figure]
        normal = plots.plot_normal_coverage(seven, **at, **across) if losses == NORMAL else None
        ax = normal or exact(seven, floor=0.9, **at)
        ax.set_title(f"{figure}: {losses}", loc="left", weight="bold")
        figure_of(ax).set_size_inches(4.8, 4.0)
        return ax

    return SimpleNamespace(
        COIN=COIN, COVERAGE=COVERAGE, NORMAL=NORMAL, coverage_of_seven=coverage_of_seven, grid=grid
    )


def scenario_2_results_figure_2() -> Any:
    """Draw a figure for the section “Scenario 2 - Results”."""
    results = _scenario_2_results_figure_2()
    COIN, COVERAGE, NORMAL, coverage_of_seven = (
        results.COIN,
        results.COVERAGE,
        results.NORMAL,
        results.coverage_of_seven,
    )
    return explore(
        coverage_of_seven,
        figure=list(COVERAGE),
        losses=[NORMAL, COIN],
        labels={"figure": "of the survey", "losses": "the losses are"},
        caption="Normal draws suggest a reserve that counts do not have. Coverage of the seven "
        "bounds, δ = 5%; "
        "means of normal draws are clipped to [0, 1].",
        alt=lambda figure, losses: {
            ("Fig. 13", NORMAL): "all above 95%, tight Hoeffding nearest, at about 96.5%",
            (
                "Fig. 13",
                COIN,
            ): "saw teeth; tight Hoeffding comes down to 95%, the others stay above 98%",
            ("Fig. 14", NORMAL): "tight Hoeffding between 96.5% and 100%, the others above 99%",
            ("Fig. 14", COIN): "tight Hoeffding climbs from 95% to 99%, the others above 99%",
            ("Fig. 15", NORMAL): "all seven lie on 100%",
            ("Fig. 15", COIN): "all seven lie on 100%",
            ("Fig. 16", NORMAL): "tight Hoeffding between 98% and 100%, the others above 99%",
            ("Fig. 16", COIN): "saw teeth; tight Hoeffding down to 96%, the others above 98%",
        }[figure, losses],
    )


def _scenario_2_results_words() -> list[str]:
    needed = int(np.argmax(bounds.tight_hoeffding(0, np.arange(1, 1000)) < 0.01)) + 1
    negative = norm.cdf(0, 0.01, np.sqrt(0.01 * 0.99 / 10))
    touch = coverage.worst("T_HOE", 10, within=(0, 0.5))
    return [
        f"Even the mean of ten normal draws is negative in {negative:.0%} of the test sets at a true error of 1%, where Chernoff takes the root of a negative number and tight Hoeffding the logarithm of one.",
        f"15 shows nothing, for a trivial reason: up to {needed - 1} examples every bound exceeds 1% even without any loss.",
        f"Losses of 0 and 1 bring tight Hoeffding down to **{touch.coverage:.2%}**, next to a true error of {touch.error:.1%} with ten of them, so no valid bound could be lower there.",
    ]


@cache
def _scenario_2_results() -> SimpleNamespace:
    seven = _scenario_2_results_figure().seven
    grid = _scenario_2_results_figure_2().grid
    at200 = {key: bounds.upper(key, 0.25, 200) for key in seven}
    means = np.linspace(0, 0.5, 501)
    grid_n, grid_m = np.meshgrid(np.arange(10, 201), means)
    surface = {key: bounds.upper(key, grid_m, grid_n) for key in seven}
    lowest = np.min([surface[key] for key in seven], axis=0)
    small = bounds.maurer_pontil(0.25, 200, var=0.05**2)
    large = bounds.guttman(0.8, 10) - bounds.tight_hoeffding(0.8, 10)
    zero = {key: bounds.upper(key, 0.0, 200) for key in seven}
    explicit = ["HOE", "GUT", "CRF", "CHE", "MAU"]
    best = np.argmin([surface[key] for key in explicit], axis=0)
    part = {key: np.mean(best == i) for i, key in enumerate(explicit)}
    crf200 = means[bounds.upper("CRF", means, 200) < bounds.upper("HOE", means, 200)]
    one = simulate_normal("T_HOE", 0.01, 10, rng=0)
    half = simulate_normal("T_HOE", 0.5, 10, rng=0)
    observed_means = np.linspace(0, 1, 4001)

    def thoe_tail(error, n, delta=0.05):
        """Return the exact probability that tight Hoeffding holds for a clipped normal mean."""
        upper = bounds.tight_hoeffding(observed_means, n, delta=delta)
        sigma = np.sqrt(error * (1 - error) / n)
        if upper[0] >= error:
            return 1.0
        return norm.sf(np.interp(error, upper, observed_means), error, sigma)

    low5 = min(thoe_tail(e, n) for e in grid for n in range(10, 201, 5))
    low1 = min(thoe_tail(e, n, 0.01) for e in grid for n in range(10, 201, 5))
    rigour = {key: coverage.worst(key, 50).coverage for key in seven}
    return SimpleNamespace(
        at200=at200,
        crf200=crf200,
        half=half,
        large=large,
        low1=low1,
        low5=low5,
        lowest=lowest,
        one=one,
        part=part,
        rigour=rigour,
        small=small,
        surface=surface,
        zero=zero,
    )


def scenario_2_results() -> Any:
    """Judge the claims of the section “Scenario 2 - Results”."""
    return audit([*_scenario_2_value_claims(), *_scenario_2_coverage_claims()])


def _scenario_2_value_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the values of seven bounds, Figs. 9 to 12."""
    results = _scenario_2_results()
    at200, zero, surface, lowest = results.at200, results.zero, results.surface, results.lowest
    small, large = results.small, results.large
    crf200, part = results.crf200, results.part
    return [
        (
            "",
            "T_HOE is the tightest for every n and test error (of the largest variance, up to 50%)",
            (
                f"there, yes; beyond, not: s = 0.05, MAU {small:.3f} < T_HOE {at200['T_HOE']:.3f}; "
                f"test error 80%, n = 10, GUT lower by {-large:.3f}"
            ),
            bool(np.all(lowest >= surface["T_HOE"])),
            "05_bounded_bounds#what-knowing-more-is-worth",
        ),
        (
            "",
            "At a test error of 0 T_HOE is optimal and explicit",
            (
                f"{zero['T_HOE']:.4f} at n = 200, the Clopper-Pearson value "
                f"{bounds.clopper_pearson(0, 200):.4f}"
            ),
            bool(np.isclose(zero["T_HOE"], bounds.clopper_pearson(0, 200))),
            "05_bounded_bounds#what-knowing-more-is-worth",
        ),
        (
            "",
            "Without numerics CRF and HOE are effective, CRF for large n, small errors",
            (
                f"CRF beats HOE below {crf200.max():.3f} at n = 200; best explicit one on "
                f"{part['CRF']:.1%} of the region, GUT on {part['GUT']:.0%}"
            ),
            "only in a corner; Section 5 says GUT and HOE, rightly",
            "05_bounded_bounds#what-knowing-more-is-worth",
        ),
    ]


def _scenario_2_coverage_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about the coverage of seven bounds, Figs. 13 to 16."""
    results = _scenario_2_results()
    one, half = results.one, results.half
    low1, low5, rigour = results.low1, results.low5, results.rigour
    return [
        (
            "",
            "Normal draws with the largest variance stand for losses in [0, 1]",
            (
                f"{one.losses_outside:.0%} of them are outside [0, 1] at L = 1%, "
                f"{half.losses_outside:.0%} at 50%"
            ),
            bool(one.losses_outside == 0),
            "05_bounded_bounds#what-a-mean-hides",
        ),
        (
            "",
            "All simulated coverages are above 95%, as expected by theory",
            f"T_HOE {low5:.3f} at delta 5%, {low1:.4f} at delta 1%",
            "happens to hold at 5%; fails at 1%",
            "05_bounded_bounds#what-a-mean-hides",
        ),
        (
            "",
            "T_HOE has the coverage closest to the level",
            (
                f"exact, 0/1 losses, n = 50: T_HOE {rigour['T_HOE']:.3f}, next "
                f"{sorted(rigour.values())[1]:.3f}"
            ),
            bool(min(rigour, key=rigour.get) == "T_HOE"),
            "05_bounded_bounds#what-a-mean-hides",
        ),
    ]


def using_scenario_2_bounds_in_figure() -> Any:
    """Draw a figure for the section “Using Scenario 2 Bounds in Scenario 1 - Results”."""
    MIXED = dict(zip(["Fig. 17", "Fig. 18", "Fig. 19", "Fig. 20"], FIGURES.values(), strict=True))

    def soft_bound_for_counts(figure):
        """Draw one of Figs. 17 to 20."""
        return drawn(MIXED, ["CP", "WIL", "T_HOE"], figure)

    return explore(
        soft_bound_for_counts,
        figure=list(MIXED),
        labels={"figure": "of the survey"},
        caption="After no error CP and T_HOE are one curve; with errors CP is lower. δ = 5%.",
        alt=lambda figure: {
            "Fig. 17": "Clopper-Pearson and tight Hoeffding are one curve, falling from 0.26 to "
            "0.015; Wilson "
            "lies just below",
            "Fig. 18": "tight Hoeffding lies clearly above Clopper-Pearson at every n; Wilson just "
            "below it",
            "Fig. 19": "Clopper-Pearson and tight Hoeffding start together at 0.26 and part; at 0.5 "
            "tight Hoeffding is 0.06 higher; Wilson lies below both",
            "Fig. 20": "Clopper-Pearson and Wilson nearly coincide; tight Hoeffding runs 0.02 to "
            "0.03 above "
            "them except near zero",
        }[figure],
    )


@cache
def _using_scenario_2_bounds_in() -> SimpleNamespace:

    n_all = np.arange(10, 201)
    apart = np.abs(bounds.upper("CP", 0, n_all) - bounds.upper("T_HOE", 0, n_all)).max()
    half = np.linspace(0, 0.5, 501)
    grid_n, grid_m = np.meshgrid(n_all, half[1:])
    cp, wil, thoe, hoe = (
        bounds.upper(key, grid_m, grid_n) for key in ("CP", "WIL", "T_HOE", "HOE")
    )
    size = np.array([10, 200])
    gap = bounds.upper("T_HOE", 0.25, size) - bounds.upper("CP", 0.25, size)
    ratio = (bounds.upper("T_HOE", 0.25, size) - 0.25) / (bounds.upper("CP", 0.25, size) - 0.25)
    # the limit of the ratio of the widths of T_HOE and CP as n grows
    limit = np.sqrt(2 * np.log(20)) / norm.isf(0.05)
    wil_low = coverage.worst("WIL", 10, within=(0, 0.5)).coverage
    return SimpleNamespace(
        apart=apart,
        cp=cp,
        gap=gap,
        hoe=hoe,
        limit=limit,
        ratio=ratio,
        thoe=thoe,
        wil=wil,
        wil_low=wil_low,
    )


def using_scenario_2_bounds_in() -> Any:
    """Judge the claims of the section “Using Scenario 2 Bounds in Scenario 1 - Results”."""
    results = _using_scenario_2_bounds_in()
    apart, cp, gap, limit, ratio, thoe, wil, wil_low = (
        results.apart,
        results.cp,
        results.gap,
        results.limit,
        results.ratio,
        results.thoe,
        results.wil,
        results.wil_low,
    )
    return audit(
        [
            (
                "",
                "CP and T_HOE are identical at a test error of 0",
                "differ by rounding only" if apart < 1e-12 else f"differ by {apart:.1e}",
                bool(apart < 1e-12),
                "05_bounded_bounds#answer-three-questions",
            ),
            (
                "",
                "CP becomes tighter than T_HOE as errors appear",
                f"T_HOE minus CP, n from 10 to 200, up to 50%: at least {np.min(thoe - cp):.4f}",
                bool(np.min(thoe - cp) > 0),
                "05_bounded_bounds#answer-three-questions",
            ),
            (
                "",
                "As n increases the gap between CP and T_HOE decreases",
                (
                    f"at 25%: {gap[0]:.3f} to {gap[1]:.3f}; but relative to CP's width it grows, "
                    f"{ratio[0]:.2f} to {ratio[1]:.2f}, in the limit {limit:.2f}"
                ),
                bool(gap[1] < gap[0]),
                "05_bounded_bounds#answer-three-questions",
            ),
            (
                "",
                "WIL sometimes outperforms CP, but its coverage can be too low",
                f"below CP on {np.mean(wil < cp):.0%} of the region; lowest coverage {wil_low:.3f}",
                bool(np.mean(wil < cp) > 0 and wil_low < 0.95),
                "05_bounded_bounds#answer-three-questions",
            ),
        ]
    )


def conclusions_figure() -> Any:
    """Draw a figure for the section “Conclusions”."""
    seven = _scenario_2_results_figure().seven
    return show(
        plots.plot_tightest(["BEN", *seven], share=0.1),
        "Where each bound is the tightest, if the losses vary a tenth as much as they could, δ = 5%.",
        alt="Bentkus holds most of the map; Maurer-Pontil has the right, where there are many "
        "examples.",
    )


def conclusions() -> Any:
    """Judge the claims of the section “Conclusions”."""
    return audit([*_scenario_1_conclusions(), *_scenario_2_conclusions(), *_mixed_conclusions()])


def _scenario_1_conclusions() -> list[tuple[Any, ...]]:
    """Return our results for the survey's conclusions about 0/1 losses."""
    share = _scenario_1_results().share
    sizes = np.arange(10, 201)
    quarter = coverage.exact("CP", 0.25, sizes)
    return [
        (
            "",
            "WIL falls below the level rarely",
            (
                f"on {share['WIL', 10]:.0%} (n = 10) and {share['WIL', 200]:.0%} (n = 200) of the "
                "errors up to one half"
            ),
            bool(max(share["WIL", 10], share["WIL", 200]) < 0.1),
            "04_coverage#would-more-patients-help",
        ),
        (
            "",
            "CP can be conservative, as Figs. 7 and 8 show",
            (
                f"mean coverage {coverage.exact('CP', 0.01, sizes).mean():.1%} at L = 1%, "
                f"{quarter.mean():.1%} at 25%"
            ),
            bool(quarter.mean() > 0.95),
            "04_coverage#what-does-the-guarantee-cost",
        ),
        (
            "",
            "NOR is not effective in practice",
            f"below the level on {share['NOR', 10]:.0%} and {share['NOR', 200]:.0%} of the errors",
            bool(share["NOR", 200] > 0.5),
            "04_coverage#would-more-patients-help",
        ),
    ]


def _scenario_2_conclusions() -> list[tuple[Any, ...]]:
    """Return our results for the survey's conclusions about losses in [0, 1]."""
    rigour = _scenario_2_results().rigour
    gap = bounds.tight_hoeffding(0.25, 200) - bounds.bentkus(0.25, 200)
    return [
        (
            "",
            "All bounds of this scenario are rigorous",
            f"lowest exact coverage for losses of 0 or 1, n = 50: {min(rigour.values()):.4f}",
            bool(min(rigour.values()) >= 0.95 - 1e-9),
            "05_bounded_bounds#what-knowing-more-is-worth",
        ),
        (
            "",
            "Methods of more than fifty years ago are the best",
            f"Bentkus (2004) is tighter than Hoeffding (1963) by {gap:.3f} at 25%, n = 200",
            "not against Bentkus (2004), which it cites" if gap > 0 else True,
            "05_bounded_bounds#answer-three-questions",
        ),
    ]


def _mixed_conclusions() -> list[tuple[Any, ...]]:
    """Return our results for the survey's conclusions about bounds for [0, 1] on 0/1 losses."""
    results = _using_scenario_2_bounds_in()
    hoe, limit, thoe, wil_low = results.hoe, results.limit, results.thoe, results.wil_low
    rigorous = {
        key: coverage.worst(key, 50).coverage
        for key in bounds.applicable("binary")
        if key not in ("CP", "BEN")
    }
    return [
        (
            "",
            "CP is the only theoretically justified method of the three for 0/1 losses",
            (
                f"WIL covers {wil_low:.3f} at worst, n = 10. Those for soft losses hold too, with "
                f"{min(rigorous.values()):.3f} or more at n = 50, but are looser"
            ),
            bool(wil_low < 0.95),
            "05_bounded_bounds#answer-three-questions",
        ),
        (
            "",
            "Bounds for soft losses are not recommended for 0/1 losses",
            f"T_HOE needs {limit**2:.1f} times the examples of CP in the limit",
            bool(limit > 1),
            "05_bounded_bounds#answer-three-questions",
        ),
        (
            "",
            "Implicit bounds should replace closed forms",
            f"T_HOE is below HOE on {np.mean(thoe < hoe):.0%} of the region",
            bool(np.mean(thoe <= hoe) == 1),
            "05_bounded_bounds#answer-three-questions",
        ),
    ]


def extension_to_the_case_of() -> Any:
    """Judge the claims of the section “A Extension to the case of K-Fold Cross Validation (KCV)”."""
    silly = 1 - 0.95**10
    m, L, delta = 50, 0.5822, 0.8
    counts = np.arange(m + 1)
    chance = binom.pmf(counts, m, L)
    upper = bounds.clopper_pearson(counts / m, m, delta=delta)
    holds = (upper[:, None] + upper) / 2 >= L
    cp_coverage = (holds * np.outer(chance, chance)).sum()
    return audit(
        [
            (
                "",
                "Each fold's error is a reliable estimate for its own model",
                "that fold took no part in training: any test-set bound holds for the fold model",
                True,
                "07_cross_validation",
            ),
            (
                "Eq. 51",
                "The average of k bounds holds with at least 1 - delta",
                (
                    f"an arbitrary bound fails with {silly:.0%} at delta = 5%; CP covers "
                    f"{cp_coverage:.4f} "
                    f"at 1 - delta = {1 - delta:.1f}; proven for Hoeffding"
                ),
                "fails in general, holds for Hoeffding",
                "07_cross_validation",
            ),
            (
                "",
                "All its analysis applies to the k-fold error",
                "it bounds a fold model picked at random, not the model trained on all data",
                "only for that model",
                "07_cross_validation",
            ),
        ]
    )


def total() -> Any:
    """Count the verdicts of all sections."""
    return say(audit.total())


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    return [
        *_introduction_words(),
        *_scenario_2_results_words(),
    ]


GIVEN: list[str] = []  # the test only checks computed phrases on audits
