"""Distractors: the operation tree with one thing wrong, each mapped to a taxonomy code.

Trees with one change are made once per template; the changes that depend on the records (a neighbouring
record, a record missed) are made per instance. A mistake that gives the right answer is no distractor; where
it is one of reading (record, vital, formula), the instance does not discriminate it and rule V7 flags that.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from clinicnum.templates.compile import taken
from clinicnum.templates.evaluate import Answer, Case, UndefinedError, answer, holds
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    ArithmeticNode,
    CompareNode,
    Condition,
    ConstantNode,
    CountNode,
    Node,
    OverNode,
    RootNode,
    RoundNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
    nodes,
    one_change,
    replaced,
)
from clinicnum.types import SIX_VITALS, Distractor, Vital

WRONG_RECORD = "contextual_inconsistency.wrong_record"
WRONG_VITAL = "contextual_inconsistency.wrong_vital"
WRONG_FORMULA = "causal_reasoning.wrong_formula"
WRONG_COMPARATOR = "causal_reasoning.wrong_comparator"
PREMATURE_ROUNDING = "causal_reasoning.premature_rounding"
MISSED_RECORD = "omission.missed_record"
MISSED_STEP = "omission.missed_step"
UNIT = "format_mismatch.unit"

OF_READING = frozenset({WRONG_RECORD, WRONG_VITAL, WRONG_FORMULA})

CONFUSED: dict[Vital, tuple[Vital, ...]] = {
    "temperature_c": ("heart_rate_bpm",),
    "heart_rate_bpm": ("sbp_mmhg", "resp_rate_bpm"),
    "resp_rate_bpm": ("heart_rate_bpm",),
    "spo2_pct": ("heart_rate_bpm",),
    "sbp_mmhg": ("dbp_mmhg",),
    "dbp_mmhg": ("sbp_mmhg",),
}
"""Which other vital is read by mistake, where not all are tried."""

OPPOSITE = {"first": "last", "highest": "lowest"} | {"last": "first", "lowest": "highest"}
STRICTNESS = {"above": "at_least", "below": "at_most", "at_least": "above", "at_most": "below"}
REVERSED = {"above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least"}


@dataclass(frozen=True, slots=True)
class WrongTree:
    """A template's tree with one thing wrong."""

    rule: str
    code: str
    tree: RootNode


@dataclass(frozen=True, slots=True)
class Distractors:
    """What the mistakes of one instance lead to."""

    items: tuple[Distractor, ...]
    """Those that differ from the gold."""
    undiscriminated: bool
    """A mistake of reading gives the gold too."""


def wrong_trees(template: Template) -> tuple[WrongTree, ...]:
    """All one-thing-wrong trees of a template."""
    root = template.tree
    return tuple(
        [
            *(WrongTree(m.rule, m.code, m.tree) for m in template.mistakes),
            *_other_vitals(root),
            *_turned_around(root),
            *(WrongTree("step_left_out", MISSED_STEP, tree) for tree in one_change(root, _without_step)),
            *_early_rounding(root),
            *_fahrenheit(template),
        ]
    )


def _other_vitals(root: RootNode) -> Iterator[WrongTree]:
    present = sorted({n.vital for n in nodes(root) if isinstance(n, VitalNode)}, key=SIX_VITALS.index)
    plain = isinstance(root, RoundNode) and isinstance(root.of, VitalNode)
    for vital in present:
        for other in SIX_VITALS if plain else CONFUSED[vital]:
            if other not in present:
                tree = replaced(root, lambda node, v=vital, o=other: _reading(node, v, o))  # type: ignore[misc]
                yield WrongTree(f"{other}_for_{vital}", WRONG_VITAL, tree)


def _reading(node: Node, vital: Vital, other: Vital) -> Node:
    if isinstance(node, VitalNode) and node.vital == vital:
        return node.model_copy(update={"vital": other})
    return node


def _turned_around(root: RootNode) -> Iterator[WrongTree]:
    if isinstance(root, TimeOfNode):
        other = root.model_copy(update={"which": OPPOSITE[root.which]})
        yield WrongTree(f"{other.which}_for_{root.which}", WRONG_RECORD, other)
    if isinstance(root, TimeOfExtremeNode):
        extreme = root.model_copy(update={"which": OPPOSITE[root.which]})
        yield WrongTree(f"{extreme.which}_for_{root.which}", WRONG_COMPARATOR, extreme)
    if isinstance(root, TimeOfNode | CountNode) and isinstance(root.where, CompareNode):
        for table in (STRICTNESS, REVERSED):
            to = table[root.where.comparator]
            where = root.where.model_copy(update={"comparator": to})
            tree = root.model_copy(update={"where": where})
            yield WrongTree(f"{to}_for_{root.where.comparator}", WRONG_COMPARATOR, tree)


