"""Feedback to an annotator after a study is closed: differing decisions, and their own statistics.

Before that every function here refuses, for any account, as the others' judgements must stay in the database.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import ConfigDict, TypeAdapter
from sqlalchemy import Text, cast, select
from sqlmodel import Session, col

from clinicnum.annotations.consensus import settle
from clinicnum.annotations.disputes import disputes_of
from clinicnum.annotations.feedback_to_annotator import Difference, Outcome, differences, outcome_of
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.reliability.leave_one_out import AgainstOthers, against_others
from clinicnum.annotations.types import Annotation
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    AssignmentRow,
    CitationRow,
    GenerationRow,
    InstanceRow,
    StudyAnnotatorRow,
    StudyRow,
)
from clinicnum.db.work.my_work.names_of_disputes import names_of_disputes
from clinicnum.db.work.my_work.work_history import PAGE, own_study
from clinicnum.db.work.studies.labels_for_agreement import load_labels
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import Conflict
from clinicnum.io.jsonl import content_id
from clinicnum.types import Frozen

_ANNOTATIONS = TypeAdapter(list[Annotation])


@dataclass(frozen=True)
class ExplainedItem:
    """One item on which the decision differs from the annotator's judgement."""

    assignment_id: str
    position: int
    question: str
    own: Judgement
    decided: Outcome
    differ: tuple[Difference, ...]
    names: Mapping[str, str]
    """What the axes, sentences and criteria among them are called, by their keys."""
    comment: str | None
    """The adjudicator's comment."""
    others: tuple[Judgement, ...]
    """The other annotators' positions, without repetition, names, counts or free text."""


@dataclass(frozen=True)
class ExplainedPage:
    """One page of these items, the newest first."""

    judged: int
    """Number of items the annotator judged in the main round."""
    differing: int
    items: tuple[ExplainedItem, ...]
    older: int | None
    """The argument `before` for the next page; None at the end."""


@dataclass(frozen=True)
class OwnSummary:
    """An annotator's own figures in a closed study."""

    response: AgainstOthers | None
    """Compared with the consensus of the others; None if no judgement counts."""
    primary: AgainstOthers | None
    controls: AgainstReference | None
    """None if there was no control item."""


