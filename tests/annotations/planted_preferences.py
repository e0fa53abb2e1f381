"""Comparisons from planted strengths, in which the annotators of an item lean the same way."""

import numpy as np

from clinicnum.annotations.pairwise.bradley_terry import Comparison, Outcome

STRENGTHS = {"apt": 0.6, "bold": 0.1, "calm": -0.7}
POSITION, TIE = 0.3, -0.4
_OUTCOMES: tuple[Outcome, ...] = ("left", "right", "both_alike")


def planted(seed: int, *, items: int = 60, annotators: int = 3, together: float = 0.5) -> list[Comparison]:
    """`annotators` comparisons of each of `items` items, whose pairs are drawn in turn.

    With probability `together` an annotator shares the item's own draw, so that judgements of an item are
    alike; over items each outcome has its chance by the model. Two items share a subject.
    """
    rng = np.random.default_rng(seed)
    names = sorted(STRENGTHS)
    pairs = [(one, other) for one in names for other in names if one < other]
    found = []
    for item in range(items):
        pair = pairs[item % len(pairs)]
        shared = rng.random()
        for _ in range(annotators):
            # The shared draw is read as for or against the pair's first model, whichever side it is on.
            first_left = bool(rng.random() < 0.5)
            left, right = pair if first_left else pair[::-1]
            drawn = shared if rng.random() < together else rng.random()
            odds = np.exp(
                [
                    STRENGTHS[left] + POSITION / 2,
                    STRENGTHS[right] - POSITION / 2,
                    TIE + (STRENGTHS[left] + STRENGTHS[right]) / 2,
                ]
            )
            order = (0, 2, 1) if first_left else (1, 2, 0)
            place = int(np.searchsorted(np.cumsum(odds[list(order)] / odds.sum()), drawn))
            found.append(Comparison(f"s{item // 2}", left, right, _OUTCOMES[order[min(place, 2)]]))
    return found
