"""What an annotator sees of an assignment: blind at first, the gold only after a judgement is locked.

Blind means no gold, score, evidence, distractor, flag or variant, and neither the model nor the run. The ids
of instance and generation are withheld as well: an imported file may have a model's name in them.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Literal

from pydantic import Field

from clinicnum.annotations.chart_facts import ChartFacts
from clinicnum.annotations.claims.shown_sentences import ShownClaims
from clinicnum.annotations.contradicting_choices import (
    Contradiction,
    contradictions,
    right_value_in_another_form,
)
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.difference_from_gold import answer_difference
from clinicnum.annotations.judgement import CriterionVerdict, Judgement
from clinicnum.annotations.masked_model_names import mask_models
from clinicnum.annotations.preference_question import Side
from clinicnum.annotations.reconstructed_prompt import Asked, asked_of_all, ending_of
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.scoring.answer_point_recall import PointCheck, point_checks
from clinicnum.translatable_text import Translatable
from clinicnum.types import (
    AnswerType,
    Cell,
    Frozen,
    Generation,
    Given,
    Instance,
    Operation,
    Record,
    RepresentationName,
    Score,
    ScoreStatus,
    Suggestion,
)

AssignmentStatus = Literal["open", "submitted", "skipped", "released"]
"""`released`: its lease ran out, and another annotator may get the item."""
ASSIGNMENT_STATUSES: tuple[AssignmentStatus, ...] = ("open", "submitted", "skipped", "released")

ASKED_TYPE: dict[Operation, AnswerType] = {
    "retrieval": "number",
    "arithmetic": "number",
    "comparison": "datetime",
    "aggregation": "count",
    "external": "text",
}


class InstanceView(Frozen):
    """An instance without anything that reveals or hints at its gold."""

    question: str
    context: str
    records: tuple[Record, ...]
    givens: tuple[Given, ...]
    options: tuple[str, ...]
    representation: RepresentationName
    operation: Operation
    tags: tuple[str, ...]
    answer_type: AnswerType
    """The type that the question asks for; never `unanswerable`, which would reveal the gold."""
    unit: str | None
    decimals: int | None


class ShownItem(InstanceView):
    """What a component beside the item may know of it; see `docs/item-view.md`.

    The ids serve to find material on the server. Pages must not show them: imported ids may contain a model's
    name.
    """

    instance_id: str
    subject_id: str


class RevealedGold(Frozen):
    """The gold and the score, shown once a judgement is locked."""

    answer: str | None
    """None: the right answer is that the records do not document it."""
    answer_exact: str | None
    worked: tuple[str, ...]
    evidence: tuple[Cell, ...]
    score_status: ScoreStatus
    parsed: str | None
    reason: str
    difference: Translatable | None
    """Parsed answer minus gold, in words; None if they cannot be subtracted."""
    form_missed: bool
    """Whether the value is right but not in the requested format."""
    contradictions: tuple[Contradiction, ...]
    """Choices that contradict gold, score or text; the page asks about them, but accepts them."""
    points: tuple[PointCheck, ...] = ()
    """Required answer points, and whether the scorer found each; empty for questions without points."""


class Progress(Frozen):
    """An annotator's progress in a study."""

    done: int
    """Number of submitted assignments."""
    skipped: int
    total: int
    """The annotator's even share, or more where they have gone on."""
    median_ms: int | None = None
    """Median active time of the last items; None before the first."""
    expected_ms: int | None = None
    """As `median_ms`; before the annotator's first item, that of all annotators."""


class ShownAnswer(Frozen):
    """A model's answer, with names of models masked."""

    text: str
    ended: Translatable | None
    """What kept the text from its end, in words; None if nothing is known to have."""
    thinking: str | None


class AnswerPair(Frozen):
    """Two answers to one question, the left one first."""

    left: Side
    """Which answer of the item is on the left for this annotator."""
    answers: tuple[ShownAnswer, ShownAnswer]


class ShownReference(Frozen):
    """The gold answer, where a study shows it beside the answer; nothing of the score."""

    answer: str | None
    """None: the right answer is that the records do not document it."""
    points: tuple[str, ...]
    """What the answer must say, where the item has answer points."""


