"""A judgement in two steps: what is locked without the reference counts where it was blind."""

from datetime import UTC, datetime

import pytest

from clinicnum.annotations.agreement.annotation_selection import choose_annotations
from clinicnum.annotations.agreement.study_agreement import StudyAgreement, study_agreement
from clinicnum.annotations.contradicting_choices import contradicted, contradictions
from clinicnum.annotations.difference_from_gold import answer_difference
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.reliability.control_items import against_references
from clinicnum.annotations.types import Annotation
from clinicnum.errors import InputError
from clinicnum.types import Generation, Score
from tests.db.examples import instance

CODES = ("omission", "hallucination")
ITEMS, ANNOTATORS = 12, 3
SUGGESTED = 8
"""Items whose suggestions open with the reference."""


def steps(item: int, annotator: int, *, classified: bool = True, round_: str = "main") -> list[Annotation]:
    """The judgement locked without the reference, then the last one, which takes over what was suggested."""
    fields = {
        "study_id": "study",
        "generation_id": f"g{item}",
        "annotator_id": f"a{annotator}",
        "annotator_kind": "human",
        "round": round_,
        "response_judgement": "failure",
        "taxonomy_version": "1",
        "guideline_version": "1",
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    own = {"labels": (Label(code="hallucination", primary=True),), "severity": "2"} if classified else {}
    locked = fields | own | {"annotation_id": f"{item}-{annotator}-1", "revision": 1}
    last = fields | {
        "annotation_id": f"{item}-{annotator}-2",
        "revision": 2,
        "item_judgement": "ambiguous" if item == 0 else "valid",
        "labels": (Label(code="omission", primary=True),),
        "severity": "1",
        "suggestion_shown": item < SUGGESTED,
    }
    return [Annotation.model_validate(one) for one in (locked, last)]


def layers_of(annotations: list[Annotation]) -> StudyAgreement:
    subjects = {f"g{item}": f"s{item}" for item in range(ITEMS)}
    return study_agreement(annotations, taxonomy_codes=CODES, subjects=subjects)


def labels_in(layers: StudyAgreement) -> dict[str, int]:
    return {one.name: one.result.population.labels if one.result else 0 for one in layers.layers}


def everyone(*, classified: bool = True) -> list[Annotation]:
    return [
        one
        for item in range(ITEMS)
        for who in range(ANNOTATORS)
        for one in steps(item, who, classified=classified)
    ]


def test_suggestions_that_open_with_the_reference_take_no_blind_judgement_from_its_layer() -> None:
    found = labels_in(layers_of(everyone()))
    after_gold = found.pop("response_after_gold")
    assert set(found.values()) == {ITEMS * ANNOTATORS}
    assert after_gold == (ITEMS - SUGGESTED) * ANNOTATORS


def test_labels_count_as_locked_where_suggestions_came_after_and_the_item_as_judged_later() -> None:
    chosen = choose_annotations(everyone())
    by_item = {one.generation_id: one for one in chosen.annotations}
    assert by_item["g0"].labels[0].code == "hallucination"
    assert by_item["g0"].item_judgement == "ambiguous"
    assert by_item[f"g{SUGGESTED}"].labels[0].code == "omission"
    assert len(chosen.locked) == SUGGESTED * ANNOTATORS
    assert "the item as judged after" in chosen.rule


def test_a_first_judgement_that_held_the_item_counts_with_the_item_as_judged_later() -> None:
    """Earlier versions asked for the item at once."""
    whole = [
        one.model_copy(update={"item_judgement": "valid"}) if one.revision == 1 else one for one in everyone()
    ]
    chosen = choose_annotations(whole)
    by_item = {one.generation_id: one for one in chosen.annotations}
    assert (by_item["g0"].item_judgement, by_item["g0"].labels[0].code) == ("ambiguous", "hallucination")
    assert len(chosen.locked) == SUGGESTED * ANNOTATORS
    assert labels_in(layers_of(whole))["response_after_gold"] == (ITEMS - SUGGESTED) * ANNOTATORS


def test_labels_left_for_later_are_reported_apart_and_the_response_still_counts() -> None:
    layers = layers_of(everyone(classified=False))
    found = labels_in(layers)
    assert found["response_judgement"] == ITEMS * ANNOTATORS
    assert found["primary"] == (ITEMS - SUGGESTED) * ANNOTATORS
    primary = layers.layer("primary").result
    assert primary is not None
    assert [(one.n, one.why) for one in primary.population.left_out] == [
        (SUGGESTED * ANNOTATORS, "suggestions were open to the annotator: to be reported apart")
    ]
    response = layers.layer("response_judgement").result
    assert response is not None
    assert response.population.left_out == ()


def test_control_items_are_held_against_what_was_locked_before_suggestions() -> None:
    reference = Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code="hallucination", primary=True),),
        severity="2",
    )
    judged = [one for who in range(2) for one in steps(1, who, round_="control")]
    rows = against_references(judged, {"g1": reference}, {"g1": "s1"})
    assert [(one.annotator, one.primary.value) for one in rows] == [("a0", 1.0), ("a1", 1.0)]


