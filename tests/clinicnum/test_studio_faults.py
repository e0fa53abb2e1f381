"""Every named fault is stopped by its name in the form, in YAML and on the command line; no sound one is."""

import json
from pathlib import Path
from typing import Any

import pytest

from clinicnum.authoring.template_trial import preview
from clinicnum.errors import InputError
from clinicnum.scripts.commands import templates as templates_module
from clinicnum.templates.bank import load_bank
from clinicnum.templates.fault_messages import NAMES, Fault
from clinicnum.templates.parse_template import content_of_yaml, read_content, yaml_of
from tests.clinicnum.faulty import FAULTS
from tests.clinicnum.sound_templates import SOUND, Planted


def found_in(content: dict[str, Any]) -> list[Fault]:
    """What the form says as one types."""
    reading = read_content(content)
    tried = () if reading.template is None else preview(reading.template).faults
    return [*reading.faults, *tried]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_in_the_form_beside_its_field(name: str) -> None:
    rule, content, path = FAULTS[name]
    faults = found_in(content)
    assert (rule, path) in [(fault.rule, fault.path) for fault in faults]
    assert all("\n" not in fault.message for fault in faults)


@pytest.mark.parametrize("name", FAULTS)
def test_yaml_says_what_the_form_says(name: str) -> None:
    content = FAULTS[name].content
    assert read_content(content_of_yaml(yaml_of(content))).faults == read_content(content).faults


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_template_has_no_fault(name: str) -> None:
    assert found_in(SOUND[name]) == []


def test_every_fault_of_the_issue_is_planted_more_than_once() -> None:
    rules = [planted.rule for planted in FAULTS.values()]
    eight = (
        "ties",
        "rounded_threshold",
        "missing_unit",
        "unfillable_slot",
        "two_roots",
        "unknown_vital",
        "divides_by_zero",
        "gives_answer_away",
    )
    assert {rule: rules.count(rule) >= 4 for rule in eight} == dict.fromkeys(eight, True)
    assert len(FAULTS) >= 30


def test_the_command_names_every_planted_fault_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = ""
    begins: dict[str, int] = {}
    for number, planted in enumerate(FAULTS.values()):
        content = {**planted.content, "id": f"{planted.content['operation']}.planted_{number}"}
        begins[content["id"]] = text.count("\n") + 1
        text += yaml_of(content)
    (tmp_path / "planted.yaml").write_text(text, encoding="utf-8")
    assert templates_module.check(bank=str(tmp_path), sample=5, stays=500, as_json=True) == 1
    told = {one["id"]: one["faults"] for one in json.loads(capsys.readouterr().out)["found"]}
    for planted, (template_id, line) in zip(FAULTS.values(), begins.items(), strict=True):
        named = [fault for fault in told[template_id] if fault["rule"] == planted.rule]
        assert named, template_id
        assert all(fault["line"] >= line for fault in named)


def test_the_command_prints_file_line_template_name_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted: Planted = FAULTS["by nought"]
    (tmp_path / "mine.yaml").write_text(yaml_of(planted.content), encoding="utf-8")
    assert templates_module.check(bank=str(tmp_path), sample=5) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    told = f"arithmetic.planted: tree.of.right: {NAMES['divides_by_zero']}: the divisor is 0 whatever"
    line = next(line for line in lines if told in line)
    number = int(line.split("mine.yaml:")[1].split(":")[0])
    assert "right:" in (tmp_path / "mine.yaml").read_text(encoding="utf-8").splitlines()[number - 1]
    assert last == "1 template, 0 sound"
    with pytest.raises(InputError, match="divides by zero"):
        load_bank(tmp_path)


def test_the_command_names_a_contradiction_beside_its_wording_and_what_is_not_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = SOUND["value"] | {"wording": [*SOUND["value"]["wording"], "What was the heart rate at {time}?"]}
    odd = SOUND["first"] | {"wording": ["Since when is the systolic pressure above 120 mmHg?"]}
    (tmp_path / "mine.yaml").write_text(yaml_of(wrong) + yaml_of(odd), encoding="utf-8")
    assert templates_module.check(bank=str(tmp_path), sample=5, stays=500) == 1
    fault, examined, note, unproven, last = capsys.readouterr().out.splitlines()
    assert "question.contradicts_rule does not hold" in examined
    assert fault.split(": ", 1)[1] == (
        "retrieval.planted: wording.1: the wording contradicts the rule: it says heart rate; "
        "the rule has systolic pressure; make wording and rule agree"
    )
    line = int(fault.split("mine.yaml:")[1].split(":")[0])
    assert "heart rate" in (tmp_path / "mine.yaml").read_text(encoding="utf-8").splitlines()[line - 1]
    assert "comparison.planted: wording.0: not proven: the grammar does not read it; word it like" in note
    assert unproven == "1 template with a wording that is not proven to ask what its rule computes"
    assert last == "2 templates, 1 sound"


def test_a_tree_that_stands_twice_is_two_roots() -> None:
    text = yaml_of(SOUND["value"])
    twice = text + "  tree: {op: round, of: {op: vital, vital: sbp_mmhg, at: latest}}\n"
    with pytest.raises(InputError, match=r"line \d+: two roots: key 'tree' stands twice; keep one"):
        content_of_yaml(twice)


def test_all_faults_are_told_at_once() -> None:
    content = {**SOUND["value"], "decimals": None, "steps": "two", "colour": "red"}
    content["tree"] = {"op": "round", "of": {"op": "vital", "vital": "glucose", "at": "time"}}
    del content["source"]
    told = {(fault.rule, fault.path) for fault in read_content(content).faults}
    assert told == {
        ("form", ("steps",)),
        ("form", ("colour",)),
        ("form", ("source",)),
        ("unknown_vital", ("tree", "of", "vital")),
    }
    contradictory = {
        **SOUND["value"],
        "id": "arithmetic.x",
        "answer_type": "count",
        "wording": ["What?", "{when}?"],
    }
    told = {(fault.rule, fault.path) for fault in read_content(contradictory).faults}
    assert told == {("form", (name,)) for name in ("id", "answer_type")} | {
        ("form", ("wording", i)) for i in (0, 1)
    }


def test_wording_and_rule_must_agree_on_a_threshold() -> None:
    content = {**SOUND["first"], "wording": ["When was the systolic pressure first above 130 mmHg?"]}
    (fault,) = read_content(content).faults
    assert (fault.rule, fault.path) == ("wording_differs", ("wording", 0))
    assert "130 mmHg" in fault.message


def test_the_packaged_banks_have_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert templates_module.check(bank="all", sample=5, stays=4000) == 0
    assert capsys.readouterr().out == "118 templates, 118 sound\n"
