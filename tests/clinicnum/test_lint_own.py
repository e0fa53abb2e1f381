"""Lint on our own files: a clean benchmark has no finding; each planted defect is found, and nothing else."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.generation.benchmark import generate
from clinicnum.io.jsonl import write_meta
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_check import examine
from clinicnum.lint.lint_file import lint
from clinicnum.lint.lint_results import Finding, NotChecked, Place
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.representations.note_frames import Frame
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.types import REPRESENTATIONS, Instance
from tests.clinicnum.lint_planting import (
    OF_GIVENS,
    PLANTS,
    Plant,
    bench,
    changed,
    examined,
    of,
    rules_by_id,
    tied,
    unflagged,
)


@pytest.mark.parametrize("bank", [BASE_BANK, EXTENDED_BANK], ids=lambda path: path.name)
def test_a_clean_benchmark_has_no_finding_in_any_representation(bank: Path, tmp_path: Path) -> None:
    said, tally = examined(tmp_path, bench(bank), (bank,))
    assert said == []
    assert tally.checked == tally.rows == len(bench(bank))
    assert {i.representation for i in bench(bank)} == set(REPRESENTATIONS)
    assert len(tally.by_template) >= len(load_bank(bank)) - 2  # Some events are rare.


def planted(bank: Path, plants: dict[str, Plant]) -> tuple[list[Instance], dict[str, tuple[str, ...]]]:
    """The clean benchmark with each defect in a group of its own, and the rules expected by instance id."""
    instances, taken = list(bench(bank)), {bench(bank)[0].group_id}
    expected: dict[str, tuple[str, ...]] = {}
    for plant in plants.values():
        at = next(
            n
            for n, instance in enumerate(instances)
            if plant.fits(instance) and instance.group_id not in taken and len(instance.records) > 1
        )
        taken.add(instances[at].group_id)
        expected[instances[at].instance_id] = plant.rules
        instances[at] = plant.change(instances[at])
    return instances, expected


@pytest.mark.parametrize(
    ("bank", "plants"), [(BASE_BANK, PLANTS), (EXTENDED_BANK, OF_GIVENS)], ids=["of all rules", "of givens"]
)
def test_of_planted_defects_each_is_found_and_nothing_else(
    bank: Path, plants: dict[str, Plant], tmp_path: Path
) -> None:
    instances, expected = planted(bank, plants)
    said, tally = examined(tmp_path, instances, (bank,))
    found = rules_by_id(said)
    names = dict(zip(expected, plants, strict=True))
    assert {names.get(name, name): rules for name, rules in found.items()} == {
        names[name]: rules for name, rules in expected.items()
    }
    rows = {item.place.row: item.instance_id for item in said if isinstance(item, Finding)}
    assert all(instances[row - 1].instance_id == name for row, name in rows.items())
    assert tally.rows == len(instances)


def test_every_rule_of_the_design_has_a_planted_defect() -> None:
    families = {rule.partition(".")[0] for plant in PLANTS.values() for rule in plant.rules}
    assert families >= {f"V{n}" for n in range(1, 9)}


def test_an_id_that_stands_twice_is_found_at_its_second_line(tmp_path: Path) -> None:
    (finding,), _ = examined(tmp_path, [bench()[0], bench()[3], bench()[0]])
    assert isinstance(finding, Finding)
    assert (finding.rule, finding.place.row) == ("id.duplicate", 3)
    assert "line 1" in finding.message


def test_a_tie_names_its_times(tmp_path: Path) -> None:
    instance = next(filter(of("comparison.lowest.heart_rate"), bench()))
    (finding,), _ = examined(tmp_path, [tied(instance)])
    assert isinstance(finding, Finding)
    assert finding.times == tuple(str(record.charttime) for record in instance.records)


def test_a_template_whose_instances_are_mostly_flagged_is_a_finding(tmp_path: Path) -> None:
    name = next(i.template_id for i in bench() if i.flags)
    few = [i for i in bench() if i.template_id == name and i.flags]
    plain = [i for i in bench() if i.template_id == name and not i.flags]
    assert examined(tmp_path, [*few, *plain])[0] == []
    (finding,), _ = examined(tmp_path, few)
    assert isinstance(finding, Finding)
    assert (finding.rule, finding.template) == ("V7.half", name)


def test_an_unknown_template_is_counted_and_no_finding(tmp_path: Path) -> None:
    first, *_, last = filter(unflagged, bench())
    second = changed(last, template_version=99)
    said, tally = examined(tmp_path, [first, second])
    (item,) = said
    assert isinstance(item, NotChecked)
    assert tally.not_checked == {"not recomputed: template not in bank": 1}
    assert (tally.rows, tally.checked) == (2, 1)


def test_a_wrong_gold_says_which_mistake_gives_it(tmp_path: Path) -> None:
    instance = next(i for i in bench() if i.template_id == "arithmetic.map" and i.distractors)
    mistake = instance.distractors[0]
    (finding,), _ = examined(tmp_path, [changed(instance, answer=mistake.value)])
    assert isinstance(finding, Finding)
    assert (finding.gold, finding.records_give) == (mistake.value, instance.answer)
    assert mistake.rule in finding.message


FRAME = Frame("f" * 16, "A 40-year-old man has had a cough for 3 days.", "Lungs are clear. WBC is 7.2.")


def framed() -> list[Instance]:
    made = generate(
        contexts=contexts(synthetic(seed=5, stays=100).records, "stay"),
        templates=load_bank(),
        representations=("note",),
        quotas={"retrieval": 12},
        seed=0,
        frames=(FRAME,),
    )
    return list(made.instances)


def test_users_notes_are_read_where_the_file_may_hold_them(tmp_path: Path) -> None:
    assert "WBC is 7.2" in framed()[0].context
    assert examined(tmp_path, framed())[0] == []
    # What was made here without notes holds none: there the same numbers have no meaning.
    write_meta(tmp_path / "bench.jsonl", {"notes": {}})
    rules = rules_by_id(examined(tmp_path, framed())[0])
    assert set(rules.values()) == {("V1.unreadable.note",)}
    assert len(rules) == len(framed())


def test_a_users_note_with_another_value_of_a_vital_is_found(tmp_path: Path) -> None:
    first, *rest = framed()
    worse = changed(first, context=first.context.replace("Lungs", "Later HR 120 bpm. Lungs"))
    (finding,), _ = examined(tmp_path, [worse, *rest])
    assert isinstance(finding, Finding)
    assert (finding.rule, finding.place.row) == ("V8.other_value", 1)


JUNK = (None, "", "x", "1e999999", "-5", "a,b", 99, -1, 1e300, [], {}, "0" * 5000, "2150-01-01T10:00:00Z")


def spoil(fields: dict[str, Any], rng: random.Random) -> None:
    """Put junk in one field of an instance, or of its first record, cell or distractor."""
    name = rng.choice(list(fields))
    inner = fields[name]
    if isinstance(inner, list) and inner and isinstance(inner[0], dict):
        fields, name = inner[0], rng.choice(list(inner[0]))
    fields[name] = rng.choice(JUNK)


def test_no_value_of_any_field_makes_it_fail(tmp_path: Path) -> None:
    rng, path, templates = random.Random(5), tmp_path / "bench.jsonl", load_bank()
    read, refusals = 0, []
    for _ in range(600):
        fields = rng.choice(bench()).model_dump(mode="json")
        spoil(fields, rng)
        path.write_text(json.dumps(fields))
        try:
            read += bool(list(lint(path, templates).said))
        except InputError as error:
            refusals.append(str(error))
    assert read > 50
    assert len(refusals) > 50
    assert not any("\n" in refusal for refusal in refusals)


def test_a_question_that_its_rule_contradicts_is_found() -> None:
    wrong = "How many of the records show a respiratory rate above 100 breaths/min?"
    template = next(one for one in load_bank() if one.id == "aggregation.tachycardia")
    template = template.model_copy(update={"wording": (wrong,)})
    made = next(one for one in bench() if one.template_id == template.id and one.variant is None)
    item = OwnItem(Place(1, 1), changed(made, question=template.question(0, made.slots)))
    found = [one for one in examine(item, OwnBank([template]), framed=False).said if isinstance(one, Finding)]
    assert [one.rule for one in found] == ["question.contradicts_rule"]
    assert "it says respiratory rate; the rule has heart rate" in found[0].message
