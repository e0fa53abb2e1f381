"""How records are written. Each representation shows the same records: every time in full, every vital or
that it is not documented, temperature with one decimal, one unit per vital. One file and one line here each.
"""

from collections.abc import Callable, Sequence

from clinicnum.representations import note, structured, templated
from clinicnum.representations.frames import Frame
from clinicnum.representations.givens import render_givens
from clinicnum.representations.style import BASE, Style
from clinicnum.types import Given, Record, RepresentationName

__all__ = ["BASE", "RENDERERS", "Frame", "Style", "render_context", "render_givens", "render_records"]

Render = Callable[[Sequence[Record], str], str]
"""(records in time order, seed) -> context. The seed matters only where wording varies."""

RENDERERS: dict[RepresentationName, Render] = {
    "structured": structured.render,
    "templated": templated.render,
    "note": note.render,
}


def render_context(
    records: Sequence[Record],
    givens: Sequence[Given],
    name: RepresentationName,
    seed: str,
    style: Style = BASE,
    frame: Frame | None = None,
) -> str:
    """Records and givens as one text; the same arguments give the same text."""
    shown = render_records(records, name, seed, style, frame)
    return f"{shown}\n{render_givens(givens, name, seed, style)}" if givens else shown


def render_records(
    records: Sequence[Record],
    name: RepresentationName,
    seed: str,
    style: Style = BASE,
    frame: Frame | None = None,
) -> str:
    """Records, which must be in time order, as text."""
    return RENDERERS[name](records, seed)
