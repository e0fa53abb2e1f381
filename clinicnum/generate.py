"""Records and templates in, instances out. Pure: the same input and seed give the same instances in order.

Every operation gets its quota, its templates take turns, and each template walks the contexts, stratified,
from a place of its own. A candidate that breaks a rule is dropped in all representations and counted by rule.
Of each template at least half of what is taken discriminates (is free of V7 flags).
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import gcd

from clinicnum.jsonl import content_id
from clinicnum.questions import (
    Asked,
    NotAskedError,
    Question,
    RejectedError,
    Shown,
    ask,
    fillings,
    instances,
)
from clinicnum.records.loaded import Context, Scope
from clinicnum.records.sampling import stratified_order
from clinicnum.templates.bank import bank_sha256
from clinicnum.templates.template import ASKABLE, Template
from clinicnum.types import OPERATIONS, Instance, Operation, RepresentationName

MIN_RECORDS = 2
"""With one record there is nothing to choose from."""
KEPT_CONTEXTS = 20_000
"""Rendered contexts kept for reuse; bounds memory, never changes a result."""


@dataclass
class Counts:
    """What generation did; complete when the instances are exhausted."""

    groups: Counter[str] = field(default_factory=Counter)
    """Questions taken, by operation."""
    templates: Counter[str] = field(default_factory=Counter)
    """Questions taken, by template."""
    flagged: Counter[str] = field(default_factory=Counter)
    """Flagged questions taken, by template."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Candidates dropped, by rule; in all representations alike."""


@dataclass(frozen=True)
class Benchmark:
    """Instances to be drawn once, and the counts that their drawing fills."""

    benchmark_id: str
    instances: Iterator[Instance]
    counts: Counts


def generate(
    *,
    contexts: Sequence[Context],
    templates: Sequence[Template],
    representations: Sequence[RepresentationName],
    quotas: Mapping[Operation, int],
    seed: int,
    scope: Scope = "stay",
    max_records: int | None = None,
    decimals: Mapping[str, int] | None = None,
) -> Benchmark:
    """Build a benchmark.

    `quotas`: questions per operation, each asked once in every representation. `decimals`: asked decimals by
    template id where they differ from the template's. Which questions are taken does not depend on
    `representations`.
    """
    askable = sorted((t for t in templates if t.status in ASKABLE), key=lambda t: t.id)
    asked = [Asked.of(t, (decimals or {}).get(t.id)) for t in askable]
    bank = bank_sha256(a.template for a in asked)
    records = _records_sha256(contexts)
    benchmark_id = content_id([bank, records, sorted(quotas.items()), seed, scope, max_records])
    counts = Counts()
    source = _Source(contexts, seed, max_records, counts)

    def draw() -> Iterator[Instance]:
        for operation in OPERATIONS:
            pool = [a for a in asked if a.template.operation == operation]
            for question, wording in _questions(pool, quotas.get(operation, 0), source):
                yield from instances(
                    question,
                    wording=wording,
                    representations=representations,
                    benchmark_id=benchmark_id,
                    scope=scope,
                )

    return Benchmark(benchmark_id, draw(), counts)


def _questions(pool: Sequence[Asked], quota: int, source: "_Source") -> Iterator[tuple[Question, int]]:
    """Up to `quota` questions, the templates taking turns in a seeded order."""
    rng = source.rng("order", *(a.template.id for a in pool))
    turns = [(a.template, source.discriminating(a)) for a in _mixed(pool, rng)]
    taken = 0
    while turns and taken < quota:
        for turn in list(turns):
            template, stream = turn
            question = next(stream, None) if taken < quota else None
            if question is None:
                turns.remove(turn)
                continue
            taken += 1
            source.counts.groups[template.operation] += 1
            source.counts.templates[template.id] += 1
            source.counts.flagged[template.id] += bool(question.flags)
            yield question, rng.randrange(len(template.wording))


