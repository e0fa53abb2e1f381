"""The operation tree: a small typed language in which a template says what is computed.

    root      round | count | time_of | time_of_extreme
    number    vital | constant | add | subtract | multiply | divide | mean | round
    condition left comparator right

A tree is data, checked on load; nothing in it is evaluated as code.
"""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from clinicnum.types import Frozen, Vital

EACH = "each"
"""Where a vital is read `at: each`, it is read in every record in turn."""

Comparator = Literal["above", "below", "at_least", "at_most"]


class Node(Frozen):
    """Base of all nodes."""


class VitalNode(Node):
    """A vital of one record: the one that a slot names, or `each`."""

    op: Literal["vital"]
    vital: Vital
    at: str = EACH


class ConstantNode(Node):
    """A number of the template, such as a threshold."""

    op: Literal["constant"]
    value: Decimal


class ArithmeticNode(Node):
    """`left` op `right`, exactly."""

    op: Literal["add", "subtract", "multiply", "divide"]
    left: "NumberNode"
    right: "NumberNode"


class MeanNode(Node):
    """Mean of a vital over the `n` earliest or latest records."""

    op: Literal["mean"]
    vital: Vital
    take: str
    """`earliest`, `latest`, or a slot that chooses between the two."""
    n: int = Field(ge=2)


class RoundNode(Node):
    """Rounded half-up: to `decimals`, or to the digits that the template asks."""

    op: Literal["round"]
    of: "NumberNode"
    decimals: int | None = Field(default=None, ge=0, le=6)


NumberNode = Annotated[
    VitalNode | ConstantNode | ArithmeticNode | MeanNode | RoundNode, Field(discriminator="op")
]


class Condition(Node):
    """A comparison of two unrounded numbers."""

    left: NumberNode
    comparator: Comparator
    right: NumberNode


class CountNode(Node):
    """In how many records a condition holds."""

    op: Literal["count"]
    where: Condition


class TimeOfNode(Node):
    """The time of the first or last record in which a condition holds."""

    op: Literal["time_of"]
    which: Literal["first", "last"]
    where: Condition


class TimeOfExtremeNode(Node):
    """The time of the one record in which a number is highest or lowest."""

    op: Literal["time_of_extreme"]
    which: Literal["highest", "lowest"]
    of: NumberNode


RootNode = Annotated[RoundNode | CountNode | TimeOfNode | TimeOfExtremeNode, Field(discriminator="op")]

for _model in (ArithmeticNode, RoundNode, Condition, CountNode, TimeOfNode, TimeOfExtremeNode):
    _model.model_rebuild()

N = TypeVar("N", bound=Node)


def nodes(node: Node) -> Iterator[Node]:
    """The node and all below it, children first."""
    for child in _children(node).values():
        yield from nodes(child)
    yield node


def replaced(node: N, change: Callable[[Node], Node]) -> N:
    """The tree with `change` made to every node, children first."""
    update = {name: replaced(child, change) for name, child in _children(node).items()}
    changed = change(node.model_copy(update=update))
    if not isinstance(changed, type(node)) and not isinstance(changed, Node):
        raise TypeError(f"a change made a {type(changed).__name__} of a node")
    return changed  # type: ignore[return-value]


def one_change(node: N, change: Callable[[Node], Iterable[Node]]) -> Iterator[N]:
    """Every tree that differs from this one by one change to one node."""
    yield from change(node)  # type: ignore[misc]
    for name, child in _children(node).items():
        for new in one_change(child, change):
            yield node.model_copy(update={name: new})


def vitals_of(node: Node) -> frozenset[Vital]:
    """The vitals that a tree needs."""
    return frozenset(n.vital for n in nodes(node) if isinstance(n, VitalNode | MeanNode))


def _children(node: Node) -> dict[str, Node]:
    fields = type(node).model_fields
    return {name: child for name in fields if isinstance(child := getattr(node, name), Node)}
