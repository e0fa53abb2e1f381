"""Reads the value that a careful reader takes for the answer of a text that marks none.

That is what the text ends in: its last sentence with a value, unless that only explains an earlier one ("This
score indicates ...") or an earlier one says in the words of the question what is asked. A sentence has a
value if it holds one of the asked kind, ends in one ("= 89.3"), sets one off in bold, says one of the things
or in the unit asked for ("20 minutes" where the question asks how many minutes), or has one after its last
"is". A text that ends in what it is going to do has no answer, nor has one whose telling sentence cannot be
read. What follows an invented next question is left out.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from clinicnum.parsing import flexible_answer_words as words
from clinicnum.parsing.doubts import names_alternatives, without_echoes
from clinicnum.parsing.latex import without_latex
from clinicnum.parsing.question_context import Question
from clinicnum.parsing.reading import Found, Refused

_MOST_CHARACTERS = 10_000
_MOST_SENTENCES = 60
_LONGEST = 1_000
"""Characters of a sentence that are looked at, its last."""
_LEAST_SHARED = 0.25
"""Share of the question's words in the last of several sentences if it has no words that conclude."""
_DIGIT = re.compile(r"[0-9]")


class _Sentence(NamedTuple):
    """A sentence that tells, as read."""

    text: str
    outcome: Found | Refused
    shared: float
    """Share of the question's words that it says."""
    at_end: bool
    """Nothing but remarks comes after it."""


def read_conclusion(text: str, question: Question) -> Found | Refused:
    """The value that a text comes to."""
    sentences = _sentences(text)
    plain = _joined(_without_explanations(sentences))
    if not sentences or words.PENDING.fullmatch(plain[-1]):
        return Refused("the text ends before an answer")
    telling = list(_telling(plain, question))
    if not telling:
        return Refused("no sentence with a value")
    last = telling[0]
    if words.FRAGMENT.fullmatch(plain[-1]) and not words.CONCLUDES.search(last.text):
        return Refused("the text breaks off")
    if words.CONCLUDES.search(last.text) or _is_bare(last):
        return last.outcome
    stated = [one for one in telling if isinstance(one.outcome, Found) and _is_stated(one)]
    best = max(stated, key=lambda one: one.shared, default=last)
    if (
        best.shared > last.shared
        or best in stated
        or (isinstance(last.outcome, Refused) and best is not last)
    ):
        return best.outcome
    off = len(_key_words(question.asked)) > 1 and len(plain) > 2 and last.shared < _LEAST_SHARED
    return (
        last.outcome
        if last.at_end and (question.kind == "choice" or not off)
        else Refused("the last value is not what the text ends in")
    )


def _joined(sentences: list[str]) -> list[str]:
    """The last sentence as one with what announces it: "The most likely diagnosis is:" and "E) ..."."""
    if len(sentences) > 1 and sentences[-2].rstrip(" *_").endswith(":"):
        return [*sentences[:-2], f"{sentences[-2]} {sentences[-1]}"]
    return sentences


def _is_bare(sentence: _Sentence) -> bool:
    """Whether a sentence is little more than its value."""
    return isinstance(sentence.outcome, Found) and len(words.WORD.findall(sentence.text.lower())) <= 1


def breaks_off(text: str) -> bool:
    """Whether a text ends in what it is going to do, and so before an answer."""
    sentences = _without_explanations(_sentences(text))
    return bool(sentences) and words.PENDING.fullmatch(sentences[-1]) is not None


def _without_explanations(sentences: list[str]) -> list[str]:
    """Sentences but those that explain an answer; all if there are no others."""
    return [one for one in sentences if not words.EXPLAINS.match(one)] or sentences


def _sentences(text: str) -> list[str]:
    """The last sentences of a text that hold a letter or a digit."""
    text = words.RESPONSE.split(text[-_MOST_CHARACTERS:])[-1]
    text = words.LIST_NUMBER.sub("", without_next_question(words.SPECIAL.sub(" ", text)))
    parts = [part[-_LONGEST:] for part in words.SENTENCE_END.split(text) if part]
    return [part for part in parts if any(map(str.isalnum, part))][-_MOST_SENTENCES:]


def without_next_question(text: str) -> str:
    """`text` up to where the model goes on with a question of its own."""
    for match in words.NEXT_QUESTION.finditer(text):
        if any(map(str.isalnum, text[: match.start()])):
            return text[: match.start()]
    return text


def _telling(sentences: Sequence[str], question: Question) -> Iterator[_Sentence]:
    """The sentences with values from the last to the first."""
    asked = _key_words(question.asked)
    for place, sentence in enumerate(reversed(sentences)):
        said = {word.rstrip("s") for word in words.WORD.findall(sentence.lower())}
        shared = len(asked & said) / max(1, len(asked))
        concludes = shared >= 0.5 or (place == 0 and not words.SUPPOSES.match(sentence))
        outcome = _value_of(sentence, question, concludes=concludes)
        if outcome is not None:
            yield _Sentence(sentence, outcome, shared, place <= 1)


def _is_stated(sentence: _Sentence) -> bool:
    """Whether a sentence says in words of the question that something is its value."""
    assert isinstance(sentence.outcome, Found)
    if sentence.outcome.detail == "option_text":
        return sentence.shared >= 0.5
    before, found, _ = sentence.text.partition(sentence.outcome.written)
    if sentence.outcome.detail == "scale_word":
        before, found = words.NUMBER_BEGINS.split(sentence.text, maxsplit=1)[0], "written otherwise"
    return sentence.shared >= 0.5 and bool(found) and words.STATES.search(before) is not None


