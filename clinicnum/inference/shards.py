"""Divide the instances of a run among several processes (ranks), and name their files.

Every rank computes the same shares from the benchmark alone, so no rank waits for another. Instances with the
same context stay together, because a client computes a shared context once; the shares cost about the same.
"""

import re
from collections.abc import Sequence
from heapq import heapify, heapreplace
from pathlib import Path
from typing import NamedTuple

from clinicnum.inference.benchmark_index import PromptLengths

CHARACTERS_PER_TOKEN = 4
"""Of English text; tables of numbers have fewer. Only proportions matter here."""
NEW_TOKEN_COST = 4
"""Cost of a generated token in prompt tokens: what two CPU cores took for SmolLM2-135M in batches of 16."""
_PIECES = 4
"""A context's group is split if it exceeds 1 / _PIECES of a rank's share."""


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


def prompt_cost(characters: int, max_new_tokens: int) -> float:
    """Approximate work for a prompt of so many characters, in prompt tokens."""
    return characters / CHARACTERS_PER_TOKEN + NEW_TOKEN_COST * max_new_tokens


def share_of(lengths: PromptLengths, places: Sequence[int], part: Part, *, max_new_tokens: int) -> list[int]:
    """Those of `places`, the positions of instances in the benchmark, that this rank runs, in the order
    given.

    The shares of all ranks are the whole, without overlap. Deterministic: the costliest group goes first,
    each to the rank that has least so far.
    """
    groups = _groups(lengths, places, part.world, max_new_tokens)
    loads = [(0.0, rank) for rank in range(part.world)]
    heapify(loads)
    mine: set[int] = set()
    for cost, group in sorted(groups, key=lambda group: (-group[0], group[1][0])):
        load, rank = loads[0]
        heapreplace(loads, (load + cost, rank))
        if rank == part.rank:
            mine.update(group)
    return [place for place in places if place in mine]


def _groups(
    lengths: PromptLengths, places: Sequence[int], world: int, max_new_tokens: int
) -> list[tuple[float, list[int]]]:
    """(cost, places) of each group that shares a context; large groups are split."""
    by_context: dict[int, list[int]] = {}
    for place in places:
        by_context.setdefault(lengths.contexts[place], []).append(place)
    total = sum(_group_cost(lengths, group, max_new_tokens) for group in by_context.values())
    largest = total / world / _PIECES
    groups = []
    for group in by_context.values():
        cost = _group_cost(lengths, group, max_new_tokens)
        size = max(1, int(len(group) * largest / cost)) if cost > largest else len(group)
        for start in range(0, len(group), size):
            piece = group[start : start + size]
            groups.append((_group_cost(lengths, piece, max_new_tokens), piece))
    return groups


def _group_cost(lengths: PromptLengths, group: Sequence[int], max_new_tokens: int) -> float:
    """The cost of a group, in which the context is computed once."""
    apart = sum(prompt_cost(lengths.of_prompt[place], max_new_tokens) for place in group)
    return apart - (len(group) - 1) * lengths.of_context[group[0]] / CHARACTERS_PER_TOKEN
