"""The built-in taxonomy is the one of the design, and a broken file is named with its fault."""

import re
from pathlib import Path

import pytest
import yaml

from clinicnum import taxonomy_codes
from clinicnum.annotations.judgement import SEVERITIES
from clinicnum.annotations.taxonomy import MOST_PLAIN_WORDS, load_taxonomy
from clinicnum.errors import InputError

DESIGNED = {
    "omission": ["missed_record", "missed_step", "partial_answer"],
    "hallucination": ["fabricated_value", "fabricated_time", "unsupported_assumption"],
    "format_mismatch": ["not_asked_form", "precision", "unit", "datetime_form"],
    "causal_reasoning": ["arithmetic_slip", "wrong_formula", "wrong_comparator", "premature_rounding"],
    "contextual_inconsistency": [
        *("wrong_record", "wrong_vital", "distractor_used", "negation_missed"),
        "other_question",
    ],
    "unanswered": ["false_abstention", "refusal", "empty", "truncated"],
    "output_error": ["repetition", "garbled", "wrong_language"],
    "medical_language": ["misread_term"],
    "undetermined": [],
}


def test_the_built_in_taxonomy_is_the_one_of_the_design() -> None:
    taxonomy = load_taxonomy()
    assert (taxonomy.id, taxonomy.version) == ("clinical-numeracy", "2")
    assert {group.code: [sub.code for sub in group.sub_classes] for group in taxonomy.classes} == DESIGNED
    assert taxonomy.codes()[:3] == ("omission", "omission.missed_record", "omission.missed_step")
    assert len(taxonomy.codes()) == len(set(taxonomy.codes())) == 36
    assert tuple(level.level for level in taxonomy.severities) == SEVERITIES


def test_version_1_stays_readable_and_version_2_keeps_its_codes_names_and_keys() -> None:
    old, new = load_taxonomy(version="1"), load_taxonomy()
    assert (old.version, len(old.codes())) == ("1", 35)
    assert set(new.codes()) - set(old.codes()) == {taxonomy_codes.OTHER_QUESTION}
    for code in old.codes():
        was, now = old.find(code), new.find(code)
        assert (was.name, was.key, was.examples) == (now.name, now.key, now.examples), code
    assert [one.definition for one in old.severities] == [one.definition for one in new.severities]
    assert old.step_names() == new.step_names() == "read, select, rule, compute, round and unit, express"
    assert {step.hint for step in old.order} == {""}
    assert all(step.hint for step in new.order)


def test_classes_and_severities_have_plain_words_that_fit_beside_their_names() -> None:
    taxonomy = load_taxonomy()
    plain = [one.plain for one in (*taxonomy.classes, *taxonomy.severities)]
    assert all(1 <= len(words.split()) <= MOST_PLAIN_WORDS for words in plain)
    assert len(set(plain)) == len(plain)


def test_every_code_that_a_rule_may_suggest_is_in_the_built_in_taxonomy_and_spelt_once() -> None:
    known = {name: value for name, value in vars(taxonomy_codes).items() if name.isupper()}
    assert set(known.values()) <= set(load_taxonomy().codes())
    root = Path(__file__).parents[2]
    spelt = re.compile("|".join(rf'"{re.escape(code)}"' for code in known.values() if "." in code))
    for room in ("clinicnum", "annotations", "db", "ui", "scripts/commands"):
        for path in (root / room).rglob("*.py"):
            assert path.name == "taxonomy_codes.py" or not spelt.search(path.read_text(encoding="utf-8")), (
                path
            )


def test_a_code_knows_its_class_and_its_entry() -> None:
    taxonomy = load_taxonomy()
    assert taxonomy.level1("omission.missed_step") == "omission"
    assert taxonomy.level1("undetermined") == "undetermined"
    assert taxonomy.find("omission.missed_step").name == "Missed step"
    assert taxonomy.find("omission").name == "Omission"


@pytest.mark.parametrize("code", ["omission.invented", "laziness", "", "omission.", "precision"])
def test_a_code_outside_the_taxonomy_is_an_error(code: str) -> None:
    with pytest.raises(InputError, match="is not in taxonomy clinical-numeracy 2; expected one of omission,"):
        load_taxonomy().level1(code)


def test_each_entry_is_told_apart_from_its_siblings() -> None:
    entries = [entry for group in load_taxonomy().classes for entry in (group, *group.sub_classes)]
    for field in ("definition", "include", "exclude", "examples"):
        texts = [getattr(entry, field) for entry in entries]
        assert len(set(texts)) == len(texts), field


def _broken(tmp_path: Path, change: dict[str, object]) -> Path:
    taxonomy = load_taxonomy().model_dump(mode="json")
    omission, hallucination = taxonomy["classes"][:2]
    taxonomy["classes"] = [omission | change, hallucination]
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(taxonomy), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"key": "h"}, "the key 'h'"),
        ({"code": "hallucination"}, "the code 'hallucination'"),
        ({"key": "1"}, "not one lower-case letter"),
        ({"code": "Omission!"}, "not snake case"),
        ({"definition": ""}, "classes.0.definition"),
        ({"examples": ["one"]}, "classes.0.examples"),
        ({"colour": "red"}, "classes.0.colour"),
        ({"plain": "it has left something out here"}, "at most 5"),
        ({"step": "guess"}, "has the step 'guess'; expected one of the order: read, select,"),
    ],
)
def test_a_broken_file_is_named_with_its_fault(
    tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    path = _broken(tmp_path, change)
    with pytest.raises(InputError) as caught:
        load_taxonomy(path)
    assert str(path) in str(caught.value)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_ones_own_takes_the_place_of_the_built_in(tmp_path: Path) -> None:
    taxonomy = load_taxonomy(_broken(tmp_path, {"name": "Left out"}))
    assert [group.name for group in taxonomy.classes] == ["Left out", "Hallucination"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("a: [", ":2: not plain YAML"), ("- a", "expected a mapping"), ("", "expected a mapping")],
)
def test_what_is_no_taxonomy_is_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint) as caught:
        load_taxonomy(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="no such file"):
        load_taxonomy(tmp_path / "none.yaml")
