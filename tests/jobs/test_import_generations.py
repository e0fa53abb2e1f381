"""Uploaded answers become a scored run, or nothing at all."""

from pathlib import Path

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import RunRow
from clinicnum.db.upload_storage import Upload, Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.benchmarks.benchmark_storage import store_benchmark
from clinicnum.db.work.runs import stored_runs
from clinicnum.inference.model_metadata import asks_form
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from tests.db.examples import instance
from tests.jobs.performing import perform_job

GOOD = 'id,answer\ni0,"{""answer"": ""1000""}"\ni1,I do not know.\n'


@pytest.fixture
def rhea(engine: Engine) -> str:
    """A researcher, where a benchmark of three questions is stored."""
    with writing(engine) as session:
        store_benchmark(session, meta={"name": "three"}, instances=[instance(number) for number in range(3)])
        return add_user(session, name="rhea", role="researcher", password=None).user_id


def upload(files: Path, owner: str, content: str) -> Upload:
    with Uploads(uploads_folder(files)).begin(owner=owner, name="a.csv", size=len(content)) as receiving:
        receiving.write(content.encode())
        return receiving.finish()


def arguments(found: Upload, **given: object) -> dict[str, object]:
    return {
        "upload": found.upload_id,
        "file_name": found.name,
        "format": "csv",
        "benchmark_id": "bench",
        "model": "gpt-x",
        "columns": {"instance_id": "id", "text": "answer"},
        "label": "from elsewhere",
    } | given


def listed(engine: Engine) -> tuple[RunSummary, ...]:
    with reading(engine) as session:
        return stored_runs.list_runs(session)


def test_uploaded_answers_are_scored_and_stored_once(engine: Engine, rhea: str, tmp_path: Path) -> None:
    found = upload(tmp_path, rhea, GOOD)
    job = perform_job(engine, tmp_path, rhea, "import_generations", **arguments(found))
    assert (job.status, job.error) == ("done", None)
    (run,) = listed(engine)
    assert (run.model, run.label, run.generations) == ("gpt-x", "from elsewhere", 2)
    assert run.statuses == {"correct": 1, "abstained": 1}
    assert job.result is not None
    assert (job.result["runs"], job.result["unanswered"]) == ([run.run], 1)
    with reading(engine) as session:
        meta = session.get_one(RunRow, run.run).meta
    assert (meta["client"], meta["source"]) == ("import", "a.csv")
    assert run.begun_at == meta["imported_at"]
    assert list(uploads_folder(tmp_path).glob("*")) == []
    again = upload(tmp_path, rhea, GOOD)
    perform_job(engine, tmp_path, rhea, "import_generations", **arguments(again))
    assert [one.run for one in listed(engine)] == [run.run]


def test_answers_to_our_own_prompts_are_stored_as_such(engine: Engine, rhea: str, tmp_path: Path) -> None:
    for own in (False, True):
        found = upload(tmp_path, rhea, GOOD)
        perform_job(engine, tmp_path, rhea, "import_generations", **arguments(found, own_prompts=own))
    with reading(engine) as session:
        metas = [session.get_one(RunRow, one.run).meta for one in listed(engine)]
    assert sorted(asks_form(meta) for meta in metas) == [False, True]


def test_one_wrong_row_and_nothing_is_stored(engine: Engine, rhea: str, tmp_path: Path) -> None:
    found = upload(tmp_path, rhea, GOOD + "i7,5\n")
    job = perform_job(engine, tmp_path, rhea, "import_generations", **arguments(found))
    assert job.status == "failed"
    assert job.error is not None
    assert job.error.startswith("a.csv:4: row 3: id is 'i7'; expected the id of an instance")
    assert listed(engine) == ()
    job = perform_job(engine, tmp_path, rhea, "import_generations", **arguments(found, benchmark_id="none"))
    assert "There is no benchmark 'none'" in str(job.error)
    job = perform_job(engine, tmp_path, rhea, "import_generations", **arguments(found, upload="0" * 32))
    assert "There is no such uploaded file" in str(job.error)
