"""Scripted annotators: right but for a seeded share of errors, and always complete."""

from collections import Counter

import pytest

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_check import check_judgement
from clinicnum.annotations.simulated_annotator import (
    NO_HABIT,
    SEVERITIES,
    Habit,
    guess_code,
    simulate_judgement,
)
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from tests.db.examples import material

MADE = material(wrong=200, right=200)
TAXONOMY = load_taxonomy()


def judge(
    at: int, *, error_rate: float, annotator: str = "A1", seed: int = 0, habit: Habit = NO_HABIT
) -> Judgement:
    return simulate_judgement(
        instance=MADE.instances[at],
        generation=MADE.generations()[at],
        score=MADE.scores[at],
        taxonomy=TAXONOMY,
        annotator=annotator,
        seed=seed,
        error_rate=error_rate,
        habit=habit,
    )


def test_without_errors_it_knows_the_gold_and_the_cause() -> None:
    for at in range(400):
        judgement = judge(at, error_rate=0)
        assert judgement.response_judgement == ("failure" if at < 200 else "acceptable")
        assert [label.code for label in judgement.labels] == (
            ["contextual_inconsistency.wrong_record"] if at < 200 else []
        )
        assert judgement.item_judgement == "valid"


def test_the_reason_of_a_scripted_annotator_is_in_words() -> None:
    made = judge(0, error_rate=0).rationale
    gold, read = MADE.instances[0].answer, MADE.scores[0].parsed
    assert made is not None
    assert made.endswith(f"the answer {read} was read, and the gold answer is {gold}.")
    unread = simulate_judgement(
        instance=MADE.instances[0].model_copy(update={"answer": None}),
        generation=MADE.generations()[0],
        score=MADE.scores[0].model_copy(update={"parsed": None}),
        taxonomy=TAXONOMY,
        annotator="A1",
        seed=0,
        error_rate=0,
    )
    assert "no answer was read, and the gold answer is not documented." in str(unread.rationale)


def test_every_judgement_can_be_submitted_and_fits_its_text_and_table() -> None:
    for at in range(0, 400, 5):
        judgement = judge(at, error_rate=1)
        assert judgement.missing() is None
        text = MADE.generations()[at].text
        check_judgement(judgement, taxonomy=TAXONOMY, text_length=len(text), context_length=0, records=2)
        for label in judgement.labels:
            assert {text[start:end] for start, end in label.spans} == {MADE.scores[at].parsed}


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_errors_come_at_the_asked_rate(rate: float) -> None:
    wrong = sum(judge(at, error_rate=rate) != judge(at, error_rate=0) for at in range(200))
    # 200 failures, at most five standard deviations (6.5) off
    assert abs(wrong - 200 * rate) <= (33 if rate == 0.3 else 0)


def test_the_four_kinds_of_error_all_occur() -> None:
    kinds = Counter()  # type: ignore[var-annotated]
    for at in range(200):
        wrong, right = judge(at, error_rate=1), judge(at, error_rate=0)
        kinds["item"] += wrong.item_judgement != right.item_judgement
        kinds["response"] += wrong.response_judgement != right.response_judgement
        if wrong.labels:
            kinds["code"] += wrong.labels[0].code != right.labels[0].code
            kinds["severity"] += wrong.severity != right.severity
    assert all(kinds[kind] > 20 for kind in ("item", "response", "code", "severity"))
    assert sum(kinds.values()) == 200


def test_the_same_seed_says_the_same_and_annotators_differ() -> None:
    assert judge(0, error_rate=0.5) == judge(0, error_rate=0.5)
    one, two = (
        [judge(at, error_rate=0.5, annotator=annotator) for at in range(50)] for annotator in ("A1", "A2")
    )
    assert one != two


def test_a_habit_changes_class_and_severity_as_often_as_it_says_and_nothing_else() -> None:
    habit = Habit(sees={"contextual_inconsistency": "omission.missed_record"}, stricter=1, often=0.5)
    changed: Counter[str] = Counter()
    for at in range(400):
        before, after = judge(at, error_rate=0), judge(at, error_rate=0, habit=habit)
        assert (before.response_judgement, before.item_judgement) == (
            after.response_judgement,
            after.item_judgement,
        )
        changed["class"] += [one.code for one in after.labels] == ["omission.missed_record"]
        if before.severity != after.severity:
            assert SEVERITIES.index(after.severity) == SEVERITIES.index(before.severity) + 1  # type: ignore[arg-type]
            changed["severity"] += 1
    # 200 failures, at most five standard deviations (7.1) off; the severest are not taken for severer
    assert abs(changed["class"] - 100) <= 36
    assert 40 <= changed["severity"] <= 136
    assert judge(0, error_rate=0, habit=Habit(stricter=-9, often=1)).severity == SEVERITIES[0]


def test_of_several_mistakes_that_yield_the_answer_the_first_is_taken() -> None:
    asked, scored = MADE.instances[0], MADE.scores[0]
    first, second = (
        asked.distractors[0].model_copy(update={"code": code}) for code in ("omission", "unanswered")
    )
    both = asked.model_copy(update={"distractors": (first, second)})
    assert guess_code(both, scored.model_copy(update={"parsed": first.value}), TAXONOMY) == "omission"


@pytest.mark.parametrize(
    ("status", "operation", "code"),
    [
        ("empty", "retrieval", "unanswered.empty"),
        ("truncated", "retrieval", "unanswered.truncated"),
        ("abstained", "retrieval", "unanswered.false_abstention"),
        ("unparsable", "retrieval", "undetermined"),
        ("incorrect", "retrieval", "hallucination.fabricated_value"),
        ("incorrect", "arithmetic", "causal_reasoning.arithmetic_slip"),
        ("incorrect", "comparison", "contextual_inconsistency.wrong_record"),
        ("incorrect", "aggregation", "omission.missed_record"),
        ("incorrect", "external", "undetermined"),
    ],
)
def test_without_a_matching_mistake_the_cause_is_guessed(status: str, operation: str, code: str) -> None:
    asked = MADE.instances[0].model_copy(update={"operation": operation})
    score = MADE.scores[0].model_copy(update={"status": status, "parsed": "3"})
    assert guess_code(asked, score, TAXONOMY) == code


def test_a_rate_outside_0_to_1_is_an_error() -> None:
    with pytest.raises(InputError, match="expected 0 to 1"):
        judge(0, error_rate=1.5)
