"""The operation tree: a small typed language in which a template says what is computed.

    root      round | count | time_of | time_of_extreme
    number    vital | given | constant | add | subtract | multiply | divide | sum | absolute | round
              points | given_points | one_if | over | over_pairs | slope | minutes
    moment    at | time_of | time_of_extreme
    condition left comparator right, or all | any | not of conditions

A tree is data, checked on load; nothing in it is evaluated as code. Records stand in time order; `each` and
`next` are the record, and the one after it, that an enclosing count, over, slope or time_of looks at.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from clinicnum.types import Frozen, Vital

EACH, NEXT, EARLIEST, LATEST = "each", "next", "earliest", "latest"
ANCHORS = (EACH, NEXT, EARLIEST, LATEST)
"""Names of records besides a template's record slots: the one looked at, the one after it, first and last."""

ALL_RECORDS = "all"

Comparator = Literal["above", "below", "at_least", "at_most"]
How = Literal["mean", "sum", "highest", "lowest", "range"]


class Node(Frozen):
    """Base of all nodes."""


class VitalNode(Node):
    """The value of one vital sign in one record, which `at` names: a record slot, or one of ANCHORS."""

    op: Literal["vital"]
    vital: Vital
    at: str = EACH


class GivenNode(Node):
    """A numeric given of the template."""

    op: Literal["given"]
    name: str


class GivenPointsNode(Node):
    """A categorical given as points: one entry for every option."""

    op: Literal["given_points"]
    name: str
    points: dict[str, int]


class ConstantNode(Node):
    """A number of the template, such as a threshold."""

    op: Literal["constant"]
    value: Decimal


class ArithmeticNode(Node):
    """`left` op `right`, exactly."""

    op: Literal["add", "subtract", "multiply", "divide"]
    left: "NumberNode"
    right: "NumberNode"


class SumNode(Node):
    """The sum of several numbers, such as the components of a score."""

    op: Literal["sum"]
    of: tuple["NumberNode", ...] = Field(min_length=2)


class AbsoluteNode(Node):
    """A number without its sign."""

    op: Literal["absolute"]
    of: "NumberNode"


class Band(Node):
    """The points up to and including `at_most`; the last band has no limit."""

    at_most: Decimal | None = None
    points: int


class PointsNode(Node):
    """The points of the first band that a number fits."""

    op: Literal["points"]
    of: "NumberNode"
    bands: tuple[Band, ...] = Field(min_length=2)


class OneIfNode(Node):
    """1 where a condition holds, else 0."""

    op: Literal["one_if"]
    where: "Condition"


class RoundNode(Node):
    """Rounded half-up: to `decimals`, or to the digits that the template asks."""

    op: Literal["round"]
    of: "NumberNode"
    decimals: int | None = Field(default=None, ge=0, le=6)


class OverNode(Node):
    """A number of each of several records, aggregated."""

    op: Literal["over"]
    how: How
    of: "NumberNode"
    take: str
    """`all`, `earliest`, `latest`, or a slot that chooses between the last two."""
    n: int | None = Field(default=None, ge=1)
    """Number of records; None with `all`."""


class OverPairsNode(Node):
    """A number of each pair of neighbouring records (`each` and `next`), aggregated."""

    op: Literal["over_pairs"]
    how: Literal["mean", "sum", "highest", "lowest"]
    of: "NumberNode"


class SlopeNode(Node):
    """Least-squares slope per hour of a number over several records."""

    op: Literal["slope"]
    of: "NumberNode"
    take: str
    n: int | None = Field(default=None, ge=2)


class AtNode(Node):
    """The time of one record, which `at` names: a record slot, or one of ANCHORS."""

    op: Literal["at"]
    at: str


class MinutesNode(Node):
    """Minutes from one moment to another; negative if `end` is the earlier."""

    op: Literal["minutes"]
    start: "MomentNode"
    end: "MomentNode"


NumberNode = Annotated[
    VitalNode
    | GivenNode
    | GivenPointsNode
    | ConstantNode
    | ArithmeticNode
    | SumNode
    | AbsoluteNode
    | PointsNode
    | OneIfNode
    | RoundNode
    | OverNode
    | OverPairsNode
    | SlopeNode
    | MinutesNode,
    Field(discriminator="op"),
]


class CompareNode(Node):
    """A comparison of two unrounded numbers."""

    left: NumberNode
    comparator: Comparator
    right: NumberNode


class AllNode(Node):
    """Holds where every one of its conditions does."""

    all: tuple["Condition", ...] = Field(min_length=2)


class AnyNode(Node):
    """Holds where at least one of its conditions does."""

    any: tuple["Condition", ...] = Field(min_length=2)


class NotNode(Node):
    """Holds where its condition does not."""

    model_config = ConfigDict(serialize_by_alias=True)

    not_: "Condition" = Field(alias="not")


CONDITION_KINDS: dict[type[Any], str] = {
    AllNode: "all",
    AnyNode: "any",
    NotNode: "not",
    CompareNode: "compare",
}


def condition_kind(value: Any) -> str:
    """The kind of a condition, given as mapping or node: all, any, not, or else a comparison."""
    if isinstance(value, dict):
        return next((kind for kind in ("all", "any", "not") if kind in value), "compare")
    return CONDITION_KINDS.get(type(value), "compare")


Condition = Annotated[
    Annotated[CompareNode, Tag("compare")]
    | Annotated[AllNode, Tag("all")]
    | Annotated[AnyNode, Tag("any")]
    | Annotated[NotNode, Tag("not")],
    Discriminator(condition_kind),
]


class CountNode(Node):
    """The number of records in which a condition holds."""

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


MomentNode = Annotated[AtNode | TimeOfNode | TimeOfExtremeNode, Field(discriminator="op")]
RootNode = Annotated[RoundNode | CountNode | TimeOfNode | TimeOfExtremeNode, Field(discriminator="op")]

RECORD_BY_RECORD = (OverNode, OverPairsNode, SlopeNode, CountNode, TimeOfNode, TimeOfExtremeNode)
"""Nodes that iterate over records, and so define what `each` means below them."""

for _model in (
    ArithmeticNode,
    SumNode,
    AbsoluteNode,
    PointsNode,
    OneIfNode,
    RoundNode,
    OverNode,
    OverPairsNode,
    SlopeNode,
    MinutesNode,
    CompareNode,
    AllNode,
    AnyNode,
    NotNode,
    CountNode,
    TimeOfNode,
    TimeOfExtremeNode,
):
    _model.model_rebuild()