class _Decision(Frozen):
    """The fields of an adjudication's payload that are read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    judgement: Judgement
    comment: str | None = None


class _Question(Frozen):
    model_config = ConfigDict(frozen=True, extra="ignore")
    question: str


def closed_study(session: Session, *, user_id: str, study_id: str) -> StudyRow:
    """The annotator's closed study. Raises NotAllowed unless the user annotates it, Conflict if it is not
    closed.
    """
    study = own_study(session, user_id=user_id, study_id=study_id)
    if study.status != "closed":
        raise Conflict("This study is not closed yet; what the others say is open to you once it is.")
    return study


def explain(session: Session, *, user_id: str, study_id: str, before: int | None = None) -> ExplainedPage:
    """One page, at most `PAGE`, of the annotator's items on which the decision differs from their judgement.

    `before` is the position after which the page begins, counted down; None for the first. Raises as
    `closed_study` does.
    """
    study = closed_study(session, user_id=user_id, study_id=study_id)
    pseudonym = session.get_one(StudyAnnotatorRow, (study_id, user_id)).pseudonym
    groups = _finals(session, study_id)
    decisions = _decisions(session, study_id, groups)
    positions = _own_positions(session, user_id, study_id)
    settled = {one.generation_id: one for one in settle(groups)}
    design = design_of(study)
    judged, found = 0, []
    for generation, group in groups.items():
        own = next((one for one in group if one.annotator_id == pseudonym), None)
        if own is None:
            continue
        judged += 1
        decision = decisions.get(generation)
        disputes = disputes_of(group, design)
        decided = outcome_of(settled[generation], decision.judgement if decision else None, disputes)
        differ = differences(own, decided, disputes)
        if differ:
            found.append((*positions[generation], generation, own, decided, differ, decision, group))
    found.sort(key=lambda one: -one[0])
    shown = [one for one in found if before is None or one[0] < before]
    asked = _questions(session, [one[2] for one in shown[:PAGE]])
    return ExplainedPage(
        judged=judged,
        differing=len(found),
        items=tuple(
            ExplainedItem(
                assignment_id=assignment_id,
                position=position,
                question=asked[generation],
                own=_judgement(own),
                decided=decided,
                differ=differ,
                names=names_of_disputes(session, study, generation, differ),
                comment=None if decision is None else decision.comment,
                others=_positions(one for one in group if one is not own),
            )
            for position, assignment_id, generation, own, decided, differ, decision, group in shown[:PAGE]
        ),
        older=shown[PAGE - 1][0] if len(shown) > PAGE else None,
    )


def own_summary(session: Session, *, user_id: str, study_id: str) -> OwnSummary | None:
    """The annotator's own figures, computed as in the report; None in a study of ratings or claims, which
    asks for no label of an answer as a whole. Raises as `closed_study` does.
    """
    study = closed_study(session, user_id=user_id, study_id=study_id)
    design = design_of(study)
    if design.kind in ("ratings", "claims"):
        return None
    pseudonym = session.get_one(StudyAnnotatorRow, (study_id, user_id)).pseudonym
    view = load_labels(session, study.name)
    response, primary = (
        next(
            (one for one in against_others(view.ballots[name], view.subjects) if one.annotator == pseudonym),
            None,
        )
        for name in ("response", "primary")
    )
    controls = next((one for one in view.controls if one.annotator == pseudonym), None)
    of_failures = design.rules.judges_failures
    return OwnSummary(response=response, primary=primary if of_failures else None, controls=controls)


def _finals(session: Session, study_id: str) -> dict[str, list[Annotation]]:
    """The last submitted judgements of the main round, by generation row."""
    statement = (
        select(col(AssignmentRow.generation), cast(col(AnnotationRow.payload), Text))
        .join(
            AnnotationRow,
            (col(AnnotationRow.assignment_id) == col(AssignmentRow.id))
            & (col(AnnotationRow.revision) == col(AssignmentRow.revision)),
        )
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) == "main",
        )
        .order_by(col(AssignmentRow.generation), col(AssignmentRow.id))
    )
    rows = session.execute(statement).all()
    saved = _ANNOTATIONS.validate_json(f"[{','.join(payload for _, payload in rows)}]")
    groups: dict[str, list[Annotation]] = defaultdict(list)
    for (generation, _), one in zip(rows, saved, strict=True):
        groups[generation].append(one)
    return groups


def _decisions(session: Session, study_id: str, groups: dict[str, list[Annotation]]) -> dict[str, _Decision]:
    """The latest decision on each generation, if it cites the current last judgements."""
    cites: dict[str, set[str]] = defaultdict(set)
    cited = (
        select(col(CitationRow.adjudication_id), col(CitationRow.annotation_id))
        .join(AdjudicationRow, col(AdjudicationRow.id) == col(CitationRow.adjudication_id))
        .where(col(AdjudicationRow.study_id) == study_id)
    )
    for adjudication, annotation in session.execute(cited):
        cites[adjudication].add(annotation)
    statement = (
        select(AdjudicationRow)
        .where(col(AdjudicationRow.study_id) == study_id)
        .order_by(col(AdjudicationRow.created_at), col(AdjudicationRow.id))
    )
    last = {row.generation: row for row in session.scalars(statement)}
    found: dict[str, _Decision] = {}
    for generation, row in last.items():
        if cites[row.id] != {one.annotation_id for one in groups.get(generation, [])}:
            continue
        found[generation] = read_stored(_Decision, row.payload)
    return found


def _own_positions(session: Session, user_id: str, study_id: str) -> dict[str, tuple[int, str]]:
    statement = select(
        col(AssignmentRow.generation), col(AssignmentRow.position), col(AssignmentRow.id)
    ).where(
        col(AssignmentRow.user_id) == user_id,
        col(AssignmentRow.study_id) == study_id,
        col(AssignmentRow.round) == "main",
    )
    return {generation: (position, key) for generation, position, key in session.execute(statement)}


def _questions(session: Session, generations: list[str]) -> dict[str, str]:
    statement = (
        select(col(GenerationRow.id), cast(col(InstanceRow.payload), Text))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(GenerationRow.id).in_(generations))
    )
    return {key: _Question.model_validate_json(text).question for key, text in session.execute(statement)}


def _judgement(annotation: Annotation) -> Judgement:
    return Judgement.model_validate(annotation.model_dump(include=set(Judgement.model_fields)))


def _positions(given: Iterable[Annotation]) -> tuple[Judgement, ...]:
    """The distinct positions, ordered by content, not by annotator."""
    plain = {}
    for one in map(_judgement, given):
        codes = sorted((label.code, label.primary) for label in one.labels)
        labels = tuple(Label(code=code, primary=primary) for code, primary in codes)
        said = one.public().model_copy(update={"labels": labels})
        plain[content_id(["position", said.model_dump(mode="json")])] = said
    return tuple(plain[key] for key in sorted(plain))
