"""Workings: every printed equation, comparison and band holds as printed."""

import random
import re
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, holds, table_of
from clinicnum.templates.template import RecordGiven, Template
from clinicnum.templates.tree import VitalNode
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
