"""Labelled failures and upheld contests, from which drafts are made.

Only labels of closed studies are shown, as in reports. A contest is shown once it is upheld, in any study,
with the question and the decision but without any answer. Models of open studies are not named.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import current_decisions
from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.annotations.curation.draft_sources import Source
from clinicnum.annotations.curation.labelled_failure import (
    Basis,
    DraftLink,
    Failure,
    UpheldContest,
    Vote,
    cause,
)
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.masked_model_names import mask_model
from clinicnum.db.rows import (
    AdjudicationRow,
    ContestRow,
    DraftRow,
    DraftSourceRow,
    GenerationRow,
    InstanceRow,
    InvalidationRow,
    RunRow,
    ScoreRow,
    StudyItemRow,
    StudyRow,
    StudyScoreRow,
)
from clinicnum.db.work.common.adjudication_decisions import load_adjudications
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.db.work.common.curator_model_names import Model, models_of_runs
from clinicnum.db.work.common.last_submitted_judgements import final_judgements
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation

NO_ANSWER = Translatable("the study has no answer {key!r}; choose the failure again")
NO_CONTEST = Translatable("that answer has no contest {key!r}; choose the contest again")
CHUNK = 500
Found = tuple[str, Basis, bool]
"""Taxonomy code, what the label rests on, and whether a simulated annotator judged it."""


def failures_mark(session: Session) -> str:
    """A mark that changes whenever the result of `labelled_failures` may: closed studies, decisions,
    contests, runs.
    """
    studies = session.execute(
        select(col(StudyRow.id), col(StudyRow.status), col(StudyRow.closed_at)).order_by(col(StudyRow.id))
    )
    decisions = session.scalar(select(func.count()).select_from(AdjudicationRow))
    runs = session.scalar(select(func.count()).select_from(RunRow))
    contests = session.scalar(
        select(func.count()).select_from(ContestRow).where(col(ContestRow.status) == "open")
    )
    return content_id([[key, status, str(at)] for key, status, at in studies] + [decisions, contests, runs])


def labelled_failures(session: Session) -> tuple[Failure, ...]:
    """The failures of all closed studies, by study and position."""
    models = models_of_runs(session)
    closed = session.execute(
        select(col(StudyRow.id), col(StudyRow.name))
        .where(col(StudyRow.status) == "closed")
        .order_by(col(StudyRow.name))
    ).all()
    return tuple(
        one
        for study_id, name in closed
        for one in _described(session, study_id, name, _causes(session, study_id), models)
    )


def _causes(session: Session, study_id: str) -> dict[str, Found]:
    """Cause of failure by generation row, for the generations that are failures."""
    statement = final_judgements(study_id)
    judged: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for generation, generation_id, payload in session.execute(statement):
        judged[generation, generation_id].append(payload)
    decided = current_decisions(load_adjudications(session, study_id))
    found: dict[str, Found] = {}
    for (generation, generation_id), payloads in judged.items():
        decision = decided.get(generation_id)
        settled = cause([_vote(one) for one in payloads], None if decision is None else _said(decision))
        if settled is not None:
            stand_in = any(one["annotator_kind"] == "simulated" for one in payloads)
            found[generation] = (*settled, stand_in)
    return found


def _vote(payload: dict[str, Any]) -> Vote:
    """The vote in a stored payload, not validated again, since a study may have tens of thousands."""
    primary = next((label["code"] for label in payload["labels"] if label["primary"]), None)
    return payload["response_judgement"], primary


def _said(judgement: Judgement) -> Vote:
    return judgement.response_judgement, next((one.code for one in judgement.labels if one.primary), None)


def _described(
    session: Session, study_id: str, study: str, causes: dict[str, Found], models: dict[str, Model]
) -> Iterable[Failure]:
    wanted = sorted(causes)
    found: list[Any] = []
    for start in range(0, len(wanted), CHUNK):
        statement: Any = (
            select(
                col(StudyScoreRow.position),
                col(StudyItemRow.item_id),
                GenerationRow.__table__,  # type: ignore[attr-defined]
                col(InstanceRow.template_id),
                col(InstanceRow.template_version),
                col(InstanceRow.payload).label("asked"),
                col(ScoreRow.payload).label("score"),
            )
            .join(GenerationRow, col(GenerationRow.id) == col(StudyScoreRow.generation))
            .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
            .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
            .join(
                StudyItemRow,
                (col(StudyItemRow.study_id) == col(StudyScoreRow.study_id))
                & (col(StudyItemRow.generation) == col(StudyScoreRow.generation)),
            )
            .where(
                col(StudyScoreRow.study_id) == study_id,
                col(StudyScoreRow.generation).in_(wanted[start : start + CHUNK]),
            )
        )
        found += session.execute(statement).all()
    for row in sorted(found, key=lambda one: (one.position, one.id)):
        code, basis, simulated = causes[row.id]
        model = models[row.run]
        yield Failure(
            study_id=study_id,
            study=study,
            generation=row.id,
            item=row.item_id,
            instance=row.instance,
            template_id=row.template_id,
            version=row.template_version,
            operation=row.asked["operation"],
            scoring=row.asked.get("scoring", "numeric"),
            code=code,
            basis=basis,
            simulated=simulated,
            model=model.name,
            question=row.asked["question"],
            gold=row.asked["answer"] or "not documented",
            parsed=row.score["parsed"] or "",
            text=mask_model(Generation.model_validate(row.payload).text, model.hidden),
        )


def upheld_contests(session: Session, *, user_id: str) -> tuple[UpheldContest, ...]:
    """Upheld contests, the last decided first; those with the same claim form one entry.

    Contests of studies that are barred to the account are left out.
    """
    barred = barred_studies(session, user_id)
    out = select(col(InvalidationRow.contest), func.count()).group_by(col(InvalidationRow.contest))
    taken = {contest: n for contest, n in session.execute(out)}
    statement = (
        select(ContestRow, col(StudyRow.name), InstanceRow, col(StudyItemRow.item_id))
        .join(StudyRow, col(StudyRow.id) == col(ContestRow.study_id))
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(ContestRow.study_id))
            & (col(StudyItemRow.generation) == col(ContestRow.generation)),
        )
        .where(col(ContestRow.status) == "upheld")
        .order_by(col(ContestRow.closed_at).desc(), col(ContestRow.annotation_id))
    )
    found: dict[tuple[str, str, str], UpheldContest] = {}
    for row, study, instance, item in session.execute(statement):
        if row.study_id in barred:
            continue
        one = UpheldContest(
            contest=row.annotation_id,
            study_id=row.study_id,
            study=study,
            generation=row.generation,
            item=item,
            template_id=instance.template_id,
            version=instance.template_version,
            operation=instance.payload["operation"],
            scoring=instance.payload.get("scoring", "numeric"),
            kind=row.kind,
            question=instance.payload["question"],
            gold=instance.payload["answer"] or "not documented",
            proposed=row.proposed_gold,
            comment=(row.decision or {}).get("comment") or "",
            taken_out=taken.get(row.annotation_id, 0),
        )
        key = (row.study_id, instance.id, canonical_claim(row.kind, row.proposed_gold))
        if key not in found or one.taken_out > found[key].taken_out:
            found[key] = one
    return tuple(found.values())


def drafts_made(session: Session) -> dict[tuple[str, str], tuple[DraftLink, ...]]:
    """By (study, generation row), the drafts made from it; discarded drafts are left out."""
    statement = (
        select(
            col(DraftSourceRow.study_id),
            col(DraftSourceRow.generation),
            col(DraftRow.id),
            col(DraftRow.status),
            col(DraftRow.kind),
            col(DraftRow.content),
        )
        .join(DraftRow, col(DraftRow.id) == col(DraftSourceRow.draft))
        .where(col(DraftRow.status) != "discarded")
        .order_by(col(DraftRow.created_at), col(DraftRow.id))
    )
    found: dict[tuple[str, str], list[DraftLink]] = defaultdict(list)
    for study_id, generation, draft, status, kind, content in session.execute(statement):
        named = content.get("id" if kind == "template" else "kind")
        link = DraftLink(
            draft_id=draft, template_id=named if isinstance(named, str) else "", status=status, kind=kind
        )
        found[study_id, generation].append(link)
    return {key: tuple(links) for key, links in found.items()}


def draft_source_row(session: Session, draft_id: str, source: Source) -> DraftSourceRow:
    """The row that links a draft with a source. Raises InputError if the study has no such answer or
    contest.
    """
    if session.get(StudyScoreRow, (source.study_id, source.generation)) is None:
        raise InputError(Translatable(NO_ANSWER, key=source.generation))
    if source.contest is not None:
        contest = session.get(ContestRow, source.contest)
        if contest is None or (contest.study_id, contest.generation) != (source.study_id, source.generation):
            raise InputError(Translatable(NO_CONTEST, key=source.contest))
    return DraftSourceRow(draft=draft_id, **source.model_dump())
