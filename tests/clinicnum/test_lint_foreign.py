"""Lint on CSVs of ClinicNumRobBench's form, made by its recipe: it finds what a brute-force solver finds.

The solver works on the records the recipe started from, not on the text, with exact fractions, in time order.
"""

from collections import Counter
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from clinicnum.lint.lint_file import lint
from clinicnum.lint.lint_results import Finding, NotChecked, Said, Tally
from tests.clinicnum import lint_notes, lint_recipe
from tests.clinicnum.lint_recipe import Row, bench, patients
from tests.clinicnum.lint_solver import brute_force, expected, in_order
from tests.open_data import figure

FORMS = {
    "structured": lint_recipe.structured,
    "templated": lint_recipe.templated,
    "ablation": lint_recipe.ablation,
    "padded": lint_recipe.padded,
}


@cache
def made_up() -> list[pd.DataFrame]:
    return patients(lint_recipe.made_up(seed=7, stays=60))


@cache
def demo() -> list[pd.DataFrame]:
    return patients(lint_recipe.demo())


def examined(tmp_path: Path, rows: list[Row]) -> tuple[list[Said], Tally]:
    examination = lint(lint_recipe.write(tmp_path / "bench.csv", rows), ())
    return list(examination.said), examination.tally


def rules_by_row(said: list[Said]) -> dict[int, set[str]]:
    rules: dict[int, set[str]] = {}
    for item in said:
        rules.setdefault(item.place.row, set()).add(item.rule if isinstance(item, Finding) else item.reason)
    return rules


@pytest.mark.parametrize("form", FORMS)
def test_in_each_form_lint_finds_just_what_brute_force_finds(form: str, tmp_path: Path) -> None:
    rows = bench(made_up(), FORMS[form])
    said, tally = examined(tmp_path, rows)
    by_row = rules_by_row(said)
    assert by_row == expected(rows, made_up())
    assert tally.checked == tally.rows == len(rows) > 1500
    assert set().union(*by_row.values()) - {"rounding_tie"} == {"wrong_gold", "tie", "false_premise"}


def test_on_the_open_demo_too_and_the_published_faults_have_the_shares_they_are_known_for(
    tmp_path: Path,
) -> None:
    rows = bench(demo(), lint_recipe.structured)
    said, tally = examined(tmp_path, rows)
    assert rules_by_row(said) == expected(rows, demo())
    superlatives = [t for name, t in tally.by_template.items() if ".highest." in name or ".lowest." in name]
    share = sum(t.ambiguous for t in superlatives) / sum(t.rows for t in superlatives)
    assert 0.25 < share < 0.30
    shock = tally.by_template["aggregation.shock_index_above_0_7"]
    assert 0.48 < shock.wrong / shock.rows < 0.56


def test_a_wrong_count_names_the_rounding_that_led_to_it(tmp_path: Path) -> None:
    # 71/100 = 0.71 counts, but rounded to 0.7 first it does not; 80/100 counts either way.
    context = ",\n".join(block(hour, heart_rate=rate, bp="100/60") for hour, rate in enumerate((71, 80, 60)))
    question = "How many time the patient has Shock Index higher than 0.7? Return the number of records."
    (finding,) = findings(tmp_path, context, question, "1")
    assert (finding.rule, finding.gold, finding.records_give) == ("wrong_gold", "1", "2")
    assert "rounded_early_to_1" in finding.message


def test_a_tie_names_its_times_and_a_gold_that_is_none_of_them_is_wrong_besides(tmp_path: Path) -> None:
    context = ",\n".join(block(hour, heart_rate=rate) for hour, rate in enumerate((90, 95, 95)))
    question = "What is the record datetime when heartrate is highest?"
    (tie,) = findings(tmp_path, context, question, "2150-01-01 02:00:00")
    assert (tie.rule, tie.times) == ("tie", ("2150-01-01 01:00:00", "2150-01-01 02:00:00"))
    both = findings(tmp_path, context, question, "2150-01-01 00:00:00")
    assert [f.rule for f in both] == ["tie", "wrong_gold"]


