"""Choices that contradict gold, score or text: the page says so and what to do, never refuses, and logs them.

It speaks up in both directions, so as not to push annotators towards the score or away from it, but never
about the judgement that is locked without the reference.
"""

from typing import Literal

from clinicnum.annotations.judgement import Judgement
from clinicnum.taxonomy_codes import EMPTY, TRUNCATED
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Generation, Score

ContradictionName = Literal[
    "failure_though_right",
    "acceptable_though_wrong",
    "unsound_though_wrong",
    "acceptable_though_unread",
    "unsound_though_unread",
    "not_cut_off",
    "not_empty",
]

RIGHT = Translatable(
    "The answer read, {answer}, is the gold answer. If the response is a failure all the same, leave it so "
    "and say why under Rationale."
)
WRONG = Translatable(
    "The answer read, {answer}, is not the gold answer. If the response is right all the same, leave it so "
    "and say why under Rationale."
)
UNREAD = Translatable(
    "No answer was read from the text. If it gives the right answer all the same, leave this so and say why "
    "under Rationale."
)
ALL_POINTS = Translatable(
    "The scorer found every point in the answer. If the response is a failure all the same, leave it so "
    "and say why under Rationale."
)
NOT_ALL_POINTS = Translatable(
    "The scorer did not find every point in the answer. If the response is right all the same, leave it so "
    "and say why under Rationale."
)
NOT_CUT_OFF = Translatable(
    "The text gives an answer, {answer}, and ended by itself. If it was cut off all the same, leave this "
    "code and say why under Rationale; otherwise choose another."
)
NOT_EMPTY = Translatable(
    "The text is not empty. If this code is right all the same, leave it and say why under Rationale; "
    "otherwise choose another."
)
_RIGHT_THOUGH: dict[str, tuple[tuple[ContradictionName, str], ...]] = {
    "wrong": (
        ("acceptable_though_wrong", "acceptable"),
        ("unsound_though_wrong", "right_answer_unsound_reasoning"),
    ),
    "unread": (
        ("acceptable_though_unread", "acceptable"),
        ("unsound_though_unread", "right_answer_unsound_reasoning"),
    ),
}
_WITHOUT_ANSWER = ("unparsable", "abstained", "empty", "truncated")


class Contradiction(Frozen):
    """A choice that contradicts the score or the text."""

    name: ContradictionName
    field: Literal["response_judgement", "primary"]
    """The form field of the choice; `primary` holds the code of the primary label."""
    value: str
    """The choice."""
    remark: Translatable
    """What speaks against it, and what the annotator does if it is right all the same."""


def right_value_in_another_form(score: Score, *, form_asked: bool) -> bool:
    """Whether the answer has the right value but not the form that was asked for, which may be a failure.

    `form_asked`: whether the run's prompts are known to have asked for one (`asks_form`).
    """
    return form_asked and score.lenient and not score.strict


def contradictions(generation: Generation, score: Score, *, form_asked: bool) -> tuple[Contradiction, ...]:
    """All choices that would contradict the score or the text of this generation.

    `form_asked`: whether the prompts of all runs of the study asked for the form that strict scoring judges.
    """
    found: list[Contradiction] = []
    read = score.parsed
    if right_value_in_another_form(score, form_asked=form_asked):
        pass  # right by its value, wrong by its form: neither choice contradicts the score
    elif score.form == "points":
        found += _on_points(score)
    elif score.lenient and read is not None:
        found.append(_on_failure(Translatable(RIGHT, answer=read)))
    elif score.status == "incorrect" and read is not None:
        found += _on_right("wrong", Translatable(WRONG, answer=read))
    elif score.status in _WITHOUT_ANSWER and not score.lenient:
        found += _on_right("unread", UNREAD)
    if generation.finish_reason == "stop" and read is not None and score.form != "points":
        found.append(_on_code("not_cut_off", TRUNCATED, Translatable(NOT_CUT_OFF, answer=read)))
    if generation.text.strip():
        found.append(_on_code("not_empty", EMPTY, NOT_EMPTY))
    return tuple(found)


def _on_points(score: Score) -> list[Contradiction]:
    """The choices that contradict the scorer's verdict on the answer points."""
    return [_on_failure(ALL_POINTS)] if score.lenient else _on_right("wrong", NOT_ALL_POINTS)


def contradicted(judgement: Judgement, known: tuple[Contradiction, ...]) -> tuple[ContradictionName, ...]:
    """Names of the contradictions in `known` that the judgement's choices make."""
    primary = next((label.code for label in judgement.labels if label.primary), None)
    chosen = {"response_judgement": judgement.response_judgement, "primary": primary}
    return tuple(one.name for one in known if chosen[one.field] == one.value)


def _on_failure(remark: Translatable) -> Contradiction:
    return Contradiction(
        name="failure_though_right", field="response_judgement", value="failure", remark=remark
    )


def _on_right(score: Literal["wrong", "unread"], remark: Translatable) -> list[Contradiction]:
    """The choices that call the response right, though the score calls its answer `wrong` or found none."""
    return [
        Contradiction(name=name, field="response_judgement", value=value, remark=remark)
        for name, value in _RIGHT_THOUGH[score]
    ]


def _on_code(name: ContradictionName, code: str, remark: Translatable) -> Contradiction:
    return Contradiction(name=name, field="primary", value=code, remark=remark)
