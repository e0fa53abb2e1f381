"""Results of an attack: the share of rightly answered items that it broke, by kind and by budget spent."""

from collections.abc import Mapping
from dataclasses import dataclass

from clinicnum.robustness.attack_strategy import Attack, Order
from clinicnum.stats.interval_estimate import Figure, share

NO_ITEM = "no item with variants was answered rightly"


@dataclass(frozen=True)
class KindBroken:
    """How often a kind of variant, or several joined by `+`, broke an item when asked."""

    kind: str
    broken: Figure
    """Share of those asked that were answered wrongly; the adaptive attack's are no random sample."""
    n_broken: int


@dataclass(frozen=True)
class AttackFigures:
    """The figures of one attack on one model."""

    order: Order
    budget: int
    seed: int
    n_items: int
    """Rightly answered items that have variants."""
    n_asked: int
    """Variants asked."""
    broken: Figure
    """Share of the items of which a variant was answered wrongly."""
    by_budget: Mapping[int, Figure]
    """Variants asked per item -> share of items broken by then."""
    kinds: tuple[KindBroken, ...]


def attack_figures(attack: Attack) -> AttackFigures:
    """The figures of an attack so far; intervals are over subjects."""
    items = list(attack.items.values())
    subjects = [(item.left + item.asked)[0].subject_id for item in items]
    most = max((len(item.asked) for item in items), default=0)

    def broken_within(asked: int) -> Figure:
        values = [
            (subject, float(item.broken_by is not None and len(item.asked) <= asked))
            for subject, item in zip(subjects, items, strict=True)
        ]
        return share(values, without=NO_ITEM, bootstrap=False)

    by_kind: dict[str, list[tuple[str, float]]] = {}
    for item in items:
        for one in item.asked:
            by_kind.setdefault(one.variant or "", []).append((one.subject_id, float(one is item.broken_by)))
    rows = [
        KindBroken(kind, share(values, bootstrap=False), int(sum(value for _, value in values)))
        for kind, values in by_kind.items()
    ]
    return AttackFigures(
        order=attack.order,
        budget=attack.budget,
        seed=attack.seed,
        n_items=len(items),
        n_asked=len(attack.asked),
        broken=broken_within(most),
        by_budget={asked: broken_within(asked) for asked in range(1, most + 1)},
        kinds=tuple(sorted(rows, key=lambda row: (-row.n_broken, -(row.broken.value or 0), row.kind))),
    )
