"""Checks of a tree on load: every name is declared, and every record it reads is well defined."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clinicnum.templates.slots_and_givens import ChoiceGiven, ChoiceSlot, NumberGiven, RecordGiven, RecordSlot
from clinicnum.templates.template_fault import FaultError, Path, child_path
from clinicnum.templates.tree import (
    ALL_RECORDS,
    ANCHORS,
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    RECORD_BY_RECORD,
    AtNode,
    GivenNode,
    GivenPointsNode,
    Node,
    OverNode,
    OverPairsNode,
    PointsNode,
    SlopeNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import children

RESERVED = (*ANCHORS, ALL_RECORDS)
ENDS = (EARLIEST, LATEST)
IN_TURN = "a count, over, over_pairs, slope, time_of or time_of_extreme"


@dataclass(frozen=True)
class Names:
    """The slots and givens that a tree may use, and the names that the trees checked so far use."""

    slots: Mapping[str, RecordSlot | ChoiceSlot]
    givens: Mapping[str, NumberGiven | ChoiceGiven | RecordGiven]
    used: set[str] = field(default_factory=set)
    """Slots and givens that a checked tree names."""

    def faults(self) -> Iterator[FaultError]:
        """Yield a fault for each slot and given whose name is invalid."""
        for kind, names in (("slots", self.slots), ("givens", self.givens)):
            for name in names:
                if name in RESERVED or not name.isidentifier():
                    yield FaultError(
                        (kind, name), f"{name} cannot name one of the {kind}: it is reserved or no plain word"
                    )
        for name in self.givens:
            if name in self.slots:
                yield FaultError(("givens", name), f"{name} is a slot too; rename one")

    def unused(self) -> Iterator[FaultError]:
        """Yield a fault for each slot and given that is declared but not used."""
        for kind, names in (("slots", self.slots), ("givens", self.givens)):
            for name in names:
                if name not in self.used:
                    yield FaultError((kind, name), f"{name} is never read by the tree; remove it")


def tree_faults(root: Node, path: Path, names: Names) -> list[FaultError]:
    """A fault for every node of a tree that cannot be evaluated, parents first."""
    faults: list[FaultError] = []
    _walk(root, path, frozenset(), names, faults)
    return faults


def _walk(
    node: Node, path: Path, scope: frozenset[str], names: Names, faults: list[FaultError]
) -> frozenset[str]:
    """Which of `each` and `next` the node reads; `scope` holds those that the nodes above define."""
    before, found = len(faults), set[str]()
    try:
        found.update(_own(node, path, scope, names))
    except FaultError as fault:
        faults.append(fault)
    in_turn = isinstance(node, RECORD_BY_RECORD)
    if in_turn:
        scope = frozenset({EACH, NEXT} if isinstance(node, OverPairsNode) else {EACH})
    for step, child in children(node):
        found |= _walk(child, child_path(path, step), scope, names, faults)
    if not in_turn:
        return frozenset(found)
    # A fault below may be a misspelt `each`: it is not reported twice.
    for anchor in sorted(scope - found) if len(faults) == before else ():
        message = f"it looks at records in turn, but nothing below it is read `at: {anchor}`"
        faults.append(FaultError(path, message))
    return frozenset()


def _own(node: Node, path: Path, scope: frozenset[str], names: Names) -> tuple[str, ...]:
    if isinstance(node, VitalNode) and node.vital == "pain":
        raise FaultError((*path, "vital"), "pain is shown but not asked", "unknown_vital")
    if isinstance(node, VitalNode | AtNode):
        return _anchor(node.at, (*path, "at"), scope, names)
    if isinstance(node, OverNode | SlopeNode):
        _check_take(node, path, names)
    if isinstance(node, PointsNode):
        _check_bands(node, path)
    if isinstance(node, GivenNode):
        _check_given(node, path, names)
    if isinstance(node, GivenPointsNode):
        _check_given_points(node, path, names)
    return ()


def _anchor(at: str, path: Path, scope: frozenset[str], names: Names) -> tuple[str, ...]:
    if at in (EACH, NEXT):
        if at not in scope:
            where = "over_pairs" if at == NEXT else IN_TURN
            raise FaultError(path, f"`at: {at}` stands only in {where}")
        return (at,)
    if at not in ENDS and not isinstance(names.slots.get(at), RecordSlot):
        raise FaultError(path, f"at: {at} names no record slot; got slots {sorted(names.slots)}")
    names.used.add(at)
    return ()


def _check_take(node: OverNode | SlopeNode, path: Path, names: Names) -> None:
    known = node.take in (ALL_RECORDS, *ENDS) or isinstance(names.slots.get(node.take), ChoiceSlot)
    if not known:
        raise FaultError(
            (*path, "take"), f"take: {node.take} is neither all, earliest, latest nor a choice slot"
        )
    if (node.n is None) != (node.take == ALL_RECORDS):
        raise FaultError((*path, "n"), f"take: {node.take} goes {_with_n(node)}, which says how many")
    names.used.add(node.take)


def _with_n(node: OverNode | SlopeNode) -> str:
    return "without n" if node.take == ALL_RECORDS else "with n"


def _check_bands(node: PointsNode, path: Path) -> None:
    *limited, last = node.bands
    if last.at_most is not None:
        raise FaultError((*path, "bands", len(limited)), "the last band takes what is left: no at_most")
    before = None
    for i, band in enumerate(limited):
        if band.at_most is None:
            raise FaultError((*path, "bands", i), "only the last band goes without at_most")
        if before is not None and band.at_most <= before:
            raise FaultError(
                (*path, "bands", i, "at_most"), f"bands rise, but {band.at_most} comes after {before}"
            )
        before = band.at_most


def _check_given(node: GivenNode, path: Path, names: Names) -> None:
    if not isinstance(names.givens.get(node.name), NumberGiven | RecordGiven):
        raise FaultError((*path, "name"), f"{node.name} is no numeric given; got {_kinds(names)}")
    names.used.add(node.name)


def _check_given_points(node: GivenPointsNode, path: Path, names: Names) -> None:
    given = names.givens.get(node.name)
    if not isinstance(given, ChoiceGiven):
        raise FaultError((*path, "name"), f"{node.name} is no choice given; got {_kinds(names)}")
    if set(node.points) != set(given.options):
        raise FaultError(
            (*path, "points"),
            f"points for {sorted(node.points)}, but {node.name} has the options {sorted(given.options)}",
        )
    names.used.add(node.name)


def _kinds(names: Names) -> str:
    return ", ".join(f"{name} ({given.kind})" for name, given in sorted(names.givens.items())) or "no givens"
