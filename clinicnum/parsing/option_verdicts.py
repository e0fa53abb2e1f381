"""Infer the chosen option from a text that judges several options but marks none as its answer.

An option is inferred if a list calls one option right or all others wrong; if only one was discussed before
"the other options ..."; if all others are ruled out; or if it stands alone in a clause while all others
share another. Options are recognised by letter, by text, or, in scripts without spaces, by most of the
characters of their text. Nothing is inferred for a question that asks for several options.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing import option_verdict_words as words
from clinicnum.parsing.option_texts import plain_text, within

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
"""Share of an option's character pairs from which a text is taken to name the option."""


def option_left(text: str, options: Sequence[str], asked: str) -> str | None:
    """The letter of the only option that a text leaves open or prefers; None if there is not just one."""
    if len(options) < 3 or not all(options) or len(text) > _LONGEST or words.ASKS_FOR_SEVERAL.search(asked):
        return None
    for rule in (_of_a_list, _before_the_others, _not_ruled_out, _alone_in_clause, _judged_last, _preferred):
        place = rule(text, tuple(options), words.asks_for_wrong(asked))
        if place is not None:
            return chr(ord("A") + place)
    return None


def _of_a_list(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The option that is judged differently from all others in a list of all options."""
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
    """The one option judged differently from all others; `signs` maps options to 1 (right), -1 or 0."""
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
    """1 if a text calls its option right, -1 if wrong, 0 if neither or both; options' texts are ignored."""
    for option in options:
        said = said.replace(option, " ") if " " in option else said
    wrong = words.WRONG.search(said) is not None
    right = words.RIGHT.search(words.WRONG.sub(" ", said)) is not None
    return right - wrong


def _before_the_others(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The only option mentioned before "the other options"."""
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
    """The only option not called wrong; if the question asks for the wrong one, the only one called so."""
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
    """The one option of the last clause with a verdict, if that verdict is the one asked for and no other
    option has the same.
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
    """The only option that the text prefers."""
    named = {
        place
        for clause in _clauses(text)
        if words.PREFERS.search(clause)
        for place in (named_options(clause, options) if not words.DENIES.search(clause) else ())
    }
    return named.pop() if len(named) == 1 and not wants_wrong else None


def tells_of_two(sentences: Sequence[str], options: Sequence[str]) -> bool:
    """Whether the last two sentences begin with the texts of different options."""
    begins = [
        {place for place, option in enumerate(options) if plain_text(one).startswith(plain_text(option))}
        for one in sentences[-2:]
    ]
    return len(begins) == 2 and all(begins) and not begins[0] & begins[1]


def chooses_not(sentence: str, asked: str, *, by_text: bool) -> bool:
    """Whether a sentence names an option without choosing it, as wrong or as right in another case.

    `asked` is the question; `by_text`: the option is named by its text, not by its letter.
    """
    if patterns.SUPPOSES.match(sentence) and not patterns.CHOOSES.search(sentence):
        return True
    denied = words.DENIES.search(sentence) or words.WRONG.search(sentence)
    if words.asks_for_wrong(asked):
        return by_text and len(sentence.split()) > 3 and not denied and not patterns.CHOOSES.search(sentence)
    if denied and not by_text:
        one_letter = len(set(patterns.LETTER.findall(sentence))) == 1
        return (
            one_letter
            and words.WRONG.search(sentence) is not None
            and not words.RIGHT.search(words.WRONG.sub(" ", sentence))
        )
    return (
        by_text and not patterns.CHOOSES.search(sentence) and bool(patterns.IN_OTHER_CASES.search(sentence))
    )


def _letters(clause: str) -> list[str]:
    """The option letters that a clause names, as written: one string a group, such as "A and C"; a group may
    come twice.
    """
    return [match["letters"] for pattern in (_NAMED, _LISTED, _TOPIC) for match in pattern.finditer(clause)]


def _alone_in_clause(text: str, options: tuple[str, ...], wants_wrong: bool) -> int | None:
    """The option that is alone in a clause while all others are named together in another clause."""
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
    """The options that a text names by letter or by text, as indices from 0."""
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
    """Whether a text contains the words `part`; in Japanese, not as the beginning of a longer word."""
    if not within(part, plain):
        return False
    return not _KANA.search(plain) or re.search(rf"{re.escape(part)}(?![\u4e00-\u9fff])", plain) is not None


@lru_cache(maxsize=200)
def _texts(options: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The normalised texts of the options, split at dashes: "measles - virus" has two parts."""
    return tuple(
        tuple(filter(None, map(plain_text, _PARTS.split(option.rstrip("。"))))) for option in options
    )


def _known_best(said: str, options: tuple[str, ...]) -> set[int]:
    """The option whose text clearly occurs most, as a set of its index; empty if none does."""
    shares = sorted(((_known(option, said), place) for place, option in enumerate(options)), reverse=True)
    (most, place), (second, _) = shares[:2]
    return {place} if most >= 0.4 and second <= most / 2 else set()


def _known(option: str, said: str) -> float:
    """Share of an option's character pairs that occur in the text, without hiragana; 0 for ASCII options."""
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
