"""Benchmarks and runs stored in many short transactions: unseen until the last, and never half there."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from sqlmodel import Session, col

from clinicnum.annotations.curation.bank_page_types import VersionSearch
from clinicnum.annotations.study_inputs import Material
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import (
    UNFINISHED_TOO,
    AuditRow,
    BenchmarkRow,
    GenerationRow,
    InstanceRow,
    Row,
    RunRow,
    ScoreRow,
    SettingRow,
    TemplateRow,
    utc_now,
)
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.bank.browse_bank import list_versions
from clinicnum.db.work.bank.template_health import is_stale
from clinicnum.db.work.benchmarks.batched_storage import Storing, delete_left_over, storing
from clinicnum.db.work.benchmarks.benchmark_list import find_benchmark, list_benchmarks
from clinicnum.db.work.benchmarks.browse_instances import get_instance
from clinicnum.db.work.explore.explorable_runs import explorable_runs
from clinicnum.db.work.home.pending_work import overview
from clinicnum.db.work.runs.launch_run import runnable_benchmarks
from clinicnum.db.work.runs.store_study_material import begin_material
from clinicnum.db.work.runs.stored_runs import add_runs, find_runs, list_runs
from clinicnum.errors import Conflict, InputError
from tests.db.examples import material

TABLES: tuple[type[Row], ...] = (BenchmarkRow, TemplateRow, InstanceRow, RunRow, GenerationRow, ScoreRow)
MADE = material(wrong=90, right=60)


def counts(engine: Engine) -> list[int]:
    """How many rows there are of each table, seen or not."""
    with reading(engine) as session:
        return [
            session.execute(select(func.count()).select_from(table.__table__)).scalar_one()  # type: ignore[attr-defined]
            for table in TABLES
        ]


def whole(engine: Engine) -> list[Any]:
    """All rows of these tables, and what the log says of them."""
    with reading(engine) as session:
        rows = [
            sorted((one.model_dump(mode="json") for one in session.scalars(select(table))), key=repr)
            for table in TABLES
        ]
        return [*rows, list(session.scalars(select(col(AuditRow.after)).order_by(col(AuditRow.seq))))]


@pytest.fixture
def unbroken(sqlite_template: Path, tmp_path: Path) -> Iterator[Engine]:
    """A database in which the material was stored in one transaction."""
    shutil.copy(sqlite_template, tmp_path / "unbroken.db")
    engine = make_engine(f"sqlite:///{tmp_path / 'unbroken.db'}")
    with writing(engine) as session:
        add_runs(session, material=MADE)
    yield engine
    engine.dispose()


def store(engine: Engine, made: Material = MADE) -> None:
    with storing(engine) as parts:
        begun = begin_material(parts, made)
        with writing(engine) as session:
            add_runs(session, material=made, begun=begun)


def leave(engine: Engine, made: Material = MADE) -> Storing:
    """What a writer has done that is killed before its last transaction."""
    parts = Storing(engine, partial(writing, engine), lambda percent: None)
    begin_material(parts, made)
    return parts


def grow_old(engine: Engine) -> None:
    with writing(engine) as session:
        for head in (BenchmarkRow, RunRow):
            session.execute(update(head).values(storing_until=utc_now() - timedelta(seconds=1)))


def test_it_ends_as_in_one_transaction_and_others_save_between(engine: Engine, unbroken: Engine) -> None:
    other = make_engine(engine.url.render_as_string(hide_password=False), patience_s=1.0)
    told: list[int] = []
    saves: list[str] = []

    @contextmanager
    def transaction() -> Iterator[Session]:
        with writing(engine) as session:
            yield session
        with writing(other) as session:
            saves.append(f"save {len(saves)}")
            session.add(SettingRow(key=saves[-1], value=""))

    with storing(engine, transaction, told.append) as parts:
        begun = begin_material(parts, MADE)
        with writing(engine) as session:
            add_runs(session, material=MADE, begun=begun)
    other.dispose()
    assert len(saves) > 5
    assert told == sorted(told)
    assert told[-1] == 100
    assert whole(engine) == whole(unbroken)


def test_what_is_half_stored_is_seen_nowhere(engine: Engine) -> None:
    with writing(engine) as session:
        user = add_user(session, name="res", role="researcher", password=None).user_id
    with reading(engine) as session:
        steps = overview(session, user_id=user)
    leave(engine)
    assert counts(engine) == [1, 1, 150, 1, 150, 150]
    with reading(engine) as session:
        assert list_benchmarks(session, user_id=user) == ()
        assert runnable_benchmarks(session, user_id=user) == ()
        assert explorable_runs(session, user_id=user) == {}
        assert list_runs(session) == ()
        assert list_versions(session, VersionSearch()).found == 0
        assert overview(session, user_id=user) == steps
        assert not is_stale(session)
        for ask in (
            lambda: find_benchmark(session, "bench"),
            lambda: get_instance(session, user_id=user, benchmark="bench", instance_id="i1"),
            lambda: find_runs(session, ["run-of-llama"]),
        ):
            with pytest.raises(InputError):
                ask()


def test_a_failure_leaves_nothing(engine: Engine) -> None:
    def fail() -> None:
        with storing(engine) as parts:
            begin_material(parts, MADE)
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        fail()
    assert counts(engine) == [0] * len(TABLES)


def test_what_a_killed_writer_left_is_deleted_when_it_was_silent_for_long(engine: Engine) -> None:
    leave(engine)
    delete_left_over(engine, for_s=60)
    assert counts(engine) == [1, 1, 150, 1, 150, 150]
    grow_old(engine)
    for _ in range(500):
        delete_left_over(engine, for_s=0)
    assert counts(engine) == [0] * len(TABLES)


def test_what_was_left_is_deleted_without_the_templates_that_another_needs(engine: Engine) -> None:
    leave(engine)
    grow_old(engine)
    other = material(wrong=120)
    instances = tuple(one.model_copy(update={"benchmark_id": "other"}) for one in other.instances)

    @contextmanager
    def transaction() -> Iterator[Session]:
        with writing(engine) as session:
            yield session
        delete_left_over(engine, for_s=60)

    with storing(engine, transaction) as parts:
        begun = begin_material(parts, replace(other, instances=instances))
        with writing(engine) as session:
            add_runs(session, material=replace(other, instances=instances), begun=begun)
    assert counts(engine) == [1, 1, 120, 1, 120, 120]


@pytest.mark.parametrize("in_parts", [True, False])
def test_the_next_writer_of_the_same_takes_over(engine: Engine, unbroken: Engine, in_parts: bool) -> None:
    old = leave(engine, material(wrong=150, right=10))
    if in_parts:
        store(engine)
    else:
        with writing(engine) as session:
            add_runs(session, material=MADE)
    with pytest.raises(Conflict, match="Somebody else"):
        old.add(InstanceRow, [{"id": "late"}])
    with pytest.raises(Conflict), writing(engine) as session:
        old.publish(session)
    old.abandon()
    assert whole(engine) == whole(unbroken)


def test_a_new_run_of_a_stored_benchmark_is_not_seen_before_its_last_answer(engine: Engine) -> None:
    store(engine)
    other = material(wrong=60, right=90, run_id="other")
    leave(engine, other)
    with reading(engine) as session:
        assert [one.run_id for one in list_runs(session)] == ["run-of-llama"]
        assert session.get(RunRow, "other") is None
    store(engine, other)
    with reading(engine) as session:
        assert [(one.run_id, one.scored) for one in list_runs(session)] == [
            ("other", 150),
            ("run-of-llama", 150),
        ]


def test_scores_and_answers_that_are_there_are_left_and_others_replace_them(engine: Engine) -> None:
    store(engine)
    before = whole(engine)
    store(engine)
    assert [len(one) for one in whole(engine)] == [len(one) for one in before[:-1]] + [len(before[-1]) + 1]
    turned = tuple(one.model_copy(update={"status": "abstained"}) for one in MADE.scores)
    store(engine, replace(MADE, scores=turned))
    with reading(engine) as session:
        (run,) = list_runs(session)
    assert run.statuses == {"abstained": 150}
    store(engine)
    with reading(engine) as session:
        (run,) = list_runs(session)
    assert run.statuses == {"correct": 60, "incorrect": 90}
    grown = material(wrong=90, right=80)
    with pytest.raises(InputError, match="have no score"):
        store(engine, replace(grown, scores=grown.scores[:100]))
    store(engine, grown)
    assert counts(engine)[2:5] == [170, 1, 170]


def test_other_content_under_the_same_ids_is_refused(engine: Engine) -> None:
    store(engine)
    before = whole(engine)
    other = tuple(one.model_copy(update={"question": "Another?"}) for one in MADE.instances)
    with pytest.raises(InputError, match="already with other content"):
        store(engine, replace(MADE, instances=other))
    assert whole(engine) == before


def test_selects_of_every_form_leave_unfinished_rows_out(engine: Engine) -> None:
    leave(engine)
    with reading(engine) as session:
        key = session.scalar(select(col(RunRow.id)).execution_options(**UNFINISHED_TOO))
        joined = select(col(GenerationRow.id)).join(RunRow, col(RunRow.id) == col(GenerationRow.run))
        for statement in (
            select(RunRow),
            select(func.count(col(RunRow.id))).having(func.count(col(RunRow.id)) > 0),
            select(col(RunRow.benchmark_id), func.count()).group_by(col(RunRow.benchmark_id)),
            select(1).select_from(BenchmarkRow),
            select(col(GenerationRow.id)).where(col(GenerationRow.run).in_(select(col(RunRow.id)))),
            joined,
        ):
            assert session.execute(statement).all() == [], statement
        assert session.get(RunRow, key) is None
