"""Sections on consensus, annotators, suggestions, planning: counted again; what they cannot say is said."""

import csv
import io
import re
from collections import Counter
from datetime import timedelta
from math import isnan

import numpy as np
import pytest

from clinicnum.annotations.consensus import consensus
from clinicnum.annotations.judgement import Label
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html, report_csvs
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.types import Annotation
from tests.annotations.report_example import study

CLASSES = ("omission", "contextual_inconsistency", "hallucination")
REPEATED = 8


def busy_study(*, arms: bool, patients: int = 12) -> StudyTables:
    """The example with errors by chance, times, blind repeats, and (`arms`) suggestions shown by chance."""
    tables, rng = study(simulated=False, patients=patients), np.random.default_rng(5)
    made: list[Annotation] = []
    for n, one in enumerate(tables.annotations):
        true = CLASSES[(n // 3) % 3]
        shown = arms and (n // 3) % 2 == 1
        said = [true if rng.random() < 0.8 else CLASSES[rng.integers(3)] for _ in range(2)]
        changed = {
            "labels": (Label(code=said[0], primary=True),),
            "active_ms": int(rng.integers(5_000, 60_000)),
            "created_at": one.created_at + timedelta(minutes=n),
            "suggestion_shown": shown,
        }
        made.append(one.model_copy(update=changed))
        if n // 3 < REPEATED and not shown:
            again = {"labels": (Label(code=said[1], primary=True),), "round": "repeat"}
            later = {"created_at": made[-1].created_at + timedelta(days=9), "annotation_id": f"r{n}"}
            made.append(made[-1].model_copy(update=again | later))
    return tables.model_copy(update={"annotations": tuple(made)})


def rows(report: Report, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report_csvs(report)[f"{name}.csv"])))


@pytest.fixture(scope="module")
def tables() -> StudyTables:
    return busy_study(arms=False)


@pytest.fixture(scope="module")
def larger() -> Report:
    """As many labels as Dawid and Skene's model needs."""
    return build_report(busy_study(arms=False, patients=40), generated_by="test")


@pytest.fixture(scope="module")
def report(tables: StudyTables) -> Report:
    return build_report(tables, generated_by="test")


def counted(tables: StudyTables, round_: str = "main") -> dict[str, dict[str, str]]:
    """generation -> annotator -> class, from the annotations alone: each has one label and one revision."""
    found: dict[str, dict[str, str]] = {}
    for one in tables.annotations:
        if one.round == round_:
            label = one.labels[0].code.partition(".")[0]
            found.setdefault(one.generation_id, {})[one.annotator_id] = label
    return found


def test_protocols_can_be_counted_again(tables: StudyTables, report: Report) -> None:
    votes = counted(tables)
    found = {
        row["protocol"]: row
        for row in rows(report, "consensus_protocols")
        if row["question"].startswith("Primary")
    }
    alike = sum(len(set(given.values())) == 1 for given in votes.values())
    majority = sum(consensus(list(given.values())).label is not None for given in votes.values())
    assert int(found["unanimous"]["labelled"]) == int(found["agreement or adjudication"]["labelled"]) == alike
    assert int(found["majority"]["labelled"]) == majority
    unfitted = found["Dawid and Skene"]
    assert (unfitted["labelled"], unfitted["share"]) == ("", "")
    assert "probabilities from 48 labels" in unfitted["remark"]


def test_with_labels_enough_the_model_labels_all(larger: Report) -> None:
    found = {
        row["protocol"]: row
        for row in rows(larger, "consensus_protocols")
        if row["question"] == "Primary class"
    }
    assert found["Dawid and Skene"]["labelled"] == found["Dawid and Skene"]["n"]


def test_each_annotator_against_the_others_can_be_counted_again(tables: StudyTables, report: Report) -> None:
    votes = counted(tables)
    for row in rows(report, "annotators_against_others"):
        if not row["question"].startswith("Primary"):
            continue
        who = row["annotator"]
        pairs = [
            (others[0], given[who])
            for given in votes.values()
            if len(set(others := _others(given, who))) == 1
        ]
        assert (int(row["n"]), int(row["open"])) == (len(pairs), len(votes) - len(pairs))
        assert float(row["agree"]) == pytest.approx(sum(one == own for one, own in pairs) / len(pairs))
        cells = [line for line in rows(report, "annotators_confusion") if line["annotator"] == who]
        assert sorted(Counter(pairs).values()) == sorted(int(line["n"]) for line in cells)


def _others(given: dict[str, str], who: str) -> list[str]:
    return [label for other, label in given.items() if other != who]


def test_repeats_can_be_counted_again(tables: StudyTables, report: Report) -> None:
    first, second = counted(tables), counted(tables, "repeat")
    (row,) = [
        row
        for row in rows(report, "annotators_repeats")
        if row["annotator"] == "all" and row["question"].startswith("Primary")
    ]
    same = [first[item][who] == label for item, given in second.items() for who, label in given.items()]
    assert (int(row["pairs"]), float(row["days"])) == (len(same), 9.0)
    assert len(same) == 3 * REPEATED
    assert float(row["agree"]) == pytest.approx(sum(same) / len(same))


def test_suggestions_shown_by_chance_have_their_effect_reported() -> None:
    tables = busy_study(arms=True)
    report = build_report(tables, generated_by="test")
    found = {row["what"]: row for row in rows(report, "suggestions_shares")}
    last = [one for one in tables.annotations if one.round == "main"]
    for name in CLASSES:
        title = next(one.name for one in tables.taxonomy_codes if one.code == name)
        row = found[f"primary: {title}"]
        for arm, column in ((True, "with"), (False, "without")):
            mine = [one.labels[0].code for one in last if one.suggestion_shown is arm]
            assert int(row[f"n_{column}"]) == len(mine)
            assert float(row[column]) == pytest.approx(mine.count(name) / len(mine))
        assert float(row["difference"]) == pytest.approx(float(row["with"]) - float(row["without"]))
    (time,) = rows(report, "suggestions_time")
    assert float(time["factor"]) == pytest.approx(float(time["with_s"]) / float(time["without_s"]))


def test_what_cannot_be_said_is_said(report: Report) -> None:
    page = render_html(build_report(study(), generated_by="test"))
    assert "no generation was judged again by the same annotator" in page
    assert "all 48 judgements were made without a suggestion in sight: nothing to compare" in page
    assert re.search(r"no decision stands on \d+ of the \d+ generations that need an adjudicator", page)
    (planner,) = [one for one in report.sections if one.id == "planner"]
    assert planner.tables


def test_a_study_without_a_judgement_has_all_sections_and_no_figure() -> None:
    report = build_report(study().model_copy(update={"annotations": ()}), generated_by="test")
    page = render_html(report)
    for said in (
        "no judgement has been submitted yet",
        "0 annotator(s): nothing tells errors from classes",
        "no complete judgement",
    ):
        assert said in page
    assert not nan_in(report)


def test_no_figure_is_nan(report: Report) -> None:
    assert not nan_in(report)


def nan_in(report: Report) -> list[str]:
    """Tables with a figure that is no number."""
    return [
        table.id
        for section in report.sections
        for table in section.tables
        if any(isinstance(cell, float) and isnan(cell) for row in table.rows for cell in row)
    ]


def test_the_least_certain_labels_come_first_with_their_posteriors(larger: Report) -> None:
    found = rows(larger, "dawid_skene_uncertain")
    assert found
    for question in {row["question"] for row in found}:
        first = [float(row["first_probability"]) for row in found if row["question"] == question]
        second = [float(row["second_probability"]) for row in found if row["question"] == question]
        assert first == sorted(first)
        assert max(first) < 0.99
        assert all(one >= other for one, other in zip(first, second, strict=True))


def test_the_checks_of_the_model_stand_in_a_table(report: Report, larger: Report) -> None:
    """3 classes are in use: 2 shares, and for each of 3 annotators 3 rows of 2 rates: 20 probabilities."""
    (row,) = [row for row in rows(report, "dawid_skene_checks") if row["question"].startswith("Primary")]
    assert (row["labels"], row["probabilities"]) == ("", "")
    assert row["remark"].startswith(
        "20 probabilities from 48 labels: there must be at least 5 labels for each"
    )
    (row,) = [row for row in rows(larger, "dawid_skene_checks") if row["question"].startswith("Primary")]
    assert row["probabilities"] == "20"
    assert int(row["labels"]) >= 100
    assert float(row["distance"]) <= 1e-3
    item = next(row for row in rows(larger, "dawid_skene_checks") if row["question"] == "Item")
    assert (item["probabilities"], item["pull"], item["ambiguity"], item["remark"]) == ("0", "0.0", "0.0", "")


def test_the_plan_of_a_narrower_interval_takes_more_of_everything(report: Report) -> None:
    found = [row for row in rows(report, "planner") if row["question"].startswith("Primary")]
    assert [row["annotators"] for row in found] == ["2", "3"]
    for row in found:
        assert int(row["items_for_0.05"]) > 3 * int(row["items_for_0.10"])
        assert int(row["subjects_for_0.05"]) > 3 * int(row["subjects_for_0.10"])
    assert int(found[0]["items_for_0.05"]) > int(found[1]["items_for_0.05"])
