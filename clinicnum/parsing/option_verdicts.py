"""Which option a text leaves when it judges several of them but marks none as its answer.

A reader knows it by a list that calls one right or all others wrong; by "the other options ...", before which
one option alone was spoken of; by all but one that are ruled out; and by one option that stands alone in a
sentence while all others share another. Options are found by their letters and their texts, or, in writings
without blanks, by most of the characters of their texts. Of a question for several options, none is told.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from clinicnum.parsing import option_verdict_words as words
from clinicnum.parsing.choices import plain_text, within

_LABEL = re.compile(
    r"^[ \t*_#>•–—-]{0,9}(?:[0-9]{1,2}[.)][ \t]{1,3})?[*_]{0,3}(?:(?:option|choice|opción|opzione|opção"
    r"|réponse|antwort|alternativa"
    r"|选项|選項|選択肢)\s?)?[(（\[]?(?P<letter>[A-Ja-j])(?:[)）\].:：、．]|[*_]{1,3}[:.)]?\s|\s(?=[○×◯〇✅❌✓✗]))",
    re.MULTILINE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:\b(?:options?|choices?|answers?|antwort(?:en)?|optionen|réponses?|propositions?|opción|opciones"
    r"|opzion[ei]|alternativas?|letras?)"
    r"|选项|選項|選択肢)\s?[(（\"'*]{0,3}(?P<letters>[A-Ja-j](?![A-Za-z])(?:[)\"'*]{0,3}\s?(?:,|、|，|/|and|or|und"
    r"|et|y|e|と|和|及|與|・|,\s?and)\s?"
    r"[(\"'*]{0,3}[A-Ja-j](?![A-Za-z])){0,8})",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"[（(]\s?(?P<letters>[A-Ja-j](?:\s?[,、，・/と]\s?[A-Ja-j]){0,8})(?P<said>[^（()）A-Za-z]{0,20}"
    r"|\s[^（()）]{0,20})[)）]"
)
_LISTED = re.compile(
    r"(?<![A-Za-z0-9])(?P<letters>[A-J](?:\s?(?:,|、|，|/|and|or|und|et|y|e|和|及|と"
    r"|,\s?and)\s?[A-J](?![A-Za-z0-9'’])){1,8})(?![A-Za-z0-9])"
)
_TOPIC = re.compile(r"(?<![A-Za-z])(?P<letters>[A-Ja-j])(?=[はがも])")
_LETTER = re.compile(r"(?<![A-Za-z])[A-Ja-j](?![A-Za-z])")
_CONTENT = re.compile("[\u30a0-\u30ff\u4e00-\u9fff\uff10-\uff19A-Za-z0-9]{2,}")
_KANA = re.compile("[\u3040-\u309f]")
_PARTS = re.compile(r"\s[-–—]\s")
_ALSO = re.compile(r"\s?(?:[（(][^（()）]{0,30}[)）])?(?:も|也|都|同様|are also|as well|likewise)")
_NOT_IT = re.compile(r"\s?(?:ではなく|でなく|ではない|而不是|而非|rather than)")
_LONGEST = 4_000
_MOST = 0.74
"""Share of the characters of an option's text by which it is known."""


def option_left(text: str, options: Sequence[str], asked: str) -> str | None:
    """The letter of the one option that a text leaves; None if it leaves several or none."""
    if len(options) < 3 or not all(options) or len(text) > _LONGEST or words.ASKS_FOR_SEVERAL.search(asked):
        return None
    for rule in (_of_a_list, _before_the_others, _not_ruled_out, _apart, _judged_last, _preferred):
        place = rule(text, tuple(options), words.asks_for_wrong(asked))
        if place is not None:
            return chr(ord("A") + place)
    return None


