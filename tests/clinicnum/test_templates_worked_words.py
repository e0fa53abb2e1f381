"""Workings in words: what the lines of each operation look like, and how bands are named."""

from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter

from clinicnum.templates.evaluate_tree import Case, answer, table_of
from clinicnum.templates.solution_phrases import band_text
from clinicnum.templates.template import GivenSpec
from clinicnum.templates.tree import Band, RootNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Record


def table(*rows: tuple[str, dict[str, int | str]]) -> Case:
    """A case on records at times of one day, with the second record in the slot `time`."""
    records = [
        Record(
            subject_id="a",
            stay_id="b",
            source="t",
            charttime=f"2150-01-01 {time}:00",  # type: ignore[arg-type]
            **{name: Decimal(value) for name, value in values.items()},  # type: ignore[arg-type]
        )
        for time, values in rows
    ]
    givens = {"weight": "72", "oxygen": "yes"}
    return Case(table_of(records), 1, {"time": 1}, {"which": "latest"}, givens)


FOUR = table(
    ("08:00", {"heart_rate_bpm": 84, "temperature_c": "36.8", "resp_rate_bpm": 16}),
    ("08:30", {"heart_rate_bpm": 110, "temperature_c": "38.4", "resp_rate_bpm": 22}),
    ("09:00", {"heart_rate_bpm": 92, "temperature_c": "38.0", "resp_rate_bpm": 24}),
    ("10:40", {"heart_rate_bpm": 101, "temperature_c": "37.1", "resp_rate_bpm": 21}),
)
HR = {"op": "vital", "vital": "heart_rate_bpm"}
ABOVE_100 = {"left": HR, "comparator": "above", "right": {"op": "constant", "value": "100"}}
HIGHEST = {"op": "time_of_extreme", "which": "highest", "of": HR}
FIRST = {"op": "time_of", "which": "first", "where": ABOVE_100}
BANDS = [{"at_most": "20", "points": 0}, {"at_most": "24", "points": 2}, {"points": 3}]
GIVENS = {
    "weight": {"kind": "number", "label": "body weight", "unit": "kg", "low": "40", "high": "90"},
    "oxygen": {"kind": "choice", "label": "supplemental oxygen", "options": ["yes", "no"]},
}
IN_TURN = {"how": "sum", "op": "over_pairs"}
EACH_TO_NEXT = {"op": "minutes", "start": {"op": "at", "at": "each"}, "end": {"op": "at", "at": "next"}}

WORDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "a score": (
        {
            "op": "sum",
            "of": [
                {
                    "op": "points",
                    "of": {"op": "vital", "vital": "resp_rate_bpm", "at": "time"},
                    "bands": BANDS,
                },
                {"op": "given_points", "name": "oxygen", "points": {"yes": 2, "no": 0}},
                {"op": "one_if", "where": {"not": {**ABOVE_100, "left": {"op": "given", "name": "weight"}}}},
            ],
        },
        (
            "At 2150-01-01 08:30:00: respiratory rate 22 breaths/min.",
            "Given: body weight 72 kg.",
            "Respiratory rate 22 breaths/min: 2 points (21 to 24).",
            "Supplemental oxygen yes: 2 points.",
            "Not [body weight 72 kg > 100: no]: yes, so 1.",
            "2 + 2 + 1 = 5.",
            "With 1 decimal: 5.0.",
        ),
    ),
    "time above a limit": (
        {
            **IN_TURN,
            "of": {"op": "multiply", "left": {"op": "one_if", "where": ABOVE_100}, "right": EACH_TO_NEXT},
        },
        (
            "At 2150-01-01 08:00:00: heart rate 84 bpm.",
            "At 2150-01-01 08:30:00: heart rate 110 bpm.",
            "At 2150-01-01 09:00:00: heart rate 92 bpm.",
            "2150-01-01 08:00:00 to 2150-01-01 08:30:00: heart rate 84 > 100: no, so 0; 30 min; 0 x 30 = 0.",
            "2150-01-01 08:30:00 to 2150-01-01 09:00:00:"
            " heart rate 110 > 100: yes, so 1; 30 min; 1 x 30 = 30.",
            "2150-01-01 09:00:00 to 2150-01-01 10:40:00:"
            " heart rate 92 > 100: no, so 0; 100 min; 0 x 100 = 0.",
            "0 + 30 + 0 = 30.",
            "With 1 decimal: 30.0.",
        ),
    ),
    "an interval between events": (
        {"op": "minutes", "start": FIRST, "end": {"op": "at", "at": "latest"}},
        (
            "2150-01-01 08:00:00: heart rate 84 > 100: no.",
            "2150-01-01 08:30:00: heart rate 110 > 100: yes.",
            "It first holds at 2150-01-01 08:30:00.",
            "From 2150-01-01 08:30:00 to 2150-01-01 10:40:00: 130 min.",
            "With 1 decimal: 130.0.",
        ),
    ),
    "a trend over the latest three": (
        {"op": "slope", "of": HR, "take": "latest", "n": 3},
        (
            "At 2150-01-01 08:30:00: heart rate 110 bpm.",
            "At 2150-01-01 09:00:00: heart rate 92 bpm.",
            "At 2150-01-01 10:40:00: heart rate 101 bpm.",
            "Minutes since 2150-01-01 08:30:00: 0, 30, 130.",
            # 160 / 3, 303 / 3; (30 x 92 + 130 x 101) - 160 x 101 = -270; 900 + 16900 - 160 x 160 / 3
            "Mean of the minutes ≈ 53.333333, of the values = 101.",
            "Sum of (minutes - mean) x (value - mean) = -270.",
            "Sum of (minutes - mean) x (minutes - mean) ≈ 9266.666667.",
            "Per hour: 60 x (-270) / 9266.666667 ≈ -1.748201.",
            "With 1 decimal: -1.7.",
        ),
    ),
    "a range": (
        {"op": "over", "how": "range", "of": {"op": "vital", "vital": "temperature_c"}, "take": "all"},
        (
            "At 2150-01-01 08:00:00: temperature 36.8 °C.",
            "At 2150-01-01 08:30:00: temperature 38.4 °C.",
            "At 2150-01-01 09:00:00: temperature 38 °C.",
            "At 2150-01-01 10:40:00: temperature 37.1 °C.",
            "Highest less lowest: 38.4 - 36.8 = 1.6.",
            "With 1 decimal: 1.6.",
        ),
    ),
    "a dose": (
        {
            "op": "multiply",
            "left": {"op": "given", "name": "weight"},
            "right": {"op": "constant", "value": "0.15"},
        },
        ("Given: body weight 72 kg.", "72 x 0.15 = 10.8.", "With 1 decimal: 10.8."),
    ),
}


@pytest.mark.parametrize(("tree", "lines"), WORDS.values(), ids=WORDS.keys())
def test_a_working_in_words(tree: dict[str, Any], lines: tuple[str, ...]) -> None:
    root = TypeAdapter(RootNode).validate_python({"op": "round", "of": tree})
    givens = TypeAdapter(dict[str, GivenSpec]).validate_python(GIVENS)
    assert worked_solution(root, FOUR, answer(root, FOUR), givens) == lines


def test_a_joint_condition_and_what_it_computes_with_are_named_once() -> None:
    mean = {"op": "over", "how": "mean", "of": HR, "take": "earliest", "n": 2}
    twice = {"op": "multiply", "left": HR, "right": {"op": "constant", "value": "2"}}
    parts = [{"left": HR, "comparator": "at_least", "right": mean}, {**ABOVE_100, "left": twice}]
    root = TypeAdapter(RootNode).validate_python({"op": "count", "where": {"all": parts}})
    assert worked_solution(root, FOUR, answer(root, FOUR))[:2] == (
        "2150-01-01 08:00:00: heart rate 84; heart rate: (84 + 110) / 2 = 97; 84 x 2 = 168;"
        " all of [heart rate 84 >= 97: no; 168 > 100: yes]: no.",
        "2150-01-01 08:30:00: heart rate 110; 110 x 2 = 220;"
        " all of [heart rate 110 >= 97: yes; 220 > 100: yes]: yes.",
    )


BAND_TEXTS = {
    # limits as the template writes them, a value: what its band is called
    (("8", "20"), "8"): "at most 8",
    (("8", "20"), "9"): "9 to 20",
    (("8", "20"), "21"): "21 or more",
    (("8", "20"), "8.5"): "above 8, at most 20",
    (("8", "20"), "20.5"): "above 20",
    (("36.0", "38.0"), "37.2"): "36.1 to 38.0",
    (("36", "38"), "37.2"): "above 36, at most 38",
    (("14", "15"), "15"): "15",
}


@pytest.mark.parametrize(("limits", "value"), BAND_TEXTS)
def test_a_band_is_named_in_the_digits_of_its_limits(limits: tuple[str, ...], value: str) -> None:
    bands = [*(Band(at_most=Decimal(limit), points=0) for limit in limits), Band(points=1)]
    assert band_text(bands, Decimal(value).as_integer_ratio()) == BAND_TEXTS[limits, value]
