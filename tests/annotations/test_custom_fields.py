"""Fields that a study declares: what may be declared and answered, and where answers are counted."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.custom_field_answers import joint_answer, missing_answer
from clinicnum.annotations.custom_fields import PAGE_KEYS, CustomField, check_keys, read_custom_fields
from clinicnum.annotations.exports.annotation_tables import annotations_table
from clinicnum.annotations.judgement import CustomValue, Judgement
from clinicnum.annotations.judgement_check import check_whole
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from tests.annotations.report_example import study
from tests.annotations.test_agreement_layers import CODES, annotation, subjects

DECLARED = """
- name: readable
  label: Could a nurse act on this answer?
  type: choice
  ordered: true
  required: true
  options:
    - {value: at once, means: Nothing is missing., key: 5}
    - {value: after a look, key: 6}
    - {value: never, key: 7}
- name: reasons
  label: What is in the way?
  type: multiple choice
  options: [{value: units}, {value: layout}]
- {name: seen, label: Seen before?, type: yes/no, step: 2, key: 8}
- {name: minutes, label: Minutes lost, type: number, asked: failures}
- {name: remark, label: Remark, type: text, step: 2}
"""


def declared() -> tuple[CustomField, ...]:
    return read_custom_fields(DECLARED)


@pytest.mark.parametrize(
    ("yaml", "says"),
    [
        ("name: x", "got a dict; expected a YAML list"),
        ("- {name: X, label: q, type: text}", r"in field 1 \(X\), `name`: .* got 'X'"),
        (
            "- {name: x, label: q, type: date}",
            "'choice', 'multiple choice', 'yes/no', 'number' or 'text'; got",
        ),
        ("- {name: x, type: text}", r"in field 1 \(x\), `label`: Field required"),
        ("- {name: x, label: q, type: choice}", "a choice with 0 options; expected two or more"),
        ("- {name: x, label: q, type: text, options: [{value: a}]}", "takes no options"),
        ("- {name: x, label: q, type: text, ordered: true}", "`ordered` is for a choice"),
        ("- {name: severity, label: q, type: text}", "'severity' is a field of every judgement"),
        ("- {name: x, label: q, type: choice, options: [{value: a}, {value: no}]}", "put the word in quotes"),
        ("- {name: x, label: q, type: choice, options: [{value: a}, {value: a}]}", "the same value"),
        (
            "- {name: x, label: q, type: choice, options: [{value: a}, {value: 'b|c'}]}",
            "cannot be told apart",
        ),
        ("- {name: x, label: q, type: text, colour: red}", "`colour`"),
        (
            "- {name: x, label: q, type: text}\n- {name: x, label: q, type: text}",
            "the name 'x' is given twice",
        ),
        (
            "- {name: x, label: q, type: text, key: 5}\n- {name: y, label: q, type: text, key: 5}",
            "the key '5'",
        ),
        ("- {name: x, label: q, type: text, key: F5}", "`key`"),
        ("- {name: x, label: q, type: text, step: 3}", "`step`: Input should be 1 or 2; got '3'"),
        ("- [", "line 2: not plain YAML"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_refused_with_what_was_expected(yaml: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_custom_fields(yaml)


def test_keys_of_the_page_are_refused_with_those_that_are_free() -> None:
    check_keys(declared(), load_taxonomy())
    for key in ("a", "2", "s", "f"):
        field = read_custom_fields(f"- {{name: x, label: q, type: text, key: {key}}}")
        with pytest.raises(InputError, match=rf"key '{key}' of field x is taken .* 5, 6, 7, 8, 9"):
            check_keys(field, load_taxonomy())


def test_the_letters_that_the_page_uses_itself_are_those_of_its_script() -> None:
    pages = Path(__file__).parents[2] / "ui" / "pages" / "annotate"
    script = (pages / "keyboard_shortcuts.js").read_text(encoding="utf-8")
    suggestions = re.search(r"SUGGESTION_KEYS = (\[.*\])", (pages / "gold_and_feedback.js").read_text())
    assert suggestions is not None
    used = set(re.findall(r"^ +([a-z]): ", script, re.MULTILINE)) | set(
        re.findall(r'"([a-z])"', suggestions.group(1))
    )
    assert used == PAGE_KEYS


@pytest.mark.parametrize(
    ("custom", "says"),
    [
        ({}, "Answer “Could a nurse act on this answer?”."),
        ({"readable": "soon"}, "expected one of at once, after a look, never"),
        ({"readable": True}, "expected one of"),
        ({"readable": "never", "colour": "red"}, "declares no field 'colour'; expected readable"),
        ({"readable": "never", "reasons": "units"}, "some of them, as a list"),
        ({"readable": "never", "reasons": []}, "some of them, as a list"),
        ({"readable": "never", "seen": "yes"}, "expected a yes/no"),
        ({"readable": "never", "minutes": 3}, "is asked of failures only"),
        ({"readable": "never", "remark": " "}, "expected a text"),
    ],
)
def test_an_answer_outside_the_declaration_is_refused(custom: dict[str, Any], says: str) -> None:
    judgement = Judgement(item_judgement="valid", response_judgement="acceptable", custom=custom)
    with pytest.raises(InputError, match=re.escape(says)):
        check_whole(judgement, declared())


def test_only_what_is_asked_of_a_judgement_can_be_missing_from_it() -> None:
    (field,) = read_custom_fields(
        "- {name: x, label: q, type: number, required: true, step: 2, asked: failures}"
    )
    fine, failure = (Judgement(response_judgement=one) for one in ("acceptable", "failure"))
    assert missing_answer(fine, [field]) is None
    assert missing_answer(failure, [field], early=True) is None
    assert missing_answer(failure, [field]) == "Answer “q”."


def test_a_judgement_without_answers_is_stored_as_before_and_sets_have_one_order() -> None:
    assert "custom" not in Judgement(response_judgement="acceptable").model_dump()
    assert "fields" not in Design().model_dump()
    given = Judgement(response_judgement="acceptable", custom={"reasons": ["units", "layout"], "minutes": 3})
    assert Judgement.model_validate_json(given.model_dump_json()) == given
    assert given.custom == {"reasons": ("layout", "units"), "minutes": 3.0}
    with pytest.raises(ValidationError):
        Judgement(response_judgement="acceptable", custom={"minutes": float("nan")})


@pytest.mark.parametrize(
    ("answers", "joint"),
    [
        (["never", "never", "at once"], "never"),
        (["never", "at once"], None),
        ([True, True, False], "yes"),
        ([1.0, 4.0], 2.5),
        ([("units",), ("layout", "units")], "units"),
        ([], None),
    ],
)
def test_what_several_annotators_answer_together(answers: list[CustomValue], joint: object) -> None:
    assert joint_answer(answers) == joint


def test_each_field_has_a_layer_on_its_scale_and_a_text_says_that_it_has_none() -> None:
    said = {"g1": ("never", "never"), "g2": ("at once", "after a look"), "g3": ("at once", "at once")}
    rows = [
        annotation(item, who, custom={"readable": answer, "reasons": ["units"], "seen": who == "a"})
        for item, answers in said.items()
        for who, answer in zip("ab", answers, strict=True)
    ]
    # A later revision does not count for a field that is blind.
    rows.append(annotation("g2", "b", revision=2, custom={"readable": "at once", "seen": True}))
    layers = study_agreement(rows, taxonomy_codes=CODES, subjects=subjects(*rows), fields=declared())
    results = {one.name: one.result for one in layers.layers if one.name.startswith("custom_")}
    scales = {name: one.population.scale for name, one in results.items() if one is not None}
    assert scales == {"custom_readable": "ordinal", "custom_reasons": "set", "custom_seen": "nominal"}
    readable, seen = results["custom_readable"], results["custom_seen"]
    assert readable is not None
    assert seen is not None
    # Agreed on two of three items as first judged; on one of three as judged last.
    assert readable.coefficient("percent_agreement").value == pytest.approx(2 / 3)
    assert seen.coefficient("percent_agreement").value == pytest.approx(1 / 3)
    undefined = {one.name: one.undefined for one in layers.layers if one.result is None}
    assert "free text" in str(undefined["custom_remark"])
    assert "not answered" in str(undefined["custom_minutes"])
    assert layers.layer("custom_seen").title == "Seen before? (after the gold)"
    assert layers.layer("custom_readable").title == "Could a nurse act on this answer? (before the gold)"


def with_answers() -> StudyTables:
    """The example study, where everyone found every answer readable, and took two minutes for failures."""
    tables = study()
    answered = tuple(
        one.model_copy(
            update={
                "custom": {"readable": "never", "seen": False}
                | ({"minutes": 2.0} if one.response_judgement == "failure" else {})
            }
        )
        for one in tables.annotations
    )
    design = Design(fields=declared())
    return tables.model_copy(update={"annotations": answered, "design": design})


def test_an_export_has_a_column_for_each_field_with_its_meaning() -> None:
    tables = with_answers()
    table = annotations_table(tables.annotations, tables.fields)
    at = [one.name for one in table.fields].index("custom_readable")
    assert [one.name for one in table.fields[at:]] == [
        f"custom_{name}" for name in ("readable", "reasons", "seen", "minutes", "remark")
    ]
    assert table.fields[at].description.startswith("Could a nurse act on this answer?; one of at once, after")
    assert {row[at : at + 3] for row in table.rows} == {("never", None, "no")}


def test_the_report_counts_answers_by_model_and_shows_their_agreement() -> None:
    report = build_report(with_answers(), generated_by="test")
    (section,) = [one for one in report.sections if one.id == "custom_fields"]
    assert "after the reference, and so in no layer of blind judgements" in section.paragraphs[2]
    assert "asked of failures only, before the reference" in section.paragraphs[3]
    tables = {one.id: one for one in section.tables}
    answers = {row[2]: row[3:] for row in tables["custom_answers"].rows if row[0] == "readable"}
    assert answers["never"][0] == answers["never"][1]
    assert answers["never"][2] == 1.0
    assert answers["at once"][0] == 0
    (numbers,) = tables["custom_numbers"].rows
    assert numbers[:2] == ("minutes", "SmolLM2-135M-Instruct")
    assert numbers[3:] == (2.0, 2.0)
    assert len(tables["custom_agreement"].rows) == 5
    plain = build_report(study(), generated_by="test")
    assert all(one.id != "custom_fields" for one in plain.sections)
