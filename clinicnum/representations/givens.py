"""Givens: facts that a question needs and that are not vital signs, written below the records."""

import random
from collections.abc import Sequence

from clinicnum.types import Given, RepresentationName

TABLE_HEAD = ("| given | value |", "|---|---|")
PROSE_OPENING = "Throughout these records:"
NOTE_OPENINGS = ("Throughout these records:", "Throughout:")


def render_givens(givens: Sequence[Given], name: RepresentationName, seed: str) -> str:
    """The block below the records, without a leading line break; empty without givens.

    Styles do not apply: they are about vitals, and a weight without its unit is ambiguous.
    """
    if not givens:
        return ""
    shown = [(g.name, g.value if g.unit is None else f"{g.value} {g.unit}") for g in givens]
    if name == "structured":
        return "\n".join(["", *TABLE_HEAD, *(f"| {label} | {value} |" for label, value in shown)])
    opening = PROSE_OPENING
    if name == "note":
        opening = random.Random(f"givens:{seed}").choice(NOTE_OPENINGS)  # noqa: S311  wording, not secrets
    return f"{opening} {'; '.join(f'{label}: {value}' for label, value in shown)}."
