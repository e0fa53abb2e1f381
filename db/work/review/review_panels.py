"""Review panels: invite and withdraw experts, who must have the right and must not have written the
version.
"""

import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.reviewed_version import cases_for, read_version
from clinicnum.annotations.curation.template_acceptance import FEWEST, MOST, PANEL
from clinicnum.annotations.role_rights import require
from clinicnum.db.rows import ReviewRow, TemplateRow, UserRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review.review_queries import authors_of, lock_open_round, log_round
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance


def check_panel(session: Session, version: TemplateRow, experts: Sequence[str]) -> tuple[str, ...]:
    """The user ids of the accounts with these names, without repetition.

    Raises InputError for too few, too many or unknown accounts, NotAllowed for one that may not review the
    version.
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in experts))
    if not FEWEST <= len(names) <= MOST:
        raise InputError(
            Translatable(
                "{n} experts were chosen; a review takes {panel}; choose some more or fewer",
                n=len(names),
                panel=PANEL,
            )
        )
    return tuple(find_expert(session, name, version).id for name in names)


def new_mark() -> str:
    """A random 128-bit id that stands for an expert where the name must not be shown."""
    return secrets.token_hex(16)


def review_row(round_id: str, user: str, mark: str, cases: Sequence[Instance]) -> ReviewRow:
    """The row of an expert's review in a round, with the instances to answer; `mark` stands for the expert's
    name.
    """
    dumped = [one.model_dump(mode="json") for one in cases]
    return ReviewRow(round_id=round_id, user_id=user, mark=mark, cases=dumped)


def find_expert(session: Session, name: str, version: TemplateRow) -> UserRow:
    """The account of this name, which may review the version.

    Raises InputError for an unknown name, NotAllowed for an account that is switched off, simulated, without
    the right, or an author of the version.
    """
    user = None if "\0" in name else session.scalar(select(UserRow).where(col(UserRow.name) == name))
    if user is None:
        raise InputError(
            Translatable("no account is called {name!r}; choose experts from the list", name=name)
        )
    if not user.active:
        raise NotAllowed(Translatable("{name} is switched off; choose another expert", name=name))
    if user.annotator_kind != "human":
        raise NotAllowed(Translatable("{name} is simulated; only people review templates", name=name))
    require(user.role, "review_templates")  # type: ignore[arg-type]  # the database checks the column
    check_uninvolved(session, user, version)
    return user


def check_uninvolved(session: Session, user: UserRow, version: TemplateRow) -> None:
    """Raise NotAllowed if the account wrote or edited the version."""
    if user.id in authors_of(session, version.template_id, version.version):
        raise NotAllowed(
            Translatable(
                "{name} wrote or edited this version and does not review it; choose another expert",
                name=user.name,
            )
        )


def invite(session: Session, *, round_id: str, expert: str, actor: str) -> None:
    """Invite another expert to an open round, unless all have submitted, since ratings are visible then.

    Raises as `lock_open_round` and `find_expert` do, NotAllowed for the actor's own account, and Conflict for
    an expert who is or was invited, for a panel of the largest size, and once all experts have submitted.
    """
    row, rows = lock_open_round(session, round_id, actor)
    version = template_versions.find_version(session, row.template_id, row.version, items_too=True)
    user = find_expert(session, expert.strip().lower(), version)
    if user.id == actor:
        raise NotAllowed(Translatable("you cannot invite yourself; another curator may invite you"))
    known = session.get(ReviewRow, (round_id, user.id), populate_existing=True)
    if known is not None and known.status == "withdrawn":
        raise Conflict(
            Translatable(
                "the invitation of {name} was taken back and is not given again in this round; choose "
                "another expert",
                name=user.name,
            )
        )
    if known is not None:
        raise Conflict(Translatable("{name} is invited already", name=user.name))
    if len(rows) >= MOST:
        raise Conflict(
            Translatable("the round has {n} experts; a review takes {panel}", n=len(rows), panel=PANEL)
        )
    if all(one.payload is not None for one in rows):
        raise Conflict(
            Translatable(
                "all experts have handed in and their ratings can be seen; nobody is invited after that"
            )
        )
    mark = new_mark()
    (cases,) = cases_for(read_version(row.payload), round_id=round_id, experts=[mark])
    session.add(review_row(round_id, user.id, mark, cases))
    session.flush()
    log_round(session, row, actor, "invite_expert", after={"expert": user.id})


def withdraw(session: Session, *, round_id: str, expert: str, actor: str) -> None:
    """Withdraw for good the invitation of an expert who has not submitted; an unfinished sheet is deleted.

    Raises as `lock_open_round` does, InputError for an expert who is not invited, NotAllowed for the actor's
    own account, Conflict for one who has submitted or if too few would remain.
    """
    row, rows = lock_open_round(session, round_id, actor)
    name = expert.strip().lower()
    user = None if "\0" in name else session.scalar(select(UserRow).where(col(UserRow.name) == name))
    review = next((one for one in rows if user is not None and one.user_id == user.id), None)
    if user is None or review is None:
        raise InputError(Translatable("{name!r} is not invited to this round; choose one who is", name=name))
    if user.id == actor:
        raise NotAllowed(Translatable("you cannot take back your own invitation; another curator may"))
    if review.payload is not None:
        raise Conflict(Translatable("{name} has handed in; a review that was given counts", name=user.name))
    if len(rows) <= FEWEST:
        raise Conflict(Translatable("a review takes {panel}; invite another expert first", panel=PANEL))
    review.status, review.draft = "withdrawn", None
    session.add(review)
    session.flush()
    log_round(session, row, actor, "withdraw_invitation", before={"expert": user.id}, after={})
