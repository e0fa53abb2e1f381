"""Sound templates made from short names of nodes, and how a fault is planted into one."""

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

Content = dict[str, Any]
SBP, DBP, HR, SPO2 = "sbp_mmhg", "dbp_mmhg", "heart_rate_bpm", "spo2_pct"


def vital(name: str, at: str = "each") -> Content:
    """One vital of one record."""
    return {"op": "vital", "vital": name, "at": at}


def constant(value: str) -> Content:
    """A number of the template."""
    return {"op": "constant", "value": value}


def compare(left: Content, comparator: str, right: Content | str) -> Content:
    """A comparison, with a threshold if `right` is a text."""
    return {
        "left": left,
        "comparator": comparator,
        "right": constant(right) if isinstance(right, str) else right,
    }


def binary(op: str, left: Content, right: Content) -> Content:
    """`left` op `right`."""
    return {"op": op, "left": left, "right": right}


def rounded(of: Content, decimals: int | None = None) -> Content:
    """A number, rounded."""
    return {"op": "round", "of": of} | ({} if decimals is None else {"decimals": decimals})


def one_if(where: Content) -> Content:
    """1 where a condition holds."""
    return {"op": "one_if", "where": where}


def points(of: Content) -> Content:
    """3, 1 or 0 points."""
    bands = [{"at_most": "91", "points": 3}, {"at_most": "95", "points": 1}, {"points": 0}]
    return {"op": "points", "of": of, "bands": bands}


def extreme(of: Content, which: str = "highest") -> Content:
    """The time of the highest or lowest."""
    return {"op": "time_of_extreme", "which": which, "of": of}


def by(divisor: Content) -> Content:
    """The change in heart rate divided by something."""
    change = binary("subtract", vital(HR, "later"), vital(HR, "earlier"))
    return rounded(binary("divide", change, divisor))


def both(*conditions: Content) -> Content:
    """All of them."""
    return {"all": list(conditions)}


ABOVE_0 = one_if(compare(vital(HR), "above", "0"))
RECORDS = {"op": "over", "how": "sum", "of": ABOVE_0, "take": "all"}
MINUTES: Callable[[str, str], Content] = lambda start, end: {  # noqa: E731  a node, as the others
    "op": "minutes",
    "start": {"op": "at", "at": start},
    "end": {"op": "at", "at": end},
}

PRESSURES = binary(
    "add", binary("divide", binary("subtract", vital(SBP), vital(DBP)), constant("3")), vital(DBP)
)


def template(operation: str, wording: str, tree: Content, **more: Any) -> Content:
    """A template of that operation; a number in mmHg unless it says something else."""
    content = {
        "id": f"{operation}.planted",
        "version": 1,
        "status": "draft",
        "operation": operation,
        "subtype": "planted",
        "steps": 1,
        "wording": [wording],
        "tree": tree,
        "answer_type": "number",
        "decimals": 0,
        "unit": "mmHg",
        "source": "made for a test",
    }
    return {key: value for key, value in (content | more).items() if value is not None}


TIME = {"time": {"kind": "record"}}
EARLY_LATE = {"earlier": {"kind": "record"}, "later": {"kind": "record"}}
WHEN: Content = {"answer_type": "datetime", "decimals": None, "unit": None}
COUNT: Content = {"answer_type": "count", "unit": None}

VALUE = template(
    "retrieval", "What was the systolic pressure at {time}?", rounded(vital(SBP, "time")), slots=TIME
)
HIGHEST = template(
    "comparison",
    "When was the heart rate highest?",
    {"op": "time_of_extreme", "which": "highest", "of": vital(HR)},
    **WHEN,
)
FIRST = template(
    "comparison",
    "When was the systolic pressure first above 120 mmHg?",
    {"op": "time_of", "which": "first", "where": compare(vital(SBP), "above", "120")},
    **WHEN,
)
HOW_MANY = template(
    "aggregation",
    "In how many records was the mean arterial pressure below 65 mmHg?",
    {"op": "count", "where": compare(PRESSURES, "below", "65")},
    **COUNT,
)
RATIO = template(
    "arithmetic",
    "What was the change in heart rate from {earlier} to {later}, by the heart rate at {earlier}?",
    rounded(
        binary("divide", binary("subtract", vital(HR, "later"), vital(HR, "earlier")), vital(HR, "earlier"))
    ),
    slots=EARLY_LATE,
    decimals=2,
    unit=None,
)
MEAN = template(
    "aggregation",
    "What was the mean systolic pressure of the two {which} records?",
    rounded({"op": "over", "how": "mean", "of": vital(SBP), "take": "which", "n": 2}),
    slots={"which": {"kind": "choice", "options": ["earliest", "latest"]}},
    decimals=1,
)
SOUND = {
    "value": VALUE,
    "highest": HIGHEST,
    "first": FIRST,
    "how many": HOW_MANY,
    "ratio": RATIO,
    "mean": MEAN,
}


class Planted(NamedTuple):
    """A fault and what it must be called."""

    rule: str
    content: Content
    path: tuple[str | int, ...]
    """Where it is told."""


def planted(sound: Content, rule: str, path: tuple[str | int, ...], **changes: Any) -> Planted:
    """A sound template with other values of some keys; None takes a key out."""
    changed = copy.deepcopy(sound) | copy.deepcopy(changes)
    return Planted(rule, {key: value for key, value in changed.items() if value is not None}, path)
