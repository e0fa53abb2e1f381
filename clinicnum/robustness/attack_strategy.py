"""An attack on rightly answered items: choose which variant to ask next, until one is answered wrongly.

The static attack asks the first K variants of every item, in the order of the benchmark. The adaptive one has
the same budget, K per item, and prefers kinds that have broken other items (Thompson sampling, seeded).

It is never worse than the static one on the same budget: only budget saved on items that break early may be
spent on variants that the static attack would not ask. The rest is reserved for those that it would, so that
every unbroken item has been asked them all. With a deterministic model, the adaptive attack breaks every item
that the static one breaks.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal

from clinicnum.errors import InputError
from clinicnum.types import Instance

Order = Literal["adaptive", "static"]
PER_ROUND = 64
"""Number of items asked per round; their results guide the next round."""


def candidates_of(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    """Base id -> the variants that the attack may ask, in the order of the benchmark.

    Left out are variants that are flagged as not discriminating (V7), or whose base is, and those that call
    for abstaining.
    """
    found: dict[str, list[Instance]] = {
        one.instance_id: [] for one in instances if one.variant is None and not one.flags
    }
    for one in instances:
        if one.base_id in found and one.expected != "abstains" and not one.flags:
            found[one.base_id].append(one)
    return {base: variants for base, variants in found.items() if variants}


@dataclass
class Item:
    """A rightly answered base question, with the variants asked of it and still to ask."""

    left: list[Instance]
    """Variants that may still be asked."""
    reserved: set[str]
    """Ids of those that the static attack asks."""
    asked: list[Instance] = field(default_factory=list)
    broken_by: Instance | None = None


class Attack:
    """Chooses variants round by round; the same seed and answers give the same choices."""

    def __init__(
        self,
        candidates: Mapping[str, Sequence[Instance]],
        *,
        budget: int,
        order: Order = "adaptive",
        seed: int = 0,
        per_round: int = PER_ROUND,
    ) -> None:
        """`candidates`: id of each rightly answered base -> its variants; `budget`: variants per item.

        Raises InputError for a budget or a round of less than one.
        """
        for name, value in (("budget", budget), ("items a round", per_round)):
            if value < 1:
                raise InputError("{name} is {value}; expected at least 1", name=name, value=value)
        self.items = {
            base: Item(
                left=list(variants if order == "adaptive" else variants[:budget]),
                reserved={one.instance_id for one in variants[:budget]},
            )
            for base, variants in candidates.items()
        }
        self.budget, self.order, self.seed = budget, order, seed
        self._left = sum(len(item.reserved) for item in self.items.values())
        self._per_round = per_round
        self._rounds = 0
        self._broke: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    @property
    def asked(self) -> list[Instance]:
        """All variants asked, item by item."""
        return [one for item in self.items.values() for one in item.asked]

    def next_round(self) -> dict[str, Instance]:
        """Base id -> variant to ask next; empty when the attack has ended. Ask all, then call `learn`."""
        rng = random.Random(f"{self.seed}:{self._rounds}")  # noqa: S311  reproducible, not secret
        self._rounds += 1
        whole = [(base, item) for base, item in self.items.items() if item.broken_by is None]
        free = self._left - sum(len(item.reserved) for _, item in whole)
        whole = sorted(rng.sample(whole, len(whole)), key=lambda pair: len(pair[1].asked))
        chosen: dict[str, Instance] = {}
        for base, item in whole:
            if len(chosen) == self._per_round:
                break
            pool = item.left if free > 0 else [v for v in item.left if v.instance_id in item.reserved]
            if not pool:
                continue
            one = pool[0] if self.order == "static" else self._likeliest(pool, rng)
            chosen[base] = one
            free -= one.instance_id not in item.reserved
            item.reserved.discard(one.instance_id)
            item.left = [other for other in item.left if other is not one]
            item.asked.append(one)
        self._left -= len(chosen)
        return chosen

    def learn(self, broken: Mapping[str, bool | None]) -> None:
        """Record, by base id, whether the variant asked was answered wrongly; None where it got no answer."""
        for base, wrong in broken.items():
            item = self.items[base]
            if wrong is None:
                continue
            if wrong:
                item.broken_by = item.asked[-1]
            (self._broke if wrong else self._held).update(kinds_of(item.asked[-1]))

    def _likeliest(self, pool: Sequence[Instance], rng: random.Random) -> Instance:
        """The variant that breaks the item with the highest chance, by one draw of each kind's share.

        A variant of two kinds holds if neither breaks: what one has shown counts for both.
        """
        drawn = {
            kind: rng.betavariate(1 + self._broke[kind], 1 + self._held[kind])
            for kind in sorted({kind for one in pool for kind in kinds_of(one)})
        }
        return min(pool, key=lambda one: prod(1 - drawn[kind] for kind in kinds_of(one)))


def kinds_of(variant: Instance) -> list[str]:
    """The kinds that a variant combines."""
    return (variant.variant or "").split("+")
