"""Which tests are slow: by folder, by what they start, and by the time that their file was seen to take."""

from pathlib import Path

import pytest

FOLDERS = ("e2e", "jobs", "packaging", "runs", "ui")
"""A server, a browser, an installation or a killed process in each test."""

STARTS = {
    *("browser", "model_programs", "model_server", "postgres_folder", "server", "small_model"),
    *("standing_server", "starter"),
}
"""Fixtures that start a program or load a model."""

TOGETHER = {
    "runs and servers of models": (
        *("runs/", "clinicnum/test_inference_openai"),
        *("test_demo.py", "test_gallery.py", "e2e/test_tutorials.py"),
    ),
    "models in the tests' process": (
        "clinicnum/test_inference_local",
        "scripts/test_imported_reports.py",
        "clinicnum/test_hidden.py",
        "clinicnum/test_token_prompts.py",
    ),
}
"""Files, by how their names begin, that one worker takes: what they start or import is there once."""

SECONDS = {
    "test_demo.py": 60,
    "test_gallery.py": 25,
    "test_upgrade_docs.py": 10,
    "test_docs_site.py": 12,
    "test_explanation_docs.py": 6,
    "docs/test_shell_blocks.py": 70,
    "docs/test_configurations.py": 2,
    "annotations/test_pairwise.py": 6,
    "db/test_claims_study.py": 8,
    "annotations/test_claims_coverage.py": 2,
    "scripts/test_claims_commands.py": 5,
    "db/test_ratings.py": 9,
    "scripts/test_ratings_commands.py": 6,
    "annotations/test_ratings.py": 2,
    "clinicnum/test_inference_local_architectures.py": 18,
    "clinicnum/test_inference_openai_faults.py": 18,
    "scripts/test_export_commands.py": 20,
    "scripts/test_report_commands.py": 11,
    "scripts/test_exported_figures.py": 9,
    "db/test_question_groups.py": 14,
    "db/test_reports_of_other_kinds.py": 25,
    "db/test_disputes.py": 15,
    "db/test_frozen_reports.py": 12,
    "fuzz/test_long_texts.py": 13,
    "db/test_releases.py": 9,
    "db/test_audit_replay.py": 11,
    "scripts/test_secrets.py": 11,
    "db/test_next_assignment.py": 11,
    "db/test_annotate.py": 7,
    "db/test_annotate_revisions.py": 8,
    "db/test_annotate_refusals.py": 4,
    "annotations/test_report_compares.py": 12,
    "annotations/test_report_true_of_data.py": 10,
    "clinicnum/test_scoring_total.py": 10,
    "clinicnum/test_inference_openai_llama.py": 10,
    "clinicnum/test_sampling.py": 10,
    "clinicnum/test_inference_local_engine.py": 8,
    "clinicnum/test_inference_local_memory.py": 5,
    "scripts/test_gpu_evidence.py": 8,
    "scripts/test_imported_reports.py": 14,
    "db/test_upgrade_each.py": 9,
    "clinicnum/test_variants.py": 20,
    "clinicnum/test_variants_context.py": 7,
    "scripts/test_study_commands.py": 9,
    "clinicnum/test_inference_local.py": 9,
    "clinicnum/test_inference_local_loading.py": 9,
    "clinicnum/test_inference_local_planning.py": 9,
    "annotations/test_report_true_of_words.py": 9,
    "annotations/test_report_true_of_figures.py": 9,
    "clinicnum/test_simulations.py": 8,
    "clinicnum/test_tables_coverage.py": 7,
    "fuzz/test_commands.py": 8,
    "annotations/test_report_true_of_imports.py": 8,
    "db/test_claims_processes.py": 8,
    "db/test_sample_project.py": 8,
    "db/test_home.py": 5,
    "fuzz/test_readers.py": 7,
    "clinicnum/test_slices_planted.py": 9,
    "clinicnum/test_share_difference.py": 9,
    "clinicnum/test_calibration.py": 7,
    "db/test_adjudicate.py": 7,
    "clinicnum/test_studio_faults.py": 7,
    "db/test_reporting.py": 7,
    "annotations/test_scorer_coverage.py": 7,
    "annotations/test_judgement.py": 7,
    "annotations/test_bundle.py": 6,
    "annotations/test_bundle_earlier_layouts.py": 4,
    "clinicnum/test_validity.py": 6,
    "clinicnum/test_gold_property.py": 6,
    "clinicnum/test_lint_variants.py": 6,
    "fuzz/test_bombs.py": 6,
    "clinicnum/test_read_texts.py": 6,
    "db/test_clock_set_back.py": 6,
    "clinicnum/test_inference_openai_reply.py": 6,
    "db/test_storing.py": 6,
    "db/test_draft_versions.py": 5,
    "clinicnum/test_lint_foreign.py": 5,
    "scripts/test_fault_commands.py": 5,
    "scripts/test_study_design_commands.py": 5,
    "db/test_upgrade_ids.py": 5,
    "clinicnum/test_inference_openai.py": 5,
    "db/test_item_drafts.py": 25,
    "db/test_item_reviews.py": 23,
    "e2e/test_item_draft_page.py": 45,
    "e2e/test_form_drafts.py": 35,
    "db/test_reviews.py": 5,
    "fuzz/test_table.py": 5,
    "clinicnum/test_variants_golds.py": 5,
    "db/test_my_work.py": 5,
    "db/test_run_work.py": 3,
    "annotations/test_formula_texts.py": 5,
    "clinicnum/test_declining.py": 5,
    "scripts/test_safety_commands.py": 5,
    "annotations/test_report_true_of_notes.py": 5,
    "annotations/test_report_true_of_rereads.py": 5,
    "db/test_left_out.py": 5,
    "db/test_troubles.py": 4,
    "db/test_release_chain.py": 4,
    "db/test_release_imports.py": 3,
    "db/test_generated_bytes.py": 4,
    "annotations/test_report.py": 4,
    "db/test_upgrade.py": 4,
    "db/test_blinding.py": 4,
    "db/test_labelled_failures.py": 4,
    "scripts/test_release_commands.py": 4,
    "clinicnum/test_diagnosis_trace.py": 4,
    "annotations/test_report_elsewhere.py": 4,
    "annotations/test_agreement_degenerate.py": 4,
    "annotations/test_exports.py": 4,
    "annotations/test_following.py": 4,
    "annotations/test_report_size.py": 4,
    "annotations/test_agreement.py": 4,
    "clinicnum/test_proof.py": 4,
    "clinicnum/test_records_csv.py": 4,
    "annotations/test_report_true_of_choice.py": 4,
    "annotations/test_report_true_of_counts.py": 4,
    "db/test_study.py": 2,
    "db/test_study_guideline_and_taxonomy.py": 2,
    "test_add_a_template.py": 4,
    "clinicnum/test_lint_own.py": 3,
    "db/test_contests.py": 3,
    "clinicnum/test_generate_golds.py": 3,
    "db/test_live_agreement.py": 3,
    "scripts/test_credentialed_chain.py": 3,
    "db/test_audit_anchors.py": 3,
    "db/test_label_changes.py": 3,
    "annotations/test_report_true_of_decisions.py": 3,
    "clinicnum/test_variants_extended.py": 3,
    "clinicnum/test_extended_recomputed.py": 3,
    "clinicnum/test_imports_labels.py": 3,
    "clinicnum/test_inference_merging.py": 3,
    "clinicnum/test_clinical_sense.py": 3,
    "clinicnum/test_latent.py": 3,
    "clinicnum/test_lint_files.py": 3,
    "clinicnum/test_diagnosis_planted.py": 3,
    "clinicnum/test_paired.py": 3,
    "annotations/test_assignment.py": 3,
    "annotations/test_report_true_of_parts.py": 3,
    "annotations/test_report_true_of_sources.py": 3,
    "clinicnum/test_read_perturbed.py": 3,
    "db/test_study_changes.py": 3,
    "test_cli.py": 3,
    "clinicnum/test_hidden.py": 2,
    "db/test_users.py": 2,
    "clinicnum/test_inference_local_texts.py": 2,
    "clinicnum/test_studio_trial.py": 2,
    "annotations/test_agreement_coverage.py": 2,
    "clinicnum/test_records_synthetic.py": 2,
    "db/test_drafts.py": 2,
    "clinicnum/test_imports_generations.py": 2,
    "clinicnum/test_group.py": 2,
    "clinicnum/test_imports_items.py": 2,
    "clinicnum/test_imported_variants.py": 3,
    "annotations/test_report_release.py": 2,
    "clinicnum/test_public_names.py": 2,
    "clinicnum/test_studio_difference.py": 2,
    "clinicnum/test_generate.py": 2,
    "clinicnum/test_studio_reading.py": 2,
    "clinicnum/test_extended_bank.py": 2,
    "clinicnum/test_generate_command.py": 2,
    "annotations/test_report_consensus.py": 2,
    "annotations/test_agreement_details.py": 2,
    "annotations/test_report_suppression.py": 2,
    "annotations/test_report_reliability.py": 2,
}
"""Files that take more than two seconds of one core, and what they take; with torch, its import too."""

TESTS = Path(__file__).parent


def is_slow_file(path: Path) -> bool:
    """Whether all of a file or folder is slow."""
    place = path.relative_to(TESTS)
    return place.parts[:1] != () and (place.parts[0] in FOLDERS or place.as_posix() in SECONDS)


def is_slow(item: pytest.Item) -> bool:
    """Whether a test is slow: its file is, or it asks for something that is."""
    asked = set(getattr(item, "fixturenames", ()))
    parameters = getattr(item, "callspec", None)
    on_postgresql = parameters is not None and parameters.params.get("database_url") == "postgresql"
    return is_slow_file(item.path) or on_postgresql or bool(asked & STARTS)


def taken_together(place: str) -> str:
    """What the worker that takes a file takes as well: a name of `TOGETHER`, or the file alone."""
    return next((name for name, files in TOGETHER.items() if place.startswith(files)), place)


def longest_first(item: pytest.Item) -> int:
    """Sorts files so that none of the long ones is begun last, while other workers have nothing left."""
    place = item.path.relative_to(TESTS)
    if taken_together(place.as_posix()) in TOGETHER:
        return -2000
    return -SECONDS.get(place.as_posix(), 1000 if place.parts[0] in FOLDERS else 0)
