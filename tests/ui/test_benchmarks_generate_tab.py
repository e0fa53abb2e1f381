"""A benchmark generated on the benchmarks page: sampled first, from a bank or a release, refused."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.api.make_benchmark import make_benchmark, plan_benchmark
from clinicnum.api.record_sources import Wanted
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow, JobRow
from clinicnum.errors import ClinicnumError
from clinicnum.ui.components.job_wording import job_steps
from clinicnum.ui.pages.benchmarks.generate_tab import GenerateHandlers
from tests.jobs.performing import perform_job
from tests.ui.benchmarks_example import FORM, add_people, jobs, publish_retrieval


@pytest.fixture
def people(engine: Engine) -> dict[str, Any]:
    return add_people(engine)


def test_a_sample_is_shown_before_the_benchmark_is_asked_for(engine: Engine, people: dict[str, Any]) -> None:
    tab, res = GenerateHandlers(Store(engine)), people["researcher"]
    _, path, columns, said, sample = tab.sample(res, *FORM)
    assert not path["visible"]
    assert not columns["visible"]
    assert "16 questions in 2 representations and 1 variant of each, at most 64 instances" in said
    assert sample.count("Gold answer:") == 3
    assert "a needed value missing" in sample
    _, path, columns, said, sample = tab.sample(res, "", "csv", *FORM[2:])
    assert (path["visible"], columns["visible"], sample) == (True, True, "")
    _, job, line, timer = tab.generate(people["researcher"], *FORM)
    assert job
    assert timer["active"]
    assert "It waits for the worker" in line
    ((kind, arguments),) = jobs(engine)
    assert (kind, arguments["name"], arguments["representation"]) == ("generate", "Mine", "structured,note")
    assert arguments["variants"] == "missing.masked"


def test_a_published_release_is_offered_sampled_and_generated_from_as_by_the_command(
    engine: Engine, people: dict[str, Any], tmp_path: Path
) -> None:
    tab, res = GenerateHandlers(Store(engine)), people["researcher"]
    release = publish_retrieval(engine)
    offered = dict(tab.load_banks(res)[1]["choices"])
    chosen = offered["release ward-1: 7 templates"]
    asked = (*FORM[:5], chosen, *FORM[6:])
    _, _, _, said, sample = tab.sample(res, *asked)
    assert "4 questions in 2 representations" in said
    assert "retrieval" in sample
    tab.generate(res, *asked)
    ((_kind, arguments),) = jobs(engine)
    assert arguments["release"] == "ward-1"
    with writing(engine) as session:
        session.execute(JobRow.__table__.delete())  # type: ignore[attr-defined]
    done = perform_job(engine, tmp_path, res.username, "generate", **arguments)
    folder = tmp_path / "release"
    folder.mkdir()
    for name, content in release.files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    by_command = plan_benchmark(
        Wanted("synthetic", None, "", False),
        preset="small",
        quota="",
        representation="structured,note",
        scope=None,
        bank=str(folder),
        notes=None,
        variants="missing.masked",
        seed=0,
    )
    _, meta = make_benchmark(by_command)
    assert done.result is not None
    assert done.result["benchmark"] == meta["benchmark_id"]
    with reading(engine) as session:
        (stored,) = session.scalars(select(BenchmarkRow))
        assert stored.meta["bank_release"] == meta["bank_release"]
    assert job_steps(done)[0] == ("Launch a run on it", f"/runs/?benchmark={meta['benchmark_id']}")


UNUSABLE: tuple[dict[int, Any], ...] = (
    *(
        {6: []},
        {6: ["x"]},
        {5: "/etc"},
        {5: "base,all"},
        {5: "release:none"},
        {5: "release:"},
        {4: "huge"},
        {7: ["x"]},
        {8: -1},
        {0: "\0"},
        {3: []},
    ),
)


def test_a_form_that_cannot_be_used_says_why_and_starts_nothing(
    engine: Engine, people: dict[str, Any]
) -> None:
    tab = GenerateHandlers(Store(engine))
    for changes in UNUSABLE:
        with pytest.raises(ClinicnumError):
            tab.sample(people["researcher"], *(changes.get(place, value) for place, value in enumerate(FORM)))
    for changes in ({1: "csv"}, {1: "mimic-iv-ed", 2: " "}, {5: "/etc"}):
        with pytest.raises(ClinicnumError):
            tab.generate(
                people["researcher"], *(changes.get(place, value) for place, value in enumerate(FORM))
            )
    assert jobs(engine) == []
