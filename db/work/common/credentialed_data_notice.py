"""The notice to show if the database or a study holds credentialed data."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.credentialed_data import data_use
from clinicnum.db.rows import BenchmarkRow, InstanceRow, StudyRow
from clinicnum.types import Instance


def data_use_of_study(session: Session, study_id: str) -> str | None:
    """The notice for one study, by its benchmark; None if its records are open."""
    benchmark = session.get_one(BenchmarkRow, session.get_one(StudyRow, study_id).benchmark_id)
    return _data_use(session, benchmark)


def data_use_of_all(session: Session) -> str | None:
    """The notices for all benchmarks, without repetition; None if all records are open."""
    rows = session.scalars(select(BenchmarkRow).order_by(col(BenchmarkRow.id))).all()
    said = (_data_use(session, row) for row in rows)
    return " ".join(dict.fromkeys(one for one in said if one is not None)) or None


def _data_use(session: Session, row: BenchmarkRow) -> str | None:
    """The notice for one benchmark, if any, from its meta data and its first instance.

    Data stored before the credentialed mark existed have no mark in the meta data, but a single source of
    records.
    """
    first = select(col(InstanceRow.payload)).where(col(InstanceRow.benchmark_id) == row.id).limit(1)
    return data_use(row.meta, [Instance.model_validate(one) for one in session.scalars(first)])
