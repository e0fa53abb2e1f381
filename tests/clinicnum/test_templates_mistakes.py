"""Mistakes of every node, with the answer that each leads to derived by hand."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from clinicnum.templates.distractors import distractors, wrong_trees
from clinicnum.templates.evaluate_tree import Case, UndefinedError, answer, answer_text, table_of
from clinicnum.templates.template import Template
from clinicnum.types import Record

HR = {"op": "vital", "vital": "heart_rate_bpm"}
NEXT = {**HR, "at": "next"}
ABOVE_100 = {"left": HR, "comparator": "above", "right": {"op": "constant", "value": "100"}}
RR_THEN = {"op": "vital", "vital": "resp_rate_bpm", "at": "time"}
BANDS = [{"at_most": "20", "points": 0}, {"at_most": "24", "points": 2}, {"points": 3}]
AT = {name: {"op": "at", "at": name} for name in ("each", "next", "earliest", "latest")}
GIVENS = {
    "weight": {"kind": "number", "label": "body weight", "unit": "kg", "low": "40", "high": "90"},
    "oxygen": {"kind": "choice", "label": "supplemental oxygen", "options": ["yes", "no"]},
}


def template(
    of: dict[str, Any], *, decimals: int = 0, unit: str | None = None, time: bool = False
) -> Template:
    """A template that asks a number; its givens are those that it names."""
    return Template.model_validate(
        {
            "id": "arithmetic.mine",
            "version": 1,
            "status": "draft",
            "operation": "arithmetic",
            "subtype": "mine",
            "steps": 1,
            "wording": ["{time}?" if time else "?"],
            "slots": {"time": {"kind": "record"}} if time else {},
            "givens": {name: given for name, given in GIVENS.items() if f"'{name}'" in str(of)},
            "tree": {"op": "round", "of": of},
            "answer_type": "number",
            "decimals": decimals,
            "unit": unit,
            "source": "mine",
        }
    )


START = datetime(2150, 1, 1, 8)
TIMES = (0, 30, 60, 160)
RATES = (84, 110, 92, 101)
BREATHS = (16, 24, 20, 25)
RECORDS = [
    Record(
        subject_id="a",
        stay_id="b",
        source="t",
        charttime=START + timedelta(minutes=minutes),
        heart_rate_bpm=Decimal(rate),
        resp_rate_bpm=Decimal(breaths),
        temperature_c=Decimal(temperature),
    )
    for minutes, rate, breaths, temperature in zip(
        TIMES, RATES, BREATHS, ("36.8", "38.4", "38.0", "37.1"), strict=True
    )
]


def values(asked: Template) -> tuple[str, dict[str, set[str]]]:
    """The gold, and what each rule of a wrong tree leads to where that is another answer."""
    case = Case(
        table_of(RECORDS),
        asked.decimals or 0,
        {"time": 1} if asked.slots else {},
        {},
        {"weight": "72", "oxygen": "no"},
    )
    gold = answer(asked.tree, case)
    found: dict[str, set[str]] = {}
    for wrong in wrong_trees(asked):
        try:
            value = answer_text(wrong.tree, case)
        except UndefinedError:
            continue  # another vital that the records lack
        if value != gold.text:
            found.setdefault(f"{wrong.rule} {wrong.code.split('.')[1]}", set()).add(value)
    return gold.text, found


def test_of_points() -> None:
    gold, found = values(template({"op": "points", "of": RR_THEN, "bands": BANDS}, unit="points", time=True))
    assert gold == "2"  # 24: 21 to 24
    assert found == {
        "heart_rate_bpm_for_resp_rate_bpm wrong_vital": {"3"},  # 110
        "limits_excluded_for_resp_rate_bpm wrong_comparator": {"3"},  # 24 is not below 24
        "next_band_for_resp_rate_bpm wrong_comparator": {"3"},
        "previous_band_for_resp_rate_bpm wrong_comparator": {"0"},
    }


def test_of_a_score() -> None:
    parts = [
        {"op": "points", "of": RR_THEN, "bands": BANDS},
        {"op": "given_points", "name": "oxygen", "points": {"yes": 4, "no": 1}},
        {
            "op": "one_if",
            "where": {
                "all": [
                    {**ABOVE_100, "left": {**HR, "at": "time"}},
                    {"not": {**ABOVE_100, "left": {"op": "given", "name": "weight"}}},
                ]
            },
        },
    ]
    gold, found = values(template({"op": "sum", "of": parts}, time=True))
    assert gold == "4"  # 2 + 1 + 1: 110 > 100 and not 72 > 100
    assert found["component_left_out missed_step"] == {"2", "3"}
    assert found["oxygen_reversed negation_missed"] == {"7"}
    assert found["not_dropped wrong_comparator"] == {"3"}
    assert found["below_for_above wrong_comparator"] == {"3"}
    assert "any_for_all wrong_comparator" not in found  # 4 too: the first part holds
    assert found["next_band_for_resp_rate_bpm wrong_comparator"] == {"5"}


def test_of_a_dose() -> None:
    dose = {
        "op": "multiply",
        "left": {"op": "given", "name": "weight"},
        "right": {"op": "constant", "value": "0.5"},
    }
    gold, found = values(template(dose, decimals=1))
    assert gold == "36.0"
    assert found == {"step_left_out missed_step": {"72.0"}, "given_ignored missed_step": {"0.5"}}


def test_of_time_above_a_limit() -> None:
    gap = {"op": "minutes", "start": AT["each"], "end": AT["next"]}
    held = {"op": "multiply", "left": {"op": "one_if", "where": ABOVE_100}, "right": gap}
    gold, found = values(template({"op": "over_pairs", "how": "sum", "of": held}, unit="minutes"))
    assert gold == "30"  # 110 from 08:30 to 09:00
    assert found == {
        "resp_rate_bpm_for_heart_rate_bpm wrong_vital": {"0"},
        "below_for_above wrong_comparator": {"130"},  # 84 for 30 min, 92 for 100
        "step_left_out missed_step": {"1"},
        "condition_left_out missed_step": {"160"},
        "next_for_previous wrong_record": {"130"},  # 110 for the 30 min before 08:30, 101 for the last 100
        "hours_for_minutes unit": {"1"},  # 0.5, half-up
    }


def test_of_hours() -> None:
    minutes = {"op": "minutes", "start": AT["earliest"], "end": AT["latest"]}
    hours = {"op": "divide", "left": minutes, "right": {"op": "constant", "value": "60"}}
    gold, found = values(template(hours, decimals=2, unit="hours"))
    assert gold == "2.67"
    assert found == {
        "minutes_for_hours unit": {"160.00"},
        "ends_swapped wrong_record": {"-2.67"},
    }


def test_of_an_interval() -> None:
    first = {"op": "time_of", "which": "first", "where": ABOVE_100}
    top = {"op": "time_of_extreme", "which": "lowest", "of": HR}
    gold, found = values(template({"op": "minutes", "start": top, "end": first}))
    assert gold == "30"  # 84 at 08:00, 110 at 08:30
    assert found == {
        "last_for_first wrong_record": {"160"},
        "highest_for_lowest wrong_comparator": {"0"},
        "below_for_above wrong_comparator": {"0"},
        "hours_for_minutes unit": {"1"},
    }


def test_of_changes_between_neighbours() -> None:
    change = {"op": "subtract", "left": NEXT, "right": HR}
    gold, found = values(template({"op": "over_pairs", "how": "highest", "of": change}))
    assert gold == "26"  # 26, -18, 9
    assert found == {
        "resp_rate_bpm_for_heart_rate_bpm wrong_vital": {"8"},  # 8, -4, 5
        "lowest_for_highest wrong_comparator": {"-18"},
        "operands_swapped wrong_formula": {"18"},
        "step_left_out missed_step": {"110"},
    }
    unsigned = {"op": "over_pairs", "how": "lowest", "of": {"op": "absolute", "of": change}}
    gold, found = values(template(unsigned))
    assert gold == "9"
    assert found["sign_kept missed_step"] == {"-18"}
    assert "operands_swapped wrong_formula" not in found  # the same without a sign


def test_of_records_taken() -> None:
    latest = {"op": "over", "how": "mean", "of": HR, "take": "latest", "n": 2}
    gold, found = values(template(latest, decimals=1))
    assert gold == "96.5"  # (92 + 101) / 2
    assert found == {
        "resp_rate_bpm_for_heart_rate_bpm wrong_vital": {"22.5"},
        "sum_for_mean missed_step": {"193.0"},
        "one_record_more wrong_record": {"101.0"},
        "one_record_fewer missed_record": {"101.0"},
        "earliest_for_latest wrong_record": {"97.0"},
    }
    spread = {"op": "over", "how": "range", "of": HR, "take": "all"}
    assert values(template(spread))[1] == {
        "resp_rate_bpm_for_heart_rate_bpm wrong_vital": {"9"},
        "highest_for_range missed_step": {"110"},
    }


def test_of_a_slope() -> None:
    gold, found = values(template({"op": "slope", "of": HR, "take": "earliest", "n": 2}, decimals=1))
    assert gold == "52.0"  # 26 in half an hour
    assert found == {
        "resp_rate_bpm_for_heart_rate_bpm wrong_vital": {"16.0"},
        "one_record_more wrong_record": {"8.0"},  # 84, 110, 92 half-hourly: (92 - 84) / 1 h
        "latest_for_earliest wrong_record": {"5.4"},  # 9 in 100 min
        "per_minute_for_per_hour unit": {"0.9"},
    }


def test_of_one_end() -> None:
    gold, found = values(template({**HR, "at": "latest"}))
    assert (gold, found["earliest_for_latest wrong_record"]) == ("101", {"84"})


def test_a_difference_in_fahrenheit_is_only_scaled() -> None:
    temperature = {"op": "vital", "vital": "temperature_c", "at": "latest"}
    change = {"op": "subtract", "left": temperature, "right": {**temperature, "at": "earliest"}}
    assert values(template(temperature, decimals=1, unit="°C"))[1]["fahrenheit_for_celsius unit"] == {"98.8"}
    gold, found = values(template(change, decimals=1, unit="°C"))
    assert (gold, found["fahrenheit_for_celsius unit"]) == ("0.3", {"0.5"})


def test_a_mean_inside_is_rounded_early() -> None:
    mean = {"op": "over", "how": "mean", "of": HR, "take": "earliest", "n": 3}  # 95.33
    triple = {"op": "multiply", "left": mean, "right": {"op": "constant", "value": "3"}}
    gold, found = values(template(triple))
    assert (gold, found["rounded_early premature_rounding"]) == ("286", {"285"})


def test_a_record_is_missed_in_turn_and_slots_stay_where_they_are() -> None:
    change = {"op": "subtract", "left": NEXT, "right": HR}
    rise = {"op": "over_pairs", "how": "highest", "of": change}
    asked = template({"op": "subtract", "left": rise, "right": {**HR, "at": "time"}}, time=True)
    case = Case(table_of(RECORDS), 0, {"time": 2}, {})
    gold = answer(asked.tree, case)
    items = distractors(asked.tree, (), case, gold).items
    assert gold.text == "-66"  # 26 - 92
    missed = {item.value for item in items if item.code == "omission.missed_record"}
    # without 08:00: 9 - 92; without 08:30: 9 - 92; 09:00 fills the slot; without 10:40: 26 - 92 as before
    assert missed == {"-83"}


def test_a_score_that_another_vital_gives_by_chance_still_discriminates() -> None:
    low = [{"at_most": "300", "points": 1}, {"points": 2}]
    points = template({"op": "points", "of": RR_THEN, "bands": low}, time=True)
    case = Case(table_of(RECORDS[1:2]), 0, {"time": 0}, {})
    assert not distractors(points.tree, wrong_trees(points), case, answer(points.tree, case)).undiscriminated
    equal = [record.model_copy(update={"resp_rate_bpm": record.heart_rate_bpm}) for record in RECORDS[1:2]]
    plain = template(RR_THEN, time=True)
    case = Case(table_of(equal), 0, {"time": 0}, {})
    assert distractors(plain.tree, wrong_trees(plain), case, answer(plain.tree, case)).undiscriminated


@pytest.mark.parametrize("records", [7, 40])
def test_of_many_records_a_few_are_missed_the_ends_among_them(records: int) -> None:
    many = [
        RECORDS[0].model_copy(
            update={"charttime": START + timedelta(hours=i), "heart_rate_bpm": Decimal(60 + i * i)}
        )
        for i in range(records)
    ]
    asked = template({"op": "over", "how": "sum", "of": HR, "take": "all"})
    case = Case(table_of(many), 0, {}, {})
    gold = answer(asked.tree, case)
    missed = {int(gold.text) - int(item.value) for item in distractors(asked.tree, (), case, gold).items}
    assert len(missed) == 6
    assert {60, 60 + (records - 1) ** 2} <= missed


def test_a_wrong_tree_is_tried_once_for_each_code_and_is_wrong() -> None:
    asked = template(
        {"op": "points", "of": RR_THEN, "bands": [{"at_most": "20", "points": 1}, {"points": 1}]}, time=True
    )
    wrong = wrong_trees(asked)
    assert asked.tree not in [item.tree for item in wrong]
    keys = [(item.code, item.tree.model_dump_json()) for item in wrong]
    assert len(keys) == len(set(keys))
    assert not [
        item for item in wrong if "band" in item.rule
    ]  # all bands give 1: shifting them changes nothing