class Workitem(Frozen):
    """One assignment as its annotator may see it at this point."""

    assignment_id: str
    revision: int = Field(ge=0)
    """Number of the last saved revision, 0 if there is none; the page returns it with every change."""
    status: AssignmentStatus
    study_id: str
    study_name: str
    kind: StudyKind = "failures"
    taxonomy_id: str
    taxonomy_version: str
    guideline_version: str
    deadline: date | None = None
    """The study's deadline."""
    fields: tuple[CustomField, ...] = ()
    """Custom fields of the study."""
    criteria: tuple[Criterion, ...] = ()
    """The item's criteria."""
    proposed: dict[str, CriterionVerdict] = Field(default_factory=dict)
    """Ticks of the scorer, as far as its suggestions are visible now."""
    data_use: str | None
    """The terms of credentialed data; None if the records are open."""
    instance: InstanceView
    chart: ChartFacts
    """What a chart of the vital signs shows besides the records."""
    asked: Asked
    """What the model was asked; its name is masked here and in `thinking` as in `text`."""
    text: str
    """The generation's text; a model that names itself is masked, length unchanged, so that spans hold."""
    ended: Translatable | None
    """What kept the text from its end, in words; None if nothing is known to have."""
    thinking: str | None
    """What a reasoning model wrote before its answer; it is not judged as the answer."""
    judgement: Judgement | None
    """The last saved one, if any."""
    draft: dict[str, Any] | None
    """Unsaved form state last sent by the page, in its own format."""
    skip_reason: str | None
    flag: str | None
    training: bool
    feedback: Judgement | None
    """The reference, once a training item is submitted."""
    suggestions: tuple[Suggestion, ...]
    """The suggestions visible now, by rank."""
    progress: Progress
    reveal: RevealedGold | None
    """None until a judgement is locked."""
    pair: AnswerPair | None = None
    """In a pairwise study, the two answers to compare."""
    reference: ShownReference | None = None
    """Only where the study shows it from the start."""
    claims: ShownClaims | None = None
    """In a claims study, the sentences to check."""


def shown_answer(answer: Generation, run_meta: dict[str, Any], *metas: dict[str, Any]) -> ShownAnswer:
    """A generation as an annotator sees it: the names of its model, and of those of `metas`, are masked."""
    hide = partial(mask_models, run_metas=(run_meta, *metas))
    thinking = None if answer.thinking is None else hide(answer.thinking)
    return ShownAnswer(text=hide(answer.text), ended=ending_of(answer), thinking=thinking)


def shown_prompt(
    instance: Instance,
    *,
    run_metas: Sequence[Mapping[str, Any]],
    benchmark_meta: Mapping[str, Any],
    masked: bool = True,
) -> Asked:
    """What the models of these runs were asked, if that is the same; `masked`: without their names."""
    asked = asked_of_all(instance, run_metas=run_metas, benchmark_meta=benchmark_meta)
    return asked.changed(partial(mask_models, run_metas=run_metas)) if masked else asked


def shown_reference(instance: Instance) -> ShownReference:
    """The gold answer of an item, as far as an annotator may see it beside the answer."""
    answer = None if instance.answer is None else f"{instance.answer} {instance.unit or ''}".rstrip()
    return ShownReference(answer=answer, points=tuple(one.text for one in instance.points))


def view_instance(instance: Instance) -> InstanceView:
    """The instance without everything that annotators must not see."""
    asked = instance.answer_type
    return InstanceView(
        question=instance.question,
        context=instance.context,
        records=instance.records,
        givens=instance.givens,
        options=instance.options,
        representation=instance.representation,
        operation=instance.operation,
        tags=instance.tags,
        answer_type=ASKED_TYPE[instance.operation] if asked == "unanswerable" else asked,
        unit=instance.unit,
        decimals=instance.decimals,
    )


def show_item(instance: Instance) -> ShownItem:
    """The instance as shown to a component beside the item."""
    blind = view_instance(instance)
    return ShownItem(**dict(blind), instance_id=instance.instance_id, subject_id=instance.subject_id)


def reveal_gold(
    instance: Instance, generation: Generation, score: Score, *, form_asked: bool
) -> RevealedGold:
    """What is revealed to the annotator once a judgement is locked.

    `form_asked`: whether the prompts of all runs of the study are known to have asked for a form of answer.
    """
    return RevealedGold(
        answer=instance.answer,
        answer_exact=instance.answer_exact,
        worked=instance.worked,
        evidence=instance.evidence,
        score_status=score.status,
        parsed=score.parsed,
        reason=score.reason,
        difference=answer_difference(instance, generation, score),
        contradictions=contradictions(generation, score, form_asked=form_asked),
        points=point_checks(instance, generation.text),
        form_missed=right_value_in_another_form(score, form_asked=form_asked),
    )
