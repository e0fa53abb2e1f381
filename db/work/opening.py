"""What a study hands out when it opens: the sample in its order, training and control items, suggestions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotations.assignment import Placed, place_items, share_of_work
from annotations.design import Design, Filter
from annotations.material import Material
from annotations.sampling import Candidate, Drawn, draw_sample
from annotations.types import Judgement
from clinicnum.errors import InputError
from clinicnum.jsonl import content_id
from db.rows import ReferenceRow, StudyItemRow, StudyRunRow, StudyScoreRow, SuggestionRow
from db.work.loading import Loaded, add_all


@dataclass(frozen=True)
class Sample:
    """The items of a study, by what they are for."""

    placed: tuple[Placed, ...]
    drawn: Mapping[str, Drawn]
    """How the main items were drawn, by generation id."""
    references: Mapping[str, Judgement]
    """Of the training and control items."""
    share: int
    """Items for each annotator."""

    @property
    def first(self) -> int:
        """The lowest position."""
        return self.placed[0].position


def draw_items(
    material: Material, references: Mapping[str, Judgement], *, design: Design, annotators: int, seed: int
) -> Sample:
    """Take training and control items from the references, then draw and place the rest.

    Raises InputError for too few references, for one that names no generation or is incomplete, and as the
    draw does.
    """
    training, controls = _with_reference(material, references, design, seed)
    aside = {*training, *controls}
    rest = [one for one in candidates_of(material, design.where) if one.generation_id not in aside]
    drawn = draw_sample(
        rest, include=design.include, seed=seed, size=design.size, correct_share=design.correct_share
    )
    placed = place_items(
        [one.generation_id for one in drawn],
        training=training,
        controls=controls,
        annotators=annotators,
        overlap=design.overlap,
        seed=seed,
    )
    return Sample(
        placed=placed,
        drawn={one.generation_id: one for one in drawn},
        references={key: references[key] for key in (*training, *controls)},
        share=share_of_work(
            design,
            drawn=len(drawn),
            training=len(training),
            controls=len(controls),
            annotators=annotators,
        ),
    )


def candidates_of(material: Material, where: Filter) -> list[Candidate]:
    """The generations that the filter lets through."""
    instances = {instance.instance_id: instance for instance in material.instances}
    scores = {score.generation_id: score for score in material.scores}
    found: list[Candidate] = []
    for generation in material.generations():
        instance, status = instances[generation.instance_id], scores[generation.generation_id].status
        asked: tuple[tuple[tuple[str, ...], str], ...] = (
            (where.run_ids, generation.run_id),
            (where.operations, instance.operation),
            (where.representations, instance.representation),
            (where.template_ids, instance.template_id),
            (where.statuses, status),
        )
        if all(not allowed or value in allowed for allowed, value in asked) and (
            where.variants or instance.variant is None
        ):
            found.append(
                Candidate(
                    generation_id=generation.generation_id,
                    operation=instance.operation,
                    representation=instance.representation,
                    correct=status == "correct",
                )
            )
    return found


def _with_reference(
    material: Material, references: Mapping[str, Judgement], design: Design, seed: int
) -> tuple[list[str], list[str]]:
    """The training and the control items, in an order of the seed."""
    known = {generation.generation_id for generation in material.generations()}
    strangers = sorted(set(references) - known)
    if strangers:
        raise InputError(
            f"{len(strangers)} references name unknown generations, for example {strangers[0]}; "
            "expected generations of the runs given"
        )
    for key, judgement in sorted(references.items()):
        lacks = judgement.missing()
        if lacks is not None:
            raise InputError(f"the reference of generation {key} is incomplete: {lacks}")
    wanted = design.training + design.controls
    if wanted > len(references):
        raise InputError(
            f"{design.training} training and {design.controls} control items need {wanted} references; "
            f"got {len(references)}: give more, or ask for fewer"
        )
    shuffled = sorted(references, key=lambda key: content_id(["reference", seed, key]))
    return shuffled[: design.training], shuffled[design.training : wanted]


def add_items(session: Session, study_id: str, *, material: Material, loaded: Loaded, sample: Sample) -> None:
    """Write runs, scores, items, references and suggestions of a study whose row is there."""
    key = loaded.generations
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
            _item(study_id, key[one.generation_id], one, sample.drawn.get(one.generation_id))
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


def _item(study_id: str, generation: str, placed: Placed, drawn: Drawn | None) -> dict[str, Any]:
    return {
        "study_id": study_id,
        "generation": generation,
        # Training and control items were chosen, not drawn: they are in no stratum and in no share.
        "stratum": drawn.stratum if drawn else placed.round,
        "inclusion_probability": drawn.inclusion_probability if drawn else 1.0,
        "round": placed.round,
        "position": placed.position,
        "places": placed.places,
        "taken": 0,
    }


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
