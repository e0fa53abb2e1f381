"""Passages of other patients, as a search in the records might return them: made-up, and marked as such.

They are drawn from synthetic patients, so that no patient's values come into a context of another.
"""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache

from clinicnum.records.synthetic import synthetic
from clinicnum.representations.style_options import BASE, Style
from clinicnum.types import Record
from clinicnum.variants.record_line import values_text
from clinicnum.variants.variant_draft import NotApplicableError

MARK = "Another patient (not this one), "
"""How each passage begins."""
RULE = "What is said of another patient does not count."
"""Sentence on the passages in a question."""
RETRIEVED = 4
LENGTHS = (1000, 4000)
"""Numbers of words to pad a context to."""
_SEED, _STAYS = 7_319, 400
"""Of the patients: no benchmark's are likely to be made with this seed."""


def with_passages(
    text: str,
    rng: random.Random,
    *,
    words: int | None = None,
    style: Style = BASE,
    usable: Callable[[str], bool] = lambda _: True,
) -> str:
    """The text with passages around it, half before and half after.

    Their number is RETRIEVED, or as many as bring the text to `words` words. Raises NotApplicableError if it
    is so long already, or too few passages are `usable`.
    """
    found: list[str] = []
    have = len(text.split())
    if words is not None and have >= words:
        raise NotApplicableError(f"the text has {words} words already")
    for line in filter(usable, _lines(rng, style)):
        if (len(found) >= RETRIEVED) if words is None else (have >= words):
            break
        found.append(line)
        have += len(line.split())
    else:
        raise NotApplicableError("too few passages of other patients fit")
    half = len(found) // 2
    return "\n".join([*found[:half], *([text] if text else []), *found[half:]])


def without_passages(text: str) -> str:
    """The text without the lines of passages."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(MARK))


def _lines(rng: random.Random, style: Style) -> Iterator[str]:
    """All passages in the order of `rng.sample`, but only as many are drawn and worded as are taken."""
    left = list(range(len(_records())))
    while left:
        place = rng.randrange(len(left))
        drawn, left[place] = left[place], left[-1]
        left.pop()
        yield _passage(drawn, style)


@lru_cache(maxsize=8192)
def _passage(number: int, style: Style) -> str:
    return f"{MARK}{values_text(_records()[number], style)}."


@lru_cache
def _records() -> tuple[Record, ...]:
    return tuple(one for one in synthetic(seed=_SEED, stays=_STAYS).records if _documented(one))


def _documented(record: Record) -> bool:
    return record.heart_rate_bpm is not None and record.sbp_mmhg is not None
