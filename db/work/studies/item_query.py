"""SQL for a lead's list of study items: filters, order, and search in question and text."""

from typing import Any, Literal

from pydantic import Field
from sqlalchemy import ColumnElement, Select, Text, and_, exists, func, or_, select, type_coerce
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from clinicnum.annotations.masked_model_names import own_names
from clinicnum.annotations.role_rights import require
from clinicnum.db.engine import is_sqlite
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    UserRow,
)
from clinicnum.db.work.changes.change_visibility import visibility_of
from clinicnum.db.work.common.json_fields import mentions, without_nul
from clinicnum.db.work.common.model_masking_period import decided, is_masked
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.errors import InputError, NotAllowed
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

State = Literal["not_begun", "in_work", "partly", "judged", "skipped", "flagged", "due", "decided"]
Order = Literal["position", "template", "judged", "disputed"]
OF_ONE_ANNOTATOR = {"in_work": "open", "skipped": "skipped"}
"""State of an item that rests on one annotator's assignment -> the status of that assignment."""


class ItemQuery(Frozen):
    """Filters and order of the items of a study; an empty filter lets all through."""

    study: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    state: State | Literal[""] = ""
    template: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    annotator: str = Field(default="", max_length=20, pattern=r"^[A-Za-z0-9]*$")
    """A pseudonym."""
    differ: Literal["", "yes", "no"] = ""
    search: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    order: Order = "position"


def open_to_lead(session: Session, *, user_id: str, name: str) -> StudyRow:
    """The study, if the account may see its items: a lead who does not annotate it.

    Labels are visible to a lead as on the changes page. Raises NotAllowed for any other account, InputError
    for an unknown study.
    """
    user = session.get(UserRow, user_id)
    if user is None:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "manage_studies")  # type: ignore[arg-type]
    study = find_study(session, name)
    visibility_of(session, user_id, study.id)
    return study


def user_called(session: Session, study: StudyRow, pseudonym: str) -> str:
    """User id of an annotator by pseudonym. Raises InputError for an unknown pseudonym."""
    statement = select(col(StudyAnnotatorRow.user_id)).where(
        col(StudyAnnotatorRow.study_id) == study.id, col(StudyAnnotatorRow.pseudonym) == pseudonym
    )
    found = session.scalar(statement)
    if found is None:
        raise InputError(
            Translatable("This study has no annotator {name}; choose one of those named.", name=pseudonym)
        )
    return found


def matching(session: Session, study: StudyRow, query: ItemQuery, *columns: Any) -> Select[*tuple[Any, ...]]:
    """Select columns of item, generation and instance, for the items that the query finds.

    Raises InputError if the query names an annotator whom the study does not have.
    """
    return (
        select(*columns)
        .select_from(StudyItemRow)
        .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(StudyItemRow.study_id) == study.id, *_conditions(session, study, query))
    )


def order_of(query: ItemQuery) -> tuple[Any, ...]:
    """ORDER BY columns of the query; ties by position in the study."""
    first: dict[str, tuple[Any, ...]] = {
        "position": (),
        "template": (col(InstanceRow.template_id),),
        "judged": (submitted().desc(),),
        "disputed": (func.coalesce(col(StudyItemRow.hardness), -1).desc(),),
    }
    return (*first[query.order], col(StudyItemRow.position), col(StudyItemRow.generation))


def submitted() -> Any:
    """SQL: how many annotators have submitted the item."""
    work = aliased(AssignmentRow)
    return (
        select(func.count())
        .select_from(work)
        .where(*_of_item(work), col(work.status) == "submitted")
        .correlate(StudyItemRow)
        .scalar_subquery()
    )


def _of_item(work: Any) -> tuple[ColumnElement[bool], ...]:
    return (
        col(work.study_id) == col(StudyItemRow.study_id),
        col(work.generation) == col(StudyItemRow.generation),
        col(work.round) != "repeat",
    )


def _some(*conditions: Any, work: Any) -> ColumnElement[bool]:
    return exists().where(*_of_item(work), *conditions).correlate(StudyItemRow)