def _of_a_list(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The option that a list of all of them sets off."""
    labels = list(_LABEL.finditer(text))
    ends = [label.start() for label in labels[1:]] + [len(text)] * bool(labels)
    items: dict[int, str] = {}
    for label, end in zip(labels, ends, strict=True):
        place = ord(label["letter"].upper()) - ord("A")
        if place < len(options):
            items[place] = text[label.end() : end].split("\n\n")[0]
    if len(items) != len(options):
        return None
    signs = {place: _judged(item, options) for place, item in items.items()}
    if not any(signs.values()):
        affirms = 1 if wants_wrong else 0
        signs = {place: -1 if words.DENIES.search(item) else affirms for place, item in items.items()}
    return _odd_one(signs, wants_wrong)


def _odd_one(signs: dict[int, int], wants_wrong: bool) -> int | None:
    """The one option of another sign than all the others."""
    by_sign = {sign: [place for place, one in signs.items() if one == sign] for sign in (-1, 0, 1)}
    right, wrong, silent = by_sign[1], by_sign[-1], by_sign[0]
    if len(right) == 1 and wrong and not (wants_wrong and silent):
        return right[0]
    if wants_wrong and len(wrong) == 1 and right and not silent:
        return wrong[0]
    if len(silent) == 1 and not right and not wants_wrong:
        return silent[0]
    return None


def _judged(said: str, options: tuple[str, ...]) -> int:
    """1 if a text calls its option right, -1 if wrong, 0 if neither or both, whatever the options say."""
    for option in options:
        said = said.replace(option, " ") if " " in option else said
    wrong = words.WRONG.search(said) is not None
    right = words.RIGHT.search(words.WRONG.sub(" ", said)) is not None
    return right - wrong


def _before_the_others(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The only option that is spoken of before "the other options"."""
    others = words.OTHERS.search(text)
    if others is None:
        return None
    before = text[: others.start()]
    named = named_options(before, options)
    if _ALSO.match(text, others.end()):
        return None
    if not wants_wrong:
        named -= {
            p
            for c in _clauses(before)
            if words.DENIES.search(c) or words.WRONG.search(c)
            for p in named_options(c, options)
        }
    if not named:
        named = _known_best(before, options)
    return named.pop() if len(named) == 1 else None


def _not_ruled_out(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The only option that is not called wrong, or the only one that is where that is asked for."""
    wrong: set[int] = set()
    right: set[int] = set()
    for clause in _clauses(text):
        for match in _BRACKETED.finditer(clause):
            places = _places(match["letters"], options)
            if words.WRONG.search(match["said"]) or _NOT_IT.match(clause, match.end()):
                wrong |= places
            elif words.RIGHT.search(match["said"]):
                right |= places
        sign = _judged(clause, options)
        if words.RULES_OUT.search(clause) or sign < 0:
            wrong |= {place for match in _letters(clause) for place in _places(match, options)}
        elif sign > 0:
            right |= {place for match in _letters(clause) for place in _places(match, options)}
    if wants_wrong:
        return (
            wrong.pop() if len(wrong) == 1 and len(right) >= len(options) - 2 and not wrong & right else None
        )
    if len(right) == 1 and wrong and not right & wrong:
        return right.pop()
    left = set(range(len(options))) - wrong
    if len(left) == 1 and not right - left:
        return left.pop()
    return None


def _judged_last(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The one option of the last clause that calls any right or wrong, if that is what is asked for and no
    clause calls another one the same.
    """
    judged = [
        (sign, named_options(clause, options))
        for clause in _clauses(text)
        if (sign := _judged(clause, options))
    ]
    if not judged or (judged[-1][0] < 0) is not wants_wrong:
        return None
    sign, named = judged[-1]
    alike = set().union(*(other for one, other in judged if one == sign))
    return named.pop() if len(named) == 1 and alike == named else None


def _preferred(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The only option that clauses prefer."""
    named = {
        place
        for clause in _clauses(text)
        if words.PREFERS.search(clause)
        for place in (named_options(clause, options) if not words.DENIES.search(clause) else ())
    }
    return named.pop() if len(named) == 1 and not wants_wrong else None


def _letters(clause: str) -> list[str]:
    """The letters of options that a clause names as such."""
    return [match["letters"] for pattern in (_NAMED, _LISTED, _TOPIC) for match in pattern.finditer(clause)]


def _apart(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The option that stands alone in its clause while all others share one."""
    named = [named_options(clause, options) for clause in _clauses(text)]
    everything = set(range(len(options)))
    if len(everything) < 4 or any(one == everything for one in named):
        return None
    for group in named:
        left = everything - group
        if len(left) == 1 and any(one == left for one in named):
            return left.pop()
    return None


def _clauses(text: str) -> list[str]:
    return [clause for clause in words.CLAUSE_END.split(text) if clause.strip()]


def named_options(said: str, options: tuple[str, ...]) -> set[int]:
    """The options that a text names by letter or by what they say, as places from 0."""
    places = {
        place
        for pattern in (_NAMED, _BRACKETED)
        for match in pattern.finditer(said)
        for place in _places(match["letters"], options)
    }
    plain = plain_text(said)
    texts = _texts(options)
    found = [
        place for place, parts in enumerate(texts) if parts and all(_holds(plain, part) for part in parts)
    ]
    longest = {p for p in found if not any(p != q and texts[p][0] in texts[q][0] for q in found)}
    known = {place for place in range(len(options)) if _known(options[place], said) >= _MOST}
    return places | longest | known


def _holds(plain: str, part: str) -> bool:
    """Whether a text holds these words, in Japanese not as the beginning of a longer one."""
    if not within(part, plain):
        return False
    return not _KANA.search(plain) or re.search(rf"{re.escape(part)}(?![\u4e00-\u9fff])", plain) is not None


@lru_cache(maxsize=200)
def _texts(options: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """What the options say, each in its parts: "measles - virus" has two."""
    return tuple(
        tuple(filter(None, map(plain_text, _PARTS.split(option.rstrip("。"))))) for option in options
    )


def _known_best(said: str, options: tuple[str, ...]) -> set[int]:
    """The option of whose text by far the most is said."""
    shares = sorted(((_known(option, said), place) for place, option in enumerate(options)), reverse=True)
    (most, place), (second, _) = shares[:2]
    return {place} if most >= 0.4 and second <= most / 2 else set()


def _known(option: str, said: str) -> float:
    """Share of the pairs of characters of an option that a text holds, kana left out; 0 of few pairs."""
    pairs = _pairs(option)
    return sum(pair in said for pair in pairs) / len(pairs) if pairs else 0.0


@lru_cache(maxsize=1000)
def _pairs(option: str) -> frozenset[str]:
    if option.isascii():
        return frozenset()
    return frozenset(one + other for run in _CONTENT.findall(option) for one, other in pairwise(run))


def _places(letters: str, options: Sequence[str]) -> set[int]:
    found = _LETTER.findall(letters)
    capitals = [letter for letter in found if letter.isupper()]  # "A e C" are two, and "e" a word
    places = {ord(letter.upper()) - ord("A") for letter in capitals or found}
    return {place for place in places if place < len(options)}
