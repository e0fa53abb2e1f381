"""The facets of generations: their names, titles, the order of their values, and the bands of numbers."""

from bisect import bisect_right
from typing import get_args

from clinicnum.annotations.judgement import SEVERITIES
from clinicnum.stats.accuracy import STATUSES
from clinicnum.translatable_text import Translatable
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Vital

OTHER_DIMENSION = "dimension"
"""Facet of the dimensions (`clinicnum.item_dimensions`) without one of their own: `name: value`."""
TITLES: dict[str, str] = {
    "headline": Translatable("Counts in the accuracy"),
    "run": Translatable("Run"),
    "model": Translatable("Model"),
    "operation": Translatable("Operation"),
    "representation": Translatable("Representation"),
    "template": Translatable("Template"),
    "steps": Translatable("Steps of the calculation"),
    "variant": Translatable("Variant"),
    "vital": Translatable("Vital signs asked about"),
    "answer_type": Translatable("Kind of answer"),
    "correct": Translatable("Right or wrong"),
    "status": Translatable("Score"),
    "strict": Translatable("Right in the form asked for"),
    "form": Translatable("Form of the answer"),
    "finish_reason": Translatable("Why the text ended"),
    "cause": Translatable("Suggested cause"),
    "label": Translatable("Label"),
    "severity": Translatable("Severity"),
    "confidence": Translatable("The model's confidence"),
    "context_length": Translatable("Context length (characters)"),
    "records": Translatable("Number of records"),
    "patient": Translatable("Patient"),
    "gender": Translatable("Gender"),
    "age": Translatable("Age (years)"),
    "flag": Translatable("Flags"),
    "tag": Translatable("Tags"),
    "task": Translatable("Task"),
    "category": Translatable("Category"),
    "condition": Translatable("Condition"),
    "turn": Translatable("Turn"),
    "language": Translatable("Language"),
    "difficulty": Translatable("Difficulty"),
    "specialty": Translatable("Specialty"),
    "calculator": Translatable("Calculator"),
    "output_type": Translatable("Kind of result"),
    "note_type": Translatable("Kind of note"),
    "error_type": Translatable("Kind of error"),
    "source": Translatable("Source"),
    OTHER_DIMENSION: Translatable("Other dimensions"),
}
VITALS: dict[str, str] = {
    "temperature_c": Translatable("temperature"),
    "heart_rate_bpm": Translatable("heart rate"),
    "resp_rate_bpm": Translatable("respiratory rate"),
    "spo2_pct": Translatable("SpO₂"),
    "sbp_mmhg": Translatable("systolic pressure"),
    "dbp_mmhg": Translatable("diastolic pressure"),
    "pain": Translatable("pain"),
}
"""Vital sign -> its words, in display order."""
MADE_ELSEWHERE = "made_elsewhere"
"""In place of the vital signs that a question made elsewhere asks about, which its source does not state."""
VITAL_VALUES: dict[str, str] = {**VITALS, MADE_ELSEWHERE: Translatable("not known: made elsewhere")}
OUTCOMES = frozenset({"correct", "status", "strict", "form", "finish_reason", "cause", "label", "severity"})
"""Facets that say how an answer turned out. They choose a slice, but explain no failure."""

NO_FAILURE = "no_failure"
"""The label of an answer that people judged not to be a failure."""


def bands(*starts: int) -> tuple[str, ...]:
    """Names of whole-number bands that begin at these numbers: `0-4`, `5-9`, `10+`."""
    ends = [start - 1 for start in starts[1:]]
    closed = (
        str(low) if low == high else f"{low}-{high}" for low, high in zip(starts[:-1], ends, strict=True)
    )
    return (*closed, f"{starts[-1]}+")


LENGTHS = (0, 500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 16000)
RECORDS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20)
AGES = (0, 18, 40, 60, 80)
CONFIDENCES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
STEPS = (0, 1, 2, 3, 4, 5)
_CONFIDENCE_NAMES = tuple(
    f"{low:g}-{high:g}" for low, high in zip(CONFIDENCES, (*CONFIDENCES[1:], 1.0), strict=True)
)
BANDS: dict[str, tuple[tuple[float, ...], tuple[str, ...]]] = {
    "context_length": (LENGTHS, bands(*LENGTHS)),
    "records": (RECORDS, bands(*RECORDS)),
    "age": (AGES, bands(*AGES)),
    "confidence": (CONFIDENCES, _CONFIDENCE_NAMES),
    "steps": (STEPS, bands(*STEPS)),
}
"""Numeric facet -> (where each band begins, the bands' names), in ascending order."""
ORDERS: dict[str, tuple[str, ...]] = {
    "headline": ("yes", "no"),
    "correct": ("yes", "no"),
    "strict": ("yes", "no"),
    "operation": (*OPERATIONS, "external"),
    "representation": (*REPRESENTATIONS, "external"),
    "variant": ("",),
    "vital": get_args(Vital),
    "status": STATUSES,
    "severity": SEVERITIES,
    "label": (NO_FAILURE,),
    **{name: names for name, (_, names) in BANDS.items()},
}
"""Facet -> the values listed first, in this order."""


def band(facet: str, number: float | None) -> str:
    """Name of the band of a numeric facet that holds a number, such as `18-39`; "" for None."""
    if number is None:
        return ""
    starts, names = BANDS[facet]
    return names[max(0, bisect_right(starts, number) - 1)]
