"""Every test draws without a screen, shows figures as records, and leaves none open."""

import fnmatch
import gc
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

# Cases of parametrised tests, and tests, that take more than a tenth of a second; see pytest's
# --durations. What is slow altogether says so itself, by @pytest.mark.slow.
SLOW = (
    "tests/tools/test_book.py::test_the_audit_stands_last_and_out_of_sight?06_which_bound?",
    "tests/tools/test_book.py::test_the_audit_stands_last_and_out_of_sight?1*",
    "tests/bootstrap/test_bootstrap.py::test_bca_interval_against_scipy",
    "tests/bootstrap/test_bootstrap.py::test_bca_of_errors_and_hits_from_its_definition*",
    "tests/bootstrap/test_bootstrap.py::test_bca_of_graded_losses_counts_ties_half*",
    "tests/bootstrap/test_bootstrap.py::test_lda_is_never_nan*",
    "tests/bootstrap/test_bootstrap.py::test_point632_equals_a_literal_loop*",
    "tests/bootstrap/test_bootstrap.py::test_pure_noise_one_neighbour",
    "tests/bounds/test_bounds.py::test_betting_does_not_take_a_sorted_file_for_a_random_one",
    "tests/tools/test_build.py::test_a_quiz_and_the_answers_to_exercises_belong_to_their_chapter",
    "tests/tools/test_build.py::test_nothing_that_a_chapter_may_show_belongs_to_none",
    "tests/tools/test_build.py::test_plots_belong_to_the_chapters_that_call_them_or_call_what_imports_them",
    "tests/claims/test_claims.py::test_4_1_footnote_4_no_true_error_is_always_covered_true",
    "tests/claims/test_claims.py::test_4_2_normal_errors_are_covered_as_expected_by_theory_false",
    "tests/claims/test_claims.py::test_5_the_coverage_of_clopper_pearson_exceeds_the_level_true",
    "tests/claims/test_claims.py::test_a_eq_51_fails_for_clopper_pearson_with_a_constant_classifier*",
    "tests/claims/test_claims_comparison.py::test_seventeen_against_twenty_percent",
    "tests/claims/test_claims_comparison.py::test_the_differences_of_leave_out_resampling_are_not_independent*",
    "tests/claims/test_claims_cud.py::test_alpha_n_fits_the_mean_loss_of_section_3_not_the_sum_of_section_5",
    "tests/claims/test_claims_cud.py::test_closed_cells_overstate_the_supremum_where_zero_is_within_reach",
    "tests/claims/test_claims_cud.py::test_the_centre_632_is_better_than_the_training_error_for_k*",
    "tests/claims/test_claims_hardt.py::*",
    "tests/claims/test_claims_resampling.py::test_eq_51_is_false_for_clopper_pearson*",
    "tests/claims/test_claims_resampling.py::test_leave_one_out_is_not_always_the_more_variable*",
    "tests/test_command_line.py::test_a_full_disk_is_said*",
    "tests/test_command_line.py::test_a_reader_that_leaves_early_is_no_error*",
    "tests/test_command_line.py::test_closed_streams_are_said*",
    "tests/test_command_line.py::test_letters_that_the_terminal_lacks_are_spelt_out*",
    "tests/test_command_line_files.py::test_a_picture_is_saved",
    "tests/test_command_line_files.py::test_archives_of_inspect_say_what_the_json_says",
    "tests/test_command_line_files.py::test_samples_of_the_harness_are_read_as_they_are",
    "tests/test_command_line_files.py::test_standard_input_and_a_reader_that_leaves*",
    "tests/compare/test_compare.py::test_holm_agrees_with_statsmodels*",
    "tests/compare/test_compare.py::test_interval_leaves_out_zero_where_the_test_rejects*",
    "tests/compare/test_compare.py::test_many_tables_equal_one_by_one*",
    "tests/compare/test_compare.py::test_size_over_the_discordant_probability*",
    "tests/compare/test_compare_power.py::test_noncentral_t_to_ten_digits*",
    "tests/compare/test_compare_power.py::test_power_is_a_number_that_rises_everywhere*",
    "tests/compare/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?mcnemar-mid-p?",
    "tests/compare/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?paired_difference-exact?",
    "tests/compare/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?paired_difference-tango?",
    "tests/compare/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?two_proportions-newcombe?",
    "tests/compare/test_compare_verdicts.py::test_a_level_that_is_the_p_value_itself?two_proportions-pooled?",
    "tests/compare/test_compare_verdicts.py::test_melded_ends_to_nine_digits*",
    "tests/compare/test_compare_verdicts.py::test_the_exact_interval_covers?*-30?",
    "tests/compare/test_compare_verdicts.py::test_the_exact_interval_is_of_the_exact_test*",
    "tests/compare/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?paired_difference-newcombe?",
    "tests/compare/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?paired_difference-tango?",
    "tests/compare/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?two_proportions-newcombe?",
    "tests/compare/test_compare_verdicts.py::test_the_interval_excludes_0_if_and_only_if_the_test_rejects?two_proportions-pooled?",
    "tests/coverage/test_coverage.py::test_a_random_order_leaves_independent_losses_what_they_are*",
    "tests/coverage/test_coverage.py::test_a_wrong_flag_is_noticed*",
    "tests/coverage/test_coverage.py::test_rigorous_bounds_are_so_below_and_on_both_sides?two-sided-BEN?",
    "tests/coverage/test_coverage.py::test_rigorous_on_two_point_losses?*-BEN?",
    "tests/coverage/test_coverage.py::test_the_rigorous_flag_is_true*",
    "tests/coverage/test_coverage_normal.py::test_clipping_or_dropping_matters",
    "tests/coverage/test_coverage_normal.py::test_coverage_is_a_normal_tail?T_HOE-0.02-200-*",
    "tests/crossval/test_crossval.py::test_cross_val_losses_folds_partition_and_match_scikit_learn",
    "tests/crossval/test_crossval.py::test_loo_losses_equal_those_of_scikit_learn*",
    "tests/crossval/test_crossval.py::test_nested_interval_with_shared_pairs_equals_the_literal_algorithm*",
    "tests/crossval/test_crossval.py::test_nested_selection_is_honest_on_noise*",
    "tests/crossval/test_crossval_front.py::test_the_model_has_nested_cross_validation",
    "tests/crossval/test_crossval_front.py::test_workers_change_nothing",
    "tests/intervals/test_cud.py::test_branching_orders_agree_at_rank_7*",
    "tests/intervals/test_cud.py::test_brute_force_agrees_with_linear_programming_and_a_general_solver",
    "tests/intervals/test_cud.py::test_equals_brute_force?[!c]*",
    "tests/intervals/test_cud.py::test_every_branching_order_equals_brute_force?continuous-*",
    "tests/intervals/test_cud.py::test_every_branching_order_equals_brute_force?no intercept-*",
    "tests/intervals/test_cud.py::test_growing_and_sweeping_agree_where_hyperplanes_meet*",
    "tests/intervals/test_cud.py::test_growing_flats_equals_brute_force*",
    "tests/intervals/test_cud.py::test_no_random_coefficients_do_better_and_some_come_close*",
    "tests/intervals/test_cud.py::test_points_on_the_boundary_change_nothing_with_an_intercept*",
    "tests/intervals/test_cud.py::test_three_searches_agree*",
    "tests/intervals/test_cud_cells.py::test_the_best_cell_is_the_supremum*",
    "tests/compare/test_data_sets.py::test_false_alarms_are_counted_over_all_orders*",
    "tests/compare/test_data_sets.py::test_the_posterior_knows_direction_and_the_rope",
    "tests/datasets/test_datasets.py::test_ar1_regression_has_its_covariances",
    "tests/datasets/test_datasets.py::test_three_points_training_error_is_the_least_normal",
    "tests/bounds/test_digits.py::test_beta_quantile_to_13_digits?1e-30-*",
    "tests/bounds/test_digits.py::test_both_ends_of_bentkus?*-60?",
    "tests/bounds/test_digits.py::test_both_ends_of_closed_forms?AC?",
    "tests/bounds/test_digits.py::test_both_ends_of_closed_forms?NOR?",
    "tests/bounds/test_digits.py::test_both_ends_of_closed_forms?T_HOE?",
    "tests/bounds/test_digits.py::test_both_ends_of_closed_forms?WIL?",
    "tests/book/test_exercises.py::*?10.5?",
    "tests/book/test_exercises.py::*?11.4?",
    "tests/book/test_exercises.py::*?11.5?",
    "tests/book/test_exercises.py::*?11.6?",
    "tests/book/test_exercises.py::*?12.5?",
    "tests/book/test_exercises.py::*?13.5?",
    "tests/book/test_exercises.py::*?13.6?",
    "tests/book/test_exercises.py::*?13.7?",
    "tests/book/test_exercises.py::*?14.4?",
    "tests/book/test_exercises.py::*?15.4?",
    "tests/book/test_exercises.py::*?2.3?",
    "tests/book/test_exercises.py::*?2.5?",
    "tests/book/test_exercises.py::*?3.5?",
    "tests/book/test_exercises.py::*?5.5?",
    "tests/book/test_exercises.py::*?6.5?",
    "tests/book/test_exercises.py::test_at_least_55_can_be_checked_on_the_page",
    "tests/book/test_figures.py::test_a_checksum_of_pixels_is_no_number",
    "tests/book/test_figures.py::test_a_live_explorer_draws_ahead_when_the_kernel_is_idle*",
    "tests/book/test_figures.py::test_an_explorer_counts_its_frames_and_keeps_what_they_show_to_itself",
    "tests/book/test_figures.py::test_explorer_html_holds_every_frame",
    "tests/book/test_figures.py::test_one_other_frame_is_another_explorer",
    "tests/book/test_figures.py::test_record_says_in_words_what_else_is_to_be_seen*",
    "tests/book/test_figures.py::test_record_sees_a_small_value_by_its_own_scale*",
    "tests/book/test_figures.py::test_what_was_measured_before_is_drawn_as_matplotlib_draws_it*",
    "tests/generalization/test_generalization.py::test_splits_are_uniform",
    "tests/holdout/test_holdout.py::test_an_end_that_is_a_whole_number_of_errors_belongs_to_the_interval*",
    "tests/holdout/test_holdout.py::test_area_interval_covers_about_what_it_claims*",
    "tests/holdout/test_holdout.py::test_bootstrap_area_agrees_with_drawing_cases*",
    "tests/holdout/test_holdout.py::test_bootstrap_f1_agrees_with_drawing_cases",
    "tests/holdout/test_holdout.py::test_f1_interval_covers_whatever_the_population_by_exact_enumeration*",
    "tests/holdout/test_holdout.py::test_n_reaches_and_no_smaller_n_does?*-BEN?",
    "tests/intervals/test_intervals.py::test_a_case_on_the_boundary_gets_the_first_class",
    "tests/intervals/test_intervals.py::test_any_classifier_and_any_labels_are_served?BS1?",
    "tests/intervals/test_intervals.py::test_any_classifier_and_any_labels_are_served?BS2?",
    "tests/intervals/test_intervals.py::test_centre_is_the_632_estimate",
    "tests/intervals/test_intervals.py::test_the_kernels_of_the_processor_do_not_matter*",
    "tests/intervals/test_intervals.py::test_y_trains_on_the_smaller_half_and_tests_on_the_larger*",
    "tests/book/test_labs.py::test_no_widget_is_made_without_a_kernel*",
    "tests/book/test_labs.py::test_the_page_fragment_is_complete?[!c]*",
    "tests/book/test_labs.py::test_the_record_is_the_same_in_all_modes*",
    "tests/bounds/test_laws.py::*BEN*",
    "tests/test_layers.py::test_nothing_is_loaded_that_is_not_needed*",
    "tests/holdout/test_leaderboards.py::test_a_fixed_step_is_climbed_by_larger_blocks_the_less_the_larger_it_is*",
    "tests/holdout/test_leaderboards.py::test_climbing_gains_what_the_exact_formula_says*",
    "tests/holdout/test_leaderboards.py::test_each_round_of_flips_takes_the_square_of_the_error_away*",
    "tests/holdout/test_leaderboards.py::test_flips_of_two_at_300_cases*",
    "tests/holdout/test_leaderboards.py::test_flips_of_two_climb_the_free_ladder_by_half_a_case_each*",
    "tests/holdout/test_leaderboards.py::test_guessers_climb_as_the_exact_formula_says",
    "tests/holdout/test_leaderboards.py::test_ladder_decides_ties_as_fractions_do*",
    "tests/holdout/test_leaderboards.py::test_noise_of_the_shaky_ladder",
    "tests/holdout/test_leaderboards.py::test_noise_takes_most_of_the_climb_away*",
    "tests/holdout/test_leaderboards.py::test_the_ladder_holds_against_the_vote_that_climbs_the_plain_board*",
    "tests/holdout/test_leaderboards.py::test_the_standard_error_of_an_attack_falls_with_the_root_of_its_repeats",
    "tests/holdout/test_leaderboards.py::test_the_theorem_holds_for_its_step_and_not_for_the_free_ladder*",
    "tests/holdout/test_leaderboards.py::test_thresholdout_holds_where_plain_climbing_works",
    "tests/holdout/test_leaderboards.py::test_thresholdout_holds_where_plain_reuse_fails",
    "tests/tools/test_links.py::test_no_internal_link_or_anchor_is_dead",
    "tests/compare/test_many_models.py::test_fifty_models_are_quick_and_readable",
    "tests/compare/test_many_models.py::test_pvalues_are_those_of_statsmodels?holm?",
    "tests/compare/test_many_models.py::test_the_interval_excludes_0_where_the_adjusted_test_says_so_and_nowhere_else*",
    "tests/compare/test_many_models.py::test_those_not_told_apart_are_the_largest_sets_of_open_pairs",
    "tests/compare/test_many_models.py::test_with_groups_verdict_and_interval_agree_and_copies_tell_nothing",
    "tests/tools/test_messy.py::test_each_trouble_does_what_is_said_of_it",
    "tests/test_metric.py::test_functions_of_scikit_learn_are_taken_by_name_and_as_they_are*",
    "tests/test_metric.py::test_interval_and_pvalue_of_two_never_contradict_each_other*",
    "tests/test_metric.py::test_the_bootstrap_is_scipys*",
    "tests/test_metric.py::test_the_quick_form_says_what_the_function_says?14-balanced_accuracy_score?",
    "tests/test_metric.py::test_the_quick_form_says_what_the_function_says?14-mean_squared_error?",
    "tests/test_metric.py::test_the_quick_form_says_what_the_function_says?60-*",
    "tests/test_metric.py::test_whole_groups_are_drawn",
    "tests/test_metric.py::test_workers_change_nothing",
    "tests/metrics/test_metrics.py::test_delong_variance_is_unbiased_enough",
    "tests/book/test_mutants.py::*",
    "tests/tools/test_paths.py::test_the_title_has_its_number_wherever_it_is_shown*",
    "tests/test_plan.py::test_a_margin_is_not_claimed_wrongly_more_often_than_it_may",
    "tests/test_plan.py::test_the_plan_of_a_margin_reaches_its_power*",
    "tests/test_plan.py::test_the_power_of_a_margin_is_the_sum_over_all_tables?40-*",
    "tests/test_plan.py::test_the_power_of_a_margin_is_the_sum_over_all_tables?60-0.15-0.05-0.05?",
    "tests/test_plan.py::test_whether_an_end_reaches_the_margin_is_what_the_interval_says",
    "tests/studies/test_practice_studies.py::test_a_small_study_runs_and_shows*",
    "tests/studies/test_practice_studies.py::test_the_true_values_of_metrics_are_those_of_many_cases",
    "tests/tools/test_publish.py::test_pages_describe_themselves_without_an_address",
    "tests/tools/test_publish.py::test_the_card_is_a_picture_of_the_size_that_others_ask_for*",
    "tests/tools/test_publish.py::test_with_an_address_there_is_a_canonical_link_and_a_sitemap",
    "tests/report/test_report.py::test_pictures_show_the_numbers",
    "tests/report/test_report.py::test_the_command_runs_as_a_module",
    "tests/report/test_report_pair.py::test_a_tenth_of_the_interval_is_the_last_digit*",
    "tests/report/test_report_pair.py::test_small_confidence_and_large_tests_get_their_digits*",
    "tests/report/test_report_pair.py::test_the_picture_says_what_the_text_says*",
    "tests/report/test_report_pair.py::test_what_is_printed_never_contradicts_itself*",
    "tests/report/test_report_scores.py::test_every_report_says_its_guarantee_and_has_all_forms*",
    "tests/report/test_report_scores.py::test_how_often_the_proven_interval_covers*",
    "tests/report/test_report_scores.py::test_verdict_and_interval_agree_whatever_the_scores",
    "tests/bootstrap/test_resampled_mean.py::test_a_few_large_losses_among_small_ones*",
    "tests/bootstrap/test_resampled_mean.py::test_a_million_losses_keep_inside_one_block",
    "tests/studies/test_resampling_studies.py::*",
    "tests/metrics/test_shares.py::test_it_covers_where_the_machines_own_mean_does_not*",
    "tests/tools/test_sources.py::test_every_place_exists_and_says_what_it_should?survey?",
    "tests/tools/test_student.py::test_the_search_finds_what_it_looks_for*",
    "tests/studies/test_studies.py::test_a_line_that_another_process_is_writing_is_not_cut",
    "tests/tools/test_tasks.py::test_a_job_of_the_page_is_three_lines_and_says_something?An int*",
    "tests/bounds/test_watch.py::test_peeking_by_all_sequences*",
    "tests/bounds/test_watch.py::test_the_stored_study_says_what_the_chapter_says",
    "tests/book/test_words.py::test_no_english_sentence_of_the_table_is_left_in_german",
    "tests/test_work.py::test_one_worker_starts_no_pool",
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


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among modules and tests: all of them stay, and each look is at all."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    """Close the figures of a test, a doctest included, where it drew any."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