def test_the_item_is_judged_with_the_reference_alone() -> None:
    locked = Judgement(response_judgement="acceptable")
    assert locked.missing_without_reference() is None
    assert locked.missing() == "Judge the item: valid, gold answer wrong or ambiguous."
    with pytest.raises(InputError, match="the item is not judged yet"):
        locked.item()
    whole = Judgement(item_judgement="gold_wrong", proposed_gold="8", response_judgement="acceptable")
    assert whole.asked_too_early() == "The item"
    assert whole.without_reference() == locked


def scored(parsed: str | None, *, right: bool, status: str = "incorrect") -> Score:
    return Score.model_validate(
        {
            "generation_id": "g",
            "parsed": parsed,
            "form": None,
            "status": "correct" if right else status,
            "strict": right,
            "lenient": right,
            "reason": "r",
        }
    )


def text(said: str, *, finish_reason: str = "stop") -> Generation:
    return Generation.model_validate(
        {
            "generation_id": "g",
            "run_id": "r",
            "instance_id": "i",
            "text": said,
            "finish_reason": finish_reason,
        }
    )


@pytest.mark.parametrize(
    ("parsed", "difference"),
    [("8", "−98 mmHg"), ("106.5", "+0.5 mmHg"), ("106", None), (None, None), ("B", None), ("NaN", None)],
)
def test_the_difference_is_the_answer_minus_the_reference_with_its_unit(
    parsed: str | None, difference: str | None
) -> None:
    asked = instance(0).model_copy(update={"answer": "106"})
    assert answer_difference(asked, text(parsed or ""), scored(parsed, right=False)) == difference


@pytest.mark.parametrize(
    ("parsed", "difference"),
    [
        ("2180-05-10 08:42:00", "2 h 15 min too late"),
        ("2180-05-09 06:27:00", "1 d too early"),
        ("2080-05-10 08:37:00", "about 100 years too early"),
        ("2179-05-10 06:27:00", "about 1 year too early"),
        ("2181-05-10 06:27:00", "about 1 year too late"),
        ("2181-11-10 06:27:00", "about 1.5 years too late"),
        ("2181-05-08 07:27:00", "363 d 1 h too late"),
        ("2180-05-10 06:27:10", "less than 1 min too late"),
        ("2180-05-10 06:27:00", None),
        ("2180-05-10T06:27:00+00:00", None),
    ],
)
def test_the_difference_of_two_times_is_said_in_years_days_hours_and_minutes(
    parsed: str, difference: str | None
) -> None:
    asked = instance(0).model_copy(update={"answer": "2180-05-10 06:27:00", "answer_type": "datetime"})
    assert answer_difference(asked, text(parsed or ""), scored(parsed, right=False)) == difference


def test_an_answer_in_a_unit_of_another_scale_is_not_subtracted() -> None:
    asked = instance(0).model_copy(update={"answer": "36.7", "unit": "°C"})
    said = "The answer is 98.1 {}."
    assert answer_difference(asked, text(said.format("°F")), scored("98.1", right=True)) is None
    assert answer_difference(asked, text(said.format("°C")), scored("98.1", right=False)) == "+61.4 °C"


