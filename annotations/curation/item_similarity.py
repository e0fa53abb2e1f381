"""Items of a benchmark that ask the same as a new one, or nearly the same, by their words."""

import re
from collections.abc import Iterable
from functools import lru_cache
from heapq import nlargest

from clinicnum.types import Frozen, Instance

NEAR = 0.5
"""Share of common words from which items count as similar. Our own choice."""
MOST = 5
"""Number of similar items that are shown."""
_WORD = re.compile(r"\w+")


class SimilarItem(Frozen):
    """An item of the benchmark that is worded much like the new one."""

    instance_id: str
    question: str
    score: float
    """Words in common as a share of all their words (Jaccard), from 0 to 1."""


def asked_text(item: Instance) -> str:
    """Everything that an item shows, on one line and in lower case; options in any order count alike."""
    shown = (item.context, item.question, *sorted(item.options))
    return "\0".join(" ".join(part.casefold().split()) for part in shown)


def similar_items(item: Instance, others: Iterable[Instance]) -> tuple[SimilarItem, ...]:
    """The other items that share at least NEAR of all words with an item, the most similar first; at most
    MOST.
    """
    mine = _words(asked_text(item))
    scored = ((_share(mine, _words(asked_text(one))), one) for one in others)
    near = [(score, one.instance_id, one) for score, one in scored if score >= NEAR]
    return tuple(
        SimilarItem(instance_id=key, question=one.question, score=score)
        for score, key, one in nlargest(MOST, near, key=lambda found: found[:2])
    )


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
