"""A version under review, for the tests of rounds: a curator, experts, sheets with right answers."""

from functools import cache
from typing import Any

from sqlalchemy import Engine, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.review_sheet import ReviewSheet
from clinicnum.annotations.curation.template_acceptance import SAMPLE
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import DraftRow, ReviewRow, TemplateRow, utc_now
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review import expert_review, review_rounds, review_rounds_for_curators
from clinicnum.db.work.review.review_rounds_for_curators import RoundView
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.types import REPRESENTATIONS

PULSE = "arithmetic.pulse_pressure"
EXPERTS = ("ann", "ben", "eve")
HOLDS = Trial(
    asked=SAMPLE,
    not_asked=0,
    taken=SAMPLE,
    by_representation=dict.fromkeys(REPRESENTATIONS, SAMPLE),
    rejected={},
    broken={},
    flagged=0,
    faults=(),
    holds=True,
)
"""What the trial of a sound template comes to; making it anew in every test would take seconds."""


@cache
def of_the_bank(template_id: str) -> Template:
    return next(one for one in named_bank("base") if one.id == template_id)


def make_people(engine: Engine) -> dict[str, str]:
    """User ids by name: a curator and another, who edits; three annotators and an adjudicator; an admin."""
    roles = {"cora": "curator", "carl": "curator", "ada": "adjudicator", "root": "admin"}
    with writing(engine) as session:
        for name in EXPERTS:
            users.add_user(session, name=name, role="annotator", password=None)
        for name, role in roles.items():
            users.add_user(session, name=name, role=role, password=None)  # type: ignore[arg-type]
        return {one.name: one.user_id for one in users.list_users(session)}


def send_to_review(
    engine: Engine,
    people: dict[str, str],
    template_id: str = PULSE,
    version: int = 2,
    *,
    draft: str = "d1",
    base: tuple[str, int] | None = None,
) -> None:
    """A version that cora drafted, carl edited and cora sent."""
    drafted = of_the_bank(template_id).model_copy(update={"version": version, "status": "draft"})
    with writing(engine) as session:
        template_versions.add_templates(session, [of_the_bank(template_id)])
        template_versions.put_version(session, drafted, author=people["cora"])
        session.add(
            DraftRow(
                id=draft,
                base_id=base and base[0],
                base_version=base and base[1],
                author=people["cora"],
                content=drafted.model_dump(mode="json"),
                edited_by=[people["cora"], people["carl"]],
                changed_by=people["carl"],
                status="submitted",
                template_id=template_id,
                version=version,
                created_at=utc_now(),
                changed_at=utc_now(),
            )
        )


def open_round(engine: Engine, people: dict[str, str], **other: Any) -> str:
    asked = {"template_id": PULSE, "version": 2, "experts": EXPERTS, "actor": people["cora"], **other}
    with writing(engine) as session:
        return review_rounds.open_round(session, **asked)


def golds(session: Session, round_id: str, user_id: str) -> dict[str, str]:
    """The right answers to an expert's instances, by number: an expert works them out."""
    row = session.get_one(ReviewRow, (round_id, user_id))
    return {str(number): case["answer"] for number, case in enumerate(row.cases, start=1)}


def right_sheet(engine: Engine, round_id: str, user_id: str, **other: Any) -> ReviewSheet:
    with reading(engine) as session:
        answers = golds(session, round_id, user_id)
        mechanical = expert_review.load_review(session, user_id=user_id, round_id=round_id).mechanical
    ratings = {"clarity": 4, "relevance": 3, "answerability": 4}
    if mechanical:
        del ratings["relevance"]
    return ReviewSheet.model_validate({"ratings": ratings, "answers": answers, **other})


def hand_in(engine: Engine, round_id: str, user_id: str, **other: Any) -> None:
    sheet = right_sheet(engine, round_id, user_id, **other)
    with writing(engine) as session:
        expert_review.hand_in(session, user_id=user_id, round_id=round_id, sheet=sheet)


def close(engine: Engine, round_id: str, actor: str, *, accept: bool = True, reason: str = "") -> None:
    with writing(engine) as session:
        review_rounds.close_round(
            session, round_id=round_id, accept=accept, trial=HOLDS, actor=actor, reason=reason
        )


def view(engine: Engine, round_id: str, viewer: str) -> RoundView:
    with reading(engine) as session:
        return review_rounds_for_curators.load_round(session, round_id=round_id, viewer=viewer, trial=HOLDS)


def statuses(engine: Engine, template_id: str = PULSE) -> dict[int, str]:
    with reading(engine) as session:
        rows = session.scalars(select(TemplateRow).where(col(TemplateRow.template_id) == template_id))
        return {row.version: row.status for row in rows}
