"""Anchors outside the database tell a log that was cut off or computed anew, which the log itself cannot."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from clinicnum.annotations.audit_anchor import (
    AnchorCheck,
    anchor_hash,
    fingerprint,
    is_signed_by,
    read_anchor,
    read_public_key,
)
from clinicnum.db.audit_anchors import (
    ANCHORS,
    KEY,
    PUBLIC_KEY,
    check_anchors,
    read_anchors,
    read_keys,
    signing_key,
    write_anchor,
)
from clinicnum.db.engine import reading
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.errors import Conflict, InputError
from clinicnum.scripts.commands.common.write_audit_anchors import audit_folder, next_midnight
from tests.db.tampering import disarmed, rehash
from tests.db.test_audit import write_rows


def checked(engine: Engine, folder: Path) -> AnchorCheck:
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session)), "the chain says whole"
        return check_anchors(session, read_anchors(folder / ANCHORS), read_keys(folder / PUBLIC_KEY))


def test_an_untouched_log_fits_its_anchors(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 3)
    first = write_anchor(engine, tmp_path / "audit")
    write_rows(engine, 2)
    second = write_anchor(engine, tmp_path / "audit")
    found = checked(engine, tmp_path / "audit")
    assert found.faults == ()
    assert "2 anchors" in found.notes[0]
    assert second.key in found.notes[0]
    assert (first.previous, second.previous) == (None, anchor_hash(first))
    assert second.heads["study-1"].rows == 5
    assert write_anchor(engine, tmp_path / "audit") == second, "nothing was logged since"


def test_a_hundred_rows_cut_off_and_hashed_anew_are_told(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 120)
    write_anchor(engine, tmp_path)
    with disarmed(engine) as connection:
        connection.execute(text("DELETE FROM audit WHERE seq > 20"))
        rehash(connection, "study-1")
    (fault,) = checked(engine, tmp_path).faults
    assert fault.startswith("study-1: had 120 rows on ")
    assert fault.endswith("and has 20 now")
    with pytest.raises(Conflict, match=r"no anchor was written, .* had 120 rows"):
        write_anchor(engine, tmp_path)
    assert len(read_anchors(tmp_path / ANCHORS)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit WHERE seq BETWEEN 3 AND 102",
        "UPDATE audit SET actor = 'ben' WHERE seq = 7",
        "UPDATE audit SET after = '{\"n\": 9}' WHERE seq = 120",
    ],
    ids=["rows taken out of the middle", "an actor", "the last row"],
)
def test_a_log_rewritten_and_hashed_anew_is_told(engine: Engine, tmp_path: Path, statement: str) -> None:
    write_rows(engine, 120)
    write_anchor(engine, tmp_path)
    with disarmed(engine) as connection:
        connection.execute(text(statement))
        rehash(connection, "study-1")
    write_rows(engine, 150)
    (fault,) = checked(engine, tmp_path).faults
    assert fault.startswith("study-1: row 120 is not the one that was there on ")


def test_a_chain_that_is_gone_is_told(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 3, "study-1")
    write_rows(engine, 3, "study-2")
    write_anchor(engine, tmp_path)
    with disarmed(engine) as connection:
        connection.execute(text("DELETE FROM audit WHERE chain = 'study-2'"))
    (fault,) = checked(engine, tmp_path).faults
    assert fault.startswith("study-2: had 3 rows")


def test_anchors_changed_forged_taken_out_or_of_another_key_are_told(engine: Engine, tmp_path: Path) -> None:
    for n in (1, 2, 3):
        write_rows(engine, n)
        write_anchor(engine, tmp_path)
    file = tmp_path / ANCHORS
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], lines[2]]) + "\n")
    assert any("anchors were changed or taken out" in one for one in checked(engine, tmp_path).faults)
    file.write_text("\n".join([*lines[:2], lines[2].replace('"rows":6', '"rows":5')]) + "\n")
    assert any("does not have the signature" in one for one in checked(engine, tmp_path).faults)
    file.write_text("\n".join(lines) + "\n")
    other = tmp_path / "other"
    signing_key(other)
    with reading(engine) as session:
        found = check_anchors(session, read_anchors(file), read_keys(other / PUBLIC_KEY))
    assert all("a key that is not known here" in one for one in found.faults)
    assert len(found.faults) == 3
    file.write_text("{}\n")
    with pytest.raises(InputError, match=r"anchors.jsonl:1: is no anchor"):
        checked(engine, tmp_path)


def test_no_anchor_is_said_and_is_no_fault(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 2)
    found = checked(engine, tmp_path)
    assert (found.faults, found.notes) == ((), ("not anchored: only the log itself was checked",))


def test_anchors_of_another_database_are_told(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 2)
    write_anchor(engine, tmp_path)
    with disarmed(engine) as connection:
        connection.execute(text("UPDATE setting SET value = 'another' WHERE key = 'database_id'"))
    (fault,) = checked(engine, tmp_path).faults
    assert fault.startswith("the anchors are of other databases")


def test_a_restored_backup_is_told_and_what_follows_is_held_again(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 9)
    write_anchor(engine, tmp_path)
    with disarmed(engine) as connection:
        connection.execute(text("DELETE FROM audit WHERE seq > 4"))
    assert checked(engine, tmp_path).faults
    write_anchor(engine, tmp_path, restored="the backup of Monday")
    found = checked(engine, tmp_path)
    assert found.faults == ()
    assert any("a backup was restored (the backup of Monday)" in one for one in found.notes)
    with disarmed(engine) as connection:
        connection.execute(text("DELETE FROM audit WHERE seq > 2"))
    assert len(checked(engine, tmp_path).faults) == 1


def test_the_key_is_private_and_made_once(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: fingerprint(signing_key(folder).public_key()), range(16)))
    assert len(set(keys)) == 1
    assert (folder / KEY).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert sorted(one.name for one in folder.iterdir()) == sorted([KEY, PUBLIC_KEY])
    (folder / KEY).write_text("rubbish")
    with pytest.raises(InputError, match="is no private key"):
        signing_key(folder)


def test_processes_that_anchor_at_once_write_one_chain(engine: Engine, tmp_path: Path) -> None:
    def both(number: int) -> None:
        write_rows(engine, 1, f"study-{number}")
        write_anchor(engine, tmp_path)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(both, range(12)))
    write_anchor(engine, tmp_path)
    found = checked(engine, tmp_path)
    assert found.faults == ()
    assert len(read_anchors(tmp_path / ANCHORS)[-1].heads) == 12


def test_a_folder_that_cannot_be_written_to_is_an_error_in_words(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot keep anchors of the audit log there"):
        write_anchor(engine, tmp_path / "file")


def test_a_signature_is_of_one_anchor_and_one_key(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 2)
    anchor = write_anchor(engine, tmp_path)
    (key,) = read_keys(tmp_path / PUBLIC_KEY).values()
    assert is_signed_by(anchor, key)
    assert is_signed_by(read_anchor(anchor.model_dump_json(), "x"), key)
    for change in (
        {"restored": "x"},
        {"database": "x"},
        {"heads": {}},
        {"previous": "x"},
        {"signature": "zz"},
    ):
        assert not is_signed_by(anchor.model_copy(update=change), key)


def test_each_database_has_a_folder_of_its_own(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLINICNUM_AUDIT_DIR", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = audit_folder(engine)
    if engine.url.get_backend_name() == "sqlite":
        assert str(folder) == f"{engine.url.database}-audit"
    else:
        assert folder.parent == tmp_path / "state" / "clinicnum" / "audit"
    assert audit_folder(engine, tmp_path / "given") == tmp_path / "given"
    monkeypatch.setenv("CLINICNUM_AUDIT_DIR", str(tmp_path / "set"))
    assert audit_folder(engine) == tmp_path / "set"


def test_a_day_ends_at_midnight_in_utc() -> None:
    assert next_midnight(datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)) == datetime(2026, 3, 1, tzinfo=UTC)


def test_a_key_of_an_unknown_kind_is_refused() -> None:
    unknown = b"-----BEGIN PUBLIC KEY-----\nMAswBQYDKgMEAwIA/w==\n-----END PUBLIC KEY-----\n"  # kind 1.2.3.4
    with pytest.raises(InputError, match="is no public key"):
        read_public_key(unknown, "audit-key.pub")
