"""Anchors of the audit log: the last hash of every chain, signed with a key that is kept outside the
database.

Somebody with full rights on the database can rewrite the log and recompute its hashes, but cannot sign. An
anchor that was stored elsewhere therefore reveals a log that was truncated or rewritten. Signatures are
Ed25519 (RFC 8032) over canonical JSON; each anchor holds the hash of the one before it.
"""

import hashlib
from collections.abc import Iterable, Mapping

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from pydantic import Field, ValidationError

from clinicnum.annotations.types import UtcTime
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem, sha256_json
from clinicnum.types import Frozen

Hash = str


class Head(Frozen):
    """The last entry of one hash chain."""

    rows: int = Field(ge=1)
    hash: Hash


class Anchor(Frozen):
    """The last entries of all hash chains at one time."""

    at: UtcTime
    database: str
    """The database's own id, drawn at random when it was created."""
    heads: dict[str, Head]
    """Chain -> its last entry; a chain is a study's id, or `installation`."""
    previous: Hash | None
    """Hash of the anchor before this one; None for the first."""
    restored: str | None = None
    """Which backup was restored, if that is why this anchor does not continue the one before."""
    key: str
    """Fingerprint of the public key that the signature is checked with."""
    signature: str = ""
    """In hex."""


class AnchorCheck(Frozen):
    """The result of checking the log against its anchors."""

    faults: tuple[str, ...]
    notes: tuple[str, ...]


def new_key() -> bytes:
    """A new private key, as PEM (PKCS 8)."""
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def read_private_key(pem: bytes, name: str) -> Ed25519PrivateKey:
    """Read a key from PEM. Raises InputError if it is not an Ed25519 private key."""
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise InputError("{name}: is no private key; expected PEM without a password", name=name) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError("{name}: is a key of another kind; expected Ed25519", name=name)
    return key


def read_public_key(pem: bytes, name: str) -> Ed25519PublicKey:
    """Read a key from PEM. Raises InputError if it is not an Ed25519 public key."""
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(
            "{name}: is no public key; expected the one in use",
            name=name,
            on_command_line="clinicnum audit key",
        ) from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("{name}: is a key of another kind; expected Ed25519", name=name)
    return key


def public_pem(key: Ed25519PublicKey) -> bytes:
    """The public key as PEM."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the 32 bytes of the public key, as hexadecimal text."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def signed(anchor: Anchor, key: Ed25519PrivateKey) -> Anchor:
    """The anchor with the key's fingerprint and its signature."""
    named = anchor.model_copy(update={"key": fingerprint(key.public_key())})
    return named.model_copy(update={"signature": key.sign(_message(named)).hex()})


def is_signed_by(anchor: Anchor, key: Ed25519PublicKey) -> bool:
    """Whether the anchor carries a valid signature by this key."""
    try:
        key.verify(bytes.fromhex(anchor.signature), _message(anchor))
    except (InvalidSignature, ValueError):
        return False
    return True


def _message(anchor: Anchor) -> bytes:
    return sha256_json(anchor.model_dump(mode="json", exclude={"signature"})).encode("ascii")


def anchor_hash(anchor: Anchor) -> Hash:
    """The hash by which the next anchor refers to this one."""
    return sha256_json(anchor.model_dump(mode="json"))


def read_anchor(line: str | bytes, where: str) -> Anchor:
    """Parse one line of a file of anchors. Raises InputError naming file and line if it is invalid."""
    try:
        return Anchor.model_validate_json(line)
    except ValidationError as error:
        raise InputError(
            "{where}: is no anchor of the audit log: {problem}", where=where, problem=first_problem(error)
        ) from error


def check_signatures(anchors: Iterable[Anchor], keys: Mapping[str, Ed25519PublicKey]) -> tuple[str, ...]:
    """Faults of a file of anchors that show without the log: bad signatures, unknown keys, lines out of
    sequence.
    """
    faults: list[str] = []
    before: Anchor | None = None
    for number, one in enumerate(anchors, start=1):
        name = f"anchor {number}, of {day(one)},"
        key = keys.get(one.key)
        if key is None:
            faults.append(f"{name} is signed with a key that is not known here ({one.key[:16]}…)")
        elif not is_signed_by(one, key):
            faults.append(f"{name} does not have the signature of its key: it was changed or forged")
        if before is not None and one.previous != anchor_hash(before):
            faults.append(f"{name} does not follow the one before it: anchors were changed or taken out")
        before = one
    return tuple(faults)


def day(anchor: Anchor) -> str:
    """The time at which the anchor was written, as text for people."""
    return f"{anchor.at:%Y-%m-%d %H:%M:%S} UTC"