def _conditions(session: Session, study: StudyRow, query: ItemQuery) -> list[ColumnElement[bool]]:
    work = aliased(AssignmentRow)
    whose = user_called(session, study, query.annotator) if query.annotator else None
    own = () if whose is None else (col(work.user_id) == whose,)
    found: list[ColumnElement[bool]] = []
    if query.state:
        found.append(_in_state(query.state, own, work))
    if own and query.state not in (*OF_ONE_ANNOTATOR, "flagged"):
        found.append(_some(*own, work=work))
    if query.template:
        found.append(col(InstanceRow.template_id) == query.template)
    if query.differ:
        found.append(_differing(session, study.id, differ=query.differ == "yes"))
    if query.search.strip():
        found.append(_mentioning(session, study, query.search.strip()))
    return found


def _in_state(state: str, own: tuple[Any, ...], work: Any) -> ColumnElement[bool]:
    if state in OF_ONE_ANNOTATOR:
        return _some(col(work.status) == OF_ONE_ANNOTATOR[state], *own, work=work)
    if state == "flagged":
        return _some(col(work.flag).is_not(None), *own, work=work)
    if state == "not_begun":
        return ~_some(col(work.status) != "released", work=work)
    if state in ("partly", "judged"):
        full = submitted() >= col(StudyItemRow.places)
        return full if state == "judged" else and_(submitted() > 0, ~full)
    is_decided = decided().correlate(StudyItemRow)
    cites = col(StudyItemRow.hardness).is_not(None)
    return and_(cites, ~is_decided) if state == "due" else is_decided


def _differing(session: Session, study_id: str, *, differ: bool) -> ColumnElement[bool]:
    """SQL condition on an item: its final judgements differ on the response or on the primary class; without
    `differ`, at least two of them agree on both.
    """
    response = func.count(func.distinct(col(AnnotationRow.response_judgement)))
    primary = func.count(func.distinct(func.coalesce(_primary_code(session), "")))
    alike = and_(response == 1, primary == 1, func.count() > 1)
    found = (
        select(col(AssignmentRow.generation))
        .join(
            AnnotationRow,
            (col(AnnotationRow.assignment_id) == col(AssignmentRow.id))
            & (col(AnnotationRow.revision) == col(AssignmentRow.revision)),
        )
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) != "repeat",
        )
        .group_by(col(AssignmentRow.generation))
        .having(or_(response > 1, primary > 1) if differ else alike)
    )
    return col(StudyItemRow.generation).in_(found)


def _primary_code(session: Session) -> Any:
    """SQL: the code of the annotation's primary label."""
    payload: Any = col(AnnotationRow.payload)
    if is_sqlite(session.connection()):
        label: Any = func.json_each(payload, "$.labels").table_valued("value").alias("label")
        code: Any = func.json_extract(label.c.value, "$.code")
        is_primary: Any = func.json_extract(label.c.value, "$.primary") == 1
    else:
        labels = without_nul(payload).op("->")("labels")
        label = func.json_array_elements(labels).table_valued("value").alias("label")
        value = type_coerce(label.c.value, Text)
        code, is_primary = value.op("->>")("code"), value.op("->>")("primary") == "true"
    return select(code).select_from(label).where(is_primary).correlate(AnnotationRow).scalar_subquery()


def _mentioning(session: Session, study: StudyRow, words: str) -> ColumnElement[bool]:
    """SQL condition on an item: these words occur in question or text, in upper or lower case.

    While models are masked, no text is searched in which its model's name is masked: what is found must not
    depend on what is hidden.
    """
    text = col(GenerationRow.payload)
    in_text = mentions(session, text, "text", words)
    if is_masked(session, study):
        runs = select(col(StudyRunRow.run), col(StudyRunRow.meta)).where(
            col(StudyRunRow.study_id) == study.id
        )
        hiding = [
            (col(GenerationRow.run) == run) & mentions(session, text, "text", name)
            for run, meta in session.execute(runs)
            for name in own_names(meta.get("model"))
        ]
        in_text = and_(in_text, ~or_(*hiding)) if hiding else in_text
    return or_(in_text, mentions(session, col(InstanceRow.payload), "question", words))
