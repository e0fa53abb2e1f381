"""Resolve contests: the consequences of upholding one are previewed, then exactly those are carried out.

All open contests that make the same claim about the same instance of the study are decided together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.consequences_of_upholding import (
    Consequences,
    Scope,
    canonical_claim,
    consequences,
)
from clinicnum.db.rows import (
    BenchmarkRow,
    ContestRow,
    GenerationRow,
    InstanceRow,
    InvalidationRow,
    StudyRow,
    TemplateRow,
    utc_now,
)
from clinicnum.db.work.adjudication.accuracy_after_exclusion import AccuracyEffect, accuracy_effects
from clinicnum.db.work.adjudication.adjudication_item import open_contests
from clinicnum.db.work.adjudication.adjudication_queue import find_adjudicator, find_item, has_judged_instance
from clinicnum.db.work.adjudication.answer_annotators import answer_contests, reasoned
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.bank.template_versions import set_status, template_of
from clinicnum.db.work.benchmarks.benchmark_storage import instance_key
from clinicnum.db.work.common.barred_studies import refuse_barred
from clinicnum.db.work.common.model_masking_period import show_after_last_decision
from clinicnum.db.work.common.monotonic_clock import after_decisions
from clinicnum.db.work.studies.study_lifecycle import lock_study
from clinicnum.errors import Conflict, NotAllowed
from clinicnum.io.jsonl import sha256_json
from clinicnum.templates.template import ASKABLE, Status, Template
from clinicnum.types import Instance

IN_REVIEW: Status = "in_review"
NO_REASON = "A contest is decided with a comment: write why, then decide."
GONE = "This contest was decided or taken back in the meantime; look at the item again."
OTHERWISE = "What upholding does has changed since it was shown; nothing was done. Look at it anew."


@dataclass(frozen=True)
class UpholdPreview:
    """The consequences of upholding a claim, shown before they are carried out."""

    consequences: Consequences
    mark: str
    template: str
    template_version: int
    effects: tuple[AccuracyEffect, ...]


@dataclass(frozen=True)
class _OpenClaim:
    """A claim with everything it affects."""

    study: StudyRow
    instance: InstanceRow
    contests: list[ContestRow]
    gone: frozenset[str]
    """Ids of instances already excluded from the study."""
    outcome: Consequences

    @property
    def mark(self) -> str:
        return self.outcome.mark([one.annotation_id for one in self.contests], self.gone)


def preview_uphold(
    session: Session, *, user_id: str, study_id: str, item: str, claim: str, scope: Scope
) -> UpholdPreview:
    """The consequences of upholding the claim; `scope` matters only if no validity rule finds a fault.

    Raises NotAllowed for an account that may not adjudicate or has judged the instance, an item that does not
    exist, and a study that is barred to the account; Conflict for a claim that no open contest makes.
    """
    matter = _matter(session, user_id, study_id, item, claim, scope)
    out = {one.instance.instance_id for one in matter.outcome.taken}
    return UpholdPreview(
        consequences=matter.outcome,
        mark=matter.mark,
        template=matter.instance.template_id,
        template_version=matter.instance.template_version,
        effects=tuple(accuracy_effects(session, matter.study, matter.gone, out)),
    )


def uphold(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    item: str,
    claim: str,
    scope: Scope,
    mark: str,
    comment: str,
    ruling: bool = False,
) -> int:
    """Uphold the claim: invalidate instances, close its contests, send the template back to review.

    `mark` is that of the preview that was shown. Returns how many instances were invalidated. Raises as
    `preview_uphold` does, InputError for an empty or too long comment, and Conflict if the consequences
    have changed since the preview.
    """
    said = reasoned(comment, NO_REASON)
    lock_study(session, study_id)
    matter = _matter(session, user_id, study_id, item, claim, scope, locked=True)
    if matter.mark != mark:
        raise Conflict(OTHERWISE)
    taken, first = matter.outcome.taken, matter.contests[0]
    now = utc_now()
    session.add_all(
        InvalidationRow(
            study_id=study_id,
            instance=instance_key(matter.instance.benchmark_id, one.instance.instance_id),
            contest=first.annotation_id,
            rule=one.rule,
            reason=one.reason,
            created_at=now,
        )
        for one in taken
    )
    key = (matter.instance.template_id, matter.instance.template_version)
    template = session.get_one(TemplateRow, key, with_for_update=True, populate_existing=True)
    was = template.status
    if was in ASKABLE:
        set_status(session, template, IN_REVIEW, actor=user_id, why={"contest": first.annotation_id})
    decision = {
        "comment": said,
        "scope": matter.outcome.scope,
        "rules": [one.rule for one in matter.outcome.faults],
    }
    _close(session, matter.contests, "upheld", user_id, decision)
    after = {
        **decision,
        **answer_contests(session, matter.contests, author=user_id, text=said, ruling=ruling),
        "instances": sorted(one.instance.instance_id for one in taken),
        "invalidated": {one.instance.instance_id: sha256_json([one.rule, one.reason]) for one in taken},
        "template": [template.template_id, template.version],
        "template_status": template.status,
    }
    before = {"template_status": was}
    _log(session, matter.instance, matter.contests, "uphold_contest", before=before, after=after)
    return len(taken)


def reject(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    item: str,
    claim: str,
    comment: str,
    ruling: bool = False,
) -> None:
    """Close the claim's contests with a reason; labels do not change.

    Raises as `preview_uphold` does, and InputError for an empty or too long comment.
    """
    said = reasoned(comment, NO_REASON)
    lock_study(session, study_id)
    instance, contests = _contested(session, user_id, study_id, item, claim, locked=True)
    _close(session, contests, "rejected", user_id, {"comment": said})
    told = answer_contests(session, contests, author=user_id, text=said, ruling=ruling)
    _log(session, instance, contests, "reject_contest", before={}, after={"comment": said, **told})


def _contested(
    session: Session, user_id: str, study_id: str, item: str, claim: str, *, locked: bool = False
) -> tuple[InstanceRow, list[ContestRow]]:
    """The instance that the claim is about, and the open contests that make this claim. Raises as
    `preview_uphold` does.
    """
    find_adjudicator(session, user_id)
    generation = find_item(session, study_id=study_id, item=item).generation
    refuse_barred(session, user_id=user_id, study_id=study_id)
    answer = session.get_one(GenerationRow, generation)
    if has_judged_instance(session, user_id=user_id, study_id=study_id, instance=answer.instance):
        raise NotAllowed("You have judged this question yourself; another adjudicator must decide it.")
    rows = open_contests(session, study_id, answer.instance, locked=locked)
    alike = [row for row in rows if canonical_claim(row.kind, row.proposed_gold) == claim]
    if not alike:
        raise Conflict(GONE)
    return session.get_one(InstanceRow, answer.instance), alike


def _matter(
    session: Session,
    user_id: str,
    study_id: str,
    item: str,
    claim: str,
    scope: Scope,
    *,
    locked: bool = False,
) -> _OpenClaim:
    row, contests = _contested(session, user_id, study_id, item, claim, locked=locked)
    study, benchmark = session.get_one(StudyRow, study_id), session.get_one(BenchmarkRow, row.benchmark_id)
    gone = _gone(session, study_id)
    related = select(col(InstanceRow.payload)).where(
        col(InstanceRow.benchmark_id) == row.benchmark_id,
        (
            (col(InstanceRow.template_id) == row.template_id)
            & (col(InstanceRow.template_version) == row.template_version)
        )
        | (col(InstanceRow.group_id) == row.group_id),
    )
    found = [
        Instance.model_validate(payload)
        for payload in session.scalars(related.order_by(col(InstanceRow.position), col(InstanceRow.id)))
    ]
    outcome = consequences(
        Instance.model_validate(row.payload),
        found,
        scope=scope,
        # It is unknown whether a benchmark made by another program contains users' notes.
        framed=bool(benchmark.meta.get("notes")) if benchmark.meta else None,
        gone=gone,
        reason=_claimed(contests[0]),
        template=_template(session, row),
    )
    return _OpenClaim(study, row, contests, gone, outcome)


def _template(session: Session, instance: InstanceRow) -> Template | None:
    """The template version in the bank from which an instance was made; None if the bank does not have it."""
    row = session.get_one(TemplateRow, (instance.template_id, instance.template_version))
    return template_of(row) if row.payload else None


def _claimed(contest: ContestRow) -> str:
    if contest.kind == "gold_wrong":
        return f"contested: the gold is wrong; proposed {contest.proposed_gold}"
    return "contested: the question is ambiguous"


def _gone(session: Session, study_id: str) -> frozenset[str]:
    statement = (
        select(col(InstanceRow.instance_id))
        .join(InvalidationRow, col(InvalidationRow.instance) == col(InstanceRow.id))
        .where(col(InvalidationRow.study_id) == study_id)
    )
    return frozenset(session.scalars(statement))


def _close(
    session: Session, contests: Sequence[ContestRow], status: str, user_id: str, decision: dict[str, Any]
) -> None:
    now = after_decisions(session, contests[0].study_id)
    for contest in contests:
        contest.status, contest.closed_at = status, now
        contest.decided_by, contest.decision = user_id, decision
    session.flush()


def _log(
    session: Session,
    instance: InstanceRow,
    contests: Sequence[ContestRow],
    action: str,
    *,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    first = contests[0]
    told = {"contests": [one.annotation_id for one in contests], "instance": instance.instance_id}
    append(
        session,
        study_id=first.study_id,
        actor=str(first.decided_by),
        action=action,
        before={**told, "status": "open", **before},
        after={**told, "status": first.status, **after},
    )
    show_after_last_decision(session, first.study_id, actor=str(first.decided_by))
