"""Answers stored with MedCalc-Bench: each is held by its row, and those to another benchmark are refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clinicnum.io.jsonl import read_jsonl, read_meta, sha256_file
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Score
from tests.clinicnum.importing import generations_command, import_generations, import_items
from tests.open_data import MEDCALC, MEDCALC_ANSWERS, figure


def test_stored_answers_of_medcalc_bench_row_by_row(tmp_path: Path) -> None:
    known = import_items("medcalc", MEDCALC, tmp_path / "bench.jsonl")
    out, scores = tmp_path / "generations.jsonl", tmp_path / "scores.jsonl"
    bench = tmp_path / "bench.jsonl"
    command = generations_command("medcalc", MEDCALC_ANSWERS, bench, out, "--scores", str(scores))
    assert run_command(command) == 0
    stored = [json.loads(line) for line in MEDCALC_ANSWERS.read_text(encoding="utf-8").splitlines()]
    made = list(read_jsonl(out, Generation))
    judged = {score.generation_id: score for score in read_jsonl(scores, Score)}
    assert len(made) == len(judged) == len(stored) == figure(subset=62, whole=1047)
    back = [
        {
            "Row Number": int(known[generation.instance_id].slots["Row Number"]),
            "Note ID": known[generation.instance_id].slots["Note ID"],
            "Calculator ID": known[generation.instance_id].slots["Calculator ID"],
            "LLM Answer": generation.text,
            "Result": "Correct" if judged[generation.generation_id].lenient else "Incorrect",
        }
        for generation in made
    ]
    assert back == [{name: line[name] for name in back[0]} for line in stored]
    assert Counter(row["Result"] for row in back) == figure(
        subset={"Correct": 17, "Incorrect": 45}, whole={"Correct": 216, "Incorrect": 831}
    )
    for path in (out, scores):
        meta = read_meta(path)
        assert meta is not None
        assert meta["sha256"] == sha256_file(path)
        assert meta["benchmark_sha256"] == sha256_file(tmp_path / "bench.jsonl")
        assert meta["source_sha256"] == sha256_file(MEDCALC_ANSWERS)


def medcalc_case(folder: Path, **changes: Any) -> tuple[Path, Path]:
    """A benchmark of one item, and one stored answer to it."""
    item = {
        **{"Row Number": 1, "Calculator ID": "2", "Calculator Name": "CrCl", "Category": "lab"},
        **{"Output Type": "decimal", "Note ID": "pmc-1", "Note Type": "Extracted", "Patient Note": "A note."},
        **{
            "Question": "CrCl?",
            "Relevant Entities": "{}",
            "Ground Truth Answer": "25.2",
            "Lower Limit": "24",
        },
        **{"Upper Limit": "26.4", "Ground Truth Explanation": "So."},
    }
    (folder / "m.csv").write_text(",".join(item) + "\n" + ",".join(map(str, item.values())) + "\n")
    import_items("medcalc", folder / "m.csv", folder / "bench.jsonl")
    answer = item | {"LLM Answer": "25", "LLM Explanation": "N/A", "Result": "Correct"} | changes
    (folder / "a.jsonl").write_text(json.dumps(answer) + "\n")
    return folder / "a.jsonl", folder / "bench.jsonl"


@pytest.mark.parametrize(
    "message",
    ["name 'N' is not defined", "cannot access local variable 'x' where it is not associated with a value"],
)
def test_an_error_in_the_place_of_a_stored_answer_is_a_failed_sample(tmp_path: Path, message: str) -> None:
    source, bench = medcalc_case(tmp_path, **{"LLM Answer": message, "Result": "Incorrect"})
    (made,) = import_generations("medcalc", source, bench)
    assert (made.finish_reason, made.error) == ("error", message)


def test_reasoning_that_is_stored_stays_with_its_answer(tmp_path: Path) -> None:
    source, bench = medcalc_case(tmp_path, **{"LLM Explanation": "140 - 87"})
    (made,) = import_generations("medcalc", source, bench)
    assert json.loads(made.text) == {"step_by_step_thinking": "140 - 87", "answer": "25"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"Row Number": 2}, ":1: row 1: Row Number 2 is no row of the benchmark"),
        ({"Patient Note": "Another."}, "Patient Note is 'Another.'; expected 'A note.', as in row 1"),
        ({"Ground Truth Answer": "26"}, "Ground Truth Answer is '26'; expected '25.2'"),
        ({"Result": "Maybe"}, "Result is 'Maybe'; expected Correct or Incorrect"),
        ({"LLM Answer": 25}, "LLM Answer is 25; expected a text; correct it"),
    ],
)
def test_stored_answers_to_another_benchmark_are_refused(
    changes: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, bench = medcalc_case(tmp_path, **changes)
    capsys.readouterr()
    assert run_command(generations_command("medcalc", source, bench, tmp_path / "out.jsonl")) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
