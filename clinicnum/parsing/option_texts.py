"""Compare the texts of options with an answer."""

import re
from collections.abc import Sequence

from clinicnum.translatable_text import Translatable

AND_MORE = Translatable("the text of an option and more")
"""The reason for not reading a text that chooses an option and goes on to another thing."""
_NO_BLANKS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
"""Characters of scripts without spaces between words."""
_PLURAL = re.compile(r"(?<=[a-z]{3}[a-rt-z])s\b")
_ITEM = re.compile(r"\s*\(?(?P<number>[1-9])[.)]\s?(?=[^\W\d])")
_SPACES = re.compile(r"[\s*_`\"'()\[\]$]+")


def plain_text(text: str) -> str:
    """Normalise `text`: lower case, no markup, single blanks, no plural "s", no punctuation at the ends."""
    return _PLURAL.sub("", _SPACES.sub(" ", text).strip(" .,;:!-–").lower())


def places_of(text: str, options: Sequence[str]) -> list[int]:
    """The indexes of the options of which `text` is the whole text, also after its number: "2.Sepsis"."""
    said, item = plain_text(text), _ITEM.match(text)
    own = int(item["number"]) - 1 if item else None
    rest = plain_text(text[item.end() :]) if item else None
    plain = [plain_text(option) for option in options]
    return [place for place, one in enumerate(plain) if one == said or (place == own and one == rest)]


def within(option: str, said: str) -> bool:
    """Whether the option occurs in the text as separate words: "10" does not in "110", "10.5" or "10 = 2"."""
    if _NO_BLANKS.search(option):
        return option in said
    return (
        re.search(rf"(?<![\w.,-]){re.escape(option)}(?![\w%]|[.,:-][0-9]|(?<=[0-9])\s?=)", said) is not None
    )
