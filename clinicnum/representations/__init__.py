"""Representations of records, one file each. Each shows the same records: every time in full, every vital or
that it is not documented, temperature with one decimal, one unit per vital.

Text is a function of records, givens, representation, seed, style and frame alone.
"""

from collections.abc import Sequence

from clinicnum.representations import note, structured, templated
from clinicnum.representations.givens import render_givens
from clinicnum.representations.note_frames import Frame
from clinicnum.representations.record_text import Written, write
from clinicnum.representations.style_options import BASE, Style
from clinicnum.types import Given, Record, RepresentationName

__all__ = [
    "BASE",
    "Frame",
    "Style",
    "Written",
    "render_context",
    "render_givens",
    "render_records",
    "render_written",
    "write",
]


def render_context(
    records: Sequence[Record],
    givens: Sequence[Given],
    name: RepresentationName,
    seed: str,
    style: Style = BASE,
    frame: Frame | None = None,
) -> str:
    """Records, which must be in order of time, and givens as one text; a frame applies to notes only."""
    shown = render_records(records, name, seed, style, frame)
    return f"{shown}\n{render_givens(givens, name, seed)}" if givens else shown


def render_records(
    records: Sequence[Record],
    name: RepresentationName,
    seed: str,
    style: Style = BASE,
    frame: Frame | None = None,
) -> str:
    """The part of `render_context` on the records, without givens."""
    return render_written(write(records), name, seed, style, frame)


def render_written(
    texts: Sequence[Written],
    name: RepresentationName,
    seed: str,
    style: Style = BASE,
    frame: Frame | None = None,
) -> str:
    """As `render_records`, from the texts that `write` made of the records; representations can share
    these.
    """
    if name == "note":
        return note.render(texts, seed, style, frame)
    render = structured.render if name == "structured" else templated.render
    return render(texts, seed, style)