def _without_step(node: Node) -> Iterable[Node]:
    if isinstance(node, ArithmeticNode):
        yield node.left
        if node.op == "add" and not isinstance(node.right, ConstantNode):
            yield node.right


def _early_rounding(root: RootNode) -> Iterator[WrongTree]:
    """Inner results rounded to the asked digits; compared results rounded to one digit and to none."""

    def rounded_inside(node: Node, digits: int | None, outermost: Node | None) -> Node:
        if isinstance(node, ArithmeticNode) and node != outermost:
            return RoundNode(op="round", of=node, decimals=digits)
        return node

    if isinstance(root, RoundNode):
        tree = replaced(root, lambda node: rounded_inside(node, None, root.of))
        if tree != root:
            yield WrongTree("rounded_early", PREMATURE_ROUNDING, tree)
    elif any(isinstance(node, ArithmeticNode) for node in nodes(root)):
        for digits in (1, 0):
            early = replaced(root, lambda node, d=digits: rounded_inside(node, d, None))  # type: ignore[misc]
            yield WrongTree(f"rounded_early_to_{digits}", PREMATURE_ROUNDING, early)


def _fahrenheit(template: Template) -> Iterator[WrongTree]:
    root = template.tree
    if isinstance(root, RoundNode) and template.unit == "°C":
        scaled = ArithmeticNode(
            op="multiply", left=root.of, right=ConstantNode(op="constant", value=Decimal("1.8"))
        )
        shifted = ArithmeticNode(op="add", left=scaled, right=ConstantNode(op="constant", value=Decimal(32)))
        yield WrongTree("fahrenheit_for_celsius", UNIT, RoundNode(op="round", of=shifted))


def distractors(root: RootNode, wrong: Iterable[WrongTree], case: Case, gold: Answer) -> Distractors:
    """The distractors of one instance, without repeats of (value, code), in a fixed order."""
    items: dict[tuple[str, str], Distractor] = {}
    undiscriminated = False
    for rule, code, tree, changed in _attempts(root, wrong, case, gold):
        try:
            value = answer(tree, changed).text
        except UndefinedError:
            continue
        if value == gold.text:
            undiscriminated = undiscriminated or code in OF_READING
        elif (value, code) not in items:
            items[value, code] = Distractor.model_construct(value=value, rule=rule, code=code)
    return Distractors(tuple(items.values()), undiscriminated)


def _attempts(
    root: RootNode, wrong: Iterable[WrongTree], case: Case, gold: Answer
) -> Iterator[tuple[str, str, RootNode, Case]]:
    for slot, index in case.at.items():
        name = "" if len(case.at) == 1 else f"_for_{slot}"
        for rule, to in (("previous_record", index - 1), ("next_record", index + 1)):
            if 0 <= to < len(case.table.times) and to not in case.at.values():
                yield rule + name, WRONG_RECORD, root, case.with_at({**case.at, slot: to})
    if len(case.at) > 1:
        slots = list(case.at)
        swapped = dict(zip(slots, reversed(list(case.at.values())), strict=True))
        yield "records_swapped", WRONG_RECORD, root, case.with_at(swapped)
    for slot, choice in case.choices.items():
        other = "latest" if choice == "earliest" else "earliest"
        changed = Case(case.table, case.decimals, case.at, {**case.choices, slot: other})
        yield f"{other}_for_{choice}", WRONG_RECORD, root, changed
    for index in _decisive(root, case, gold):
        yield "record_missed", MISSED_RECORD, root, case.with_table(case.table.without(index))
    for item in wrong:
        yield item.rule, item.code, item.tree, case


def _decisive(root: RootNode, case: Case, gold: Answer) -> Iterable[int]:
    """Records whose being missed is tried: the answer's own, one counted, each of a mean."""
    if gold.record is not None:
        return (gold.record,)
    if isinstance(root, CountNode):
        return _first_counted(root.where, case)
    if isinstance(root, RoundNode) and not case.at:
        return sorted({i for n in nodes(root) if isinstance(n, OverNode) for i in taken(n)(case)})
    return ()


def _first_counted(where: Condition, case: Case) -> tuple[int, ...]:
    for index in range(len(case.table.times)):
        if holds(where, case, index):
            return (index,)
    return ()
