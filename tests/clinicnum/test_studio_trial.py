"""A template is tried on sample patients: every rule on every instance, and examples as one types."""

import time
from pathlib import Path

import pytest

from clinicnum.authoring import template_trial
from clinicnum.authoring.template_trial import preview, try_template
from clinicnum.scripts.commands import templates as templates_module
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import read_content, yaml_of
from clinicnum.templates.template import Template
from clinicnum.types import REPRESENTATIONS, Instance
from tests.clinicnum.sound_templates import SOUND, compare, vital

BANK = {template.id: template for template in named_bank("all")}
TRIED = ["retrieval.temperature", "comparison.highest.spo2", "arithmetic.qsofa", "aggregation.longest_gap"]


@pytest.mark.parametrize("name", TRIED)
def test_two_hundred_instances_hold_in_each_representation(name: str) -> None:
    found = try_template(BANK[name])
    assert found.holds
    assert found.taken == 200
    assert found.by_representation == dict.fromkeys(REPRESENTATIONS, 200)
    assert (found.broken, found.faults) == ({}, ())
    assert found.flagged <= 100
    assert found.asked >= 200 + sum(found.rejected.values())
    assert try_template(BANK[name], sample=3) == try_template(BANK[name], sample=3)


def test_another_seed_asks_other_patients() -> None:
    first, other = (preview(BANK["arithmetic.map"], seed=seed) for seed in (0, 1))
    ids = [{i.subject_id for one in found.examples for i in one.instances} for found in (first, other)]
    records = [[i.records for one in found.examples for i in one.instances] for found in (first, other)]
    assert all(ids)
    assert records[0] != records[1]


def test_what_the_examiner_finds_is_told_and_the_trial_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that wrote one wrong gold in each question would be found out."""
    right = template_trial._instances

    def slipped(question: object, turn: int) -> list[Instance]:
        first, *others = right(question, turn)  # type: ignore[arg-type]
        return [first.model_copy(update={"answer": "0.1"}), *others]

    monkeypatch.setattr(template_trial, "_instances", slipped)
    found = try_template(BANK["arithmetic.map"], sample=10)
    assert not found.holds
    assert found.broken == {"V3.answer": 10}
    assert found.by_representation == {"structured": 0, "templated": 10, "note": 10}
    (fault,) = found.faults
    assert fault.rule == "validity"
    assert fault.message.startswith("V3.answer does not hold on 10 sampled instances")


def test_a_preview_shows_gold_working_distractors_and_evidence_in_all_representations() -> None:
    template = BANK["arithmetic.map"]
    found = preview(template)
    assert found.faults == ()
    assert len(found.examples) == 3
    for turn, example in enumerate(found.examples):
        assert [instance.representation for instance in example.instances] == list(REPRESENTATIONS)
        assert len({instance.context for instance in example.instances}) == 3
        for instance in example.instances:
            wording = template.wording[turn % len(template.wording)]
            assert instance.question == template.question(template.wording.index(wording), instance.slots)
            assert instance.answer is not None
            assert instance.answer in instance.worked[-1]
            assert instance.distractors
            assert instance.evidence


@pytest.mark.parametrize("name", ["arithmetic.news2", "comparison.first_below.resp_rate", "arithmetic.sirs"])
def test_a_preview_is_there_at_once(name: str) -> None:
    preview(BANK[name])
    begun = time.process_time()
    preview(BANK[name])
    assert time.process_time() - begun < 0.3


def test_only_what_discriminates_little_is_shown_all_the_same() -> None:
    where = compare(vital("heart_rate_bpm"), "above", "10")
    content = {**SOUND["how many"], "tree": {"op": "count", "where": where}}
    content["wording"] = ["In how many records was the heart rate above 10 bpm?"]
    template = Template.model_validate(content)
    found = preview(template)
    assert len(found.examples) == 3
    assert [fault.rule for fault in found.faults] == ["not_discriminating"]
    assert not try_template(template, sample=20).holds


def test_what_is_rare_is_told_with_how_many_were_found() -> None:
    where = compare(vital("resp_rate_bpm"), "below", "9")
    tree = {"op": "time_of", "which": "first", "where": where}
    content = {**SOUND["first"], "tree": tree, "wording": ["When was the rate first below 9 breaths/min?"]}
    reading = read_content(content)
    assert reading.template is not None
    assert reading.faults == ()
    (fault,) = try_template(reading.template, stays=2000).faults
    assert fault.rule in ("too_few", "no_question")
    assert "V2.no_crossing" in fault.message


def test_an_example_that_does_not_hold_is_told_beside_it() -> None:
    example = {
        "records": [{"charttime": "2150-01-01 08:00:00", "sbp_mmhg": 118}],
        "slots": {"time": "2150-01-01 08:00:00"},
        "answer": "119",
        "source": "by hand",
    }
    reading = read_content({**SOUND["value"], "example": example})
    assert reading.template is not None
    (fault,) = preview(reading.template).faults
    assert (fault.rule, fault.path) == ("example", ("example",))
    assert fault.message == "the example gives 118 by the tree, but 119 by by hand"


def test_the_command_says_what_differs_between_two_banks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, steps in (("old", 1), ("new", 2)):
        (tmp_path / name).mkdir()
        text = yaml_of({**SOUND["first"], "steps": steps})
        (tmp_path / name / "mine.yaml").write_text(text, encoding="utf-8")
    templates_module.diff(str(tmp_path / "old"), str(tmp_path / "new"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["comparison.planted version 1 -> 1", "  steps: 1 -> 2"]
    templates_module.diff(str(tmp_path / "old"), str(tmp_path / "new"), as_json=True)
    assert '"field": "steps"' in capsys.readouterr().out
