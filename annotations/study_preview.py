"""A preview of a study before it is opened: its items, and the work it asks of annotators."""

from collections import Counter

from clinicnum.annotations.consensus.vote_consensus import MIN_VOTES, ONE_JUDGEMENT
from clinicnum.annotations.draw_study_items import LeftOut, Sample, drawable_of, left_out, say_left_out
from clinicnum.annotations.forecast_unblinded_judgements import FollowingJudgements, following_judgements
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.annotations.study_strata import (
    StratumPlan,
    VariantPlan,
    is_variant,
    kind_of,
    plan_strata,
    plan_variants,
)
from clinicnum.stats.jackknife import MIN_CLUSTERS, MIN_ITEMS
from clinicnum.stats.partial_verification import lowest_sensitivity
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

MUCH_MORE = 0.1
"""How far the share of scored-correct answers may exceed the requested one before a warning."""
SECONDS_AN_ITEM = 60
"""A first guess at the pace; a study's own median replaces it."""


class Preview(Frozen):
    """A study before it is opened; the same design and seed open exactly this study."""

    strata: tuple[StratumPlan, ...]
    available: int
    drawn: int
    variants_available: int
    """Answers to variants among `available`; drawn only on request."""
    variants_drawn: int
    variants: tuple[VariantPlan, ...]
    """Available and drawn answers by kind of variant."""
    subjects: int
    """Number of subjects among the drawn."""
    training: int
    controls: int
    annotators: int
    kind: StudyKind = "failures"
    overlap: int
    judgements: int
    """Judgements to make, training and control items included, blind repeats not."""
    items_an_annotator: int
    """Items for each annotator if the work is shared evenly, blind repeats included."""
    repeats_an_annotator: int
    """Blind repeats expected among `items_an_annotator`."""
    seconds_an_item: int
    hours_an_annotator: float
    hours_in_all: float
    suggestions: int
    """Drawn generations that have a suggestion; 0 if suggestions are never shown."""
    left_out: tuple[LeftOut, ...] = ()
    """Generations that are not available, as earlier studies invalidated their instances."""
    following: FollowingJudgements
    """First judgements that cannot be blind."""
    unmet: tuple[Translatable, ...]
    """That no failure can count, and why fewer answers are drawn than requested; empty otherwise."""
    warnings: tuple[Translatable, ...]

    def of_variants(self) -> Translatable:
        """How the sample treats answers to variants, in words."""
        if not self.variants_available:
            return Translatable("base questions only: the runs answered no variants")
        if not self.variants_drawn:
            return Translatable(
                "Only answers to base questions are drawn; {n} answers to variants of them are left out.",
                n=self.variants_available,
            )
        return Translatable(
            "{base} answers to base questions; {n} of {total} answers to variants are drawn, in strata of "
            "their own",
            base=self.drawn - self.variants_drawn,
            n=self.variants_drawn,
            total=self.variants_available,
        )

    def of_invalidated(self) -> Translatable | None:
        """What is left out because an upheld contest invalidated it, in words; None if nothing is."""
        return say_left_out(self.left_out)


