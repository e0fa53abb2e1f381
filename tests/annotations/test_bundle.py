"""A bundle is whole, or `verify` names what is not: a byte, a file, a figure, the archive."""

import hashlib
import io
import json
import random
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.bundle.archive import Unpacked, pack, unpack
from clinicnum.annotations.bundle.bundle_file_paths import FIGURES, MANIFEST, README, SUMS
from clinicnum.annotations.bundle.derived_files import about
from clinicnum.annotations.bundle.manifest import changed_files, with_hashes
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import Verification, verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.report_files import read_report, report_json
from clinicnum.annotations.report.build import build_report
from clinicnum.credentialed_data import UNKNOWN_TERMS
from clinicnum.errors import InputError
from tests.annotations.bundle_example import MAKER, files, made, material


def verified(changed: dict[str, bytes]) -> Verification:
    return verify_bundle(Unpacked(changed), generated_by=MAKER)


def rehashed(changed: dict[str, bytes]) -> dict[str, bytes]:
    """As somebody who covers a change up would do it."""
    content = {name: data for name, data in changed.items() if name not in (MANIFEST, SUMS)}
    return with_hashes(content, said_of_the_whole())


@cache
def said_of_the_whole() -> dict[str, Any]:
    return about(material(), read_report(made()[FIGURES], FIGURES))


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] if content else b"x"


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


OLD = Path(__file__).parents[1] / "data/bundles/layout-1.zip"
"""The example's bundle as the version before the report's present layout wrote it, packed anew."""


EARLIER = sorted(OLD.parent.glob("*.zip"))
"""Bundles that versions up to 0.2.0 wrote, packed anew."""


@pytest.mark.parametrize("path", EARLIER, ids=[one.stem for one in EARLIER])
def test_a_bundle_with_a_report_in_an_earlier_layout_is_still_recomputed_figure_by_figure(path: Path) -> None:
    bundle = unpack(path)
    found = verify_bundle(bundle, generated_by=MAKER)
    assert found.faults == ()
    assert found.figures > 100
    assert any("laid out as by an earlier version" in note for note in found.notes)


def test_in_an_earlier_layout_a_changed_figure_label_or_file_is_found() -> None:
    old = unpack(OLD).files
    said = about(read_raw(old), read_report(old[FIGURES], FIGURES))

    def faults(**changed: bytes) -> set[str]:
        files = {name: data for name, data in (old | changed).items() if name not in (MANIFEST, SUMS)}
        return {one.file for one in verified(with_hashes(files, said)).faults}

    loaded = json.loads(old[FIGURES])
    table = next(
        table for section in loaded["sections"] for table in section["tables"] if table["id"] == "accuracy"
    )
    table["rows"][-1][[one["key"] for one in table["columns"]].index("accuracy")] = 0.9
    assert FIGURES in faults(**{FIGURES: json.dumps(loaded).encode()})
    lines = old["raw/annotations.jsonl"].replace(b'"severity":"1"', b'"severity":"3"')
    assert {FIGURES, "report/annotations.csv"} <= faults(**{"raw/annotations.jsonl": lines})
    assert faults(**{"report/accuracy.csv": old["report/accuracy.csv"] + b"x"}) == {"report/accuracy.csv"}
    assert faults(**{"report/figures/models.svg": b"<svg/>"}) == {"report/figures/models.svg"}


def test_in_layout_4_a_row_of_another_model_and_a_changed_verdict_on_a_sentence_are_found() -> None:
    old = unpack(OLD.with_name("layout-4-claims.zip")).files
    said = about(read_raw(old), read_report(old[FIGURES], FIGURES))

    def faults(name: str, now: bytes, then: bytes) -> set[str]:
        assert now in old[name]
        changed = {one: data for one, data in old.items() if one not in (MANIFEST, SUMS)}
        changed[name] = old[name].replace(now, then)
        return {one.file for one in verified(with_hashes(changed, said)).faults}

    row = b'"Contradicted, or not"'
    assert FIGURES in faults(FIGURES, row, b'"Stated, or not"')
    assert "report/claims.csv" in faults("report/claims.csv", b",contradicted,", b",supported,")
    assert {FIGURES, "report/claims.csv"} <= faults(
        "raw/annotations.jsonl", b'"contradicted:major', b'"not_addressed:major'
    )


