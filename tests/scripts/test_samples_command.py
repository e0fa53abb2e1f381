"""`clinicnum samples` as typed: its lines, its JSON, and files that do not match."""

import json
from pathlib import Path

import pytest

from clinicnum.io.jsonl import sha256_file, write_jsonl
from clinicnum.scripts.cli import run_command
from tests.clinicnum.answering import generation, instance


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A benchmark of twenty questions of ten subjects; three samples, and a greedy run of the same model."""
    asked = [instance(i, subject_id=f"s{i % 10}") for i in range(20)]
    bench = tmp_path / "bench.jsonl"
    write_jsonl(bench, asked, {"seed": 0})
    paths = {"bench": str(bench)}
    for name, wrong, sample in (("g", 4, 1), ("g2", 5, 2), ("g3", 4, 3), ("greedy", 2, None)):
        decoding = {"method": "greedy", "seed": 0}
        if sample:
            decoding = {"method": "sampling", "seed": 0, "temperature": 0.7, "sample": sample}
        texts = ["88" if i % wrong == 0 else "110" for i in range(len(asked))]
        made = [generation(text, of=one, run=name) for text, one in zip(texts, asked, strict=True)]
        meta = {"benchmark_sha256": sha256_file(bench), "model": "m", "run_id": name, "decoding": decoding}
        paths[name] = str(tmp_path / f"{name}.jsonl")
        write_jsonl(Path(paths[name]), made, meta)
    return paths


def test_samples_of_a_model_are_put_together_and_others_apart(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["samples", "--benchmark", files["bench"], *(files[name] for name in ("g", "greedy", "g2", "g3"))]
    assert run_command(given) == 0
    said = capsys.readouterr().out
    assert "m at temperature 0.7 (g.jsonl and 2 more): 3 samples of 20 questions" in said
    assert "m (greedy.jsonl): 1 sample of 20 questions" in said
    lines = {line.split("  ")[0]: line for line in said.split("\n\n")[0].splitlines()}
    assert "76.7 %" in lines["mean accuracy"]  # 15, 16 and 15 of 20
    assert "60.0 %" in lines["right in all samples"]  # 0, 4, 5, 8, 10, 12, 15, 16 are not
    assert "35.0 %" in lines["right in some"]  # 0 is never right
    assert " to " in lines["pass@3"]
    assert "undefined (-): one sample; two are needed to agree or not" in said
    assert run_command([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["models"]
    assert [one["n_samples"] for one in found] == [3, 1]
    assert found[0]["agreement"]["value"] == pytest.approx((13 * 3 + 7) / 60)
    assert set(found[0]["pass_at"]) == {"1", "2", "3"}


def test_files_that_do_not_match_are_named(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    write_jsonl(other, [instance(100)], {"seed": 1})
    for given, told in (
        ([files["bench"], files["g"], files["g"]], "its sample is given twice; name each file once"),
        ([str(other), files["g"]], "is of another benchmark"),
        ([files["bench"], str(tmp_path / "none.jsonl")], "no such file"),
    ):
        assert run_command(["samples", "--benchmark", *given]) == 2
        assert told in capsys.readouterr().err
