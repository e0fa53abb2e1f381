"""A piece of evidence for a cause, before it becomes a suggestion."""

from functools import cache
from typing import NamedTuple

from clinicnum.types import Vital

Place = tuple[int, Vital]
"""A cell: record, vital."""

WRONG_RECORD = "contextual_inconsistency.wrong_record"
WRONG_VITAL = "contextual_inconsistency.wrong_vital"
DISTRACTOR_USED = "contextual_inconsistency.distractor_used"
FABRICATED_VALUE = "hallucination.fabricated_value"
FABRICATED_TIME = "hallucination.fabricated_time"
UNSUPPORTED = "hallucination.unsupported_assumption"
ARITHMETIC_SLIP = "causal_reasoning.arithmetic_slip"
WRONG_FORMULA = "causal_reasoning.wrong_formula"
WRONG_COMPARATOR = "causal_reasoning.wrong_comparator"
PREMATURE_ROUNDING = "causal_reasoning.premature_rounding"
MISSED_STEP = "omission.missed_step"
MISSED_RECORD = "omission.missed_record"
PARTIAL_ANSWER = "omission.partial_answer"
FORM = "format_mismatch.not_asked_form"
PRECISION = "format_mismatch.precision"
UNIT = "format_mismatch.unit"
DATETIME_FORM = "format_mismatch.datetime_form"
FALSE_ABSTENTION = "unanswered.false_abstention"
REFUSAL = "unanswered.refusal"
EMPTY = "unanswered.empty"
TRUNCATED = "unanswered.truncated"
REPETITION = "output_error.repetition"
GARBLED = "output_error.garbled"
WRONG_LANGUAGE = "output_error.wrong_language"

_ORDER = (
    "output_error",
    "unanswered",
    FABRICATED_VALUE,
    FABRICATED_TIME,
    UNSUPPORTED,
    "hallucination",
    "contextual_inconsistency",
    "omission",
    WRONG_FORMULA,
    WRONG_COMPARATOR,
    ARITHMETIC_SLIP,
    PREMATURE_ROUNDING,
    "format_mismatch",
)
"""Read, select, rule, compute, round and unit, express: the order of the taxonomy's primary label."""


class Finding(NamedTuple):
    """One cause that something in the text or the answer speaks for."""

    code: str
    rule: str
    """What was found, in snake case: a distractor's rule, or a check of ours."""
    sentence: str
    """For a clinician."""
    spans: tuple[tuple[int, int], ...] = ()
    cells: tuple[Place, ...] = ()
    weight: int = 1
    """2: the text itself contradicts records or arithmetic; 1: the answer equals what the mistake gives, or
    the text is read as a whole."""


@cache
def place_in_order(code: str) -> int:
    """How early in the order of the primary label a code stands."""
    whole = _ORDER.index(code) if code in _ORDER else None
    group = code.partition(".")[0]
    return whole if whole is not None else _ORDER.index(group) if group in _ORDER else len(_ORDER)
