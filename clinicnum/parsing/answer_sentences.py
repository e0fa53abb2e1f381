"""Select the sentences of a text that may state its answer, and detect a text that ends without one."""

import re
from collections.abc import Sequence

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.option_texts import plain_text
from clinicnum.parsing.question_overlap import share_said
from clinicnum.translatable_text import Translatable

_SPECIAL = re.compile(r"</?s>|<\|[a-z_]{1,30}\|>|<(?:eos|bos|pad|unk)>|\[/?ANSWER\]", re.IGNORECASE)
"""Special tokens of models, which are not text."""
_LIST_NUMBER = re.compile(r"^[ \t*_#>-]{0,9}[0-9]{1,2}[.)][ \t]+(?=[A-Z*][^0-9\n]{20})", re.MULTILINE)
"""The number of a list item."""
_TABLE_ROW = re.compile(r"^[ \t]*\|?([^|\n]+)\|([^|\n]+)\|?[ \t]*$", re.MULTILINE)
"""A row of a two-column table."""
_ASKS_BACK = re.compile(
    r"\b(?:once (?:I have|you)|if you (?:can |could )?(?:confirm|clarify|provide|share|tell)"
    r"|(?:could|can|would) you (?:please )?(?:confirm|clarify|provide|share|tell)"
    r"|please (?:confirm|clarify|provide))\b",
    re.IGNORECASE,
)
"""Sentences that ask for more information instead of answering."""
_TAKES_BACK = re.compile(
    r"[\s*_#>-]*(?:(?:but|oh|no|hmm),?\s)?(?:wait|hold on|actually|correction|oops|scratch that|sorry)\b",
    re.IGNORECASE,
)
"""Sentences that take back everything before them."""
_LETS = re.compile(
    r"[\s*_#>-]*(?:let'?s|let us) (?:calculate|compute|determine|find"
    r"|work)\b[^=0-9]*$",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"[=＝][^=＝≈0-9]*[^\W\d_][^=＝≈0-9]*\s[-+−×÷*/]\s[^=＝≈0-9]*\Z|^\W*[0-9]{1,2}[.)]\W*\Z"
)
"""Sentences that end in a formula without numbers, or are the number of a list item that is missing."""
SAID_WITHIN = 12
"""Maximum number of characters between a verb and its value."""
_ROUGHLY = re.compile(r"\b(?:about|approximately|around|exactly|roughly|equal to)\s", re.IGNORECASE)
_MOST_CHARACTERS = 10_000
_MOST_SENTENCES = 60
_LONGEST = 1_000
"""Characters of a sentence that are read, counted from its end."""
_ORDINAL = re.compile(
    r"\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty?-?)?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eight|eighth|ninth|tenth|eleventh|twelfth|[a-z]{3,6}teenth"
    r"|[a-z]{3,6}tieth|[0-9]+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_ASKED_AGAIN = 0.5
"""Share of the question's words from which a text ends in the question."""
_LOOP = 4
"""Times that a sentence may occur before the text counts as repeating itself."""


def sentences_of(text: str) -> list[str]:
    """The last sentences of a text, without those that have neither letters nor digits."""
    text = _SPECIAL.sub(" ", text[-_MOST_CHARACTERS:])
    text = _LIST_NUMBER.sub("", text)
    text = _TABLE_ROW.sub(r"\1: \2", text) if "|" in text else text
    parts = [part[-_LONGEST:] for part in patterns.SENTENCE_END.split(text) if part]
    return [part for part in parts if any(map(str.isalnum, part))][-_MOST_SENTENCES:]


def without_explanations(sentences: list[str], asked: str = "") -> list[str]:
    """Drop sentences that explain an answer or compare it with another value, unless none would be left."""
    return [one for one in sentences if not is_aside(one, asked.lower())] or sentences


def is_aside(sentence: str, asked: str) -> bool:
    """Whether a sentence explains an answer, or compares it with a value that `asked` (in lower case) does
    not name.
    """
    compares = patterns.COMPARES.match(sentence)
    if compares and compares["what"].lower() not in asked:
        return True
    if patterns.ABOUT_IT.search(sentence):
        return True
    return bool(patterns.EXPLAINS.match(sentence) or patterns.HYPOTHETICAL.match(sentence))


def joined(sentences: list[str]) -> list[str]:
    """Join the last sentence to a preceding one that ends in a colon: "The diagnosis is:" and "E) ..."."""
    if len(sentences) > 1 and sentences[-2].rstrip(" *_").endswith(":"):
        return [*sentences[:-2], f"{sentences[-2]} {sentences[-1]}"]
    return sentences


def after_correction(sentences: list[str]) -> list[str]:
    """The sentences from the last self-correction on, if they contain a digit; else all."""
    cues = [place for place, one in enumerate(sentences) if _TAKES_BACK.match(one)]
    later = sentences[cues[-1] :] if cues else sentences
    return later if any(map(str.isdigit, "".join(later))) else sentences


def is_formula(sentences: Sequence[str]) -> bool:
    """Whether the last of several sentences ends in a formula without numbers, or is a list number alone."""
    return len(sentences) > 1 and _FORMULA.search(sentences[-1]) is not None


def _asks(sentence: str, asked: str) -> bool:
    """Whether a sentence repeats the question."""
    return sentence.rstrip(" *_\"')").endswith(("?", "？")) and share_said(sentence, asked) >= _ASKED_AGAIN


def why_no_end(bare: Sequence[str], plain: Sequence[str], asked: str) -> str | None:
    """Why the last sentences cannot be an answer, such as asking the user back; None if they may be."""
    if not plain or patterns.PENDING.fullmatch(plain[-1]) or _LETS.match(bare[-1]):
        return Translatable("the text ends before an answer")
    if is_formula(plain) or (len(plain) > 1 and _asks(plain[-1], asked)):
        return Translatable("the text ends before an answer")
    if _ASKS_BACK.search(plain[-1]) and not patterns.CONCLUDES.search(plain[-1]):
        return Translatable("the text asks back")
    return Translatable("the text repeats itself to its end") if _goes_in_circles(plain) else None


def _goes_in_circles(sentences: Sequence[str]) -> bool:
    """Whether a text ends in the same sentence repeated over and over, or merely counted on."""
    if len(sentences) > _LOOP and sentences.count(sentences[-2]) > _LOOP:
        return True
    alike = [_ORDINAL.sub("", one) for one in sentences[-_LOOP - 3 : -1]]
    return len(alike) > _LOOP and len(set(alike)) == 1


def stands_in(sentence: str, asked: str) -> bool:
    """Whether a sentence of over four words occurs verbatim in the question."""
    said = plain_text(sentence)
    return len(said.split()) > 4 and said in plain_text(asked)


def without_discussion(sentences: Sequence[str], options: Sequence[str]) -> Sequence[str]:
    """Drop sentences that begin with an option's text, if together they discuss nearly all options."""
    begins = {
        option: next((one for one in sentences if plain_text(one).startswith(plain_text(option))), None)
        for option in options
        if plain_text(option)
    }
    discussed = {one for one in begins.values() if one is not None}
    goes_through = len(discussed) > 2 and len(discussed) >= len(options) - 1
    return [one for one in sentences if one not in discussed] if goes_through else sentences


def is_said(value: str, sentence: str, asked: str, within: int = SAID_WITHIN) -> bool:
    """Whether the value follows a verb such as "is" within `within` characters, or precedes the noun that the
    question counts.
    """
    counted = patterns.HOW_MANY.search(asked)
    if counted and re.search(
        rf"{re.escape(value)}\W{{1,3}}(?:\w+\s)?{counted[1].rstrip('s')}", sentence, re.IGNORECASE
    ):
        return True
    before = re.split(rf"(?<![\w.,]){re.escape(value)}(?![0-9])", sentence, maxsplit=1)[0]
    apart = characters_after_verb(before)
    return apart is not None and apart < within


def characters_after_verb(before: str) -> int | None:
    """Number of characters after the last verb such as "is", without "approximately" and the like; None if
    there is no verb.
    """
    said = list(patterns.SAYS.finditer(before))
    return len(_ROUGHLY.sub("", before[said[-1].end() :])) if said else None
