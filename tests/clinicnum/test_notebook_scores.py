"""Scores in a notebook: what is known of the form asked for, how they print, and slices of their frame."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import clinicnum
from clinicnum.api.benchmark import Benchmark
from tests.clinicnum.answering import instance


@pytest.fixture(scope="module")
def benchmark() -> Any:
    return clinicnum.generate(quota="retrieval=12", representation="note", seed=1)


@pytest.fixture(scope="module")
def answers(benchmark: Any) -> Any:
    frame = benchmark.to_frame()
    return frame[["instance_id"]].assign(text='{"answer": "' + frame["answer"] + '"}')


def test_strict_is_missing_where_nobody_is_known_to_have_asked_for_the_form(
    benchmark: Any, answers: Any
) -> None:
    scores = clinicnum.score(benchmark, answers)
    assert scores.accuracy()["strict_accuracy"].isna().all()
    assert scores.accuracy()["strict_accuracy"].dtype == float
    assert (scores.accuracy()["accuracy"] == 1).all()
    assert scores.to_frame()["strict"].isna().all()
    both = [answers.assign(run_id=run) for run in ("a", "b")]
    compared = clinicnum.compare_runs(clinicnum.score(benchmark, pd.concat(both)))
    assert compared.accuracy["strict_accuracy"].isna().all()


def test_strict_is_judged_of_answers_to_the_prompts_of_the_benchmark(
    benchmark: Any, answers: Any, tmp_path: Path
) -> None:
    scores = clinicnum.score(benchmark, answers, own_prompts=True)
    scores.save(tmp_path)
    names = "benchmark.jsonl", "run.generations.jsonl", "run.scores.jsonl"
    loaded = clinicnum.load_scores(*(tmp_path / name for name in names))
    for one in (scores, scores.of_run("run"), loaded):
        assert one.accuracy()["strict_accuracy"].tolist() == [1.0] * 4
        assert one.to_frame()["strict"].all()
    clinicnum.score(benchmark, answers).save(tmp_path)
    unknown = clinicnum.load_scores(*(tmp_path / name for name in names))
    assert unknown.accuracy()["strict_accuracy"].isna().all()


def test_scores_print_as_counts(benchmark: Any, answers: Any) -> None:
    answers = answers.assign(text=[*answers["text"][:9], *[""] * 3])
    scores = clinicnum.score(benchmark, answers)
    assert repr(scores) == "<Scores: 12 answers of 1 runs; 9 correct, 3 empty>"
    assert repr(scores.of_run("none")) == "<Scores: 0 answers of 0 runs>"


def test_slices_are_searched_in_the_frame_of_scores() -> None:
    benchmark = clinicnum.generate(quota="retrieval=300", seed=1)
    asked = benchmark.to_frame()
    wrong = (asked["representation"] == "note") & (asked.index % 3 != 0)
    answers = asked[["instance_id"]].assign(text="The answer is " + asked["answer"].mask(wrong, "7"))
    frame = clinicnum.score(benchmark, answers).to_frame()
    found = clinicnum.find_slices(frame, ["representation", "template_id"], outcome="lenient", run="run_id")
    assert [str(one) for one in found.slices] == ["representation = note"]


def test_lint_tells_how_many_questions_made_elsewhere_were_not_checked_and_why() -> None:
    made = {"operation": "external", "representation": "external", "records": (), "evidence": ()}
    asked = [instance(number, **made) for number in range(3)]
    findings = clinicnum.lint_benchmark(Benchmark({one.instance_id: one for one in asked}))
    assert findings.attrs["checked"] == 0
    assert findings.attrs["not_checked"]["context not read: made elsewhere"] == 3
