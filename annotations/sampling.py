"""Which generations a study draws, with the stratum and the inclusion probability of each.

Answers to base questions are drawn. A benchmark has many times more variants of them: answers to variants are
drawn only if a number of them is requested, separately, in strata of their own; within a stratum each kind of
variant gets its share.

By default every failure is drawn, and enough scored-correct generations to make up 15 % of the study: without
them the scorer's sensitivity and specificity cannot be known. A group that is not taken whole is drawn by
systematic sampling over the list sorted by stratum and, within it, by run, in random order within each run
(by the seed): each stratum and each run in it is represented in proportion, and each of the N has the same
probability n/N, none of them zero.

Answers to one question, whatever the representation, model or variant, share a gold (`group_id`), and whoever
has seen it with one of them no longer judges the others blind. So the sample spreads over questions as far as
the probabilities allow. Think of the random start as a point on a circle of length 1: each place of the list
is drawn if the point falls on the place's arc, whose length is n/N. Within each run the order is chosen
so that arcs of one question overlap as little as possible, also with its arcs in other strata and in a sample
drawn beside this one. The order depends on the seed but not on the start, so each answer keeps its
probability. Where the probabilities of a question's answers add up to more than 1, as where all failures are
drawn, some of them must be drawn together.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import floor, inf
from typing import Literal, get_args

from clinicnum.annotations.study_seed import Seed
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable

Include = Literal["mixed", "incorrect", "all"]
INCLUDES: tuple[Include, ...] = get_args(Include)
CORRECT_SHARE = 0.15
_LOOK = 32
"""Candidates tried for each place of the list, so that time is linear in its length."""
_Arcs = dict[str, list[tuple[float, float]]]
"""Question -> (begin, length) of the arcs of its answers."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A generation that can be drawn."""

    generation_id: str
    operation: str
    representation: str
    correct: bool
    """Whether the generation is right by the automatic score."""
    variant: str = ""
    """Name of the generation's variant, drawn in strata of its own; empty: a base question."""
    group_id: str = ""
    """Group of generations that share a gold. Empty: a group of its own."""
    pair: str = ""
    """For the first answer of a pair: its two runs, drawn in proportion; empty: not paired."""
    run_id: str = ""
    """Each run gets its share of a stratum."""

    @property
    def stratum(self) -> str:
        """`operation/representation/correct`, `.../failure`, `.../pair`; `.../variant/...` for a variant."""
        apart = "variant/" if self.variant else ""
        kind = "pair" if self.pair else "correct" if self.correct else "failure"
        return f"{self.operation}/{self.representation}/{apart}{kind}"


@dataclass(frozen=True, slots=True)
class SampledGeneration:
    """A generation drawn for annotation."""

    generation_id: str
    stratum: str
    inclusion_probability: float


def draw_sample(
    candidates: Iterable[Candidate],
    *,
    include: Include,
    seed: Seed,
    size: int | None = None,
    correct_share: float = CORRECT_SHARE,
    variants: int = 0,
    invalidated: int = 0,
) -> tuple[SampledGeneration, ...]:
    """Draw the generations of a study, sorted by stratum and id.

    `incorrect` takes failures and nothing else, `all` takes everything, `mixed` takes failures and enough
    scored-correct ones to make up `correct_share`. With a `size` that many are drawn in all (fewer if there
    are no more), failures and scored-correct ones each by systematic sampling over the strata. `variants`
    answers to variants are drawn beside them in the same way. Raises InputError if there is no failure to
    label; its message names the number of candidates that were left out beforehand as `invalidated`.
    """
    if include not in INCLUDES:
        raise InputError(
            "{include!r} is no choice of answers to draw; expected {includes}",
            on_command_line="--include",
            include=include,
            includes=" or ".join(INCLUDES),
        )
    candidates = list(candidates)
    base = [candidate for candidate in candidates if not candidate.variant]
    apart = [candidate for candidate in candidates if candidate.variant]
    _check_failures(base, apart, variants, invalidated)
    share = correct_share if include == "mixed" else 0.0
    arcs: _Arcs = {}
    drawn = _draw(base, include, size, share, seed, arcs)
    if variants:
        drawn += _draw(apart, include, variants, share, seed, arcs)
    return tuple(sorted(drawn, key=lambda item: (item.stratum, item.generation_id)))


