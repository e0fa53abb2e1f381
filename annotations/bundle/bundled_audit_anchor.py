"""The signed anchor of the audit log in a bundle, by which a later change of the log can be detected."""

from collections.abc import Iterator, Mapping

from clinicnum.annotations.audit_anchor import (
    Anchor,
    day,
    fingerprint,
    is_signed_by,
    read_anchor,
    read_public_key,
)
from clinicnum.annotations.bundle.bundle_file_paths import ANCHOR, ANCHOR_KEY
from clinicnum.annotations.bundle.manifest import Fault
from clinicnum.annotations.bundle.raw_files import StudyMaterial
from clinicnum.errors import InputError


def anchor_files(anchor: Anchor, public_key: bytes) -> dict[str, bytes]:
    """The anchor and the public key (PEM) that checks it, as files of a bundle."""
    return {ANCHOR: anchor.model_dump_json().encode() + b"\n", ANCHOR_KEY: public_key}


def anchor_faults(files: Mapping[str, bytes]) -> Iterator[Fault]:
    """Yield a fault for an anchor that cannot be read, or whose signature does not match its key."""
    if ANCHOR not in files:
        return
    try:
        anchor = read_anchor(files[ANCHOR], ANCHOR)
        key = read_public_key(files.get(ANCHOR_KEY, b""), ANCHOR_KEY)
    except InputError as error:
        yield Fault(file=ANCHOR, what=f"cannot be checked: {error}")
        return
    if anchor.key != fingerprint(key) or not is_signed_by(anchor, key):
        yield Fault(file=ANCHOR, what=f"does not have the signature of the key in {ANCHOR_KEY}")


def anchor_notes(material: StudyMaterial, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield notes on the content or absence of the anchor."""
    if ANCHOR not in files:
        yield "audit log: the bundle holds no anchor of it"
        return
    anchor = read_anchor(files[ANCHOR], ANCHOR)
    study = next((one.study_id for one in material.tables.annotations), None)
    head = anchor.heads.get(study or "")
    rows = (
        "" if head is None else f" with {head.rows} rows of this study, the last one's hash {head.hash[:12]}"
    )
    yield (
        f"audit log: anchored on {day(anchor)}{rows}; compare the key's fingerprint with the one that the "
        f"institution published: {anchor.key}"
    )
