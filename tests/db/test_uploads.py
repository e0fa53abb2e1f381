"""Uploaded files: complete or not there, each its owner's alone, within limits, and gone after a day."""

import os
import time
from pathlib import Path

import pytest

from clinicnum.db import upload_storage as module
from clinicnum.db.upload_storage import KEPT_S, Upload, Uploads
from clinicnum.errors import InputError


@pytest.fixture
def uploads(tmp_path: Path) -> Uploads:
    return Uploads(tmp_path / "uploads", largest=100, quota=150)


def store(
    uploads: Uploads, content: bytes = b"0123456789", owner: str = "ann", name: str = "a.csv"
) -> Upload:
    with uploads.begin(owner=owner, name=name, size=len(content)) as receiving:
        receiving.write(content)
        return receiving.finish()


def files(uploads: Uploads) -> list[str]:
    return sorted(path.name for path in uploads.folder.glob("*"))


def test_a_file_is_kept_under_an_id_with_its_name_for_its_owner_alone(uploads: Uploads) -> None:
    made = store(uploads, name="C:\\data\\..\\my \x07items.csv")
    assert uploads.find(made.upload_id, owner="ann") == made
    assert (made.name, made.size) == ("my items.csv", 10)
    assert uploads.path(made).read_bytes() == b"0123456789"
    assert uploads.folder.stat().st_mode & 0o077 == 0
    for upload_id, owner in ((made.upload_id, "ben"), ("0" * 32, "ann"), ("../study.db", "ann"), ("", "ann")):
        with pytest.raises(InputError, match="no such uploaded file"):
            uploads.find(upload_id, owner=owner)
    uploads.delete(made.upload_id)
    assert files(uploads) == []


def receive(uploads: Uploads, content: bytes) -> None:
    with uploads.begin(owner="ann", name="a", size=5) as receiving:
        receiving.write(content)
        receiving.finish()


def test_what_is_cut_off_or_longer_than_announced_leaves_nothing(uploads: Uploads) -> None:
    for content, complaint in ((b"1234", "cut off"), (b"123456", "than was announced")):
        with pytest.raises(InputError, match=complaint):
            receive(uploads, content)
        assert files(uploads) == []


def test_a_file_has_a_limit_and_so_have_all_of_an_account_also_while_they_arrive(
    uploads: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MEGABYTE", 1)
    for size, complaint in ((0, "empty"), (101, "at most 100 MB")):
        with pytest.raises(InputError, match=complaint):
            uploads.begin(owner="ann", name="a", size=size)
    with (
        uploads.begin(owner="ann", name="a", size=100),
        pytest.raises(InputError, match="take 100 MB of 150"),
    ):
        uploads.begin(owner="ann", name="b", size=51)
    store(uploads, b"x" * 100)
    store(uploads, b"x" * 100, owner="ben")
    monkeypatch.setattr(module, "MUST_STAY_FREE", 1 << 60)
    with pytest.raises(InputError, match="disk is almost full"):
        uploads.begin(owner="ann", name="b", size=1)


def test_a_day_later_a_file_is_gone_also_one_that_a_killed_server_left_half(uploads: Uploads) -> None:
    made = store(uploads)
    half = uploads.begin(owner="ann", name="half", size=9)
    (uploads.folder / f"{half.upload.upload_id}.part").write_bytes(b"1")
    young = store(uploads, owner="ben")
    old = time.time() - KEPT_S - 60
    for path in uploads.folder.glob("*"):
        if not path.name.startswith(young.upload_id):
            os.utime(path, (old, old))
    (uploads.folder / "notes.json").write_text("{}")
    uploads.delete_old()
    assert files(uploads) == sorted([young.upload_id, f"{young.upload_id}.json", "notes.json"])
    assert not uploads.path(made).exists()
