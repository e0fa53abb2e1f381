"""The sex of the patient of an imported item, where the right answer does not depend on it.

As with the age, only for MedCalc-Bench's formulas of measured values. Every word that tells the sex is
changed; texts with words of both sexes, of relatives, or of what only one sex has are left alone.
"""

import re

from clinicnum.types import Instance
from clinicnum.variants.imported.patient_age import LIFE, NOT_A_FORMULA, has_formula, speaks_of_life

MALE = {
    **{"he": "she", "him": "her", "his": "her", "himself": "herself", "man": "woman", "male": "female"},
    **{"gentleman": "lady", "mr": "ms"},
}
"""Word of a man -> word of a woman."""
FEMALE = {
    "she": "he",
    "herself": "himself",
    "woman": "man",
    "female": "male",
    "lady": "gentleman",
    "ms": "mr",
}
"""The reverse; `her` may be his or him, so a text that has it stays as it is."""
NOT_ONE_SEX = "its text does not tell of one sex alone, in words that can be turned"
BOUND = "its text speaks of what goes with a sex, or of relatives"

_MARKS = {
    **{"he": "#s", "she": "#s", "him": "#o", "his": "#o", "her": "#o", "himself": "#f", "herself": "#f"},
    **{"man": "#n", "woman": "#n", "male": "#m", "female": "#m", "gentleman": "#g", "lady": "#g"},
    **{"mr": "#t", "ms": "#t"},
}
"""Placeholder for each word, to compare texts."""
_WORD = re.compile(r"\b[A-Za-z]+\b")
_OTHER_WORDS = frozenset(
    (
        "hers",
        "men",
        "women",
        "males",
        "females",
        "boy",
        "boys",
        "girl",
        "girls",
        "mrs",
        "miss",
        "guy",
        "m",
        "f",
    )
)
"""Words of a sex that are not swapped."""
_BOUND = re.compile(
    r"\b(?:prostat\w*|testi[cs]\w*|penis|penile|scrot\w*|erecti\w*|circumcis\w*|vasectom\w*|semen|sperm\w*|uter\w*"
    r"|ovar\w*|polycystic|psa|hirsut\w*|lactating|menses|\w*menorrh\w*|vagin\w*|cervi\w*|vulv\w*|breast\w*|mamm\w*|mastect\w*|menstru\w*|menarche|gyn\w*|obstet\w*|hysterect\w*"
    r"|contracept\w*|estrogen\w*|testosterone|wife|husband|spouse|mother|father|parents?|son|daughter|brother"
    r"|sister|siblings?|aunt|uncle|grand\w+|girlfriend|boyfriend|\w+wife|\w+(?:s|ice|ire|work|hair|er)(?:wo)?m[ae]n|gender|sex\w*)\b",
    re.IGNORECASE,
)


def sex_of(item: Instance) -> str:
    """`male` or `female`, if the text has words of that sex alone; empty if of neither or both, or if it has
    other words of a sex, such as `boy`.
    """
    words = {word.lower() for word in _WORD.findall(item.context)}
    male, female = bool(words & MALE.keys()), bool(words & {*FEMALE, "her"})
    if male == female or words & _OTHER_WORDS:
        return ""
    return "male" if male else "female"


def why_sex_counts(item: Instance) -> str | None:
    """Why the stated sex of an item must stay; None if a change leaves the right answer as it is."""
    if not has_formula(item):
        return NOT_A_FORMULA
    text = f"{item.context}\n{item.question}"
    if _BOUND.search(_without_own_words(text)):
        return BOUND
    if speaks_of_life(text):
        return LIFE
    told = {word.lower() for word in _WORD.findall(item.question)} & _MARKS.keys()
    return NOT_ONE_SEX if told or not sex_of(item) else None


def with_other_sex(item: Instance) -> str | None:
    """The text with every word of a sex swapped; None if one is ambiguous, such as "her"."""
    turned = MALE if sex_of(item) == "male" else FEMALE
    if turned is FEMALE and re.search(r"\bher\b", item.context, re.IGNORECASE):
        return None
    return _replaced(item.context, turned)


def without_sex(text: str) -> str:
    """The text with every word of a sex replaced by a placeholder."""
    return _replaced(text, _MARKS)


def _without_own_words(text: str) -> str:
    return _replaced(text, dict.fromkeys(_MARKS, ""))


def _replaced(text: str, by: dict[str, str]) -> str:
    def word(match: re.Match[str]) -> str:
        found = by.get(match[0].lower())
        if found is None:
            return match[0]
        return found.capitalize() if match[0][0].isupper() else found

    return _WORD.sub(word, text)
