"""Load an item as an adjudicator may see it: the judgements, but neither their authors nor how many hold
each.
"""

from datetime import datetime

from sqlalchemy import null, select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import Position, seen_state_hash, stands
from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.disputes import Dispute, JudgedItem
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.preference_question import Side
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.reconstructed_prompt import Asked
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.types import StudyStatus
from clinicnum.annotations.work_item import shown_prompt
from clinicnum.credentialed_data import data_use
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    AssignmentRow,
    BenchmarkRow,
    CitationRow,
    ContestRow,
    GenerationRow,
    InstanceRow,
    ScoreRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
)
from clinicnum.db.work.adjudication.adjudication_queue import (
    find_adjudicator,
    find_item,
    has_annotated,
    has_judged_instance,
)
from clinicnum.db.work.adjudication.item_message_threads import ItemThread, threads_on
from clinicnum.db.work.adjudication.shown_answers import (
    AdjudicatedAnswer,
    adjudicator_side,
    disputed_criteria,
    shown_answers,
    study_run_metas,
)
from clinicnum.db.work.common.adjudication_need import final_annotations
from clinicnum.db.work.common.barred_studies import refuse_barred
from clinicnum.db.work.common.load_work_item import judgement_of
from clinicnum.db.work.common.model_masking_period import is_masked
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import NotAllowed
from clinicnum.io.jsonl import content_id
from clinicnum.types import Frozen, Instance, Score


class EarlierDecision(Frozen):
    """An earlier decision on the item."""

    judgement: Judgement
    comment: str | None
    stands: bool
    """Whether no judgement that it settles was revised or added since."""
    at: datetime


class Claim(Frozen):
    """A claim that one or more open contests make about the instance."""

    key: str
    """Identifies the claim in requests to the server; reveals no annotator's name."""
    kind: str
    proposed_gold: str | None
    rationales: tuple[str, ...]
    """The annotators' rationales, without repetition."""


class FlaggedItem(Frozen):
    """An item that somebody flagged, with the note."""

    key: str
    note: str


class AdjudicationItem(Frozen):
    """One item presented to an adjudicator."""

    study_id: str
    study: str
    status: StudyStatus
    item: str
    """The item's id on pages."""
    generation: str
    """Row id of the generation, which is never sent to a page."""
    seen: str
    """State hash, sent back with a decision, which is refused if judgements or decisions changed since."""
    data_use: str | None
    """The terms of credentialed data; None if the records are open."""
    instance: Instance
    asked: Asked
    answers: tuple[AdjudicatedAnswer, ...]
    """The answer; of a pair both, the left one first. Until the study is closed and its last decision made,
    model names are masked in them and in `asked`.
    """
    left: Side | None
    """Of a pair, which answer is on the left for this adjudicator."""
    design: Design
    """That of the study."""
    score: Score
    due: tuple[str, ...]
    disputes: tuple[Dispute, ...]
    """What the judgements differ on beyond labels, to be decided one by one."""
    criteria: tuple[Criterion, ...]
    """The criteria among them, as they were ticked."""
    decided: EarlierDecision | None
    positions: tuple[Position, ...]
    """In an order specific to this adjudicator and item."""
    claims: tuple[Claim, ...]
    may_decide_claims: bool
    """False if the adjudicator has judged an answer to this instance."""
    flags: tuple[FlaggedItem, ...]
    threads: tuple[ItemThread, ...]

    @property
    def text(self) -> str:
        """The text of the answer, of a pair that of the left one."""
        return self.answers[0].shown.text


