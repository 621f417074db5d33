"""Other papers, and common statements: the audit's verdicts, pictures and numbers."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from errlab import compare, coverage, holdout, metrics
from errlab.style import styled
from errlab_book import leaderboards, plots, say, show, studies, tables
from errlab_book.plots.data_sets import rank_alarms
from errlab_book.plots.paper import headline

audit = tables.Audit()

STEPS = [1, 3, 10, 30, 100, 300, 1000]

RULES = {
    "no step": {},
    "step 0.02": {"step": 0.02},
    "step 0.05": {"step": 0.05},
    "step 0.02, noise 0.01": {"step": 0.02, "noise": 0.01},
}


def blum_and_hardt() -> Any:
    """Judge the claims of the section “Blum and Hardt”."""
    return audit([*_vote_claims(), *_flip_claims()])


def _vote_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about a vote of random submissions."""
    theory = leaderboards.climb_gap(1000, np.array([10, 100]))
    steps = [1, 10, 100, 1000]
    attack = leaderboards.climb(1000, steps, repeats=5, rng=0)
    attack_held = leaderboards.climb(1000, STEPS, board=holdout.ladder, repeats=5, rng=0)
    return [
        (
            "",
            "The gap of a climber grows as the root of k/n",
            (
                f"ten times the submissions, n = 1,000: gap times {theory[1] / theory[0]:.2f}; "
                f"the root of ten is {np.sqrt(10):.2f}"
            ),
            bool(abs(theory[1] / theory[0] / np.sqrt(10) - 1) < 0.05),
            "13_leaderboards#a-thousand-examples-are-no-shelter",
        ),
        (
            "",
            "The Ladder withstands the vote of random submissions",
            f"gap at k = 1,000, n = 1,000: {attack_held.gap[-1]:.3f}, plain {attack.gap[-1]:.3f}",
            bool(attack_held.gap[-1] < 0.03),
            "13_leaderboards#the-ladder-say-less",
        ),
    ]


def _flip_claims() -> list[tuple[Any, ...]]:
    """Return our results for the claims about a climber who flips a few answers at a time."""
    rate = (np.log(1e8) / 10_000) ** (1 / 3)
    promise = holdout.ladder_bound(10_000, 10_000, step=rate)
    stepped = max(
        abs(leaderboards.climb_by_flips(10_000, [10_000], block=size, step=rate, rng=0).shown[0])
        for size in (2, 500, 5000)
    )
    free = leaderboards.climb_by_flips(10_000, [10_000], rng=0).shown[0]
    return [
        (
            "",
            (
                "With a fixed step the Ladder's score stays near the best true error, whatever "
                "the climber does"
            ),
            (
                f"10,000 submissions, n = 10,000, step {rate:.2f}, blocks of 2 to 5,000 flips: "
                "off by "
                f"{stepped:.3f} at most, promised {promise:.3f}"
            ),
            bool(stepped < promise),
            "13_leaderboards#the-ladder-say-less",
        ),
        (
            "",
            "The same of the Ladder without a step (no theorem)",
            f"10,000 submissions, n = 10,000, two flips at a time: off by {free:.3f}",
            bool(free < promise),
            "13_leaderboards#the-ladder-say-less",
        ),
    ]


def hardt_2017() -> Any:
    """Judge the claims of the section “Hardt, 2017”."""
    left = {
        (name, block): 0.5
        - leaderboards.climb_by_flips(300, [601], block=block, **rule, repeats=20, rng=2).gap[0]
        for name, rule in RULES.items()
        for block in (2, 8, 32, 64, 128)
    }
    return audit(
        [
            (
                "",
                "A Ladder with noise is harder to climb",
                (
                    f"step 0.02, 300 examples, 600 submissions: error {left['step 0.02', 32]:.2f} without "
                    f"noise, {left['step 0.02, noise 0.01', 32]:.2f} with it"
                ),
                bool(left["step 0.02", 32] < left["step 0.02, noise 0.01", 32] - 0.05),
                "13_leaderboards#the-ladder-say-less",
            ),
        ]
    )


