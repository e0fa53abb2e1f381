"""Find an option named at a sentence's end ("the next step is D) Reassure the mother.")."""

import re
from collections.abc import Sequence

from clinicnum.parsing import option_verdict_words as words
from clinicnum.parsing.option_texts import plain_text

_IS = re.compile(
    r"\b(?:is|would be)(?: called)?(?P<space>:?\s{1,3})[*_(\[]{0,3}(?P<letter>[A-J])[).:\]][*_]{0,2} "
    r"(?P<said>[^\n]{1,300})"
)
_STOP = re.compile(r"[.!?\n]")
_BEFORE = 200
"""Characters before the verb in which the sentence's beginning is looked for."""
_THE_ANSWER = re.compile(r"\bthe\b", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"\b(?:if|unless|least|unlikely|except|one of|alternative|distractor"
    r"|(?:first|second|third|fourth|last|next|other) (?:option|choice|answer|possibility))\b",
    re.IGNORECASE,
)


def concluded_option(text: str, options: Sequence[str]) -> str | None:
    """The letter of the option named at the end of sentences "the ... is" by its letter and text.

    None if there is no such sentence, or if they name different options. Sentences that deny, call wrong or
    set a condition do not count.
    """
    found = {match["letter"] for match in _IS.finditer(text) if _ends_in_option(text, match, options)}
    return found.pop() if len(found) == 1 else None


def _ends_in_option(text: str, match: re.Match[str], options: Sequence[str]) -> bool:
    before = _STOP.split(text[max(0, match.start() - _BEFORE) : match.start()])[-1]
    place = ord(match["letter"]) - ord("A")
    if place >= len(options) or not _THE_ANSWER.search(before) or _NO_ANSWER.search(before):
        return False
    if any(pattern.search(before) for pattern in (words.DENIES, words.WRONG, words.RULES_OUT)):
        return False
    if "\n" in match["space"] and text[match.end() :].strip():
        return False  # a list below a heading, of which this is the first option
    option, said = plain_text(options[place]), plain_text(match["said"])
    return bool(option) and (said == option or said.startswith((f"{option}. ", f"{option}! ")))