class TestArchive:
    """What stands around the files."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "study.zip"
        path.write_bytes(pack(files()))
        return path

    def test_any_byte_of_it_is_watched(self, path: Path) -> None:
        whole = path.read_bytes()
        rng = random.Random(1)
        # The directory at the end, the first entry's head, and places at random.
        ends = [*range(len(whole) - 80, len(whole)), *range(40)]
        for at in (*ends, *rng.sample(range(len(whole)), 60)):
            changed = flipped(whole, at)
            path.write_bytes(changed)
            with suppress(InputError):
                found = unpack(path)
                assert not found.compressed, at
                assert changed_files(found.files) or pack(found.files) != changed, at

    def test_a_byte_inside_a_file_is_traced_to_it(self, path: Path) -> None:
        whole = path.read_bytes()
        at = whole.index(made()["raw/scores.jsonl"]) + 100
        path.write_bytes(flipped(whole, at))
        with pytest.raises(InputError, match=r"raw/scores\.jsonl cannot be read"):
            unpack(path)

    def test_a_byte_that_belongs_to_no_file_is_the_archives_own(self, path: Path) -> None:
        whole = path.read_bytes()
        path.write_bytes(flipped(whole, 10))  # The time of the first entry.
        found = verify_bundle(unpack(path), generated_by=MAKER)
        assert [fault.file for fault in found.faults] == ["the archive itself"]

    def test_unpacked_and_compressed_anew_it_is_still_whole(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "anew.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in made().items():
                archive.writestr(name, content)
        found = verify_bundle(unpack(tmp_path / "anew.zip"), generated_by=MAKER)
        assert found.whole
        assert "packed anew" in found.notes[0]

    def test_a_folder_is_verified_as_well(self, tmp_path: Path) -> None:
        for name, content in made().items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(content)
        assert unpack(tmp_path).files == made()

    @pytest.mark.parametrize(
        ("names", "complaint"),
        [
            pytest.param(["../x"], "leads outside", id="an entry above the folder"),
            pytest.param(["/x"], "leads outside", id="an absolute entry"),
            pytest.param(["x", "x"], "stands in it twice", id="a name twice"),
        ],
    )
    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_a_hostile_archive_is_refused(self, tmp_path: Path, names: list[str], complaint: str) -> None:
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            for name in names:
                archive.writestr(name, b"")
        with pytest.raises(InputError, match=complaint):
            unpack(tmp_path / "x.zip")

    def test_one_that_unpacks_to_far_more_than_its_size_is_refused(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x", bytes(10_000_000))
        with pytest.raises(InputError, match="unpacks to more than 200 times"):
            unpack(tmp_path / "x.zip")

    def test_what_is_no_bundle_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "x.zip").write_bytes(b"PK not")
        for path, complaint in (
            (tmp_path / "none.zip", "no such file"),
            (tmp_path / "x.zip", "not a whole bundle"),
        ):
            with pytest.raises(InputError, match=complaint):
                unpack(path)
        with pytest.raises(InputError, match="it is no bundle"):
            verified({"a": b""})


EARLIER_NOTICE = (
    b"credentialed data: its records are not known to be open: keep this on machines where they may be, give "
    b"it only to people who may see them, and send it to no online service."
)


def test_an_earlier_bundle_says_of_data_not_known_to_be_open_what_its_version_said() -> None:
    now = bundle_files(material(source="ward.csv"), generated_by=MAKER)
    then = {
        name: data.replace(UNKNOWN_TERMS.encode(), EARLIER_NOTICE).replace(b", 1 stratum", b", 1 strata")
        for name, data in now.items()
    }
    assert then["report/DATA_USE.md"] != now["report/DATA_USE.md"]
    report = json.loads(then[FIGURES]) | {"layout": 4}
    then[FIGURES] = json.dumps(report).encode()
    said = about(read_raw(then), read_report(then[FIGURES], FIGURES))
    content = {name: data for name, data in then.items() if name not in (MANIFEST, SUMS)}
    assert verified(with_hashes(content, said)).faults == ()
