"""Bounds on an answer: the interval that the operation tree allows for any values of the vital signs.

It follows from V6 (the range of each vital, diastolic below systolic), the ranges of the givens, the bands
of points, the number of records, the time that they span, and the template's own conditions. It may be wider
than what can really occur, never narrower.
"""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from clinicnum.templates.evaluation_input import Case
from clinicnum.templates.exact_numbers import rounded_text
from clinicnum.templates.template import Template
from clinicnum.templates.tree import CountNode, MinutesNode, RoundNode
from clinicnum.templates.tree_walk import nodes
from clinicnum.variants.node_intervals import Setting, compared, interval

KEPT = 4096
"""Ranges cached; those of questions for minutes depend on the time that the records span."""


class Range(NamedTuple):
    """The interval from `low` to `high`, inclusive; None means no limit."""

    low: Decimal | None
    high: Decimal | None

    def holds(self, value: Decimal) -> bool:
        """Whether a value lies within."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


ANYTHING = Range(None, None)


_ranges: dict[tuple[int, int, int, tuple[str, ...]], tuple[Template, Range]] = {}
_timed: dict[int, tuple[Template, bool]] = {}


def possible_range(template: Template, case: Case) -> Range:
    """The interval that contains every answer to this template on such records, at the requested decimals;
    ANYTHING if it asks for a time.

    Only the template's tree, givens and conditions matter.
    """
    timed = _timed.get(id(template))
    if timed is None:
        asks_time = any(isinstance(node, MinutesNode) for node in nodes(template.tree))
        timed = _timed[id(template)] = (template, asks_time)
    seconds = case.table.seconds
    span = seconds[-1] - seconds[0] if timed[1] else 0
    # Number givens have a range; givens read from the records are fixed, and so part of the key.
    read = tuple(case.givens[key] for key, spec in template.givens.items() if spec.kind == "record")
    key = (id(template), len(seconds), span, read)
    found = _ranges.get(key)
    if found is None:
        if len(_ranges) >= KEPT:
            _ranges.clear()
        # The template is kept beside its range: while it lives, no other has its id.
        found = _ranges[key] = (template, _range(template, setting_of(template, case), case.decimals))
    return found[1]


def setting_of(template: Template, case: Case) -> Setting:
    """The constraints under which a template computes its answer on a case: records, givens, conditions that
    hold.
    """
    seconds = case.table.seconds
    span = Fraction(seconds[-1] - seconds[0], 60)
    known = tuple(one for condition in template.requires for one in compared(condition))
    return Setting(len(seconds), span, template.givens, case.givens, case.at, known)


def _range(template: Template, setting: Setting, decimals: int) -> Range:
    tree = template.tree
    if isinstance(tree, CountNode):
        return Range(Decimal(0), Decimal(setting.records))
    if not isinstance(tree, RoundNode):
        return ANYTHING
    bounds = interval(tree.of, setting)
    low, high = (None if bound is None else Decimal(rounded_text(bound, decimals)) for bound in bounds)
    return Range(low, high)
