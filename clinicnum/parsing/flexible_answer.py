"""Read the answer of a text that marks none, as a careful reader would.

The answer is the text's conclusion: its last sentence with a value, unless that sentence only explains an
earlier one ("This score indicates ...") or an earlier one states in the words of the question what is asked.
A sentence has a value if it holds exactly one of the asked kind, ends in one ("= 89.3"), has one in bold,
has one with the thing or unit asked for ("20 minutes" where the question asks how many minutes), or has one
after its last "is". There is no answer if the text ends in an announcement of what comes next, or if the
value of the deciding sentence cannot be read. A further question that the model made up, and all that
follows it, is left out.
"""

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.abstention import is_firm
from clinicnum.parsing.answer_sentences import (
    after_correction,
    is_aside,
    is_formula,
    is_said,
    joined,
    sentences_of,
    stands_in,
    why_no_end,
    without_discussion,
    without_explanations,
)
from clinicnum.parsing.answer_value_signs import (
    counts_another,
    ends_halfway,
    is_given,
    is_of_another_kind,
    is_worked_out,
)
from clinicnum.parsing.option_verdicts import chooses_not, named_options, tells_of_two
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.question_for_parser import Question
from clinicnum.parsing.question_overlap import key_words, share_said
from clinicnum.parsing.sentence_values import value_of
from clinicnum.parsing.units import compare_units, conversion

_LEAST_SHARED = 0.25
"""Minimum share of the question's words in the last of several sentences without concluding words."""
_STATED, _STATED_EARLIER = 0.5, 0.75
"""Least share of the question's words in a sentence that states what is asked: as last sentence, and
earlier."""
_SAID_LOOSELY = 20
"""Most characters between a verb and a value that does not repeat the question."""
_LAST = 3
"""Number of last sentences in which a value beside an abstention is searched for."""


class _Sentence(NamedTuple):
    """A sentence that may state the answer, with its value."""

    text: str
    outcome: Found | Refused
    shared: float
    """Share of the question's words that the sentence contains."""
    at_end: bool
    """Whether at most one sentence follows."""


def read_conclusion(text: str, question: Question) -> Found | Refused:
    """The value that a text concludes with; sentences below a heading such as "Explanation" are used only if
    those above give none.
    """
    sentences = sentences_of(text)
    heading = next((n for n, one in enumerate(sentences) if n and patterns.EXPLANATION.match(one)), None)
    answer = _read_end(text, sentences[:heading], question)
    return answer if heading is None or isinstance(answer, Found) else _read_end(text, sentences, question)


def _read_end(text: str, sentences: list[str], question: Question) -> Found | Refused:
    """The value that the last of the given sentences conclude with."""
    bare = without_explanations(sentences, question.asked)
    plain = joined(bare)
    no_end = why_no_end(bare, plain, question.asked)
    if no_end:
        return Refused(no_end)
    plain = after_correction(plain)
    telling = _in_asked_unit(list(_telling(plain, question)), question.asked)
    if not telling:
        return Refused("no sentence with a value")
    chosen = _concluded(telling, plain, question)
    if isinstance(chosen, Refused):
        return chosen
    if _repeats_question(text, chosen, question):
        return Refused("its value is one that the question gives")
    return chosen.outcome


def _concluded(telling: list[_Sentence], plain: Sequence[str], question: Question) -> _Sentence | Refused:
    """The sentence that a text concludes with; `telling` holds the sentences with values, last to first."""
    last = telling[0]
    if patterns.FRAGMENT.fullmatch(plain[-1]) and not _concludes(last):
        return Refused("the text breaks off")
    concluded = _concludes(last, equations=False) or _is_bare(last)
    if ends_halfway(plain) and last.text != plain[-1] and not concluded:
        return Refused("the text breaks off")
    if _is_compared(last.text, question.asked):
        return Refused("its last value is one to compare with")
    decided = patterns.DECIDES.search(last.text) and patterns.STOPPED.search(plain[-1])
    if not decided and (_chooses_several(telling, question) or _speaks_of_others(last, plain, question)):
        return Refused("several options are spoken of, and none is decided on")
    stated = [
        one
        for one in telling
        if isinstance(one.outcome, Found)
        and _is_stated(one)
        and (one is last or not is_given(one.outcome, question))
    ]
    best = max(stated, key=lambda one: one.shared, default=last)
    of_another = patterns.LABELLED_EQUATION.match(last.text) and last.shared == 0 and best.shared == 1
    if not of_another and (_concludes(last) or _is_bare(last) or _says_again(telling)):
        return last
    if (
        best.shared > last.shared
        or best in stated
        or (isinstance(last.outcome, Refused) and best is not last)
    ):
        return best
    if _is_loose(last, plain, question):
        return Refused("the last value is in passing")
    off = len(key_words(question.asked)) > 1 and len(plain) > 2 and last.shared < _LEAST_SHARED
    return (
        last
        if last.at_end and (question.kind == "choice" or not off)
        else Refused("the last value is not what the text ends in")
    )


