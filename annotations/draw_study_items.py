"""The items of a new study: the sample in its order, training items and control items."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from clinicnum.annotations.assignment import PlacedItem, place_items, share_of_work
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.pairwise.pairing import pair_answers
from clinicnum.annotations.sampling import Candidate, SampledGeneration, draw_sample
from clinicnum.annotations.study_design import Design, Filter
from clinicnum.annotations.study_inputs import EarlierInvalidation, Material
from clinicnum.annotations.study_seed import Seed
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable, joined
from clinicnum.types import Frozen, Instance


@dataclass(frozen=True)
class Sample:
    """What a new study consists of: its items in order, how the main ones were drawn, and the reference
    judgements of training and control items.
    """

    placed: tuple[PlacedItem, ...]
    drawn: Mapping[str, SampledGeneration]
    """How the main items were drawn, by generation id."""
    references: Mapping[str, Judgement]
    """Generation id -> reference judgement, for training and control items."""
    share: int
    """Number of items for each annotator."""
    seconds: Mapping[str, str] = field(default_factory=dict)
    """In a pairwise study, first generation of a pair -> the second."""

    @property
    def first(self) -> int:
        """The lowest position of an item in the study."""
        return self.placed[0].position


def draw_items(
    material: Material, references: Mapping[str, Judgement], *, design: Design, annotators: int, seed: Seed
) -> Sample:
    """Take training and control items from the references, then draw and order the rest.

    Raises InputError for too few references, for one that names no generation, is incomplete or is on an
    invalidated instance, and in the cases of `draw_sample` and `place_items`.
    """
    training, controls = _with_reference(material, references, design, seed)
    aside = {*training, *controls}
    seconds = pairs_of(material, design.where, seed) if design.rules.pairs else {}
    rest = [one for one in drawable_of(material, design, seed) if one.generation_id not in aside]
    drawn = draw_sample(
        rest,
        include=design.include,
        seed=seed,
        size=design.size,
        correct_share=design.correct_share,
        variants=design.variants,
        invalidated=sum(one.generations for one in left_out(material, design.where)),
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
        seconds={one.generation_id: seconds[one.generation_id] for one in drawn if design.rules.pairs},
    )


class LeftOut(Frozen):
    """Generations not drawn because an earlier study invalidated their instances, by study and rule."""

    study: str
    rule: str
    instances: int
    generations: int


def left_out(material: Material, where: Filter) -> tuple[LeftOut, ...]:
    """Number of generations that pass the filter but have an invalidated instance, by study and rule."""
    by_reason: dict[EarlierInvalidation, list[str]] = {}
    for _, instance in _passing(material, where):
        if instance.instance_id in material.invalidated:
            by_reason.setdefault(material.invalidated[instance.instance_id], []).append(instance.instance_id)
    return tuple(
        LeftOut(study=why.study, rule=why.rule, instances=len(set(answered)), generations=len(answered))
        for why, answered in sorted(by_reason.items(), key=lambda entry: (entry[0].study, entry[0].rule))
    )


def say_left_out(left_out: tuple[LeftOut, ...]) -> Translatable | None:
    """What is left out and why, as a clause; None if nothing is."""
    if not left_out:
        return None
    generations, instances = (sum(counts) for counts in zip(*map(_counts, left_out), strict=True))
    reasons = [
        Translatable(
            "{n} of {instances} by study {study} ({rule})",
            n=one.generations,
            instances=one.instances,
            study=one.study,
            rule=one.rule,
        )
        for one in left_out
    ]
    return Translatable(
        "left out: {answers} to {instances} that upheld contests invalidated: {reasons}",
        answers=Translatable("{n} answer", n=1)
        if generations == 1
        else Translatable("{n} answers", n=generations),
        instances=Translatable("{n} instance", n=1)
        if instances == 1
        else Translatable("{n} instances", n=instances),
        reasons=joined("; ", reasons),
    )


def _counts(left_out: LeftOut) -> tuple[int, int]:
    return left_out.generations, left_out.instances


def pairs_of(material: Material, where: Filter, seed: Seed) -> Mapping[str, str]:
    """First generation -> second, of all pairs of answers that pass the filter.

    Raises InputError if no two runs answered the same question.
    """
    passing = {one.generation_id for one in candidates_of(material, where)}
    pairs = pair_answers(
        (
            (one.instance_id, one.run_id, one.generation_id)
            for one in material.generations()
            if one.generation_id in passing
        ),
        seed=seed,
    )
    if not pairs:
        raise InputError(
            "there are no two answers to the same question among those that can be drawn; a pairwise study "
            "takes two or more runs on one benchmark"
        )
    return pairs


def drawable_of(material: Material, design: Design, seed: Seed) -> list[Candidate]:
    """The candidates for the sample: generations that pass the filter; in a pairwise study the pairs, each
    represented by its first generation.

    Raises InputError as `pairs_of` does.
    """
    found = candidates_of(material, design.where)
    if not design.rules.pairs:
        return found
    seconds, run_of = (
        pairs_of(material, design.where, seed),
        {one.generation_id: one.run_id for one in material.generations()},
    )
    return [
        replace(
            one,
            correct=False,  # whatever the score of either answer, there is something to compare
            pair=" ".join(sorted((run_of[one.generation_id], run_of[seconds[one.generation_id]]))),
        )
        for one in found
        if one.generation_id in seconds
    ]


def candidates_of(material: Material, where: Filter) -> list[Candidate]:
    """The generations that can be drawn, in the order of the material.

    They pass the filter, did not end in an error, are in `material.drawable` if that is given, and no earlier
    study invalidated their instance.
    """
    return [
        candidate
        for candidate, instance in _passing(material, where)
        if instance.instance_id not in material.invalidated
    ]


def _passing(material: Material, where: Filter) -> Iterator[tuple[Candidate, Instance]]:
    """The generations that pass the filter, each with its instance."""
    instances = {instance.instance_id: instance for instance in material.instances}
    scores = {score.generation_id: score for score in material.scores}
    groups = material.groups()
    for generation in material.generations():
        instance, status = instances[generation.instance_id], scores[generation.generation_id].status
        if status == "error":
            continue  # there is no answer to judge
        if material.drawable is not None and generation.generation_id not in material.drawable:
            continue
        asked: tuple[tuple[tuple[str, ...], str], ...] = (
            (where.run_ids, generation.run_id),
            (where.operations, instance.operation),
            (where.representations, instance.representation),
            (where.template_ids, instance.template_id),
            (where.statuses, status),
        )
        if all(not allowed or value in allowed for allowed, value in asked):
            candidate = Candidate(
                generation_id=generation.generation_id,
                operation=instance.operation,
                representation=instance.representation,
                correct=status == "correct",
                variant="" if where.variants else instance.variant or "",
                group_id=groups[generation.generation_id],
                run_id=generation.run_id,
            )
            yield candidate, instance


def _with_reference(
    material: Material, references: Mapping[str, Judgement], design: Design, seed: Seed
) -> tuple[list[str], list[str]]:
    """The training and the control items, in an order drawn by the seed.

    Raises InputError as `draw_items` does for references.
    """
    known = {generation.generation_id for generation in material.generations()}
    strangers = sorted(set(references) - known)
    if strangers:
        raise InputError(
            "{n} references name unknown generations, for example {example}; expected generations of the "
            "runs given",
            n=len(strangers),
            example=strangers[0],
        )
    _check_not_invalidated(material, references)
    for key, judgement in sorted(references.items()):
        lacks = judgement.missing()
        if lacks is not None:
            raise InputError("the reference of generation {key} is incomplete: {lacks}", key=key, lacks=lacks)
    wanted = design.training + design.controls
    if wanted > len(references):
        raise InputError(
            "{training} training and {controls} control items need {wanted} references; got {n}: give more, "
            "or ask for fewer",
            training=design.training,
            controls=design.controls,
            wanted=wanted,
            n=len(references),
        )
    shuffled = sorted(references, key=lambda key: content_id(["reference", seed, key]))
    return shuffled[: design.training], shuffled[design.training : wanted]


def _check_not_invalidated(material: Material, references: Mapping[str, Judgement]) -> None:
    """Raise InputError if a reference is on an instance that is not to be judged any more."""
    on = {
        one.generation_id: one.instance_id
        for one in material.generations()
        if one.generation_id in references
    }
    gone = sorted(key for key, instance_id in on.items() if instance_id in material.invalidated)
    if gone:
        why = material.invalidated[on[gone[0]]]
        raise InputError(
            "{references} on invalidated instances, for example that of generation {generation}: an upheld "
            "contest of study {study!r} took out instance {instance} ({rule}); expected references on valid "
            "instances: delete these from the references",
            references=Translatable("{n} reference", n=1)
            if len(gone) == 1
            else Translatable("{n} references", n=len(gone)),
            generation=gone[0],
            study=why.study,
            instance=on[gone[0]],
            rule=why.rule,
        )
