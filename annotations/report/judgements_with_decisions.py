"""A study's judgements with adjudicators' decisions in place of what annotators differed on beyond labels.

Each annotator's answer to a decided question counts as the decision, so that an answer or a pair keeps the
weight that it has as judged. Labels of failures are settled by the consensus protocols instead.
"""

from collections.abc import Mapping

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.disputes import Dispute, answers_of, disputes_of
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation

DECISIONS = "What decisions change"
"""The title of the section with the figures that rest on decisions."""


def where_they_differ(view: StudyView, clause: str) -> str:
    """The end of a sentence on what becomes of judgements that differ; `clause` says who differs, such as
    `they differ`.
    """
    if view.tables.design is None or not view.tables.design.adjudicated:
        return f"; where {clause}, nothing is settled between them"
    none = "" if view.once(standing_answers) else ", and none stands"
    return f" (where {clause}, an adjudicator decides; a decision counts under “{DECISIONS}” alone{none})"


def last_judgements(view: StudyView) -> Mapping[str, list[Annotation]]:
    """Drawn generation -> the last complete judgement of each of its annotators in the main round."""
    last: dict[str, dict[str, Annotation]] = {one.generation_id: {} for one in view.tables.inclusions}
    for one in view.tables.annotations:
        if one.round == "main" and one.missing() is None:
            given = last.setdefault(one.generation_id, {})
            if one.revision >= given.setdefault(one.annotator_id, one).revision:
                given[one.annotator_id] = one
    return {key: list(given.values()) for key, given in last.items()}


def disputed_generations(view: StudyView) -> Mapping[str, tuple[Dispute, ...]]:
    """Generation -> what its annotators differ on beyond labels, once all of them have judged it."""
    found = {
        key: disputes_of(given, view.tables.design)
        for key, given in last_judgements(view).items()
        if len(given) >= view.tables.overlap
    }
    return {key: disputes for key, disputes in found.items() if disputes}


def standing_answers(view: StudyView) -> Mapping[str, tuple[Adjudication, Mapping[str, str]]]:
    """Generation -> the decision that stands, and its answers to questions beyond labels; without decisions
    on labels alone.
    """
    disputed = view.once(disputed_generations)
    found = {
        one.generation_id: (one, answers_of(one.judgement, disputed.get(one.generation_id, ())))
        for one in view.tables.adjudications
        if one.stands
    }
    return {key: (one, answers) for key, (one, answers) in found.items() if answers}


def with_decisions(view: StudyView) -> StudyView | None:
    """The study with the answers of its standing decisions in place of the annotators'; None if no decision
    is on anything beyond labels.
    """
    decided = {key: one.judgement for key, (one, _) in view.once(standing_answers).items()}
    if not decided:
        return None
    annotations = tuple(
        _decided(one, decided[one.generation_id])
        if one.round == "main" and one.generation_id in decided
        else one
        for one in view.tables.annotations
    )
    return StudyView(view.tables.model_copy(update={"annotations": annotations}))


def _decided(given: Annotation, decision: Judgement) -> Annotation:
    """The annotation with the decision's answers in place of its own; a question that it left open stays
    open.
    """
    if decision.kind == "pairwise":
        return given.model_copy(
            update={"response_judgement": decision.response_judgement, "left": decision.left}
        )
    parts = ("custom", "claims", "criteria") if not decision.judges_failures else ("criteria",)
    return given.model_copy(
        update={
            part: {key: getattr(decision, part).get(key, own) for key, own in getattr(given, part).items()}
            for part in parts
        }
    )
