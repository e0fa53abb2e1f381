"""Variants that reword the question: synonyms for its terms, and another order of its parts."""

import random
import re
from dataclasses import replace

from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

# Heart (pulse) and respiratory (breathing) rate: Encyclopedia of Health Care Management, Sage, "Vital signs".
# None of the words names another vital sign.
SYNONYMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("systolic blood pressure", ("systolic BP", "systolic pressure")),
    ("diastolic blood pressure", ("diastolic BP", "diastolic pressure")),
    ("blood pressure", ("BP",)),
    ("heart rate", ("pulse rate",)),
    ("heart rates", ("pulse rates",)),
    ("respiratory rate", ("breathing rate", "respiration rate")),
    ("respiratory rates", ("breathing rates", "respiration rates")),
    ("temperature", ("body temperature",)),
    ("oxygen saturation", ("blood oxygen saturation",)),
    ("recorded", ("documented", "charted")),
    ("measured", ("taken",)),
    ("compute", ("calculate", "work out")),
    ("report", ("state", "give")),
    ("at what time", ("when",)),
)
"""Term -> its synonym; the longest matching term is replaced, keeping a capital letter."""

_TERMS = dict(SYNONYMS)
_TERM = re.compile(rf"(?<!body )\b(?:{'|'.join(sorted(_TERMS, key=len, reverse=True))})\b", re.IGNORECASE)


def synonym(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with every known term of the question replaced, always by the same synonym.

    Raises NotApplicableError if the question has no known term.
    """
    chosen = {term: rng.choice(words) for term, words in SYNONYMS}

    def other(match: re.Match[str]) -> str:
        words = chosen[match[0].lower()]
        return words[0].upper() + words[1:] if match[0][0].isupper() else words

    core, changes = _TERM.subn(other, draft.words.core)
    if not changes:
        raise NotApplicableError("no term with a synonym")
    return replace(draft, words=replace(draft.words, core=core))


def restructure(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with the time first in the question, or the form of the answer first, or both."""
    time_first = _time_first(draft)
    ways = ["form"] if time_first is None else ["form", "time", "both"]
    way = rng.choice(ways)
    words = draft.words
    if way != "form" and time_first is not None:
        words = replace(words, core=time_first)
    return replace(draft, words=replace(words, form_first=way != "time"))


def _time_first(draft: VariantDraft) -> str | None:
    """The question with its one record named first; None if it names none, or several."""
    slots = draft.asked.template.record_slots
    if len(slots) != 1:
        return None
    time = draft.base.slots[slots[0]]
    before, found, after = draft.words.core.partition(f" at {time}")
    if not found or time in after:
        return None
    return f"For the record at {time}: {before[0].lower()}{before[1:]}{after}"