def block(hour: int, **cells: object) -> str:
    usual = {"temperature": 37.0, "heart_rate": 80, "resp_rate": 16, "o2_sat": 98, "bp": "120/80"}
    told = (
        {"chart_time": f"2150-01-01 {hour:02}:00:00", "age": 60, "gender": "male", "pain": 0} | usual | cells
    )
    return "{\n" + ",\n".join(f"    {key}: {value}" for key, value in told.items()) + "\n}"


def findings(tmp_path: Path, context: str, question: str, answer: object) -> list[Finding]:
    said, _ = examined(tmp_path, [Row(f"{context}\n\n{question}", answer, "made", (), 0)])
    assert all(isinstance(item, Finding) for item in said), said
    return [item for item in said if isinstance(item, Finding)]


AT = "2150-01-01 00:00:00"
SAID = (
    "At {at}, the 60-year-old male reports pain level is 0. His vital sign at the time is temperature {t}, "
)
SAID += "heart rate {hr} bpm, respiratory rate 16 bpm, O2 saturation 98%, blood pressure 120/80 mmHg."


def said_at(at: str = AT, t: object = "37.0°C", hr: object = 80) -> str:
    return SAID.format(at=at, t=t, hr=hr)


HEART_RATE = f"What was the heart rate of the patient at {AT}?"
TEMPERATURE = f"What was the temperature of the patient at {AT}?"
HIGHEST = "What is the record datetime when heartrate is highest?"
COUNT = "How many time the patient has Tachycardia? Return the number of records."
LATER = "2150-01-01 01:00:00"

