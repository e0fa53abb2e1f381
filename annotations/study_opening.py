"""The items of a new study: the sample in its order, training items and control items."""

from collections.abc import Mapping
from dataclasses import dataclass

from clinicnum.annotations.assignment import PlacedItem, place_items, share_of_work
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.sampling import Candidate, SampledGeneration, draw_sample
from clinicnum.annotations.study_design import Design, Filter
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.study_seed import Seed
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id


@dataclass(frozen=True)
class Sample:
    """The items of a study by purpose."""

    placed: tuple[PlacedItem, ...]
    drawn: Mapping[str, SampledGeneration]
    """How the main items were drawn, by generation id."""
    references: Mapping[str, Judgement]
    """Generation id -> reference judgement, for training and control items."""
    share: int
    """Number of items for each annotator."""

    @property
    def first(self) -> int:
        """The lowest position in use."""
        return self.placed[0].position


def draw_items(
    material: Material, references: Mapping[str, Judgement], *, design: Design, annotators: int, seed: Seed
) -> Sample:
    """Take training and control items from the references, then draw and order the rest.

    Raises InputError for too few references, for one that names no generation or is incomplete, and in the
    cases of `draw_sample` and `place_items`.
    """
    training, controls = _with_reference(material, references, design, seed)
    aside = {*training, *controls}
    rest = [one for one in candidates_of(material, design.where) if one.generation_id not in aside]
    drawn = draw_sample(
        rest,
        include=design.include,
        seed=seed,
        size=design.size,
        correct_share=design.correct_share,
        variants=design.variants,
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
    """The generations that pass the filter."""
    instances = {instance.instance_id: instance for instance in material.instances}
    scores = {score.generation_id: score for score in material.scores}
    found: list[Candidate] = []
    for generation in material.generations():
        instance, status = instances[generation.instance_id], scores[generation.generation_id].status
        if status == "error":
            continue  # there is no answer to judge
        asked: tuple[tuple[tuple[str, ...], str], ...] = (
            (where.run_ids, generation.run_id),
            (where.operations, instance.operation),
            (where.representations, instance.representation),
            (where.template_ids, instance.template_id),
            (where.statuses, status),
        )
        if all(not allowed or value in allowed for allowed, value in asked):
            found.append(
                Candidate(
                    generation_id=generation.generation_id,
                    operation=instance.operation,
                    representation=instance.representation,
                    correct=status == "correct",
                    variant=instance.variant is not None and not where.variants,
                )
            )
    return found


def _with_reference(
    material: Material, references: Mapping[str, Judgement], design: Design, seed: Seed
) -> tuple[list[str], list[str]]:
    """The training and the control items, in an order drawn by the seed."""
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
