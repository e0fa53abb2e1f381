"""Workings: every printed equation, comparison and band holds as printed; and what they look like."""

import random
import re
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter

from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, holds, table_of
from clinicnum.templates.solution_phrases import band_text
from clinicnum.templates.template import GivenSpec, RecordGiven, Template
from clinicnum.templates.tree import Band, RootNode, VitalNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Record

BANKS = [
    template for folder in (BASE_BANK, EXTENDED_BANK) if folder.is_dir() for template in load_bank(folder)
]
POOL = [
    list(context) for context in contexts(synthetic(seed=3, stays=300).records, "stay") if len(context) > 1
]

NUMBER = r"(?<![\w.^])-?\d+(?:\.\d+)?"
EQUATION = re.compile(
    rf"(?P<sum>[-\d.()|/x+ ]*\d[-\d.()|/x+ ]*) (?P<sign>[=≈]) (?P<result>{NUMBER})(?:$|[;.] |\.$)"
)
COMPARISON = re.compile(
    rf"(?P<left>{NUMBER})[^:;\d]* (?P<sign>[<>]=?) [^:;]*?(?P<right>{NUMBER})[^:;]*: (?P<verdict>yes|no)"
)
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
MINUTES = re.compile(
    rf"(?P<start>{TIME}) to (?P<end>{TIME}): (?:[^.]*; )?(?P<about>about )?(?P<minutes>{NUMBER}) min\b"
)
BAND = re.compile(rf"(?P<value>{NUMBER})(?: [^:;\d]+)?: -?\d+ points? \((?P<band>[^)]+)\)")


def value_of(text: str) -> Fraction:
    """A printed sum, by Python itself on fractions."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text).replace("x", "*")
    text = re.sub(r"\d+(?:\.\d+)?", lambda match: f"Fraction('{match[0]}')", text)
    return Fraction(eval(text, {"__builtins__": {}, "Fraction": Fraction, "abs": abs}))


def check_line(line: str) -> int:
    """Asserts that whatever a line claims is so; gives how many claims it makes."""
    claims = 0
    for match in EQUATION.finditer(line):
        if not re.search(r"\d .*[-+x/|]|\|", match["sum"]):
            continue  # `mean of the minutes = 82.5` names its left side in words
        off = abs(value_of(match["sum"].strip()) - Fraction(match["result"]))
        assert (
            off == 0
            if match["sign"] == "="
            else off <= abs(Fraction(match["result"])) / 1000 + Fraction(1, 1000)
        ), line
        claims += 1
    for match in COMPARISON.finditer(line):
        left, right = Fraction(match["left"]), Fraction(match["right"])
        true = {">": left > right, "<": left < right, ">=": left >= right, "<=": left <= right}[match["sign"]]
        assert true == (match["verdict"] == "yes"), line
        claims += 1
    for match in MINUTES.finditer(line):
        start, end = (datetime.fromisoformat(match[name]) for name in ("start", "end"))
        off = Fraction((end - start) // timedelta(seconds=1), 60) - Fraction(match["minutes"])
        assert abs(off) < Fraction(1, 10**6) if match["about"] else off == 0, line
        claims += 1
    for match in BAND.finditer(line):
        assert within(Fraction(match["value"]), match["band"]), line
        claims += 1
    return claims


def within(value: Fraction, band: str) -> bool:
    low, high = Fraction(-(10**9)), Fraction(10**9)
    if span := re.fullmatch(rf"({NUMBER}) to ({NUMBER})", band):
        low, high = Fraction(span[1]), Fraction(span[2])
    elif single := re.fullmatch(NUMBER, band):
        low = high = Fraction(single[0])
    else:
        for part in band.split(", "):
            bound = Fraction(re.findall(NUMBER, part)[0])
            low = bound if part.endswith("or more") or part.startswith("above") else low
            high = bound if part.startswith("at most") else high
    return low <= value <= high and not (band.startswith("above") and value == low)


def case_of(template: Template, records: list[Record], rng: random.Random) -> Case:
    at = dict(
        zip(
            template.record_slots,
            sorted(rng.sample(range(len(records)), len(template.record_slots))),
            strict=True,
        )
    )
    choices = {
        name: rng.choice(slot.options) for name, slot in template.slots.items() if slot.kind == "choice"
    }
    givens = {}
    for name, given in template.givens.items():
        if isinstance(given, RecordGiven):
            givens[name] = str(records[0].age_years)
        elif given.kind == "choice":
            givens[name] = rng.choice(given.options)
        else:
            scale = 10**given.decimals
            drawn = rng.randrange(int(given.low * scale), int(given.high * scale) + 1)
            givens[name] = f"{Decimal(drawn) / scale:.{given.decimals}f}"
    return Case(table_of(records), template.decimals or 0, at, choices, givens)


def golds(template: Template, wanted: int) -> list[tuple[Case, Answer]]:
    rng = random.Random(template.id)
    found = []
    for records in rng.sample(POOL, len(POOL)):
        if len(found) == wanted:
            break
        try:
            case = case_of(template, records, rng)
            if all(holds(condition, case, None) for condition in template.requires):
                found.append((case, answer(template.tree, case)))
        except (UndefinedError, ValueError):
            continue  # too few records for the template, or none that fits it
    return found


@pytest.mark.parametrize("template", BANKS, ids=[template.id for template in BANKS])
def test_every_line_of_a_working_holds_as_printed(template: Template) -> None:
    claims, cases = 0, golds(template, 30)
    for case, gold in cases:
        lines = worked_solution(template.tree, case, gold, template.givens)
        assert lines[-1].endswith(f"{gold.text}.")
        for line in lines:
            assert line.endswith(".")
            claims += check_line(line)
    reads_only = template.tree.op == "round" and isinstance(template.tree.of, VitalNode)
    assert claims > 0 or reads_only or template.tree.op == "time_of_extreme" or not cases


def test_the_check_of_lines_is_not_blind() -> None:
    assert check_line("2150-01-01 08:00:00: 2 x 70 = 140; 124 + 140 = 264; 264 / 3 = 88; 88 < 65: no.") == 4
    assert check_line("(12 + 14) / 2 = 13.") == 1
    assert check_line("Respiratory rate 22 breaths/min: 2 points (21 to 24).") == 1
    for wrong in (
        "2 + 2 = 5.",
        "1 / 3 = 0.333333.",
        "|-7| = -7.",
        "Heart rate 100 > 100: yes.",
        "Systolic pressure 118 < systolic pressure 124: no, so 0.",
        "Temperature 38 °C: 1 point (38.1 to 39.0).",
        "26.6: 0 points (at most 20).",
        "From 2150-01-01 08:30:00 to 2150-01-01 10:40:00: 120 min.",
    ):
        with pytest.raises(AssertionError):
            check_line(wrong)


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
