"""The archive of a bundle: any byte of it is watched, a hostile one refused, one packed anew still whole."""

import random
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from clinicnum.annotations.bundle.archive import pack, unpack
from clinicnum.annotations.bundle.manifest import changed_files
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.errors import InputError
from tests.annotations.bundle_example import MAKER, files, flipped, made, verified


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
