"""The worked solution in words, step by step, from the same tree as the gold."""

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluate import Answer, Case, holds, mean_records, number, record_index
from clinicnum.templates.exact import Exact, equals_text, follows_text, working_text
from clinicnum.templates.tree import (
    ArithmeticNode,
    Condition,
    CountNode,
    MeanNode,
    Node,
    RootNode,
    RoundNode,
    TimeOfNode,
    VitalNode,
    nodes,
)
from clinicnum.types import Vital

SIGNS = {"add": "+", "subtract": "-", "multiply": "x", "divide": "/"}
COMPARATORS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


def worked(root: RootNode, case: Case, gold: Answer) -> tuple[str, ...]:
    """Sentences that lead from the records to the answer."""
    if isinstance(root, RoundNode):
        steps = _reading(root.of, case) + _computing(root.of, case, None)
        return (*steps, _closing(case, gold))
    if isinstance(root, CountNode):
        return (*_each_record(root.where, case), f"Records in which it holds: {gold.text}.")
    if isinstance(root, TimeOfNode):
        return (*_each_record(root.where, case), f"It {root.which} holds at {gold.text}.")
    lines = [
        f"{time}: {_expression(root.of, case, i)}{working_text(number(root.of, case, i))}."
        for i, time in enumerate(case.table.times)
    ]
    return (*lines, f"The {root.which} stands at {gold.text}.")


def _reading(node: Node, case: Case) -> list[str]:
    lines: list[str] = []
    for part in nodes(node):
        if isinstance(part, VitalNode):
            lines.append(_cell_line(case, record_index(part, case, None), part.vital))
        elif isinstance(part, MeanNode):
            lines.extend(_cell_line(case, i, part.vital) for i in mean_records(part, case))
    return list(dict.fromkeys(lines))


def _cell_line(case: Case, index: int, vital: Vital) -> str:
    sign = VITAL_SIGNS[vital]
    value = working_text(case.table.values[index][vital])
    return f"At {case.table.times[index]}: {sign.label} {value} {sign.unit}."


def _computing(node: Node, case: Case, each: int | None) -> list[str]:
    lines: list[str] = []
    for part in nodes(node):
        if isinstance(part, ArithmeticNode):
            left, right = number(part.left, case, each), number(part.right, case, each)
            result = follows_text(number(part, case, each), operands=(left, right))
            lines.append(f"{_operand(left)} {SIGNS[part.op]} {_operand(right)} {result}.")
        elif isinstance(part, MeanNode):
            values = [working_text(case.table.values[i][part.vital]) for i in mean_records(part, case)]
            result = equals_text(number(part, case, each))
            lines.append(f"({' + '.join(values)}) / {part.n} {result}.")
    return lines


def _operand(value: Exact) -> str:
    text = working_text(value)
    return f"({text})" if text.startswith("-") else text


def _closing(case: Case, gold: Answer) -> str:
    digits = f"{case.decimals} decimal{'' if case.decimals == 1 else 's'}"
    return f"With {digits}: {gold.text}."


def _each_record(condition: Condition, case: Case) -> list[str]:
    sign = COMPARATORS[condition.comparator]
    lines = []
    for i, time in enumerate(case.table.times):
        left, right = number(condition.left, case, i), number(condition.right, case, i)
        verdict = "yes" if holds(condition, case, i) else "no"
        shown = f"{_expression(condition.left, case, i)}{working_text(left)}"
        lines.append(f"{time}: {shown} {sign} {working_text(right)}: {verdict}.")
    return lines


def _expression(node: Node, case: Case, each: int) -> str:
    """What stands before a value: the vital's name, or the working that led to it."""
    if isinstance(node, VitalNode):
        return f"{VITAL_SIGNS[node.vital].label} "
    return " ".join(f"{step[:-1]};" for step in _computing(node, case, each)) + " "
