"""What changed between two revisions of a judgement, as fields and in words."""

import pytest

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.revision_changes import FieldChange, revision_changes
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.ui.components.revision_change_wording import change_words
from tests.db.examples import BLIND, FAILURE

OMITTED = FAILURE.model_copy(update={"labels": (Label(code="omission", primary=True),), "severity": "1"})
FINE = Judgement(item_judgement="valid", response_judgement="acceptable")


def test_only_what_differs_is_told_in_the_order_of_pages() -> None:
    assert revision_changes(FAILURE, FAILURE) == ()
    assert revision_changes(BLIND, FINE) == (
        FieldChange("response_judgement", "failure", "acceptable"),
        FieldChange("item_judgement", None, "valid"),
    )
    custom = FINE.model_copy(update={"custom": {"ward": "icu"}})
    assert revision_changes(custom, FINE) == (FieldChange("custom.ward", "icu", None),)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (FAILURE, FAILURE, "nothing changed"),
        (
            OMITTED,
            OMITTED.model_copy(
                update={"labels": (Label(code="hallucination", primary=True),), "severity": "2"}
            ),
            "Primary class: Omission to Hallucination; Severity: 1 to 2",
        ),
        (BLIND, FINE, "The response: Failure to Acceptable; The item: none to Valid"),
        (
            OMITTED,
            OMITTED.model_copy(update={"labels": (Label(code="omission", primary=True, spans=((0, 4),)),)}),
            "evidence marked anew",
        ),
        (
            OMITTED.model_copy(update={"confidence": 1, "rationale": None}),
            OMITTED.model_copy(update={"confidence": 3, "rationale": "why " * 60, "custom": {"seen": True}}),
            f"Confidence: Low to High; Rationale: none to {'why ' * 19} …; seen: none to yes".replace(
                "  …", " …"
            ),
        ),
    ],
    ids=["nothing", "labels and severity", "the response", "evidence", "the rest"],
)
def test_a_change_is_told_in_words(before: Judgement, after: Judgement, told: str) -> None:
    assert change_words(before, after, load_taxonomy()) == told
