"""Find the numbers in a tree that are the same on all records."""

from fractions import Fraction

from clinicnum.templates.exact_numbers import rounded
from clinicnum.templates.tree import (
    AbsoluteNode,
    ArithmeticNode,
    ConstantNode,
    Node,
    RoundNode,
    SumNode,
)


def constant_value(node: Node) -> Fraction | None:
    """The value of a number that is the same on all records; None if it can vary or is undefined.

    A number less itself and a product with 0 are 0, whatever the records say.
    """
    if isinstance(node, ConstantNode):
        return Fraction(node.value)
    if isinstance(node, ArithmeticNode):
        return _arithmetic(node)
    if isinstance(node, SumNode):
        parts = [constant_value(part) for part in node.of]
        known = [part for part in parts if part is not None]
        return sum(known, Fraction(0)) if len(known) == len(parts) else None
    if isinstance(node, AbsoluteNode | RoundNode):
        value = constant_value(node.of)
        if value is None or isinstance(node, AbsoluteNode):
            return None if value is None else abs(value)
        return None if node.decimals is None else Fraction(*rounded(value.as_integer_ratio(), node.decimals))
    return None


def _arithmetic(node: ArithmeticNode) -> Fraction | None:
    left, right = constant_value(node.left), constant_value(node.right)
    if node.op == "subtract" and node.left == node.right:
        return Fraction(0)
    if node.op == "multiply" and 0 in (left, right):
        return Fraction(0)
    if left is None or right is None:
        return None
    if node.op == "add":
        return left + right
    if node.op == "subtract":
        return left - right
    if node.op == "multiply":
        return left * right
    return left / right if right else None
