"""The names of models as curators see them: masked as long as any study with the run masks them."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.report.model_run import run_names
from clinicnum.db.rows import RunRow, StudyRow, StudyRunRow
from clinicnum.db.work.common.model_masking import masked
from clinicnum.io.jsonl import keyed_id
from clinicnum.types import Frozen


class Model(Frozen):
    """A run as shown to a curator."""

    name: str
    """Of the model, or `Model 3` while it is hidden."""
    hidden: str | None
    """The name to be masked in texts; None if it is no secret or not known."""


def models_of_runs(session: Session) -> dict[str, Model]:
    """Every run by row id; a masked run keeps its number as long as no study starts or ends masking a run."""
    rows = session.execute(
        select(col(RunRow.id), col(RunRow.run_id), col(RunRow.meta)).order_by(col(RunRow.id))
    ).all()
    masking = session.execute(
        select(col(StudyRunRow.run), col(StudyRow.secret))
        .join(StudyRow, col(StudyRow.id) == col(StudyRunRow.study_id))
        .where(masked())
    ).all()
    # Numbered in a secret order: that of the runs' ids could be worked out from their files.
    key = "".join(sorted({secret for _, secret in masking}))
    hidden = sorted({run for run, _ in masking}, key=lambda run: keyed_id(key, ["model", run]))
    numbers = {run: number for number, run in enumerate(hidden, start=1)}
    told = {key: str(meta.get("model") or "") for key, _, meta in rows}
    ids = {key: run_id for key, run_id, _ in rows}
    names = run_names(told)
    return {
        run: Model(name=f"Model {numbers[run]}", hidden=told[run] or None)
        if run in numbers
        else Model(name=names[run].replace(run, ids[run]), hidden=None)
        for run in told
    }
