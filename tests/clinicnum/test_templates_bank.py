"""The bank: what it holds, and that a fault in a YAML file is named by file and line."""

from pathlib import Path

import pytest

from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, bank_sha256, load_bank
from clinicnum.templates.distractors import MISSED_RECORD, wrong_trees
from clinicnum.types import OPERATIONS

SIX = ("temperature", "heart_rate", "resp_rate", "spo2", "sbp", "dbp")
IDS = {
    *(f"retrieval.{v}" for v in SIX),
    *(
        f"arithmetic.{n}"
        for n in [
            "bp_sum",
            "pulse_pressure",
            "temperature_x1_8",
            "shock_index",
            "mean_resp_rate",
            "third_pulse_pressure",
            "celsius_to_fahrenheit",
            "hr_over_baseline",
            "map",
            "hr_change",
        ]
    ),
    *(f"comparison.first_above.{v}" for v in SIX if v != "spo2"),
    *(f"comparison.first_below.{v}" for v in SIX),
    *(f"comparison.{w}.{v}" for w in ("highest", "lowest") for v in SIX),
    *(f"aggregation.{n}" for n in ("tachycardia", "map_above_100", "shock_index_above_0_7")),
}

GOOD = """\
- id: retrieval.pulse
  version: 1
  status: unreviewed
  tags: [mine]
  operation: retrieval
  subtype: value_at_time
  steps: 0
  wording:
    - "What was the pulse at {time}?"
  slots:
    time: {kind: record}
  tree:
    op: round
    of:
      op: vital
      vital: heart_rate_bpm
      at: time
  answer_type: number
  decimals: 1
  unit: bpm
  source: ours
"""


def test_the_base_bank_has_the_42_templates_unreviewed_and_sourced() -> None:
    bank = load_bank()
    assert {t.id for t in bank} == IDS
    assert len(IDS) == 42
    assert {t.status for t in bank} == {"unreviewed"}
    assert all(t.source and len(t.wording) >= 2 for t in bank)
    assert {t.operation for t in bank} == set(OPERATIONS)


def test_a_question_states_its_answers_form_and_not_the_prompts() -> None:
    for template in load_bank():
        question = template.question(0, {"time": "T", "earlier": "E", "later": "L", "which": "latest"})
        assert "{" not in question
        assert "JSON" not in question
        if template.answer_type == "datetime":
            assert question.endswith("YYYY-MM-DD HH:MM:SS.")
        elif template.decimals:
            words = {1: "one decimal", 2: "two decimals"}
            assert question.endswith(f"rounded to {words[template.decimals]}.")
            assert template.unit is None or f" in {template.unit}," in question
        else:
            assert "whole number" in question


def test_every_mistake_has_a_code_of_the_taxonomy() -> None:
    codes = {wrong.code for template in load_bank() for wrong in wrong_trees(template)}
    assert codes == {
        "contextual_inconsistency.wrong_record",
        "contextual_inconsistency.wrong_vital",
        "causal_reasoning.wrong_formula",
        "causal_reasoning.wrong_comparator",
        "causal_reasoning.premature_rounding",
        "omission.missed_step",
        "omission.missed_record",
        "format_mismatch.unit",
    }
    assert codes | {MISSED_RECORD} <= set(load_taxonomy().codes())
    extended = load_bank(EXTENDED_BANK) if EXTENDED_BANK.is_dir() else ()
    assert {w.code for template in extended for w in wrong_trees(template)} <= set(load_taxonomy().codes())


def test_the_banks_hash_is_of_content_not_of_files(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.mkdir()
    text = "\n".join(path.read_text(encoding="utf-8") for path in reversed(sorted(BASE_BANK.glob("*.yaml"))))
    (one / "all.yaml").write_text(text, encoding="utf-8")
    assert bank_sha256(load_bank(one)) == bank_sha256(load_bank())
    (one / "all.yaml").write_text(text.replace("version: 1", "version: 2", 1), encoding="utf-8")
    assert bank_sha256(load_bank(one)) != bank_sha256(load_bank())


def bank_of(folder: Path, text: str) -> Path:
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return folder


def test_the_good_template_is_good(tmp_path: Path) -> None:
    (template,) = load_bank(bank_of(tmp_path, GOOD))
    assert (template.id, template.vitals, template.record_slots) == (
        "retrieval.pulse",
        {"heart_rate_bpm"},
        ("time",),
    )


FAULTS = {
    "not YAML": (GOOD.replace("tags: [mine]", "tags: [mine"), r"mine\.yaml:\d+: not YAML"),
    "not a list": ("id: x\n", r"mine\.yaml:1: expected a list"),
    "an unknown vital": (
        GOOD.replace("vital: heart_rate_bpm", "vital: glucose"),
        r"mine\.yaml:16: tree\.of\.vital: ",
    ),
    "an unknown operation": (
        GOOD.replace("op: vital", "op: eval"),
        r"mine\.yaml:15: tree\.of\.op: got 'eval'",
    ),
    "an unknown key": (GOOD.replace("  steps: 0", "  steps: 0\n  colour: red"), r"mine\.yaml:8: colour: "),
    "a missing key": (
        GOOD.replace("  source: ours\n", ""),
        r"mine\.yaml:1: source: it is missing; fill it in",
    ),
    "a key twice": (GOOD + "  unit: bpm\n", r"mine\.yaml:22: key 'unit' stands twice"),
    "an id of another operation": (
        GOOD.replace("id: retrieval", "id: arithmetic"),
        r"mine\.yaml:1: id: .*does not begin with its operation",
    ),
    "an answer type that the tree does not give": (
        GOOD.replace("answer_type: number", "answer_type: count"),
        r"mine\.yaml:18: answer_type: .*the tree gives a number",
    ),
    "a wording without its slot": (
        GOOD.replace("{time}?", "noon?"),
        r"mine\.yaml:9: wording\.0: .*must name exactly",
    ),
    "a slot that is not there": (
        GOOD.replace("at: time", "at: moment"),
        r"mine\.yaml:17: tree\.of\.at: at: moment names no record slot",
    ),
    "each outside a count": (
        GOOD.replace("      at: time\n", ""),
        r"mine\.yaml:14: tree\.of\.at: `at: each`",
    ),
    "decimals missing": (GOOD.replace("  decimals: 1\n", ""), r"mine\.yaml:1: .*decimals"),
    "an id twice": (GOOD + GOOD, r"mine\.yaml:22: retrieval\.pulse is already defined at .*mine\.yaml:1"),
    "nested without end": ("- " * 30_000 + "x\n", r"mine\.yaml:1: nested more than 60 deep"),
    "an endless number": (
        GOOD.replace("version: 1", "version: " + "9" * 5_000),
        r"mine\.yaml:2: not plain YAML: no number",
    ),
    "code in a tag": (GOOD.replace("source: ours", "source: !!python/name:os.system x"), r"mine\.yaml:21: "),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_bank(bank_of(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_missing_or_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        load_bank(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"no \*\.yaml"):
        load_bank(tmp_path)