def _mixed(pool: Sequence[Asked], rng: random.Random) -> list[Asked]:
    """A seeded order in which neighbours ask different kinds of thing: a small quota spans them all."""
    kinds: dict[tuple[str, str], list[Asked]] = {}
    for asked in rng.sample(pool, len(pool)):
        kind = (asked.template.subtype, ".".join(asked.template.id.split(".")[:-1]))
        kinds.setdefault(kind, []).append(asked)
    rows = zip_longest(*kinds.values())
    return [asked for row in rows for asked in row if asked is not None]


def _records_sha256(contexts: Sequence[Context]) -> str:
    digest = hashlib.sha256()
    for context in contexts:
        for record in context:
            digest.update(record.model_dump_json().encode())
        digest.update(b"\n")
    return digest.hexdigest()


class _Source:
    """The contexts with what is rendered of them, and each template's walk over them."""

    def __init__(
        self, contexts: Sequence[Context], seed: int, max_records: int | None, counts: Counts
    ) -> None:
        self._contexts = contexts
        self._seed = seed
        self._max = max_records
        self._order = stratified_order(contexts, f"{seed}:contexts")
        self._shown: dict[tuple[int, tuple[int, ...]], Shown] = {}
        self.counts = counts

    def rng(self, *names: str) -> random.Random:
        """Randomness of its own for each purpose, so that one draw never shifts another."""
        return random.Random(":".join([str(self._seed), *names]))  # noqa: S311  reproducible, not secret

    def discriminating(self, asked: Asked) -> Iterator[Question]:
        """A template's valid questions; at every point at most half of them are flagged."""
        plain, flagged = 0, 0
        waiting: list[Question] = []
        for question in self._valid(asked):
            if not question.flags:
                plain += 1
                yield question
            else:
                waiting.append(question)
            if waiting and flagged < plain:
                flagged += 1
                yield waiting.pop(0)
            # What waits is bounded: more can never be used than plain ones come.
            del waiting[1000:]

    def _valid(self, asked: Asked) -> Iterator[Question]:
        """First one question of every context, then a second of each, and so on."""
        template = asked.template
        # One order for all templates, entered at different places: questions come to share contexts.
        start = self.rng("start", template.id).randrange(max(1, len(self._order)))
        order = self._order[start:] + self._order[:start]
        ways_by_size: dict[int, list[dict[str, int | str]]] = {}
        turn = 0
        while order:
            left = []
            for index in order:
                shown = self._show(index, template)
                if shown is None:
                    continue
                size = len(shown.records)
                ways = ways_by_size.setdefault(size, fillings(template, size))
                if turn >= len(ways):
                    continue
                left.append(index)
                place = self._scattered(turn, len(ways), f"{template.id}:{index}")
                try:
                    yield ask(asked, shown, ways[place])
                except RejectedError as rejection:
                    self.counts.rejected[str(rejection)] += 1
                except NotAskedError:
                    continue
            order, turn = left, turn + 1

    def _scattered(self, turn: int, size: int, name: str) -> int:
        """The place that comes at `turn` in a seeded order of `size` places, without making that order."""
        rng = self.rng(name)
        start, step = rng.randrange(size), rng.randrange(size) + 1
        while gcd(step, size) != 1:
            step = rng.randrange(size) + 1
        return (start + turn * step) % size

    def _show(self, index: int, template: Template) -> Shown | None:
        """The context's records that document all the template needs; None if too few or too many."""
        context = self._contexts[index]
        needs = template.vitals
        kept = tuple(
            i for i, record in enumerate(context) if all(getattr(record, v) is not None for v in needs)
        )
        if len(kept) < MIN_RECORDS or (self._max is not None and len(kept) > self._max):
            return None
        if (index, kept) not in self._shown:
            if len(self._shown) >= KEPT_CONTEXTS:
                self._shown.clear()
            self._shown[index, kept] = Shown.of([context[i] for i in kept], self._seed)
        return self._shown[index, kept]
