"""Bundles that earlier versions wrote: recomputed figure by figure, and what was changed in them is found."""

import json
from pathlib import Path

import pytest

from clinicnum.annotations.bundle.archive import unpack
from clinicnum.annotations.bundle.bundle_file_paths import FIGURES, MANIFEST, SUMS
from clinicnum.annotations.bundle.derived_files import about
from clinicnum.annotations.bundle.manifest import with_hashes
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.report_files import read_report
from clinicnum.credentialed_data import UNKNOWN_TERMS
from tests.annotations.bundle_example import MAKER, OLD, material, verified

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


EARLIER_NOTICE = (
    b"credentialed data: its records are not known to be open: keep this on machines where they may be, give "
    b"it only to people who may see them, and send it to no online service."
)


def test_an_earlier_bundle_says_of_data_not_known_to_be_open_what_its_version_said() -> None:
    now = bundle_files(material(source="ward.csv"), generated_by=MAKER)
    earlier = (
        (UNKNOWN_TERMS.encode(), EARLIER_NOTICE),
        (b", 1 stratum", b", 1 strata"),
        (b"agreement or adjudication", b"the three-reader rule"),
    )
    then = dict(now)
    for present, before in earlier:
        then = {name: data.replace(present, before) for name, data in then.items()}
    assert then["report/DATA_USE.md"] != now["report/DATA_USE.md"]
    report = json.loads(then[FIGURES]) | {"layout": 4}
    then[FIGURES] = json.dumps(report).encode()
    said = about(read_raw(then), read_report(then[FIGURES], FIGURES))
    content = {name: data for name, data in then.items() if name not in (MANIFEST, SUMS)}
    assert verified(with_hashes(content, said)).faults == ()
