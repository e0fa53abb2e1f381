"""What models are called before curators: by name only where no study with the run is still open."""

from sqlalchemy import select
from sqlmodel import Session, col

from annotations.report.view import run_names
from clinicnum.types import Frozen
from db.rows import RunRow, StudyRow, StudyRunRow


class Model(Frozen):
    """A run as a curator may know it."""

    name: str
    """Of the model, or `Model 3` while it is hidden."""
    hidden: str | None
    """The name to be masked in texts; None if it is no secret or not known."""


def models_of_runs(session: Session) -> dict[str, Model]:
    """Every run by row id; a hidden one keeps its number as long as no run is added."""
    rows = session.execute(
        select(col(RunRow.id), col(RunRow.run_id), col(RunRow.meta)).order_by(col(RunRow.id))
    ).all()
    still_open = set(
        session.scalars(
            select(col(StudyRunRow.run))
            .join(StudyRow, col(StudyRow.id) == col(StudyRunRow.study_id))
            .where(col(StudyRow.status) != "closed")
        )
    )
    told = {key: str(meta.get("model") or "") for key, _, meta in rows}
    ids = {key: run_id for key, run_id, _ in rows}
    names = run_names(told)
    return {
        key: Model(name=f"Model {number}", hidden=told[key] or None)
        if key in still_open
        else Model(name=names[key].replace(key, ids[key]), hidden=None)
        for number, key in enumerate(told, start=1)
    }
