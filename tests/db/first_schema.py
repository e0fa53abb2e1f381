"""A study as the first schema held it, written with plain INSERTs into a database of that schema."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from alembic import command
from sqlalchemy import Connection, Engine, MetaData

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import WRITES
from clinicnum.db.migrate import _config
from tests.db.examples import MODEL, material
from tests.db.first_schema_annotations import ANNOTATIONS, PEOPLE, STATES

AT = datetime(2026, 3, 1, 8, 30, 0, 123456, tzinfo=UTC)


ITEMS = 4
Rows = list[dict[str, Any]]


def upgrade_to(engine: Engine, revision: str) -> None:
    """Run the migrations up to one of them."""
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def dump(connection: Connection, like: MetaData) -> dict[str, Rows]:
    """Every row of every table, in the columns of another schema."""
    return {
        table.name: sorted(
            (dict(row._mapping) for row in connection.execute(table.select())),
            key=lambda row: str(list(row.values())),
        )
        for table in like.sorted_tables
    }


def fill(engine: Engine) -> MetaData:
    """Insert the study; the schema as the database tells it."""
    schema = MetaData()
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        schema.reflect(connection)
        for table, rows in _rows().items():
            connection.execute(schema.tables[table].insert(), rows)
    return schema


def _rows() -> dict[str, Rows]:
    made, taxonomy = material(wrong=ITEMS, right=1), load_taxonomy()
    generations = made.generations()
    return {
        "user": [
            _user("u-ann", "ann"),
            _user("u-ben", "ben"),
        ],
        "setting": [{"key": "cookie_secret", "value": "of the old installation"}],
        "benchmark": [{"id": "b", "meta": made.benchmark_meta}],
        "taxonomy": [{"id": taxonomy.id, "version": "1", "payload": taxonomy.model_dump(mode="json")}],
        "template": [{"template_id": "pulse_pressure", "version": 1, "status": "unreviewed", "payload": {}}],
        "instance": [
            {
                "id": f"i{place}",
                "benchmark_id": "b",
                "instance_id": one.instance_id,
                "template_id": one.template_id,
                "template_version": 1,
                "group_id": one.group_id,
                "position": place,
                "payload": one.model_dump(mode="json"),
            }
            for place, one in enumerate(made.instances)
        ],
        "run": [{"id": "r", "benchmark_id": "b", "run_id": "run-of-llama"}],
        "generation": [
            {
                "id": f"g{place}",
                "run": "r",
                "instance": f"i{place}",
                "generation_id": one.generation_id,
                "payload": one.model_dump(mode="json"),
            }
            for place, one in enumerate(generations)
        ],
        "score": [
            {
                "id": f"s{place}",
                "generation": f"g{place}",
                "status": one.status,
                "payload": one.model_dump(mode="json"),
            }
            for place, one in enumerate(made.scores)
        ],
        **_study_rows(len(generations), taxonomy.id),
        **_judged_rows(),
    }


def _user(key: str, name: str) -> dict[str, Any]:
    return {
        "id": key,
        "name": name,
        "role": "annotator",
        "annotator_kind": "human",
        "password_hash": "$argon2id$kept",
        "active": True,
        "session_version": 3,
        "created_at": AT,
    }


def _study_rows(generations: int, taxonomy: str) -> dict[str, Rows]:
    return {
        "study": [
            {
                "id": "old",
                "name": "old",
                "benchmark_id": "b",
                "status": "open",
                "taxonomy_id": taxonomy,
                "taxonomy_version": "1",
                "guideline_version": "1",
                "overlap": 2,
                "include": "incorrect",
                "seed": 0,
                "suggestion_policy": "hidden",
                "created_at": AT,
                "closed_at": None,
            }
        ],
        "study_run": [{"study_id": "old", "run": "r", "meta": {"model": MODEL}}],
        "study_score": [
            {"study_id": "old", "generation": f"g{place}", "score": f"s{place}", "position": place}
            for place in range(generations)
        ],
        "study_item": [
            {"study_id": "old", "generation": f"g{place}", "stratum": "all", "inclusion_probability": 1.0}
            for place in range(ITEMS)
        ],
        "study_annotator": [
            {
                "study_id": "old",
                "user_id": who,
                "pseudonym": pseudonym,
                "total": ITEMS,
                "done": sum(state["status"] == "submitted" for (w, _), state in STATES.items() if w == who),
                "skipped": sum(state["status"] == "skipped" for (w, _), state in STATES.items() if w == who),
            }
            for who, pseudonym in PEOPLE.items()
        ],
        "suggestion": [
            {
                "id": "hint",
                "study_id": "old",
                "generation": "g0",
                "code": "omission",
                "payload": {
                    "generation_id": "run-of-llama-g0",
                    "code": "omission",
                    "rule": "r",
                    "rank": 1,
                    "sentence": "So it is.",
                },
            }
        ],
        "assignment": [
            {
                "id": f"a-{who}-{place}",
                "study_id": "old",
                "generation": f"g{place}",
                "user_id": who,
                "round": "main",
                "position": place,
                "revealed_at": AT if state["revision"] else None,
                "active_ms": 4000 if state["revision"] else 0,
                "draft": None,
                "skip_reason": None,
                **state,
            }
            for (who, place), state in STATES.items()
        ],
    }


def _judged_rows() -> dict[str, Rows]:
    doubt = "n-u-ann-1-2"
    return {
        "annotation": [
            {
                "id": one["annotation_id"],
                "assignment_id": f"a-{_who(one)}-{one['generation_id'][-1]}",
                "revision": one["revision"],
                "study_id": "old",
                "submitted": one["revision"] == 2,
                "item_judgement": one["item_judgement"],
                "response_judgement": one["response_judgement"],
                "payload": one,
                "created_at": AT,
            }
            for one in ANNOTATIONS
        ],
        "contest": [
            {
                "annotation_id": doubt,
                "assignment_id": "a-u-ann-1",
                "study_id": "old",
                "generation": "g1",
                "kind": "ambiguous",
                "proposed_gold": None,
                "status": "open",
                "created_at": AT,
                "closed_at": None,
            }
        ],
        "audit": _chain(),
    }


def _who(annotation: dict[str, Any]) -> str:
    return next(who for who, pseudonym in PEOPLE.items() if pseudonym == annotation["annotator_id"])


def _told(annotation: dict[str, Any]) -> dict[str, Any]:
    """A revision as the first version logged it."""
    judgement = {name: annotation[name] for name in Judgement.model_fields if name in annotation}
    return {
        "assignment_id": f"a-{_who(annotation)}-{annotation['generation_id'][-1]}",
        "annotation_id": annotation["annotation_id"],
        "revision": annotation["revision"],
        "judgement": judgement,
    }


def _logged() -> list[tuple[str, str, dict[str, Any] | None, dict[str, Any]]]:
    """(actor, action, before, after) of every save, and of the one skip."""
    told: list[tuple[str, str, dict[str, Any] | None, dict[str, Any]]] = []
    before: dict[str, Any] | None = None
    for one in ANNOTATIONS:
        first = one["revision"] == 1
        told.append(
            (_who(one), "save_judgement" if first else "submit", None if first else before, _told(one))
        )
        before = told[-1][3]
    about, reason = {"assignment_id": "a-u-ann-2"}, STATES["u-ann", 2]["skip_reason"]
    skipped = {**about, "status": "skipped", "reason": reason}
    told.append(("u-ann", "skip", {**about, "status": "open", "reason": None}, skipped))
    return told


LOGGED = len(ANNOTATIONS) + 1
"""Rows of the study's chain."""


def _chain() -> Rows:
    """Audit rows as the first version chained them: SHA-256 over canonical JSON and the hash before."""
    rows: Rows = []
    previous = "0" * 64
    for seq, (actor, action, before, after) in enumerate(_logged(), start=1):
        said = ["old", seq, actor, action, before, after, "2026-03-01T08:30:00.123456Z", previous]
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        row = {"chain": "old", "seq": seq, "actor": actor, "action": action, "before": before, "after": after}
        this = hashlib.sha256(text.encode("ascii")).hexdigest()
        rows.append({**row, "at": AT, "previous_hash": previous, "hash": this})
        previous = this
    return rows
