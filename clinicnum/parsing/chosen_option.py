"""Read which option a text chooses: by its letter or by the option's text.

Read: "B", "(b)", "B.", "B) 1.5", "option B", "B, because ...", the text of one option, a number or a time
that equals that of one option.

Not read: several letters ("A or B"), a letter without an option, a letter beside the text of another option,
"not B". If a whole text repeats the options, only a last line that consists of a letter is read. "A" and "I"
before a word are taken for the article and the pronoun.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.concluded_option import concluded_option
from clinicnum.parsing.datetimes import read_datetime
from clinicnum.parsing.flexible_answer_patterns import CHOOSES
from clinicnum.parsing.number_context import without_labels
from clinicnum.parsing.numbers import read_number
from clinicnum.parsing.option_texts import AND_MORE, places_of, plain_text, within
from clinicnum.parsing.option_verdict_words import RIGHT_IN_CHINESE, RIGHT_IN_JAPANESE, WRONG
from clinicnum.parsing.parse_result import Found, Refused, cleaned

_MARKS = r"[\s*_`\"'(\[]{0,9}"
_NAMED = (
    r"(?:(?:the\s)?(?:correct\s|right\s|best\s)?(?:option|choice|letter|answer)(?:\sis)?\b"
    r"[\s:*_`(\[\"'#]{0,9})?"
)
_SAID = r"(?:or|and|is|because|as|since|which|with|would|seems|fits)\b"
_LEADING = re.compile(
    rf"{_MARKS}{_NAMED}(?P<letter>[A-Za-z])"
    rf"(?:(?P<after>[_\"']{{0,4}}(?:\s{{0,4}}[)\].:,;=–—-]|\s{{0,9}}$))"
    rf"|(?=[_\"']{{0,4}}\s{{1,4}}(?P<next>{_SAID})?))",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]-[a-z]\Z", re.IGNORECASE)
"""A single letter that is part of a word: T-cells, D-dimer."""
_MORE = re.compile(
    r"[\s*_`\"')\].]{0,4}(?:,|/|&|\bor\b|\band\b)[\s*_`\"'(\[]{0,4}(?:option\s)?([A-Z])(?![\w'’])"
)
_ALSO = re.compile(r"\b(?:and|or)\s[\s*_(\[\"']{0,4}([A-J])[).:]\s")
_MARKED_RIGHT = re.compile(
    r"^\W{0,4}([A-J])[).:][^\n]{1,200}[-–—:(]\s?(?:this is )?(?:correct|right|true)\b",
    re.MULTILINE | re.IGNORECASE,
)
_OPENS_LIST = re.compile(r"\s*\(?A\)\s")
_STOP = re.compile(r"[.!?](?=\s|$)|\s[-–—]\s")
_AND_MORE = re.compile(r"\W{0,3}(?:while|and then|as well as|along with|together with|but also)\b")
_ANSWER_RIGHT = re.compile(
    r"\b(?:answer|option|choice)\s([A-J])[,:)]?\s[^.\n]{1,80}\bis (?:the )?(?:right|correct|best)\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\beither\b[^.\n]{1,80}\bor\b", re.IGNORECASE)
_LISTED = re.compile(r"(?<!\S)\(?([A-J])[).:](?=\s)")
_ALONE = re.compile(r"(?<![A-Za-z0-9_'’.°-])([A-Z])(?![A-Za-z0-9_'’-])(?!\.[a-z])")
_OPTION = re.compile(
    r"\b(?:[Oo]ption|choice|letter|answer|choose|select|pick|go with)[\s:*_`(\[\"'#]{1,6}([A-Z])(?![\w'’])"
)
_RIGHT = re.compile(
    r"(?<![\w'’])([A-Z])[\s*_`)\]\"']{1,3}(?:is|would be)\s(?:the\s)?(?:right|correct|best|true)\b"
)
_SO = re.compile(
    r"\b(?:[Ss]o|[Hh]ence|[Tt]herefore|[Tt]hus)[:,]?\s[*_(]{0,3}([A-J])[)*_]{0,3}(?:\sit\sis\b"
    r"|\s*[.!]?\s*$)",
    re.MULTILINE,
)
_CALLED_WRONG = re.compile(rf"\W{{0,4}}[A-Ja-j][).:：*\s]{{1,4}}\s?(?:{WRONG.pattern})", re.IGNORECASE)
"""A line that begins by calling its option wrong."""
_BRACKETED = re.compile(r"[（(]\s?([A-Ja-j])(?=[\s)）誤正])")
_WORD_AFTER = re.compile(r"\s+(?!(?:or|and)\b)(?:[a-z]|[0-9]+[- ](?:year|month|week|day)s?[- ]old)")
_DENIED = re.compile(
    r"\b(?:not|never|isn't|isn’t|rather than|instead of|except)\s(?:\w{1,9}\s)?[\s*_`\"'(\[]{0,4}$",
    re.IGNORECASE,
)
_SHOWN_BEFORE = re.compile(
    r"(?:[(\[{*_`\"'‘“（:：=]\s?|^|\n|\b(?:is|be|as|option|choice|answer|letter)\W{1,3})\Z", re.IGNORECASE
)
_SHOWN_AFTER = re.compile(r"[)\]*_\"'’”.:）]|\s?\Z")
_SENTENCE = re.compile(r"(?<=[.!?。])\s+|\n+")
_NONE_MARKED = Refused("no option is marked as the answer, by letter or by text")
_NO_OPTION = Refused("no letter of an option and no option's text")
_SHORT = 300
"""Longest text, in characters, in which naming one option counts as choosing it."""


def read_choice(
    raw: str, *, options: Sequence[str], times: Collection[datetime] = (), anywhere: bool = False
) -> Found | Refused:
    """The one option that `raw` names; `times` are the records' times, which complete a partial time.

    With `anywhere`, `raw` is a whole text, in which the letter must be written as an option's.
    """
    text = cleaned(raw)
    lettered = _lettered(text, options) if anywhere else _leading(text, options)
    if isinstance(lettered, Found):
        if anywhere and _ends_in_another(text, lettered.written, options):
            return Refused("the letter of one option, and the text of another at the end")
        return lettered._replace(plain=raw.strip() == lettered.written)
    if lettered is not None:
        return lettered
    if _EITHER.search(text) or len({letter.upper() for letter in _BRACKETED.findall(text)}) > 1:
        return Refused("either of several options")
    same = places_of(raw, options)
    if len(same) == 1:
        return _found(chr(ord("A") + same[0]), text, plain=False, at_end=True, detail="option_text")
    by_text = (
        _by_text(without_labels(text) if anywhere else text, options, times, anywhere)
        if not anywhere or len(text) <= _SHORT
        else None
    )
    letters = {match[1] for match in _free_letters(text, options) if not anywhere or _shown(text, match)}
    if isinstance(by_text, Found) and anywhere and letters - {by_text.written}:
        return Refused("the text of one option beside the letters of others")
    if by_text is not None:
        return by_text
    if len(letters) > 1:
        return Refused("several letters and none marked as the answer, as in “Answer: …”")
    if letters:
        return _found(letters.pop(), text, plain=False, at_end=True)
    return _NONE_MARKED if anywhere else _NO_OPTION


def _ends_in_another(text: str, letter: str, options: Sequence[str]) -> bool:
    """Whether the last of several sentences states the text of another option than that of the letter."""
    last = plain_text(_SENTENCE.split(text.strip())[-1])
    if len(last) == len(plain_text(text)) or re.search(rf"\b{letter.lower()}\b", last):
        return False
    plain = [plain_text(option) for option in options]
    said = {place for place, option in enumerate(plain) if len(option) > 3 and within(option, last)}
    return len(said) == 1 and ord(letter) - ord("A") not in said


def begins_with_letter(raw: str) -> bool:
    """Whether a marked answer begins with a letter that could be an option's."""
    match = _LEADING.match(cleaned(raw))
    return match is not None and _is_letter(match)


