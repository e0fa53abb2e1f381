"""Faults that a wording shows by itself: it gives the answer away, or has a threshold without unit or not in
the rule.

Only numbers with the unit of a vital sign behind them are judged: other numbers in a wording explain a rule
in many ways. Bands of points are told by their neighbours (`9 to 11`), so they are left alone.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.template import Template
from clinicnum.templates.template_fault import FaultError
from clinicnum.templates.tree import CompareNode, ConstantNode, Node, PointsNode
from clinicnum.templates.tree_walk import nodes
from clinicnum.templates.unit_inference import unit_of
from clinicnum.translatable_text import Translatable

SAYS_ANSWER = re.compile(
    r"(?<!what )\b(?:the (?:right |correct |true )?(?:answer|result|solution) (?:is|was|equals|would be|=)"
    r"|(?:answer|solution|hint|gold)\s*[:=])",
    re.IGNORECASE,
)

SPELT: dict[str, tuple[str, ...]] = {
    "°C": ("°c", "celsius", "degree"),
    "bpm": ("bpm", "beat", "/min", "per minute"),
    "breaths/min": ("breath", "/min", "per minute"),
    "%": ("%", "percent", "per cent"),
    "mmHg": ("mmhg", "mm hg", "millimet"),
    "min": ("min", "hour"),
    "years": ("year", "aged", "old"),
}
"""Unit -> its spellings in wordings; other units are spelt as they are."""

_OTHERS = ("mm Hg", "beats", "breaths", "/min", "per cent", "percent", "degrees", "°")
_SIGNS = {sign.unit for vital, sign in VITAL_SIGNS.items() if vital != "pain"}
_UNITS = "|".join(map(re.escape, sorted({*_SIGNS, *_OTHERS}, key=len, reverse=True)))
_VALUE = re.compile(rf"(?<![\w.,/])(\d+(?:\.\d+)?)\s*(?:{_UNITS})(?!\w)")
_LIMIT = re.compile(
    r"(?:above|below|over|under|than|least|most|exceed\w*|reach\w*|threshold of|limit of|up to|from|to|of|by"
    r"|within|between|and|or|[<>≥≤=])\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,/])\d+(?:\.\d+)?(?![\w/])")


def wording_faults(template: Template) -> Iterator[Fault]:
    """Yield every fault of every wording."""
    for i, wording in enumerate(template.wording):
        if SAYS_ANSWER.search(wording):
            yield _fault("gives_answer_away", i, Translatable("it says what the answer is; only ask"))
        yield from _stated(template, i, wording)
        yield from _bare_thresholds(template, i, wording)


def _stated(template: Template, i: int, wording: str) -> Iterator[Fault]:
    """Yield values of vital signs in a wording that the rule does not use."""
    roots = (template.tree, *template.requires)
    if any(isinstance(node, PointsNode) for root in roots for node in nodes(root)):
        return
    used = {node.value for root in roots for node in nodes(root) if isinstance(node, ConstantNode)}
    for found in _VALUE.finditer(wording):
        if Decimal(found[1]) in used or found[1] == "1":  # `1 mmHg is 0.133 kPa`
            continue
        if _LIMIT.search(wording[: found.start()]):
            message = Translatable(
                "it says {value}, which the rule does not use; make wording and rule agree", value=found[0]
            )
            yield _fault("wording_differs", i, message)
        else:
            message = Translatable(
                "it states {value}, which the rule does not use; leave out what is to be found",
                value=found[0],
            )
            yield _fault("gives_answer_away", i, message)


def _bare_thresholds(template: Template, i: int, wording: str) -> Iterator[Fault]:
    """Yield thresholds in a wording whose unit it never states."""
    numbers = {Decimal(text) for text in _NUMBER.findall(wording)}
    told = wording.lower()
    for value, unit in sorted(thresholds(template)):
        if value in numbers and not any(word in told for word in SPELT.get(unit, (unit.lower(),))):
            message = Translatable(
                "the threshold {value} stands there without its unit, {unit}", value=value, unit=unit
            )
            yield _fault("missing_unit", i, message)


def thresholds(template: Template) -> set[tuple[Decimal, str]]:
    """(value, unit) of every constant except 0 that a rule compares with a number of known unit."""
    found = set()
    for root in (template.tree, *template.requires):
        for node in nodes(root):
            if isinstance(node, CompareNode):
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    unit = _unit(other, template)
                    if isinstance(side, ConstantNode) and side.value and unit not in (None, "points"):
                        found.add((side.value, str(unit)))
    return found


def _unit(node: Node, template: Template) -> str | None:
    try:
        return unit_of(node, (), template.givens)
    except FaultError:  # A contradiction of units, which is reported elsewhere.
        return None


def _fault(rule: str, i: int, message: str) -> Fault:
    return Fault(rule=rule, path=("wording", i), message=message)
