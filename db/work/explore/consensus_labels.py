"""Consensus labels of generations, from the studies that an account may see.

The label is as on the failures page: an adjudicator's decision, else what most annotators say. Of a study
that is not closed, only items count that all their annotators have judged.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import current_decisions
from clinicnum.annotations.consensus.generation_consensus import median_severity
from clinicnum.annotations.curation.labelled_failure import cause
from clinicnum.annotations.explore.facet_names import NO_FAILURE
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import own_part
from clinicnum.annotations.study_kind import KINDS, kind_of_design
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
)
from clinicnum.db.work.changes.change_visibility import visibility_of
from clinicnum.db.work.common.adjudication_decisions import load_adjudications
from clinicnum.db.work.common.last_submitted_judgements import final_judgements
from clinicnum.errors import NotAllowed

KEPT = 20
"""Most studies with labels in memory."""
Labels = dict[str, tuple[str, str]]
"""Row id of a generation -> (code or NO_FAILURE, severity or "")."""


@dataclass
class StudyLabels:
    """Thread-safe cache of studies' labels, kept until the study changes."""

    _lock: Lock = field(default_factory=Lock)
    _kept: OrderedDict[tuple[object, ...], Labels] = field(default_factory=OrderedDict)

    def of_runs(self, session: Session, *, user_id: str, runs: Sequence[str]) -> Labels:
        """Labels from the studies of failures that use any of these runs and that the account may see.

        They include labels of other runs' answers in these studies. If several studies label an answer, the
        last opened counts.
        """
        statement = (
            select(StudyRow)
            .where(
                col(StudyRow.id).in_(select(col(StudyRunRow.study_id)).where(col(StudyRunRow.run).in_(runs)))
            )
            .order_by(col(StudyRow.created_at), col(StudyRow.id))
        )
        found: Labels = {}
        for study in session.scalars(statement):
            if not KINDS[kind_of_design(study.design)].judges_failures:
                continue
            try:
                visibility_of(session, user_id, study.id)
            except NotAllowed:
                continue
            found |= self._of_study(session, study)
        return found

    def _of_study(self, session: Session, study: StudyRow) -> Labels:
        counts = (
            session.scalar(select(func.count()).where(col(table.study_id) == study.id))
            for table in (AnnotationRow, AdjudicationRow)
        )
        key = (study.id, study.status, *counts)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = _labels(session, study)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


def _labels(session: Session, study: StudyRow) -> Labels:
    statement = final_judgements(study.id)
    if study.status != "closed":
        statement = statement.where(col(StudyItemRow.due).is_not(None))
    judged: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for generation, generation_id, payload in session.execute(statement):
        judged[generation, generation_id].append(payload)
    decided = current_decisions(load_adjudications(session, study.id))
    return {
        generation: _settled([own_part(one) for one in payloads], decided.get(generation_id))
        for (generation, generation_id), payloads in judged.items()
    }


def _settled(judgements: list[Judgement], decision: Judgement | None) -> tuple[str, str]:
    settled = cause([_vote(one) for one in judgements], None if decision is None else _vote(decision))
    if settled is None:
        return NO_FAILURE, ""
    severity = decision.severity if decision is not None else median_severity(judgements)
    return settled[0], severity or ""


def _vote(one: Judgement) -> tuple[str, str | None]:
    return one.response_judgement, next((label.code for label in one.labels if label.primary), None)
