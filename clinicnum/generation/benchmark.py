"""Generate instances from records and templates: the same input and seed give the same instances in the same
order.

Every operation gets its quota, spread over the blocks of contexts; its templates take turns, each taking the
contexts in stratified order from its own start. A candidate that breaks a rule is dropped in all
representations and counted by rule. At least half of the questions of each template discriminate (have no V7
flag).
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from clinicnum.generation.candidate_questions import BlockCandidates
from clinicnum.generation.context_blocks import ContextBlocks
from clinicnum.generation.instance_writer import QuestionInstances
from clinicnum.generation.template_statistics import BaselineCounts
from clinicnum.io.jsonl import content_id
from clinicnum.questions.ask_question import PreparedTemplate, Question, RejectedError
from clinicnum.records.loaded_records import Context, Scope
from clinicnum.representations.note_frames import Frame
from clinicnum.templates.bank import bank_sha256
from clinicnum.templates.template import ASKABLE, Template
from clinicnum.types import OPERATIONS, Instance, Operation, RepresentationName
from clinicnum.variants import NotApplicableError, VariantSpec, Variations


@dataclass
class Counts:
    """Counts of what was generated and dropped; complete when all instances have been taken."""

    groups: Counter[str] = field(default_factory=Counter)
    """Operation -> questions taken."""
    templates: dict[str, BaselineCounts] = field(default_factory=dict)
    """Template -> counts of its questions: taken, flagged, right by the baselines."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Rule -> candidates dropped, in all representations alike."""
    variants: Counter[str] = field(default_factory=Counter)
    """Variant -> how many were made."""
    variants_rejected: Counter[str] = field(default_factory=Counter)
    """Variant and rule -> how many were dropped."""
    not_applicable: Counter[str] = field(default_factory=Counter)
    """Variant and reason -> instances to which it does not apply."""

    def take(self, question: Question) -> None:
        """Count one more question, by its operation and its template."""
        template = question.asked.template
        self.groups[template.operation] += 1
        self.templates.setdefault(template.id, BaselineCounts()).add(question)


@dataclass(frozen=True)
class Benchmark:
    """A benchmark in generation: its groups of instances, as an iterator to be consumed once, and the counts
    that it fills.
    """

    benchmark_id: str
    groups: Iterator[QuestionInstances]
    counts: Counts
    seed: int
    variants: Sequence[VariantSpec]

    @property
    def instances(self) -> Iterator[Instance]:
        """All instances as objects, each base followed by its variants."""
        for group in self.groups:
            yield from self._with_variants(group)

    @property
    def lines(self) -> Iterator[bytes]:
        """All instances as JSON lines, without line ends."""
        for group in self.groups:
            yield from self.lines_of(group)

    def lines_of(self, group: QuestionInstances) -> Iterable[bytes]:
        """The JSON lines of one group of instances, variants included."""
        if not self.variants:
            return group.lines()
        return (one.model_dump_json().encode() for one in self._with_variants(group))

    def _with_variants(self, group: QuestionInstances) -> Iterator[Instance]:
        variations = Variations(group.question, self.seed)
        for base in group.instances():
            yield base
            for spec in self.variants:
                try:
                    made = variations.of(base, spec)
                except RejectedError as rejection:
                    self.counts.variants_rejected[f"{spec.name} {rejection}"] += 1
                except NotApplicableError as reason:
                    self.counts.not_applicable[f"{spec.name} {reason}"] += 1
                else:
                    self.counts.variants[spec.name] += 1
                    yield made


def generate(
    *,
    contexts: Sequence[Context] | ContextBlocks,
    templates: Sequence[Template],
    representations: Sequence[RepresentationName],
    quotas: Mapping[Operation, int],
    seed: int,
    scope: Scope = "stay",
    max_records: int | None = None,
    decimals: Mapping[str, int] | None = None,
    frames: Sequence[Frame] = (),
    variants: Sequence[VariantSpec] = (),
) -> Benchmark:
    """Prepare a benchmark from contexts and those of the templates that may be asked.

    Its questions are generated, and its counts filled, only while its instances are taken.

    `quotas`: questions per operation, each asked once in every representation. `max_records`: contexts with
    more records are left out. `decimals`: asked decimals by template id where they differ from the
    template's. `frames`: users' notes into which records are put, in the representation `note`. `variants`:
    made of every instance to which they apply. Which questions are taken depends neither on
    `representations` nor on `variants`.
    """
    supply = contexts if isinstance(contexts, ContextBlocks) else ContextBlocks.of(contexts)
    askable = sorted((t for t in templates if t.status in ASKABLE), key=lambda t: t.id)
    asked = [PreparedTemplate.of(t, (decimals or {}).get(t.id)) for t in askable]
    bank = bank_sha256(a.template for a in asked)
    whole = [bank, supply.identity, sorted(quotas.items()), seed, scope, max_records]
    names = [spec.name for spec in variants]
    benchmark_id = content_id([*whole, [frame.frame_id for frame in frames], names])
    counts = Counts()

    def draw() -> Iterator[QuestionInstances]:
        for number, block in enumerate(supply.blocks()):
            walk = BlockCandidates(block, seed, number, max_records, frames, counts.rejected)
            for operation in OPERATIONS:
                pool = [a for a in asked if a.template.operation == operation]
                # Questions that earlier blocks could not give are made up for in later ones.
                due = quotas.get(operation, 0) * (number + 1) // supply.count - counts.groups[operation]
                for question, wording in _questions(pool, due, walk):
                    counts.take(question)
                    yield QuestionInstances(question, wording, representations, benchmark_id, scope)

    return Benchmark(benchmark_id, draw(), counts, seed, variants)


def _questions(
    pool: Sequence[PreparedTemplate], quota: int, walk: BlockCandidates
) -> Iterator[tuple[Question, int]]:
    """Up to `quota` questions, the templates taking turns in a seeded order."""
    rng = walk.rng("order", *(a.template.id for a in pool))
    turns = [(a.template, walk.discriminating(a)) for a in _mixed(pool, rng)]
    taken = 0
    while turns and taken < quota:
        for turn in list(turns):
            template, stream = turn
            question = next(stream, None) if taken < quota else None
            if question is None:
                turns.remove(turn)
                continue
            taken += 1
            yield question, rng.randrange(len(template.wording))


def _mixed(pool: Sequence[PreparedTemplate], rng: random.Random) -> list[PreparedTemplate]:
    """Templates in a seeded order in which neighbours differ in kind, so that a small quota covers all
    kinds.
    """
    kinds: dict[tuple[str, str], list[PreparedTemplate]] = {}
    for asked in rng.sample(pool, len(pool)):
        kind = (asked.template.subtype, ".".join(asked.template.id.split(".")[:-1]))
        kinds.setdefault(kind, []).append(asked)
    rows = zip_longest(*kinds.values())
    return [asked for row in rows for asked in row if asked is not None]
