"""Which annotations a study's agreement rests on, and its layers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from clinicnum.annotations.agreement.annotation_selection import ANSWERED_RULE, KNOWN, choose_annotations
from clinicnum.annotations.agreement.revision_selection import ANSWERED
from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.judgement import Label
from clinicnum.annotations.types import Annotation
from clinicnum.errors import InputError

CODES = ("omission", "omission.missed_step", "hallucination", "hallucination.fabricated_value")


def annotation(generation: str, annotator: str, code: str | None = None, **changes: Any) -> Annotation:
    """A failure with that code, or an acceptable response."""
    fields = {
        "annotation_id": f"{generation}-{annotator}-{changes.get('revision', 1)}",
        "study_id": "study",
        "generation_id": generation,
        "annotator_id": annotator,
        "annotator_kind": "human",
        "revision": 1,
        "taxonomy_version": "1",
        "guideline_version": "1",
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
        "item_judgement": "valid",
        "response_judgement": "failure" if code else "acceptable",
        "labels": (Label(code=code, primary=True),) if code else (),
        "severity": "1" if code else None,
    }
    return Annotation.model_validate(fields | changes)


def subjects(*annotations: Annotation) -> dict[str, str]:
    return {one.generation_id: f"subject of {one.generation_id}" for one in annotations}


def test_the_last_complete_blind_revision_of_the_main_round_counts() -> None:
    rows = [
        annotation("g", "a", "omission"),
        annotation("g", "a", "hallucination", revision=2),
        annotation("g", "a", "omission", revision=3, severity=None),
        annotation("g", "b", "omission", round="training"),
        annotation("g", "c", "omission", suggestion_shown=True),
        annotation("g", "d", "omission", severity=None),
    ]
    chosen = choose_annotations(rows)
    assert [one.revision for one in chosen.annotations] == [2]
    assert {row.why: row.n for row in chosen.left_out} == {
        "training round": 1,
        "suggestions were open to the annotator: to be reported apart": 1,
        "incomplete: never submitted whole": 1,
    }
    assert choose_annotations(rows[::-1]) == chosen


def test_layers_of_a_small_study_by_hand() -> None:
    rows = [
        annotation("g1", "a", "omission.missed_step"),
        annotation("g1", "b", "omission"),
        annotation("g2", "a", "hallucination"),
        annotation("g2", "b"),
        annotation("g3", "a"),
        annotation("g3", "b"),
    ]
    layers = study_agreement(rows, taxonomy_codes=CODES, subjects=subjects(*rows))
    agree = {
        one.name: one.result.coefficient("percent_agreement").value if one.result else one.undefined
        for one in layers.layers
    }
    assert agree == {
        "item_judgement": 1.0,
        "response_judgement": pytest.approx(2 / 3),
        "response_after_gold": pytest.approx(2 / 3),
        "primary": pytest.approx(2 / 3),
        "labels": pytest.approx(1 / 3),
        "primary_if_failure": 1.0,
        "labels_if_failure": 0.0,
        "severity_if_failure": 1.0,
    }
    conditional = layers.layer("primary_if_failure")
    assert conditional.conditional
    assert conditional.result is not None
    assert conditional.result.population.items == 1
    assert conditional.result.population.left_out[0].n == 2
    assert layers.to_json()["annotator_kinds"] == ["human"]


def test_no_common_failure_is_said() -> None:
    rows = [annotation("g", "a"), annotation("g", "b", annotator_kind="simulated")]
    layers = study_agreement(rows, taxonomy_codes=CODES, subjects=subjects(*rows))
    assert layers.layer("severity_if_failure").undefined == "no item was called a failure by all"
    assert layers.annotator_kinds == ("human", "simulated")


def test_severity_not_applicable_has_no_place_in_the_order_and_is_counted() -> None:
    rows = [
        annotation("g", "a", "omission", severity="not_applicable"),
        annotation("g", "b", "omission"),
    ]
    layer = study_agreement(rows, taxonomy_codes=CODES, subjects=subjects(*rows)).layer("severity_if_failure")
    assert layer.result is not None
    assert [(row.n, row.why) for row in layer.result.population.left_out] == [(1, "severity not applicable")]


def test_a_code_outside_the_taxonomy_is_an_error() -> None:
    rows = [annotation("g", "a", "typo")]
    with pytest.raises(InputError, match="'typo'"):
        study_agreement(rows, taxonomy_codes=CODES, subjects=subjects(*rows))


def test_a_first_judgement_that_followed_the_reference_is_left_out_of_the_blind_layer_alone() -> None:
    rows = [
        annotation("g1", "a", "omission"),
        annotation("g1", "b", "omission"),
        annotation("g2", "a", "omission"),
        annotation("g2", "b", reference_known=True),
        annotation("g2", "b", "omission", reference_known=True, revision=2),
        annotation("g3", "a", reference_known=True),
        annotation("g3", "a", reference_known=True, revision=2, suggestion_shown=True),
        annotation("g3", "b", suggestion_shown=True, revision=2),
    ]
    chosen = choose_annotations(rows)
    assert chosen.known == {("g2", "b"), ("g3", "a")}
    assert set(chosen.first) == {("g1", "a"), ("g1", "b"), ("g2", "a")}
    layers = study_agreement(chosen, taxonomy_codes=CODES, subjects=subjects(*rows))
    before, after = (layers.layer(name).result for name in ("response_judgement", "response_after_gold"))
    assert before is not None
    assert after is not None
    assert (before.population.items, before.population.labels) == (2, 3)
    assert [(one.what, one.n, one.why) for one in before.population.left_out] == [
        ("judgements", 1, "suggestions were open to the annotator: to be reported apart"),
        ("labels", 2, KNOWN),
    ]
    assert after.population.labels == 4  # the last one of g3 and a had a suggestion in sight
    known = [one.model_copy(update={"reference_known": True}) for one in rows[:2]]
    only = study_agreement(known, taxonomy_codes=CODES, subjects=subjects(*known)).layer("response_judgement")
    assert only.undefined == KNOWN


def test_what_follows_an_answer_that_was_read_does_not_count_and_what_was_before_it_does() -> None:
    rows = [
        annotation("g1", "a", "omission"),
        annotation("g1", "a", "hallucination", revision=2, answer_read=True),
        annotation("g1", "b", "omission"),
        annotation("g2", "a", "omission"),
        annotation("g2", "b", severity=None, item_judgement=None),  # locked, then an answer was read
        annotation("g2", "b", "omission", revision=2, answer_read=True),
        annotation("g3", "a", answer_read=True),
        annotation("g3", "a", revision=2, answer_read=True),
        annotation("g4", "a", "omission", severity=None, item_judgement=None),
        annotation("g4", "a", "omission", revision=2, suggestion_shown=True),
        annotation("g4", "a", revision=3, suggestion_shown=True, answer_read=True),
    ]
    chosen = choose_annotations(rows)
    assert choose_annotations(rows[::-1]) == chosen
    assert [(one.generation_id, one.annotator_id, one.revision) for one in chosen.annotations] == [
        ("g1", "a", 1),
        ("g1", "b", 1),
        ("g2", "a", 1),
    ]
    assert {row.why: row.n for row in chosen.left_out} == {ANSWERED: 3}
    assert set(chosen.first) == {("g1", "a"), ("g1", "b"), ("g2", "a"), ("g2", "b"), ("g4", "a")}
    assert chosen.rule.endswith(ANSWERED_RULE)
    layers = study_agreement(chosen, taxonomy_codes=CODES, subjects=subjects(*rows))
    before = layers.layer("response_judgement").result
    assert before is not None
    assert [(one.n, one.why) for one in before.population.left_out] == [(1, ANSWERED)], "only g3 has no first"
