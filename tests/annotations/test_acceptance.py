"""The rule of acceptance: what each number of experts needs, and what else keeps a template out."""

from typing import Any

import pytest

from clinicnum.annotations.curation.review_panel_statistics import panel_figures
from clinicnum.annotations.curation.review_sheet import (
    RatingScale,
    ReviewSheet,
    SolvedCase,
    SubmittedReview,
    case_seed,
    complete_review,
    missing_entries,
    sheet_comments,
)
from clinicnum.annotations.curation.template_acceptance import (
    NEEDED,
    AcceptanceInputs,
    AcceptanceVerdict,
    verdict,
)
from clinicnum.authoring.template_trial import Trial
from clinicnum.errors import InputError
from clinicnum.templates.fault_messages import Fault
from tests.clinicnum.answering import instance

FINE = Trial(
    asked=220,
    not_asked=0,
    taken=200,
    by_representation={"structured": 200, "templated": 200, "note": 200},
    rejected={"V4.tie_at_asked_digit": 20},
    broken={},
    flagged=80,
    faults=(),
    holds=True,
)
RIGHT = SolvedCase(answer="42", parsed="42", matches=True)
WRONG = SolvedCase(answer="43", parsed="43", matches=False)


def about(experts: int, **other: Any) -> AcceptanceInputs:
    plain: dict[str, Any] = {
        "mechanical": False,
        "invited": experts,
        "open_contests": 0,
        "upheld": 0,
        "reviewing_authors": 0,
        "unanswered": 0,
    }
    return AcceptanceInputs(**(plain | other))


def review(worked: tuple[SolvedCase, ...] = (RIGHT,) * 3, **ratings: int) -> SubmittedReview:
    rated: dict[RatingScale, int] = {"clarity": 4, "relevance": 4, "answerability": 4}
    return SubmittedReview(ratings={**rated, **ratings}, worked=worked)


def panel(agreeing: int, experts: int) -> list[SubmittedReview]:
    """On clarity, so many agree."""
    return [review(clarity=3 if place < agreeing else 2) for place in range(experts)]


def unmet(found: AcceptanceVerdict) -> list[str]:
    return [one.name for one in found.conditions if not one.met]


@pytest.mark.parametrize("experts", NEEDED)
def test_just_as_many_experts_as_needed_are_enough_on_a_scale_and_one_fewer_are_not(experts: int) -> None:
    needed = {3: 3, 4: 4, 5: 5, 6: 5, 7: 6, 8: 7, 9: 7, 10: 8}[experts]
    enough = verdict(panel(needed, experts), about(experts), FINE)
    assert enough.accepted, unmet(enough)
    short = verdict(panel(needed - 1, experts), about(experts), FINE)
    assert "clarity" in unmet(short)
    line = next(one for one in short.conditions if one.name == "clarity")
    assert line.figures == f"by {needed - 1} of {experts}; {needed} of {experts} are needed"


@pytest.mark.parametrize("experts", [0, 1, 2, 11])
def test_another_number_of_experts_is_never_enough_and_says_which_is(experts: int) -> None:
    found = verdict(panel(experts, experts), about(experts), FINE)
    assert {"experts", "clarity", "relevance", "answerability"} <= set(unmet(found))
    assert "3 to 10 experts are needed" in found.conditions[0].figures


def test_five_of_six_on_every_scale_fall_short_of_the_average() -> None:
    # Each I-CVI is 5/6, so S-CVI/Ave is .833: enough on each scale, not over all of them.
    reviews = [review(clarity=1, relevance=1, answerability=1), *[review()] * 5]
    found = verdict(reviews, about(6), FINE)
    assert unmet(found) == ["s_cvi_ave"]
    assert next(c for c in found.conditions if c.name == "s_cvi_ave").figures == "0.833 over 3 scales"


def test_an_average_of_just_090_is_enough() -> None:
    # Of 10 experts 10, 9 and 8 agree: (1 + .9 + .8) / 3 = .9.
    reviews = [
        review(relevance=2 if place < 1 else 3, answerability=2 if place < 2 else 3) for place in range(10)
    ]
    assert verdict(reviews, about(10), FINE).accepted


def test_a_mechanical_template_is_not_asked_for_its_relevance() -> None:
    rated = [SubmittedReview(ratings={"clarity": 4, "answerability": 3}, worked=(RIGHT,) * 3)] * 3
    found = verdict(rated, about(3, mechanical=True), FINE)
    assert found.accepted
    assert "mechanical" in next(c for c in found.conditions if c.name == "relevance").figures
    assert "over 2 scales" in next(c for c in found.conditions if c.name == "s_cvi_ave").figures


