"""Single slips at one node, as (rule, taxonomy code) and the resulting node."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from clinicnum.taxonomy_codes import (
    MISSED_RECORD,
    MISSED_STEP,
    NEGATION_MISSED,
    UNIT,
    WRONG_COMPARATOR,
    WRONG_FORMULA,
    WRONG_RECORD,
)
from clinicnum.templates.solution_phrases import decimals_of
from clinicnum.templates.tree import (
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    AbsoluteNode,
    AllNode,
    AnyNode,
    ArithmeticNode,
    Band,
    CompareNode,
    ConstantNode,
    GivenNode,
    GivenPointsNode,
    MinutesNode,
    Node,
    NotNode,
    OneIfNode,
    OverNode,
    OverPairsNode,
    PointsNode,
    SlopeNode,
    SumNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import nodes, replaced

Slip = tuple[tuple[str, str], Node]

OPPOSITE = {"first": "last", "highest": "lowest"} | {"last": "first", "lowest": "highest"}
OTHER_END = {EARLIEST: LATEST, LATEST: EARLIEST}
STRICTNESS = {"above": "at_least", "below": "at_most", "at_least": "above", "at_most": "below"}
REVERSED = {"above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least"}
HOW_FOR: dict[str, tuple[str, str]] = {
    "mean": ("sum", MISSED_STEP),
    "highest": ("lowest", WRONG_COMPARATOR),
    "lowest": ("highest", WRONG_COMPARATOR),
    "range": ("highest", MISSED_STEP),
}
SIXTY = ConstantNode(op="constant", value=Decimal(60))


def reversed_choices(node: Node) -> Iterator[Slip]:
    """Yield the node with its choice reversed: first for last, highest for lowest, one comparison for
    another.
    """
    if isinstance(node, TimeOfNode):
        other = OPPOSITE[node.which]
        yield (f"{other}_for_{node.which}", WRONG_RECORD), node.model_copy(update={"which": other})
    if isinstance(node, TimeOfExtremeNode):
        other = OPPOSITE[node.which]
        yield (f"{other}_for_{node.which}", WRONG_COMPARATOR), node.model_copy(update={"which": other})
    if isinstance(node, CompareNode):
        for table in (STRICTNESS, REVERSED):
            to = table[node.comparator]
            slip = (f"{to}_for_{node.comparator}", WRONG_COMPARATOR)
            yield slip, node.model_copy(update={"comparator": to})


def omitted_steps(node: Node) -> Iterator[Slip]:
    """Yield the node with one step of the calculation left out."""
    step = ("step_left_out", MISSED_STEP)
    if isinstance(node, ArithmeticNode) and not in_hours(node):
        yield step, node.left
        if node.op == "add" and not isinstance(node.right, ConstantNode):
            yield step, node.right
        if node.op == "multiply" and isinstance(node.left, OneIfNode):
            yield ("condition_left_out", MISSED_STEP), node.right
        elif node.op == "multiply" and isinstance(node.left, GivenNode):
            yield ("given_ignored", MISSED_STEP), node.right
    if isinstance(node, SumNode):
        for i in range(len(node.of)):
            rest = node.of[:i] + node.of[i + 1 :]
            shorter = rest[0] if len(rest) == 1 else node.model_copy(update={"of": rest})
            yield ("component_left_out", MISSED_STEP), shorter
    if isinstance(node, AbsoluteNode):
        yield ("sign_kept", MISSED_STEP), node.of


def of_bands(node: Node) -> Iterator[Slip]:
    """Yield the node with the limit of each band excluded, or with every value put one band too high or too
    low.
    """
    if not isinstance(node, PointsNode):
        return
    about = f"_for_{node.of.vital}" if isinstance(node.of, VitalNode) else ""
    *limited, last = node.bands
    step = Decimal(1).scaleb(-max(decimals_of(band.at_most) for band in limited if band.at_most is not None))
    strict = [Band(at_most=(band.at_most or 0) - step, points=band.points) for band in limited]
    yield (f"limits_excluded{about}", WRONG_COMPARATOR), _with_bands(node, [*strict, last])
    points = [band.points for band in node.bands]
    for rule, shifted in (
        ("next_band", [*points[1:], points[-1]]),
        ("previous_band", [points[0], *points[:-1]]),
    ):
        bands = [band.model_copy(update={"points": p}) for band, p in zip(node.bands, shifted, strict=True)]
        yield (f"{rule}{about}", WRONG_COMPARATOR), _with_bands(node, bands)


def _with_bands(node: PointsNode, bands: list[Band]) -> PointsNode:
    return node.model_copy(update={"bands": tuple(bands)})


def of_conditions(node: Node) -> Iterator[Slip]:
    """Yield the node with `or` for `and` or the reverse, a part or a `not` left out, or yes for no."""
    if isinstance(node, AllNode):
        yield ("any_for_all", WRONG_COMPARATOR), AnyNode(any=node.all)
        yield from ((("part_left_out", MISSED_STEP), rest) for rest in _without_one(node, "all"))
    if isinstance(node, AnyNode):
        yield ("all_for_any", WRONG_COMPARATOR), AllNode(all=node.any)
        yield from ((("part_left_out", MISSED_STEP), rest) for rest in _without_one(node, "any"))
    if isinstance(node, NotNode):
        yield ("not_dropped", WRONG_COMPARATOR), node.not_
    if isinstance(node, GivenPointsNode) and set(node.points) == {"yes", "no"}:
        reverse = {"yes": node.points["no"], "no": node.points["yes"]}
        yield (f"{node.name}_reversed", NEGATION_MISSED), node.model_copy(update={"points": reverse})


def _without_one(node: AllNode | AnyNode, name: str) -> Iterator[Node]:
    parts: tuple[Node, ...] = getattr(node, name)
    for i in range(len(parts)):
        rest = parts[:i] + parts[i + 1 :]
        yield rest[0] if len(rest) == 1 else node.model_copy(update={name: rest})


def of_records(node: Node) -> Iterator[Slip]:
    """Yield the node with other records selected, or with their numbers combined in another way."""
    if isinstance(node, OverNode | OverPairsNode) and node.how in HOW_FOR:
        how, code = HOW_FOR[node.how]
        yield (f"{how}_for_{node.how}", code), node.model_copy(update={"how": how})
    if isinstance(node, OverNode | SlopeNode) and node.n is not None:
        yield ("one_record_more", WRONG_RECORD), node.model_copy(update={"n": node.n + 1})
        if node.n > (1 if isinstance(node, OverNode) else 2):
            yield ("one_record_fewer", MISSED_RECORD), node.model_copy(update={"n": node.n - 1})
        if node.take in OTHER_END:
            other = OTHER_END[node.take]
            yield (f"{other}_for_{node.take}", WRONG_RECORD), node.model_copy(update={"take": other})
    if isinstance(node, OverPairsNode):
        yield from _neighbours_confused(node)


def _neighbours_confused(node: OverPairsNode) -> Iterator[Slip]:
    """Yield the node with each record and the next exchanged. Where an expression reads both, that swaps its
    operands (no mistake if the difference is unsigned).
    """
    read = {n.at for n in nodes(node.of) if isinstance(n, VitalNode)}
    unsigned = any(isinstance(n, AbsoluteNode) for n in nodes(node.of))
    swapped = node.model_copy(update={"of": replaced(node.of, _other_neighbour)})
    if read == {EACH, NEXT}:
        if not unsigned:
            yield ("operands_swapped", WRONG_FORMULA), swapped
    elif read:
        yield ("next_for_previous" if read == {EACH} else "previous_for_next", WRONG_RECORD), swapped


def _other_neighbour(node: Node) -> Node:
    if isinstance(node, VitalNode) and node.at in (EACH, NEXT):
        return node.model_copy(update={"at": NEXT if node.at == EACH else EACH})
    return node


def of_time_units(node: Node) -> Iterator[Slip]:
    """Yield the node with minutes for hours, or hours for minutes."""
    if in_hours(node) and isinstance(node, ArithmeticNode):
        yield ("minutes_for_hours", UNIT), node.left
    if isinstance(node, SlopeNode):
        yield ("per_minute_for_per_hour", UNIT), _per_sixty(node)


def minutes_as_hours(node: Node) -> Iterator[Slip]:
    """Yield the node with hours for minutes, unless the tree asks for hours."""
    if isinstance(node, MinutesNode):
        yield ("hours_for_minutes", UNIT), _per_sixty(node)


def in_hours(node: Node) -> bool:
    """Whether a node divides minutes by 60."""
    return (
        isinstance(node, ArithmeticNode)
        and (node.op, node.right) == ("divide", SIXTY)
        and any(isinstance(n, MinutesNode) for n in nodes(node.left))
    )


def _per_sixty(node: MinutesNode | SlopeNode) -> ArithmeticNode:
    return ArithmeticNode(op="divide", left=node, right=SIXTY)


SLIPS: tuple[Callable[[Node], Iterator[Slip]], ...] = (
    reversed_choices,
    omitted_steps,
    of_bands,
    of_conditions,
    of_records,
    of_time_units,
)
