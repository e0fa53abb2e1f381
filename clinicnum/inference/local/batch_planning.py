"""The order in which prompts are run, and the prefixes they share.

Only the tokens of prompts matter: sorted, neighbours share the longest prefixes, and they are grouped so that
computing each group's prefix once saves the most. Groups go longest first, so that memory runs out at once or
never, and rows that run together are of like length.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

MIN_SHARED = 32
"""Fewest tokens of a shared prefix: a shorter one costs more to copy than to compute."""

WORTH = 8
"""A shared prefix must cover 1 / WORTH of the shortest prompt, as tokens after a prefix cost more."""


@dataclass
class Group:
    """Prompts with a common prefix, which is computed once for all."""

    prefix: tuple[int, ...] = ()
    """Tokens that all members share; empty if they share too little. Always shorter than any member."""
    waiting: int = 0
    """Members that have not been prefilled yet."""
    segment: Any = None
    """The computed prefix, while members wait for it."""

    def leave(self) -> None:
        """Remove a member; the last one releases the computed prefix."""
        self.waiting -= 1
        if self.waiting <= 0:
            self.segment = None


@dataclass
class Row:
    """One prompt with the tokens generated for it so far."""

    instance_id: str
    prompt: list[int]
    limit: int
    """Most tokens to generate."""
    opened: bool = False
    """Whether the prompt ends inside a thinking block."""
    seed: int = 0
    """Seed for drawing tokens."""
    group: Group = field(default_factory=Group)
    generated: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    entered: float | None = None
    """Clock at the first entry into a batch, in seconds."""

    @property
    def tokens(self) -> list[int]:
        """The tokens the model must have read before it generates the next."""
        return self.prompt + self.generated

    @property
    def length(self) -> int:
        """Number of `tokens`."""
        return len(self.prompt) + len(self.generated)

    @property
    def most(self) -> int:
        """Largest number of tokens the row can reach."""
        return len(self.prompt) + self.limit


def plan(rows: Sequence[Row], *, share: bool = True) -> list[Row]:
    """The rows in the order in which to run them, each assigned to its group; one group a row unless
    `share`.
    """
    ordered = sorted(rows, key=lambda row: row.prompt)
    common = [_common(one.prompt, other.prompt) for one, other in pairwise(ordered)]
    bounds = _partition(common) if share and ordered else [(i, i + 1) for i in range(len(ordered))]
    groups = [ordered[start:end] for start, end in bounds]
    for members in groups:
        _settle(members)
    groups.sort(key=lambda members: -max(row.length for row in members))
    return [row for members in groups for row in sorted(members, key=lambda row: -row.length)]


@dataclass
class _Node:
    """Neighbours from index `start` on that share `depth` tokens, and the best way to group them."""

    depth: int
    start: int
    saved: int
    """Prompt tokens that grouping saves."""
    parts: list[tuple[int, int]]

    def take(self, child: "_Node") -> None:
        self.saved += child.saved
        self.parts += child.parts

    def close(self, end: int) -> None:
        """Merge all prompts of this node, up to `end`, into one group if that saves more than the groups
        within it.
        """
        whole = (end - self.start - 1) * self.depth
        if self.depth >= MIN_SHARED and whole > self.saved:
            self.saved, self.parts = whole, [(self.start, end)]


def _partition(common: Sequence[int]) -> list[tuple[int, int]]:
    """Groups [start, end) of sorted prompts that save most prefill, given the tokens each shares with the
    next.

    Walks the tree of common prefixes once, leaves to root: a node is one group or the groups of its children.
    """
    stack: list[_Node] = []
    for end, shared in enumerate([*common, 0], start=1):
        last = _Node(0, end - 1, 0, [(end - 1, end)])
        while stack and stack[-1].depth > shared:
            node = stack.pop()
            node.take(last)
            node.close(end)
            last = node
        if stack and stack[-1].depth == shared:
            stack[-1].take(last)
        else:
            stack.append(_Node(shared, last.start, last.saved, list(last.parts)))
    return stack[0].parts


def _settle(members: list[Row]) -> None:
    """Assign its group to each member."""
    group = Group(waiting=len(members))
    if len(members) > 1:
        first, last = members[0].prompt, members[-1].prompt  # sorted: all others lie between the two
        shortest = min(len(row.prompt) for row in members)
        shared = min(_common(first, last), shortest - 1)
        if shared * WORTH >= shortest:
            group.prefix = tuple(first[:shared])
    for row in members:
        row.group = group


def _common(one: list[int], other: list[int]) -> int:
    """Length of the common prefix."""
    end = min(len(one), len(other))
    if one[:end] == other[:end]:
        return end
    return next(i for i in range(end) if one[i] != other[i])
