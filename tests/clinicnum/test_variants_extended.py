"""Variants of the extended bank: givens, points and trends, recomputed without the operation tree."""

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest

from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.bank import EXTENDED_BANK, load_bank
from clinicnum.types import Instance
from clinicnum.variants import crossing, named_step
from tests.clinicnum.solver import rounded
from tests.clinicnum.test_extended_recomputed import ALL, GIVEN, MOMENT, ONE, TWO, expected, seen
from tests.clinicnum.varying import pairs

BANK = {template.id: template for template in load_bank(EXTENDED_BANK)}
TOLD = re.compile(r"With (.+) the answer would be (.+), with (.+) it would be (.+)\.")
RECOMPUTED = {*ONE, *TWO, *GIVEN, *ALL, *MOMENT}
REWRITTEN = (
    "representation.no_units",
    "input.typo",
    "input.distractor",
    "chain.wrong_step",
    "options.shuffle.3",
)
KINDS = ("numeric.relevant", "numeric.irrelevant", "missing.negated", *REWRITTEN)


def givens_of(made: Instance) -> Mapping[str, str]:
    keys = {given.label: key for key, given in BANK[made.template_id].givens.items()}
    return {keys[given.name]: given.value for given in made.givens}


def answer_of(made: Instance, givens: Mapping[str, str]) -> str | None:
    """The answer as the wording asks it; None where this test does not know the template."""
    if made.template_id.split(".", 1)[1] not in RECOMPUTED:
        return None
    rows = [seen(record, made.records[0]) for record in made.records]
    times = [row.time for row in rows]
    places = [times.index(made.slots[name]) for name in BANK[made.template_id].record_slots]
    right = expected(made.template_id, rows, places, givens)
    return right if isinstance(right, str) else rounded(Fraction(right), made.decimals or 0)


@pytest.mark.parametrize("name", KINDS)
def test_the_answer_is_what_the_records_and_givens_give(name: str) -> None:
    known = 0
    for base, made in pairs(name, EXTENDED_BANK):
        answer = answer_of(made, givens_of(made))
        if answer is not None:
            known += 1
            assert made.answer == answer
        assert (made.answer != base.answer) == (name == "numeric.relevant")
    assert known >= 100


def test_a_given_may_be_what_changes() -> None:
    changed = [
        (base, made) for base, made in pairs("numeric.relevant", EXTENDED_BANK) if made.givens != base.givens
    ]
    assert len(changed) >= 15
    for base, made in changed:
        assert made.records == base.records
        differing = [new for old, new in zip(base.givens, made.givens, strict=True) if old != new]
        assert len(differing) == 1
        assert differing[0].value in made.context


def test_a_withheld_given_stands_nowhere_and_two_values_of_it_give_two_answers() -> None:
    seen_keys = set()
    for base, made in pairs("missing.masked", EXTENDED_BANK):
        withheld = set(base.givens) - set(made.givens)
        if not withheld:
            continue
        (given,) = withheld
        assert made.records == base.records
        assert f"{given.name}: {given.value}" not in made.context
        assert f"| {given.name} |" not in made.context
        assert made.worked[0].lower() == f"{given.name} is not documented.".lower()
        assert (made.answer, made.evidence) == (None, ())
        seen_keys.add(given.name)
        template = BANK[made.template_id]
        (key,) = [key for key, spec in template.givens.items() if spec.label == given.name]
        told = re.fullmatch(
            r"With (.+) the answer would be (.+), with (.+) it would be (.+)\.", made.worked[1]
        )
        assert told is not None
        assert told[2] != told[4]
        assert told[2] == base.answer
        if made.template_id.split(".", 1)[1] in RECOMPUTED:
            for value, answer in ((told[1], told[2]), (told[3], told[4])):
                assert answer_of(base, {**givens_of(base), key: value.split(" ")[0]}) == answer
    assert {"body weight", "ordered dose"} <= seen_keys


def test_a_question_of_doses_has_no_dose_below_it() -> None:
    for _, made in pairs("input.distractor", EXTENDED_BANK):
        if "dose" in made.question or "mg" in made.question:
            assert "Medication given" not in made.context


FACTORS = {
    "into kilopascals": Fraction("0.133322"),
    "in 15 seconds, a quarter of it": Fraction(1, 4),
    "in 30 seconds, half of it": Fraction(1, 2),
    "as a fraction of 1": Fraction(1, 100),
    "into litres": Fraction(1, 1000),
    "into mL per minute": Fraction(1, 60),
    "into grams": Fraction(1, 1000),
    "degrees Fahrenheit apart": Fraction("1.8"),
}


def test_a_further_step_suits_what_is_asked() -> None:
    taken = set()
    for base, made in pairs("chain.extra_step", EXTENDED_BANK):
        before, after = Fraction(base.answer_exact or 0), Fraction(made.answer_exact or 0)
        lacking = re.search(r"subtract the result from ([0-9.]+), the highest that it can be", made.question)
        if lacking is not None:
            taken.add("lacking")
            assert after == Fraction(lacking[1]) - before >= 0
        elif "number of hours" in made.question:
            taken.add("hours")
            assert (base.unit, made.unit, made.decimals) == ("minutes", "hours", 2)
            assert after == before / 60
        elif "remaining pairs" in made.question:
            taken.add("pairs")
            assert after == len(made.records) - 1 - before
        elif base.answer_type == "number":
            taken.add("number")
            assert base.unit not in ("points", "minutes")
            (factor,) = [factor for words, factor in FACTORS.items() if words in made.question]
            assert after == before * factor
    assert taken == {"lacking", "hours", "pairs", "number"}


def test_examining_a_benchmark_finds_the_step_that_a_question_names() -> None:
    for made in [made for _, made in pairs("chain.extra_step", EXTENDED_BANK)][::9]:
        asked = PreparedTemplate.of(BANK[made.template_id])
        longer = named_step(asked, made.question)
        assert longer is not None
        assert (longer.template.unit, longer.template.steps) == (made.unit, made.steps)
        assert named_step(asked, "Then do something else.") is None
        to = crossing(longer.template.tree)
        assert (to is not None) == made.template_id.startswith(("comparison.first", "comparison.last"))
