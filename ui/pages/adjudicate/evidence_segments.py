"""A text cut where evidence starts or ends, so that the page can mark it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

from clinicnum.annotations.adjudication import Position


def segments(
    text: str, positions: Sequence[Position], evidence: Literal["spans", "context_spans"] = "spans"
) -> list[dict[str, Any]]:
    """Split the text where the spans of this field of labels start or end.

    Each segment has its text `t` and the indices `p` of the positions that cite it. Done on the server, as
    offsets count code points and JavaScript strings count UTF-16 units.
    """
    spans = [
        (start, min(end, len(text)), place)
        for place, one in enumerate(positions)
        for label in one.judgement.labels
        for start, end in getattr(label, evidence)
        if start < len(text)
    ]
    cuts = sorted({0, len(text), *(at for start, end, _ in spans for at in (start, end))})
    return [
        {"t": text[a:b], "p": sorted({place for start, end, place in spans if start <= a and b <= end})}
        for a, b in pairwise(cuts)
    ]
