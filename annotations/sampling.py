"""Which generations a study draws, with the stratum and the inclusion probability of each.

Answers to base questions are drawn. A benchmark has many times more variants of them: answers to variants are
drawn only if a number of them is requested, separately, in strata of their own.

By default every failure is drawn, and enough scored-correct generations to make up 15 % of the study: without
them the scorer's sensitivity and specificity cannot be known. A group that is not taken whole is drawn by
systematic sampling over the list sorted by stratum, in random order within each stratum (by the seed): each
stratum is represented in proportion, and each of the N has the same probability n/N, none of them zero.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from typing import Literal, get_args

from clinicnum.annotations.study_seed import Seed
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id

Include = Literal["mixed", "incorrect", "all"]
INCLUDES: tuple[Include, ...] = get_args(Include)
CORRECT_SHARE = 0.15


@dataclass(frozen=True, slots=True)
class Candidate:
    """A generation that can be drawn."""

    generation_id: str
    operation: str
    representation: str
    correct: bool
    """Whether the generation is right by the automatic score."""
    variant: bool = False
    """Whether the generation answers a variant, and is drawn separately from those to base questions."""

    @property
    def stratum(self) -> str:
        """`operation/representation/correct` or `.../failure`; `.../variant/failure` for a variant."""
        apart = "variant/" if self.variant else ""
        return f"{self.operation}/{self.representation}/{apart}{'correct' if self.correct else 'failure'}"


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
        raise InputError(f"--include {include!r} does not exist; expected {' or '.join(INCLUDES)}")
    candidates = list(candidates)
    base = [candidate for candidate in candidates if not candidate.variant]
    apart = [candidate for candidate in candidates if candidate.variant]
    _check_failures(base, apart, variants, invalidated)
    share = correct_share if include == "mixed" else 0.0
    drawn = _draw(base, include, size, share, seed)
    if variants:
        drawn += _draw(apart, include, variants, share, seed)
    return tuple(sorted(drawn, key=lambda item: (item.stratum, item.generation_id)))


def _check_failures(base: list[Candidate], apart: list[Candidate], variants: int, invalidated: int) -> None:
    """Raise InputError if no generation that can be drawn is a failure."""
    open_to = [*base, *apart] if variants else base
    if any(not candidate.correct for candidate in open_to):
        return
    hidden = (
        ""
        if variants or not apart
        else f" ({len(apart)} answers are to variants; draw them with --variants N)"
    )
    gone = (
        f" ({invalidated} more are left out: upheld contests invalidated their instances)"
        if invalidated
        else ""
    )
    raise InputError(
        f"none of the {len(open_to)} generations is a failure, so there is nothing to label{hidden}{gone}; "
        "give runs that went wrong somewhere"
    )


def _draw(
    candidates: list[Candidate], include: Include, size: int | None, share: float, seed: Seed
) -> list[SampledGeneration]:
    """Draw according to `include`, failures and generations scored correct separately."""
    if include == "all":
        return _systematic(candidates, min(size or len(candidates), len(candidates)), seed)
    failures = [candidate for candidate in candidates if not candidate.correct]
    right = [candidate for candidate in candidates if candidate.correct]
    wrong_n = len(failures) if size is None else min(len(failures), max(1, round(size * (1 - share))))
    right_n = correct_wanted(wrong_n, len(right), share) if size is None else size - wrong_n
    return _systematic(failures, wrong_n, seed) + _systematic(
        right, min(right_n, len(right)) if share else 0, seed
    )


def correct_wanted(failures: int, available: int, share: float = CORRECT_SHARE) -> int:
    """How many generations scored correct are needed for that share, given the number of failures.

    At least one, if any is available.
    """
    if share == 0:
        return 0
    return min(available, max(1, round(failures * share / (1 - share))))


def _systematic(candidates: list[Candidate], n: int, seed: Seed) -> list[SampledGeneration]:
    """Systematic sample of n from N at positions floor((start + i) N / n), with a start in [0, 1)
    drawn by the seed.
    """
    if n == 0:
        return []
    ordered = sorted(
        candidates,
        key=lambda item: (item.stratum, content_id(["sample", seed, item.generation_id])),
    )
    step = len(ordered) / n
    start = int(content_id(["start", seed]), 16) / 16**16
    places = [min(floor((start + index) * step), len(ordered) - 1) for index in range(n)]
    return [
        SampledGeneration(ordered[at].generation_id, ordered[at].stratum, n / len(ordered)) for at in places
    ]
