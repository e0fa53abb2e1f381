"""Infer the option that a text implies without naming it: by yes or no, by declining, or by its number."""

import re
from collections.abc import Sequence

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.answer_sentences import sentences_of
from clinicnum.parsing.option_texts import plain_text
from clinicnum.parsing.option_verdict_words import DENIES
from clinicnum.parsing.question_overlap import share_said

_PAIRS = ({"true", "false"}, {"yes", "no"})
_AFFIRMS = ("true", "yes")
_SAID = re.compile(r"(?:^|:)[\s*_#>-]*(yes|no|true|false)\b[*_]{0,2}[,.;:!]", re.IGNORECASE)
_ASKS_WHETHER = re.compile(
    r"(?:^|[.?!\n:,]\s*)(?P<asks>(?:is|are|was|were|does|do|did|can|could|has|have|will|would)\b[^?\n]*)\?\W*\Z",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:if|whether|need|must|should|may|might|could|would|assum\w+|suppos\w+|check|both|either|also"
    r"|true\s?(?:/|or)\s?false|yes\s?(?:/|or)\s?no)\b|\?",
    re.IGNORECASE,
)
"""Words of sentences that assert nothing."""
_MOST_SHARED = 0.5
"""Share of a question's words from which a sentence affirms or denies what is asked."""
_ARTICLE = re.compile(r"^(?:the|an?)\s", re.IGNORECASE)
_ADDITION = re.compile(r",\s|\s\(")
_NUMBER = re.compile(r"\W*([1-9])\W*")


def shortened(options: Sequence[str]) -> tuple[str, ...]:
    """The options without articles and additions ("Amy Meyer, the clerk"); empty if these are ambiguous, very
    short or unchanged.
    """
    short = tuple(_ARTICLE.sub("", _ADDITION.split(option)[0]).strip() for option in options)
    plain = [plain_text(one) for one in short]
    apart = all(one not in other for one in plain for other in plain if one is not other)
    fit = apart and len(set(plain)) == len(plain) and all(len(one) > 4 for one in plain)
    return short if fit and list(short) != list(options) else ()


def implied_option(text: str, options: Sequence[str], asked: str, *, declines: bool) -> str | None:
    """The letter of the option that a text implies; None if none. `declines`: whether it abstains."""
    place = _by_verdict(text, options, asked) if not declines else _by_declining(text, options)
    if place is None:
        place = _by_number(text, options)
    return None if place is None else chr(ord("A") + place)


def _by_declining(text: str, options: Sequence[str]) -> int | None:
    """The only option that says that the question cannot be answered, if the end of the text declines."""
    declining = [place for place, option in enumerate(options) if option and abstains(option)]
    ends = any(abstains(one) for one in sentences_of(text)[-2:])
    return declining[0] if len(declining) == 1 and ends else None


def _by_verdict(text: str, options: Sequence[str], asked: str) -> int | None:
    """The one of two options, true and false or yes and no, that the text comes to."""
    plain = [option.strip(" .").lower() for option in options]
    whether = _ASKS_WHETHER.search(asked)
    if set(plain) not in _PAIRS or not whether:
        return None
    sentences = sentences_of(text)
    said = {match[1].lower() in _AFFIRMS for one in sentences for match in _SAID.finditer(one)}
    if not said and sentences:
        last = sentences[-1]
        if not (len(sentences) == 1 or patterns.CONCLUDES.search(last)) or _MAY.search(last):
            return None
        if share_said(last, f"What {whether['asks']}") >= _MOST_SHARED:
            said = {DENIES.search(last) is None}
    if len(said) != 1:
        return None
    affirmed = said.pop()
    return next(place for place, option in enumerate(plain) if (option in _AFFIRMS) is affirmed)


def _by_number(text: str, options: Sequence[str]) -> int | None:
    """The option whose number is the whole text, if no option holds digits itself."""
    number = _NUMBER.fullmatch(text)
    if number is None or not all(options) or any(map(str.isdigit, "".join(options))):
        return None
    place = int(number[1]) - 1
    return place if place < len(options) else None
