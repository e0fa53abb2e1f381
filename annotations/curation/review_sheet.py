"""What a review asks an expert about a template or an item, and what the expert submits: ratings, worked
instances, comments.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from clinicnum.errors import InputError
from clinicnum.scoring import score
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable, joined
from clinicnum.types import Frozen, Generation, Instance

RatingScale = Literal["clarity", "relevance", "answerability"]
RATING_SCALES: tuple[RatingScale, ...] = ("clarity", "relevance", "answerability")
MECHANICAL = "mechanical"
"""The tag of templates without clinical meaning: experts are not asked about their relevance."""
CASES = 3
"""Number of instances that each expert solves: one in each representation."""
LONGEST_COMMENT = 2_000
LONGEST_ANSWER = 500

SCALE_NAMES: dict[RatingScale, str] = {
    "clarity": Translatable("Clarity"),
    "relevance": Translatable("Clinical relevance"),
    "answerability": Translatable("Answerability"),
}
IN_SENTENCE: dict[RatingScale, str] = {
    "clarity": Translatable("clarity"),
    "relevance": Translatable("clinical relevance"),
    "answerability": Translatable("answerability"),
}
"""The names of the scales inside a sentence."""
SCALE_ASKS: dict[RatingScale, str] = {
    "clarity": Translatable("Is it clear what is asked?"),
    "relevance": Translatable("Would a clinician want to know this?"),
    "answerability": Translatable("Do the records give one right answer?"),
}
ITEM_ASKS: dict[RatingScale, str] = {
    **SCALE_ASKS,
    "answerability": Translatable("Does what is shown give one right answer?"),
}
"""What each scale asks about an item of an imported benchmark, which shows no records."""
ANCHORS: dict[RatingScale, tuple[str, str, str, str]] = {
    "clarity": (
        Translatable("not clear"),
        Translatable("unclear in parts"),
        Translatable("clear, with small changes"),
        Translatable("clear"),
    ),
    "relevance": (
        Translatable("not relevant"),
        Translatable("somewhat relevant"),
        Translatable("quite relevant"),
        Translatable("highly relevant"),
    ),
    "answerability": (
        Translatable("cannot be answered"),
        Translatable("more than one answer can be defended"),
        Translatable("one answer, if read with care"),
        Translatable("one answer"),
    ),
}
"""What 1, 2, 3 and 4 mean. Relevance: as in Table 4 of PMC7253559; the others are our own words."""

CaseNumber = Annotated[str, Field(pattern=r"^[1-3]$")]
About = Annotated[str, Field(pattern=r"^(clarity|relevance|answerability|[1-3])$")]


class ReviewSheet(Frozen):
    """An expert's review sheet, complete or not."""

    ratings: dict[RatingScale, Annotated[int, Field(ge=1, le=4, strict=True)]] = Field(default_factory=dict)
    answers: dict[CaseNumber, Annotated[str, Field(max_length=LONGEST_ANSWER)]] = Field(default_factory=dict)
    """Number of the instance, from 1 -> answer."""
    comments: dict[About, Annotated[str, Field(max_length=LONGEST_COMMENT)]] = Field(default_factory=dict)
    """Subject of the comment (a scale, or the number of an instance) -> text."""


class SolvedCase(Frozen):
    """One instance that an expert solved; the answer is read and scored like a model's."""

    answer: str
    """The answer as the expert wrote it."""
    parsed: str | None
    matches: bool
    """Whether the answer has the gold's value (`Score.lenient`)."""


class SubmittedReview(Frozen):
    """An expert's submitted review; it is final."""

    ratings: dict[RatingScale, int]
    worked: tuple[SolvedCase, ...]


def is_mechanical(template: Template) -> bool:
    """Whether a template is mechanical: experts are not asked about its clinical relevance."""
    return MECHANICAL in template.tags


def scales_of(*, mechanical: bool) -> tuple[RatingScale, ...]:
    """The scales on which a template is rated, in order; a `mechanical` one is not rated for relevance."""
    return tuple(scale for scale in RATING_SCALES if not (mechanical and scale == "relevance"))


