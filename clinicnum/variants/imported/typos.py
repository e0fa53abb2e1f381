"""Typing errors in ordinary long words of an imported item, and their removal.

Only words of the list are misspelt: eight letters or more, none of them decisive for a question, and no slip
of one is another word. So a text with slips can be restored letter by letter.
"""

import random
import re

from clinicnum.variants.typo import SHARE, slips_of, with_slips

WORDS = (
    *("according", "appropriate", "commonly", "condition", "currently", "department", "describes"),
    *("emergency", "examination", "following", "frequently", "hospital", "management", "medication"),
    *("physician", "recommended", "statement", "suddenly", "temperature", "therefore", "treatment"),
)
_WORD = re.compile(rf"\b(?:{'|'.join(f'[{word[0].upper()}{word[0]}]{word[1:]}' for word in WORDS)})\b")
_WORD_OF = {slip: word for word in WORDS for slip in slips_of(word)}
_SLIP = re.compile(r"\b[A-Za-z][a-z]+\b")


def misspelt_text(text: str, rng: random.Random, *, share: float = SHARE) -> str:
    """The text with a typing error in one of its listed words, and in each other with chance `share`."""
    return with_slips(text, rng, share, _WORD)


def without_slips(text: str) -> str:
    """The text with the listed words spelt correctly."""

    def spelt(match: re.Match[str]) -> str:
        word = _WORD_OF.get(match[0].lower())
        return match[0] if word is None else match[0][0] + word[1:]

    return _SLIP.sub(spelt, text)
