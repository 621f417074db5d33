"""Every test draws without a screen, shows figures as records, and leaves none open."""

import fnmatch
import os
import re
import sys

import pytest

# nbformat draws in jsonschema, which would spend more than a second on the grammars of addresses
# that no notebook holds; jsonschema does without them.
sys.modules.setdefault("rfc3987_syntax", None)

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")
# Two workers on two cores: a second thread of one would wait, busily, for the other's core. The
# notebooks are executed with one, too.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Cases of parametrised tests, and tests, that take more than a third of a second; see pytest's
# --durations. What is slow altogether says so itself, by @pytest.mark.slow.
SLOW = (
    "tests/test_bootstrap.py::test_bca_of_errors_and_hits_from_its_definition*",
    "tests/test_bootstrap.py::test_bca_of_graded_losses_counts_ties_half*",
    "tests/test_bootstrap.py::test_point632_equals_a_literal_loop*",
    "tests/test_bootstrap.py::test_pure_noise_one_neighbour",
    "tests/test_build.py::test_a_quiz_and_the_answers_to_exercises_belong_to_their_chapter",
    "tests/test_claims.py::test_a_eq_51_fails_for_clopper_pearson_with_a_constant_classifier*",
    "tests/test_claims_comparison.py::test_the_differences_of_leave_out_resampling_are_not_independent*",
    "tests/test_claims_cud.py::test_alpha_n_fits_the_mean_loss_of_section_3_not_the_sum_of_section_5",
    "tests/test_claims_cud.py::test_the_centre_632_is_better_than_the_training_error_for_k*",
    "tests/test_claims_hardt.py::*",
    "tests/test_claims_resampling.py::test_eq_51_is_false_for_clopper_pearson*",
    "tests/test_claims_resampling.py::test_leave_one_out_is_not_always_the_more_variable*",
    "tests/test_command_line.py::test_a_full_disk_is_said*",
    "tests/test_command_line.py::test_a_reader_that_leaves_early_is_no_error*",
    "tests/test_command_line.py::test_closed_streams_are_said*",
    "tests/test_command_line.py::test_letters_that_the_terminal_lacks_are_spelt_out*",
    "tests/test_command_line_files.py::test_standard_input_and_a_reader_that_leaves*",
    "tests/test_compare.py::test_holm_agrees_with_statsmodels*",
    "tests/test_compare.py::test_interval_leaves_out_zero_where_the_test_rejects*",
    "tests/test_compare.py::test_many_tables_equal_one_by_one*",
    "tests/test_compare.py::test_size_over_the_discordant_probability*",
    "tests/test_compare_power.py::test_noncentral_t_to_ten_digits*",
    "tests/test_compare_power.py::test_power_is_a_number_that_rises_everywhere*",
    "tests/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?mcnemar-mid-p?",
    "tests/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?paired_difference-exact?",
    "tests/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?two_proportions-newcombe?",
    "tests/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?two_proportions-pooled?",
    "tests/test_compare_verdicts.py::test_melded_ends_to_nine_digits*",
    "tests/test_compare_verdicts.py::test_the_exact_interval_is_of_the_exact_test*",
    "tests/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?paired_difference-newcombe?",
    "tests/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?two_proportions-newcombe?",
    "tests/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?two_proportions-pooled?",
    "tests/test_coverage.py::test_a_wrong_flag_is_noticed*",
    "tests/test_coverage.py::test_a_wrong_flag_is_noticed?True?",
    "tests/test_coverage.py::test_the_rigorous_flag_is_true*",
    "tests/test_crossval.py::test_nested_selection_is_honest_on_noise*",
    "tests/test_cud.py::test_brute_force_agrees_with_linear_programming_and_a_general_solver",
    "tests/test_cud.py::test_growing_and_sweeping_agree_where_hyperplanes_meet*",
    "tests/test_cud.py::test_growing_flats_equals_brute_force?repeated-not weighed?",
    "tests/test_cud.py::test_no_random_coefficients_do_better_and_some_come_close*",
    "tests/test_cud.py::test_points_on_the_boundary_change_nothing_with_an_intercept*",
    "tests/test_cud.py::test_three_searches_agree*",
    "tests/test_exercises.py::test_at_least_55_can_be_checked_on_the_page",
    "tests/test_exercises.py::test_each_mistake_is_wrong_and_has_its_own_message?10.5?",
    "tests/test_exercises.py::test_each_mistake_is_wrong_and_has_its_own_message?11.6?",
    "tests/test_exercises.py::test_each_mistake_is_wrong_and_has_its_own_message?12.5?",
    "tests/test_exercises.py::test_each_mistake_is_wrong_and_has_its_own_message?5.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?10.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?11*",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?12.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?13.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?2.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?5.5?",
    "tests/test_exercises.py::test_every_exercise_knows_right_from_wrong?6.5?",
    "tests/test_exercises.py::test_no_check_gives_the_answer_away?12.5?",
    "tests/test_exercises.py::test_the_page_holds_no_answer?10.5?",
    "tests/test_exercises.py::test_the_page_holds_no_answer?12.5?",
    "tests/test_exercises.py::test_the_page_holds_no_answer?5.5?",
    "tests/test_figures.py::test_a_live_explorer_draws_ahead_when_the_kernel_is_idle*",
    "tests/test_figures.py::test_an_explorer_counts_its_frames_and_keeps_what_they_show_to_itself",
    "tests/test_fuzz.py::test_a_sample_of_bad_arguments_is_refused_or_right*",
    "tests/test_holdout.py::test_bootstrap_f1_agrees_with_drawing_cases",
    "tests/test_holdout.py::test_f1_interval_covers_whatever_the_population_by_exact_enumeration*",
    "tests/test_intervals.py::test_any_classifier_and_any_labels_are_served?BS1?",
    "tests/test_intervals.py::test_any_classifier_and_any_labels_are_served?BS2?",
    "tests/test_intervals.py::test_centre_is_the_632_estimate",
    "tests/test_intervals.py::test_the_kernels_of_the_processor_do_not_matter*",
    "tests/test_labels.py::test_leave_one_out_on_iris_makes_six_errors*",
    "tests/test_labels.py::test_thirty_irises_in_ten_folds_for_a_hundred_seeds*",
    "tests/test_laws.py::*BEN*",
    "tests/test_layers.py::test_nothing_is_loaded_that_is_not_needed*",
    "tests/test_leaderboards.py::test_each_round_of_flips_takes_the_square_of_the_error_away*",
    "tests/test_leaderboards.py::test_flips_of_two_climb_the_free_ladder_by_half_a_case_each*",
    "tests/test_leaderboards.py::test_guessers_climb_as_the_exact_formula_says",
    "tests/test_leaderboards.py::test_ladder_decides_ties_as_fractions_do*",
    "tests/test_leaderboards.py::test_noise_of_the_shaky_ladder",
    "tests/test_leaderboards.py::test_the_theorem_holds_for_its_step_and_not_for_the_free_ladder*",
    "tests/test_leaderboards.py::test_thresholdout_holds_where_plain_reuse_fails",
    "tests/test_links.py::test_no_internal_link_or_anchor_is_dead",
    "tests/test_many_models.py::test_the_interval_excludes_0_where_the_adjusted_test_says_so_and_nowhere_else*",
    "tests/test_many_models.py::test_with_groups_verdict_and_interval_agree_and_copies_tell_nothing",
    "tests/test_metric.py::test_functions_of_scikit_learn_are_taken_by_name_and_as_they_are*",
    "tests/test_metric.py::test_interval_and_pvalue_of_two_never_contradict_each_other*",
    "tests/test_mutants.py::*",
    "tests/test_paths.py::test_the_title_has_its_number_wherever_it_is_shown*",
    "tests/test_plan.py::test_the_plan_of_a_margin_reaches_its_power*",
    "tests/test_plan.py::test_the_power_of_a_margin_is_the_sum_over_all_tables?60-0.15-0.05-0.05?",
    "tests/test_plan.py::test_whether_an_end_reaches_the_margin_is_what_the_interval_says",
    "tests/test_publish.py::test_pages_describe_themselves_without_an_address",
    "tests/test_publish.py::test_the_card_is_a_picture_of_the_size_that_others_ask_for*",
    "tests/test_report.py::test_the_command_runs_as_a_module",
    "tests/test_report_pair.py::test_a_tenth_of_the_interval_is_the_last_digit*",
    "tests/test_report_pair.py::test_small_confidence_and_large_tests_get_their_digits*",
    "tests/test_report_pair.py::test_the_picture_says_what_the_text_says*",
    "tests/test_report_pair.py::test_what_is_printed_never_contradicts_itself*",
    "tests/test_report_scores.py::test_every_report_says_its_guarantee_and_has_all_forms*",
    "tests/test_report_scores.py::test_how_often_the_proven_interval_covers*",
    "tests/test_resampled_mean.py::test_a_few_large_losses_among_small_ones*",
    "tests/test_resampling_studies.py::*",
    "tests/test_shares.py::test_it_covers_where_the_machines_own_mean_does_not*",
    "tests/test_student.py::test_the_search_finds_what_it_looks_for*",
    "tests/test_tasks.py::test_a_job_of_the_page_is_three_lines_and_says_something?An interval*",
    "tests/test_watch.py::test_peeking_by_all_sequences*",
    "tests/test_work.py::test_the_answer_does_not_depend_on_the_workers*",
)


# Files whose tests take long. They start first, so that no worker ends with one of them alone.
FIRST = ("mutants", "student", "fuzz", "course", "mutation", "assignments", "build", "types")


def pytest_collection_modifyitems(items):
    """Put the long tests first, and mark what is slow, so that ``make quick`` leaves it out."""
    first = {f"test_{name}.py" for name in FIRST}
    items.sort(key=lambda item: item.path.name not in first)
    slow = re.compile("|".join(map(fnmatch.translate, SLOW)))
    for item in items:
        if slow.match(item.nodeid):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of a test, a doctest included, where it drew any."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