def missing_entries(sheet: ReviewSheet, *, mechanical: bool, cases: int = CASES) -> str | None:
    """What is still missing, as one line; None if the sheet is complete.

    `mechanical`: whether relevance is not rated; `cases` is the number of questions to answer.
    """
    unrated = [SCALE_NAMES[scale] for scale in scales_of(mechanical=mechanical) if scale not in sheet.ratings]
    unworked = [str(n) for n in range(1, cases + 1) if not sheet.answers.get(str(n), "").strip()]
    questions, scales_left = ", ".join(unworked), joined(", ", unrated)
    if unrated and unworked:
        return Translatable(
            "Still to be given: a rating of {scales} and an answer to question {questions}.",
            scales=scales_left,
            questions=questions,
        )
    if unrated:
        return Translatable("Still to be given: a rating of {scales}.", scales=scales_left)
    if unworked:
        return Translatable("Still to be given: an answer to question {questions}.", questions=questions)
    return None


def complete_review(sheet: ReviewSheet, cases: Sequence[Instance], *, mechanical: bool) -> SubmittedReview:
    """Read a complete sheet, scoring its answers against the instances.

    Raises InputError if it is incomplete or an answer cannot be parsed. "Not documented" is an answer.
    """
    lacks = missing_entries(sheet, mechanical=mechanical, cases=len(cases))
    if lacks is not None:
        raise InputError(lacks)
    return SubmittedReview(
        ratings={scale: sheet.ratings[scale] for scale in scales_of(mechanical=mechanical)},
        worked=tuple(_work(n, case, sheet.answers[str(n)].strip()) for n, case in enumerate(cases, start=1)),
    )


def _work(number: int, case: Instance, answer: str) -> SolvedCase:
    generation = Generation(
        generation_id="review",
        run_id="review",
        instance_id=case.instance_id,
        text=answer,
        finish_reason="stop",
    )
    judged = score(instance=case, generation=generation)
    if judged.status == "unparsable":
        raise InputError(_unreadable(number, case))
    return SolvedCase(answer=answer, parsed=judged.parsed, matches=judged.lenient)


def _unreadable(number: int, case: Instance) -> Translatable:
    """Why an answer cannot be judged, with the form that is expected."""
    if case.scoring == "choice":
        return Translatable(
            "Your answer to question {number} could not be read as one option; write its letter alone.",
            number=number,
        )
    if case.scoring == "medec":
        return Translatable(
            "Your answer to question {number} could not be read; write CORRECT, or the number of the wrong "
            "sentence and the sentence corrected.",
            number=number,
        )
    if case.operation == "external":
        return Translatable(
            "Your answer to question {number} could not be read; write the number or date alone.",
            number=number,
        )
    if case.answer_type == "datetime":
        return Translatable(
            "Your answer to question {number} could not be read as a date and time; write it alone, or "
            "that the records do not say it.",
            number=number,
        )
    return Translatable(
        "Your answer to question {number} could not be read as a number; write it alone, or that the "
        "records do not say it.",
        number=number,
    )


def sheet_comments(sheet: ReviewSheet) -> Mapping[str, str]:
    """The comments that are not empty, on scales first, then on instances."""
    order = (*RATING_SCALES, *(str(n) for n in range(1, CASES + 1)))
    said = {about: sheet.comments.get(about, "").strip() for about in order}
    return {about: text for about, text in said.items() if text}


def case_seed(round_id: str, expert: str) -> int:
    """The seed of an expert's instances; experts of one round get different ones."""
    return int.from_bytes(hashlib.sha256(f"{round_id}:{expert}".encode()).digest()[:4])


def comment_subject(about: str) -> str:
    """The subject of a comment in words: a scale's name or a question's number."""
    question = Translatable("Question {number}", number=about)
    return next((SCALE_NAMES[scale] for scale in RATING_SCALES if scale == about), question)


def subject_in_sentence(about: str) -> str:
    """The subject of a comment, a scale or a question, worded for the middle of a sentence."""
    question = Translatable("question {number}", number=about)
    return next((IN_SENTENCE[scale] for scale in RATING_SCALES if scale == about), question)