def chooses_to_decline(text: str, options: Sequence[str]) -> bool:
    """Whether a text that abstains does so by choosing an option, such as "cannot be determined"."""
    said = plain_text(text)
    return any(abstains(option) and plain_text(option) in said for option in options)


def _found(letter: str, text: str, *, plain: bool, at_end: bool, detail: str | None = None) -> Found:
    return Found(None, letter, None, plain and text.strip() == letter, detail, at_end)


def _is_letter(match: re.Match[str]) -> bool:
    """Whether the match is an option's letter; before a word, only in upper case and not "A" or "I"."""
    if match["after"] is not None:
        return True
    letter = match["letter"]
    return letter.isupper() and letter != "I" and (letter != "A" or match["next"] is not None)


def _leading(text: str, options: Sequence[str]) -> Found | Refused | None:
    """The option whose letter a short text begins with."""
    match = _LEADING.match(text)
    if match is None or not _is_letter(match):
        return None
    letter, place = match["letter"].upper(), ord(match["letter"].upper()) - ord("A")
    if _JOINED.search(text, 0, match.end() + 1) and not (
        place < len(options) and _opens(plain_text(text[match.end() :]), plain_text(options[place]))
    ):
        return None
    if place >= len(options):
        return None if match["letter"].islower() else Refused(f"{letter} is the letter of no option")
    end = match.end("letter")
    also = _ALSO.search(text, end)
    if _MORE.match(text, end) or (also and also[1] != letter and _known(also[1], options)):
        return Refused("several letters and none marked as the answer, as in “Answer: …”")
    rest = plain_text(text[match.end() :])
    said = [number for number, option in enumerate(options) if rest and _opens(rest, plain_text(option))]
    if said and place not in said:
        return Refused(f"the letter {letter} beside the text of another option")
    detail = "letter_and_text" if said else None
    return _found(letter, text, plain=not rest, at_end=not text[end:].strip(), detail=detail)


