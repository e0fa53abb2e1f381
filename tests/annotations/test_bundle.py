"""A bundle is whole, or `verify` names what is not: a byte, a file, a figure."""

import hashlib
import io
import json
import random
import zipfile

import pytest

from clinicnum.annotations.bundle.archive import Unpacked, pack
from clinicnum.annotations.bundle.bundle_file_paths import FIGURES, MANIFEST, README, SUMS
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.exports.report_files import read_report, report_json
from clinicnum.annotations.report.build import build_report
from clinicnum.errors import InputError
from tests.annotations.bundle_example import MAKER, files, flipped, made, material, rehashed, verified


def test_a_fresh_bundle_is_whole_and_every_figure_is_recomputed() -> None:
    found = verify_bundle(Unpacked(files(), pack(files())), generated_by=MAKER)
    assert (found.faults, found.whole, found.study) == ((), True, "example")
    report = read_report(made()[FIGURES], FIGURES)
    cells = [
        cell
        for section in report.sections
        for table in section.tables
        for row in table.rows
        for cell in row
        if cell is not None and not isinstance(cell, str)
    ]
    assert found.figures == len(cells) > 500
    assert any(note.startswith("scores: ") for note in found.notes)


def test_the_raw_rows_come_back_as_they_went_in() -> None:
    assert read_raw(files()) == material()


def test_the_report_comes_back_to_the_last_digit() -> None:
    report = build_report(material().tables, generated_by=MAKER)
    assert read_report(report_json(report), "x") == report


def test_the_same_study_gives_the_same_bytes_in_any_order_of_its_files() -> None:
    backwards = dict(reversed(files().items()))
    assert pack(backwards) == pack(files())
    names = zipfile.ZipFile(io.BytesIO(pack(files()))).namelist()
    assert names == sorted(names)


@pytest.mark.parametrize("name", sorted(made()))
def test_one_changed_byte_fails_and_names_the_file(name: str) -> None:
    content = made()[name]
    for at in {0, len(content) // 2, max(len(content) - 1, 0)}:
        found = verified(files() | {name: flipped(content, at)})
        assert [fault.file for fault in found.faults] == [name], at
        assert not found.whole


def test_every_byte_of_the_lists_is_watched() -> None:
    rng = random.Random(0)
    for name in (MANIFEST, SUMS):
        for at in rng.sample(range(len(made()[name])), 6):
            found = verified(files() | {name: flipped(made()[name], at)})
            assert [fault.file for fault in found.faults] == [name], at


def test_the_sums_are_those_that_sha256sum_checks() -> None:
    lines = made()[SUMS].decode().splitlines()
    assert len(lines) == len(made()) - 1
    for line in lines:
        digest, name = line.split("  ", 1)
        assert digest == hashlib.sha256(made()[name]).hexdigest()


def test_a_file_that_is_gone_or_was_added_is_named() -> None:
    less = files()
    del less["raw/scores.jsonl"]
    assert str(verified(less).faults[0]) == "raw/scores.jsonl: is missing"
    more = verified(files() | {"raw/more.jsonl": b""})
    assert str(more.faults[0]) == "raw/more.jsonl: is no part of the bundle: it was added"


def test_a_changed_label_with_hashes_made_anew_is_found_in_the_figures() -> None:
    raw = files()
    lines = raw["raw/annotations.jsonl"].split(b"\n")
    lines[0] = (
        lines[0].replace(b'"severity":"1"', b'"severity":"3"').replace(b'"severity":"2"', b'"severity":"3"')
    )
    found = verified(rehashed(raw | {"raw/annotations.jsonl": b"\n".join(lines)}))
    said = [str(fault) for fault in found.faults]
    assert any(text.startswith("report/report.json: table severity, row ") for text in said), said
    assert any(text.startswith("report/annotations.csv: differs at line 2 ") for text in said)


def test_a_changed_decision_or_invalidation_with_hashes_made_anew_is_found_in_the_figures() -> None:
    raw = files()
    decision = raw["raw/adjudications.jsonl"].replace(b'"adjudicator_id":"J1"', b'"adjudicator_id":"J2"')
    out = raw["raw/invalidations.jsonl"].replace(b'"V2.tie"', b'"V4.tie"')
    assert decision != raw["raw/adjudications.jsonl"]
    assert out != raw["raw/invalidations.jsonl"]
    changed = {"raw/adjudications.jsonl": decision, "raw/invalidations.jsonl": out}
    said = [str(fault) for fault in verified(rehashed(raw | changed)).faults]
    for table in ("adjudicated", "invalidated"):
        assert any(text.startswith(f"report/report.json: table {table}, row 1 ") for text in said), said
    assert any(text.startswith("report/adjudications.csv: differs at line 2 ") for text in said)
    assert any(text.startswith("report/invalidations.csv: differs at line 2 ") for text in said)


def test_a_changed_figure_with_hashes_made_anew_is_named_with_both_values() -> None:
    loaded = json.loads(made()[FIGURES])
    tables = [table for section in loaded["sections"] for table in section["tables"]]
    accuracy = next(table for table in tables if table["id"] == "accuracy")
    column = [one["key"] for one in accuracy["columns"]].index("accuracy")
    true = accuracy["rows"][-1][column]
    accuracy["rows"][-1][column] = 0.9
    forged = (json.dumps(loaded, indent=1, ensure_ascii=False) + "\n").encode()
    found = verified(rehashed(files() | {FIGURES: forged}))
    row = len(accuracy["rows"])
    named = ", ".join(accuracy["rows"][-1][:2])
    wanted = f"table accuracy, row {row} ({named}), accuracy is 0.9, but the raw rows give {true!r}"
    assert [fault.what for fault in found.faults if fault.file == FIGURES] == [wanted]
    assert {"report/accuracy.csv", "report/report.html"} <= {fault.file for fault in found.faults}


@pytest.mark.parametrize("name", ["report/report.html", README])
def test_a_made_file_that_was_changed_with_hashes_made_anew_is_named(name: str) -> None:
    forged = made()[name][:-2] + b" " + made()[name][-2:]
    found = verified(rehashed(files() | {name: forged}))
    assert [fault.file for fault in found.faults] == [name]
    assert "though its hashes hold" in found.faults[0].what


def test_figures_that_differ_in_the_last_digits_only_are_the_same() -> None:
    report = read_report(made()[FIGURES], FIGURES)
    text = made()[FIGURES].decode()
    value = next(
        cell
        for section in report.sections
        for table in section.tables
        for row in table.rows
        for cell in row
        if isinstance(cell, float) and len(repr(cell)) > 17
    )
    other = text.replace(repr(value), repr(value * (1 + 1e-12)))
    assert other != text
    found = verified(rehashed(files() | {FIGURES: other.encode()}))
    assert FIGURES not in {fault.file for fault in found.faults}


def test_a_line_that_cannot_be_read_is_named_by_its_number() -> None:
    broken = made()["raw/scores.jsonl"].replace(b'"status":"', b'"status":"un', 1)
    with pytest.raises(InputError, match=r"raw/scores.jsonl:1: not a valid score: status: "):
        verified(rehashed(files() | {"raw/scores.jsonl": broken}))


def test_a_bundle_of_another_program_version_says_so() -> None:
    found = verify_bundle(Unpacked(files()), generated_by="clinicnum 99")
    assert found.whole
    assert "made by clinicnum test, checked by clinicnum 99" in found.notes[0]
