"""The reason that a score gives for its verdict, in the language of the page.

Scores are stored, exported and reported in English, so that a page finds the wording again in the text. Texts
without values are those of `clinicnum.parsing`, which the catalogues hold.
"""

import re
from functools import cache

from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import ENGLISH, _, current_language

WITH_VALUES = (
    Translatable("no answer marked as one, as in “Answer: …”, in {n} characters"),
    Translatable("a number of more than {n} digits"),
    Translatable("the letter {letter} beside the text of another option"),
    Translatable("{letter} is the letter of no option"),
    Translatable("{time} fits {n} records"),
    Translatable("{date} is no date as month/day/year"),
    Translatable("{value} is given, but the records do not document it"),
    Translatable("{value} is the time of no record"),
    Translatable("{value} is the time asked for"),
    Translatable("{value} is the right option"),
    Translatable("{value} is too coarse to tell {answer}"),
    Translatable("{value} is not a value in no unit"),
    Translatable("{value} is not a value in {unit}"),
    Translatable("{value} is {answer} rounded to {digits} decimals"),
    Translatable("an error in place of an answer: {error}"),
    Translatable("declines by its words, above all {words}"),
    Translatable("does not decline by its words, above all {words}"),
    Translatable("cut off with {n} of {total} points found"),
    Translatable("{n} of {total} points found"),
    Translatable("missed: {points}"),
    Translatable("by their words only, for a human to confirm: {points}"),
    Translatable("an error in sentence {n} is wrong: it is in sentence {gold}"),
    Translatable("an error in sentence {n} is wrong: there is none"),
    Translatable("an error in sentence {n} is right"),
    Translatable("no error is wrong: it is in sentence {gold}"),
    Translatable("correction ROUGE-1 F {share}, for a human to judge"),
    Translatable("sentence {n} is none of the note's"),
    Translatable("{value} equals {answer}"),
    Translatable("{value} is not {answer}"),
    Translatable("{value} is {answer}"),
)
"""Reasons with values, the more specific ones first: the last ones would fit many of those before them."""
WITHOUT_VALUES = (
    Translatable("declines"),
    Translatable("no error is right"),
    Translatable("that there is an error is right"),
    Translatable("no correction is given"),
    Translatable("several sentences and none marked as the wrong one"),
    Translatable("one sentence or another, and none marked as the wrong one"),
    Translatable("neither CORRECT alone nor one sentence marked as the wrong one"),
)
"""What the scorers of points and of notes with an error say."""
_CUT_OFF = Translatable("cut off: {reason}")
_FIELD = re.compile(r"\\\{(\w+)\\\}")


def scored_reason(reason: str) -> str:
    """A score's reason in the current language; a text that no scorer of this version gives stays English."""
    if current_language() == ENGLISH:
        return reason
    parts = reason.split("; ")
    shown = [_wording(part) for part in parts]
    told = all(one != part for one, part in zip(shown, parts, strict=True))
    return "; ".join(shown) if told else _wording(reason)


def _wording(reason: str) -> str:
    known = _(reason)
    if known != reason:
        return known
    if reason.startswith("cut off: "):
        return _(_CUT_OFF, reason=scored_reason(reason.removeprefix("cut off: ")))
    for wording, pattern in _patterns():
        found = pattern.fullmatch(reason)
        if found:
            return _(wording, **found.groupdict())
    return reason


@cache
def _patterns() -> tuple[tuple[Translatable, re.Pattern[str]], ...]:
    """Each wording with a pattern that finds its values again."""
    return tuple(
        (one, re.compile(_FIELD.sub(r"(?P<\1>.+?)", re.escape(one)), re.DOTALL)) for one in WITH_VALUES
    )
