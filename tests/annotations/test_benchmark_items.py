"""What an item made from a failed question must be before experts are asked, rule by rule."""

from typing import Any

import pytest

from clinicnum.annotations.curation.differences_from_original import changed_places
from clinicnum.annotations.curation.drafted_item import content_from, item_instance
from clinicnum.annotations.curation.item_draft_checks import check_item
from clinicnum.annotations.curation.item_gold_checks import usual_limits
from clinicnum.scoring import check_scorable
from clinicnum.types import Instance
from tests.annotations.imported_items import (
    CALCULATED,
    CHANGED,
    CHOICE,
    CORRECTION,
    DATED,
    EVERY,
    NOTE,
    POINTED,
    REWORDED,
    draft,
)

REWORDED_CHOICE = REWORDED["choice"]
MOVED_CHOICE = CHANGED["choice"]


def faults(original: Instance, kind: Any, others: tuple[Instance, ...] = (), **changed: Any) -> list[str]:
    return list(check_item(draft(original, kind, **changed), original, (original, *others)).faults)


@pytest.mark.parametrize("original", EVERY, ids=lambda one: one.instance_id)
def test_a_sound_paraphrase_keeps_gold_and_patient_and_names_its_base(original: Instance) -> None:
    changed = REWORDED[original.instance_id]
    assert faults(original, "paraphrase", **changed) == []
    made = item_instance(draft(original, "paraphrase", **changed), original)
    check_scorable(made)
    kept = ("answer", "lower", "upper", "options", "points", "template_id", "subject_id", "group_id", "tags")
    assert all(getattr(made, name) == getattr(original, name) for name in kept)
    assert (made.variant, made.base_id, made.expected) == (
        "reviewed.paraphrase",
        original.instance_id,
        "same",
    )
    assert made.dimensions == original.dimensions
    assert made.instance_id != original.instance_id


@pytest.mark.parametrize("original", EVERY, ids=lambda one: one.instance_id)
def test_a_sound_counterfactual_has_another_gold_and_says_what_was_changed(original: Instance) -> None:
    content = draft(original, "counterfactual", **CHANGED[original.instance_id])
    check = check_item(content, original, [original])
    assert (check.faults, len(check.changed)) == ((), 1)
    made = item_instance(content, original)
    check_scorable(made)
    assert (made.variant, made.base_id, made.expected) == (
        "reviewed.counterfactual",
        original.instance_id,
        "follows",
    )
    assert (made.group_id, made.subject_id) == (original.group_id, original.subject_id)
    assert made.worked == ("as the guideline says",), "the working of another gold would be wrong"
    assert not set(made.slots) - {"Output Type"}, "the row number and the entities are the original's"


def test_a_new_question_stands_alone_in_the_family_of_the_one_that_failed() -> None:
    content = draft(CHOICE, "new", context="A boy of 3 years has otitis.", answer="C")
    assert check_item(content, CHOICE, [CHOICE]).faults == ()
    made = item_instance(content, CHOICE)
    assert (made.variant, made.base_id, made.expected) == (None, None, None)
    assert made.group_id == made.instance_id
    assert made.subject_id != CHOICE.subject_id
    assert (made.template_id, made.dimensions, made.prompt_id) == ("choice", {"category": "drugs"}, "choice")
    corrected = content_from("new", CHOICE, row="r", gold="A")
    assert corrected.answer == "A"
    assert item_instance(corrected, CHOICE).subject_id == CHOICE.subject_id, "the same patient"
    limited = content_from("new", CALCULATED, row="r", gold="21.5")
    assert (limited.lower, limited.upper) == ("", ""), "the limits of another gold are not its own"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "nothing is worded differently"),
        ({"context": CHOICE.context.upper() + " "}, "nothing is worded differently"),
        ({"context": "A pregnant woman of 34 years has had fever for 3 days."}, "lacking: 39.2; added: -"),
        (
            {"context": "A pregnant woman of 35 years has had fever of 39.2 °C for 3 days."},
            "lacking: 34; added: 35",
        ),
        ({**REWORDED_CHOICE, "options": ("paracetamol", "aspirin", "amoxicillin")}, "keeps the options"),
        ({**REWORDED_CHOICE, "answer": "A"}, "keeps the gold answer"),
        ({**REWORDED_CHOICE, "question": " "}, "the question is empty"),
    ],
)
def test_a_paraphrase_that_is_none_is_refused(changed: dict[str, Any], said: str) -> None:
    assert any(said in fault for fault in faults(CHOICE, "paraphrase", **changed))


@pytest.mark.parametrize(
    ("original", "changed", "said"),
    [
        (CHOICE, {"answer": "C"}, "nothing is changed"),
        (
            CHOICE,
            {**MOVED_CHOICE, "context": MOVED_CHOICE["context"].replace("34", "70")},
            "2 places are changed (34 → 70, pregnant → allergic to penicillin)",
        ),
        (CHOICE, {**MOVED_CHOICE, "answer": "B"}, "the gold answer is still right by the original's (B)"),
        (CHOICE, {**MOVED_CHOICE, "options": ("a", "b", "c")}, "keeps the options"),
        (CHOICE, {**MOVED_CHOICE, "reason": " "}, "the reason is empty"),
        (CALCULATED, {**CHANGED["medcalc"], "answer": "20.5", "lower": "20", "upper": "21"}, "19 - 21"),
        (
            POINTED,
            {"context": "He has gout.", "points": ("Drink less beer", "Allopurinol after the attack")},
            "the gold answer is still right",
        ),
    ],
)
def test_a_counterfactual_that_is_none_is_refused(
    original: Instance, changed: dict[str, Any], said: str
) -> None:
    assert any(said in fault for fault in faults(original, "counterfactual", **changed))