def judged(response: str, code: str | None = None) -> Judgement:
    labels = (Label(code=code, primary=True),) if code else ()
    return Judgement.model_validate({"response_judgement": response, "labels": labels})


def test_a_judgement_is_asked_about_where_it_speaks_against_score_or_text_in_either_direction() -> None:
    right = contradictions(text("The answer is 13."), scored("13", right=True), form_asked=True)
    wrong = contradictions(text("The answer is 8."), scored("8", right=False), form_asked=True)
    assert contradicted(judged("failure", "omission"), right) == ("failure_though_right",)
    assert contradicted(judged("acceptable"), right) == ()
    assert contradicted(judged("acceptable"), wrong) == ("acceptable_though_wrong",)
    assert contradicted(judged("right_answer_unsound_reasoning"), wrong) == ("unsound_though_wrong",)
    assert contradicted(judged("failure", "unanswered.truncated"), wrong) == ("not_cut_off",)
    assert contradicted(judged("failure", "unanswered.empty"), wrong) == ("not_empty",)


def test_a_right_value_in_another_form_is_asked_about_neither_way_except_where_no_form_was_asked() -> None:
    loose = scored("13", right=True).model_copy(update={"strict": False})
    ours = contradictions(text("It was 13."), loose, form_asked=True)
    assert contradicted(judged("failure", "format_mismatch"), ours) == ()
    assert contradicted(judged("acceptable"), ours) == ()
    elsewhere = contradictions(text("It was 13."), loose, form_asked=False)
    assert contradicted(judged("failure", "format_mismatch"), elsewhere) == ("failure_though_right",)


def test_answer_points_are_asked_about_in_words_and_not_by_their_ids() -> None:
    points = {"form": "points"}
    whole, part = (
        contradictions(text("a"), scored(ids, right=right).model_copy(update=points), form_asked=False)
        for ids, right in (("1 2", True), ("1", False))
    )
    assert contradicted(judged("failure", "omission"), whole) == ("failure_though_right",)
    assert contradicted(judged("acceptable"), part) == ("acceptable_though_wrong",)
    assert "found every point" in whole[0].remark
    assert not any("1" in str(one.remark) for one in (*whole, *part))


def test_what_speaks_against_a_choice_is_a_statement_that_says_what_to_do_all_the_same() -> None:
    known = [
        *contradictions(text("The answer is 13."), scored("13", right=True), form_asked=True),
        *contradictions(text("The answer is 8."), scored("8", right=False), form_asked=True),
        *contradictions(text("No."), scored(None, right=False, status="abstained"), form_asked=True),
    ]
    assert len({one.name for one in known}) == 7
    for one in known:
        assert "?" not in one.remark
        assert "all the same, leave" in one.remark


def test_a_response_called_right_although_no_answer_was_read_is_spoken_of() -> None:
    declined = scored(None, right=False, status="abstained")
    known = contradictions(text("I would rather not guess."), declined, form_asked=False)
    assert contradicted(judged("right_answer_unsound_reasoning"), known) == ("unsound_though_unread",)
    assert contradicted(judged("acceptable"), known) == ("acceptable_though_unread",)
    assert contradicted(judged("failure", "omission"), known) == ()
    rightly = contradictions(text("It is not documented."), scored(None, right=True), form_asked=False)
    assert contradicted(judged("right_answer_unsound_reasoning"), rightly) == ()


def test_a_text_that_was_cut_off_or_gives_no_answer_may_be_called_so() -> None:
    cut = contradictions(
        text("The", finish_reason="length"), scored(None, right=False, status="truncated"), form_asked=True
    )
    assert contradicted(judged("failure", "unanswered.truncated"), cut) == ()
    empty = contradictions(text(" \n"), scored(None, right=False, status="empty"), form_asked=True)
    assert contradicted(judged("failure", "unanswered.empty"), empty) == ()
    assert contradicted(judged("acceptable"), empty) == ("acceptable_though_unread",)
