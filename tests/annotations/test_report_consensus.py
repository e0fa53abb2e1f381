"""What adjudicators decided reaches the results: by default, by choice, and with the majority beside it."""

import csv
import io
from functools import cache

import pytest

from clinicnum.annotations.consensus import PROTOCOLS, Protocol
from clinicnum.annotations.consensus.vote_consensus import consensus
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_view import StudyView
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study

Row = dict[str, str]
CHANGED = {
    "failure_shares",
    "taxonomy_by_operation_consensus",
    "taxonomy_by_representation_consensus",
    "severity",
    "signatures",
    "scorer_rates",
    "scorer_against_consensus",
    "consensus_settled",
    "consensus_differs",
    "classes_by_operation",
    "classes_by_item_kind",
    "advice_stages",
    "harm",
}
"""The tables that rest on what a generation comes to."""


@cache
def report(chosen: Protocol | None) -> Report:
    tables = overturned_study().model_copy(update={"consensus": chosen})
    return build_report(tables, generated_by="test")


@cache
def csvs(chosen: Protocol | None) -> dict[str, str]:
    return report_csvs(report(chosen))


def rows(chosen: Protocol | None, table: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(csvs(chosen)[f"{table}.csv"])))


def test_which_tables_an_adjudicator_changes() -> None:
    by_decision, by_majority = csvs("three_expert"), csvs("majority")
    differing = {name for name in by_decision if by_decision[name] != by_majority[name]}
    assert differing == {f"{one}.csv" for one in CHANGED}


def test_decisions_are_the_default_once_there_is_one_and_the_majority_before() -> None:
    assert csvs(None) == csvs("three_expert")
    assert StudyView(study()).protocol == "majority"


def test_decided_classes_are_the_failures_with_the_majority_beside_them() -> None:
    found = {row["class"]: row for row in rows(None, "failure_shares")}
    # Sixteen were judged: eight decided to be hallucinations, seven to be no failure, one is undecided.
    assert (found["Hallucination"]["count"], found["Hallucination"]["n"]) == ("8", "9")
    assert float(found["Hallucination"]["share"]) == pytest.approx(8 / 9)
    assert (found["Hallucination"]["beside_count"], found["Hallucination"]["beside_n"]) == ("0", "16")
    assert (found["Omission"]["count"], found["Omission"]["beside_count"]) == ("0", "15")
    severity = {row["severity"]: row for row in rows(None, "severity")}
    assert (severity["1"]["consensus"], severity["1"]["beside"]) == ("9", "16")


def test_a_failure_without_an_agreed_class_is_counted_and_shown() -> None:
    for chosen in ("three_expert", "majority"):
        open_class = next(row for row in rows(chosen, "failure_shares") if row["class"] == "no agreed class")
        assert open_class["count"] == "1"
        assert sum(int(row["count"]) for row in rows(chosen, "failure_shares")) == int(open_class["n"])


def test_a_signature_turns_with_the_decisions() -> None:
    verdicts = {
        chosen: {row["signature"]: row["verdict"] for row in rows(chosen, "signatures")}
        for chosen in ("three_expert", "majority")
    }
    assert verdicts["majority"]["omissions"] == "fires"
    assert verdicts["three_expert"]["omissions"] != "fires"


def test_each_generation_on_which_the_two_differ_is_listed_with_both() -> None:
    found = rows(None, "consensus_differs")
    assert len(found) == 15
    assert (found[0]["primary"], found[0]["beside_primary"]) == ("Hallucination", "Omission")
    assert (found[1]["response"], found[1]["beside_response"]) == ("acceptable", "failure")


@pytest.mark.parametrize("chosen", PROTOCOLS)
def test_every_protocol_settles_the_report_and_says_which(chosen: Protocol) -> None:
    settled = next(one for one in report(chosen).sections if one.id == "settlement")
    counted = [row for row in rows(chosen, "consensus_settled") if row["what"] == "response"]
    assert sum(int(row["n"]) for row in counted) == 16
    assert "by " in settled.tables[0].caption


def test_the_exported_rows_are_what_the_report_counts() -> None:
    tables = overturned_study()
    settled = list(csv.DictReader(io.StringIO(csv_files(tables)["consensus.csv"])))
    assert {row["protocol"] for row in settled} == {"three_expert"}
    failures = [row for row in settled if row["response"] == "failure"]
    counted = sum(int(row["count"]) for row in rows(None, "failure_shares"))
    assert len(failures) == counted == 9
    assert sum(row["primary_class"] == "hallucination" for row in failures) == 8
    assert sum(row["majority_primary_class"] == "omission" for row in settled) == 15


def test_two_readers_and_an_adjudicator_are_three_experts() -> None:
    assert consensus(["a", "b"], "three_expert", decision="b").label == "b"
    assert consensus(["a", "a"], "three_expert").label is None
    assert consensus(["a", "a"], "three_expert", independent=2).label == "a"
