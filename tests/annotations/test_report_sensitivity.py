"""Few answers that are scored right are judged: what a report then says of score and classes."""

from collections.abc import Sequence

import numpy as np
import pytest

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.failure_class_shares import NO_WRONG_JUDGED, JudgedGenerations
from clinicnum.annotations.report.report_content import Cell, Table
from clinicnum.stats.clustered_intervals import Subjects
from tests.annotations.sensitivity_example import stratified_study


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    report = build_report(stratified_study(), generated_by="test")
    return {table.id: table for section in report.sections for table in section.tables}


def cell(table: Table, key: str, **where: str) -> Cell:
    (row,) = (row for row in table.rows if all(table.cell(row, name) == one for name, one in where.items()))
    return table.cell(row, key)


def test_without_a_miss_among_eighteen_of_nine_hundred_sensitivity_can_be_37_percent(
    tables: dict[str, Table],
) -> None:
    rates = tables["scorer_rates"]
    assert cell(rates, "value", scorer="lenient", rate="sensitivity") == 1.0
    interval = cell(rates, "ci95", scorer="lenient", rate="sensitivity")
    assert interval == pytest.approx((0.3747, 1.0), abs=1e-4)
    # Of the right answers nearly all are known to be scored right.
    specificity = cell(rates, "ci95", scorer="lenient", rate="specificity")
    assert isinstance(specificity, tuple)
    assert specificity[0] > 0.99


def test_failures_that_nobody_saw_may_be_of_any_class(tables: dict[str, Table]) -> None:
    shares = tables["failure_shares"]
    assert cell(shares, "share", **{"class": "Omission"}) == 0.5
    interval = cell(shares, "ci95", **{"class": "Omission"})
    assert isinstance(interval, tuple)
    # 50 of 100 are known; up to 167 more may be omissions, or none of them.
    assert interval[0] < 0.5 * 0.38
    assert interval[1] > 1 - 0.5 * 0.38


def failures(wrong: int, right: int, classes: Sequence[str | None]) -> JudgedGenerations:
    """So many judged that are scored wrong, then right, a subject each; half of all are scored wrong."""
    n = wrong + right
    return JudgedGenerations(
        subjects=Subjects.of(f"s{place:03}" for place in range(n)),
        weights=np.ones(n),
        wrong=np.arange(n) < wrong,
        classes=tuple(classes),
        scored_wrong=0.5,
    )


def test_where_only_one_verdict_was_judged_the_share_is_of_its_failures_and_says_so() -> None:
    share = failures(20, 0, ["omission"] * 10 + ["hallucination"] * 10).share("omission")
    assert share.value == 0.5
    assert share.interval.warning == (
        "of the failures that are scored wrong: no answer that is scored right is settled"
    )
    right = failures(0, 20, ["omission"] * 5 + [None] * 15).share("omission")
    assert right.value == 1.0
    assert right.interval.warning is not None
    assert "scored right" in right.interval.warning


def test_where_all_failures_are_scored_right_their_classes_are_those_of_the_misses() -> None:
    classes = [*[None] * 10, *["omission"] * 4, *["hallucination"] * 4, *[None] * 2]
    share = failures(10, 10, classes).share("omission")
    assert share.value == pytest.approx(0.5)
    assert failures(10, 10, [None] * 20).share("omission").undefined == "no failure is settled"
    assert failures(0, 10, [None] * 10).share("omission").undefined == NO_WRONG_JUDGED
