"""Whether the options of an item may be reordered, judged by its text alone.

They may not if one of them speaks of others or of their places ("all of the above", "A and C", "none of
these"), if the question names options by letter or place or lists them itself, or if letters are part of the
options. Where in doubt they keep their order: one item fewer costs less than a wrong gold.
"""

import re
from collections.abc import Sequence

from clinicnum.prompt import option_letter

REFERS = "an option may refer to others or to their places"
NAMES_OPTIONS = "the question names options by letter or place"
LISTS_OPTIONS = "the question lists the options with letters itself"
HAS_LETTERS = "letters are part of the options"

_KIND = (
    r"(?:options?|choices?|answers?|alternatives?|responses?|antwort(?:en)?|réponses?|respuestas?|risposte?)"
)
_BY_PLACE = (
    r"(?:first|second|third|fourth|fifth|last|previous|preceding|above|other|remaining|these|those|all|both|"
    r"neither|correct|wrong)\s+(?:options?|answers?|choices|alternatives)"
)
_TRUE = (
    r"(?:\s+(?:is|are|may\s+be|can\s+be)\s+(?:all\s+)?(?:correct|true|right|possible|false|wrong|incorrect))?"
)

_OF_OTHERS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "None", "Both of them", "All are correct"
        rf"^\W*(?:all|none|any|both|neither|either)(?:\s+of\s+(?:it|these|those|them))?{_TRUE}\W*$",
        # "none of these", "more than one of the following", "all of the statements"
        r"\b(?:all|none|any|both|neither|either|each|some|most|more|two|three|one)\b[^.;,]{0,20}"
        rf"\b(?:of|in)\s+(?:these|those|them|the\s+(?:\w+\s+)?(?:above|following|others?|statements?|{_KIND}))\b",
        # "all the above", "as above", "the above mentioned", but not "above the knee"
        r"\b(?:all|none|both|any|neither|as|the|of)\s+(?:above|foregoing|preceding)\b(?!-|\s+(?:the|an?|\d))",
        rf"\b{_BY_PLACE}\b",
        # German, French, Spanish, Italian, Portuguese, Chinese, Japanese
        r"\b(?:alle|keine|beide|nichts)\b.{0,20}\b(?:genannten?|davon|antworten?|aussagen?|oben\w*|vorigen)\b",
        r"\b(?:alle|keine|beide)\W*$",
        r"\b(?:toutes?|tous|aucune?)\b.{0,12}\b(?:réponses?|propositions?|ci-dessus|précédent\w*)",
        r"\b(?:tod[ao]s|ningun[ao]|tutt[ei]|nessun[ao]|nenhum[ao])\b.{0,14}"
        r"\b(?:anterior\w*|respuestas?|risposte|precedenti|respostas?|acima)\b",
        r"以上|上述|上記|均正确|都正确|都不对|いずれも",
    )
]
_ROMAN = r"(?:[ivx]{1,4}|\d{1,2})"
_AND = r"&|\band\b|\bor\b|\bnor\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b"
_JOINED = rf"(?i:\s*(?:,|/|\+|-|–|\bto\b|{_AND})\s*)+"
_LISTED = rf"(?:\s*(?:,\s|{_AND})\s*)+"
_NUMBERS = re.compile(
    rf"^\W*(?:both\s+|only\s+)?\(?({_ROMAN})\)?(?:{_LISTED}\(?({_ROMAN})\)?)+{_TRUE}(?:\s+only)?\W*$",
    re.IGNORECASE,
)


def why_fixed(options: Sequence[str], question: str, context: str = "") -> str | None:
    """Why the options have to keep their order; None if any order asks the same.

    Example:
        >>> why_fixed(["18 gauge", "20 gauge"], "Which cannula?")
        >>> why_fixed(["insulin", "none of the above"], "Which hormone?")
        'an option may refer to others or to their places'
    """
    letters = "".join(option_letter(place) for place in range(len(options)))
    asked = f"{context}\n{question}"
    if _hold_letters(options, letters):
        return HAS_LETTERS
    if _lists(question):
        return LISTS_OPTIONS
    if _names_options(asked, letters):
        return NAMES_OPTIONS
    if any(_refers(option, letters, asked) for option in options):
        return REFERS
    return None


def _hold_letters(options: Sequence[str], letters: str) -> bool:
    """Whether an option is a letter that stands for a place, or all begin with their own."""
    alone = any(re.fullmatch(rf"\W*[{letters}]\W*", option) for option in options)
    return alone or all(
        re.match(rf"\s*\(?{letter}\s*[.):\]]", option)
        for letter, option in zip(letters, options, strict=True)
    )


def _lists(text: str) -> bool:
    """Whether a text has the marks of both option A and option B."""
    return all(re.search(rf"(?:^|[\s(]){letter}\s?[.):](?:\s|$)", text) for letter in "AB")


def _names_options(text: str, letters: str) -> bool:
    by_letter = rf"\b(?i:{_KIND})\s+\(?[{letters}]\)?(?![\w'’-])"
    return any(re.search(one, text) for one in (by_letter, rf"(?i:\b{_BY_PLACE}\b)"))


def _refers(option: str, letters: str, asked: str) -> bool:
    letter = rf"\(?[{letters}]\)?"
    by_letter = (
        rf"\W*(?i:(?:both|either|neither|only|{_KIND})\s+)*{letter}(?:{_JOINED}{letter})*"
        rf"(?i:{_TRUE})(?i:\s+only)?\W*",
        rf".*\b(?i:except|but|only|not|same\s+as)\s+(?i:for\s+)?(?i:{_KIND}\s+)?{letter}\W*",
        rf".*\b(?i:{_KIND})\s+{letter}(?![\w'’-]).*",
    )
    if any(re.fullmatch(pattern, option, re.DOTALL) for pattern in by_letter):
        return True
    if any(pattern.search(option) for pattern in _OF_OTHERS):
        return True
    numbers = _NUMBERS.match(option)
    return numbers is not None and not all(_is_listed(one, asked) for one in numbers.groups())


def _is_listed(number: str, asked: str) -> bool:
    """Whether the question has a statement of this number, so that an option that names it means that."""
    return re.search(rf"(?:^|[\s(]){number}\s?[.):]", asked, re.IGNORECASE) is not None