def _is_loose(last: _Sentence, sentences: Sequence[str], question: Question) -> bool:
    """Whether no verb states the last number, no equation gives it, and its sentence does not say what is
    asked.
    """
    found = last.outcome
    if question.kind not in ("number", "count", "any") or not isinstance(found, Found) or found.detail:
        return False
    if patterns.YEAR_ASKED.search(question.asked):
        return False
    if any(found.written in "".join(bold) for bold in patterns.BOLD.findall(last.text)):
        return False
    text = last.text.replace("*", "")
    if found.written not in text or patterns.OPENS.match(text) or patterns.BEFORE_COPULA.search(text):
        return False
    if is_worked_out(found, "\n".join(sentences)):
        return False
    return not is_said(found.written, text, question.asked, within=_SAID_LOOSELY)


def _repeats_question(text: str, sentence: _Sentence, question: Question) -> bool:
    """Whether a sentence merely repeats a number of the question: it is neither the result of an equation,
    nor does the sentence conclude it or state it as what is asked.
    """
    found = sentence.outcome
    if not isinstance(found, Found) or not is_given(found, question) or _is_bare(sentence):
        return False
    states = sentence.shared >= (_STATED if sentence.at_end else _STATED_EARLIER)
    if states and is_said(found.written, sentence.text, question.asked):
        return False
    return not _concludes(sentence, equations=False) and not is_worked_out(found, text)


def read_beside_refusal(text: str, question: Question) -> Found | Refused:
    """The value that one of the last sentences of a partly abstaining text states in the question's words.

    Refused if none states one, if it or a later one abstains, or if any says that none can be known.
    """
    plain = without_explanations(sentences_of(text), question.asked)
    for sentence in reversed(plain[-_LAST:]):
        if question.declined_by(sentence) or is_firm(text):
            break
        for one in _telling([sentence], question):
            if isinstance(one.outcome, Found) and _is_stated(one):
                return one.outcome
    return Refused("no value is stated after what declines")


def _chooses_several(telling: Sequence[_Sentence], question: Question) -> bool:
    """Whether the sentences choose different options of a multiple choice question."""
    chosen = {one.outcome.written for one in telling if isinstance(one.outcome, Found)}
    return question.kind == "choice" and len(chosen) > 1


def _concludes(sentence: _Sentence, *, equations: bool = True) -> bool:
    """Whether a sentence marks its value as a conclusion: by words before it or, with `equations`, by "="."""
    found = sentence.outcome
    before, value, _ = sentence.text.rpartition(found.written if isinstance(found, Found) else "\n")
    said = before + value if before else sentence.text
    return patterns.CONCLUDES.search(said if equations else said.replace("=", ":")) is not None


def _speaks_of_others(last: _Sentence, sentences: Sequence[str], question: Question) -> bool:
    """Whether other sentences each name one other option, as the last sentence names its own."""
    found, options = last.outcome, tuple(question.options)
    if not isinstance(found, Found) or found.detail != "option_text":
        return False
    each = [named_options(one, options) for one in sentences]
    if patterns.ALSO.search(last.text) and any(one - {ord(found.written) - ord("A")} for one in each):
        return True
    named = {one.copy().pop() for one in each if len(one) == 1} | {ord(found.written) - ord("A")}
    return last.shared < _STATED_EARLIER and (len(named) > 2 or tells_of_two(sentences, options))


def _is_bare(sentence: _Sentence) -> bool:
    """Whether a sentence consists of its value and at most one other word."""
    return isinstance(sentence.outcome, Found) and len(patterns.WORD.findall(sentence.text.lower())) <= 1


