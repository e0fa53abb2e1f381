"""Compact letter display: names that share a letter could not be told apart.

The algorithm is insert and absorb (Piepho, J Comput Graph Stat 2004;13:456-466): begin with one letter for
all; for each pair that differs, split every letter that both have; drop a letter whose names another has.
"""

from collections.abc import Collection, Sequence
from string import ascii_lowercase


def compact_letters(names: Sequence[str], differ: Collection[frozenset[str]]) -> dict[str, str]:
    """Name -> its letters, `a` for the first names. `differ` holds the pairs that were told apart."""
    groups: list[frozenset[str]] = [frozenset(names)]
    for pair in sorted(differ, key=sorted):
        split = [group - {one} for group in groups if pair <= group for one in sorted(pair)]
        groups = _absorbed([*(group for group in groups if not pair <= group), *split])
    order = {name: place for place, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(order[one] for one in group))
    return {
        name: "".join(_letter(place) for place, group in enumerate(groups) if name in group) for name in names
    }


def _absorbed(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    distinct = list(dict.fromkeys(groups))
    return [one for one in distinct if not any(one < other for other in distinct)]


def _letter(place: int) -> str:
    """`a` to `z`, then `(aa)`, `(ab)` and so on, in brackets so that two letters in a row are not read as one
    of these.
    """
    high, low = divmod(place, len(ascii_lowercase))
    return (f"({ascii_lowercase[high - 1]}" if high else "") + ascii_lowercase[low] + (")" if high else "")
