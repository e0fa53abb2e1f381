"""What waits for an account, by what its role may do: studies, jobs and reports with their states, and
counts; never a label.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, func, select
from sqlmodel import Session, col

from clinicnum.annotations.consensus.vote_consensus import MIN_VOTES
from clinicnum.annotations.role_rights import Right, may
from clinicnum.annotations.study_kind import KINDS
from clinicnum.annotations.study_summary import StudyProgress
from clinicnum.annotations.types import User
from clinicnum.annotations.worker_jobs import JobSummary
from clinicnum.db.rows import (
    AnnotationRow,
    BenchmarkRow,
    DraftRow,
    DraftSourceRow,
    FrozenReportRow,
    ReviewRoundRow,
    RunRow,
    SavedViewRow,
    StudyRow,
    UserRow,
)
from clinicnum.db.work.accounts.users import get_user
from clinicnum.db.work.adjudication.adjudication_queue import WaitingItem, decidable_studies, list_waiting
from clinicnum.db.work.annotation.own_message_threads import unread_answers
from clinicnum.db.work.annotation.own_studies import OwnStudy, own_studies
from clinicnum.db.work.home.sample_project import LABELLED, count_labelled, has_sample
from clinicnum.db.work.jobs.job_store import list_jobs
from clinicnum.db.work.reports.latest_reports import LatestReport, latest_reports
from clinicnum.db.work.review.expert_review import list_invitations
from clinicnum.db.work.review.reviewable_versions import waiting_versions
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.db.work.studies.study_progress import list_progress
from clinicnum.errors import NotAllowed

LISTED = 5
"""Number of jobs shown beside the unfinished ones."""
STEPS = ("benchmark", "run", "explore", "study", "people", "label", "report")
"""The way from an empty installation to a report."""


@dataclass(frozen=True)
class Labelling:
    """What waits for an annotator."""

    studies: tuple[OwnStudy, ...]
    answers: int
    """Number of unread answers of adjudicators."""


@dataclass(frozen=True)
class Deciding:
    """What waits for an adjudicator in one study, in numbers of items."""

    study_id: str
    study: str
    due: int
    contests: int
    flags: int
    replies: int


@dataclass(frozen=True)
class Curating:
    """What waits for a curator."""

    failures: tuple[str, ...]
    """Names of closed studies of which no draft was made."""
    drafts: int
    """Number of own open drafts."""
    rounds: int
    """Number of open review rounds."""
    submitted: int
    """Number of versions that wait for a review round."""


@dataclass(frozen=True)
class Evaluating:
    """State of studies, runs and jobs, for a researcher or an admin."""

    studies: tuple[StudyProgress, ...]
    runs: int
    jobs: tuple[JobSummary, ...]
    """Unfinished jobs, then the latest others."""
    undecidable: frozenset[str]
    """Names of studies in which decisions are due or golds contested, and no account may decide."""
    read_once: frozenset[str]
    """Names of studies in which one person judges each answer and failures are to be counted."""
    steps: frozenset[str]
    """Those of STEPS that are done."""
    sample: bool
    """Whether the sample project is there."""
    labelled: int
    """Number of judgements that people made in it."""


@dataclass(frozen=True)
class Overview:
    """What waits for an account; None where its role has nothing to do with it."""

    user: User
    labelling: Labelling | None
    deciding: tuple[Deciding, ...] | None
    """By study, in the order of the queue."""
    reviews: int
    """Number of template reviews that the account is to hand in."""
    curating: Curating | None
    evaluating: Evaluating | None
    reports: tuple[LatestReport, ...]
    """The last report of each study whose reports the account may read."""


def overview(session: Session, *, user_id: str) -> Overview:
    """What waits for the account. Raises NotAllowed if it is switched off."""
    user = get_user(session, user_id)
    if user is None or not user.active:
        raise NotAllowed("This account is switched off; ask an admin.")

    def has(right: Right) -> bool:
        return may(user.role, right)

    return Overview(
        user=user,
        labelling=_labelling(session, user_id) if has("annotate") else None,
        deciding=_deciding(session, user_id) if has("adjudicate") else None,
        reviews=_reviews(session, user_id) if has("review_templates") else 0,
        curating=_curating(session, user_id) if has("curate") else None,
        evaluating=_evaluating(session, user_id) if has("evaluate") else None,
        reports=latest_reports(session, user_id=user_id) if has("see_report") else (),
    )


def starts_labelling(session: Session, user: User) -> bool:
    """Whether the account goes to the annotate page at once: an annotator with one open study."""
    return may(user.role, "annotate") and len(own_studies(session, user_id=user.user_id)) == 1


def _labelling(session: Session, user_id: str) -> Labelling:
    return Labelling(own_studies(session, user_id=user_id), unread_answers(session, user_id=user_id).n)


def _deciding(session: Session, user_id: str) -> tuple[Deciding, ...]:
    waiting: dict[str, list[WaitingItem]] = {}
    for one in list_waiting(session, user_id=user_id):
        waiting.setdefault(one.study, []).append(one)
    return tuple(
        Deciding(
            study_id=items[0].study_id,
            study=study,
            due=sum(bool(one.due) for one in items),
            contests=sum(one.contested for one in items),
            flags=sum(one.flagged for one in items),
            replies=sum(one.replied for one in items),
        )
        for study, items in waiting.items()
    )


def _reviews(session: Session, user_id: str) -> int:
    return sum(one.state in ("new", "begun") for one in list_invitations(session, user_id=user_id))


def _curating(session: Session, user_id: str) -> Curating:
    studies = (
        select(col(StudyRow.name))
        .where(
            col(StudyRow.status) == "closed",
            ~exists().where(col(DraftSourceRow.study_id) == col(StudyRow.id)),
        )
        .order_by(col(StudyRow.name))
    )
    own = col(DraftRow.author) == user_id
    return Curating(
        failures=tuple(session.scalars(studies)),
        drafts=_count(session, own, col(DraftRow.status) == "open", of=DraftRow),
        rounds=_count(session, col(ReviewRoundRow.status) == "open", of=ReviewRoundRow),
        submitted=len(waiting_versions(session)),
    )


def _evaluating(session: Session, user_id: str) -> Evaluating:
    jobs = list_jobs(session, user_id=user_id)
    unfinished = [one for one in jobs if one.status in ("queued", "running")]
    ended = [one for one in jobs if one not in unfinished]
    sample = has_sample(session)
    studies = list_progress(session)
    return Evaluating(
        studies=studies,
        undecidable=frozenset(one.name for one in studies if one.due or one.contests)
        - decidable_studies(session),
        read_once=_read_once(session),
        runs=_count(session, of=RunRow),
        jobs=(*unfinished, *ended[:LISTED]),
        steps=_steps_done(session),
        sample=sample,
        labelled=count_labelled(session) if sample else 0,
    )


def _read_once(session: Session) -> frozenset[str]:
    studies = session.scalars(select(StudyRow).where(col(StudyRow.overlap) < MIN_VOTES))
    return frozenset(one.name for one in studies if KINDS[design_of(one).kind].judges_failures)


def _steps_done(session: Session) -> frozenset[str]:
    """The steps that have left a trace in the database; opening a study counts as having explored, too.
    Labels that scripts gave in the sample project do not count.
    """
    study = _is_any(session, StudyRow, col(StudyRow.name) != LABELLED)
    scripted = select(col(StudyRow.id)).where(col(StudyRow.name) == LABELLED)
    done = {
        "benchmark": _is_any(session, BenchmarkRow),
        "run": _is_any(session, RunRow),
        "explore": study or _is_any(session, SavedViewRow),
        "study": study,
        "people": _is_any(
            session, UserRow, col(UserRow.role) == "annotator", col(UserRow.annotator_kind) == "human"
        ),
        "label": _is_any(
            session,
            AnnotationRow,
            col(AnnotationRow.submitted).is_(True),
            col(AnnotationRow.study_id).not_in(scripted),
        ),
        "report": _is_any(session, FrozenReportRow),
    }
    return frozenset(step for step in STEPS if done[step])


def _is_any(session: Session, of: type, *where: ColumnElement[bool]) -> bool:
    return session.execute(select(of).where(*where).limit(1)).first() is not None


def _count(session: Session, *where: ColumnElement[bool], of: type) -> int:
    return int(session.execute(select(func.count()).select_from(of).where(*where)).scalar_one())
