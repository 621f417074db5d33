"""Every test draws without a screen, shows figures as records, and leaves none open."""

import fnmatch
import os
import sys

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")

# Cases of parametrised tests, and tests, that take more than half a second; see pytest's
# --durations. What is slow altogether says so itself, by @pytest.mark.slow.
SLOW = (
    "tests/test_bootstrap.py::test_point632_equals_a_literal_loop*",
    "tests/test_bootstrap.py::test_pure_noise_one_neighbour",
    "tests/test_claims_hardt.py::*",
    "tests/test_compare.py::test_size_over_the_discordant_probability*",
    "tests/test_compare_resampling.py::test_five_by_two_power_by_simulation_of_its_model*",
    "tests/test_coverage.py::test_the_rigorous_flag_is_true*",
    "tests/test_crossval.py::test_nested_selection_is_honest_on_noise*",
    "tests/test_cud.py::test_sweep_and_branch_and_bound_agree*",
    "tests/test_figures.py::test_every_exercise_knows_right_from_wrong*",
    "tests/test_figures.py::test_no_check_gives_the_answer_away*",
    "tests/test_holdout.py::test_bootstrap_f1_agrees_with_drawing_cases",
    "tests/test_intervals.py::test_the_kernels_of_the_processor_do_not_matter*",
    "tests/test_laws.py::*BEN*",
    "tests/test_leaderboards.py::test_ladder_decides_ties_as_fractions_do*",
    "tests/test_leaderboards.py::test_thresholdout_holds_where_plain_reuse_fails",
    "tests/test_mutants.py::*",
    "tests/test_report.py::test_the_command_runs_as_a_module",
    "tests/test_resampling_studies.py::*",
)


def pytest_collection_modifyitems(items):
    """Mark what is slow, so that ``make quick`` leaves it out."""
    for item in items:
        if any(fnmatch.fnmatchcase(item.nodeid, pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of a test, a doctest included, where it drew any."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
