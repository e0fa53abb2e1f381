"""Who annotates which generation next: assignment rules, determined by a seed.

The order of a study is fixed when it opens: training items first, in the order they are given, then all
others shuffled by the seed, control items among them. It is cut into blocks. An annotator who asks for work
gets an item from the first block that still has a place for them; within a block, each annotator has an order
of their own. Generations thus reach their k annotators before many new ones are started, a place that becomes
free goes to the next annotator who asks, and no two annotators see the same sequence.

Items of one group ask the same question of the same records: once an annotator has seen the reference of one,
they no longer judge the others blind. So an annotator is first offered items of groups that are new to them.
An item of another group is left to those to whom it is new, as long as there are enough of them for all free
places of its group; until then the annotator goes on to the next blocks. If nothing else is left within reach
(`LOOK_AHEAD`), they get it all the same. Of several items of a group on offer the first in the order comes
first, so that the blind judgements of a group fall on the same items and can be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_seed import Seed
from clinicnum.annotations.types import Round
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id

BLOCK = 20
REPEAT_GAP = 20
"""Minimum number of items between a judgement and its blind repeat, so that the first is forgotten."""
LOOK_AHEAD = 5 * BLOCK
"""How many items with a free place are looked at before an annotator gets one that is left to others."""


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """A generation at its position in a study."""

    generation_id: str
    round: Round
    position: int
    """Main and control items count up from 0; training items have negative positions."""
    places: int
    """How many annotators are to judge the generation."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An item that could be assigned to an annotator."""

    generation: str
    position: int
    group: str = ""
    """Shared by items that ask the same question of the same records; empty: nothing is known of it."""
    known: bool = False
    """Whether the annotator has seen the reference of another item of the group."""
    left: bool = False
    """Whether it is left to others: see `left_to_others`."""


def left_to_others(*, known: bool, free: int, fresh: int) -> bool:
    """Whether an annotator who knows the reference of a group of items leaves these to others.

    `free` is the number of free places on all items of the group, `fresh` the number of other annotators who
    have not begun any of them: each of these can take one of the places and still judge blind.
    """
    return known and free <= fresh


def place_items(
    drawn: Sequence[str],
    *,
    training: Sequence[str] = (),
    controls: Sequence[str] = (),
    annotators: int,
    overlap: int,
    seed: Seed,
) -> tuple[PlacedItem, ...]:
    """The items of a study in order of position; the order of `drawn` and `controls` does not matter.

    Raises InputError for an overlap below 1 or above the number of annotators, and for a generation that is
    named twice.
    """
    _check_overlap(overlap, annotators)
    named = [*drawn, *training, *controls]
    if len(set(named)) < len(named):
        twice = min(one for one in named if named.count(one) > 1)
        raise InputError("generation {generation!r} is named twice; expected each once", generation=twice)
    kinds: dict[str, tuple[Round, int]] = {one: ("main", overlap) for one in drawn}
    kinds.update({one: ("control", annotators) for one in controls})
    shuffled = sorted(kinds, key=lambda one: content_id(["generation", seed, one]))
    before = [
        PlacedItem(one, "training", place - len(training), annotators) for place, one in enumerate(training)
    ]
    return (*before, *(PlacedItem(one, *_at(kinds[one], place)) for place, one in enumerate(shuffled)))


def _check_overlap(overlap: int, annotators: int) -> None:
    if overlap < 1:
        raise InputError("{overlap} people are to label each answer; expected 1 or more", overlap=overlap)
    if annotators == 0:
        raise InputError("nobody is chosen to label; expected 1 person or more: choose who labels")
    if overlap > annotators == 1:
        raise InputError(
            "{overlap} people are to label each answer, but only 1 is chosen: choose more people, or "
            "let 1 label each answer",
            overlap=overlap,
        )
    if overlap > annotators:
        raise InputError(
            "{overlap} people are to label each answer, but only {annotators} are chosen: choose more "
            "people, or let at most {annotators} label each answer",
            overlap=overlap,
            annotators=annotators,
        )


def _at(kind: tuple[Round, int], position: int) -> tuple[Round, int, int]:
    return kind[0], position, kind[1]


def block_end(position: int) -> int:
    """The first position after the block that contains `position`; training is a block of its own."""
    return 0 if position < 0 else (position // BLOCK + 1) * BLOCK


def order_offers(offers: Sequence[Offer], *, annotator: str, seed: Seed) -> tuple[Offer, ...]:
    """The offers of one block, best first: training in its order, all others in the annotator's own order.

    The block is the first with an item that is not left to others, or else the first of all. Later items of a
    group come after its first; items of groups whose reference the annotator knows come last.
    """
    ordered = sorted(offers, key=lambda one: one.position)
    training = tuple(one for one in ordered if one.position < 0)
    if training or not ordered:
        return training
    open_to = [one for one in ordered if not one.left] or ordered
    end = block_end(open_to[0].position)
    block = [one for one in open_to if one.position < end]
    firsts = {one.group: one.position for one in reversed(block) if one.group}

    def rank(one: Offer) -> tuple[bool, bool, str]:
        later = firsts.get(one.group, one.position) < one.position
        return one.known, later, content_id(["order", seed, annotator, one.generation])

    return tuple(sorted(block, key=rank))


def repeat_from(*, claimed: int, annotator: str, seed: Seed, share: float) -> int | None:
    """The index, among the annotator's own assignments, from which to look for one to repeat blindly.

    None if the next item is no repeat. `claimed` is how many assignments the annotator has been given,
    `share` the chance that an item is a repeat.
    """
    old_enough = claimed - REPEAT_GAP
    if old_enough <= 0 or _chance("repeat", seed, annotator, claimed) >= share:
        return None
    return int(_chance("which", seed, annotator, claimed) * old_enough)


def _chance(*parts: object) -> float:
    return int(content_id(list(parts)), 16) / 16**16


def share_of_work(design: Design, *, drawn: int, training: int, controls: int, annotators: int) -> int:
    """Items per annotator if the work is shared evenly, blind repeats included; progress is measured against
    it.

    `drawn`, `training` and `controls` are numbers of items.
    """
    main = ceil(drawn * design.overlap / annotators)
    once = main + controls
    return training + once + round(max(0, training + once - REPEAT_GAP) * design.repeat_share)


def shows_suggestion(policy: str, *, generation: str, seed: Seed, judged: bool) -> bool:
    """Whether an annotator may see an item's suggestions now; `judged`: whether they have judged it.

    With the policy `randomised`, a random half of the items shows them.
    """
    if policy == "shown":
        return True
    if policy == "randomised":
        return _chance("suggestion", seed, generation) < 0.5
    return policy == "after_judgement" and judged
