"""A template's tree with a single mistake, and the mistake's taxonomy code."""

from dataclasses import dataclass

from clinicnum.taxonomy_codes import WRONG_FORMULA, WRONG_RECORD, WRONG_VITAL
from clinicnum.templates.tree import RootNode

READING_MISTAKES = frozenset({WRONG_RECORD, WRONG_VITAL, WRONG_FORMULA})


@dataclass(frozen=True, slots=True)
class WrongTree:
    """A template's tree with a single mistake."""

    rule: str
    code: str
    tree: RootNode
    telling: bool = True
    """Whether the mistake is one of reading: if it gives the gold, V7 flags the instance."""
