"""Data of one model's run, joined for comparisons: instances, answers, scores; pairs of base and variant."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from clinicnum.errors import InputError
from clinicnum.types import Generation, Instance, Score

ALL = "all"
SHUFFLE = "options.shuffle."


@dataclass(frozen=True)
class Answer:
    """One instance, the generation of the model for it, and the generation's score."""

    instance: Instance
    generation: Generation
    score: Score

    @property
    def right(self) -> bool:
        """Whether the value is right, in whatever form."""
        return self.score.lenient

    @property
    def failed(self) -> bool:
        """Whether no answer was produced; it is then neither right nor wrong."""
        return self.score.status == "error"

    @property
    def subject(self) -> str:
        """The subject whose records the instance shows."""
        return self.instance.subject_id


@dataclass(frozen=True)
class Run:
    """All answers of one model, by instance id."""

    name: str
    answers: Mapping[str, Answer]
    form_asked: bool = True
    """Whether its prompts are known to have asked for the form that `strict` judges."""

    @property
    def bases(self) -> list[Answer]:
        """Answers that were produced, to instances that are neither variants nor flagged (V7)."""
        return [
            a
            for a in self.answers.values()
            if a.instance.variant is None and not a.instance.flags and not a.failed
        ]


@dataclass(frozen=True)
class Pair:
    """A variant and its base instance, both answered."""

    base: Answer
    variant: Answer

    @property
    def kind(self) -> str:
        """The variant's name."""
        return self.variant.instance.variant or ""

    @property
    def representation(self) -> str:
        """The representation in which base and variant are written."""
        return self.variant.instance.representation


def join(
    name: str,
    instances: Mapping[str, Instance],
    generations: Iterable[Generation],
    scores: Iterable[Score],
    *,
    form_asked: bool = True,
) -> Run:
    """Assemble a run. Raises InputError naming what is unknown, missing or duplicated.

    `form_asked`: whether its prompts are known to have asked for the form that `strict` judges.
    """
    judged: dict[str, Score] = {}
    for score in scores:
        if score.generation_id in judged:
            raise InputError(f"{name}: generation {score.generation_id} is scored twice; remove one")
        judged[score.generation_id] = score
    answers: dict[str, Answer] = {}
    for generation in generations:
        known = instances.get(generation.instance_id)
        if known is None:
            raise InputError(
                f"{name}: instance {generation.instance_id} is not in the benchmark; name the benchmark that "
                "it was generated for"
            )
        if generation.instance_id in answers:
            raise InputError(f"{name}: instance {generation.instance_id} is answered twice; remove one")
        found = judged.pop(generation.generation_id, None)
        if found is None:
            raise InputError(
                f"{name}: generation {generation.generation_id} has no score; score these generations again"
            )
        answers[generation.instance_id] = Answer(known, generation, found)
    if judged:
        raise InputError(
            f"{name}: score of generation {min(judged)}, which is not among the generations; name the "
            "generations that these scores are of"
        )
    return Run(name, answers, form_asked)


def pairs_of(run: Run) -> tuple[list[Pair], dict[str, int]]:
    """Every answered variant with its base, and counts of the others by reason.

    Left out are pairs of which either is flagged as not discriminating (V7). Orders of options are no pairs:
    they are compared with each other, not with the open question (see `option_order`).
    """
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    for answer in run.answers.values():
        instance = answer.instance
        if instance.variant is None or SHUFFLE in instance.variant:
            continue
        base = run.answers.get(instance.base_id or "")
        if base is None:
            left_out["variants whose base was not answered"] += 1
        elif answer.failed or base.failed:
            left_out["pairs with a sample that failed"] += 1
        elif instance.flags or base.instance.flags:
            left_out["pairs flagged as not discriminating (V7)"] += 1
        else:
            pairs.append(Pair(base, answer))
    return pairs, dict(sorted(left_out.items()))


def representations_of(answers: Iterable[Answer]) -> list[str]:
    """The representations that occur in the answers, sorted, followed by `all` if there are several."""
    found: list[str] = sorted({answer.instance.representation for answer in answers})
    return [*found, ALL] if len(found) > 1 else found


def written_in(representation: str, answer: Answer) -> bool:
    """Whether an answer counts in the row of a representation; in that of `all` every answer does."""
    return representation in (ALL, answer.instance.representation)


def same_value(one: str | None, other: str | None) -> bool:
    """Whether two written values are the same number or the same text; None equals nothing."""
    if one is None or other is None:
        return False
    try:
        return Decimal(one) == Decimal(other)
    except InvalidOperation:
        return one == other
