"""What differs between two versions is said in words, and which golds change; twins in a bank are found."""

import copy
import time
from typing import Any

import pytest

from clinicnum.authoring.similar_templates import Why, similar_templates
from clinicnum.authoring.template_diff import bank_difference, difference
from clinicnum.templates.canonical_tree import template_form
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_tree import said
from tests.clinicnum.sound_templates import SOUND, binary, compare, constant, rounded, vital

BANK = {template.id: template for template in named_bank("all")}


def made(name: str, **changes: Any) -> Template:
    """A sound template of the tests, with some keys changed."""
    return Template.model_validate(copy.deepcopy(SOUND[name]) | copy.deepcopy(changes))


def test_a_version_does_not_differ_from_itself() -> None:
    found = difference(made("first"), made("first", version=2, status="unreviewed"))
    assert found.is_empty
    assert found.golds.changed == 0
    assert found.golds.compared > 100
    assert found.lines()[:2] == ["comparison.planted version 1 -> 2", "  no difference"]


def test_another_threshold_is_said_in_words_with_the_golds_that_change() -> None:
    where = compare(vital("sbp_mmhg"), "above", "140")
    new = made(
        "first",
        version=2,
        wording=["When was the systolic pressure first above 140 mmHg?"],
        tree={"op": "time_of", "which": "first", "where": where},
    )
    found = difference(made("first"), new)
    assert [change.text() for change in found.changes] == [
        'wording: "When was the systolic pressure first above 120 mmHg?" -> '
        '"When was the systolic pressure first above 140 mmHg?"',
        "rule: time of the first record with systolic pressure above 120 -> "
        "time of the first record with systolic pressure above 140",
    ]
    assert [change.part for change in found.changes] == ["wording", "rule"]
    golds = found.golds
    assert 0 < golds.changed < golds.compared
    assert golds.share == golds.changed / golds.compared
    assert len(golds.examples) == 5
    for example in golds.examples:
        pressures = {row["time"]: float(row["sbp_mmhg"]) for row in example.values}
        above = {limit: [t for t, value in pressures.items() if value > limit] for limit in (120, 140)}
        expected = [min(above[limit]) if above[limit] else "none: V2.no_crossing" for limit in (120, 140)]
        assert [example.before, example.after] == expected


def test_more_decimals_change_every_gold_and_a_unit_none() -> None:
    finer = difference(made("ratio"), made("ratio", decimals=3)).golds
    assert finer.changed > 0.9 * finer.compared
    spelt = difference(made("value"), made("value", unit="mmHg", tags=["checked"]))
    assert [change.text() for change in spelt.changes] == ["tags: added checked"]
    assert spelt.golds.changed == 0


def test_a_condition_added_takes_questions_out() -> None:
    required = [compare(vital("sbp_mmhg", "time"), "above", "120")]
    found = difference(made("value"), made("value", requires=required))
    (change,) = found.changes
    assert change.text() == "asked only if: added systolic pressure at {time} above 120"
    assert all(example.after is None and example.before is not None for example in found.golds.examples)
    assert "not asked" in "\n".join(found.lines())


def test_other_slots_cannot_be_compared_and_the_difference_says_why() -> None:
    new = made(
        "value",
        slots={"moment": {"kind": "record"}},
        wording=["What was the systolic pressure at {moment}?"],
        tree=rounded(vital("sbp_mmhg", "moment")),
    )
    found = difference(made("value"), new)
    assert found.golds.share is None
    assert "slots or givens differ" in str(found.golds.reason)
    assert "slot time: removed the time of a record" in [change.text() for change in found.changes]


def test_banks_are_compared_template_by_template() -> None:
    old = [made("first"), made("value")]
    new = [made("first", steps=2), made("mean")]
    found = bank_difference(old, new)
    assert (found.removed, found.added) == (("retrieval.planted",), ("aggregation.planted",))
    assert "  steps: 1 -> 2" in found.lines()
    assert bank_difference(old, old).lines() == ["no difference"]


WORDS = {
    "arithmetic.map": "((systolic pressure at {time} - diastolic pressure at {time}) / 3) + diastolic "
    "pressure at {time}, rounded to 1 decimal",
    "aggregation.longest_gap": "highest of minutes to the next record over each record and the next, rounded "
    "to 0 decimals",
    "aggregation.tachycardia": "number of records with heart rate above 100",
    "arithmetic.mean_resp_rate": "mean of respiratory rate over the 2 {which} records, rounded to 1 decimal",
    "arithmetic.qsofa_vital_points": "(1 if respiratory rate at {time} at least 22, else 0) + (1 if systolic "
    "pressure at {time} at most 100, else 0), rounded to 0 decimals",
}


@pytest.mark.parametrize("name", WORDS)
def test_a_rule_is_said_in_words(name: str) -> None:
    assert said(BANK[name].tree, BANK[name]) == WORDS[name]


