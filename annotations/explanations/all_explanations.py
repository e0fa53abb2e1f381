"""Every explanation by its key."""

from collections.abc import Mapping

from clinicnum.annotations.explanations.accuracy import ACCURACY
from clinicnum.annotations.explanations.agreement import AGREEMENT
from clinicnum.annotations.explanations.consensus import CONSENSUS
from clinicnum.annotations.explanations.criteria_ratings_claims_pairwise import KINDS_OF_STUDY
from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.annotations.explanations.failures import FAILURES
from clinicnum.annotations.explanations.figures_on_pages_only import WORK_IN_PROGRESS
from clinicnum.translatable_text import Translatable

GROUPS: tuple[tuple[Translatable, tuple[Explanation, ...]], ...] = (
    (Translatable("Accuracy"), ACCURACY),
    (Translatable("Failures"), FAILURES),
    (Translatable("Agreement and annotators"), AGREEMENT),
    (Translatable("Consensus, decisions and checks"), CONSENSUS),
    (Translatable("Criteria, ratings, sentences, preferences, reviews"), KINDS_OF_STUDY),
    (Translatable("Lists and work in progress"), WORK_IN_PROGRESS),
)
"""The explanations by subject, as the documentation shows them."""
EXPLANATIONS: Mapping[str, Explanation] = {one.key: one for _title, group in GROUPS for one in group}
