"""Implausible active times: longer in total, after an annotator's first save, than the time up to the last
save.
"""

from collections.abc import Iterable
from typing import NamedTuple

from clinicnum.annotations.types import Annotation


class Overrun(NamedTuple):
    """An annotator's measured active time that exceeds the time in which it was spent; both in seconds."""

    active: float
    """Total active time of all judgements but the one that was saved first."""
    span: float
    """From the first save to the last."""


def overruns(chosen: Iterable[Annotation], revisions: Iterable[Annotation]) -> dict[str, Overrun]:
    """Annotator -> overrun, for those whose active time is longer than the time from first to last save.

    The active time of the judgement that was saved first is left out: most of it was before that save.
    """
    by_annotator: dict[str, list[Annotation]] = {}
    for one in chosen:
        by_annotator.setdefault(one.annotator_id, []).append(one)
    first = {who: min(mine, key=lambda one: one.created_at) for who, mine in by_annotator.items()}
    keys = {(one.generation_id, one.annotator_id) for mine in by_annotator.values() for one in mine}
    for one in revisions:
        counts = one.round == "main" and (one.generation_id, one.annotator_id) in keys
        if counts and one.created_at < first[one.annotator_id].created_at:
            first[one.annotator_id] = one
    found = {}
    for who, mine in by_annotator.items():
        begun = first[who]
        active = sum(one.active_ms for one in mine if one.generation_id != begun.generation_id) / 1000
        span = (max(one.created_at for one in mine) - begun.created_at).total_seconds()
        if active > span:
            found[who] = Overrun(active, span)
    return found
