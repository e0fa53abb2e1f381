"""A piece of evidence for a cause, before it becomes a suggestion."""

from functools import cache
from typing import NamedTuple

from clinicnum.taxonomy_codes import (
    ARITHMETIC_SLIP,
    CONTEXTUAL_INCONSISTENCY,
    FABRICATED_TIME,
    FABRICATED_VALUE,
    FORMAT_MISMATCH,
    HALLUCINATION,
    OMISSION,
    OUTPUT_ERROR,
    PREMATURE_ROUNDING,
    UNANSWERED,
    UNSUPPORTED_ASSUMPTION,
    WRONG_COMPARATOR,
    WRONG_FORMULA,
)
from clinicnum.types import Vital

Place = tuple[int, Vital]
"""A cell: record, vital."""

_ORDER = (
    OUTPUT_ERROR,
    UNANSWERED,
    FABRICATED_VALUE,
    FABRICATED_TIME,
    UNSUPPORTED_ASSUMPTION,
    HALLUCINATION,
    CONTEXTUAL_INCONSISTENCY,
    OMISSION,
    WRONG_FORMULA,
    WRONG_COMPARATOR,
    ARITHMETIC_SLIP,
    PREMATURE_ROUNDING,
    FORMAT_MISMATCH,
)
"""The order of the taxonomy's primary label: read, select, rule, compute, round and unit, express."""


class Finding(NamedTuple):
    """A cause that something in the text or the answer supports."""

    code: str
    rule: str
    """The name of what was found, in snake case: a distractor's rule, or a check of the trace."""
    sentence: str
    """The explanation for a clinician."""
    spans: tuple[tuple[int, int], ...] = ()
    cells: tuple[Place, ...] = ()
    weight: int = 1
    """2 if the text itself contradicts records or arithmetic; 1 if the answer equals that of a mistake, or
    the finding concerns the text as a whole."""


@cache
def place_in_order(code: str) -> int:
    """Rank of a taxonomy code in the order by which a primary label is chosen."""
    whole = _ORDER.index(code) if code in _ORDER else None
    group = code.partition(".")[0]
    return whole if whole is not None else _ORDER.index(group) if group in _ORDER else len(_ORDER)
