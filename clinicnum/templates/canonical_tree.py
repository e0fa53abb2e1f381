"""Canonical form of a tree: equal for trees that differ only in order, names or spelling.

Sums and products lose their order and their nesting; `a below b` becomes `b above a`; `not` is pushed into
what it negates; numbers lose trailing zeros; slots and givens lose their names, in the order in which they
are declared. Trees equal only by deeper algebra have two forms: `similar_templates` finds them by their
answers.
"""

from typing import Any

from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    AllNode,
    AnyNode,
    ArithmeticNode,
    CompareNode,
    ConstantNode,
    Node,
    NotNode,
    SumNode,
)

Form = tuple[Any, ...]
Names = dict[str, str]

FLIPPED = {"above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least"}
NEGATED = {"above": "at_most", "below": "at_least", "at_least": "below", "at_most": "above"}


def template_form(template: Template) -> Form:
    """What a template asks and how it is answered, without its wording."""
    slots, givens = list(template.slots), list(template.givens)
    names = {name: f"slot {i}" for i, name in enumerate(slots)}
    names |= {name: f"given {i}" for i, name in enumerate(givens)}
    requires = sorted({repr(form(condition, names)) for condition in template.requires})
    filled = [repr(template.slots[name]) for name in slots]
    stated = [template.givens[name].model_dump_json() for name in givens]
    return (form(template.tree, names), requires, filled, stated, template.decimals)


def form(node: Node, names: Names) -> Form:
    """The canonical form of a node, with slots and givens under `names`."""
    if isinstance(node, CompareNode):
        return _compare(node, node.comparator, names)
    if isinstance(node, NotNode):
        return _negated(node.not_, names)
    if isinstance(node, AllNode | AnyNode):
        kind = type(node)
        parts = node.all if isinstance(node, AllNode) else node.any
        forms = [form(part, names) for part in parts]
        return _flat("all" if kind is AllNode else "any", forms)
    if isinstance(node, SumNode):
        return _flat("add", [form(part, names) for part in node.of])
    if isinstance(node, ArithmeticNode) and node.op in ("add", "multiply"):
        return _flat(node.op, [form(node.left, names), form(node.right, names)])
    if isinstance(node, ConstantNode):
        return ("constant", str(node.value.normalize() + 0))
    return _other(node, names)


def _other(node: Node, names: Names) -> Form:
    parts: list[Any] = [type(node).__name__]
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(value, Node):
            parts.append((name, form(value, names)))
        elif name in ("at", "take", "name"):
            parts.append((name, names.get(value, value)))
        elif isinstance(value, dict):
            parts.append((name, sorted(value.items())))
        else:
            parts.append((name, repr(value)))
    return tuple(parts)


def _compare(node: CompareNode, comparator: str, names: Names) -> Form:
    left, right = form(node.left, names), form(node.right, names)
    if comparator in ("below", "at_most"):
        left, right, comparator = right, left, FLIPPED[comparator]
    return ("compare", comparator, left, right)


def _negated(node: Node, names: Names) -> Form:
    if isinstance(node, CompareNode):
        return _compare(node, NEGATED[node.comparator], names)
    if isinstance(node, NotNode):
        return form(node.not_, names)
    if isinstance(node, AllNode):
        return _flat("any", [_negated(part, names) for part in node.all])
    if isinstance(node, AnyNode):
        return _flat("all", [_negated(part, names) for part in node.any])
    raise TypeError(f"{type(node).__name__} is not a condition")


def _flat(kind: str, forms: list[Form]) -> Form:
    """The form of this `kind` with `forms` as its parts: nested ones of the same kind are merged, all sorted
    by their text.
    """
    parts: list[Form] = []
    for one in forms:
        parts += one[1] if one[0] == kind else [one]
    return (kind, sorted(parts, key=repr))