@lru_cache(maxsize=1000)
def _key_words(asked: str) -> frozenset[str]:
    """What the question asks for, in its last clause that asks."""
    begins = [match.start() for match in words.ASKS.finditer(asked)]
    clause = asked[begins[-1] :] if begins else asked
    return frozenset(
        word.rstrip("s") for word in words.WORD.findall(clause.lower()) if word not in words.COMMON
    )


def _value_of(sentence: str, question: Question, *, concludes: bool) -> Found | Refused | None:
    """The value of a sentence; None if it has none, so that the one before is read."""
    if question.kind == "choice":
        return _chosen(sentence, question, concludes=concludes)
    sentence = without_echoes(_in_plain_numbers(sentence, question), question)
    if _says_no_number(sentence) or names_alternatives(sentence):
        return Refused("an expression or several values, not one number")
    years = set(words.YEAR.findall(sentence)) if words.YEAR_ASKED.search(question.asked) else set()
    if len(years) == 1:
        return question.read(years.pop())
    variables = dict(words.NAMED_VALUE.findall(sentence))
    if len(variables) > 1:
        named = [value for name, value in variables.items() if re.search(rf"\b{name}\b", question.asked)]
        return question.read(named[0]) if len(named) == 1 else Refused("values of several variables")
    whole = question.read(sentence, anywhere=True)
    if isinstance(whole, Found):
        return whole
    if len(set(words.SAID_VALUE.findall(sentence))) > 1 and question.kind != "datetime":
        return Refused("values of several things")
    if not _DIGIT.search(sentence):
        small = set(words.SMALL_NUMBER.findall(sentence)) if words.HOW_MANY.search(question.asked) else set()
        return question.read(small.pop()) if len(small) == 1 else None
    for part, opens in _parts(sentence, question):
        found = question.read(part, anywhere=not opens)
        if isinstance(found, Found):
            return found
    return whole


def _says_no_number(sentence: str) -> bool:
    """Whether a sentence marks an answer without a digit, or ends in an expression."""
    if not _DIGIT.search(sentence):
        return words.NO_VALUE.search(sentence) is not None
    side = re.split(r"[=≈]", sentence)[-1]
    return bool(words.PRODUCT.search(side) or (side != sentence and words.QUOTIENT.search(side)))


def _in_plain_numbers(sentence: str, question: Question) -> str:
    """A sentence with its decimal commas as points, its least sum of points as the sum, and the fraction it
    ends in, where a chance is asked for, as a decimal number."""
    sentence = words.MATRIX.sub(" ", sentence)
    sentence = words.DECIMAL_COMMA.sub(lambda match: match[0].replace(",", "."), sentence)
    if words.SCORE_ASKED.search(question.asked):
        sentence = words.AT_LEAST.sub("", sentence)
    if words.CHANCE_ASKED.search(question.asked):
        fraction = words.FRACTION.search(sentence)
        if fraction:
            decimal = without_latex(f"\\frac{{{fraction[1]}}}{{{fraction[2]}}}")
            sentence = sentence[: fraction.start(1)] + decimal
    return sentence


def _chosen(sentence: str, question: Question, *, concludes: bool) -> Found | Refused | None:
    """The option that a sentence chooses: in words that choose, and with a letter that is written as one.

    One that `concludes`, by its place or in the words of the question, may say what one option says.
    """
    brief = words.YES_OR_NO.match(sentence)
    if brief and brief[1].lower() in [option.strip().lower() for option in question.options]:
        return question.read(brief[1])
    found = question.read(sentence, anywhere=True)
    clause = words.REASONS.split(sentence, maxsplit=1)[0]
    if not isinstance(found, Found) and clause != sentence:
        found = question.read(clause, anywhere=True)
    if not words.CHOOSES.search(sentence):
        said = isinstance(found, Found) and found.detail == "option_text"
        states = words.SAYS_OPTION.search(sentence) and not words.PLANS.search(sentence)
        return found if concludes and said and states else None
    if not isinstance(found, Found) or found.detail == "option_text":
        return found
    letter = re.escape(found.written)
    shown = re.search(
        rf"[(\[*\"'‘]{letter}\b|(?:^|[:*]|\bis)\W{{0,4}}{letter}[).:\]*]"
        rf"|(?:option|choice|answer)\W{{0,6}}(?:is\W{{0,6}})?{letter}\b",
        sentence,
        re.IGNORECASE,
    )
    return found if shown else None


def _without_brackets(sentence: str) -> str:
    """A sentence without its brackets, inner ones first."""
    for _ in range(3):
        sentence = words.BRACKETS.sub(" ", sentence)
    return sentence


def _parts(sentence: str, question: Question) -> Iterator[tuple[str, bool]]:
    """Parts of a sentence that may hold its value, the most telling first, and whether they begin with it."""
    bold = [one or other for one, other in words.BOLD.findall(sentence)]
    if bold:
        yield bold[-1], False
    equal = re.split(r"[=≈]", sentence)
    if len(equal) > 1:
        yield equal[-1], False
        yield equal[-1], True
        return  # an equation without a number at its end says no value
    counted = words.HOW_MANY.search(question.asked)
    if counted:
        noun = counted[1].rstrip("s")
        more = re.findall(rf"[-$]?[0-9][0-9,.]*\s(?:more|fewer|less)\s{noun}", sentence, re.IGNORECASE)
        if len(more) == 1:
            yield more[0], False
        named = re.findall(
            rf"[-$]?[0-9][0-9,.]*\s(?:more\s|\w+\s)?{noun}(?![^.]{{0,20}}\bor less)", sentence, re.IGNORECASE
        )
        if len(named) == 1:
            yield named[0], False
    bare = words.OR_ELSE.sub(" ", _without_brackets(sentence))
    if bare != sentence:
        yield bare, False
    for said in reversed(list(words.SAYS.finditer(bare))):
        after = bare[said.end() :]
        if words.OPENS.match(after):
            yield after, True
