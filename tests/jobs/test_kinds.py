"""The kinds of jobs, each performed once: what it stores is what the command of its name makes."""

from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow, InstanceRow, RunRow, ScoreRow
from clinicnum.db.work.accounts.users import add_user, set_role
from clinicnum.db.work.benchmarks.benchmark_storage import write_benchmark_file
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.jobs.job_process import perform
from tests.jobs.performing import claim, enqueue, perform_job, summary
from tests.runs.lying import lying_server

QUOTA = "retrieval=2,comparison=2"


@pytest.fixture
def researcher(engine: Engine) -> str:
    with writing(engine) as session:
        return add_user(session, name="res", role="researcher", password="password1").user_id


def test_a_generated_benchmark_is_stored_byte_for_byte(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    files = tmp_path / "files"
    job = perform_job(engine, files, researcher, "generate", quota=QUOTA, seed=4, name="First")
    assert (job.status, job.error) == ("done", None)
    assert job.result is not None
    made, stored = tmp_path / "made.jsonl", tmp_path / "stored.jsonl"
    assert run_command(["generate", "--quota", QUOTA, "--seed", "4", "--out", str(made)]) == 0
    with reading(engine) as session:
        write_benchmark_file(session, job.result["benchmark"], stored)
        assert session.get_one(BenchmarkRow, job.result["benchmark"]).meta["name"] == "First"
    assert stored.read_bytes() == made.read_bytes()
    assert (read_meta(stored) or {}) == (read_meta(made) or {}) | {"name": "First"}
    assert files.stat().st_mode & 0o777 == 0o700


def test_questions_that_are_stored_already_are_named_and_stay_as_they_are(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    asked = {"quota": QUOTA, "seed": 4}
    perform_job(engine, tmp_path / "files", researcher, "generate", **asked, name="First")
    same = perform_job(engine, tmp_path / "files", researcher, "generate", **asked, name="First")
    assert same.status == "done"
    with reading(engine) as session:
        before = len(session.exec(select(InstanceRow)).all())
    for more in ({"name": "Mine"}, {"name": "First", "representation": "note"}):
        job = perform_job(engine, tmp_path / "files", researcher, "generate", **asked, **more)
        assert job.status == "failed"
        assert "stored already, as the benchmark 'First' with 12 instances" in (job.error or "")
    with reading(engine) as session:
        assert len(session.exec(select(InstanceRow)).all()) == before == 12


def test_a_run_is_stored_with_scores_and_can_be_scored_anew(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    made = perform_job(engine, tmp_path / "files", researcher, "generate", quota=QUOTA)
    assert made.result is not None
    with lying_server() as server:
        asked = {
            "benchmark_id": made.result["benchmark"],
            "client": "openai",
            "model": "honest-abe",
            "base_url": server.url,
            "label": "Abe",
        }
        dry = perform_job(engine, tmp_path / "files", researcher, "run", **asked, dry_run=True)
        assert len(server.asked) == 1  # whether it is there
        part = perform_job(engine, tmp_path / "files", researcher, "run", **asked, limit=3)
        assert (part.status, (part.result or {})["generations"]) == ("done", 3)
        before = len(server.asked)
        job = perform_job(engine, tmp_path / "files", researcher, "run", **asked)
        assert len(server.asked) - before == 1 + made.result["instances"] - 3  # the rest only
        again = perform_job(engine, tmp_path / "files", researcher, "run", **asked)
        assert again.result == job.result
    assert dry.result is not None
    assert (
        f"{made.result['instances']} of {made.result['instances']} instances left" in dry.result["estimate"]
    )
    assert (job.status, job.error) == ("done", None)
    assert job.result is not None
    (key,) = job.result["runs"]
    assert sum(job.result["statuses"].values()) == job.result["generations"] == made.result["instances"]
    with reading(engine) as session:
        assert session.get_one(RunRow, key).label == "Abe"
        before = session.exec(select(ScoreRow.id)).all()
        assert len(before) == job.result["generations"]
    again = perform_job(engine, tmp_path / "files", researcher, "score", runs=[key])
    assert again.result is not None
    assert {name: again.result[name] for name in ("runs", "statuses", "causes")} == {
        name: job.result[name] for name in ("runs", "statuses", "causes")
    }
    with reading(engine) as session:
        assert session.exec(select(ScoreRow.id)).all() == before


def test_what_is_wrong_is_said_and_nothing_is_stored(engine: Engine, researcher: str, tmp_path: Path) -> None:
    outside = perform_job(engine, tmp_path / "f", researcher, "generate", source="csv", path="/etc/passwd")
    assert outside.status == "failed"
    assert "outside the folder that jobs may read" in (outside.error or "")
    unknown = perform_job(engine, tmp_path / "f", researcher, "run", benchmark_id="none", model="m")
    assert "no benchmark" in (unknown.error or "")
    job_id = enqueue(engine, researcher, "generate")
    with writing(engine) as session:
        set_role(session, name="res", role="annotator")
    taken = claim(engine, "generate")
    assert taken is not None
    perform(engine, tmp_path / "f", taken.attempt)
    with writing(engine) as session:
        set_role(session, name="res", role="researcher")
    assert "may not evaluate" in (summary(engine, researcher, job_id).error or "")
    with reading(engine) as session:
        assert session.exec(select(InstanceRow.id)).first() is None
