"""The kinds of studies: what each asks its annotators, and what else a study of that kind has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from clinicnum.annotations.preference_question import PREFERENCES
from clinicnum.translatable_text import Translatable

StudyKind = Literal["failures", "pairwise", "ratings", "claims"]
ResponseJudgement = Literal["acceptable", "right_answer_unsound_reasoning", "failure", "cannot_judge"]
RESPONSE_JUDGEMENTS: tuple[ResponseJudgement, ...] = get_args(ResponseJudgement)
Done = Literal["rated", "checked"]
"""The response judgement in kinds of study whose answers are in other fields: they were given."""


@dataclass(frozen=True)
class KindRules:
    """What holds for every study of one kind."""

    responses: tuple[str, ...]
    """The values of `response_judgement`, by which a stored judgement tells its kind."""
    asks: Translatable
    """What annotators are asked, as a clause that follows “this study”."""
    instead: Translatable
    """What to do on the page where another kind of judgement was sent."""
    judges_failures: bool = False
    """Whether an answer is acceptable or a failure with codes and severity. Only then is a judgement settled
    by a consensus and compared with references; only then are there training and control items, criteria,
    suggestions and a draw by scores.
    """
    two_steps: bool = False
    """Whether the item's reference is shown for a second step, once what is judged without it is locked."""
    pairs: bool = False
    """Whether an item is two answers."""
    own_fields: bool = False
    """Whether the study takes fields of its own."""


KINDS: Mapping[StudyKind, KindRules] = {
    "failures": KindRules(
        responses=RESPONSE_JUDGEMENTS,
        asks=Translatable("judges one answer at a time"),
        instead=Translatable("judge the response; it takes no preference, ratings or claims"),
        judges_failures=True,
        two_steps=True,
        own_fields=True,
    ),
    "pairwise": KindRules(
        responses=PREFERENCES,
        asks=Translatable("compares two answers"),
        instead=Translatable("say which is better, and submit"),
        pairs=True,
    ),
    "ratings": KindRules(
        responses=("rated",),
        asks=Translatable("rates each answer on its axes"),
        instead=Translatable("give a point on each axis, and submit"),
        own_fields=True,
    ),
    "claims": KindRules(
        responses=("checked",),
        asks=Translatable("checks each claim of an answer"),
        instead=Translatable("say of each claim what holds, and submit"),
        two_steps=True,
    ),
}
DONE_KINDS: tuple[StudyKind, ...] = ("ratings", "claims")
"""The kinds of study whose answers are in other fields of the judgement (see `Done`)."""
RESPONSES = tuple(value for rules in KINDS.values() for value in rules.responses)
"""Every value that `response_judgement` can have in any kind of study."""
KIND_OF_RESPONSE: Mapping[str, StudyKind] = {
    value: kind for kind, rules in KINDS.items() for value in rules.responses
}


def kind_of_design(design: Mapping[str, Any]) -> StudyKind:
    """The kind of a study from its stored design; designs of earlier versions say `pairwise` or nothing."""
    kind: StudyKind = "pairwise" if design.get("pairwise") else design.get("asks") or "failures"
    return kind
