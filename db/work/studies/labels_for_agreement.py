"""Read a study's current labels for live agreement, its progress, and which studies an account may see.

Texts of answers, contexts and questions are not kept in memory, except questions that are asked for.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ConfigDict, TypeAdapter
from sqlalchemy import Cast, Select, Text, cast, func, select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.report.study_tables import CodeName, StudyTables
from clinicnum.annotations.report.study_view_without_texts import LabelsView
from clinicnum.annotations.role_rights import may
from clinicnum.annotations.types import Annotation, StudyStatus
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    ReferenceRow,
    StudyItemRow,
    StudyRow,
    UserRow,
)
from clinicnum.db.work.common.adjudication_decisions import load_adjudications
from clinicnum.db.work.common.barred_studies import barred_studies, refuse_barred
from clinicnum.db.work.studies.study_lifecycle import design_of, find_study, taxonomy_of_study
from clinicnum.types import Frozen

_ANNOTATIONS = TypeAdapter(list[Annotation])


class _Subject(Frozen):
    """The one field of an instance that is read here; the others are not parsed."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    subject_id: str


_SUBJECTS = TypeAdapter(list[_Subject])


class StudyState(Frozen):
    """A study's name, status, overlap and progress: items, items that all their annotators have judged, saved
    revisions.
    """

    study_id: str
    name: str
    status: StudyStatus
    overlap: int
    items: int
    """Number of items drawn for annotation."""
    filled: int
    """Number of items that all their annotators have judged."""
    saved: int
    """Number of saved revisions. Rows are only ever added, so the figures may change only when this does."""


def study_names(session: Session, *, user_id: str) -> tuple[tuple[str, StudyStatus], ...]:
    """(name, status) of all studies that are not barred to the account: first those not closed, then by
    name.
    """
    rows = select(col(StudyRow.id), col(StudyRow.name), col(StudyRow.status)).order_by(col(StudyRow.name))
    barred = barred_studies(session, user_id)
    found = [(name, status) for key, name, status in session.execute(rows) if key not in barred]
    return tuple(sorted(found, key=lambda one: one[1] == "closed"))


def check_seen(session: Session, study_name: str, *, user_id: str) -> None:
    """Raise NotAllowed for a study that is barred to the account, InputError for an unknown one."""
    refuse_barred(session, user_id=user_id, study_id=find_study(session, study_name).id)


def may_lead(session: Session, *, user_id: str) -> bool:
    """Whether the account manages studies."""
    user = session.get(UserRow, user_id)
    return user is not None and may(user.role, "manage_studies")  # type: ignore[arg-type]


def count_saved(session: Session, study_name: str) -> int:
    """The number `StudyState.saved` alone, which is fast to count. Raises InputError for an unknown study."""
    return _saved(session, find_study(session, study_name).id)


def study_state(session: Session, study_name: str) -> StudyState:
    """The progress of a study. Raises InputError for an unknown study."""
    study = find_study(session, study_name)
    full = (
        select(col(StudyItemRow.generation))
        .join(
            AssignmentRow,
            (col(AssignmentRow.study_id) == col(StudyItemRow.study_id))
            & (col(AssignmentRow.generation) == col(StudyItemRow.generation)),
        )
        .where(
            col(StudyItemRow.study_id) == study.id,
            col(StudyItemRow.round) == "main",
            col(AssignmentRow.round) == "main",
            col(AssignmentRow.status) == "submitted",
        )
        .group_by(col(StudyItemRow.generation), col(StudyItemRow.places))
        .having(func.count() >= col(StudyItemRow.places))
    )
    items = select(func.count()).where(
        col(StudyItemRow.study_id) == study.id, col(StudyItemRow.round) == "main"
    )
    return StudyState(
        study_id=study.id,
        name=study.name,
        status=study.status,
        overlap=study.overlap,
        items=session.scalars(items).one(),
        filled=session.scalars(select(func.count()).select_from(full.subquery())).one(),
        saved=_saved(session, study.id),
    )


