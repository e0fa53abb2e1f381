"""Read the value of a single sentence, in a text that marks no answer."""

import re
from collections.abc import Iterator

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.answer_value_signs import (
    counts_another,
    is_of_another,
    names_alternatives,
    of_whom_asked,
    without_echoes,
)
from clinicnum.parsing.latex import without_latex
from clinicnum.parsing.numbers import numbers_in, without_names
from clinicnum.parsing.option_verdict_words import DENIES, WRONG, asks_for_wrong
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.question_for_parser import Question
from clinicnum.parsing.question_overlap import key_words

_MOST_SHARED = 0.75
"""Share of the question's words from which a sentence restates the question in full."""
_SHARED_OF_BOUND = 0.5
"""Share of the question's words from which a bound is the answer and not a mere remark."""
_DIGIT = re.compile(r"[0-9]")


def value_of(sentence: str, question: Question, *, concludes: bool, shared: float) -> Found | Refused | None:
    """The value of a sentence; None if it states none.

    `shared` is the share of the question's words in the sentence. `concludes`: the position or words of the
    sentence allow it to choose an option without words of choosing.
    """
    if question.kind == "choice":
        repeats = shared >= _MOST_SHARED and len(key_words(question.asked)) > 1
        return _chosen(sentence, question, concludes=concludes, repeats=repeats)
    sentence = without_echoes(_in_plain_numbers(sentence, question), question)
    if question.kind not in ("number", "count", "any"):
        return _single(sentence, question)
    year_asked = patterns.YEAR_ASKED.search(question.asked) is not None
    if _says_nothing(sentence) and not year_asked:
        return None
    if (
        shared < _SHARED_OF_BOUND
        and not _DIGIT.search(patterns.BOUND.sub(" ", sentence))
        and _DIGIT.search(sentence)
    ):
        return None
    if patterns.TWO_UNITS.search(sentence):
        return Refused("one amount in two units")
    if _says_no_number(sentence) or names_alternatives(sentence):
        return Refused("an expression or several values, not one number")
    if _is_of_something_else(sentence, question.asked):
        return Refused("the value of a step, or of another person or thing")
    sentence = of_whom_asked(sentence, question.asked)
    years = set(patterns.YEAR.findall(sentence)) if year_asked else set()
    if len(years) == 1:
        return question.read(years.pop())
    variables = dict(patterns.NAMED_VALUE.findall(sentence))
    if len(variables) > 1:
        wanted = set(patterns.VARIABLE_ASKED.findall(question.asked)) or set(
            re.findall(r"\w+", question.asked)
        )
        named = [value for name, value in variables.items() if name in wanted]
        return question.read(named[0]) if len(named) == 1 else Refused("values of several variables")
    return _single(sentence, question)


def _is_of_something_else(sentence: str, asked: str) -> bool:
    """Whether a sentence computes an intermediate step, or is about another person or thing than asked."""
    if patterns.STEP.match(sentence) and not patterns.STEP_ASKED.search(asked):
        return True
    return is_of_another(sentence, asked) or counts_another(sentence, asked)


def _single(sentence: str, question: Question) -> Found | Refused | None:
    """The one value of a sentence, or else that of the part most likely to state it."""
    whole = question.read(sentence, anywhere=True)
    if isinstance(whole, Found):
        return whole
    says_several = len(set(patterns.SAID_VALUE.findall(sentence))) > 1 and "=" not in sentence
    if says_several and question.kind != "datetime":
        return Refused("values of several things")
    if not _DIGIT.search(sentence):
        return _in_words(sentence, question)
    for part, opens in _parts(sentence, question):
        found = question.read(part, anywhere=not opens)
        if isinstance(found, Found):
            return found
    return whole


def _in_words(sentence: str, question: Question) -> Found | Refused | None:
    """The count that a sentence without digits states in words."""
    if patterns.THERE_ARE_NONE.search(sentence) and patterns.HOW_MANY_OF.search(question.asked):
        return question.read("0")
    counted = patterns.HOW_MANY.search(question.asked)
    if not counted:
        return None
    small = set(patterns.SMALL_NUMBER.findall(sentence))
    if not small and re.search(rf"\bno\s{re.escape(counted[1].rstrip('s'))}", sentence, re.IGNORECASE):
        return question.read("0")
    return question.read(small.pop()) if len(small) == 1 else None


def _says_nothing(sentence: str) -> bool:
    """Whether a sentence has digits, but only in names, times or ages."""
    return _DIGIT.search(sentence) is not None and not _DIGIT.search(without_names(sentence))


def _says_no_number(sentence: str) -> bool:
    """Whether a sentence marks an answer without digits, or ends in an expression instead of a number."""
    if not _DIGIT.search(sentence):
        return patterns.NO_VALUE.search(sentence) is not None
    side = re.split(r"[=≈]", sentence)[-1]
    if side == sentence:
        return patterns.PRODUCT.search(sentence.rpartition(" is ")[2]) is not None
    return bool(patterns.PRODUCT.search(side) or patterns.QUOTIENT.search(side))


