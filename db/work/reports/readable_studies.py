"""Which studies' reports an account may read, and which it may build.

A report names models and counts everybody's labels. While a study is going on, or decisions are pending,
only those who manage studies read it; adjudicators and curators do once it is decided. An annotator of a
study that is not closed reads nothing of it in any role.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from clinicnum.annotations.role_rights import may, require
from clinicnum.annotations.types import StudyStatus, User
from clinicnum.db.rows import StudyRow
from clinicnum.db.work.accounts.users import get_user
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.db.work.common.model_masking_period import masked
from clinicnum.errors import InputError, NotAllowed
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen


class ReadableStudy(Frozen):
    """A study whose report the account may read."""

    study_id: str
    name: str
    status: StudyStatus


def report_reader(session: Session, user_id: str) -> User:
    """The account, if it may read reports. Raises NotAllowed otherwise."""
    user = get_user(session, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "see_report")
    return user


def readable_studies(session: Session, *, user_id: str) -> tuple[ReadableStudy, ...]:
    """The studies whose reports the account may read, by name. Raises NotAllowed for an account without the
    right to read reports.
    """
    user = report_reader(session, user_id)
    barred = barred_studies(session, user_id)
    shown = every_study(session) if may(user.role, "manage_studies") else _studies(session, ~masked())
    return tuple(one for one in shown if one.study_id not in barred)


def every_study(session: Session) -> tuple[ReadableStudy, ...]:
    """All studies, by name; for commands."""
    return _studies(session)


def _studies(session: Session, *where: ColumnElement[bool]) -> tuple[ReadableStudy, ...]:
    statement = select(col(StudyRow.id), col(StudyRow.name), col(StudyRow.status)).where(*where)
    return tuple(
        ReadableStudy(study_id=key, name=name, status=status)
        for key, name, status in session.execute(statement.order_by(col(StudyRow.name)))
    )


def check_readable(session: Session, names: Collection[str], *, user_id: str) -> tuple[ReadableStudy, ...]:
    """The studies of these names, in their order.

    Raises InputError for none, one named twice and an unknown one, NotAllowed for one whose report
    the account may not read.
    """
    if not names:
        raise InputError(Translatable("No study is chosen; choose one or several."))
    if len(set(names)) < len(names):
        raise InputError(Translatable("A study is named twice; name each once."))
    readable = {one.name: one for one in readable_studies(session, user_id=user_id)}
    stored = set(session.scalars(select(col(StudyRow.name)).where(col(StudyRow.name).in_(names))))
    for name in names:
        if name not in stored:
            raise InputError(Translatable("No study is named {name!r}; reload the page.", name=name))
        if name not in readable:
            raise NotAllowed(
                "The report of study {name!r} is not open to you: it opens when the study is closed "
                "and decided.",
                name=name,
            )
    return tuple(readable[name] for name in names)
