"""A release: the same bank gives the same bytes, and whatever is changed, missing or added is named."""

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from clinicnum.errors import InputError
from clinicnum.release import IncludedTemplate, ReleaseDescription, check_folder, make_release, read_release
from clinicnum.release.manifest import CHANGELOG, CITATION, DATACARD, MANIFEST, VALIDATION, FileHash, Manifest
from clinicnum.scripts.cli import run_command
from clinicnum.templates.packaged_banks import named_bank
from tests.clinicnum.releasing import EVIDENCE, PULSE, TAKEN, bank, included, made, write

FILES = {
    *("aggregation.yaml", "arithmetic.yaml", "retrieval.yaml"),
    *(MANIFEST, CHANGELOG, DATACARD, VALIDATION, CITATION),
}


def test_made_twice_from_the_same_bank_it_has_the_same_bytes_whatever_the_order() -> None:
    files = made()
    assert set(files) == FILES
    again = make_release(
        included(*reversed(TAKEN)), ReleaseDescription(name="ward-1", notes="To begin with.")
    )
    assert again == files
    other = make_release(included(*TAKEN[1:]), ReleaseDescription(name="ward-1", notes="To begin with."))
    assert _hash(other) != _hash(files)


def _hash(files: dict[str, str]) -> str:
    return Manifest.model_validate_json(files[MANIFEST]).sha256


def test_written_and_read_it_is_the_bank_it_was_made_from_and_a_bank_on_the_command_line(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "ward-1", made())
    release = read_release(folder)
    assert [one.template for one in included()] == list(release.templates)
    assert release.evidence == {PULSE: EVIDENCE}
    assert release.files == made()
    assert named_bank(str(folder)) == release.templates
    entry = next(one for one in release.manifest.templates if one.id == PULSE)
    assert (entry.version, entry.status, entry.reviewed_by) == (1, "validated", 3)
    assert str(entry.origins[0]) == "study six, generation g0, contest c0"


def test_a_changed_byte_in_any_file_is_found_and_the_file_is_named(tmp_path: Path) -> None:
    files = made()
    folder = write(tmp_path / "ward-1", files)
    assert check_folder(folder) == ()
    rng = random.Random(0)
    for name in sorted(files):
        whole = files[name].encode()
        places = {0, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(12))}
        for at in places:
            (folder / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert [fault.file for fault in check_folder(folder)] == [name], (name, at)
        (folder / name).write_bytes(whole)
    assert check_folder(folder) == ()


def test_a_missing_and_an_additional_file_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "ward-1", made())
    (folder / CHANGELOG).unlink()
    (folder / "more").mkdir()
    (folder / "more" / "extra.yaml").write_text("[]\n")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: main\n")
    assert [str(fault) for fault in check_folder(folder)] == [
        "CHANGELOG.md: is missing",
        "more/extra.yaml: is no part of the release: it was added",
    ]
    with pytest.raises(InputError, match=r"CHANGELOG\.md: is missing; more/extra\.yaml"):
        read_release(folder)


def test_one_put_together_by_hand_with_hashes_that_hold_is_found_out(tmp_path: Path) -> None:
    files = made()
    manifest = Manifest.model_validate_json(files[MANIFEST])
    entries = tuple(
        one.model_copy(update={"status": "validated"}) if one.id == TAKEN[0] else one
        for one in manifest.templates
    )
    files[MANIFEST] = manifest.model_copy(update={"templates": entries}).sealed().text()
    folder = write(tmp_path / "ward-1", files)
    (fault,) = check_folder(folder)
    assert fault.file == MANIFEST
    assert f"lists other templates than the files hold: {TAKEN[0]}" in fault.what


def _sealed_with(tmp_path: Path, name: str, content: bytes) -> Path:
    """The release with one more file, which its manifest lists."""
    files = made()
    manifest = Manifest.model_validate_json(files[MANIFEST])
    listed = {**manifest.files, name: FileHash(bytes=len(content), sha256=sha256(content).hexdigest())}
    files[MANIFEST] = manifest.model_copy(update={"files": listed}).sealed().text()
    folder = write(tmp_path / "ward-1", files)
    (folder / name).write_bytes(content)
    return folder


def test_a_listed_file_that_is_no_text_is_a_fault_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _sealed_with(tmp_path, "logo.png", b"\xff\xfe\x00")
    assert [one.file for one in check_folder(folder)] == ["logo.png"]
    assert run_command(["templates", "import", str(folder), "--db", f"sqlite:///{tmp_path / 'x.db'}"]) == 2
    said = capsys.readouterr().err
    assert "logo.png: is no UTF-8 text" in said
    assert said.count("\n") == 1


def test_a_draft_in_a_release_sealed_by_hand_is_found_out(tmp_path: Path) -> None:
    files = made()
    manifest = Manifest.model_validate_json(files[MANIFEST])
    bank = files["aggregation.yaml"].replace("status: unreviewed", "status: draft")
    entries = [
        one.model_copy(update={"status": "draft"}) if one.id == TAKEN[0] else one
        for one in manifest.templates
    ]
    hashed = FileHash(bytes=len(bank), sha256=sha256(bank.encode()).hexdigest())
    files |= {"aggregation.yaml": bank}
    changed = {"templates": tuple(entries), "files": {**manifest.files, "aggregation.yaml": hashed}}
    files[MANIFEST] = manifest.model_copy(update=changed).sealed().text()
    said = [str(one) for one in check_folder(write(tmp_path / "ward-1", files))]
    assert f"MANIFEST.json: holds what is not released: {TAKEN[0]}" in said


