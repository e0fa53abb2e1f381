"""Templates whose tree is at fault: ties, rounding before a limit, two roots, unknown vitals, zeros."""

from tests.clinicnum.sound_templates import (
    DBP,
    FIRST,
    HIGHEST,
    HOW_MANY,
    HR,
    PRESSURES,
    RATIO,
    RECORDS,
    SBP,
    SPO2,
    VALUE,
    Planted,
    binary,
    both,
    by,
    compare,
    constant,
    extreme,
    one_if,
    planted,
    points,
    rounded,
    vital,
)

FAULTY_TREES: dict[str, Planted] = {
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
}
