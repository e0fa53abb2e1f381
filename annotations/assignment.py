"""Who annotates which generation, and in which order; computed once, when a study opens.

Each generation goes to exactly k annotators and no two annotators' loads differ by more than one. Among
equally loaded annotators those who have shared the fewest generations are put together, so that every pair
overlaps.

The order: generations are shuffled by the seed and cut into blocks; all annotators work through the blocks in
the same order, each in an order of their own within a block. Generations are thus filled to k annotators
before many new ones are opened, and no two annotators see the same sequence.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clinicnum.errors import InputError
from clinicnum.jsonl import content_id

BLOCK = 20


@dataclass(frozen=True, slots=True)
class Assigned:
    """One duty: the `position`-th generation, from 0, of an annotator."""

    generation_id: str
    annotator: str
    position: int


def assign(
    generation_ids: Sequence[str], annotators: Sequence[str], *, overlap: int, seed: int
) -> tuple[Assigned, ...]:
    """Give each generation to `overlap` annotators; sorted by annotator and position.

    The order of the arguments does not matter. Raises InputError for an overlap below 1 or above the number
    of annotators, and for a generation or annotator named twice.
    """
    if not 1 <= overlap <= len(annotators):
        raise InputError(
            f"overlap {overlap} with {len(annotators)} annotators; expected 1 to the number of annotators: "
            "name more annotators or lower --overlap"
        )
    for what, names in (("generation", generation_ids), ("annotator", annotators)):
        if len(set(names)) < len(names):
            twice = min(name for name, count in Counter(names).items() if count > 1)
            raise InputError(f"{what} {twice!r} is named twice; expected each once")
    shuffled = sorted(generation_ids, key=lambda item: content_id(["generation", seed, item]))
    panels = _panels(shuffled, sorted(annotators), overlap, seed)
    return tuple(
        Assigned(generation_id, annotator, position)
        for annotator in sorted(annotators)
        for position, generation_id in enumerate(_order(annotator, shuffled, panels, seed))
    )


def _panels(
    generation_ids: Sequence[str], annotators: Sequence[str], overlap: int, seed: int
) -> dict[str, frozenset[str]]:
    """The annotators of each generation, by least load, then fewest shared, then the seed."""
    loads: Counter[str] = Counter()
    shared: Counter[frozenset[str]] = Counter()
    panels: dict[str, frozenset[str]] = {}
    for generation_id in generation_ids:
        chance = {name: content_id(["panel", seed, generation_id, name]) for name in annotators}
        panel: list[str] = []
        for _ in range(overlap):
            chosen = min(
                (name for name in annotators if name not in panel),
                key=lambda name: (
                    loads[name],
                    sum(shared[frozenset((name, other))] for other in panel),
                    chance[name],
                ),
            )
            shared.update(frozenset((chosen, other)) for other in panel)
            panel.append(chosen)
        loads.update(panel)
        panels[generation_id] = frozenset(panel)
    return panels


def _order(
    annotator: str, shuffled: Sequence[str], panels: dict[str, frozenset[str]], seed: int
) -> list[str]:
    """An annotator's own generations, block after block, each block in this annotator's order."""
    place = {generation_id: index // BLOCK for index, generation_id in enumerate(shuffled)}
    own = [generation_id for generation_id in shuffled if annotator in panels[generation_id]]
    return sorted(own, key=lambda item: (place[item], content_id(["order", seed, annotator, item])))