def _in_plain_numbers(sentence: str, question: Question) -> str:
    """Normalise the numbers of a sentence: decimal commas, points of a score, and fractions as
    probabilities.

    Bounds in brackets, matrices and the like are removed; of a sentence with equations that ends in "is
    ...", only this end is kept.
    """
    sentence = patterns.BOUNDS_IN_BRACKETS.sub(" ", patterns.MATRIX.sub(" ", sentence))
    sentence = patterns.THOUSANDS_POINT.sub(
        lambda match: match[1].replace(".", "") + "." + match[2], sentence
    )
    sentence = patterns.GIVEN.sub(" ", sentence)
    sentence = patterns.DECIMAL_COMMA.sub(lambda match: match[0].replace(",", "."), sentence)
    if patterns.SCORE_ASKED.search(question.asked):
        sentence = patterns.SCORE_OF.sub(r"\1 ", patterns.AT_LEAST.sub("", sentence))
    if patterns.AGE_ASKED.search(question.asked):
        sentence = patterns.YEARS_OLD.sub(" years", sentence)
    asked = key_words(question.asked)
    if "score" not in asked or asked & patterns.CHANCES:
        sentence = patterns.FOR_SCORE.sub(" ", sentence)
    if patterns.CHANCE_ASKED.search(question.asked):
        fraction = patterns.FRACTION.search(sentence)
        if fraction:
            decimal = without_latex(f"\\frac{{{fraction[1]}}}{{{fraction[2]}}}")
            sentence = sentence[: fraction.start(1)] + decimal
    ends = patterns.ENDS_IN_IS.search(sentence) if "=" in sentence else None
    return f"is {ends[1]}" if ends else sentence


def _chosen(sentence: str, question: Question, *, concludes: bool, repeats: bool) -> Found | Refused | None:
    """The option that a sentence chooses, in words of choosing and with a letter written as an option's.

    A sentence that `concludes` may instead state an option's text after a verb such as "is"; one that
    `repeats` the words of the question may do so in any words.
    """
    brief = patterns.YES_OR_NO.match(sentence)
    if brief and brief[1].lower() in [option.strip().lower() for option in question.options]:
        return question.read(brief[1])
    found = question.read(sentence, anywhere=True)
    since = patterns.SINCE.match(sentence)
    clause = sentence[since.end() :] if since else patterns.REASONS.split(sentence, maxsplit=1)[0]
    if not isinstance(found, Found) and clause != sentence:
        found = question.read(clause, anywhere=True)
    if isinstance(found, Found) and not asks_for_wrong(question.asked):
        said = patterns.WHY.split(_said_of(sentence, found, question))[0]
        if DENIES.search(said) or WRONG.search(said):
            return None
    if not patterns.CHOOSES.search(sentence):
        said = isinstance(found, Found) and found.detail == "option_text"
        if said and patterns.IN_OTHER_CASES.search(sentence):
            return None
        states = (repeats or patterns.SAYS_OPTION.search(sentence)) and not patterns.PLANS.search(sentence)
        if asks_for_wrong(question.asked) and not DENIES.search(sentence) and not WRONG.search(sentence):
            return None
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


def _said_of(sentence: str, found: Found, question: Question) -> str:
    """What a sentence says after naming its option by letter, text or both; empty if the option itself
    contains a negation.
    """
    text = question.options[ord(found.written) - ord("A")]
    if DENIES.search(text):
        return ""
    _, _, after = sentence.partition(text or found.written)
    if not after:
        _, _, after = sentence.partition(found.written)
        after = after[len(text) :] if found.detail in ("letter_and_text", "option_text") else after
    return after


def _without_brackets(sentence: str) -> str:
    """A sentence without brackets and their content, nested up to three deep."""
    for _ in range(3):
        sentence = patterns.BRACKETS.sub(" ", sentence)
    return sentence


def _parts(sentence: str, question: Question) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence that may hold its value, likeliest first, and whether they begin with
    it.
    """
    bold = [one or other for one, other in patterns.BOLD.findall(sentence)]
    if bold:
        yield bold[-1], False
    equal = re.split(r"[=≈]", sentence)
    if len(equal) > 1:
        yield equal[-1], False
        yield equal[-1], True
        return  # an equation without a number at its end says no value
    if "→" in sentence:
        yield sentence.rpartition("→")[2], False
    for last in patterns.BEFORE_COPULA.findall(sentence):
        yield last, False
    yield from ((part, False) for part in _counted(sentence, question.asked))
    bare = patterns.OR_ELSE.sub(" ", _without_brackets(sentence))
    if bare != sentence:
        yield bare, False
    for said in reversed(list(patterns.SAYS.finditer(bare))):
        after = bare[said.end() :]
        spread = not said[0].isascii() and len(numbers_in(after)) > 1
        if patterns.OPENS.match(after) and not spread:
            yield after, True
    unit = patterns.UNIT_ASKED.search(question.asked)
    if unit:
        single = rf"(?<![\w.,–—-])[-−]?[0-9][0-9,.]*\s?{re.escape(unit[1])}(?![\w/])"
        named = re.findall(single, bare)
        if len(named) == 1 and not patterns.BETWEEN.search(bare):
            yield named[0], False


def _counted(sentence: str, asked: str) -> Iterator[str]:
    """Yield phrases that give the number of the things that the question counts, such as "3 more apples"."""
    counted = patterns.HOW_MANY.search(asked)
    if not counted:
        return
    noun = re.escape(counted[1].rstrip("s"))
    more = re.findall(rf"[-$]?[0-9][0-9,.]*\s(?:more|fewer|less)\s{noun}", sentence, re.IGNORECASE)
    if len(more) == 1:
        yield more[0]
    free = patterns.BETWEEN.sub(" ", sentence)
    named = re.findall(
        rf"[-$]?[0-9][0-9,.]*\s(?:more\s|\w+\s)?{noun}(?![^.]{{0,20}}\bor less)", free, re.IGNORECASE
    )
    if len(named) == 1:
        yield named[0]
    in_words = re.findall(rf"\b({patterns.NUMBER_WORD})\s(?:\w+\s)?{noun}", sentence, re.IGNORECASE)
    if len(in_words) == 1 and not named:
        yield in_words[0]
