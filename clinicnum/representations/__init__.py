"""How records are written. Each representation shows the same records: every time in full, every vital or
that it is not documented, temperature with one decimal, one unit per vital. One file and one line here each.
"""

from collections.abc import Callable, Sequence

from clinicnum.representations import note, structured, templated
from clinicnum.types import Record, RepresentationName

Render = Callable[[Sequence[Record], str], str]
"""(records in time order, seed) -> context. The seed matters only where wording varies."""

RENDERERS: dict[RepresentationName, Render] = {
    "structured": structured.render,
    "templated": templated.render,
    "note": note.render,
}
