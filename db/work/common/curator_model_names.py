"""Names of models as curators see them: masked while any study that uses the run masks its models."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.report.model_run import run_names
from clinicnum.db.rows import RunRow, StudyRow, StudyRunRow
from clinicnum.db.work.common.model_masking_period import masked
from clinicnum.io.jsonl import keyed_id
from clinicnum.types import Frozen


class Model(Frozen):
    """A run as shown to a curator."""

    name: str
    """The model's name, or `Model 3` while it is masked."""
    hidden: str | None
    """The name to be masked in texts; None if the model is not masked or its name is unknown."""


def models_of_runs(session: Session) -> dict[str, Model]:
    """Every run as a curator sees it, by row id.

    A masked run keeps its number until a study starts or stops masking any run.
    """
    rows = session.execute(
        select(col(RunRow.id), col(RunRow.run_id), col(RunRow.meta)).order_by(col(RunRow.id))
    ).all()
    masking = session.execute(
        select(col(StudyRunRow.run), col(StudyRow.secret))
        .join(StudyRow, col(StudyRow.id) == col(StudyRunRow.study_id))
        .where(masked())
    ).all()
    # Numbered in a secret order, as the order of the runs' ids can be derived from their files.
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
