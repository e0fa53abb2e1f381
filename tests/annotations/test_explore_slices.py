"""Accuracy of slices with its difference from the rest, the map of failures, and flips between runs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from clinicnum.annotations.explore.flips_between_runs import flips
from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame, QuestionTable, make_frame
from clinicnum.annotations.explore.slice_accuracy import (
    MOST_SLICES,
    SliceTable,
    accuracy_by,
    failure_map,
    slice_accuracy,
)
from clinicnum.annotations.explore.slice_rows import slice_rows
from clinicnum.errors import InputError
from clinicnum.stats.share_difference import difference_interval
from clinicnum.stats.two_way_clusters import Crossing, accuracy_interval
from tests.annotations.test_explore_frame import question

Rng = np.random.Generator


def frame(runs: dict[str, list[str]], questions: list[dict[str, Any]]) -> Frame:
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate(questions))
    return make_frame(
        [
            (
                table,
                AnswerTable.of(
                    (
                        (f"{run}{at}", at, {"finish_reason": "stop"}, {"status": status})
                        for at, status in enumerate(statuses)
                        if status
                    ),
                    run=run,
                    model=run,
                ),
            )
            for run, statuses in runs.items()
        ]
    )


def drawn(rng: Rng, n: int = 400) -> Frame:
    vitals = ["sbp_mmhg", "dbp_mmhg", "spo2_pct"]
    questions = [
        question(
            at,
            template_id=f"t{rng.integers(0, 9)}",
            subject_id=f"s{rng.integers(0, 40)}",
            operation=("retrieval", "arithmetic")[rng.integers(0, 2)],
            evidence=[{"record": 0, "vital": one} for one in rng.choice(vitals, 2, replace=False)],
        )
        for at in range(n)
    ]
    names = ["correct", "incorrect", "error", "empty"]
    runs = {run: rng.choice(names, n, p=[0.5, 0.3, 0.1, 0.1]).tolist() for run in ("a", "b")}
    return frame(runs, questions)


def test_a_slice_is_set_against_the_other_answers_that_count() -> None:
    of = drawn(np.random.default_rng(1))
    chosen = of.choose({"operation": ["arithmetic"]})
    found = slice_accuracy(of, chosen)
    inside, outside = chosen & of.answered, ~chosen & of.answered
    assert (found.n, found.correct) == (inside.sum(), (inside & of.correct).sum())
    assert found.subjects == len(of[inside].subjects.names)
    assert found.rest == pytest.approx(of.correct[outside].mean())
    part = of[inside]
    own = accuracy_interval(part.correct.astype(float), part.subjects, part.templates)
    assert (found.interval.low, found.interval.high) == (pytest.approx(own.low), pytest.approx(own.high))
    crossing = Crossing.of(of.subjects, of.templates)
    totals = (crossing.totals(of.correct.astype(float), part) for part in (inside, outside))
    assert found.difference_interval == difference_interval(crossing, *totals)
    (row,) = slice_rows([SliceTable("patient", (slice_accuracy(of, of.choose({"patient": ["s1"]})),), 0)])
    assert row["difference_low"] is None
    assert row["difference_undefined"].endswith("their subjects: 1; an interval needs at least 10 of 5")
    alone = slice_accuracy(of, chosen, among=chosen)
    assert (alone.rest, alone.difference, alone.difference_interval) == (None, None, None)
    nothing = slice_accuracy(of, of.choose({"operation": ["no such"]}))
    assert (nothing.n, nothing.accuracy, nothing.difference) == (0, None, None)
    assert "an interval needs at least" in (nothing.interval.undefined or "")


def test_a_table_has_each_value_that_occurs_with_answers_of_several_values_in_each() -> None:
    of = drawn(np.random.default_rng(2))
    within = of.choose({"run": ["a"]})
    table = accuracy_by(of, "vital", within=within)
    assert [row.value for row in table.rows] == ["spo2_pct", "sbp_mmhg", "dbp_mmhg"]
    assert sum(row.n for row in table.rows) == 2 * (within & of.answered).sum()
    for row in table.rows:
        chosen = of.choose({"vital": [row.value]}) & within
        assert row == replace(slice_accuracy(of, chosen, among=within), value=row.value)
    many = frame({"a": ["correct"] * 150}, [question(at) for at in range(150)])
    patients = accuracy_by(many, "patient")
    assert (len(patients.rows), patients.left_out) == (MOST_SLICES, 50)
    with pytest.raises(InputError, match="no facet 'no such'"):
        accuracy_by(of, "no such")


def test_the_map_tells_no_answers_from_no_failures() -> None:
    questions = [question(0, operation="retrieval", evidence=[]), question(1), question(2)]
    of = frame({"a": ["correct", "incorrect", "correct"], "b": ["incorrect"]}, questions)
    found = failure_map(of, "operation", "run")
    assert (found.rows, found.columns) == (("retrieval", "arithmetic"), ("a", "b"))
    assert found.n.tolist() == [[1, 1], [2, 0]]
    assert found.failures.tolist() == [[0, 1], [1, 0]]
    by_vital = failure_map(of, "vital", "model", within=of.choose({"run": ["a"]}))
    assert (by_vital.rows, by_vital.columns) == (("sbp_mmhg", "dbp_mmhg", ""), ("a",))
    assert by_vital.n.tolist() == [[2], [2], [1]]


def test_flips_are_the_questions_that_both_answered_with_another_verdict() -> None:
    rng = np.random.default_rng(3)
    of = drawn(rng)
    found = flips(of, "a", "b", where={"operation": ["arithmetic"], "correct": ["no"], "model": ["a"]})
    verdicts: dict[str, dict[int, bool]] = {"a": {}, "b": {}}
    for row in np.flatnonzero(of.choose({"operation": ["arithmetic"]}) & of.answered):
        verdicts[of.facets["run"].values_of(row)[0]][int(of.instances[row])] = bool(of.correct[row])
    both = verdicts["a"].keys() & verdicts["b"].keys()
    lost = {one for one in both if verdicts["a"][one] and not verdicts["b"][one]}
    gained = {one for one in both if verdicts["b"][one] and not verdicts["a"][one]}
    assert {*of.instances[found.to_wrong[0]]} == {*of.instances[found.to_wrong[1]]} == lost
    assert {*of.instances[found.to_right[1]]} == gained
    assert found.both_right + found.both_wrong + len(lost) + len(gained) == len(both) == found.comparison.n
    assert found.comparison.difference == pytest.approx((len(gained) - len(lost)) / len(both))
    with pytest.raises(InputError, match="two different runs"):
        flips(of, "a", "a")
    none = flips(of, "a", "no such")
    assert none.comparison.undefined is not None


def test_of_two_answers_to_a_question_the_first_counts_as_the_runs() -> None:
    table = QuestionTable.of([("q", question(0))])
    twice = AnswerTable.of(
        (
            (f"a{at}", 0, {"finish_reason": "stop"}, {"status": ("correct", "incorrect")[at]})
            for at in range(2)
        ),
        run="a",
        model="m",
    )
    once = AnswerTable.of([("b", 0, {"finish_reason": "stop"}, {"status": "incorrect"})], run="b", model="m")
    found = flips(make_frame([(table, twice), (table, once)]), "a", "b")
    assert (found.comparison.n, found.to_wrong[0].tolist(), found.to_wrong[1].tolist()) == (1, [0], [2])
