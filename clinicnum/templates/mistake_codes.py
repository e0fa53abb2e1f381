"""A template's tree with one thing wrong, and the taxonomy codes of such mistakes."""

from dataclasses import dataclass

from clinicnum.templates.tree import RootNode

WRONG_RECORD = "contextual_inconsistency.wrong_record"
WRONG_VITAL = "contextual_inconsistency.wrong_vital"
NEGATION_MISSED = "contextual_inconsistency.negation_missed"
WRONG_FORMULA = "causal_reasoning.wrong_formula"
WRONG_COMPARATOR = "causal_reasoning.wrong_comparator"
PREMATURE_ROUNDING = "causal_reasoning.premature_rounding"
MISSED_RECORD = "omission.missed_record"
MISSED_STEP = "omission.missed_step"
UNIT = "format_mismatch.unit"

OF_READING = frozenset({WRONG_RECORD, WRONG_VITAL, WRONG_FORMULA})


@dataclass(frozen=True, slots=True)
class WrongTree:
    """A template's tree with one thing wrong."""

    rule: str
    code: str
    tree: RootNode
    telling: bool = True
    """Where it is a mistake of reading and gives the gold, the instance does not discriminate it (V7)."""
