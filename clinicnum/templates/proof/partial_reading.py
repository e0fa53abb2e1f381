"""The unambiguous parts of a wording that the grammar cannot read as a whole: vital signs and their limits.

Only certain contradictions are reported: none of the vital signs named is in the rule, or a limit on a vital
sign is in the rule with one part changed: the vital sign, the comparator or the number.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.proof.grammar import Meaning, Parse, TooManyReadings
from clinicnum.templates.proof.meaning_differences import COMPARED, parts
from clinicnum.templates.proof.normal_form import ContradictionError
from clinicnum.templates.proof.tokenize_wording import words_of
from clinicnum.templates.proof.wording_meaning import MOST_BRACKETS, MOST_WORDS, expanded, grammar


class Limit(NamedTuple):
    """A comparison of a vital sign with a number."""

    vital: str
    comparator: str
    number: Fraction

    def __str__(self) -> str:
        label = VITAL_SIGNS[self.vital].label  # type: ignore[index]  # the grammar knows these vitals alone
        return f"{label} {COMPARED[self.comparator]} {float(self.number):g}"


def find_contradiction(wording: str, labels: tuple[str, ...], rule: Meaning) -> str | None:
    """A certain contradiction between a wording and the meaning of its rule, in one line; None if there is
    none.
    """
    words = words_of(wording, labels)[:MOST_WORDS]
    named = {word[1:] for word in words if word[0] == "$" and word[1] != "&"}
    used = {part[1] for part in parts(rule) if part[0] == "vital"}
    if named and used and not named & used:
        return f"it names {_labels(named)}; the rule has {_labels(used)}"
    said, computed = set(_said(words)), set(_limits(rule))
    for limit in sorted(said - computed):
        for other in sorted(computed - said):
            if sum(a == b for a, b in zip(limit, other, strict=True)) == len(limit) - 1:
                return f"it says {limit}; the rule has {other}"
    return None


def _labels(vitals: set[str]) -> str:
    return ", ".join(sorted(VITAL_SIGNS[vital].label for vital in vitals))  # type: ignore[index]  # as above


def _said(words: tuple[str, ...]) -> Iterator[Limit]:
    if words.count("(") > MOST_BRACKETS:
        return
    parse = Parse(grammar(), words)
    for start in range(len(words)):
        try:
            found = parse.read("condition", start)
            # In `above 100 or ...`, `above 100` is read too: only the longest reading counts.
            longest = max((end for end, _ in found), default=0)
            for meaning in (meaning for end, meaning in found if end == longest):
                yield from _limits(expanded(meaning))
        except ContradictionError:
            continue
        except TooManyReadings:
            return


def _limits(meaning: Meaning) -> Iterator[Limit]:
    for part in parts(meaning):
        if part[0] in COMPARED and isinstance(part[2], Fraction) and part[1][0] == "vital":
            yield Limit(part[1][1], part[0], part[2])