def _in_asked_unit(telling: list[_Sentence], asked: str) -> list[_Sentence]:
    """Drop the last sentences with a unit of another quantity, if an earlier value has the asked unit."""
    unit = patterns.UNIT_ASKED.search(asked)
    kept = list(dropwhile(lambda one: _in_another_unit(one, unit[1]), telling)) if unit else telling
    found = kept[0].outcome if kept else None
    return kept if isinstance(found, Found) and found.unit else telling


def _in_another_unit(sentence: _Sentence, unit: str) -> bool:
    """Whether the value of a sentence has a unit of another quantity than `unit`."""
    found = sentence.outcome
    written = found.unit if isinstance(found, Found) else None
    if not written or compare_units(unit, written) == "asked":
        return False
    return conversion(asked=unit, written=written) is None


def _says_again(telling: Sequence[_Sentence]) -> bool:
    """Whether the first and the last sentence with a value state the same value."""
    first, last = telling[-1].outcome, telling[0].outcome
    if first is last or not isinstance(first, Found) or not isinstance(last, Found):
        return False
    return first.written == last.written


def breaks_off(text: str, question: Question) -> bool:
    """Whether a text ends in an announcement, or in an incomplete sentence that chooses no option."""
    sentences = without_explanations(sentences_of(text))
    if not sentences or patterns.PENDING.fullmatch(sentences[-1]) or is_formula(sentences):
        return bool(sentences)
    half = question.kind == "choice" and ends_halfway(sentences)
    return half and not isinstance(question.read(sentences[-1], anywhere=True), Found)


def merely_mentions(text: str, value: Found, question: Question) -> bool:
    """Whether no sentence with the text's only value answers by it: each compares it, counts something else,
    repeats the question, or names an option that it does not choose. False if none has the value.
    """
    by_text = value.detail == "option_text"
    if question.kind == "choice":
        told = [one for one in sentences_of(text) if isinstance(question.read(one, anywhere=True), Found)]
        return bool(told) and all(chooses_not(one, question.asked, by_text=by_text) for one in told)
    sentences = sentences_of(text)
    of = ((one, share_said(one, question.asked)) for one in sentences if value.written in one)
    telling = [_Sentence(one, value, share, one == sentences[-1]) for one, share in of]
    return bool(telling) and all(
        _is_compared(one.text, question.asked)
        or (not _is_bare(one) and is_of_another_kind(value, one.text, question.asked))
        or _repeats_question(text, one, question)
        for one in telling
    )


def _is_compared(sentence: str, asked: str) -> bool:
    """Whether a sentence gives a value for comparison, or counts something else than what is asked for."""
    compares = patterns.COMPARES.match(sentence) is not None and is_aside(sentence, asked.lower())
    return compares or counts_another(sentence, asked)


def _telling(sentences: Sequence[str], question: Question) -> Iterator[_Sentence]:
    """Yield the sentences that have a value, the last one first."""
    if question.kind == "choice" and sum(bool(patterns.OPTION_ITEM.match(one)) for one in sentences) > 1:
        sentences = [one for one in sentences if not patterns.OPTION_ITEM.match(one)]
    sentences = without_discussion(sentences, question.options)
    if question.kind != "choice":
        sentences = [one for one in sentences if not stands_in(one, question.asked)]
    for place, sentence in enumerate(reversed(sentences)):
        shared = share_said(sentence, question.asked)
        supposes = patterns.SUPPOSES.match(sentence) is not None
        concludes = (shared >= 0.5 or place == 0) and not supposes
        outcome = value_of(sentence, question, concludes=concludes, shared=shared)
        if outcome is not None and not is_of_another_kind(outcome, sentence, question.asked):
            yield _Sentence(sentence, outcome, shared, place <= 1)


def _is_stated(sentence: _Sentence) -> bool:
    """Whether a sentence states its value in the words of the question, after a verb such as "is"."""
    assert isinstance(sentence.outcome, Found)
    if sentence.outcome.detail == "option_text":
        return sentence.shared >= 0.5
    if patterns.TO_DO.match(sentence.text):
        return False
    before, found, _ = sentence.text.partition(sentence.outcome.written)
    if sentence.outcome.detail == "scale_word":
        before, found = patterns.NUMBER_BEGINS.split(sentence.text, maxsplit=1)[0], "written otherwise"
    return sentence.shared >= 0.5 and bool(found) and patterns.STATES.search(before) is not None
