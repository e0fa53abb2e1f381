"""Review rounds of templates and items: open, reply to comments, and close as accepted or returned.

Whatever changes a round takes its lock first, so that two curators who close it, or an expert who submits
while it closes, take turns. Opening or closing a round changes versions and takes the lock of their template
first.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.review_panel_statistics import panel_figures
from clinicnum.annotations.curation.review_sheet import LONGEST_COMMENT
from clinicnum.annotations.curation.reviewed_version import cases_for, read_version
from clinicnum.annotations.curation.template_acceptance import AcceptanceVerdict, verdict
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.rows import DraftRow, ReviewRoundRow, TemplateRow, utc_now
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review.review_panels import check_panel, new_mark, review_row
from clinicnum.db.work.review.review_preconditions import check_openable, was_asked
from clinicnum.db.work.review.review_queries import (
    PENDING,
    acceptance_inputs,
    comments_of,
    find_curator,
    find_round,
    lineage_of,
    lock_open_round,
    lock_template,
    log_round,
    submitted_of,
    why_hidden,
    without_answer,
)
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance

OLDER = ("validated", "unreviewed", "in_review")
"""Statuses of older versions that are retired when a newer one is accepted."""


class PlannedRound(Frozen):
    """A planned review round, made outside the writing transaction, since drawing instances takes a while."""

    round_id: str
    template_id: str
    version: int
    number: int
    payload: dict[str, Any]
    experts: tuple[str, ...]
    """User ids."""
    marks: tuple[str, ...]
    """Random id of each expert, which seeds the draw of the expert's instances."""
    cases: tuple[tuple[Instance, ...], ...]
    """Instances to solve, one tuple per expert."""


