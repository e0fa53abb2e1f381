"""Importing an uploaded file and checking a stored benchmark, as jobs: what is stored, and what is left."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow, InstanceRow
from clinicnum.db.upload_storage import Upload, Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.benchmarks.benchmark_storage import store_benchmark
from clinicnum.db.work.benchmarks.lint_results import last_findings
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from clinicnum.types import Instance
from tests.db.examples import instance
from tests.jobs.performing import perform_job

CONTENT = "Item;Frage;Gold\n1;Pulse?;88\n2;And now?;90\n"
COLUMNS = {"id": "Item", "question": "Frage", "answer": "Gold"}


@pytest.fixture
def researcher(engine: Engine) -> str:
    with writing(engine) as session:
        return add_user(session, name="res", role="researcher", password=None).user_id


def upload(files: Path, owner: str, content: str = CONTENT) -> Upload:
    with Uploads(uploads_folder(files)).begin(owner=owner, name="ward.csv", size=len(content)) as receiving:
        receiving.write(content.encode())
        return receiving.finish()


def asked(found: Upload, **more: Any) -> dict[str, Any]:
    return {
        "upload": found.upload_id,
        "file_name": found.name,
        "format": "csv-number",
        "columns": COLUMNS,
        "label": "Ward 7",
        **more,
    }


def stored(engine: Engine) -> dict[str, str]:
    """Question -> gold answer of all stored instances."""
    with reading(engine) as session:
        found = [Instance.model_validate(one) for one in session.scalars(select(col(InstanceRow.payload)))]
    return {one.question: str(one.answer) for one in found}


def test_an_uploaded_file_becomes_a_benchmark_and_is_deleted(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    found = upload(tmp_path, researcher)
    job = perform_job(engine, tmp_path, researcher, "import_items", **asked(found))
    assert (job.status, job.error) == ("done", None)
    assert job.result is not None
    assert stored(engine) == {"Pulse?": "88", "And now?": "90"}
    with reading(engine) as session:
        meta = session.get_one(BenchmarkRow, job.result["benchmark"]).meta
    assert (meta["name"], meta["source"], meta["credentialed"]) == ("Ward 7", "ward.csv", True)
    assert list(uploads_folder(tmp_path).glob("*")) == []
    again = upload(tmp_path, researcher)
    alike = perform_job(engine, tmp_path, researcher, "import_items", **asked(again))
    assert alike.result == job.result
    assert len(stored(engine)) == 2
    for other, says in (
        ({"open_data": True}, "'Ward 7' (open)"),
        ({"label": "My ward"}, "'My ward' (not known to be open)"),
    ):
        again = upload(tmp_path, researcher)
        refused = perform_job(engine, tmp_path, researcher, "import_items", **asked(again, **other))
        assert refused.status == "failed"
        assert refused.error == (
            "These questions are stored already, as 'Ward 7' (not known to be open), and this import says "
            f"{says}. Nothing was changed: name and openness are changed where the benchmark is shown, on "
            "the page Benchmarks."
        )
    with reading(engine) as session:
        assert session.get_one(BenchmarkRow, job.result["benchmark"]).meta == meta


def test_a_file_with_a_wrong_row_stores_nothing_and_names_it_as_its_owner_does(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    found = upload(tmp_path, researcher, f"{CONTENT}3;Worse?;many\n")
    job = perform_job(engine, tmp_path, researcher, "import_items", **asked(found))
    assert job.status == "failed"
    assert job.error is not None
    assert job.error.startswith("ward.csv:4: row 3: answer is 'many'")
    with reading(engine) as session:
        assert session.execute(select(func.count()).select_from(BenchmarkRow)).scalar_one() == 0
    assert Uploads(uploads_folder(tmp_path)).find(found.upload_id, owner=researcher) == found


def test_nobody_imports_anothers_file(engine: Engine, researcher: str, tmp_path: Path) -> None:
    found = upload(tmp_path, "somebody else")
    job = perform_job(engine, tmp_path, researcher, "import_items", **asked(found))
    assert (job.status, stored(engine)) == ("failed", {})
    assert "no such uploaded file" in (job.error or "")


def test_a_check_names_the_wrong_gold_and_the_newest_is_shown(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    made = perform_job(engine, tmp_path, researcher, "generate", quota="retrieval=2", representation="note")
    assert made.result is not None
    benchmark = made.result["benchmark"]
    with reading(engine) as session:
        assert last_findings(session, user_id=researcher, benchmark=benchmark) is None
    clean = perform_job(engine, tmp_path, researcher, "lint", benchmark_id=benchmark)
    assert clean.result == {"benchmark": benchmark, "instances": 2, "findings": 0}
    with writing(engine) as session:
        row = session.scalars(select(InstanceRow).order_by(col(InstanceRow.position))).first()
        assert row is not None
        row.payload = {**row.payload, "answer": "4711", "answer_exact": "4711"}
        wrong = row.instance_id
    perform_job(engine, tmp_path, researcher, "lint", benchmark_id=benchmark)
    with reading(engine) as session:
        found = last_findings(session, user_id=researcher, benchmark=benchmark)
    assert found is not None
    assert (found.instances, found.checked) == (2, 2)
    about = {(one.instance_id, one.verdict, one.gold) for one in found.findings if one.rule == "V3.answer"}
    assert about == {(wrong, "wrong", "4711")}


def test_a_benchmark_whose_templates_are_unknown_is_checked_as_far_as_it_can_be(
    engine: Engine, researcher: str, tmp_path: Path
) -> None:
    with writing(engine) as session:
        store_benchmark(session, meta={}, instances=[instance(1)])
    job = perform_job(engine, tmp_path, researcher, "lint", benchmark_id="bench")
    assert (job.status, job.error) == ("done", None)
    unknown = perform_job(engine, tmp_path, researcher, "lint", benchmark_id="none")
    assert unknown.status == "failed"
