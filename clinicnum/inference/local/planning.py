"""In which order prompts are run, and what they share.

Prompts are told apart by their tokens alone: sorted, neighbours share the longest prefixes, and a group is
formed as long as one more member saves more prefill than the prefix it shortens costs. Groups go longest
first, so that memory runs out at once or never, and rows that run together are of like length.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MIN_SHARED = 32
"""Tokens: a shorter prefix costs more to copy than to compute."""


@dataclass
class Group:
    """Prompts that begin alike."""

    prefix: tuple[int, ...] = ()
    """Tokens that all members share; empty if they share too little. Always shorter than any member."""
    waiting: int = 0
    """Members that have not been prefilled yet."""
    segment: Any = None
    """The computed prefix, while members wait for it."""

    def leave(self) -> None:
        """A member waits no longer; the last one takes the computed prefix away."""
        self.waiting -= 1
        if self.waiting <= 0:
            self.segment = None


@dataclass
class Row:
    """One prompt on its way to a completion."""

    instance_id: str
    prompt: list[int]
    limit: int
    """Most tokens to generate."""
    opened: bool = False
    """Whether the prompt ends inside a thinking block."""
    group: Group = field(default_factory=Group)
    generated: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    entered: float | None = None
    """Clock at the first entry into a batch, in seconds."""

    @property
    def tokens(self) -> list[int]:
        """What the model must have read before it writes on."""
        return self.prompt + self.generated

    @property
    def length(self) -> int:
        """Number of `tokens`."""
        return len(self.prompt) + len(self.generated)

    @property
    def most(self) -> int:
        """Tokens it may come to."""
        return len(self.prompt) + self.limit


def plan(rows: Sequence[Row], *, share: bool = True) -> list[Row]:
    """The rows in the order to run them, each with its group set."""
    groups: list[list[Row]] = []
    shared = 0
    for row in sorted(rows, key=lambda row: row.prompt):
        if share and groups:
            with_it = _common(groups[-1][0].prompt, row.prompt, shared or None)
            many = len(groups[-1])
            if with_it >= MIN_SHARED and many * with_it > (many - 1) * shared:
                groups[-1].append(row)
                shared = with_it
                continue
        groups.append([row])
        shared = 0
    for members in groups:
        _settle(members)
    groups.sort(key=lambda members: -max(row.length for row in members))
    return [row for members in groups for row in sorted(members, key=lambda row: -row.length)]


def _settle(members: list[Row]) -> None:
    """Give the members their group."""
    group = Group(waiting=len(members))
    if len(members) > 1:
        first, last = members[0].prompt, members[-1].prompt  # sorted: all others lie between the two
        group.prefix = tuple(first[: _common(first, last, min(len(row.prompt) for row in members) - 1)])
    for row in members:
        row.group = group


def _common(one: list[int], other: list[int], most: int | None) -> int:
    """Length of the common prefix, at most `most`."""
    end = min(len(one), len(other)) if most is None else min(most, len(one), len(other))
    if one[:end] == other[:end]:
        return end
    return next(i for i in range(end) if one[i] != other[i])
