"""Cache what is derived from a tree, since evaluations are frequent and trees few."""

from collections.abc import Callable
from typing import Generic, TypeVar

from clinicnum.templates.tree import Node

T = TypeVar("T")
LIMIT = 131_072
"""Most nodes cached, more than any bank has; beyond it the cache starts anew, so memory is bounded."""


class Memoized(Generic[T]):
    """Calls `make` on a node once and keeps the result; nodes are told apart by identity, which is fast."""

    def __init__(self, make: Callable[[Node], T]) -> None:
        self._make = make
        self._made: dict[int, tuple[Node, T]] = {}

    def __call__(self, node: Node) -> T:
        found = self._made.get(id(node))
        if found is None:
            if len(self._made) >= LIMIT:
                self._made.clear()
            # The node is kept beside what was made of it: while it lives, no other has its id.
            found = self._made[id(node)] = (node, self._make(node))
        return found[1]
