"""Which explanation belongs to which table of a report."""

from collections.abc import Mapping

from clinicnum.annotations.explanations.all_explanations import EXPLANATIONS
from clinicnum.annotations.explanations.explanation import Explanation

_TABLES: Mapping[str, tuple[str, ...]] = {
    "accuracy": ("models", "accuracy", "accuracy_main"),
    "baselines": ("baselines",),
    "verdicts": ("verdicts",),
    "score_statuses": ("score_statuses",),
    "answer_parts": ("answer_parts",),
    "representation_differences": ("accuracy_differences",),
    "model_differences": ("model_differences",),
    "flips": ("robustness_flips", "robustness_flips_by_dimension"),
    "calibration": ("calibration", "calibration_bins"),
    "failure_shares": ("failure_shares",),
    "harm": ("harm", "failure_rates"),
    "severity": ("severity", "severe_errors", "severe_concentration"),
    "failure_classes": ("classes_by_item_kind",),
    "label_counts": ("taxonomy_codes",),
    "signatures": ("signatures",),
    "advice_stages": ("advice_stages",),
    "agreement": ("agreement_summary", "custom_agreement"),
    "agreement_weighted": ("agreement_weighted",),
    "agreement_pairs": ("agreement_pairs",),
    "agreement_intervals": ("agreement_other_intervals",),
    "agreement_words": ("agreement_strength",),
    "blind": ("blind_changes", "blind_transitions"),
    "consensus": ("consensus_settled", "consensus_differs"),
    "adjudication": ("adjudication_due", "adjudicated"),
    "consensus_protocols": ("consensus_protocols",),
    "against_others": ("annotators_against_others",),
    "annotator_confusion": ("annotators_confusion",),
    "annotator_time": ("annotators_time",),
    "drift": ("annotators_drift",),
    "repeats": ("annotators_repeats",),
    "controls": ("annotators_controls",),
    "scorer": ("scorer_rates",),
    "scorer_counts": ("scorer_against_consensus",),
    "planner": ("planner",),
    "contests": ("contests", "accuracy_after_contests", "invalidated", "contest_conflicts"),
    "template_health": ("template_health",),
    "custom_fields": ("custom_answers", "custom_numbers"),
    "criteria": ("criteria_scores",),
    "decided_answers": ("decided_shares", "decided_numbers", "decided_questions"),
    "grras": ("grras",),
    "unsaid": ("unsaid",),
    "provenance": ("counts", "template_versions", "provenance", "studies"),
    "ratings_means": ("ratings_means",),
    "ratings_points": ("ratings_points",),
    "ratings_differences": ("ratings_differences",),
    "ratings_agreement": ("ratings_agreement", "ratings_repeats"),
    "claims": ("claims_models", "claims_per_answer"),
    "claims_differences": ("claims_differences",),
    "claims_agreement": ("claims_agreement", "claims_repeats"),
    "strengths": ("pairwise_strengths",),
    "win_rates": ("pairwise_pairs",),
    "position": ("pairwise_position",),
    "preference_agreement": ("pairwise_agreement",),
}
"""Key -> ids of tables."""
_BEGINNINGS: tuple[tuple[str, str], ...] = (
    ("leaderboard", "leaderboard"),
    ("accuracy_by_", "accuracy_by_kind"),
    ("accuracy_", "accuracy_by_kind"),
    ("classes_by_", "failure_classes"),
    ("taxonomy_by_", "label_counts"),
    ("robustness_", "variant_effects"),
    ("dawid_skene_", "dawid_skene"),
    ("suggestions_", "suggestions"),
    ("criteria_", "criteria_agreement"),
    ("agreement_", "coefficients"),
)
"""(beginning of the ids of tables, key), for tables that are not in `_TABLES`; the first that fits counts."""
_OF_TABLE = {table: key for key, tables in _TABLES.items() for table in tables}
_OF_SECTION: Mapping[str, str] = {
    "paper_tables": "paper_tables",
    "discordant": "discordant",
    "examples": "examples",
}
"""Sections whose figures all have the same explanation."""
_OF_KEY_FIGURE: Mapping[str, str] = {
    "consensus_settled": "failures_found",
    "Right, but not in the asked form": "verdicts",
}
"""Label of a figure at the head of the report, or its table -> key, where it is not that of the table."""


def table_explanation(table_id: str, section_id: str = "") -> Explanation:
    """The explanation of a table of a report. Raises KeyError, with the table's id, if it has none."""
    if section_id in _OF_SECTION:
        return EXPLANATIONS[_OF_SECTION[section_id]]
    if table_id in _OF_TABLE:
        return EXPLANATIONS[_OF_TABLE[table_id]]
    return EXPLANATIONS[next((key for start, key in _BEGINNINGS if table_id.startswith(start)), table_id)]


def section_explanation(section_id: str) -> Explanation | None:
    """The explanation of what a section shows beside its tables; None if it shows nothing else."""
    key = _OF_SECTION.get(section_id)
    return EXPLANATIONS[key] if key else None


def key_figure_explanation(label: str, table_id: str | None) -> Explanation | None:
    """The explanation of a figure at the head of the report; None for one without a table."""
    if table_id is None:
        return None
    key = _OF_KEY_FIGURE.get(label) or _OF_KEY_FIGURE.get(table_id)
    return EXPLANATIONS[key] if key else table_explanation(table_id)