def preview_study(
    material: Material,
    sample: Sample,
    *,
    design: Design,
    annotators: int,
    simulated: int = 0,
    seconds_an_item: int = SECONDS_AN_ITEM,
) -> Preview:
    """Count the drawn sample by stratum and purpose; `simulated` of the `annotators` are scripted.

    Raises InputError as `drawable_of` does.
    """
    set_aside = {one.generation_id for one in sample.placed if one.round != "main"}
    # Which answers are paired does not change how many pairs there are, so no seed is needed.
    candidates = [one for one in drawable_of(material, design, 0) if one.generation_id not in set_aside]
    available = Counter(one.stratum for one in candidates)
    subject = {one.instance_id: one.subject_id for one in material.instances}
    subjects = {
        subject[one.instance_id] for one in material.generations() if one.generation_id in sample.drawn
    }
    rounds = Counter(one.round for one in sample.placed)
    once = rounds["training"] + rounds["control"] + -(-len(sample.drawn) * design.overlap // annotators)
    hours = sample.share * seconds_an_item / 3600
    suggested = {one.generation_id for one in material.suggestions} & set(sample.drawn)
    plan = Preview(
        strata=plan_strata(available, sample),
        available=available.total(),
        drawn=len(sample.drawn),
        variants_available=sum(n for stratum, n in available.items() if is_variant(stratum)),
        variants_drawn=sum(is_variant(one.stratum) for one in sample.drawn.values()),
        variants=plan_variants(candidates, sample),
        subjects=len(subjects),
        training=rounds["training"],
        controls=rounds["control"],
        annotators=annotators,
        kind=design.kind,
        overlap=design.overlap,
        judgements=sum(one.places for one in sample.placed),
        items_an_annotator=sample.share,
        repeats_an_annotator=sample.share - once,
        seconds_an_item=seconds_an_item,
        hours_an_annotator=hours,
        hours_in_all=hours * annotators,
        suggestions=0 if design.suggestions == "hidden" else len(suggested),
        left_out=left_out(material, design.where),
        following=following_judgements(
            sample.placed if design.rules.judges_failures else (), material.groups(), annotators=annotators
        ),
        unmet=(),
        warnings=(),
    )
    uncounted = (ONE_JUDGEMENT,) * (design.rules.judges_failures and design.overlap < MIN_VOTES)
    plan = plan.model_copy(update={"unmet": (*uncounted, *_if_fewer_are_drawn(plan, design))})
    return plan.model_copy(update={"warnings": tuple(_warnings(plan, design, simulated))})


def _cost_of_suggestions(plan: Preview, design: Design) -> list[Translatable]:
    """Which items the policy on suggestions keeps out of agreement, in words; empty if none."""
    if design.suggestions == "randomised":
        return [
            Translatable(
                "A half of the items, drawn by lot, shows suggestions before the judgement: these are "
                "reported apart and left out of agreement."
            )
        ]
    if not plan.suggestions:
        return []
    counts = {"n": plan.suggestions, "total": plan.drawn}
    if design.suggestions == "shown":
        return [
            Translatable(
                "{n} of {total} drawn items have suggestions, in sight before the judgement: they are "
                "reported apart and left out of agreement.",
                **counts,
            )
        ]
    return [
        Translatable(
            "{n} of {total} drawn items have suggestions, which open with the gold answer: there, labels and "
            "severity count in agreement only as locked before it; where they are left for later, the "
            "judgement is reported apart. The response counts in any case.",
            **counts,
        )
    ]


def _if_none_is_missed(plan: Preview) -> list[Translatable]:
    """A warning with the scorer's lowest possible sensitivity, if only some answers scored right are judged.

    It assumes that no judged one turns out to be a failure; empty if all or none are judged.
    """
    available, drawn = Counter[str](), Counter[str]()
    for one in plan.strata:
        if is_variant(one.stratum):
            continue  # figures on the score use base questions only
        available[kind_of(one.stratum)] += one.available
        drawn[kind_of(one.stratum)] += one.drawn
    right, judged = available["correct"], drawn["correct"]
    if not judged or judged == right or not drawn["failure"]:
        return []
    low = lowest_sensitivity(available["failure"], right, judged)
    return [
        Translatable(
            "{n} of {total} answers scored right will be judged: if none is a miss, the sensitivity of the "
            "automatic score can still be as low as {percent:.0f} %; judge more of them for a better bound.",
            n=judged,
            total=right,
            percent=100 * low,
        )
    ]


def _if_references_are_known(plan: FollowingJudgements) -> list[Translatable]:
    """A warning if judgements must follow the reference of the same question."""
    said = plan.in_words()
    if said is None:
        return []
    return [
        Translatable(
            "{following}. Such judgements do not count in agreement before the gold answer, nor in the "
            "check of the score. To have fewer of them, draw fewer answers, so that questions do not repeat, "
            "or have more people, of whom fewer judge each answer.",
            following=said,
        )
    ]


def _warnings(plan: Preview, design: Design, simulated: int) -> list[Translatable]:
    right = sum(one.drawn for one in plan.strata if kind_of(one.stratum) == "correct")
    told: list[Translatable] = []
    failures = design.rules.judges_failures
    if not right and failures:
        told.append(
            Translatable(
                "No scored-correct generation is drawn: the sensitivity of the automatic score, the share of "
                "failures that it finds, cannot be known."
            )
        )
    told += _if_none_is_missed(plan) if failures else []
    if plan.subjects < MIN_CLUSTERS or plan.drawn < MIN_ITEMS:
        told.append(
            Translatable(
                "{n} items of {subjects} subjects: no interval is given under {least_subjects} subjects or "
                "{least_items} items.",
                n=plan.drawn,
                subjects=plan.subjects,
                least_subjects=MIN_CLUSTERS,
                least_items=MIN_ITEMS,
            )
        )
    told += _if_references_are_known(plan.following)
    if design.include == "mixed" and plan.drawn and right / plan.drawn > design.correct_share + MUCH_MORE:
        told.append(
            Translatable(
                "Scored-correct answers are {n} of {total} drawn, more than the share of {percent:.0f} %: "
                "there are too few failures for that size.",
                n=right,
                total=plan.drawn,
                percent=100 * design.correct_share,
            )
        )
    if design.overlap == 1:
        told.append(Translatable("One annotator an item: agreement between annotators cannot be known."))
    told += _cost_of_suggestions(plan, design)
    if design.suggestions != "hidden" and not plan.suggestions:
        told.append(Translatable("No drawn generation has a suggestion: the policy would change nothing."))
    if simulated:
        told.append(
            Translatable(
                "{n} of {total} annotators are simulated: every table says so, and there is no methods "
                "paragraph.",
                n=simulated,
                total=plan.annotators,
            )
        )
    return told


def _if_fewer_are_drawn(plan: Preview, design: Design) -> list[Translatable]:
    """What is said if fewer answers are drawn than the design asks for."""
    told = []
    base = plan.drawn - plan.variants_drawn
    failures = [
        one for one in plan.strata if not is_variant(one.stratum) and kind_of(one.stratum) == "failure"
    ]
    more = any(one.drawn < one.available for one in failures)
    if design.size is not None and base < design.size and design.include == "mixed" and more:
        told.append(
            Translatable(
                "{n} were asked for, but only {drawn} are drawn: a share of {percent:.0f} % is kept for "
                "answers scored right, of which there are too few. Take failures only to draw more of these.",
                n=design.size,
                drawn=base,
                percent=100 * design.correct_share,
            )
        )
    elif design.size is not None and base < design.size:
        told.append(
            Translatable(
                "{n} were asked for, but only {drawn} can be drawn by this filter.", n=design.size, drawn=base
            )
        )
    if plan.variants_drawn < design.variants:
        told.append(
            Translatable(
                "{n} variants were asked for, but only {drawn} can be drawn.",
                n=design.variants,
                drawn=plan.variants_drawn,
            )
        )
    return told
