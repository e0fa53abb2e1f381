"""The name of a new study."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import StudyRow
from clinicnum.errors import InputError

LONGEST_NAME = 100


def new_study_name(session: Session, name: str) -> str:
    """The name without spaces around it. Raises InputError for one that a new study cannot have."""
    cleaned = name.strip()
    if not cleaned:
        raise InputError("the study has no name yet; give it one", on_command_line="--name")
    if len(cleaned) > LONGEST_NAME:
        raise InputError(
            "the name of the study has {n} characters; expected at most {most}",
            n=len(cleaned),
            most=LONGEST_NAME,
            on_command_line="--name",
        )
    if not cleaned.isprintable():
        raise InputError(
            "the name {name!r} holds characters that cannot be shown; write it anew",
            name=cleaned,
            on_command_line="--name",
        )
    if session.scalars(select(StudyRow).where(col(StudyRow.name) == cleaned)).first() is not None:
        raise InputError(
            "there is a study {name!r} already; choose another name", name=cleaned, on_command_line="--name"
        )
    return cleaned
