"""Walk an operation tree, and make changed copies of it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from clinicnum.templates.tree import Node, VitalNode
from clinicnum.types import Vital

N = TypeVar("N", bound=Node)
T = TypeVar("T")
Step = tuple[str, int | None]
"""A field of a node and, if it holds several nodes, the index of one of them."""


def nodes(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, children first."""
    for _, child in children(node):
        yield from nodes(child)
    yield node


def replaced(node: N, change: Callable[[Node], Node]) -> N:
    """The tree with `change` applied to every node, children first; unchanged parts are shared."""
    for step, child in children(node):
        new = replaced(child, change)
        if new is not child:
            node = with_child(node, step, new)
    return change(node)  # type: ignore[return-value]


def one_change(node: N, change: Callable[[Node], Iterable[tuple[T, Node]]]) -> Iterator[tuple[T, N]]:
    """Yield every tree that differs from `node` by one change to one node, with the label that `change` gives
    it.
    """
    yield from change(node)  # type: ignore[misc]
    for step, child in children(node):
        for said, new in one_change(child, change):
            yield said, with_child(node, step, new)


def children(node: Node) -> Iterator[tuple[Step, Node]]:
    """Yield the child nodes of a node, each with its place: field name, and index in it or None."""
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield (name, None), value
        elif isinstance(value, tuple):
            yield from (((name, i), item) for i, item in enumerate(value) if isinstance(item, Node))


def with_child(node: N, step: Step, child: Node) -> N:
    """A copy of the node with `child` in the place `step`, as `children` gives it."""
    name, index = step
    if index is None:
        return node.model_copy(update={name: child})
    items = list(getattr(node, name))
    items[index] = child
    return node.model_copy(update={name: tuple(items)})


def vitals_of(node: Node) -> frozenset[Vital]:
    """The vitals that a tree needs."""
    return frozenset(n.vital for n in nodes(node) if isinstance(n, VitalNode))
