"""`clinicnum score` as it is typed: scores, suggestions and steps, and files that do not belong together."""

import io
import json
import sys
from pathlib import Path

import pytest

from clinicnum.io.jsonl import sha256_file, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Score, Suggestion
from tests.clinicnum.answering import generation, instance

INSTANCES = [instance(number) for number in range(6)]
TEXTS = (
    '{"answer": 110}',
    "At 2180-05-10 09:12:30 the heart rate was 88 bpm. The answer is 88.",
    '{"answer": 93}',
    "",
    "The answer is 110.",
    '{"answer": 57}',
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of six questions and a run's answers to it."""
    bench = tmp_path / "bench.jsonl"
    write_jsonl(bench, INSTANCES, {"seed": 0})
    answers = [generation(text, of=one) for text, one in zip(TEXTS, INSTANCES, strict=True)]
    write_jsonl(tmp_path / "generations.jsonl", answers, {"benchmark_sha256": sha256_file(bench)})
    return tmp_path


def score(folder: Path, *more: str) -> int:
    return run_command(
        [
            *("score", "--benchmark", str(folder / "bench.jsonl")),
            *("--generations", str(folder / "generations.jsonl"), "--out", str(folder / "scores.jsonl")),
            *("--suggestions", str(folder / "suggestions.jsonl"), *more),
        ]
    )


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_scores_suggestions_and_steps_are_written_with_where_they_come_from(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(folder, "--steps", str(folder / "steps.jsonl")) == 0
    printed = capsys.readouterr().out
    assert "5 of 5 failures (of value or form) have a likely cause" in printed
    assert len([Score.model_validate_json(line) for line in lines(folder / "scores.jsonl")]) == 6
    found = [Suggestion.model_validate_json(line) for line in lines(folder / "suggestions.jsonl")]
    first = {one.generation_id: one.code for one in found if one.rank == 1}
    assert first == {
        "r1-i1": "contextual_inconsistency.wrong_record",
        "r1-i2": "hallucination.fabricated_value",
        "r1-i3": "unanswered.empty",
        "r1-i4": "format_mismatch.not_asked_form",
        "r1-i5": "hallucination.fabricated_value",
    }
    meta = json.loads((folder / "suggestions.jsonl.meta.json").read_text())
    assert meta["scores_sha256"] == sha256_file(folder / "scores.jsonl")
    assert meta["benchmark_sha256"] == sha256_file(folder / "bench.jsonl")
    assert meta["placebo"]["silent_above"] == 0.1
    assert (meta["n_failures"], meta["n_explained"]) == (5, 5)
    assert len(lines(folder / "steps.jsonl")) == 6


def test_no_likeliest_cause_is_announced_where_there_is_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = folder / "bench.jsonl"
    right = [generation(f'{{"answer": {one.answer}}}', of=one) for one in INSTANCES]
    write_jsonl(folder / "generations.jsonl", right, {"benchmark_sha256": sha256_file(bench)})
    assert score(folder) == 0
    printed = capsys.readouterr().out
    assert "0 of " in printed
    assert "; the likeliest" not in printed


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    assert score(folder) == 0
    before = (folder / "suggestions.jsonl").read_bytes()
    assert score(folder) == 0
    assert (folder / "suggestions.jsonl").read_bytes() == before


def _rewrite(folder: Path, answers: list[Generation], meta: dict[str, str] | None) -> None:
    path = folder / "generations.jsonl"
    write_jsonl(path, answers, meta)
    if meta is None:
        (folder / "generations.jsonl.meta.json").unlink(missing_ok=True)


def test_generations_of_another_benchmark_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _rewrite(folder, [generation("1", of=INSTANCES[0])], {"benchmark_sha256": "f" * 64})
    _refused(folder, capsys, "was generated for another benchmark (sha256 ffff", "name that benchmark")


def test_one_error_names_all_that_does_not_match(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strangers = [instance(number) for number in (7, 8)]
    twice = generation("1", of=INSTANCES[0])
    answers = [twice, twice, *(generation("1", of=one) for one in strangers)]
    _rewrite(folder, answers, None)
    _refused(
        folder,
        capsys,
        "2 instances are not in",
        "(i7, i8)",
        "1 instance is answered more than once (i0)",
        "1 generation is given more than once (r1-i0)",
        "nothing was scored",
    )


def test_a_file_that_was_changed_after_it_was_made_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "bench.jsonl"
    path.write_text("\n".join(lines(path)[:3]) + "\n", encoding="utf-8")
    _refused(folder, capsys, "bench.jsonl: differs from the file that its .meta.json describes")


def test_a_duplicate_instance_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_jsonl(folder / "bench.jsonl", [*INSTANCES, INSTANCES[2]], {"seed": 0})
    _refused(folder, capsys, "instance i2 stands there twice")


def test_nothing_is_written_over_what_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "bench.jsonl").read_bytes()
    assert score(folder, "--steps", str(folder / "bench.jsonl")) == 2
    assert "bench.jsonl: is read or written already" in capsys.readouterr().err
    assert (folder / "bench.jsonl").read_bytes() == before


def test_a_folder_that_is_not_there_stops_before_the_scores(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(folder, "--steps", str(folder / "no" / "steps.jsonl")) == 2
    assert "make the folder first" in capsys.readouterr().err
    assert not (folder / "scores.jsonl").exists()


def _refused(folder: Path, capsys: pytest.CaptureFixture[str], *said: str) -> None:
    """Exit code 2, one line that says all this, and no file written."""
    assert score(folder) == 2
    error = capsys.readouterr().err.strip()
    assert "\n" not in error
    for part in said:
        assert part in error
    assert not (folder / "scores.jsonl").exists()
    assert not (folder / "suggestions.jsonl").exists()


def _study(folder: Path) -> int:
    database = f"sqlite:///{folder / 'd.db'}"
    sys.stdin = io.StringIO("correct horse battery\n")
    run_command(["users", "add", "ann", "--role", "annotator", "--db", database, "--password-stdin"])
    return run_command(
        [
            *("study", "create", "--name", "one", "--benchmark", str(folder / "bench.jsonl")),
            *("--generations", str(folder / "generations.jsonl"), "--scores", str(folder / "scores.jsonl")),
            *("--suggestions", str(folder / "suggestions.jsonl"), "--annotators", "ann", "--overlap", "1"),
            *("--db", database),
        ]
    )


def test_a_study_takes_suggestions_only_for_the_scores_they_were_made_from(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())  # to be put back afterwards
    assert score(folder) == 0
    found = [Suggestion.model_validate_json(line) for line in lines(folder / "suggestions.jsonl")]
    meta = json.loads((folder / "suggestions.jsonl.meta.json").read_text())
    write_jsonl(folder / "suggestions.jsonl", found, meta | {"scores_sha256": "e" * 64})
    capsys.readouterr()
    assert _study(folder) == 2
    assert "suggestions.jsonl: was made from other scores (sha256 eeeeeeeeeeee)" in capsys.readouterr().err
    write_jsonl(folder / "suggestions.jsonl", [*found, found[0]], meta)
    assert _study(folder) == 2
    assert "is given more than once" in capsys.readouterr().err
    write_jsonl(folder / "suggestions.jsonl", found, meta)
    assert _study(folder) == 0


def test_questions_made_elsewhere_are_one_row_and_their_form_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = {"operation": "external", "representation": "external", "records": (), "evidence": ()}
    items = [instance(number, **elsewhere) for number in range(6)]
    bench = tmp_path / "bench.jsonl"
    write_jsonl(bench, items, {})
    answers = [generation(text, of=one) for text, one in zip(TEXTS, items, strict=True)]
    made_from = {"benchmark_sha256": sha256_file(bench), "client": "import"}
    write_jsonl(tmp_path / "generations.jsonl", answers, made_from)
    assert score(tmp_path) == 0
    head, row, empty, *said = capsys.readouterr().out.splitlines()
    assert row.split()[:3] == ["external", "external", "6"]
    assert row[: head.index("strict") + len("strict")].endswith(" -")
    assert empty == ""
    assert any(line.startswith("strict is not judged") for line in said)
    assert score(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["form_asked"], told["rows"][-1]["strict_accuracy"]) == (False, None)
