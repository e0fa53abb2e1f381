"""The progress of studies for the researcher: counts, never a label of an open study."""

from collections import defaultdict
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, case, func, select
from sqlmodel import Session, col

from clinicnum.annotations.criteria.criterion import Criteria
from clinicnum.annotations.study_deadline import RECENT_DAYS
from clinicnum.annotations.study_kind import kind_of_design
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.annotations.study_summary import (
    AnnotatorProgress,
    GuidelineVersion,
    StudyDetails,
    StudyProgress,
)
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    ContestRow,
    GuidelineRow,
    RunRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    UserRow,
    utc_now,
)
from clinicnum.db.work.common.model_masking_period import decided
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.db.work.studies.study_lifecycle import design_of, find_study


def list_progress(session: Session) -> tuple[StudyProgress, ...]:
    """The progress of all studies, the newest first."""
    counts = _counts(session)
    rows = session.scalars(select(StudyRow).order_by(col(StudyRow.created_at).desc(), col(StudyRow.name)))
    return tuple(_progress(row, counts[row.id]) for row in rows)


def study_details(session: Session, name: str) -> StudyDetails:
    """A study's progress, design, runs, annotators, guidelines and criteria. Raises InputError for an unknown
    one.
    """
    study = find_study(session, name)
    runs = (
        select(col(RunRow.run_id))
        .join(StudyRunRow, col(StudyRunRow.run) == col(RunRow.id))
        .where(col(StudyRunRow.study_id) == study.id)
        .order_by(col(RunRow.run_id))
    )
    progress = _progress(study, _counts(session, study.id)[study.id])
    return StudyDetails(
        progress=progress,
        design=design_of(study),
        seed=None if progress.models_masked else parse_seed(study.seed),
        runs=tuple(session.scalars(runs)),
        annotators=_annotators(session, study),
        guidelines=guideline_versions(session, study),
        criteria=Criteria(criteria_of_study(session, study.id)).newest,
    )


def guideline_versions(session: Session, study: StudyRow) -> tuple[GuidelineVersion, ...]:
    """Every version of a study's guideline, the current one first."""
    statement = (
        select(GuidelineRow)
        .where(col(GuidelineRow.study_id) == study.id)
        .order_by(col(GuidelineRow.version).desc())
    )
    return tuple(
        GuidelineVersion(version=row.version, text=row.text, created_at=row.created_at)
        for row in session.scalars(statement)
    )


def _progress(row: StudyRow, counts: dict[str, int]) -> StudyProgress:
    given = {name: counts.get(name, 0) for name in StudyProgress.model_fields if name not in (*_OWN, "kind")}
    own = {name: getattr(row, name) for name in _OWN}
    return StudyProgress.model_validate({**given, **own, "kind": kind_of_design(row.design)})


_OWN = ("name", "status", "created_at", "closed_at", "deadline")
"""Fields of `StudyProgress` that are columns of the study; its field `kind` follows from the design."""


def _counts(session: Session, study_id: str | None = None) -> dict[str, dict[str, int]]:
    """Counts by study id and name, read with one statement per table."""
    item, work = col(StudyItemRow.study_id), col(AssignmentRow.study_id)
    main = col(StudyItemRow.round) == "main"
    submitted = col(AssignmentRow.status) == "submitted"
    repeat = col(AssignmentRow.round) == "repeat"
    statements: tuple[Select[*tuple[Any, ...]], ...] = (
        select(
            item,
            _sum_of(main).label("items"),
            _sum_of(main & col(StudyItemRow.due).is_not(None)).label("filled"),
            func.sum(col(StudyItemRow.places)).label("places"),
            _sum_of(main & col(StudyItemRow.hardness).is_not(None) & ~decided()).label("due"),
        ).group_by(item),
        select(
            work,
            _sum_of(submitted & ~repeat).label("judged"),
            _sum_of(submitted & repeat).label("repeats"),
            _sum_of(col(AssignmentRow.status) == "open").label("in_work"),
            _sum_of(col(AssignmentRow.status) == "skipped").label("skipped"),
            _sum_of(col(AssignmentRow.flag).is_not(None)).label("flagged"),
        ).group_by(work),
        _recent(),
        select(col(ContestRow.study_id), func.count().label("contests"))
        .where(col(ContestRow.status) == "open")
        .group_by(col(ContestRow.study_id)),
    )
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for statement in statements:
        by = statement.selected_columns[0]
        wanted = statement if study_id is None else statement.where(by == study_id)
        for row in session.execute(wanted).mappings():
            counts = dict(row)
            found[counts.pop("study_id")].update(counts)
    return found


def _recent() -> Select[*tuple[Any, ...]]:
    """First submissions of the last days by study, for open studies with a deadline."""
    first = (
        select(col(AnnotationRow.study_id), func.min(col(AnnotationRow.created_at)).label("at"))
        .join(AssignmentRow, col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
        .join(StudyRow, col(StudyRow.id) == col(AnnotationRow.study_id))
        .where(
            col(AnnotationRow.submitted),
            col(AssignmentRow.round) != "repeat",
            col(StudyRow.deadline).is_not(None),
            col(StudyRow.status) == "open",
        )
        .group_by(col(AnnotationRow.study_id), col(AnnotationRow.assignment_id))
        .subquery()
    )
    since = utc_now() - timedelta(days=RECENT_DAYS)
    counted = select(first.c.study_id, func.count().label("recent")).where(first.c.at >= since)
    return counted.group_by(first.c.study_id)


def _sum_of(condition: Any) -> Any:
    """SQL expression: the number of rows that meet the condition."""
    return func.sum(case((condition, 1), else_=0))


def _annotators(session: Session, study: StudyRow) -> tuple[AnnotatorProgress, ...]:
    own = (col(AssignmentRow.study_id) == study.id) & (
        col(AssignmentRow.user_id) == col(StudyAnnotatorRow.user_id)
    )
    statement = (
        select(
            col(UserRow.name),
            col(StudyAnnotatorRow.pseudonym),
            col(UserRow.annotator_kind).label("kind"),
            col(StudyAnnotatorRow.total).label("share"),
            col(StudyAnnotatorRow.done),
            col(StudyAnnotatorRow.skipped),
            _sum_of(col(AssignmentRow.flag).is_not(None)).label("flagged"),
            _sum_of(col(AssignmentRow.status) == "open").label("in_work"),
        )
        .join(UserRow, col(UserRow.id) == col(StudyAnnotatorRow.user_id))
        .outerjoin(AssignmentRow, own)
        .where(col(StudyAnnotatorRow.study_id) == study.id)
        .group_by(col(UserRow.id), col(StudyAnnotatorRow.study_id), col(StudyAnnotatorRow.user_id))
        .order_by(col(UserRow.name))
    )
    return tuple(AnnotatorProgress.model_validate(dict(row)) for row in session.execute(statement).mappings())
