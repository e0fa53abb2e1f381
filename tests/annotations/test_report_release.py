"""A report and its rows name the release, the version of a template, and the failure that it came from."""

from typing import Any

import pytest

from clinicnum.annotations.bundle.template_files import bank_files, bundled_bank_sha256
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.report_content import Table
from tests.annotations.report_example import study
from tests.clinicnum.releasing import made

ORIGIN = {"study": "first", "generation": "g7", "kind": "contest", "contest": "c7"}
RELEASE = {
    "name": "ward-2",
    "sha256": "cd" * 32,
    "templates": {"heart_rate_at": {"version": 1, "status": "validated", "origins": [ORIGIN]}},
}


def tables_of(bank_release: Any) -> dict[str, Table]:
    tables = study().model_copy(update={"benchmark": {**study().benchmark, "bank_release": bank_release}})
    report = build_report(tables, generated_by="test")
    return {table.id: table for section in report.sections for table in section.tables}


def test_the_report_traces_a_template_to_the_failure_it_came_from() -> None:
    found = tables_of(RELEASE)
    assert found["template_versions"].rows == (
        ("heart_rate_at", 1, "validated", 24, "ward-2", "study first, generation g7, contest c7"),
    )
    told = {row[1]: row[2] for row in found["provenance"].rows if row[0] == "benchmark"}
    assert (told["bank_release.name"], told["bank_release.sha256"]) == ("ward-2", "cd" * 32)
    assert not any(str(key).startswith("bank_release.templates") for key in told)


def test_of_another_version_than_the_release_has_nothing_is_claimed() -> None:
    other = {**RELEASE, "templates": {"heart_rate_at": {"version": 2, "status": "validated"}}}
    assert tables_of(other)["template_versions"].rows == (("heart_rate_at", 1, None, 24, "ward-2", None),)


@pytest.mark.parametrize("hostile", [None, "ward-2", {"name": "../x", "sha256": "a"}, {"name": 3}, []])
def test_a_meta_that_names_no_release_of_ours_makes_no_table(hostile: Any) -> None:
    assert "template_versions" not in tables_of(hostile)


def test_the_scores_name_version_and_release() -> None:
    tables = study().model_copy(update={"benchmark": {**study().benchmark, "bank_release": RELEASE}})
    head, row, *_ = csv_files(tables)["scores.csv"].splitlines()
    told = dict(zip(head.split(","), row.split(","), strict=False))
    assert head.split(",")[-3:] == ["template_version", "bank_release", "annotator_kind"]
    assert row.split(",")[-3:-1] == ["1", "ward-2"]
    assert told["template_id"] == "heart_rate_at"


def test_a_bundle_holds_the_whole_release() -> None:
    benchmark = {"bank_sha256": "x", "bank_release": RELEASE}
    files = bank_files(benchmark, released=made())
    assert set(files) == {f"templates/ward-2/{name}" for name in made()}
    assert str(bundled_bank_sha256(files)) in made()["MANIFEST.json"]