@pytest.mark.parametrize(
    ("original", "changed", "said"),
    [
        (CHOICE, {"answer": "D"}, "expected the letter of an option, A to C"),
        (CHOICE, {"answer": ""}, "expected the letter of an option"),
        (CHOICE, {"options": ("one",)}, "there are 1 options; give 2 to 26"),
        (CHOICE, {"options": ("one", " one", "two")}, "two options are the same"),
        (CHOICE, {"options": ("one", " ", "two")}, "an option is empty"),
        (CALCULATED, {"answer": "twenty"}, "expected a number in digits"),
        (CALCULATED, {"answer": "30"}, "30 lies outside its limits, 19 to 21"),
        (CALCULATED, {"lower": "", "upper": ""}, "a limit is ''"),
        (CALCULATED, {"lower": "x"}, "a limit is 'x'"),
        (DATED, {"answer": "soon"}, "expected a date as MM/DD/YYYY"),
        (CORRECTION, {"answer": "7 He was given heparin."}, "the note has no sentence 7"),
        (CORRECTION, {"answer": "2 He was  given insulin."}, "sentence 2 stands in the note as corrected"),
        (CORRECTION, {"answer": "heparin"}, "expected CORRECT, or the number of the wrong sentence"),
        (POINTED, {"points": ()}, "there is no answer point"),
        (POINTED, {"points": ("Beer", "Beer")}, "two answer points are the same"),
    ],
)
def test_a_gold_that_is_not_of_the_kind_of_the_item_is_refused(
    original: Instance, changed: dict[str, Any], said: str
) -> None:
    asked = {"question": f"{original.question} Please."}
    found = faults(original, "new", **asked | changed)
    assert any(said in fault for fault in found), found


def test_an_item_that_the_benchmark_has_is_refused_in_any_order_of_its_options() -> None:
    other = CHOICE.model_copy(
        update={"instance_id": "other", "context": "A  BOY of 3 years.", "options": ("x", "y", "z")}
    )
    same = {"context": "A boy of 3 years.", "options": ("z", "x", "y"), "answer": "A"}
    assert faults(CHOICE, "new", (other,), **same) == ["item other asks exactly this; word it differently"]
    assert faults(CHOICE, "new", (other,), **same | {"context": "A girl of 3 years."}) == []
    # Its original, taken out by a contest, is no longer compared.
    corrected = draft(CHOICE, "new", answer="A")
    assert check_item(corrected, CHOICE, ()).faults == ()
    assert check_item(corrected, CHOICE, [CHOICE]).faults != ()


def test_similar_items_are_shown_and_no_fault() -> None:
    near = CHOICE.model_copy(update={"instance_id": "near", "context": CHOICE.context.replace("34", "35")})
    far = POINTED.model_copy(update={"instance_id": "far"})
    variant = near.model_copy(update={"instance_id": "shuffled", "variant": "options.shuffle.1"})
    check = check_item(draft(CHOICE, "paraphrase", **REWORDED_CHOICE), CHOICE, [CHOICE, far, near, variant])
    assert [one.instance_id for one in check.similar] == ["near"]
    assert 0.5 <= check.similar[0].score < 1
    assert check.holds


def test_the_changed_places_of_two_texts() -> None:
    def places(old: str, new: str) -> list[tuple[str, str]]:
        return [(one.before, one.after) for one in changed_places(old, new)]

    assert places("blood pressure 120/80 mmHg", "blood pressure  90/50 mmHg") == [("120/80", "90/50")]
    assert places("He has no fever.", "He has fever.") == [("no", "")]
    assert places("same  text", "same text") == []
    assert places("a man of 45 who smokes, 20 a day", "a man of 60 who smokes, 40 a day") == [
        ("45", "60"),
        ("20", "40"),
    ]
    assert places("", "word") == [("", "word")]
    assert places(NOTE, NOTE + " He left.") == [("", "He left.")]


def test_one_fact_that_stands_in_two_places_may_be_changed_in_both() -> None:
    original = CHOICE.model_copy(
        update={"context": "A woman of 34 years has a fever. At 34 years she is not yet at risk of much."}
    )
    moved = {"context": original.context.replace("34", "71"), "answer": "A"}
    check = check_item(draft(original, "counterfactual", **moved), original, [original])
    assert (check.faults, len(check.changed)) == ((), 2)


def test_the_usual_limits_are_those_of_the_source() -> None:
    assert usual_limits(CALCULATED, "25") == ("23.75", "26.25")
    assert usual_limits(CALCULATED, "-4") == ("-4.2", "-3.8")
    assert usual_limits(CALCULATED, "many") == ("", "")
    whole = CALCULATED.model_copy(update={"slots": {"Output Type": "integer"}})
    assert usual_limits(whole, "3") == ("3", "3")
    assert usual_limits(DATED, "11/08/2024") == ("11/08/2024", "11/08/2024")


def test_the_kind_of_error_of_a_changed_note_is_not_taken_over() -> None:
    mended = item_instance(draft(CORRECTION, "counterfactual", **CHANGED["medec"]), CORRECTION)
    assert mended.dimensions == {"source": "ms", "error_type": "no error"}
    other = draft(CORRECTION, "new", context=NOTE.replace("insulin", "nothing"))
    assert item_instance(other, CORRECTION).dimensions == {"source": "ms"}


def test_points_that_stay_keep_id_and_value_and_new_ones_get_a_free_id() -> None:
    made = item_instance(draft(POINTED, "counterfactual", **CHANGED["points"]), POINTED)
    assert [(one.id, one.value) for one in made.points] == [("beer", "beer"), ("1", None)]
    more = draft(POINTED, "new", points=("No ibuprofen", "Rest", "Allopurinol after the attack"))
    assert [one.id for one in item_instance(more, POINTED).points] == ["1", "3", "2"]