KEEPS_OUT: dict[str, tuple[list[SubmittedReview], AcceptanceInputs, Trial, str, str]] = {
    "an expert who has not handed in": ([review()] * 3, about(4), FINE, "experts", "3 of 4"),
    "one worked instance that does not match": (
        [review(), review(), review(worked=(RIGHT, WRONG, RIGHT))],
        about(3),
        FINE,
        "worked",
        "8 of 9",
    ),
    "an open contest": ([review()] * 3, about(3, open_contests=1, upheld=2), FINE, "contests", "1 open; 2"),
    "an expert who wrote it": ([review()] * 3, about(3, reviewing_authors=1), FINE, "independence", "1 of"),
    "a comment without an answer": ([review()] * 3, about(3, unanswered=2), FINE, "comments", "2 without"),
    "too few instances in one representation": (
        [review()] * 3,
        about(3),
        FINE.model_copy(update={"by_representation": {"structured": 200, "templated": 199, "note": 200}}),
        "validity",
        "199 templated, 200 note; 200 in each are needed",
    ),
    "a fault that the sample shows": (
        [review()] * 3,
        about(3),
        FINE.model_copy(update={"holds": False, "faults": (Fault(rule="ties", path=(), message="tied"),)}),
        "validity",
        "tied",
    ),
}


@pytest.mark.parametrize("case", KEEPS_OUT)
def test_one_condition_alone_keeps_a_template_out(case: str) -> None:
    reviews, circumstances, trial, name, figures = KEEPS_OUT[case]
    found = verdict(reviews, circumstances, trial)
    assert unmet(found) == [name]
    assert figures in next(one.figures for one in found.conditions if one.name == name)
    assert not found.accepted


def test_agreement_of_experts_comes_from_our_own_function_with_the_reason_for_what_is_missing() -> None:
    reviews = [review(clarity=3), review(answerability=2), review()]
    found = {one.name: one for one in panel_figures(reviews, mechanical=False).agreement}
    # Pairs of equal ratings: clarity 1 of 3, relevance 3 of 3, answerability 1 of 3.
    assert found["percent_agreement"].value == pytest.approx(5 / 9)
    assert found["gwet_ac2_quadratic"].value is not None
    assert found["krippendorff_alpha_ordinal"].ci95 is None
    assert found["krippendorff_alpha_ordinal"].ci_method == "none: 3 items; an interval needs at least 10"
    alike = {one.name: one for one in panel_figures([review()] * 3, mechanical=False).agreement}
    assert alike["krippendorff_alpha_ordinal"].value is None
    assert "no variation" in (alike["krippendorff_alpha_ordinal"].undefined or "")


FULL = ReviewSheet(
    ratings={"clarity": 4, "relevance": 3, "answerability": 4},
    answers={"1": "42", "2": " the answer is 42 ", "3": "41"},
    comments={"2": " hard ", "clarity": "say which", "relevance": "  "},
)


def test_worked_instances_are_read_leniently_by_our_scorer() -> None:
    cases = [instance(answer="42")] * 3
    found = complete_review(FULL, cases, mechanical=False)
    assert [one.matches for one in found.worked] == [True, True, False]
    assert complete_review(FULL, cases, mechanical=True).ratings == {"clarity": 4, "answerability": 4}
    assert sheet_comments(FULL) == {"clarity": "say which", "2": "hard"}


def test_a_sheet_that_is_not_complete_or_cannot_be_read_is_refused() -> None:
    cases = [instance(answer="42")] * 3
    assert missing_entries(ReviewSheet(), mechanical=True) == (
        "Still to be given: a rating of Clarity, Answerability and an answer to question 1, 2, 3."
    )
    with pytest.raises(InputError, match="an answer to question 2"):
        complete_review(
            FULL.model_copy(update={"answers": {"1": "42", "2": " ", "3": "4"}}), cases, mechanical=False
        )
    with pytest.raises(InputError, match="answer to question 3 could not be read as a number"):
        complete_review(
            FULL.model_copy(update={"answers": {"1": "42", "2": "42", "3": "no idea"}}),
            cases,
            mechanical=False,
        )
    declined = FULL.model_copy(update={"answers": {"1": "42", "2": "42", "3": "It is not documented."}})
    assert not complete_review(declined, cases, mechanical=False).worked[2].matches


def test_experts_of_a_round_draw_from_seeds_of_their_own() -> None:
    seeds = {case_seed(f"{place:016x}", expert) for place in range(10) for expert in "abcdefghij"}
    assert len(seeds) == 100
