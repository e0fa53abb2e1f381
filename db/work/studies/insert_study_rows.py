"""Write a study's runs, scores, items, references and suggestions when it opens."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from clinicnum.annotations.assignment import PlacedItem
from clinicnum.annotations.draw_study_items import Sample
from clinicnum.annotations.sampling import SampledGeneration
from clinicnum.annotations.study_inputs import Material
from clinicnum.db.rows import ReferenceRow, StudyItemRow, StudyRunRow, StudyScoreRow, SuggestionRow
from clinicnum.db.work.common.bulk_insert import add_all
from clinicnum.db.work.runs.store_study_material import LoadedRows
from clinicnum.io.jsonl import content_id, keyed_id


def add_items(
    session: Session, study_id: str, *, secret: str, material: Material, loaded: LoadedRows, sample: Sample
) -> None:
    """Write runs, scores, items, references and suggestions for a study whose row exists.

    `secret` is the study's key for the ids of its items.
    """
    key = loaded.generations
    groups = material.groups()
    add_all(
        session,
        StudyRunRow,
        [
            {"study_id": study_id, "run": loaded.runs[run_id], "meta": meta}
            for run_id, meta in loaded.run_metas.items()
        ],
    )
    add_all(
        session,
        StudyScoreRow,
        [
            {
                "study_id": study_id,
                "generation": row,
                "score": loaded.scores[generation_id],
                "position": position,
            }
            for position, (generation_id, row) in enumerate(key.items())
        ],
    )
    add_all(
        session,
        StudyItemRow,
        [
            _item(study_id, secret, key[one.generation_id], one, sample.drawn.get(one.generation_id))
            | {
                "group_id": groups[one.generation_id],
                "second": key.get(sample.seconds.get(one.generation_id, "")),
            }
            for one in sample.placed
        ],
    )
    add_all(
        session,
        ReferenceRow,
        [
            {
                "study_id": study_id,
                "generation": key[generation_id],
                "payload": judgement.model_dump(mode="json"),
            }
            for generation_id, judgement in sample.references.items()
        ],
    )
    add_all(session, SuggestionRow, _suggestions(study_id, material, key))


def _item(
    study_id: str, secret: str, generation: str, placed: PlacedItem, drawn: SampledGeneration | None
) -> dict[str, Any]:
    return {
        "study_id": study_id,
        "generation": generation,
        "item_id": item_key(secret, generation),
        # Training and control items are chosen, not sampled, so they have no stratum or sampling share.
        "stratum": drawn.stratum if drawn else placed.round,
        "inclusion_probability": drawn.inclusion_probability if drawn else 1.0,
        "round": placed.round,
        "position": placed.position,
        "places": placed.places,
        "taken": 0,
    }


def item_key(secret: str, generation: str) -> str:
    """The id under which pages show a generation in the study with this secret."""
    return keyed_id(secret, ["item", generation])


def _suggestions(study_id: str, material: Material, key: Mapping[str, str]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for suggestion in material.suggestions:
        payload = suggestion.model_dump(mode="json")
        row_id = content_id(["suggestion", study_id, payload])
        rows[row_id] = {
            "id": row_id,
            "study_id": study_id,
            "generation": key[suggestion.generation_id],
            "code": suggestion.code,
            "payload": payload,
        }
    return list(rows.values())