def _check_failures(base: list[Candidate], apart: list[Candidate], variants: int, invalidated: int) -> None:
    """Raise InputError if no generation that can be drawn is a failure."""
    open_to = [*base, *apart] if variants else base
    if any(not candidate.correct for candidate in open_to):
        return
    hidden = (
        ""
        if variants or not apart
        else Translatable(
            " ({n} answers are to variants, which are drawn only if a number of them is asked for)",
            n=len(apart),
        )
    )
    gone = (
        Translatable(" ({n} more are left out: upheld contests invalidated their instances)", n=invalidated)
        if invalidated
        else ""
    )
    raise InputError(
        "none of the {n} generations is a failure, so there is nothing to label{hidden}{gone}; give runs "
        "that went wrong somewhere",
        on_command_line="--variants N" if hidden else "",
        n=len(open_to),
        hidden=hidden,
        gone=gone,
    )


def _draw(
    candidates: list[Candidate], include: Include, size: int | None, share: float, seed: Seed, arcs: _Arcs
) -> list[SampledGeneration]:
    """Draw according to `include`, failures and generations scored correct separately."""
    if include == "all":
        return _systematic(candidates, min(size or len(candidates), len(candidates)), seed, arcs)
    failures = [candidate for candidate in candidates if not candidate.correct]
    right = [candidate for candidate in candidates if candidate.correct]
    wrong_n = len(failures) if size is None else min(len(failures), max(1, round(size * (1 - share))))
    right_n = correct_wanted(wrong_n, len(right), share) if size is None else size - wrong_n
    return _systematic(failures, wrong_n, seed, arcs) + _systematic(
        right, min(right_n, len(right)) if share else 0, seed, arcs
    )


def correct_wanted(failures: int, available: int, share: float = CORRECT_SHARE) -> int:
    """How many generations scored correct are needed for that share, given the number of failures.

    At least one if any is available; none for a share of 0.
    """
    if share == 0:
        return 0
    return min(available, max(1, round(failures * share / (1 - share))))


def _systematic(candidates: list[Candidate], n: int, seed: Seed, arcs: _Arcs) -> list[SampledGeneration]:
    """Systematic sample of n from N at positions floor((start + i) N / n), with a start in [0, 1)
    drawn by the seed.
    """
    if n == 0:
        return []
    ordered = sorted(
        candidates,
        key=lambda item: (*_spread_over(item), content_id(["sample", seed, item.generation_id])),
    )
    if n < len(ordered):
        ordered = list(_spread(ordered, n, arcs))
    step = len(ordered) / n
    start = int(content_id(["start", seed]), 16) / 16**16
    places = [min(floor((start + index) * step), len(ordered) - 1) for index in range(n)]
    return [
        SampledGeneration(ordered[at].generation_id, ordered[at].stratum, n / len(ordered)) for at in places
    ]


def _spread_over(candidate: Candidate) -> tuple[str, str, str]:
    """The part of the list that gets its share of a sample."""
    return candidate.stratum, candidate.variant, candidate.pair or candidate.run_id


def _spread(ordered: list[Candidate], n: int, arcs: _Arcs) -> Iterator[Candidate]:
    """The candidates in an order, within each stratum, kind of variant and run, in which answers to one
    question are rarely drawn together; their arcs are added to `arcs`.
    """
    total, place = len(ordered), 0
    for _, stratum in groupby(ordered, key=_spread_over):
        waiting = list(stratum)[::-1]
        while waiting:
            arc = (place * n % total) / total, n / total
            chosen = waiting.pop(_least_shared(waiting, arc, arcs))
            if chosen.group_id:
                arcs.setdefault(chosen.group_id, []).append(arc)
            place += 1
            yield chosen


def _least_shared(waiting: list[Candidate], arc: tuple[float, float], arcs: _Arcs) -> int:
    """The index of the candidate, among the last ones, whose question's arcs share least with `arc`."""
    best, least = len(waiting) - 1, inf
    for at in range(len(waiting) - 1, max(-1, len(waiting) - 1 - _LOOK), -1):
        shared = sum(_shared(arc, other) for other in arcs.get(waiting[at].group_id, ()))
        if shared < least - 1e-9:
            best, least = at, shared
        if least < 1e-9:  # neighbouring arcs touch, up to rounding
            break
    return best


def _shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The length that two arcs of a circle of length 1 have in common."""
    (begin, length), (other_begin, other_length) = one, other
    ahead = (other_begin - begin) % 1.0
    return max(0.0, min(length - ahead, other_length)) + max(0.0, min(other_length - (1.0 - ahead), length))
