"""The candidates of each template in a block of contexts: which questions are tried, and in which order."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd

from clinicnum.questions.ask_question import (
    NotAskedError,
    PreparedTemplate,
    Question,
    RejectedError,
    RenderedRecords,
    ask,
    fillings,
)
from clinicnum.questions.givens import draw_givens
from clinicnum.records.loaded_records import Context
from clinicnum.records.stratified_context_order import stratified_order
from clinicnum.representations.note_frames import Frame
from clinicnum.templates.template import Template
from clinicnum.types import SIX_VITALS, Record, Vital

MIN_RECORDS = 2
"""Fewest records; with one there is no choice."""
KEPT_CONTEXTS = 20_000
"""Rendered contexts kept for reuse; bounds memory, never changes a result."""
WAITING = 1_000
"""Flagged questions kept until enough discriminating ones are found."""


@dataclass
class BlockCandidates:
    """The candidate questions on one block of contexts, whose renderings are cached."""

    contexts: Sequence[Context]
    seed: int
    block: int
    max_records: int | None
    frames: Sequence[Frame]
    rejected: Counter[str]
    """Rule -> candidates dropped."""
    _shown: dict[tuple[int, frozenset[Vital], bool], RenderedRecords | None] = field(default_factory=dict)
    _kept: dict[tuple[int, tuple[int, ...], bool], RenderedRecords] = field(default_factory=dict)
    _lacking: dict[int, list[frozenset[Vital]]] = field(default_factory=dict)
    """For each context and record, the vitals that are not documented."""
    _order: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw the order of contexts that all templates share, each starting at another position."""
        self._order = stratified_order(self.contexts, f"{self.seed}:{self.block}:contexts")

    def rng(self, *names: str) -> random.Random:
        """A random generator seeded by `names`, so that draws for one purpose never shift those for
        another.
        """
        return random.Random(":".join([str(self.seed), str(self.block), *names]))  # noqa: S311  reproducible

    def discriminating(self, asked: PreparedTemplate) -> Iterator[Question]:
        """Yield a template's valid questions; at any point at most half are flagged as not discriminating
        (V7).
        """
        return at_most_half_flagged(self._valid(asked))

    def _valid(self, asked: PreparedTemplate) -> Iterator[Question]:
        for outcome in self.tried(asked):
            if isinstance(outcome, Question):
                yield outcome
            elif isinstance(outcome, RejectedError):
                self.rejected[str(outcome)] += 1

    def tried(self, asked: PreparedTemplate) -> Iterator[Question | RejectedError | NotAskedError]:
        """Yield the outcome of each candidate: first one of every context, then a second of each, and
        so on.
        """
        template = asked.template
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
                if size not in ways_by_size:
                    ways_by_size[size] = fillings(template, size)
                ways = ways_by_size[size]
                if turn >= len(ways):
                    continue
                left.append(index)
                place = scattered(turn, len(ways), f"{template.id}:{shown.key}")
                outcome: Question | RejectedError | NotAskedError
                try:
                    outcome = self._ask(asked, shown, ways[place], place)
                except (RejectedError, NotAskedError) as reason:
                    outcome = reason
                yield outcome
            order, turn = left, turn + 1

    def _ask(
        self, asked: PreparedTemplate, shown: RenderedRecords, filling: dict[str, int | str], place: int
    ) -> Question:
        if not asked.template.givens:
            return ask(asked, shown, filling)
        values = draw_givens(asked.template, shown.records, f"{asked.template.id}:{shown.key}:{place}")
        if values is None:
            raise NotAskedError(asked.template.id)
        return ask(asked, shown, filling, values)

    def _show(self, index: int, template: Template) -> RenderedRecords | None:
        """The records to show, which document everything needed; None if too few, too many or of
        several stays.
        """
        if template.within_a_stay and len({record.stay_id for record in self.contexts[index]}) > 1:
            return None
        needs = template.vitals
        # A user's note may state another weight or age than the givens: no frames for templates with givens.
        framed = bool(self.frames) and not template.givens
        if (index, needs, framed) in self._shown:
            return self._shown[index, needs, framed]
        context = self.contexts[index]
        lacking = self._lacking.get(index)
        if lacking is None:
            lacking = self._lacking[index] = [_undocumented(record) for record in context]
        kept = tuple([i for i, absent in enumerate(lacking) if absent.isdisjoint(needs)])
        if len(kept) < MIN_RECORDS or (self.max_records is not None and len(kept) > self.max_records):
            shown = None
        elif (index, kept, framed) in self._kept:  # Same records for other needs: same context.
            shown = self._kept[index, kept, framed]
        else:
            shown = RenderedRecords.of([context[i] for i in kept], self.seed, self.frames if framed else ())
        if len(self._shown) >= KEPT_CONTEXTS:
            self._shown.clear()
            self._kept.clear()
        self._shown[index, needs, framed] = shown
        if shown is not None:
            self._kept[index, kept, framed] = shown
        return shown


def at_most_half_flagged(questions: Iterable[Question]) -> Iterator[Question]:
    """Yield unflagged questions at once, and after each at most one flagged (V7); up to WAITING flagged ones
    wait, more are dropped.
    """
    plain, flagged = 0, 0
    waiting: list[Question] = []
    for question in questions:
        if question.discriminates:
            plain += 1
            yield question
        elif len(waiting) < WAITING:
            waiting.append(question)
        if waiting and flagged < plain:
            flagged += 1
            yield waiting.pop(0)


def _undocumented(record: Record) -> frozenset[Vital]:
    values = record.__dict__
    return frozenset([vital for vital in SIX_VITALS if values[vital] is None])


def scattered(turn: int, size: int, name: str) -> int:
    """Element `turn` of a random permutation of range(`size`) seeded by `name`, found without building it."""
    if size == 1:
        return 0
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
    start, step = seed % size, (seed >> 32) % size + 1
    while gcd(step, size) != 1:
        step += 1
    return (start + turn * step) % size