def dwork_and_others() -> Any:
    """Judge the claims of the section “Dwork and others”."""
    seeds = range(3)
    free = [leaderboards.reuse_holdout(2000, 2000, [200], rng=s) for s in seeds]
    guarded = [leaderboards.reuse_holdout(2000, 2000, [200], threshold=0.04, rng=s) for s in seeds]
    lie, rest = (
        float(np.mean([run.reported[0] - run.fresh[0] for run in runs])) for runs in (free, guarded)
    )
    return audit(
        [
            (
                "",
                "Thresholdout holds where plain reuse fails",
                f"off by {rest:.3f}, plain reuse by {lie:.3f}",
                bool(rest < lie / 2),
                "13_leaderboards#thresholdout-the-same-for-any-question",
            ),
        ]
    )


def what_is_said_of_two() -> Any:
    """Judge the claims of the section “What is said of two tests on the same counts”."""
    near = compare.paired_difference([[10, 14], [5, 371]]).interval
    exact = compare.mcnemar(14, 5).pvalue
    clash = compare.mcnemar_power(200, 0.08, 0.03, method="z") - compare.mcnemar_power(
        200, 0.08, 0.03
    )
    return audit(
        [
            (
                "",
                "Any good interval goes with any good test",
                (
                    f"14 examples against 5 in 400: exact p = {exact:.3f}, but Tango's interval, "
                    f"{near.low:+.4f} to {near.high:+.4f}, leaves out 0; with 200 examples, where "
                    "the two alone are wrong on 8% and 3%, they contradict each other in "
                    f"{clash:.0%} of all tests"
                ),
                bool(clash < 0.01),
                "10_comparing_two#how-large-is-the-difference",
            ),
        ]
    )


@styled
def what_is_said_of_average_figure() -> Any:
    """Draw a figure for the section “What is said of average ranks”."""
    ax = plots.plot_rank_alarms(4, range(3, 25))
    alarms = rank_alarms(4, 3)["Iman and Davenport's F"]
    headline(
        ax,
        f"With 3 data sets the F test errs {alarms:.1%} of the time, not 5%",
        "Four equal classifiers",
        left=60,
    )
    return show(
        ax,
        "With few data sets Iman and Davenport's F finds too much (four equal procedures, all orders).",
        alt="Three lines against the number of data sets, with the level of 0.05. Friedman's "
        "chi-squared stays below it. The F of Iman and Davenport starts at 0.075 and comes down to it. "
        "Nemenyi's pairs rise to it and then jump about it.",
    )


def what_is_said_of_average() -> Any:
    """Judge the claims of the section “What is said of average ranks”."""
    iman = "Iman and Davenport's F"
    three_sets, demsar_sets = rank_alarms(3, 3), rank_alarms(4, 14)
    chi_squared = max(
        rank_alarms(k, n)["Friedman, chi-squared"] for k in (3, 4) for n in range(3, 25)
    )
    five_wins = compare.wilcoxon([0.01, 0.02, 0.03, 0.04, 0.05]).pvalue
    return audit(
        [
            (
                "",
                "Iman and Davenport's F should replace Friedman's chi-squared",
                (
                    f"it calls three equals different in {three_sets[iman]:.0%} with three data sets, "
                    f"and four in {demsar_sets[iman]:.1%} with fourteen"
                ),
                "for many data sets only",
                "11_many_models#many-data-sets",
            ),
            (
                "",
                "Friedman's chi-squared is conservative",
                f"three or four equals, 3 to 24 data sets: it comes to {chi_squared:.1%} at most",
                "mostly" if chi_squared > 0.05 else True,
                "11_many_models#many-data-sets",
            ),
            (
                "",
                "Wilcoxon's test serves for few data sets as well",
                f"five wins out of five have p = {five_wins:.4f}",
                "from six data sets on",
                "11_many_models#many-data-sets",
            ),
        ]
    )