def load_labels(session: Session, study_name: str, *, every_revision: bool = False) -> LabelsView:
    """The labels of a study under pseudonyms. Raises InputError for an unknown study.

    Without `every_revision`, only the first and the last revision of each judgement are loaded, if agreement
    needs no other. It needs all if a later revision was made with a suggestion visible, or after an
    adjudicator's answer was read.
    """
    study = find_study(session, study_name)
    taxonomy = taxonomy_of_study(session, study_id=study.id)
    statement = (
        select(
            col(GenerationRow.generation_id),
            col(InstanceRow.instance_id),
            col(InstanceRow.template_id),
            col(StudyItemRow.inclusion_probability),
            _text(InstanceRow.payload),
        )
        .join(StudyItemRow, col(StudyItemRow.generation) == col(GenerationRow.id))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(StudyItemRow.study_id) == study.id)
    )
    items = session.execute(statement).all()
    subjects = _SUBJECTS.validate_json(_list([payload for *_, payload in items]))
    tables = StudyTables.model_construct(  # validated already; again would double the time
        study_name=study.name,
        guideline_version=study.guideline_version,
        taxonomy_name=taxonomy.id,
        taxonomy_version=taxonomy.version,
        taxonomy_codes=tuple(CodeName(code=code, name=taxonomy.find(code).name) for code in taxonomy.codes()),
        overlap=study.overlap,
        design=design_of(study) if study.design else None,
        benchmark={},
        runs={},
        instances=(),
        generations=(),
        scores=(),
        inclusions=(),
        annotations=_annotations(session, study.id, every_revision=every_revision),
        adjudications=load_adjudications(session, study.id),
        references=load_references(session, study.id),
    )
    return LabelsView(
        tables=tables,
        subject_of={key: one.subject_id for (key, *_), one in zip(items, subjects, strict=True)},
        question_of={key: question for key, question, *_ in items},
        template_of={key: template for key, _, template, *_ in items},
        weight_of={key: 1.0 / chance for key, *_, chance, _ in items},
    )


class AskedItem(NamedTuple):
    """An item of a study by its keyed id, and its question."""

    item: str
    question: str


def asked_items(
    session: Session, study_name: str, generation_ids: Collection[str]
) -> Mapping[str, AskedItem]:
    """The item of each of these generations of a study. Raises InputError for an unknown study."""
    study = find_study(session, study_name)
    statement = (
        select(col(GenerationRow.generation_id), col(StudyItemRow.item_id), col(InstanceRow.payload))
        .join(StudyItemRow, col(StudyItemRow.generation) == col(GenerationRow.id))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(StudyItemRow.study_id) == study.id, col(GenerationRow.generation_id).in_(generation_ids))
    )
    return {key: AskedItem(item, payload["question"]) for key, item, payload in session.execute(statement)}


def _saved(session: Session, study_id: str) -> int:
    statement = select(func.count()).select_from(AnnotationRow).where(col(AnnotationRow.study_id) == study_id)
    return session.scalars(statement).one()


def _annotations(session: Session, study_id: str, *, every_revision: bool) -> tuple[Annotation, ...]:
    every = select(_text(AnnotationRow.payload)).where(col(AnnotationRow.study_id) == study_id)
    if not every_revision:
        last = every.join(
            AssignmentRow,
            (col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
            & (
                (col(AssignmentRow.revision) == col(AnnotationRow.revision))
                | (col(AnnotationRow.revision) == 1)
            ),
        )
        found = _read(session, last)
        if not any((one.suggestion_shown or one.answer_read) and one.revision > 1 for one in found):
            return found
    return _read(session, every)


def _read(session: Session, statement: Select[str]) -> tuple[Annotation, ...]:
    return tuple(_ANNOTATIONS.validate_json(_list(session.scalars(statement).all())))


def _text(payload: Any) -> Cast[str]:
    """The stored JSON as text: parsing it directly into types takes a third of the time."""
    return cast(payload, Text)


def _list(objects: Sequence[str]) -> str:
    return f"[{','.join(objects)}]"


def load_references(session: Session, study_id: str) -> dict[str, Judgement]:
    """The reference judgements of a study's training and control items, by generation id, sorted. Raises
    InputError for one that a newer version wrote.
    """
    statement = (
        select(col(GenerationRow.generation_id), col(ReferenceRow.payload))
        .join(GenerationRow, col(GenerationRow.id) == col(ReferenceRow.generation))
        .where(col(ReferenceRow.study_id) == study_id)
        .order_by(col(GenerationRow.generation_id))
    )
    return {key: read_stored(Judgement, payload) for key, payload in session.execute(statement)}
