"""How often each model was preferred, pair by pair, and how often the answer on the left was chosen."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from clinicnum.annotations.pairwise.bradley_terry import SIDES, Comparison, Outcome
from clinicnum.stats.interval_estimate import Figure, share


@dataclass(frozen=True)
class PairPreferences:
    """The comparisons of two models."""

    one: str
    other: str
    """After `one` in the order of names."""
    items: int
    wins: int
    """Comparisons in which the answer of `one` was called better."""
    losses: int
    both_alike: int
    both_bad: int
    win_rate: Figure
    """Wins of `one` and half of the ties, of all comparisons; intervals are over subjects."""


def pair_preferences(comparisons: Sequence[tuple[str, Comparison]]) -> tuple[PairPreferences, ...]:
    """Every pair of compared models, in order of names, from (item, comparison)."""
    met: dict[tuple[str, str], list[tuple[str, Comparison]]] = defaultdict(list)
    for item, one in comparisons:
        met[min(one.left, one.right), max(one.left, one.right)].append((item, one))
    return tuple(_pair(*names, met[names]) for names in sorted(met))


def _pair(one: str, other: str, met: Sequence[tuple[str, Comparison]]) -> PairPreferences:
    said = Counter(_of(one, comparison) for _, comparison in met)
    worth: dict[Outcome | str, float] = {"win": 1.0, "loss": 0.0}
    return PairPreferences(
        one=one,
        other=other,
        items=len({item for item, _ in met}),
        wins=said["win"],
        losses=said["loss"],
        both_alike=said["both_alike"],
        both_bad=said["both_bad"],
        win_rate=share(
            [(comparison.subject, worth.get(_of(one, comparison), 0.5)) for _, comparison in met],
            bootstrap=False,
        ),
    )


def _of(model: str, comparison: Comparison) -> str:
    if comparison.outcome not in SIDES:
        return comparison.outcome
    return "win" if (comparison.outcome == "left") == (comparison.left == model) else "loss"


def left_share(comparisons: Sequence[Comparison]) -> Figure:
    """The share of choices that fell on the left answer; ties are no choice."""
    return share(
        [(one.subject, float(one.outcome == "left")) for one in comparisons if one.outcome in SIDES],
        without="no comparison in which one answer was called better",
        bootstrap=False,
    )