def payload_sha256(payload: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a version, without its status."""
    text = json.dumps(
        template_versions.content_of(payload), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def plan_round(session: Session, *, template_id: str, version: int, experts: Sequence[str]) -> PlannedRound:
    """Plan a round and draw the instances of every expert; writes nothing.

    `experts` are account names. Raises InputError for an unknown version or account, a version without
    content, too few or too many experts, or too few questions; NotAllowed for an account that may not review
    the version; Conflict for a version that cannot be reviewed or is in review already.
    """
    row = template_versions.find_version(session, template_id, version, items_too=True)
    check_openable(session, row)
    reviewed = read_version(row.payload) if row.kind == "item" else template_versions.template_of(row)
    users = check_panel(session, row, experts)
    marks = tuple(new_mark() for _ in users)
    number = _next_number(session, template_id, version)
    round_id = content_id(["review", template_id, version, number])
    return PlannedRound(
        round_id=round_id,
        template_id=template_id,
        version=version,
        number=number,
        payload=reviewed.model_dump(mode="json"),
        experts=users,
        marks=marks,
        cases=cases_for(reviewed, round_id=round_id, experts=marks),
    )


def open_round(
    session: Session,
    *,
    template_id: str,
    version: int,
    experts: Sequence[str],
    actor: str,
    planned: PlannedRound | None = None,
) -> str:
    """Open a round on a version and invite its experts; returns its id. The version is then in review.

    `planned` is the result of `plan_round` for the same version and experts; without it, the round is planned
    here. Raises InputError, NotAllowed and Conflict as `plan_round` does, NotAllowed for an account that may
    not curate, and Conflict if the version changed since it was planned.
    """
    find_curator(session, actor)
    lock_template(session, template_id)
    row = session.get(TemplateRow, (template_id, version), with_for_update=True, populate_existing=True)
    if planned is None or row is None:
        planned = plan_round(session, template_id=template_id, version=version, experts=experts)
        row = session.get_one(TemplateRow, (template_id, version))
    check_openable(session, row)
    number, panel = _next_number(session, template_id, version), check_panel(session, row, experts)
    now = (template_id, version, number, panel)
    as_planned = (planned.template_id, planned.version, planned.number, planned.experts)
    if now != as_planned or not template_versions.same_content(planned.payload, row.payload):
        raise Conflict(
            Translatable(
                "{template} version {version} changed in the meantime; open the round again",
                template=template_id,
                version=version,
            )
        )
    made = ReviewRoundRow(
        id=planned.round_id,
        template_id=template_id,
        version=version,
        number=planned.number,
        payload={**planned.payload, "status": "in_review"},
        sha256=payload_sha256(planned.payload),
        opened_by=actor,
        opened_at=utc_now(),
    )
    session.add(made)
    session.flush()
    for user, mark, cases in zip(planned.experts, planned.marks, planned.cases, strict=True):
        session.add(review_row(made.id, user, mark, cases))
    session.flush()
    if row.status != "in_review":
        template_versions.set_status(session, row, "in_review", actor=actor, why={"round": made.id})
    told = {"experts": list(planned.experts), "sha256": made.sha256}
    log_round(session, made, actor, "open_review", after=told)
    return made.id


def _next_number(session: Session, template_id: str, version: int) -> int:
    last = select(func.max(col(ReviewRoundRow.number))).where(
        col(ReviewRoundRow.template_id) == template_id, col(ReviewRoundRow.version) == version
    )
    return (session.scalar(last) or 0) + 1


def reply(session: Session, *, round_id: str, comment: str, text: str, actor: str) -> None:
    """Reply to a comment; while the round is open a reply can be changed, and the log keeps every wording.

    `comment` is its key. Raises InputError for an empty or too long reply or an unknown comment, Conflict
    while comments are hidden, and as `lock_open_round` does.
    """
    row, rows = lock_open_round(session, round_id, actor)
    hidden = why_hidden(row, rows, actor)
    if hidden is not None:
        raise Conflict(hidden)
    said = text.strip()
    if not said or len(said) > LONGEST_COMMENT:
        raise InputError(
            Translatable(
                "an answer has 1 to {most} characters, got {n}; say how it was addressed",
                most=LONGEST_COMMENT,
                n=len(said),
            )
        )
    found = next((one for key, _, one in comments_of(session, rows) if key == comment), None)
    if found is None:
        raise InputError(Translatable("there is no such comment; reload the page and choose it again"))
    before = {"comment": comment, "reply": found.reply}
    found.reply, found.replied_by, found.replied_at = said, actor, utc_now()
    session.add(found)
    session.flush()
    log_round(session, row, actor, "answer_comment", before=before, after={"comment": comment, "reply": said})


def close_round(
    session: Session, *, round_id: str, accept: bool, trial: Trial | ItemCheck, actor: str, reason: str = ""
) -> AcceptanceVerdict:
    """Close a round: accepted, which validates the version and retires older ones that are validated,
    unreviewed or in review; or returned to its author.

    `trial` is the trial of the round's template, or the checks of its item, made outside this transaction;
    everything else in the verdict is recomputed here. A returned version that benchmarks may have used stays
    in review and is corrected by its next version. A round may be returned before all experts have submitted;
    their reviews then stay hidden. Raises as `lock_open_round` does; Conflict also for an acceptance before
    all have submitted, against the verdict, or of a version that changed or was overtaken by another, for an
    actor whose own review is pending, and for comments without a reply; InputError for a return without a
    reason, or with one too long.
    """
    lock_template(session, find_round(session, round_id).template_id)
    row, rows = lock_open_round(session, round_id, actor)
    hidden = why_hidden(row, rows, actor)
    if hidden is not None and (accept or hidden == PENDING):
        raise Conflict(hidden)
    about = acceptance_inputs(session, row, [one.user_id for one in rows])
    if about.unanswered and hidden is None:
        raise Conflict(without_answer(about.unanswered))
    given, said = submitted_of(rows), reason.strip()
    found = verdict(given, about, trial)
    if accept and not found.accepted:
        raise Conflict(Translatable("not accepted; not met: {conditions}", conditions=found.unmet()))
    if not accept and not 0 < len(said) <= LONGEST_COMMENT:
        raise InputError(
            Translatable(
                "a return has a reason of 1 to {most} characters, got {n}; say why",
                most=LONGEST_COMMENT,
                n=len(said),
            )
        )
    row.status, row.closed_by, row.closed_at = ("accepted" if accept else "returned"), actor, utc_now()
    row.outcome = {
        "verdict": found.model_dump(mode="json"),
        "figures": panel_figures(given, mechanical=about.mechanical).model_dump(mode="json"),
        "trial": trial.model_dump(mode="json"),
        "reason": said,
    }
    session.add(row)
    session.flush()
    version = session.get_one(
        TemplateRow, (row.template_id, row.version), with_for_update=True, populate_existing=True
    )
    (_validate if accept else _return)(session, row, version, actor)
    told = {"status": row.status, "reason": said, "experts": len(given)}
    if hidden is None:
        told["unmet"] = found.unmet()
    log_round(session, row, actor, "close_review", before={"status": "open"}, after=told)
    return found


def _validate(session: Session, row: ReviewRoundRow, version: TemplateRow, actor: str) -> None:
    """Validate the version and retire older ones. Raises Conflict if it changed or was overtaken."""
    if not template_versions.same_content(version.payload, row.payload):
        raise Conflict(
            Translatable("the version is not what its experts saw; return this round and review it again")
        )
    others = session.scalars(
        select(TemplateRow)
        .where(col(TemplateRow.template_id) == row.template_id, col(TemplateRow.version) != row.version)
        .order_by(col(TemplateRow.version))
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    newer = next((one for one in others if one.version > row.version and one.status == "validated"), None)
    if newer is not None:
        raise Conflict(
            Translatable(
                "version {version} is validated already; an older one is not accepted after it",
                version=newer.version,
            )
        )
    past = lineage_of(session, row.template_id, row.version)
    passed = next(
        (one for one in others if one.status == "validated" and (one.template_id, one.version) not in past),
        None,
    )
    if passed is not None and len(past) > 1:
        raise Conflict(
            Translatable(
                "version {newer} was validated after version {version} was begun from another; return this "
                "round, then compare the two and go on from it on the page Drafts",
                newer=passed.version,
                version=row.version,
            )
        )
    why = {"round": row.id}
    template_versions.set_status(session, version, "validated", actor=actor, why=why)
    for one in others:
        if one.version < row.version and one.status in OLDER:
            template_versions.set_status(
                session, one, "retired", actor=actor, why={**why, "followed_by": row.version}
            )


def _return(session: Session, row: ReviewRoundRow, version: TemplateRow, actor: str) -> None:
    """If the version is in review and cannot have been used, make it a draft and reopen its own draft."""
    if version.status != "in_review" or was_asked(session, version):
        return
    drafts = select(DraftRow).where(
        col(DraftRow.template_id) == row.template_id,
        col(DraftRow.version) == row.version,
        col(DraftRow.status) == "submitted",
    )
    for draft in session.scalars(drafts.with_for_update().execution_options(populate_existing=True)):
        draft.status, draft.changed_at = "open", utc_now()
        session.add(draft)
    template_versions.set_status(session, version, "draft", actor=actor, why={"round": row.id})
