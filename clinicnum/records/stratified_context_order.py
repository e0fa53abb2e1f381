"""Stratified order of contexts: every record count, gender and age group comes early and in turn."""

import random
from collections import defaultdict
from collections.abc import Sequence

from clinicnum.records.loaded_records import Context

COUNT_EDGES = (2, 4, 6, 10)
AGE_EDGES = (40, 65, 80)


def stratified_order(contexts: Sequence[Context], seed: str) -> list[int]:
    """Indices of all contexts, shuffled within strata; the strata take turns."""
    rng = random.Random(seed)  # noqa: S311  reproducible sampling, not secrets
    strata: dict[tuple[int, str, int], list[int]] = defaultdict(list)
    for index, context in enumerate(contexts):
        strata[_stratum(context)].append(index)
    piles = [strata[key] for key in sorted(strata)]
    for pile in piles:
        rng.shuffle(pile)
    rng.shuffle(piles)
    order: list[int] = []
    while piles:
        order.extend(pile.pop() for pile in piles)
        piles = [pile for pile in piles if pile]
    return order


def _stratum(context: Context) -> tuple[int, str, int]:
    first = context[0]
    age = -1 if first.age_years is None else sum(first.age_years >= edge for edge in AGE_EDGES)
    return sum(len(context) > edge for edge in COUNT_EDGES), first.gender or "", age
