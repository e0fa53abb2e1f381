"""What the adjudicate page is sent, as plain functions."""

from datetime import UTC, datetime
from typing import Any

from clinicnum.annotations.adjudication import Position
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.judgement_text import judgement_text
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.work.adjudication.adjudication_queue import WaitingItem
from clinicnum.ui.pages.adjudicate.evidence_segments import segments
from clinicnum.ui.pages.adjudicate.view import queue_view
from tests.db.examples import FAILURE


def position(*spans: tuple[int, int]) -> Position:
    label = Label(code="omission", primary=True, spans=spans)
    judgement = Judgement(item_judgement="valid", response_judgement="failure", labels=(label,), severity="1")
    return Position(judgement=judgement, confidences=(), rationales=())


def test_the_text_is_cut_where_evidence_begins_or_ends_and_names_whose_it_is() -> None:
    pieces = segments("ab😀cdef", [position((0, 3)), position((2, 5)), position()])
    assert pieces == [
        {"t": "ab", "p": [0]},
        {"t": "😀", "p": [0, 1]},
        {"t": "cd", "p": [1]},
        {"t": "ef", "p": []},
    ]
    assert "".join(piece["t"] for piece in segments("whole", [position((1, 99))])) == "whole"
    assert segments("", [position((0, 1))]) == []


def waiting_item(study: str, *, day: int = 1, **more: Any) -> WaitingItem:
    opened_at = datetime(2030, 1, day, tzinfo=UTC)
    return WaitingItem(
        **{"item": "i", "generation": "g", **more}, study_id=study, study=f"of {study}", opened_at=opened_at
    )


def test_what_waits_is_counted_by_study_the_oldest_first_once_there_are_two() -> None:
    one = waiting_item("new", day=2, due=("x",), flagged=True)
    two = waiting_item("old", day=1, contested=True)
    assert queue_view([one])["studies"] == []
    assert [(each["name"], each["chosen"], each["counts"]) for each in queue_view([one, two])["studies"]] == [
        ("All studies", True, {"due": 1, "contested": 1, "flagged": 1, "replied": 0}),
        ("of old", False, {"due": 0, "contested": 1, "flagged": 0, "replied": 0}),
        ("of new", False, {"due": 1, "contested": 0, "flagged": 1, "replied": 0}),
    ]
    chosen = [two.model_copy(update={"chosen": True}), one]
    assert [each["chosen"] for each in queue_view(chosen)["studies"]] == [False, True, False]


def test_the_context_is_cut_by_the_evidence_in_it_of_every_label() -> None:
    labels = (
        Label(code="omission", primary=True, spans=((0, 9),)),
        Label(code="hallucination", primary=False, context_spans=((1, 3),)),
    )
    judgement = position().judgement.model_copy(update={"labels": labels})
    cited = Position(judgement=judgement, confidences=(), rationales=())
    assert segments("abcd", [position((0, 2)), cited], "context_spans") == [
        {"t": "a", "p": []},
        {"t": "bc", "p": [1]},
        {"t": "d", "p": []},
    ]


def test_the_queue_says_what_waits_and_why() -> None:
    waiting = [
        waiting_item("s", item="i1", due=("severity: 0 to 2",), again=True),
        waiting_item("s", item="i2", contested=True, flagged=True),
    ]
    view = queue_view(waiting * 30)
    assert (view["due"], view["contested"], view["flagged"], view["more"]) == (30, 30, 30, 10)
    assert [one["why"] for one in view["items"][:2]] == [
        "again, a judgement changed; severity: 0 to 2",
        "contested; flagged",
    ]


def test_a_judgement_in_a_few_words() -> None:
    taxonomy = load_taxonomy()
    slip = "Failure; Causal reasoning: arithmetic slip; also Hallucination; severity: 2; confidence: high"
    assert judgement_text(FAILURE, taxonomy) == slip
    doubt = Judgement(item_judgement="gold_wrong", proposed_gold="42", response_judgement="acceptable")
    assert judgement_text(doubt, taxonomy) == "Acceptable; item: gold answer is wrong; right gold answer: 42"
