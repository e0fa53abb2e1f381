"""Where a counterfactual differs from its original: the changed places of two texts."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from clinicnum.annotations.curation.drafted_item import ChangedPlace

NEAR = 1
"""Unchanged words or signs between two changes that still count as one place, as in 120/80 and 90/50."""
_PART = re.compile(r"\d+(?:[.,]\d+)*|\w+|[^\w\s]")
_Block = tuple[int, int, int, int]
"""From and to in the old parts, from and to in the new ones."""


def changed_places(old: str, new: str) -> tuple[ChangedPlace, ...]:
    """The places at which two texts differ, in order; blanks alone are no difference."""
    before, after = list(_PART.finditer(old)), list(_PART.finditer(new))
    blocks = _near_joined(_blocks([part[0] for part in before], [part[0] for part in after]))
    return tuple(
        ChangedPlace(before=_between(old, before[a:b]), after=_between(new, after[c:d]))
        for a, b, c, d in blocks
    )


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[_Block]:
    """The differing blocks. What both begin and end with is cut off first: long notes differ in one place."""
    first, most = 0, min(len(old), len(new))
    while first < most and old[first] == new[first]:
        first += 1
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    middle = SequenceMatcher(
        None, old[first : len(old) - last], new[first : len(new) - last], autojunk=False
    ).get_opcodes()
    return [(a + first, b + first, c + first, d + first) for kind, a, b, c, d in middle if kind != "equal"]


def _near_joined(blocks: Sequence[_Block]) -> list[_Block]:
    found: list[_Block] = []
    for block in blocks:
        if found and block[0] - found[-1][1] <= NEAR:
            start = found.pop()
            block = (start[0], block[1], start[2], block[3])
        found.append(block)
    return found


def _between(text: str, parts: Sequence[re.Match[str]]) -> str:
    return text[parts[0].start() : parts[-1].end()] if parts else ""