@cache
def _what_is_said_of_groups() -> SimpleNamespace:

    balanced = np.repeat(np.arange(50), 6)
    values = np.random.default_rng(2).random(300)
    t = metrics.grouped_t(values, groups=balanced)
    group_means = metrics.group_means(values, groups=balanced)
    student = metrics.grouped_t(group_means, groups=np.arange(50))
    study = studies.load("groups")
    worst_naive = min(e["summary"]["naive"] for e in study["settings"])
    worst_of_20 = min(
        e["summary"]["robust"]
        for e in study["settings"]
        if e["setting"]["groups"] == 20 and e["setting"]["kind"] in ("ten", "mixed")
    )
    return SimpleNamespace(
        student=student, t=t, values=values, worst_naive=worst_naive, worst_of_20=worst_of_20
    )


def what_is_said_of_groups() -> Any:
    """Judge the claims of the section “What is said of groups”."""
    results = _what_is_said_of_groups()
    student, t, worst_naive, worst_of_20 = (
        results.student,
        results.t,
        results.worst_naive,
        results.worst_of_20,
    )
    return audit(
        [
            (
                "",
                "For groups of one size the clustered interval is Student's t of the group means",
                f"{t.low:.4f} to {t.high:.4f} against {student.low:.4f} to {student.high:.4f}",
                bool(np.isclose(t.low, student.low) and np.isclose(t.high, student.high)),
                "06_groups#one-argument-groups",
            ),
            (
                "",
                "Clopper-Pearson is exact, so it holds for grouped examples as well",
                f"in the study it holds in {worst_naive:.0%} at worst",
                bool(worst_naive > 0.94),
                "06_groups#what-the-shorter-ones-risk",
            ),
            (
                "",
                "The cluster-robust t holds for 20 groups",
                f"at design effects up to 8 in {worst_of_20:.0%} at worst",
                bool(worst_of_20 > 0.94),
                "06_groups#what-the-shorter-ones-risk",
            ),
        ]
    )


def kish() -> Any:
    """Judge the claims of the section “Kish”."""
    values = _what_is_said_of_groups().values
    copies = metrics.design_effect(np.repeat(values[:200], 5), groups=np.repeat(np.arange(200), 5))
    return audit(
        [
            (
                "",
                "The design effect of m copies is m",
                f"{copies:.3f} for 200 groups of 5 copies",
                bool(abs(copies - 5) < 0.05),
                "06_groups#what-a-second-example-tells",
            ),
        ]
    )


@cache
def _waudby_smith_and_ramdas() -> SimpleNamespace:

    study = studies.load("watching")
    row = {(e["setting"]["a"], e["setting"]["b"]): e["summary"] for e in study["settings"]}
    worst = max(s["sequence"] for s in row.values())
    allowed = 0.05 + 2 * max(s["sequence_se"] for s in row.values())
    return SimpleNamespace(allowed=allowed, row=row, worst=worst)


def waudby_smith_and_ramdas() -> Any:
    """Judge the claims of the section “Waudby-Smith and Ramdas”."""
    results = _waudby_smith_and_ramdas()
    allowed, worst = results.allowed, results.worst
    return audit(
        [
            (
                "",
                "The confidence sequence misses at any look with 5% at most",
                f"in the study in {worst:.1%} of the runs at worst",
                bool(worst <= allowed),
                "12_watching#two-thousand-looks",
            ),
        ]
    )


def what_is_said_of_looking() -> Any:
    """Judge the claims of the section “What is said of looking”."""
    row = _waudby_smith_and_ramdas().row
    exact_peek = float(coverage.peeking("CP", 0.1, 2000)[-1])
    alarm = row[0.1, 0.1]["fixed"]
    return audit(
        [
            (
                "",
                "An exact interval stays exact if one looks at it more often",
                (
                    f"Clopper-Pearson, 2,000 looks, true error 10%: {exact_peek:.0%} miss, computed "
                    "exactly"
                ),
                bool(exact_peek <= 0.05),
                "12_watching#one-look-many-looks",
            ),
            (
                "",
                "The first significant difference may be reported",
                f"two equal classifiers: McNemar's exact test finds one in {alarm:.0%} of the runs",
                bool(alarm <= 0.05),
                "12_watching#two-thousand-looks",
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
