"""Divide the instances of a run among several processes (ranks), and name their files.

Every rank computes the same shares from the benchmark alone, so no rank waits for another. Instances with the
same context stay together, because a client computes a shared context once; the shares cost about the same.
"""

import re
from collections.abc import Iterable, Sequence
from heapq import heapify, heapreplace
from pathlib import Path
from typing import NamedTuple

from clinicnum.types import Instance

CHARACTERS_PER_TOKEN = 4
"""Of English text; tables of numbers have fewer. Only proportions matter here."""
NEW_TOKEN_COST = 4
"""Cost of a generated token in prompt tokens: what two CPU cores took for SmolLM2-135M in batches of 16."""
_PIECES = 4
"""A group of one context is split if it exceeds this part of a rank's share."""


class Part(NamedTuple):
    """One of several processes of a run."""

    rank: int
    """The process's index, from 0."""
    world: int
    """Number of processes."""

    def __str__(self) -> str:
        return f"rank {self.rank} of {self.world}"


def shard_path(out: Path, part: Part) -> Path:
    """The file of a rank: `generations.rank-0-of-2.jsonl` beside `generations.jsonl`."""
    return out.with_name(f"{out.stem}.rank-{part.rank}-of-{part.world}{out.suffix}")


def find_shards(out: Path) -> list[tuple[Part, Path]]:
    """The shards beside `out`, including those with only a meta file left, by number of ranks and rank."""
    if not out.parent.is_dir():
        return []
    name = re.compile(
        re.escape(out.stem) + r"\.rank-(\d+)-of-(\d+)" + re.escape(out.suffix) + r"(?:\.meta\.json)?"
    )
    found = (name.fullmatch(path.name) for path in out.parent.iterdir())
    parts = {Part(int(match[1]), int(match[2])) for match in found if match}
    return [(part, shard_path(out, part)) for part in sorted(parts, key=lambda p: (p.world, p.rank))]


def prompt_cost(instance: Instance, max_new_tokens: int) -> float:
    """Approximate work for an instance, in prompt tokens."""
    text = len(instance.context) + len(instance.question)
    return text / CHARACTERS_PER_TOKEN + NEW_TOKEN_COST * max_new_tokens


def share_of(instances: Iterable[Instance], part: Part, *, max_new_tokens: int) -> list[Instance]:
    """The instances of this rank, in the order given.

    The shares of all ranks are the whole, without overlap. Deterministic: the costliest group goes first,
    each to the rank that has least so far.
    """
    given = list(instances)
    groups = _groups(given, part.world, max_new_tokens)
    loads = [(0.0, rank) for rank in range(part.world)]
    heapify(loads)
    mine: set[int] = set()
    for cost, places in sorted(groups, key=lambda group: (-group[0], group[1][0])):
        load, rank = loads[0]
        heapreplace(loads, (load + cost, rank))
        if rank == part.rank:
            mine.update(places)
    return [instance for place, instance in enumerate(given) if place in mine]


def _groups(instances: Sequence[Instance], world: int, max_new_tokens: int) -> list[tuple[float, list[int]]]:
    """(cost, indices in `instances`) of each group that shares a context; large groups are split."""
    by_context: dict[str, list[int]] = {}
    for place, instance in enumerate(instances):
        by_context.setdefault(instance.context, []).append(place)
    total = sum(_group_cost([instances[i] for i in places], max_new_tokens) for places in by_context.values())
    largest = total / world / _PIECES
    groups = []
    for places in by_context.values():
        cost = _group_cost([instances[i] for i in places], max_new_tokens)
        size = max(1, int(len(places) * largest / cost)) if cost > largest else len(places)
        for start in range(0, len(places), size):
            piece = places[start : start + size]
            groups.append((_group_cost([instances[i] for i in piece], max_new_tokens), piece))
    return groups


def _group_cost(group: Sequence[Instance], max_new_tokens: int) -> float:
    """The cost of a group, in which the context is computed once."""
    apart = sum(prompt_cost(instance, max_new_tokens) for instance in group)
    return apart - (len(group) - 1) * len(group[0].context) / CHARACTERS_PER_TOKEN
