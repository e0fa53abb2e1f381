"""A benchmark's name and openness are changed by a logged act of who may evaluate, never for closed data."""

from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from clinicnum.credentialed_data import data_use
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, BenchmarkRow, InstanceRow, RunRow
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.audit.audit_log import INSTALLATION, verify_one
from clinicnum.db.work.benchmarks import benchmark_changes as work
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import InputError, NotAllowed
from tests.db.examples import material

IMPORTED: dict[str, Any] = {"source_format": "csv-number", "source": "own.csv", "credentialed": True}


@pytest.fixture
def rea(engine: Engine) -> str:
    """A researcher, where a benchmark with runs is stored."""
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=2, right=1))
        return add_user(session, name="rea", role="researcher", password=None).user_id


def as_imported(engine: Engine, **meta: Any) -> None:
    """Give the benchmark and its runs the meta data of imported questions."""
    said = IMPORTED | meta
    with writing(engine) as session:
        row = session.get_one(BenchmarkRow, "bench")
        row.meta = said | {"data_use": data_use(said)}
        for run in session.scalars(select(RunRow)):
            run.meta = run.meta | {"credentialed": True, "data_use": data_use(said)}


def metas(session: Session) -> list[dict[str, Any]]:
    return [
        session.get_one(BenchmarkRow, "bench").meta,
        *(one.meta for one in session.scalars(select(RunRow))),
    ]


def changes(session: Session) -> list[tuple[str, Any, Any]]:
    rows = session.scalars(select(AuditRow).where(col(AuditRow.action) == "change_benchmark"))
    return [(row.actor, row.before, row.after) for row in rows]


def test_a_benchmark_is_renamed_and_the_log_tells_of_it(engine: Engine, rea: str) -> None:
    as_imported(engine)
    with writing(engine) as session:
        assert work.rename_benchmark(session, user_id=rea, benchmark="bench", name="  My  ward ") == "My ward"
        assert work.rename_benchmark(session, user_id=rea, benchmark="bench", name="My ward") == "My ward"
        assert work.rename_benchmark(session, user_id=rea, benchmark="bench", name="") == "own.csv"
    with reading(engine) as session:
        assert changes(session) == [
            (rea, {"benchmark": "bench", "name": None}, {"benchmark": "bench", "name": "My ward"}),
            (rea, {"benchmark": "bench", "name": "My ward"}, {"benchmark": "bench", "name": None}),
        ]
        assert verify_one(session, INSTALLATION, None).broken_at is None
    with pytest.raises(InputError, match="101 characters"), writing(engine) as session:
        work.rename_benchmark(session, user_id=rea, benchmark="bench", name="x" * 101)


def test_imported_questions_are_opened_with_their_runs_and_closed_again(engine: Engine, rea: str) -> None:
    as_imported(engine)
    with writing(engine) as session:
        before = [one.revision for one in session.scalars(select(RunRow))]
        assert work.open_benchmark(session, user_id=rea, benchmark="bench", open_data=True)
        assert not work.open_benchmark(session, user_id=rea, benchmark="bench", open_data=True)
    with reading(engine) as session:
        benchmark, *runs = metas(session)
        assert data_use(benchmark, (), *runs) is None
        assert all("data_use" not in one for one in (benchmark, *runs))
        assert [one.revision for one in session.scalars(select(RunRow))] == [one + 1 for one in before]
        assert changes(session) == [
            (rea, {"benchmark": "bench", "open_data": False}, {"benchmark": "bench", "open_data": True})
        ]
    with writing(engine) as session:
        assert work.open_benchmark(session, user_id=rea, benchmark="bench", open_data=False)
    with reading(engine) as session:
        assert all(one["credentialed"] is True and one["data_use"] for one in metas(session))


@pytest.mark.parametrize(
    ("meta", "why"),
    [
        ({"source": "mimic-iv-ed"}, "under a data use agreement \\(mimic-iv-ed\\), which are never open"),
        ({"source_format": "clinicnumrobbench"}, "under a data use agreement \\(ClinicNumRobBench\\)"),
        ({"source_format": "medec"}, "under a data use agreement \\(MEDEC\\)"),
        ({"source_format": None, "source": "ward.csv"}, "generated from records"),
    ],
)
def test_what_is_known_to_be_closed_or_was_generated_is_never_opened(
    engine: Engine, rea: str, meta: dict[str, Any], why: str
) -> None:
    as_imported(engine, **meta)
    with pytest.raises(InputError, match=why), writing(engine) as session:
        work.open_benchmark(session, user_id=rea, benchmark="bench", open_data=True)
    with reading(engine) as session:
        assert all(one["credentialed"] is True for one in metas(session))
        assert changes(session) == []


def test_closed_records_close_whatever_the_meta_data_say(engine: Engine, rea: str) -> None:
    as_imported(engine)
    with writing(engine) as session:
        row = session.scalars(select(InstanceRow)).first()
        assert row is not None
        records = [one | {"source": "mimic-iv-ed"} for one in row.payload["records"]]
        row.payload = row.payload | {"records": records}
        assert records
    with pytest.raises(InputError, match="never open"), writing(engine) as session:
        work.open_benchmark(session, user_id=rea, benchmark="bench", open_data=True)


def test_who_may_not_evaluate_changes_nothing(engine: Engine, rea: str) -> None:
    as_imported(engine)
    with writing(engine) as session:
        ann = add_user(session, name="ann", role="annotator", password=None).user_id
    for act in (
        lambda session: work.open_benchmark(session, user_id=ann, benchmark="bench", open_data=True),
        lambda session: work.rename_benchmark(session, user_id=ann, benchmark="bench", name="mine"),
    ):
        with pytest.raises(NotAllowed), writing(engine) as session:
            act(session)
    with reading(engine) as session:
        assert changes(session) == []
