"""What researchers do with stored runs: name them, list them with their accuracy, compare and launch them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.worker_jobs import RunArguments
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, BenchmarkRow
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.jobs import job_store
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.runs.compare_stored_runs import compare_stored
from clinicnum.db.work.runs.launch_run import check_key_name, consent_needed, launch_run, runnable_benchmarks
from clinicnum.db.work.runs.run_names import label_run, run_names
from clinicnum.db.work.runs.run_overview import RunOverview, run_details
from clinicnum.errors import InputError, NotAllowed
from tests.db.examples import MODEL, material


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """Ids of a researcher and an annotator."""
    with writing(engine) as session:
        return {
            role: add_user(session, name=role, role=role, password=None).user_id  # type: ignore[arg-type]
            for role in ("researcher", "annotator")
        }


def counted(run_id: str, *, wrong: int, right: int, **changes: Any) -> Material:
    """A run whose questions count towards accuracy."""
    made = material(wrong=wrong, right=right, run_id=run_id)
    plain = tuple(one.model_copy(update={"flags": ()} | changes) for one in made.instances)
    return replace(made, instances=plain)


@pytest.fixture
def runs(engine: Engine) -> dict[str, str]:
    """Row ids of two runs of one model on 16 questions, and of one on another benchmark."""
    with writing(engine) as session:
        stored_runs.add_runs(session, material=counted("one", wrong=4, right=12))
        stored_runs.add_runs(session, material=counted("two", wrong=12, right=4))
        stored_runs.add_runs(session, material=counted("far", wrong=2, right=0, benchmark_id="other"))
        return {one.run_id: one.run for one in stored_runs.list_runs(session)}


def test_a_run_gets_a_name_which_the_log_keeps_and_which_finds_it(
    engine: Engine, people: dict[str, str], runs: dict[str, str]
) -> None:
    with reading(engine) as session:
        assert run_names(session)[runs["one"]] == f"{MODEL} (one)"
    with writing(engine) as session:
        assert (
            label_run(session, run=runs["one"], label=" first  try ", actor=people["researcher"])
            == "first try"
        )
    with writing(engine) as session:
        label_run(session, run=runs["one"], label="first try")
        assert [row.id for row in stored_runs.find_runs(session, ["first try"])] == [runs["one"]]
        assert run_names(session)[runs["one"]] == "first try"
        (row,) = session.scalars(select(AuditRow).where(col(AuditRow.action) == "label_run"))
        assert (row.actor, row.after["label"]) == (people["researcher"], "first try")  # type: ignore[index]
    with writing(engine) as session:
        label_run(session, run="two", label="first try")
        with pytest.raises(InputError, match="several runs are called 'first try'"):
            stored_runs.find_runs(session, ["first try"])
        assert label_run(session, run="two", label="") is None


def test_the_list_has_each_run_with_the_accuracy_of_its_table(
    engine: Engine, people: dict[str, str], runs: dict[str, str]
) -> None:
    overview = RunOverview()
    for _ in range(2):
        with reading(engine) as session:
            found = {one.run_id: total for one, total in overview.runs(session, user_id=people["researcher"])}
            for run_id, total in found.items():
                whole = stored_runs.run_accuracy(session, run=runs[run_id]).overall
                assert whole is not None
                assert (total.n, total.correct, total.interval) == (whole.n, whole.correct, whole.interval)
        assert {run: (one.correct, one.n) for run, one in found.items()} == {
            "one": (12, 16),
            "two": (4, 16),
            "far": (0, 2),
        }
        with writing(engine) as session:  # questions that are added later count too
            stored_runs.add_runs(session, material=counted("one", wrong=4, right=12))
    with reading(engine) as session:
        details = run_details(session, user_id=people["researcher"], run=runs["one"])
        assert (details.summary.run_id, details.meta["model"]) == ("one", MODEL)
        with pytest.raises(InputError, match="no such run"):
            run_details(session, user_id=people["researcher"], run="one")


def test_runs_of_one_benchmark_are_compared_under_their_names(
    engine: Engine, people: dict[str, str], runs: dict[str, str]
) -> None:
    with writing(engine) as session:
        label_run(session, run="one", label="first")
    with reading(engine) as session:
        found = compare_stored(session, runs=["one", runs["two"]], actor=people["researcher"])
        assert [one.name for one in found.runs] == ["first", f"{MODEL} (two)"]
        (whole,) = found.differences
        assert (whole.n, whole.only_first, whole.only_second, whole.difference) == (16, 8, 0, 0.5)
        with pytest.raises(InputError, match="on 2 benchmarks, bench, other"):
            compare_stored(session, runs=["one", "far"])
        with pytest.raises(InputError, match="a comparison takes 2 to 8 runs, not 1"):
            compare_stored(session, runs=["one"])


def test_nobody_else_may(engine: Engine, people: dict[str, str], runs: dict[str, str]) -> None:
    ann = people["annotator"]
    asked = RunArguments(benchmark_id="bench", model="m")
    with writing(engine) as session:
        for refused in (
            lambda: label_run(session, run="one", label="x", actor=ann),
            lambda: compare_stored(session, runs=["one", "two"], actor=ann),
            lambda: RunOverview().runs(session, user_id=ann),
            lambda: run_details(session, user_id=ann, run=runs["one"]),
            lambda: launch_run(session, user_id=ann, asked=asked),
            lambda: runnable_benchmarks(session, user_id=ann),
        ):
            with pytest.raises(NotAllowed, match="may not evaluate"):
                refused()


def server(**given: Any) -> RunArguments:
    return RunArguments.model_validate(
        {"benchmark_id": "bench", "client": "openai", "model": "llama", "base_url": "https://models.example"}
        | given
    )


def test_records_that_are_not_open_go_to_another_machine_only_if_that_is_agreed_to_by_name(
    engine: Engine, people: dict[str, str], runs: dict[str, str]
) -> None:
    user = people["researcher"]
    with writing(engine) as session:
        row = session.get_one(BenchmarkRow, "other")
        row.meta = row.meta | {"credentialed": False}
    with reading(engine) as session:
        bench, other = runnable_benchmarks(session, user_id=user)
    consent = consent_needed(bench, "https://models.example")
    assert consent == "bench models.example"
    assert consent_needed(bench, "http://127.0.0.1:8000") is None
    assert consent_needed(other, "https://models.example") is None
    with writing(engine) as session:
        for wrong in ("", "bench elsewhere.example", "other models.example"):
            with pytest.raises(InputError, match="are not known to be open, and models"):
                launch_run(session, user_id=user, asked=server(allow_remote=True), consent=wrong)
        launch_run(session, user_id=user, asked=server(), consent=consent or "")
        launch_run(session, user_id=user, asked=server(benchmark_id="other"))
        launch_run(session, user_id=user, asked=server(base_url="http://127.0.0.1:8000"))
        local = server(client="local", base_url=None, label=" a  run", dry_run=True)
        launch_run(session, user_id=user, asked=local)
    with reading(engine) as session:
        asked = [one.arguments for one in job_store.list_jobs(session, user_id=user)]
        logged = session.scalars(select(AuditRow).where(col(AuditRow.action) == "request_job")).all()
    told = {(one["benchmark_id"], one["base_url"], one["allow_remote"], one["label"]) for one in asked}
    assert told == {
        ("bench", "https://models.example/v1", True, ""),
        ("other", "https://models.example/v1", False, ""),
        ("bench", "http://127.0.0.1:8000/v1", False, ""),
        ("bench", None, False, "a run"),
    }
    assert len(logged) == 4


def test_what_cannot_be_run_is_not_stored(
    engine: Engine, people: dict[str, str], runs: dict[str, str]
) -> None:
    user = people["researcher"]
    for asked, complaint in (
        (server(benchmark_id="none"), "Choose a benchmark"),
        (server(model=" "), "No model is named"),
        (server(base_url=None), "is not the address of a server"),
        (server(base_url="https://me:secret@models.example"), "the address of models.example carries a name"),
        (server(label="x" * 81), "at most 80 plain"),
    ):
        with writing(engine) as session, pytest.raises(InputError, match=complaint):
            launch_run(session, user_id=user, asked=asked, consent="bench models.example")
    with reading(engine) as session:
        assert job_store.list_jobs(session, user_id=user) == ()


KEYS = (
    "sk-abcDEF0123456789",
    "hf_abcdefABCDEF0123",
    "AKIA0123456789ABCDEF",
    "0a1b2c3d4e5f60718293",
    "CLINICNUM_DATABASE_URL",
)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_refused_without_being_repeated(key: str) -> None:
    with pytest.raises(InputError, match="The key itself must not be entered here") as caught:
        check_key_name(key)
    assert key not in str(caught.value)
    with pytest.raises(ValueError, match="api_key_env"):
        server(api_key_env=key)


def test_the_name_of_a_variable_is_taken() -> None:
    assert [check_key_name(one) for one in ("", " OPENAI_API_KEY ", "API_KEY")] == [
        None,
        "OPENAI_API_KEY",
        "API_KEY",
    ]
    assert server(api_key_env="LAB_VLLM_API_KEY").api_key_env == "LAB_VLLM_API_KEY"
