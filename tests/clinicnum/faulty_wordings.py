"""Templates that ask at fault: without a unit, for slots that nothing fills, with the answer given away."""

from tests.clinicnum.sound_templates import (
    DBP,
    FIRST,
    HOW_MANY,
    HR,
    MEAN,
    MINUTES,
    RATIO,
    RECORDS,
    SBP,
    TIME,
    VALUE,
    Planted,
    binary,
    both,
    compare,
    constant,
    planted,
    rounded,
    vital,
)

BASELINE = {"baseline": {"kind": "number", "label": "usual systolic pressure", "low": "90", "high": "150"}}
DOSE = {
    "weight": {"kind": "number", "label": "body weight", "unit": "kg", "low": "40", "high": "120"},
    "ordered": {"kind": "number", "label": "ordered dose", "unit": "mg/kg", "low": "1", "high": "9"},
}
SLOTS = ("slots", "time")

FAULTY_WORDINGS: dict[str, Planted] = {
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
