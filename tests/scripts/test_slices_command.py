"""`clinicnum slices` as typed: on files and on the database, and what it refuses."""

import json
from pathlib import Path

import pytest

import clinicnum
from clinicnum.scripts.cli import run_command


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two models, of which one gets notes wrong."""
    folder = tmp_path_factory.mktemp("slices")
    benchmark = clinicnum.generate(quota="retrieval=240", seed=1)
    asked = benchmark.to_frame()
    answers = asked[["instance_id"]].assign(text="The answer is " + asked["answer"])
    answers.loc[answers.index % 7 == 0, "text"] = "The answer is 1"
    failing = answers.copy()
    failing.loc[(asked["representation"] == "note") & (answers.index % 4 > 0), "text"] = "The answer is 1"
    for name, given in (("fine", answers), ("failing", failing)):
        clinicnum.score(benchmark, given.assign(run_id=name)).save(folder)
    made = ["--benchmark", str(folder / "benchmark.jsonl")]
    for name in ("fine", "failing"):
        made += ["--generations", str(folder / f"{name}.generations.jsonl")]
        made += ["--scores", str(folder / f"{name}.scores.jsonl")]
    return made


def test_files_and_stored_runs_give_the_same(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["slices", *files]) == 0
    text = capsys.readouterr().out
    assert "representation note  failing.generations" in text
    assert "1 confirmed; figures are of these others" in text
    assert run_command(["slices", *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (one,) = found["slices"]
    assert (one["run"], one["conditions"]) == (
        "failing.generations",
        [{"facet": "representation", "operator": "=", "value": "note"}],
    )
    assert one["p_corrected"] < 0.001
    assert found["n_candidates"] > 50

    database = ["--db", f"sqlite:///{tmp_path / 'runs.db'}"]
    assert run_command(["runs", "add", *files, *database]) == 0
    capsys.readouterr()
    assert run_command(["slices", "--runs", "fine", "--runs", "failing", *database, "--json"]) == 0
    stored = json.loads(capsys.readouterr().out)
    assert {key: stored[key] for key in ("n_candidates", "n_tested", "n_held_out")} == {
        key: found[key] for key in ("n_candidates", "n_tested", "n_held_out")
    }
    assert [one["difference"] for one in stored["slices"]] == [one["difference"]]


def test_one_run_without_a_pattern_has_no_slice(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["slices", *files[:6]]) == 0
    assert capsys.readouterr().out.startswith("no slice was confirmed: ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "expected either --runs, or --benchmark with --generations and --scores"),
        (["--runs", "a", "--benchmark", "b.jsonl"], "expected either --runs, or --benchmark"),
        (["--benchmark", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_read_is_refused(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["slices", *given]) == 2
    assert said in capsys.readouterr().err
