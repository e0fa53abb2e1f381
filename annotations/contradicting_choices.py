"""Choices that contradict gold, score or text: the page asks for confirmation, never refuses, and logs them.

It asks in both directions, so as not to push annotators towards the score or away from it, but never about
the judgement that is locked without the reference.
"""

from typing import Literal

from clinicnum.annotations.judgement import Judgement
from clinicnum.taxonomy_codes import EMPTY, TRUNCATED
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Generation, Score

ContradictionName = Literal["failure_though_right", "acceptable_though_wrong", "not_cut_off", "not_empty"]


class Contradiction(Frozen):
    """A choice that contradicts the score or the text."""

    name: ContradictionName
    field: Literal["response_judgement", "primary"]
    """The form field of the choice; `primary` holds the code of the primary label."""
    value: str
    """The choice."""
    question: Translatable
    """Asked of the annotator."""


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
        question = Translatable(
            "The answer read, {answer}, is the gold answer. Is it a failure all the same?", answer=read
        )
        found.append(_on_response("failure_though_right", "failure", question))
    elif score.status == "incorrect" and read is not None:
        question = Translatable(
            "The answer read, {answer}, is not the gold answer. Is it acceptable all the same?", answer=read
        )
        found.append(_on_response("acceptable_though_wrong", "acceptable", question))
    if generation.finish_reason == "stop" and read is not None and score.form != "points":
        question = Translatable(
            "The text gives an answer, {answer}, and ended by itself. Was it cut off?", answer=read
        )
        found.append(_on_code("not_cut_off", TRUNCATED, question))
    if generation.text.strip():
        found.append(
            _on_code("not_empty", EMPTY, Translatable("The text is not empty. Is this the right code?"))
        )
    return tuple(found)


def _on_points(score: Score) -> list[Contradiction]:
    """The choice that contradicts the scorer's verdict on the answer points."""
    if score.lenient:
        question = Translatable("The scorer found every point in the answer. Is it a failure all the same?")
        return [_on_response("failure_though_right", "failure", question)]
    question = Translatable(
        "The scorer did not find every point in the answer. Is it acceptable all the same?"
    )
    return [_on_response("acceptable_though_wrong", "acceptable", question)]


def contradicted(judgement: Judgement, known: tuple[Contradiction, ...]) -> tuple[ContradictionName, ...]:
    """Names of the contradictions in `known` that the judgement's choices make."""
    primary = next((label.code for label in judgement.labels if label.primary), None)
    chosen = {"response_judgement": judgement.response_judgement, "primary": primary}
    return tuple(one.name for one in known if chosen[one.field] == one.value)


def _on_response(name: ContradictionName, value: str, question: Translatable) -> Contradiction:
    return Contradiction(name=name, field="response_judgement", value=value, question=question)


def _on_code(name: ContradictionName, code: str, question: Translatable) -> Contradiction:
    return Contradiction(name=name, field="primary", value=code, question=question)
