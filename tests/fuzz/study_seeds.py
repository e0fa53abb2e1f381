"""Small valid files of studies and banks: bundles, templates, releases, criteria, backups, anchors."""

import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from tests.fuzz.seeds import Files


def bundle() -> Files:
    """The small made-up study as the files of a bundle."""
    from tests.annotations.bundle_example import files

    return files()


@cache
def earlier_bundle() -> Files:
    """A claims study as clinicnum 0.2.0 bundled it, in layout 4."""
    from clinicnum.annotations.bundle.archive import unpack
    from tests.annotations.bundle_example import OLD

    return dict(unpack(OLD.with_name("layout-4-claims.zip")).files)


def release() -> Files:
    """A release of four templates."""
    from tests.clinicnum import releasing

    return {name: text.encode() for name, text in releasing.made().items()}


@cache
def templates() -> Files:
    """One template of each of two operations, as the bank has them."""
    from clinicnum.templates.parse_template import content_of, yaml_of
    from tests.clinicnum.releasing import PULSE, bank

    chosen = ("retrieval.heart_rate", PULSE, "aggregation.tachycardia")
    return {"some.yaml": "".join(yaml_of(content_of(bank()[one])) for one in chosen).encode()}


def draft() -> Files:
    """One template as a curator types it."""
    whole = templates()["some.yaml"].decode()
    return {"draft.yaml": whole[: whole.index("\n- ", 3) + 1].encode()}


def fields() -> Files:
    return {
        "fields.yaml": b"- name: readable\n  label: Can it be read?\n  type: choice\n  ordered: true\n"
        b"  options: [{value: easily, key: 9}, {value: never, means: It is cut off.}]\n"
        b"- {name: minutes, label: Minutes lost, type: number, step: 2, asked: failures, required: true}\n"
    }


def axes() -> Files:
    return {
        "axes.yaml": b"- {name: accuracy, label: Is it right?, points: 5, low: wrong, high: right}\n"
        b"- name: use\n  label: Use it?\n  options: [{value: never}, {value: at once, means: As it is.}]\n"
    }


CRITERIA = {
    "HealthBench": b'{"prompt_id": "p1", "rubrics": [{"criterion": "Is safe", "points": 5, "tags": ["a"]}]}\n'
    b'{"prompt_id": "p2", "rubrics": [{"criterion": "Guesses.", "points": -7, "tags": []}]}\n',
    "LiveMedBench": b'[{"case_id": 1, "rubric_items": [{"criterion": "Is safe.", "points": 5}]}]',
    "CSV": b"item_id,criterion_id,text,weight,must_have,source\ni1,a,Is safe.,5,yes,us\n,b,Guesses.,-1,,\n",
}
"""One file in each form."""


def criteria(form: str) -> Files:
    return {"criteria": CRITERIA[form]}


def taxonomy() -> Files:
    """The built-in one."""
    from clinicnum.annotations import taxonomy as room

    path = Path(room.__file__).parent / "taxonomies" / f"{room.BUILT_IN}_v{room.CURRENT}.yaml"
    return {"taxonomy.yaml": path.read_bytes()}


@cache
def backup() -> Files:
    """A database without rows: SQLite in one file."""
    from clinicnum.db.backup.make import back_up
    from clinicnum.db.engine import make_engine
    from clinicnum.db.migrate import migrate

    with tempfile.TemporaryDirectory() as name:
        engine = make_engine(f"sqlite:///{name}/study.db")
        migrate(engine)
        back_up(engine, Path(name) / "a.backup")
        engine.dispose()
        return {"a.backup": (Path(name) / "a.backup").read_bytes()}


@cache
def archive() -> Files:
    """The study as a bundle in one file."""
    from clinicnum.annotations.bundle.archive import pack

    return {"b.zip": pack(bundle())}


def two_banks() -> Files:
    """A bank and the same again."""
    whole = templates()["some.yaml"]
    return {"a/some.yaml": whole, "b/some.yaml": whole}


@cache
def anchors() -> Files:
    """Two anchors and the key that signed them."""
    from clinicnum.annotations.audit_anchor import (
        Anchor,
        Head,
        anchor_hash,
        new_key,
        public_pem,
        read_private_key,
        signed,
    )
    from clinicnum.db.audit_anchors import ANCHORS, PUBLIC_KEY

    key, found = read_private_key(new_key(), "key"), list[Anchor]()
    for rows in (3, 9):
        before = anchor_hash(found[-1]) if found else None
        heads = {"installation": Head(rows=rows, hash="0" * 64)}
        at = datetime(2026, 11, 23, 0, 0, rows, tzinfo=UTC)
        made = Anchor(at=at, database="d", heads=heads, previous=before, key="")
        found.append(signed(made, key))
    lines = b"".join(one.model_dump_json().encode() + b"\n" for one in found)
    return {ANCHORS: lines, PUBLIC_KEY: public_pem(key.public_key())}
