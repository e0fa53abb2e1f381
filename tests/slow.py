"""Which tests are slow: by folder, by what they start, and by the time that their file was seen to take."""

from pathlib import Path

import pytest

FOLDERS = ("e2e", "packaging", "runs", "ui")
"""A server, a browser, an installation or a killed process in each test."""

STARTS = {"browser", "model_server", "postgres_folder", "server", "small_model", "standing_server", "starter"}
"""Fixtures that start a program or load a model."""

SECONDS = {
    "test_demo.py": 100,
    "clinicnum/test_hidden.py": 60,
    "clinicnum/test_inference_openai_faults.py": 60,
    "scripts/test_export_commands.py": 41,
    "db/test_users.py": 36,
    "fuzz/test_long_texts.py": 33,
    "clinicnum/test_inference_local_engine.py": 32,
    "db/test_releases.py": 28,
    "db/test_upgrade_each.py": 25,
    "clinicnum/test_simulations.py": 25,
    "clinicnum/test_variants.py": 24,
    "fuzz/test_commands.py": 22,
    "db/test_draft_versions.py": 21,
    "annotations/test_report_true_of_data.py": 19,
    "db/test_troubles.py": 18,
    "fuzz/test_readers.py": 18,
    "db/test_audit_replay.py": 17,
    "scripts/test_secrets.py": 17,
    "clinicnum/test_calibration.py": 17,
    "annotations/test_report_true_of_imports.py": 17,
    "annotations/test_bundle.py": 16,
    "clinicnum/test_scoring_total.py": 16,
    "db/test_adjudicate.py": 15,
    "clinicnum/test_lint_foreign.py": 15,
    "clinicnum/test_studio_faults.py": 15,
    "db/test_reporting.py": 14,
    "clinicnum/test_validity.py": 14,
    "db/test_next_assignment.py": 13,
    "scripts/test_fault_commands.py": 13,
    "db/test_release_chain.py": 12,
    "clinicnum/test_gold_property.py": 12,
    "annotations/test_scorer_coverage.py": 12,
    "scripts/test_study_design_commands.py": 11,
    "scripts/test_study_commands.py": 11,
    "db/test_upgrade_ids.py": 11,
    "db/test_generated_bytes.py": 11,
    "clinicnum/test_lint_variants.py": 10,
    "clinicnum/test_inference_openai_llama.py": 10,
    "clinicnum/test_lint_own.py": 10,
    "clinicnum/test_inference_local.py": 10,
    "clinicnum/test_inference_local_loading.py": 9,
    "clinicnum/test_inference_local_planning.py": 9,
    "clinicnum/test_inference_openai.py": 9,
    "db/test_annotate.py": 9,
    "annotations/test_report.py": 9,
    "db/test_reviews.py": 8,
    "db/test_upgrade.py": 8,
    "fuzz/test_bombs.py": 8,
    "db/test_contests.py": 8,
    "clinicnum/test_read_texts.py": 8,
    "clinicnum/test_generate_golds.py": 7,
    "db/test_live_agreement.py": 7,
    "clinicnum/test_inference_local_texts.py": 7,
    "db/test_blinding.py": 7,
    "clinicnum/test_studio_trial.py": 7,
    "db/test_labelled_failures.py": 6,
    "scripts/test_credentialed_chain.py": 6,
    "db/test_audit_anchors.py": 6,
    "fuzz/test_table.py": 6,
    "db/test_clock_set_back.py": 6,
    "annotations/test_agreement_coverage.py": 6,
    "clinicnum/test_records_synthetic.py": 6,
    "clinicnum/test_variants_golds.py": 6,
    "clinicnum/test_inference_openai_reply.py": 6,
    "db/test_drafts.py": 5,
    "clinicnum/test_imports_generations.py": 5,
    "db/test_my_work.py": 5,
    "db/test_label_changes.py": 5,
    "scripts/test_release_commands.py": 5,
    "annotations/test_formula_texts.py": 5,
    "clinicnum/test_declining.py": 5,
    "annotations/test_report_true_of_decisions.py": 5,
    "clinicnum/test_diagnosis_trace.py": 4,
    "scripts/test_safety_commands.py": 4,
    "clinicnum/test_group.py": 4,
    "clinicnum/test_imports_items.py": 4,
    "annotations/test_report_elsewhere.py": 4,
    "annotations/test_agreement_degenerate.py": 4,
    "annotations/test_exports.py": 4,
    "annotations/test_following.py": 4,
    "annotations/test_report_release.py": 4,
    "clinicnum/test_public_names.py": 4,
    "clinicnum/test_variants_extended.py": 4,
    "clinicnum/test_studio_difference.py": 4,
    "annotations/test_report_size.py": 4,
    "annotations/test_agreement.py": 4,
    "clinicnum/test_proof.py": 4,
    "clinicnum/test_records_csv.py": 4,
    "clinicnum/test_extended_recomputed.py": 3,
    "clinicnum/test_imports_labels.py": 3,
    "clinicnum/test_inference_merging.py": 3,
    "clinicnum/test_clinical_sense.py": 3,
    "clinicnum/test_latent.py": 3,
    "clinicnum/test_generate.py": 3,
    "clinicnum/test_lint_files.py": 3,
    "clinicnum/test_diagnosis_planted.py": 3,
    "clinicnum/test_paired.py": 3,
    "clinicnum/test_studio_reading.py": 3,
    "annotations/test_assignment.py": 3,
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


def longest_first(item: pytest.Item) -> int:
    """Sorts files so that none of the long ones is begun last, while other workers have nothing left."""
    place = item.path.relative_to(TESTS)
    return -SECONDS.get(place.as_posix(), 1000 if place.parts[0] in FOLDERS else 0)
