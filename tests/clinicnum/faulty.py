"""Sound templates and the faults planted into them, each with the name by which it must be told."""

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

Content = dict[str, Any]


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


SBP, DBP, HR, SPO2 = "sbp_mmhg", "dbp_mmhg", "heart_rate_bpm", "spo2_pct"
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


BASELINE = {"baseline": {"kind": "number", "label": "usual systolic pressure", "low": "90", "high": "150"}}
DOSE = {
    "weight": {"kind": "number", "label": "body weight", "unit": "kg", "low": "40", "high": "120"},
    "ordered": {"kind": "number", "label": "ordered dose", "unit": "mg/kg", "low": "1", "high": "9"},
}
ABOVE_0 = one_if(compare(vital(HR), "above", "0"))
RECORDS = {"op": "over", "how": "sum", "of": ABOVE_0, "take": "all"}
MINUTES: Callable[[str, str], Content] = lambda start, end: {  # noqa: E731  a node, as the others
    "op": "minutes",
    "start": {"op": "at", "at": start},
    "end": {"op": "at", "at": end},
}
SLOTS = ("slots", "time")

FAULTS: dict[str, Planted] = {
    # Ambiguous by ties.
    "the highest of yes and no": planted(
        HIGHEST, "ties", ("tree",), tree=extreme(one_if(compare(vital(HR), "above", "60")))
    ),
    "the highest of rounded temperatures": planted(
        HIGHEST, "ties", ("tree", "of"), tree=extreme(rounded(vital("temperature_c"), 0))
    ),
    "the lowest of points": planted(HIGHEST, "ties", ("tree",), tree=extreme(points(vital(SPO2)), "lowest")),
    "a half at every answer": planted(
        VALUE, "ties", ("decimals",), tree=rounded(binary("add", vital(SBP, "time"), constant("0.5")))
    ),
    # Rounded before a threshold.
    "a rounded mean pressure against a limit": planted(
        HOW_MANY,
        "rounded_threshold",
        ("tree", "where", "left"),
        tree={"op": "count", "where": compare(rounded(PRESSURES, 0), "below", "65")},
    ),
    "a rounded temperature against a limit": planted(
        FIRST,
        "rounded_threshold",
        ("tree", "where", "left"),
        wording=["When was the temperature first above 38 °C?"],
        tree={
            "op": "time_of",
            "which": "first",
            "where": compare(rounded(vital("temperature_c"), 0), "above", "38"),
        },
    ),
    "points of a rounded number": planted(
        VALUE,
        "rounded_threshold",
        ("tree", "of", "of"),
        tree=rounded(points(rounded(vital(SPO2, "time"), 0))),
        unit="points",
        wording=["How many points at {time}?"],
    ),
    "a rounded number inside a sum that is compared": planted(
        HOW_MANY,
        "rounded_threshold",
        ("tree", "where", "left", "left"),
        tree={
            "op": "count",
            "where": compare(binary("add", rounded(vital(SBP), 0), vital(DBP)), "below", "65"),
        },
    ),
    "a rounded number under not": planted(
        HOW_MANY,
        "rounded_threshold",
        ("tree", "where", "not", "left"),
        tree={"op": "count", "where": {"not": compare(rounded(PRESSURES, 0), "below", "65")}},
    ),
    # Missing unit.
    "a value without unit": planted(VALUE, "missing_unit", ("unit",), unit=None),
    "a mean without unit": planted(MEAN, "missing_unit", ("unit",), unit=None),
    "a mean arterial pressure without unit": planted(
        VALUE,
        "missing_unit",
        ("unit",),
        unit=None,
        tree=rounded(
            binary(
                "divide",
                binary("add", vital(SBP, "time"), binary("multiply", constant("2"), vital(DBP, "time"))),
                constant("3"),
            )
        ),
    ),
    "minutes without unit": planted(
        RATIO, "missing_unit", ("unit",), decimals=0, tree=rounded(MINUTES("earlier", "later"))
    ),
    "a slope without unit": planted(
        MEAN,
        "missing_unit",
        ("unit",),
        unit=None,
        tree=rounded({"op": "slope", "of": vital(HR), "take": "which", "n": 3}),
    ),
    "a dose without unit": planted(
        VALUE,
        "missing_unit",
        ("unit",),
        slots={},
        wording=["What dose was given?"],
        givens=DOSE,
        unit=None,
        tree=rounded(
            binary("multiply", {"op": "given", "name": "weight"}, {"op": "given", "name": "ordered"})
        ),
    ),
    "a threshold without unit": planted(
        FIRST, "missing_unit", ("wording", 0), wording=["When was the systolic pressure first above 120?"]
    ),
    "a given without unit": planted(
        VALUE,
        "missing_unit",
        ("givens", "baseline", "unit"),
        givens=BASELINE,
        tree=rounded(binary("subtract", vital(SBP, "time"), {"op": "given", "name": "baseline"})),
    ),
    # A slot that no record can fill.
    "a pressure that no patient has": planted(
        VALUE, "unfillable_slot", SLOTS, requires=[compare(vital(SBP, "time"), "above", "400")]
    ),
    "conditions that exclude each other": planted(
        VALUE,
        "unfillable_slot",
        SLOTS,
        requires=[compare(vital(SBP, "time"), "above", "140"), compare(vital(SBP, "time"), "below", "100")],
    ),
    "the later before the earlier": planted(
        RATIO,
        "unfillable_slot",
        ("slots", "earlier"),
        requires=[compare(MINUTES("later", "earlier"), "above", "0")],
    ),
    "more records than there are": planted(
        MEAN,
        "unfillable_slot",
        ("slots", "which"),
        tree=rounded({"op": "over", "how": "mean", "of": vital(SBP), "take": "which", "n": 200}),
    ),
    "a slot of an unknown kind": planted(
        VALUE, "unfillable_slot", ("slots", "time", "kind"), slots={"time": {"kind": "laboratory"}}
    ),
    "a slot of an unknown word": planted(
        MEAN,
        "unfillable_slot",
        ("slots", "which", "options", 0),
        slots={"which": {"kind": "choice", "options": ["highest"]}},
    ),
    # Two roots.
    "two trees in a list": planted(VALUE, "two_roots", ("tree",), tree=[VALUE["tree"], HIGHEST["tree"]]),
    "the parts of two roots": planted(
        VALUE, "two_roots", ("tree",), tree={**VALUE["tree"], "where": compare(vital(SBP), "above", "9")}
    ),
    "a count inside a number": planted(
        VALUE, "two_roots", ("tree", "of", "op"), tree=rounded(HOW_MANY["tree"])
    ),
    "two numbers to round": planted(
        VALUE,
        "two_roots",
        ("tree", "of"),
        tree={"op": "round", "of": [vital(SBP, "time"), vital(DBP, "time")]},
    ),
    "a second tree": planted(VALUE, "two_roots", ("tree2",), tree2=HIGHEST["tree"]),
    # Unknown vital.
    "a laboratory value": planted(
        VALUE, "unknown_vital", ("tree", "of", "vital"), tree=rounded(vital("glucose", "time"))
    ),
    "an abbreviation": planted(HIGHEST, "unknown_vital", ("tree", "of", "vital"), tree=extreme(vital("HR"))),
    "pain": planted(VALUE, "unknown_vital", ("tree", "of", "vital"), tree=rounded(vital("pain", "time"))),
    "an unknown vital in a condition": planted(
        VALUE,
        "unknown_vital",
        ("requires", 0, "left", "vital"),
        requires=[compare(vital("lactate", "time"), "above", "2")],
    ),
    "an unknown vital deep in a condition": planted(
        HOW_MANY,
        "unknown_vital",
        ("tree", "where", "all", 1, "not", "right", "vital"),
        tree={
            "op": "count",
            "where": both(
                compare(vital(SBP), "below", "90"), {"not": compare(vital(HR), "above", vital("pulse"))}
            ),
        },
    ),
    # A rule that divides by zero.
    "by nought": planted(RATIO, "divides_by_zero", ("tree", "of", "right"), tree=by(constant("0"))),
    "by a difference of constants": planted(
        RATIO,
        "divides_by_zero",
        ("tree", "of", "right"),
        tree=by(binary("subtract", constant("5"), constant("5.0"))),
    ),
    "by a value less itself": planted(
        RATIO,
        "divides_by_zero",
        ("tree", "of", "right"),
        tree=by(binary("subtract", vital(HR, "earlier"), vital(HR, "earlier"))),
    ),
    "by nought times a value": planted(
        RATIO,
        "divides_by_zero",
        ("tree", "of", "right"),
        tree=by(binary("multiply", vital(HR, "earlier"), constant("0"))),
    ),
    "by a change that may be none": planted(
        RATIO,
        "divides_by_zero",
        ("tree",),
        tree=by(binary("subtract", vital(HR, "later"), vital(HR, "earlier"))),
    ),
    "by the distance from a usual value": planted(
        VALUE,
        "divides_by_zero",
        ("tree",),
        unit=None,
        tree=rounded(
            binary("divide", constant("100"), binary("subtract", vital(SPO2, "time"), constant("97")))
        ),
    ),
    "by the distance from a value that no sample patient has": planted(
        VALUE,
        "divides_by_zero",
        ("tree",),
        unit=None,
        tree=rounded(
            binary("divide", constant("100"), binary("subtract", vital(HR, "time"), constant("241")))
        ),
    ),
    "by a given that may be nought": planted(
        VALUE,
        "divides_by_zero",
        ("tree",),
        unit=None,
        givens={"rate": {"kind": "number", "label": "pump rate", "unit": "mL/h", "low": "0", "high": "9999"}},
        tree=rounded(binary("divide", vital(SBP, "time"), {"op": "given", "name": "rate"})),
    ),
    "by a number of records that may be none": planted(
        VALUE,
        "divides_by_zero",
        ("tree",),
        unit=None,
        slots=None,
        wording=["By how much does the number of records exceed that with a fast heart?"],
        tree=rounded(
            binary(
                "divide",
                RECORDS,
                {**RECORDS, "of": one_if(compare(vital(HR), "above", "120"))},
            )
        ),
    ),
    # A wording that gives the answer away.
    "the value in the question": planted(
        VALUE,
        "gives_answer_away",
        ("wording", 0),
        wording=["At {time} the systolic pressure was measured: 118 mmHg. What was it?"],
    ),
    "the value in other words": planted(
        VALUE,
        "gives_answer_away",
        ("wording", 0),
        wording=["What was the systolic pressure at {time}, when the pulse was 71 beats per minute?"],
    ),
    "the answer in the question": planted(
        FIRST,
        "gives_answer_away",
        ("wording", 0),
        wording=["When was the systolic pressure first above 120 mmHg? The answer is the first record."],
    ),
    "a hint in one wording": planted(
        VALUE,
        "gives_answer_away",
        ("wording", 1),
        wording=[VALUE["wording"][0], "What was the systolic pressure at {time}? Hint: it was normal."],
    ),
    "the same answer for all": planted(
        VALUE,
        "gives_answer_away",
        ("tree", "of"),
        unit=None,
        slots=None,
        wording=["What is two times three?"],
        tree=rounded(binary("multiply", constant("2"), constant("3"))),
    ),
    "the time that is asked for": planted(
        FIRST,
        "gives_answer_away",
        ("wording", 0),
        slots=TIME,
        wording=["When was the systolic pressure first what it was at {time}?"],
        tree={
            "op": "time_of",
            "which": "first",
            "where": both(
                compare(vital(SBP), "at_least", vital(SBP, "time")),
                compare(vital(SBP), "at_most", vital(SBP, "time")),
            ),
        },
    ),
    "the number that is asked for": planted(
        HOW_MANY,
        "gives_answer_away",
        ("wording", 0),
        wording=["In how many of the 4 records was the heart rate above 10 bpm?"],
        tree={"op": "count", "where": compare(vital(HR), "above", "10")},
        requires=[compare(RECORDS, "at_least", "4"), compare(RECORDS, "at_most", "4")],
    ),
}