def test_no_manifest_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no MANIFEST\.json in it, so it is no release"):
        check_folder(tmp_path)


def test_the_changelog_says_what_is_new_changed_and_gone_and_why(tmp_path: Path) -> None:
    before = read_release(write(tmp_path / "ward-1", made()))
    moved = bank()["arithmetic.shock_index"]
    reworded = moved.model_copy(
        update={"version": 2, "wording": ("What was heart rate over systolic pressure at {time}?",)}
    )
    now = [*included("aggregation.tachycardia", "retrieval.spo2", PULSE), IncludedTemplate(reworded)]
    reasons = {"arithmetic.shock_index": "models took it for a rate", "retrieval.heart_rate": "too easy"}
    wanted = ReleaseDescription(
        name="ward-2", notes="After the first study.", date="2026-11-22", reasons=reasons
    )
    files = make_release(now, wanted, before=before)
    text = files[CHANGELOG]
    assert text.startswith("# ward-2, 2026-11-22\n\nAfter the first study.\n")
    assert "Against ward-1: 1 added, 1 changed, 1 no longer in it, 2 as they were." in text
    added, changed, gone = text.index("## Added"), text.index("## Changed"), text.index("## No longer in it")
    assert "`retrieval.spo2` version 2 (unreviewed)" in text[added:changed]
    assert "`arithmetic.shock_index` version 1 (unreviewed), now 2 (unreviewed)" in text[changed:gone]
    assert "why: models took it for a rate" in text[changed:gone]
    assert "heart rate over systolic pressure" in text[changed:gone]
    assert "`retrieval.heart_rate` version 2 (unreviewed)\n  - why: too easy" in text[gone:]
    named = Manifest.model_validate_json(files[MANIFEST]).before
    assert named is not None
    assert (named.name, named.sha256) == ("ward-1", before.sha256)


def test_data_card_evidence_and_citation_say_what_is_validated_and_by_how_many() -> None:
    files = made()
    assert "| arithmetic | 2 | 1 | 1 | 0 |" in files[DATACARD]
    assert "3 experts, blind to each other" in files[DATACARD]
    assert "9 of 9 worked answers are the gold" in files[DATACARD]
    assert "3 of 4 templates are **unreviewed**" in files[DATACARD]
    told = json.loads(files[VALIDATION])
    assert told[PULSE]["evidence"]["scales"]["clarity"]["i_cvi"] == 1.0
    assert told["retrieval.heart_rate"] == {"version": 2, "status": "unreviewed", "evidence": None}
    cited = yaml.safe_load(files[CITATION])
    assert {"authors", "cff-version", "message", "title"} <= set(cited)
    assert cited["authors"] == [{"name": "The curators of ward-1"}]
    assert "date-released" not in cited


DRAFT = bank()[PULSE].model_copy(update={"status": "draft"})
REFUSED = {
    "a name with a path in it": (included(), ReleaseDescription(name="../ward"), "cannot name a release"),
    "a name that ends a line": (included(), ReleaseDescription(name="ward\n"), "cannot name a release"),
    "a day that is none": (included(), ReleaseDescription(name="w", date="2026-02-30"), "is no date"),
    "no template": ([], ReleaseDescription(name="w"), "without a template"),
    "a draft": ([IncludedTemplate(DRAFT)], ReleaseDescription(name="w"), "is draft; it is not released"),
    "one given twice": ([*included(), *included(PULSE)], ReleaseDescription(name="w"), "is given twice"),
    "one called validated without evidence": (
        [IncludedTemplate(included(PULSE)[0].template)],
        ReleaseDescription(name="w"),
        "has no evidence",
    ),
    "evidence for one that is not validated": (
        [IncludedTemplate(bank()[PULSE], EVIDENCE)],
        ReleaseDescription(name="w"),
        "has evidence, but the status unreviewed",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_released_is_refused(case: str) -> None:
    given, wanted, complaint = REFUSED[case]
    with pytest.raises(InputError, match=complaint):
        make_release(given, wanted)


def test_the_command_checks_a_release_and_a_benchmark_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "ward-1", made())
    assert run_command(["templates", "check", "--release", str(folder)]) == 0
    assert "release ward-1 is as it was published" in capsys.readouterr().out
    out = tmp_path / "bench.jsonl"
    asked = ["generate", "--bank", str(folder), "--quota", "arithmetic=6", "--out", str(out)]
    assert run_command(asked) == 0
    meta = json.loads((tmp_path / "bench.jsonl.meta.json").read_text())
    release = read_release(folder)
    named = meta["bank_release"]
    assert (named["name"], named["sha256"]) == ("ward-1", release.sha256)
    assert meta["bank_sha256"] == release.manifest.bank_sha256
    assert named["templates"][PULSE]["origins"][0]["contest"] == "c0"
    assert set(named["templates"]) == {PULSE, "arithmetic.shock_index"}
    (folder / DATACARD).write_text("better\n")
    assert run_command(["templates", "check", "--release", str(folder)]) == 1
    assert "DATACARD.md: was changed" in capsys.readouterr().out
    assert run_command([*asked[:-1], str(tmp_path / "other.jsonl")]) == 2
    assert "not the release that was published: DATACARD.md" in capsys.readouterr().err
    assert not (tmp_path / "other.jsonl").exists()
