"""Severe errors, how few items hold them, and classes by kind of item: by hand, and how often the intervals
hold the truth of planted studies.

`scripts/dev/evidence tables` draws 2,000 studies, which are cheaper than runs.
"""

import os
import re
from collections import defaultdict
from math import sqrt

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.failure_class_shares import JudgedGenerations
from clinicnum.annotations.report.report_content import Cell, Table
from clinicnum.annotations.report.sections.severe_errors import SEVERE, SURE, rate_of_all, severe_tables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure
from clinicnum.tables.error_concentration import concentration, smallest_share
from tests.annotations.report_example_models import eight_models

DRAWS = 4 * int(os.environ.get("CLINICNUM_TABLE_DRAWS", "12"))
FULL = 2_000
SUBJECTS, OF_A_SUBJECT, MODELS = 60, 5, 6
LOGIT, BY_ITEM, BY_SUBJECT = -2.0, 1.2, 0.4
"""Of the chance that an answer is a severe error."""
WRONG_TOO, SURE_OF_IT, OF_CLASS = 0.25, 0.3, 0.4
"""Chance that another answer is wrong; that an answer is confident; that a failure is of the class."""


def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Whether each answer is severe, and wrong: [items, models]."""
    n = SUBJECTS * OF_A_SUBJECT
    of_subject = np.repeat(BY_SUBJECT * rng.standard_normal(SUBJECTS), OF_A_SUBJECT)
    chance = expit(LOGIT + of_subject + BY_ITEM * rng.standard_normal(n))
    severe = rng.random((n, MODELS)) < chance[:, None]
    return severe, severe | (rng.random((n, MODELS)) < WRONG_TOO)


def counts_truth() -> tuple[float, np.ndarray]:
    """The chance that an answer is severe, and that an item has 0, 1, ... severe answers."""
    x, w = np.polynomial.hermite_e.hermegauss(61)
    chance = expit(LOGIT + np.hypot(BY_ITEM, BY_SUBJECT) * x)
    of_count = binom.pmf(np.arange(MODELS + 1)[:, None], MODELS, chance)
    return float(chance @ w / w.sum()), of_count @ w / w.sum()


def test_intervals_hold_the_truth_of_planted_studies() -> None:
    rng, held = np.random.default_rng(5), defaultdict(list)
    rate, of_count = counts_truth()
    truth = {
        "severe: rate": rate,
        "severe: confident": rate * SURE_OF_IT,
        "severe: items": 1 - of_count[0],
        "severe: smallest share": float(smallest_share(of_count)),
        "class by kind of item": OF_CLASS,
    }
    whose = Subjects.of(f"s{one:03}" for one in np.repeat(np.arange(SUBJECTS), OF_A_SUBJECT))
    for _ in range(DRAWS):
        severe, wrong = draw(rng)
        sure = rng.random(len(severe)) < SURE_OF_IT
        spread = concentration(
            [(whose.names[at], int(row.sum()), MODELS) for at, row in zip(whose.place, severe, strict=True)]
        )
        found = {
            "severe: rate": rate_of_all(whose, severe[:, 0].astype(float)),
            "severe: confident": rate_of_all(whose, (severe[:, 0] & sure).astype(float)),
            "severe: items": spread.any,
            "severe: smallest share": spread.smallest,
            "class by kind of item": _class_share(rng, whose, wrong[:, 1]),
        }
        for name, figure in found.items():
            low, high = figure.interval.low, figure.interval.high
            held[name].append(low is not None and high is not None and low <= truth[name] <= high)
    chance = 0.0 if DRAWS >= FULL else 5 * sqrt(0.05 * 0.95 / DRAWS)
    for name, all_held in held.items():
        print(f"{name:28} {100 * np.mean(all_held):5.1f} % of {len(all_held):,}")
    coverage = {name: float(np.mean(one)) for name, one in held.items()}
    assert not {name: one for name, one in coverage.items() if not 0.93 - chance <= one <= 0.97 + chance}


def _class_share(rng: np.random.Generator, whose: Subjects, wrong: np.ndarray) -> Figure:
    """Of the failures on a third of the items, all judged."""
    here = rng.random(len(wrong)) < 1 / 3
    of_class = rng.random(len(wrong)) < OF_CLASS
    classes = [("a" if one else "b") if bad else None for one, bad in zip(of_class, wrong, strict=True)]
    return JudgedGenerations(
        subjects=whose[here],
        weights=np.ones(here.sum()),
        wrong=wrong[here],
        classes=tuple(one for one, kept in zip(classes, here, strict=True) if kept),
        scored_wrong=float(wrong[here].mean()),
        of_all=whose[here],
        all_wrong=wrong[here],
        all_weights=np.ones(here.sum()),
    ).share("a")


def test_the_smallest_share_by_hand() -> None:
    # Of 10 items one has 4 severe errors, one 2 and two 1: 8 in all, of which 80 % are 6.4. The first two
    # hold 6, the next 0.4 of its one: 2.4 of 10 items.
    counts = [4, 2, 1, 1, 0, 0, 0, 0, 0, 0]
    found = concentration([(f"s{i}", count, 4) for i, count in enumerate(counts)])
    assert found.smallest.value == pytest.approx(0.24)
    assert found.any.value == pytest.approx(0.4)
    assert found.by_chance is not None
    assert found.by_chance > 0.24, "at random they would be spread over more items"
    none = concentration([(f"s{i}", 0, 4) for i in range(10)])
    assert (none.smallest.value, none.smallest.undefined, none.by_chance) == (
        None,
        "no error is severe",
        None,
    )


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    report = build_report(eight_models(), generated_by="test")
    return {table.id: table for section in report.sections for table in section.tables}


def test_the_report_counts_severe_errors_by_model_and_over_items(tables: dict[str, Table]) -> None:
    view = StudyView(eight_models())
    severe = {
        one.generation_id
        for one in view.settlements
        if one.response.label == "failure" and one.severity in SEVERE
    }
    sure = {
        one.generation_id
        for one in view.tables.generations
        if one.generation_id in severe and (one.answer_confidence or 0) >= SURE
    }
    for run in view.ranked:
        mine = {one.generation.generation_id for one in run.answers}
        row = next(one for one in tables["severe_errors"].rows if one[0] == run.name)
        for column, those in (("severe", severe), ("confident", sure)):
            value = tables["severe_errors"].cell(row, column)
            assert bool(value) == bool(mine & those), (run.name, column)
    (row,) = tables["severe_concentration"].rows
    items = {view.instance(one).instance_id for one in severe}
    table = tables["severe_concentration"]
    assert table.cell(row, "any") == pytest.approx(len(items) / int(table.cell(row, "any_n") or 0))  # type: ignore[arg-type]


def test_failures_without_a_severity_bound_the_rate_of_severe_errors() -> None:
    tables = eight_models()
    view = StudyView(tables)
    run = view.ranked[-1]
    mine = {one.generation.generation_id for one in run.answers}
    key = next(
        one.generation_id
        for one in view.settlements
        if one.generation_id in mine and one.response.label == "failure" and one.severity in SEVERE
    )
    levels = iter("024")
    apart = tuple(
        one.model_copy(update={"severity": next(levels)}) if one.generation_id == key else one
        for one in tables.annotations
    )
    view = StudyView(tables.model_copy(update={"annotations": apart}))
    (remark,) = [str(one[-1]) for one in rows_of(view) if one[0] == run.name]
    ends = re.search(
        r"1 failure without a settled severity left out: were none severe, (.*) %; all, (.*) %", remark
    )
    assert ends is not None
    assert float(ends[1]) < float(ends[2])
    assert "are settled as of severity 3 or 4" in severe_tables(view)[0].note


def rows_of(view: StudyView) -> tuple[tuple[Cell, ...], ...]:
    return severe_tables(view)[0].rows


def test_classes_by_kind_of_item_are_parts_of_those_of_the_model(tables: dict[str, Table]) -> None:
    table = tables["classes_by_item_kind"]
    for dimension in ("operation", "representation"):
        rows = [row for row in table.rows if row[:2] == ("SmolLM2 135M", dimension)]
        values = {row[2] for row in rows}
        assert len(values) > 1
        for value in values:
            shares = [table.cell(row, "share") for row in rows if row[2] == value]
            assert sum(one for one in shares if isinstance(one, float)) == pytest.approx(1.0)


def test_a_model_stands_at_the_first_stage_that_is_not_passed(tables: dict[str, Table]) -> None:
    table, signatures = tables["advice_stages"], tables["signatures"]
    verdicts = {row[:2]: signatures.cell(row, "verdict") for row in signatures.rows}
    for row in table.rows:
        model, stage, measure = row[:3]
        standing, next_ = table.cell(row, "standing"), table.cell(row, "next")
        if (model, measure) in verdicts:
            fires = verdicts[model, measure] == "fires"
            assert not fires or standing == "to do"
            assert standing != "passed" or verdicts[model, measure] == "quiet"
        else:
            assert table.cell(row, "threshold") == "none known"
            assert table.cell(row, "to_go") is None
        assert next_ is None or standing != "passed", (model, stage)
        assert (next_ is None) or (standing in ("to do", "open"))
    ahead = {row[0] for row in table.rows if table.cell(row, "next") == "next"}
    assert ahead == {row[0] for row in table.rows if table.cell(row, "standing") in ("to do", "open")}


def test_severe_errors_by_persona_stand_beside_those_by_the_default_prompt() -> None:
    plain = eight_models()
    half = len(plain.instances) // 2
    asked = tuple(
        one.model_copy(
            update={
                "variant": "prompt.persona.teacher.cautious",
                "base_id": plain.instances[at - half].instance_id,
                "expected": "same",
            }
        )
        if at >= half
        else one
        for at, one in enumerate(plain.instances)
    )
    view = StudyView(plain.model_copy(update={"instances": asked}))
    table = next(one for one in severe_tables(view) if one.id == "severe_by_persona")
    model = "SmolLM2 135M"
    rows = {row[3]: row for row in table.rows if row[0] == model}
    assert {name: row[1] for name, row in rows.items()} == {
        "default prompt": "",
        "cautious": "not medical",
    }
    mine = next(run for run in view.runs if run.name == model)
    of = {one.generation.generation_id: one.instance.variant for one in mine.answers}
    settled = [one for one in view.settlements if one.generation_id in of and one.response.label]
    known = [one for one in settled if one.response.label != "failure" or one.severity is not None]
    for name, variant in (("default prompt", None), ("cautious", "prompt.persona.teacher.cautious")):
        here = [one for one in known if of[one.generation_id] == variant]
        assert table.cell(rows[name], "severe_n") == len(here)
        severe = any(one.response.label == "failure" and one.severity in SEVERE for one in here)
        assert bool(table.cell(rows[name], "severe")) == severe