def test_every_packaged_rule_has_words_of_its_own() -> None:
    for template in BANK.values():
        for tree in (template.tree, *template.requires, *(mistake.tree for mistake in template.mistakes)):
            assert "  " not in said(tree, template)
    told = {said(template.tree, template) for template in BANK.values()}
    forms = {repr(template_form(template)) for template in BANK.values()}
    assert len(forms) == len(BANK)
    assert len(told) >= len(BANK) - 3  # some rules differ in their conditions alone


FAST = compare(vital("heart_rate_bpm"), "above", "100")
AT_TIME, NUMBERS = vital("sbp_mmhg", "time"), [constant("2"), constant("3")]
HIGHEST = {"op": "over", "how": "highest", "of": vital("heart_rate_bpm"), "take": "all"}
LOW = compare(vital("sbp_mmhg"), "below", "90")


def count(where: dict[str, Any], wording: str = "In how many records was the patient so?") -> Template:
    """A count of records."""
    return made("how many", id="aggregation.mine", tree={"op": "count", "where": where}, wording=[wording])


TWINS: dict[str, tuple[Template, Template, Why]] = {
    "in another order": (count({"all": [FAST, LOW]}), count({"all": [LOW, FAST]}), "tree"),
    "with the sides turned": (
        count(FAST),
        count(compare(constant("100.0"), "below", vital("heart_rate_bpm"))),
        "tree",
    ),
    "twice negated": (
        count({"not": {"all": [FAST, LOW]}}),
        count(
            {
                "any": [
                    compare(vital("sbp_mmhg"), "at_least", "90"),
                    compare(vital("heart_rate_bpm"), "at_most", "100"),
                ]
            }
        ),
        "tree",
    ),
    "with another name for the slot": (
        made("value", id="retrieval.mine"),
        made(
            "value",
            slots={"when": {"kind": "record"}},
            wording=["What was systolic pressure at {when}?"],
            tree=rounded(vital("sbp_mmhg", "when")),
        ),
        "tree",
    ),
    "a sum in another shape": (
        made("value", id="retrieval.mine", tree=rounded({"op": "sum", "of": [AT_TIME, *NUMBERS]})),
        made("value", tree=rounded(binary("add", NUMBERS[1], binary("add", NUMBERS[0], AT_TIME)))),
        "tree",
    ),
    "the same by algebra": (
        made("value", id="retrieval.mine", tree=rounded(binary("multiply", AT_TIME, constant("2")))),
        made("value", tree=rounded(binary("add", AT_TIME, AT_TIME))),
        "answers",
    ),
    "whole numbers above 100 are at least 101": (
        count(compare(vital("heart_rate_bpm"), "above", "100")),
        count(compare(vital("heart_rate_bpm"), "at_least", "101")),
        "answers",
    ),
    "nearly the same words": (
        count(FAST, "In how many of the records was the heart rate above 100 bpm?"),
        made(
            "how many",
            tree={"op": "count", "where": compare(vital("heart_rate_bpm"), "above", "100")},
            wording=["In how many records was heart rate above 100 bpm?"],
            requires=[compare(HIGHEST, "above", "100")],
        ),
        "wording",
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_is_found(name: str) -> None:
    mine, other, why = TWINS[name]
    twin = other.model_copy(update={"id": f"{other.operation}.twin"})
    found = similar_templates(mine, [*BANK.values(), twin])
    likeness = next(one for one in found if one.template_id == twin.id)
    assert likeness.why == why
    assert twin.id in likeness.message
    assert similar_templates(mine, [mine.model_copy(update={"version": 2})]) == ()


def test_neighbours_are_no_twins() -> None:
    """Another threshold, vital, comparator or number of records asks something else."""
    others = [
        count(compare(vital("heart_rate_bpm"), "above", "110")),
        count(compare(vital("resp_rate_bpm"), "above", "100")),
        count(compare(vital("heart_rate_bpm"), "below", "100")),
        count({"any": [FAST, LOW]}),
    ]
    for i, other in enumerate(others):
        bank = [other.model_copy(update={"id": f"aggregation.other_{i}", "wording": ("Something else?",)})]
        assert similar_templates(count(FAST), bank) == ()


def test_the_packaged_banks_have_one_pair_with_the_same_answers() -> None:
    """Mean arterial pressure is asked in two formulas on purpose."""
    found = similar_templates(BANK["arithmetic.map"], BANK.values())
    assert [(one.template_id, one.why) for one in found] == [("arithmetic.map_double_diastolic", "answers")]


def test_a_bank_of_five_thousand_is_searched_in_a_second_or_two() -> None:
    bank = [t.model_copy(update={"id": f"{t.id}_{i}"}) for i in range(43) for t in BANK.values()]
    assert len(bank) > 5_000
    mine = BANK["comparison.highest.sbp"]
    similar_templates(mine, bank[:200])
    begun = time.process_time()
    found = similar_templates(mine, bank)
    assert time.process_time() - begun < 4
    assert {one.why for one in found} == {"tree"}