PLANTED = {
    "a right gold": (said_at(), HEART_RATE, "80", []),
    "a right gold with a zero more": (said_at(), HEART_RATE, "80.0", []),
    "a wrong value": (said_at(), HEART_RATE, "81", ["wrong_gold"]),
    "no gold": (said_at(), HEART_RATE, "", ["wrong_gold"]),
    "words for a gold": (said_at(), HEART_RATE, "eighty", ["wrong_gold"]),
    "a number for a time": (said_at(), HIGHEST, "80", ["wrong_gold"]),
    "a right time as pandas may write it": (said_at(), HIGHEST, "2150-01-01T00:00:00.000000000", []),
    "a time that is not in the context": (said_at(LATER), HEART_RATE, "80", ["absent"]),
    "a value that is not in the context": (
        f"At {AT}, the 60-year-old male reports pain level is 0.",
        HEART_RATE,
        "80",
        ["absent"],
    ),
    "no such crossing": (
        said_at(),
        "What is the record datetime when heartrate first exceeded 100?",
        AT,
        ["wrong_gold"],
    ),
    "two values of a vital at a time": (said_at() + " Heart rate 82 bpm.", HEART_RATE, "80", ["other_value"]),
    "two values of a vital that is not asked": (said_at() + " Heart rate 82 bpm.", TEMPERATURE, "37.0", []),
    "two records at a time that differ": (
        f"{said_at()}\n{said_at(hr=90)}",
        HEART_RATE,
        "80",
        ["time_not_unique"],
    ),
    "two records at a time that are the same": (f"{said_at()}\n{said_at()}", HEART_RATE, "80", []),
    "two records at a time that are both counted": (
        f"{said_at(hr=110)}\n{said_at(hr=110)}",
        COUNT,
        "2",
        ["time_not_unique"],
    ),
    "a tie that is one time told twice": (f"{said_at()}\n{said_at()}", HIGHEST, AT, []),
    "°C and °F": (
        f"{said_at()}\n{said_at(LATER, t='99.0°F')}",
        TEMPERATURE,
        "37.0",
        ["unit"],
    ),
    "°F in brackets": (said_at(t="37.0 C (98.6 F)"), TEMPERATURE, "37.0", ["unit"]),
    "a value beyond belief": (said_at(hr=10), HEART_RATE, "10", ["implausible"]),
    "a value beyond belief that is not asked": (said_at(hr=10), TEMPERATURE, "37.0", []),
    "a tie at the digit asked": (
        # 78/120 is 0.65.
        said_at(hr=78),
        f"Calculate the Shock Index at {AT}, round to 1 decimal places.",
        "0.6",
        ["rounding_tie"],
    ),
    "a gold beside a tie": (
        said_at(hr=78),
        f"Calculate the Shock Index at {AT}, round to 1 decimal places.",
        "0.5",
        ["wrong_gold"],
    ),
    "a premise that does not hold": (
        said_at(hr=63),
        f"Calculate the percentage that heart rate at {AT} exceeds baseline (70 bpm), {lint_recipe.ONE}.",
        "-10.0",
        ["false_premise"],
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_each_planted_defect_is_found_and_nothing_else(case: str, tmp_path: Path) -> None:
    context, question, answer, rules = PLANTED[case]
    assert [f.rule for f in findings(tmp_path, context, question, answer)] == rules


NOT_UNDERSTOOD = {
    "another question": (said_at(), "What is the patient's diagnosis?", "question not understood"),
    "another threshold": (
        said_at(),
        "What is the record datetime when heartrate first exceeded 90?",
        "question not understood",
    ),
    "no context": ("", HEART_RATE, "context not understood"),
    "a context of another kind": ("Heart rate was 80 on arrival.", HEART_RATE, "context not understood"),
    "a number without a name where the value is missing": (
        f"At {AT}, tachycardia (112 bpm).",
        HEART_RATE,
        "context not understood",
    ),
    "an unknown key": (block(0, lactate=2), HEART_RATE, "context not understood"),
    "text in a number's place": (block(0, heart_rate="fast"), HEART_RATE, "context not understood"),
    "a value of five thousand digits": (said_at(hr="9" * 5000), HEART_RATE, "context not understood"),
    "a value that runs away in blanks": (
        block(0, heart_rate=" " * 50_000 + "x"),
        HEART_RATE,
        "context not understood",
    ),
    "no such day": (said_at().replace("01-01", "02-30"), HEART_RATE, "context not understood"),
    "a question about no such day": (
        said_at(),
        HEART_RATE.replace("01-01", "02-30"),
        "context not understood",
    ),
}


@pytest.mark.parametrize("case", NOT_UNDERSTOOD)
def test_what_is_not_understood_is_counted_apart_and_named(case: str, tmp_path: Path) -> None:
    context, question, reason = NOT_UNDERSTOOD[case]
    good = Row(f"{said_at()}\n\n{HEART_RATE}", 80, "made", (), 0)
    said, tally = examined(tmp_path, [good, Row(f"{context}\n\n{question}", 80, "made", (), 0)])
    assert [(item.place.row, item.reason) for item in said if isinstance(item, NotChecked)] == [(2, reason)]
    assert (tally.rows, tally.checked, tally.not_checked) == (2, 1, Counter({reason: 1}))
    assert not tally.by_rule


def test_in_whole_notes_a_value_is_read_rightly_or_said_to_be_doubtful(tmp_path: Path) -> None:
    notes = lint_notes.notes()
    rows = bench(made_up(), lint_notes.natural(notes))
    said, _ = examined(tmp_path, rows)
    rules, told = rules_by_row(said), in_order(made_up())
    doubtful = {"other_value", "unit", "context not understood"}
    for number, row in enumerate(rows, 1):
        found = rules.get(number, set())
        assert found & doubtful or found == brute_force(row, told[row.patient]), row
    # Most notes tell each vital once: only those with a second value are left open.
    left_open = sum(bool(found & doubtful) for found in rules.values())
    assert len(notes) > figure(subset=25, whole=40)
    assert left_open < 0.2 * len(rows)


def test_the_line_is_where_the_row_begins(tmp_path: Path) -> None:
    right = Row(f"{block(0)}\n\n{HEART_RATE}", 80, "made", (), 0)
    wrong = Row(f"{block(0)}\n\n{HEART_RATE}", 79, "made", (), 0)
    said, _ = examined(tmp_path, [right, wrong])
    path = tmp_path / "bench.csv"
    (finding,) = said
    assert finding.place.row == 2
    assert path.read_text().splitlines()[finding.place.line - 1] == '"{'
    before = path.read_text().splitlines()[: finding.place.line - 1]
    assert sum(line == '"{' for line in before) == 1
