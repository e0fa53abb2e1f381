"""Compare the tables with the audit log: changes made without this program show up as differences.

The hash chain shows that the log itself was not changed. Here the log is replayed, and every label,
assignment, decision, contest, invalidation, message, criterion, qualification and template is compared with
the resulting state.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row as Found
from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import unknown_fields
from clinicnum.annotations.row_states_from_audit import AnnotationState, AssignmentState
from clinicnum.annotations.state_from_audit_log import StudyState, judgement_hash
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    AssignmentRow,
    AuditRow,
    CitationRow,
    ContestRow,
    GuidelineRow,
    InstanceRow,
    InvalidationRow,
    StudyRow,
    TemplateRow,
)
from clinicnum.db.work.audit.audit_log import INSTALLATION
from clinicnum.db.work.audit.compare_criteria_with_log import compare_criteria
from clinicnum.db.work.audit.compare_deadline_and_qualifications_with_log import (
    compare_deadline_and_qualifications,
)
from clinicnum.db.work.audit.compare_messages_with_log import compare_messages
from clinicnum.io.jsonl import sha256_json, text_id
from clinicnum.types import Frozen

IN_WORK = ("open", "released")
"""Statuses that an assignment may have while the log holds nothing else about it."""
AT_ONCE = 1000


class Difference(Frozen):
    """One difference between a table and the log."""

    chain: str
    table: str
    key: str
    says: str

    def __str__(self) -> str:
        return f"{self.chain}: {self.table} {self.key}: {self.says}"


def compare_with_log(session: Session, chains: Iterable[str] | None = None) -> tuple[Difference, ...]:
    """All differences between the tables and the log, by chain and table; by default for all studies and the
    installation.
    """
    if chains is None:
        logged = session.scalars(select(col(AuditRow.chain)).distinct())
        chains = {INSTALLATION, *logged, *session.scalars(select(col(StudyRow.id)))}
    found: list[Difference] = []
    for chain in sorted(chains):
        compare = _templates if chain == INSTALLATION else _study
        found += [Difference(chain=chain, table=t, key=k, says=s) for t, k, s in compare(session, chain)]
    return tuple(found)


Told = tuple[str, str, str]
"""(table, key, difference in words)."""


def _rows(session: Session, chain: str) -> Iterator[AuditRow]:
    statement = select(AuditRow).where(col(AuditRow.chain) == chain).order_by(col(AuditRow.seq))
    for row in session.scalars(statement.execution_options(yield_per=AT_ONCE)):
        yield row
        session.expunge(row)


def _study(session: Session, chain: str) -> Iterator[Told]:
    state = StudyState()
    for row in _rows(session, chain):
        state.take(row.seq, row.actor, row.action, row.before, row.after)
    for seq in state.unreadable:
        yield "audit", str(seq), "the row cannot be followed: it does not say what rows of its kind say"
    yield from _status(session, chain, state)
    for compare in _TABLES:
        yield from compare(session, chain, state)


def _status(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    study = session.get(StudyRow, chain)
    if study is None:
        if state.status is not None or state.assignments:
            yield "study", chain, "is not in the table, though the log tells of it"
        return
    if state.status is not None and study.status != state.status:
        yield "study", study.name, f"the table says {study.status}, the log {state.status}"
    texts = select(GuidelineRow).where(col(GuidelineRow.study_id) == chain)
    there = {str(row.version): text_id(row.text) for row in session.scalars(texts)}
    for version, text in state.guidelines.items():
        if there.get(version) != text:
            yield "guideline", version, "is not the text that the log tells of"


def _assignments(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    names = ("status", "revision", "skip_reason", "flag")
    statement = select(col(AssignmentRow.id), *(getattr(AssignmentRow, name) for name in names)).where(
        col(AssignmentRow.study_id) == chain
    )
    left = dict(state.assignments)
    for key, *values in session.execute(statement.execution_options(yield_per=AT_ONCE)):
        expected = left.pop(state.first(key), None) or AssignmentState()
        for name, value in zip(names, values, strict=True):
            wanted = getattr(expected, name)
            if value != wanted and not (name == "status" and wanted is None and value in IN_WORK):
                said = "still in work" if name == "status" and wanted is None else repr(wanted)
                yield "assignment", key, f"{name}: the table says {value!r}, the log {said}"
    for key in left:
        yield "assignment", state.current(key), "is not in the table, though the log tells of it"


def _annotations(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    names = ("assignment_id", "revision", "submitted", "item_judgement", "response_judgement", "created_at")
    statement = select(
        col(AnnotationRow.id), col(AnnotationRow.payload), *(getattr(AnnotationRow, name) for name in names)
    ).where(col(AnnotationRow.study_id) == chain)
    left = dict(state.annotations)
    for row in session.execute(statement.execution_options(yield_per=AT_ONCE)):
        expected = left.pop(state.first(row.id), None)
        if expected is None:
            yield "annotation", row.id, "is in the table, though the log does not tell of it"
            continue
        says = _annotation(session, chain, state, row, expected)
        if says is not None:
            yield "annotation", row.id, f"assignment {row.assignment_id}, revision {row.revision}: {says}"
    for key, gone in left.items():
        says = f"is not in the table, though row {gone.seq} of the log tells of it"
        yield "annotation", state.current(key), says


def _annotation(
    session: Session, chain: str, state: StudyState, row: Found[Any], expected: AnnotationState
) -> str | None:
    """How one stored revision differs from the log; None if it does not."""
    payload = row.payload
    unknown = unknown_fields(payload)
    if unknown:
        return f"it has {', '.join(unknown)}, which this version does not know; replay it with a newer one"
    said = {name: payload.get(name) for name in Judgement.model_fields}
    if judgement_hash(said) != expected.judgement:
        return _changed_fields(session, chain, expected.seq, said)
    columns = (state.first(row.assignment_id), row.revision, row.submitted)
    if columns != (expected.assignment, expected.revision, expected.submitted):
        return f"it belongs to another save than that of row {expected.seq} of the log"
    beside = (row.item_judgement, row.response_judgement, _stamp(row.created_at), row.id, row.revision)
    names = ("item_judgement", "response_judgement", "created_at", "annotation_id", "revision")
    if beside != tuple(payload.get(name) for name in names):
        return "its columns say otherwise than its payload"
    if expected.payload not in (None, sha256_json(payload)):
        return f"times or circumstances are not those that row {expected.seq} of the log was written with"
    return None


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _changed_fields(session: Session, chain: str, seq: int, said: dict[str, Any]) -> str:
    logged: Any = session.get_one(AuditRow, (chain, seq)).after
    judgement = logged["judgement"]
    changed = [
        f"{name} is {value!r}, the log says {judgement.get(name)!r}"
        for name, value in said.items()
        if value != judgement.get(name)
    ]
    return f"{'; '.join(changed)} (row {seq})"


def _adjudications(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    own = select(col(AdjudicationRow.id)).where(col(AdjudicationRow.study_id) == chain)
    cites: dict[str, set[str]] = {}
    statement = select(CitationRow).where(col(CitationRow.adjudication_id).in_(own))
    for citation in session.scalars(statement):
        cites.setdefault(citation.adjudication_id, set()).add(state.first(citation.annotation_id))
    left = dict(state.adjudications)
    for row in session.scalars(select(AdjudicationRow).where(col(AdjudicationRow.study_id) == chain)):
        expected = left.pop(state.first(row.id), None)
        if expected is None:
            yield "adjudication", row.id, "is in the table, though the log does not tell of it"
        elif (row.generation, row.user_id) != (expected.generation, expected.user_id):
            yield "adjudication", row.id, "it is on another answer, or by another account, than the log says"
        elif row.payload != expected.payload:
            yield "adjudication", row.id, _otherwise(row.payload, expected.payload)
        elif cites.get(row.id, set()) != expected.cites:
            yield "citation", row.id, "it cites other annotations than the log says"
    for key in left:
        yield "adjudication", state.current(key), "is not in the table, though the log tells of it"


def _otherwise(held: dict[str, Any], logged: dict[str, Any]) -> str:
    changed = [
        f"{name} is {held.get(name)!r}, the log says {logged.get(name)!r}"
        for name in {**logged, **held}
        if held.get(name) != logged.get(name)
    ]
    return "; ".join(changed)


def _contests(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    names = ("kind", "proposed_gold", "status", "decided_by", "decision")
    left = dict(state.contests)
    for row in session.scalars(select(ContestRow).where(col(ContestRow.study_id) == chain)):
        expected = left.pop(state.first(row.annotation_id), None)
        if expected is None:
            yield "contest", row.annotation_id, "is in the table, though the log does not tell of it"
            continue
        held = {name: getattr(row, name) for name in names}
        logged = {name: getattr(expected, name) for name in names}
        if held != logged:
            yield "contest", row.annotation_id, _otherwise(held, logged)
        elif state.first(row.assignment_id) != expected.assignment:
            yield "contest", row.annotation_id, "it belongs to another assignment than the log says"
    for key in left:
        yield "contest", state.current(key), "is not in the table, though the log tells of it"


def _invalidations(session: Session, chain: str, state: StudyState) -> Iterator[Told]:
    statement = (
        select(InvalidationRow, col(InstanceRow.instance_id))
        .join(InstanceRow, col(InstanceRow.id) == col(InvalidationRow.instance))
        .where(col(InvalidationRow.study_id) == chain)
    )
    left = dict(state.invalidations)
    for row, instance in session.execute(statement):
        expected = left.pop(instance, None)
        if expected is None:
            yield "invalidation", instance, "is in the table, though the log does not tell of it"
        elif state.first(row.contest) != expected.contest:
            yield "invalidation", instance, "it names another contest than the log says"
        elif expected.told not in (None, sha256_json([row.rule, row.reason])):
            yield "invalidation", instance, "its rule or reason is not the one that was logged"
    for key in left:
        yield "invalidation", key, "is not in the table, though the log tells of it"


_TABLES = (
    *(_assignments, _annotations, _adjudications, _contests, _invalidations),
    *(compare_messages, compare_deadline_and_qualifications, compare_criteria),
)


def _templates(session: Session, chain: str) -> Iterator[Told]:
    logged: dict[str, list[str | None]] = {}
    for row in _rows(session, chain):
        told = row.after or {}
        if row.action == "template_status":  # logged by earlier versions, without a hash
            name = "{} version {}".format(*told["template"])
            logged[name] = [told["status"], logged.get(name, [None, None])[1]]
        for name, state in (told.get("template_states") or {}).items():
            logged[name] = list(state)
    for template in session.scalars(select(TemplateRow).execution_options(yield_per=AT_ONCE)):
        name = f"{template.template_id} version {template.version}"
        status, payload = logged.pop(name, (None, None))
        if status is None:
            if template.status != "unreviewed" or template.payload:
                yield "template", name, "is in the table, though the log does not tell of it"
        elif template.status != status:
            yield "template", name, f"the table says {template.status}, the log {status}"
        elif payload not in (None, sha256_json(template.payload)):
            yield "template", name, "what it says is not what was logged"
    for name in logged:
        yield "template", name, "is not in the table, though the log tells of it"
