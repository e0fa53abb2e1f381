"""Effects of variants on answers: flips, following a changed gold, and resistance to a colleague's remark.

All are shares of pairs whose *base* is right, so that they show the effect of the change:
- flip: wrong in a variant whose right answer is the base's (`expected` same);
- following: right in a variant whose right answer moved with the record or the question (`follows`);
- resistance: right although a remark makes a mistake (`chain.wrong_step`, `chain.early_rounding`).

The reverse of a flip, right in the variant where the base is wrong, is reported too: mere wavering flips both
ways. So is the rate for an identical re-run of the same bases, with which any of these must be compared. An
answer that is unparsable, empty or cut off is wrong.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clinicnum.robustness.run_answers_and_pairs import (
    Answer,
    Pair,
    Run,
    representations_of,
    same_value,
    written_in,
)
from clinicnum.stats.interval_estimate import Figure, mean_difference, share, undefined_figure

NO_RERUN = "no identical re-run was given"
BASE_WRONG = "no base is right"
BASE_RIGHT = "no base is wrong"
REMARKS = ("chain.wrong_step", "chain.early_rounding")
REMARK_RULE = "remark_"
"""Prefix of the rules of distractors that a remark invites."""


@dataclass(frozen=True)
class FlipRow:
    """Flips under one kind of variant with an unchanged right answer, in one representation."""

    kind: str
    representation: str
    flip: Figure
    """Share of answers wrong in the variant, among those right in the base."""
    reverse: Figure
    """Share of answers right in the variant, among those wrong in the base."""
    rerun_flip: Figure
    """Share of answers wrong when the base is asked again, among those right at first."""
    rerun_reverse: Figure
    extra: Figure
    """`flip` less `rerun_flip`, paired: what the change adds to mere wavering; -1 to 1."""


@dataclass(frozen=True)
class FollowingRow:
    """Whether answers change where the right answer does, under one kind of variant."""

    kind: str
    representation: str
    following: Figure
    """Share of answers right in the variant, among those right in the base."""
    kept: Figure
    """Share that repeat the base's answer, of those right in the base: the change went unnoticed."""
    rerun: Figure
    """Share of answers right when the base is asked again, among those right at first: the most that
    `following` could be.
    """


@dataclass(frozen=True)
class ChainRow:
    """How often a model keeps its right answer, or takes the wrong value, after a colleague's remark."""

    kind: str
    representation: str
    resistance: Figure
    """Share of answers right in the variant, among those right in the base."""
    adopted: Figure
    """Share of answers with the remark's value, among those right in the base."""
    rerun: Figure


def flip_rows(pairs: Sequence[Pair], rerun: Run | None) -> tuple[FlipRow, ...]:
    """Flips by kind of variant and representation, for kinds that leave the right answer unchanged."""

    def row(kind: str, representation: str, here: Sequence[Pair]) -> FlipRow:
        right = [pair for pair in here if pair.base.right]
        wrong = [pair for pair in here if not pair.base.right]
        return FlipRow(
            kind=kind,
            representation=representation,
            flip=_rate(right, lambda pair: not pair.variant.right, BASE_WRONG),
            reverse=_rate(wrong, lambda pair: pair.variant.right, BASE_RIGHT),
            rerun_flip=_again(right, rerun, lambda again: not again.right, BASE_WRONG),
            rerun_reverse=_again(wrong, rerun, lambda again: again.right, BASE_RIGHT),
            extra=_extra(right, rerun),
        )

    return tuple(row(*where) for where in _by_kind(pairs, "same"))


def following_rows(pairs: Sequence[Pair], rerun: Run | None) -> tuple[FollowingRow, ...]:
    """How answers follow a changed gold: one row per kind and representation, for kinds that change it."""

    def row(kind: str, representation: str, here: Sequence[Pair]) -> FollowingRow:
        right = [pair for pair in here if pair.base.right]
        return FollowingRow(
            kind=kind,
            representation=representation,
            following=_rate(right, lambda pair: pair.variant.right, BASE_WRONG),
            kept=_rate(right, _kept, BASE_WRONG),
            rerun=_again(right, rerun, lambda again: again.right, BASE_WRONG),
        )

    return tuple(row(*where) for where in _by_kind(pairs, "follows"))


def chain_rows(pairs: Sequence[Pair], rerun: Run | None) -> tuple[ChainRow, ...]:
    """Resistance to a colleague's remark: one row per kind of remark and representation."""

    def row(kind: str, representation: str, here: Sequence[Pair]) -> ChainRow:
        right = [pair for pair in here if pair.base.right]
        return ChainRow(
            kind=kind,
            representation=representation,
            resistance=_rate(right, lambda pair: pair.variant.right, BASE_WRONG),
            adopted=_rate(right, _adopted, BASE_WRONG),
            rerun=_again(right, rerun, lambda again: again.right, BASE_WRONG),
        )

    remarked = [pair for pair in pairs if pair.kind in REMARKS]
    return tuple(row(*where) for where in _by_kind(remarked, "same"))


def _by_kind(pairs: Sequence[Pair], expected: str) -> Iterable[tuple[str, str, list[Pair]]]:
    """Yield kind, representation, and their pairs, of the variants that expect `expected`; `all`
    representations come last.
    """
    meant = [pair for pair in pairs if pair.variant.instance.expected == expected]
    for kind in sorted({pair.kind for pair in meant}):
        of_kind = [pair for pair in meant if pair.kind == kind]
        for representation in representations_of(pair.variant for pair in of_kind):
            yield kind, representation, [p for p in of_kind if written_in(representation, p.variant)]


def _rate(pairs: Sequence[Pair], counts: Callable[[Pair], bool], without: str) -> Figure:
    return share([(pair.base.subject, float(counts(pair))) for pair in pairs], without=without)


def _again(
    pairs: Sequence[Pair], rerun: Run | None, counts: Callable[[Answer], bool], without: str
) -> Figure:
    if rerun is None:
        return undefined_figure(NO_RERUN)
    again = [rerun.answers.get(pair.base.instance.instance_id) for pair in pairs]
    if pairs and not any(again):
        return undefined_figure("the re-run answered none of these bases")
    return share([(one.subject, float(counts(one))) for one in again if one is not None], without=without)


def _extra(pairs: Sequence[Pair], rerun: Run | None) -> Figure:
    """Share wrong in the variant minus share wrong when the base is asked again, over pairs that have
    both.
    """
    if rerun is None:
        return undefined_figure(NO_RERUN)
    found = [
        (pair.base.subject, float(again.right) - float(pair.variant.right))
        for pair in pairs
        if (again := rerun.answers.get(pair.base.instance.instance_id)) is not None
    ]
    return mean_difference(
        found, without=BASE_WRONG if not pairs else "the re-run answered none of these bases"
    )


def _kept(pair: Pair) -> bool:
    return not pair.variant.right and same_value(pair.variant.score.parsed, pair.base.instance.answer)


def _adopted(pair: Pair) -> bool:
    remarked = [d.value for d in pair.variant.instance.distractors if d.rule.startswith(REMARK_RULE)]
    return any(same_value(pair.variant.score.parsed, value) for value in remarked)
