"""The same seed gives the same bytes, also after a way through either kind of database."""

from pathlib import Path

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import write_jsonl
from clinicnum.scoring import score
from clinicnum.scripts.commands import generate as command
from clinicnum.types import Generation
from tests.db.examples import SHA, add_users, open_study


def generated(out: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("CLINICNUM_DATABASE_URL", database_url)
    command.generate(
        bank="all", quota="retrieval=6,arithmetic=60,comparison=60,aggregation=30", seed=3, out=out
    )
    return out.read_bytes()


def test_the_same_seed_gives_the_same_bytes_through_any_database(
    engine: Engine, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = generated(tmp_path / "a.jsonl", database_url, monkeypatch)
    assert first == generated(tmp_path / "b.jsonl", database_url, monkeypatch)
    instances = tuple(read_benchmark(tmp_path / "a.jsonl").values())
    generations = tuple(
        Generation(
            generation_id=f"g{number}",
            run_id="r",
            instance_id=one.instance_id,
            text="no",
            finish_reason="stop",
        )
        for number, one in enumerate(instances)
    )
    add_users(engine)
    pairs = zip(instances, generations, strict=True)
    scores = tuple(score(instance=one, generation=text) for one, text in pairs)
    run = Run(generations=generations, meta={"benchmark_sha256": SHA})
    made = Material(benchmark_meta={"sha256": SHA}, instances=instances, runs=(run,), scores=scores)
    open_study(engine, made, overlap=1, include="all")
    with reading(engine) as session:
        back = load_study_tables(session, "six").instances
    write_jsonl(tmp_path / "back.jsonl", back)
    assert (tmp_path / "back.jsonl").read_bytes() == first