def _opens(text: str, option: str) -> bool:
    """Whether `text` begins with the option's text, ending at a word boundary."""
    return bool(option) and text.startswith(option) and not text[len(option) : len(option) + 1].isalnum()


def _lettered(text: str, options: Sequence[str]) -> Found | Refused | None:
    """The option that a whole text names by letter: on its last line, as "option B", or beginning a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    if _only_lists(text, lines):
        return Refused("the options, and none marked as the answer, as in “Answer: …”")
    last = _leading(lines[-1], options)
    if isinstance(last, Found) and last.plain:
        return last
    right = concluded_option(text, options) or _called_right(text, options)
    if right:
        return _found(right, text, plain=False, at_end=False)
    openings = [_leading(line, options) for line in lines]
    if len(lines) == 1 and isinstance(last, Refused):
        return last
    listed = {
        found.written
        for found, line in zip(openings, lines, strict=True)
        if isinstance(found, Found) and not _CALLED_WRONG.match(line)
    }
    if len(listed) > 1:
        return Refused("the options, and none marked as the answer, as in “Answer: …”")
    named = {
        match[1]
        for match in _OPTION.finditer(text)
        if _known(match[1], options) and not _denied(text, match.start(1)) and not _is_article(text, match)
    }
    letters = named | listed
    if len(letters) > 1:
        return Refused("several letters and none marked as the answer, as in “Answer: …”")
    if isinstance(last, Found) and last.written in letters:
        return last
    return _found(letters.pop(), text, plain=False, at_end=False) if letters else None


def _called_right(text: str, options: Sequence[str]) -> str | None:
    """The one letter that a text calls correct; None if there is none or several."""
    for pattern in (_MARKED_RIGHT, _RIGHT, _ANSWER_RIGHT, _SO, RIGHT_IN_JAPANESE, RIGHT_IN_CHINESE):
        right: set[str] = {next(filter(None, match.groups())).upper() for match in pattern.finditer(text)}
        right = {letter for letter in right if _known(letter, options)}
        if len(right) == 1:
            return right.pop()
    return None


def _only_lists(text: str, lines: Sequence[str]) -> bool:
    """Whether a text merely lists options: repeats them on one line, or discusses option A and then ends."""
    if len(lines) == 1 and len(set(_LISTED.findall(text))) > 2:
        return True
    return bool(_OPENS_LIST.match(text)) and len(_STOP.findall(text)) > 1 and not CHOOSES.search(text)


def _free_letters(text: str, options: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield capital letters of options that stand alone: not articles, pronouns or negated."""
    for match in _ALONE.finditer(text):
        if _known(match[1], options) and not _is_article(text, match) and not _denied(text, match.start(1)):
            yield match


def _shown(text: str, match: re.Match[str]) -> bool:
    """Whether a letter within a text is written as an option's: "(B)" or "B.", but not "Machine B"."""
    before = text[max(0, match.start() - 12) : match.start()]
    return bool(_SHOWN_BEFORE.search(before) or _SHOWN_AFTER.match(text, match.end()))


def _known(letter: str, options: Sequence[str]) -> bool:
    return ord(letter) - ord("A") < len(options)


def _is_article(text: str, match: re.Match[str]) -> bool:
    return match[1] in "AI" and _WORD_AFTER.match(text, match.end(1)) is not None


def _denied(text: str, start: int) -> bool:
    return _DENIED.search(text[max(0, start - 30) : start]) is not None


def _by_text(
    text: str, options: Sequence[str], times: Collection[datetime], anywhere: bool
) -> Found | Refused | None:
    """The one option whose text, number or time occurs in `text`."""
    said = plain_text(text)
    plain = [plain_text(option) for option in options]
    exact = [place for place, option in enumerate(plain) if option == said]
    inside = exact or [place for place, option in enumerate(plain) if option and within(option, said)]
    longest = [p for p in inside if not any(plain[p] in plain[q] for q in inside if q != p)]
    if not longest:
        longest = _by_value(text, options, times, anywhere)
    if len(longest) > 1:
        return Refused("the texts of several options")
    if not longest or (not exact and _DENIED.search(said.partition(plain[longest[0]])[0])):
        return None
    if not exact and _AND_MORE.match(said.partition(plain[longest[0]])[2]):
        return Refused(AND_MORE)
    letter = chr(ord("A") + longest[0])
    return _found(letter, text, plain=False, at_end=True, detail="option_text")


def _by_value(text: str, options: Sequence[str], times: Collection[datetime], anywhere: bool) -> list[int]:
    number = read_number(text, anywhere=anywhere)
    if isinstance(number, Found):
        return [place for place, option in enumerate(options) if option and _number(option) == number.value]
    time = read_datetime(text, times=times, anywhere=anywhere)
    if isinstance(time, Found) and time.value is not None:
        return [place for place, option in enumerate(options) if option == f"{time.value:%Y-%m-%d %H:%M:%S}"]
    return []


def _number(option: str) -> Decimal | datetime | None:
    """The number that an option states, whatever its unit; None if it states none."""
    number = read_number(option)
    return number.value if isinstance(number, Found) else None