def load_adjudication_item(session: Session, *, user_id: str, study_id: str, item: str) -> AdjudicationItem:
    """Load the item. Raises NotAllowed if the account may not adjudicate or has annotated it, if its study is
    barred to the account, or if there is no such item.
    """
    find_adjudicator(session, user_id)
    found = find_item(session, study_id=study_id, item=item)
    generation = found.generation
    refuse_barred(session, user_id=user_id, study_id=study_id)
    if has_annotated(session, user_id=user_id, study_id=study_id, generation=generation):
        raise NotAllowed("You have annotated this item yourself; another adjudicator must decide it.")
    statement = (
        select(
            StudyRow,
            GenerationRow,
            col(InstanceRow.payload),
            col(ScoreRow.payload),
            col(StudyRunRow.meta),
            col(BenchmarkRow.meta),
        )
        .select_from(StudyScoreRow)
        .join(StudyRow, col(StudyRow.id) == col(StudyScoreRow.study_id))
        .join(BenchmarkRow, col(BenchmarkRow.id) == col(StudyRow.benchmark_id))
        .join(GenerationRow, col(GenerationRow.id) == col(StudyScoreRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
        .join(
            StudyRunRow,
            (col(StudyRunRow.study_id) == study_id) & (col(StudyRunRow.run) == col(GenerationRow.run)),
        )
        .where(col(StudyScoreRow.study_id) == study_id, col(StudyScoreRow.generation) == generation)
    )
    study, answer, question, score, meta, benchmark_meta = session.execute(statement).one()
    instance, masked = Instance.model_validate(question), is_masked(session, study)
    runs = study_run_metas(session, study) if masked else [meta]
    asked = shown_prompt(instance, run_metas=runs, benchmark_meta=benchmark_meta, masked=masked)
    finals = final_annotations(session, study_id, generation)
    judged = JudgedItem(tuple(judgement_of(row) for row in finals), design_of(study))
    return AdjudicationItem(
        study_id=study_id,
        study=study.name,
        status=study.status,
        item=item,
        generation=generation,
        seen=state_hash(session, study_id, generation, finals),
        data_use=data_use(benchmark_meta, [instance]),
        instance=instance,
        asked=asked,
        answers=shown_answers(session, study, found, user_id=user_id, masked=masked),
        left=found.second and adjudicator_side(study, generation=generation, user_id=user_id),
        design=judged.design,
        score=Score.model_validate(score),
        due=tuple(found.due or ()),
        disputes=judged.disputes,
        criteria=disputed_criteria(session, study_id, instance.instance_id, judged.disputes),
        decided=_decided(session, study_id, generation, finals),
        positions=judged.positions(adjudicator=user_id, item=generation),
        claims=_claims(session, study_id, answer.instance, user_id),
        may_decide_claims=not has_judged_instance(
            session, user_id=user_id, study_id=study_id, instance=answer.instance
        ),
        flags=_flags(session, study_id, generation),
        threads=threads_on(session, study_id, generation, named=not masked),
    )


def decisions_on(session: Session, study_id: str, generation: str) -> list[AdjudicationRow]:
    """All decisions on an item, in the order they were made."""
    statement = (
        select(AdjudicationRow)
        .where(col(AdjudicationRow.study_id) == study_id, col(AdjudicationRow.generation) == generation)
        .order_by(col(AdjudicationRow.created_at), col(AdjudicationRow.id))
    )
    return list(session.scalars(statement))


def state_hash(session: Session, study_id: str, generation: str, finals: list[AnnotationRow]) -> str:
    """A hash of the item's current state; a decision based on another state is refused."""
    decisions = decisions_on(session, study_id, generation)
    return seen_state_hash([row.id for row in finals], [row.id for row in decisions])


def cited_annotations(session: Session, adjudication_id: str) -> list[str]:
    """Ids of the annotations that a decision refers to."""
    statement = select(col(CitationRow.annotation_id)).where(
        col(CitationRow.adjudication_id) == adjudication_id
    )
    return sorted(session.scalars(statement))


def _decided(
    session: Session, study_id: str, generation: str, finals: list[AnnotationRow]
) -> EarlierDecision | None:
    decisions = decisions_on(session, study_id, generation)
    if not decisions:
        return None
    last = decisions[-1]
    return EarlierDecision(
        judgement=read_stored(Judgement, last.payload["judgement"]),
        comment=last.payload["comment"],
        stands=stands(cited_annotations(session, last.id), [row.id for row in finals]),
        at=last.created_at,
    )


def open_contests(
    session: Session, study_id: str, instance: str, *, locked: bool = False
) -> list[ContestRow]:
    """Open contests of an instance (row id), on any generation; with `locked`, locked until the commit."""
    statement = (
        select(ContestRow)
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .where(
            col(ContestRow.study_id) == study_id,
            col(ContestRow.status) == "open",
            col(GenerationRow.instance) == instance,
        )
        .order_by(col(ContestRow.annotation_id))
    )
    if locked:
        statement = statement.with_for_update(of=ContestRow)
    return list(session.scalars(statement.execution_options(populate_existing=True)))


def _claims(session: Session, study_id: str, instance: str, user_id: str) -> tuple[Claim, ...]:
    said: dict[str, list[ContestRow]] = {}
    for row in open_contests(session, study_id, instance):
        said.setdefault(canonical_claim(row.kind, row.proposed_gold), []).append(row)
    return tuple(
        Claim(
            key=key,
            kind=said[key][0].kind,
            proposed_gold=said[key][0].proposed_gold,
            rationales=_rationales(session, said[key]),
        )
        for key in sorted(said, key=lambda one: content_id(["claim", user_id, instance, one]))
    )


def _rationales(session: Session, rows: list[ContestRow]) -> tuple[str, ...]:
    texts = {
        (judgement_of(session.get_one(AnnotationRow, row.annotation_id)).rationale or "").strip()
        for row in rows
    }
    return tuple(sorted(text for text in texts if text))


def flag_key(assignment: AssignmentRow) -> str:
    """The key by which the page refers to a flag."""
    return content_id(["flag", assignment.id, assignment.flag])


def flagged_items(session: Session, study_id: str, generation: str) -> list[AssignmentRow]:
    """The flagged assignments of an item."""
    statement = (
        select(AssignmentRow)
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.generation) == generation,
            col(AssignmentRow.flag).is_not(null()),
        )
        .order_by(col(AssignmentRow.id))
    )
    return list(session.scalars(statement))


def _flags(session: Session, study_id: str, generation: str) -> tuple[FlaggedItem, ...]:
    rows = flagged_items(session, study_id, generation)
    return tuple(FlaggedItem(key=flag_key(row), note=row.flag or "") for row in rows)
