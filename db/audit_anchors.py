"""Write and check anchors of the audit log: signed records of its state, in a folder outside the database.

The folder holds the private key (`signing-key.pem`, mode 0600), its public half, and the append-only file
`anchors.jsonl` with one anchor per line. An anchor is written only if the log still matches the previous one,
or if it names a backup that was restored since.
"""

import fcntl
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from clinicnum.annotations.audit_anchor import (
    Anchor,
    AnchorCheck,
    Head,
    anchor_hash,
    check_signatures,
    day,
    fingerprint,
    new_key,
    public_pem,
    read_anchor,
    read_private_key,
    read_public_key,
    signed,
)
from clinicnum.db.engine import lock, reading, writing
from clinicnum.db.rows import AuditRow, SettingRow
from clinicnum.errors import Conflict, InputError

KEY, PUBLIC_KEY, ANCHORS = "signing-key.pem", "public-key.pem", "anchors.jsonl"
DATABASE_ID = "database_id"


def write_anchor(engine: Engine, folder: Path, *, restored: str | None = None) -> Anchor:
    """Sign the last row of every hash chain, and append that as an anchor; returns it, or the previous anchor
    if nothing was logged since.

    `restored` names a restored backup, after which the log may differ from the previous anchor and an anchor
    is written in any case. Raises Conflict if the log differs without `restored`, InputError for a folder
    that cannot be written to, and for a key or an earlier anchor that cannot be read.
    """
    key = signing_key(folder)
    _keep_database_id(engine)
    with _locked(folder / ANCHORS) as handle, reading(engine) as session:
        database = str(database_id(session))
        own = [one for one in read_anchors(folder / ANCHORS) if one.database == database]
        last = own[-1] if own else None
        heads = heads_of(session)
        if last is not None and restored is None:
            faults = faults_of(session, last)
            if faults:
                raise Conflict(
                    f"no anchor was written, as the audit log is not what it was: {'; '.join(faults)}. "
                    "See `clinicnum audit verify`; after a restored backup, `clinicnum audit anchor --help`"
                )
            if last.heads == heads:
                return last
        before = None if last is None else anchor_hash(last)
        made = Anchor(
            at=datetime.now(UTC), database=database, heads=heads, previous=before, restored=restored, key=""
        )
        anchor = signed(made, key)
        _append(handle, anchor)
    return anchor


def heads_of(session: Session) -> dict[str, Head]:
    """Number of rows and last hash of each hash chain of the audit log, by chain."""
    last = select(col(AuditRow.chain), func.max(AuditRow.seq).label("seq")).group_by(col(AuditRow.chain))
    ends = last.subquery()
    statement = (
        select(col(AuditRow.chain), col(AuditRow.seq), col(AuditRow.hash))
        .join(ends, (col(AuditRow.chain) == ends.c.chain) & (col(AuditRow.seq) == ends.c.seq))
        .order_by(col(AuditRow.chain))
    )
    return {chain: Head(rows=seq, hash=hashed) for chain, seq, hashed in session.execute(statement)}


def database_id(session: Session) -> str | None:
    """The id that this database got with its first anchor; None before that."""
    row = session.get(SettingRow, DATABASE_ID)
    return None if row is None else row.value


def _keep_database_id(engine: Engine) -> None:
    with reading(engine) as session:
        if database_id(session) is not None:
            return
    with writing(engine) as session:
        lock(session, DATABASE_ID)
        if database_id(session) is None:
            session.add(SettingRow(key=DATABASE_ID, value=secrets.token_hex(8)))


def faults_of(session: Session, anchor: Anchor) -> tuple[str, ...]:
    """One message for each hash chain whose row named in the anchor is missing or changed."""
    found = []
    for chain, head in anchor.heads.items():
        statement = select(col(AuditRow.hash)).where(
            col(AuditRow.chain) == chain, col(AuditRow.seq) == head.rows
        )
        hashed = session.scalars(statement).first()
        if hashed is None:
            rows = session.scalar(select(func.count()).where(col(AuditRow.chain) == chain)) or 0
            found.append(f"{chain}: had {head.rows} rows on {day(anchor)}, and has {rows} now")
        elif hashed != head.hash:
            found.append(f"{chain}: row {head.rows} is not the one that was there on {day(anchor)}")
    return tuple(found)


def check_anchors(
    session: Session, anchors: Sequence[Anchor], keys: Mapping[str, Ed25519PublicKey]
) -> AnchorCheck:
    """Compare the log with this database's anchors, the earliest first, and check their signatures.

    Anchors older than a restored backup are reported but not compared. Returns the faults that were found,
    and notes.
    """
    if not anchors:
        return AnchorCheck(faults=(), notes=("not anchored: only the log itself was checked",))
    database = database_id(session)
    anchors = [one for one in anchors if one.database == database]
    if not anchors:
        other = "the anchors are of other databases; `clinicnum audit anchor` makes the first of this one"
        return AnchorCheck(faults=(other,), notes=())
    faults = list(check_signatures(anchors, keys))
    restored = max((at for at, one in enumerate(anchors) if one.restored is not None), default=0)
    for one in anchors[restored:]:
        faults += faults_of(session, one)
    notes = [f"{len(anchors)} anchors, the last of {day(anchors[-1])}, signed with key {anchors[-1].key}"]
    notes += [
        f"on {day(one)} a backup was restored ({one.restored}); anchors before that day are not compared"
        for one in anchors
        if one.restored is not None
    ]
    return AnchorCheck(faults=tuple(dict.fromkeys(faults)), notes=tuple(notes))


def read_anchors(file: Path) -> tuple[Anchor, ...]:
    """The anchors in a file, one per line; empty without a file. Raises InputError for a line that is no
    anchor and for a file that cannot be read.
    """
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; check the path") from error
    return tuple(read_anchor(line, f"{file}:{number}") for number, line in enumerate(lines, start=1) if line)


def read_keys(file: Path) -> dict[str, Ed25519PublicKey]:
    """The public key in a file, by its fingerprint; empty if there is no file. Raises InputError for a file
    that holds no public key.
    """
    if not file.is_file():
        return {}
    key = read_public_key(file.read_bytes(), str(file))
    return {fingerprint(key): key}


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """The folder's signing key, created if there is none, as is its public half. Raises InputError if the
    folder cannot be written to, or its key not be read.
    """
    file = folder / KEY
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            _make_private(file, new_key())
        key = read_private_key(file.read_bytes(), str(file))
        if not (folder / PUBLIC_KEY).exists():
            _make_private(folder / PUBLIC_KEY, public_pem(key.public_key()))
    except OSError as error:
        raise InputError(
            f"{folder}: cannot keep anchors of the audit log there: {error.strerror}; "
            "name another folder with --audit-dir or CLINICNUM_AUDIT_DIR"
        ) from error
    return key


def _make_private(file: Path, content: bytes) -> None:
    """Create a file that only its owner can read, either completely or not at all; if two processes try,
    only one creates it.
    """
    descriptor, name = tempfile.mkstemp(prefix=".key-", dir=file.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        with suppress(FileExistsError):
            os.link(name, file)
    finally:
        os.unlink(name)


@contextmanager
def _locked(file: Path) -> Iterator[int]:
    """Open the file for appending, locked against other processes."""
    try:
        handle = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}; check the folder") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def _append(handle: int, anchor: Anchor) -> None:
    os.write(handle, anchor.model_dump_json().encode() + b"\n")
    os.fsync(handle)
