"""What a job says of its progress has words on the pages."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.worker_jobs import JOB_KINDS, JOB_STATUSES, JobSummary, Progress
from clinicnum.errors import InputError
from clinicnum.imports.check_answer_file import check_answers
from clinicnum.scripts.commands.jobs.kinds import KINDS
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.job_wording import (
    COUNTED,
    KIND_NAMES,
    STATUS_NAMES,
    STEPS,
    duration_words,
    job_error,
    job_state,
    job_steps,
    progress_words,
    time_left,
    would_fail_again,
)
from clinicnum.ui.components.language import answer_in
from clinicnum.ui.pages.jobs.page import _details

FOLDER = Path(__file__).parents[2] / "scripts" / "commands" / "jobs"


def _job(**more: Any) -> JobSummary:
    given: dict[str, Any] = {
        "job_id": "j",
        "kind": "score",
        "status": "running",
        "arguments": {"runs": ["r"]},
        "requested_by": "res",
        "created_at": datetime.now(UTC),
        "started_at": None,
        "ended_at": None,
        "attempt": 1,
        "progress": Progress(),
        "error": None,
        "result": None,
    }
    return JobSummary(**(given | more))


def test_every_unit_and_step_that_a_job_reports_has_words() -> None:
    source = "".join(path.read_text() for path in FOLDER.glob("*.py"))
    steps, units = (set(re.findall(rf'{name}="([^"]+)"', source)) for name in ("step", "unit"))
    assert len(steps) > 5
    assert steps <= STEPS.keys()
    assert units <= COUNTED.keys()
    assert KIND_NAMES.keys() == KINDS.keys() == set(JOB_KINDS)
    assert STATUS_NAMES.keys() == set(JOB_STATUSES)


def test_how_far_a_job_is_and_how_it_stands() -> None:
    far = Progress(
        done=1740,
        total=4272,
        unit="generations",
        step="asking the model",
        per_second=0.05,
        seconds_left=791,
    )
    assert progress_words(_job(progress=far)) == "asking the model, 1,740 of 4,272 answers, 3.0 a minute"
    assert time_left(_job(progress=far)) == "about 13 min left"
    assert time_left(_job(progress=far, alive=False)) == ""
    percent = Progress(done=40, total=100, unit="%", step="checking", per_second=2)
    assert progress_words(_job(progress=percent)) == "checking, 40 %"
    studies = Progress(done=1, total=2, unit="studies", step="reading")
    assert progress_words(_job(progress=studies)) == "reading, 1 of 2 studies"
    assert progress_words(_job(progress=studies.model_copy(update={"total": 1}))) == "reading"
    assert job_state(_job(alive=False)) == "its worker is gone; the next one takes over"
    assert job_state(_job(cancel_requested=True)) == "is being cancelled"
    assert [duration_words(seconds) for seconds in (0.2, 59, 61, 7300)] == [
        "1 s",
        "59 s",
        "1 min",
        "2 h 2 min",
    ]


def test_a_job_that_has_made_something_says_what_comes_next() -> None:
    def steps(kind: str, **result: Any) -> dict[str, str]:
        return dict(job_steps(_job(kind=kind, status="done", result=result)))

    made = steps("generate", benchmark="a b&c", instances=3)
    assert made["Launch a run on it"] == "/runs/?benchmark=a+b%26c"
    assert made["Show the benchmark"] == "/benchmarks/?benchmark=a+b%26c"
    assert "Upload answers to it" not in made
    of_items = steps("import_items", benchmark="a b&c", instances=3)
    assert of_items["Upload answers to it"] == "/runs/?benchmark=a+b%26c&tab=upload"
    assert list(steps("lint", benchmark="a", findings=0)) == ["Show the benchmark"]
    assert steps("run", runs=["r1"], statuses={"correct": 1}) == {
        "Show the run": "/runs/?run=r1",
        "Look at its answers": "/explore/?runs=r1",
        "Make a study of it": "/studies/?run=r1",
    }
    assert steps("run", runs=["r1", "r2"]) == {"Show the runs": "/runs/?run=r1"}
    assert list(steps("report", report="x")) == ["Show the report"]
    assert steps("run", estimate=["12 tokens"]) == {}
    assert job_steps(_job()) == []


def test_a_failed_import_is_told_without_options_in_the_language_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("asked,text\nwhy,because\nwhen,now\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"asked; .* 1 more wrong row: 2\) \(--id-field\)$") as wrong:
        check_answers(path, "csv")
    told = Translatable.from_stored(json.loads(json.dumps(wrong.value.args[0].to_stored())))
    failed = _job(kind="import_generations", status="failed", error=told)
    assert job_error(failed) == wrong.value.for_pages
    with answer_in("de"):
        assert job_error(failed) == (
            f"{path}:2: Zeile 1: enthält keinen Text dessen, was gefragt wurde; nennen Sie das Feld mit "
            "der Frage oder ihrer ID (und 1 weitere falsche Zeile: 2)"
        )


def test_a_failed_import_is_not_tried_again_with_the_same_file() -> None:
    asked = {"file_name": "a.csv", "label": ""}
    told = "a.csv:1: row 1: holds no text of what was asked"
    wrong = _job(kind="import_generations", status="failed", arguments=asked, error=told)
    full = _job(kind="import_generations", status="failed", arguments=asked, error="the disk is full")
    cancelled = _job(kind="import_items", status="cancelled", arguments=asked)
    scoring = _job(status="failed", error="no run")
    jobs = (wrong, full, cancelled, scoring)
    assert [would_fail_again(one) for one in jobs] == [True, False, False, False]
    assert [_details(one, "")[-1]["visible"] for one in jobs] == [False, True, True, True]
