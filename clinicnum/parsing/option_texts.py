"""Compare the texts of options with an answer."""

import re

_NO_BLANKS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
"""Characters of scripts without spaces between words."""
_PLURAL = re.compile(r"(?<=[a-z]{3}[a-rt-z])s\b")
_SPACES = re.compile(r"[\s*_`\"'()\[\]$]+")


def plain_text(text: str) -> str:
    """Normalise `text`: lower case, no markup, single blanks, no plural "s", no punctuation at the ends."""
    return _PLURAL.sub("", _SPACES.sub(" ", text).strip(" .,;:!-–").lower())


def within(option: str, said: str) -> bool:
    """Whether the option occurs in the text as separate words: "10" does not in "110", "10.5" or "10 = 2"."""
    if _NO_BLANKS.search(option):
        return option in said
    return (
        re.search(rf"(?<![\w.,-]){re.escape(option)}(?![\w%]|[.,:-][0-9]|(?<=[0-9])\s?=)", said) is not None
    )
