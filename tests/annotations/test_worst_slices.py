"""Worst slices of an explored frame: what is searched, and slices as choices of facets."""

from typing import Any

import numpy as np

from clinicnum.annotations.explore.facet_names import OUTCOMES, TITLES
from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame, QuestionTable, make_frame
from clinicnum.annotations.explore.worst_slices import SEARCHED, choices, find_worst, number
from tests.db.examples import instance


def question(at: int) -> dict[str, Any]:
    one = instance(at).model_dump(mode="json")
    vitals = [["temperature_c"], ["sbp_mmhg", "dbp_mmhg"], ["spo2_pct"]][at % 3]
    return one | {
        "flags": [],
        "subject_id": f"s{at % 127}",
        "representation": ("note", "structured")[at % 7 % 2],
        "evidence": [{"record": 0, "vital": vital} for vital in vitals],
        "records": one["records"][:1] * (1 + at % 20),
        "variant": "input.typo" if at % 11 == 0 else None,
    }


def frame_of(hard: Any, *, runs: tuple[str, ...] = ("a",), n: int = 1800, error: int = 0) -> Frame:
    """Answers of runs, right in 80 %, and in 20 % where `hard(run, question)` says so."""
    asked = [question(at) for at in range(n)]
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate(asked))
    rng = np.random.default_rng(4)
    parts = []
    for run in runs:
        rows = []
        for at, one in enumerate(asked):
            right = rng.random() < (0.2 if hard(run, one) else 0.8)
            status = "error" if at < error else "correct" if right else "incorrect"
            rows.append((f"{run}{at}", at, {"finish_reason": "stop"}, {"status": status}))
        parts.append((table, AnswerTable.of(rows, run=run, model=f"model {run}")))
    return make_frame(parts)


def test_a_vital_with_many_records_is_found_and_chosen_by_bands() -> None:
    frame = frame_of(lambda _, one: one["evidence"][-1]["vital"] == "dbp_mmhg" and len(one["records"]) >= 10)
    search = find_worst(frame, np.ones(len(frame), dtype=bool))
    (found,) = search.slices
    # Two vital signs are asked about together, so that either says the same.
    assert choices(found) == {"vital": ("dbp_mmhg",), "records": ("10-14", "15-19", "20+")}
    assert [number(one) for one in found.conditions if one.operator == ">="] == ["10"]
    inside = frame.choose(choices(found))
    assert (inside.sum(), np.flatnonzero(inside).tolist()) == (found.n, found.rows.tolist())


def test_a_threshold_from_above_and_one_run_are_choices_too() -> None:
    frame = frame_of(lambda run, one: run == "b" and len(one["records"]) < 5, runs=("a", "b", "c"))
    (found,) = find_worst(frame, np.ones(len(frame), dtype=bool)).slices
    assert choices(found) == {"records": ("0", "1", "2", "3", "4"), "run": ("b",)}


def test_only_chosen_and_scored_answers_count_and_no_variant_is_the_base_question() -> None:
    frame = frame_of(lambda _, one: one["variant"] == "input.typo", error=300)
    whole = find_worst(frame, np.ones(len(frame), dtype=bool))
    assert [choices(one) for one in whole.slices] == [{"variant": ("input.typo",)}]
    assert whole.slices[0].n == sum(at % 11 == 0 for at in range(300, 1800))
    assert find_worst(frame, frame.choose({"variant": ("",)})).slices == ()
    assert find_worst(frame, np.zeros(len(frame), dtype=bool)).slices == ()


def test_no_outcome_is_searched() -> None:
    assert set(SEARCHED) <= TITLES.keys() - OUTCOMES - {"patient", "run", "model", "headline", "confidence"}
