"""Answer points: which of the required points an answer contains, so that omission is measured.

A point with a `value` is found if everything in the value is in the text, thinking excluded: each date and
time (a partial one is completed from the records), each number and, for an imported item, each word. A number
is found if the text has it, or one that rounds to it, or, where a decimal is written, one that it rounds to;
a number in a known unit of another scale is converted first. A value without numbers must occur as a phrase
and not be denied.

A point without a value is found if all its numbers, and at least two thirds of its other words regardless of
endings, occur within two successive sentences that do not deny them. That rule of thumb is ours; `by_words`
names the points it judged, for a human to confirm.

Recall is the share of points found. It is undefined for an item without points. `macro_recall` is the mean
over items, each with equal weight; its interval takes items of one patient together. A score is `lenient`,
and as there is no asked form also `strict`, if every point is found.

Not accepted: a range for one of its ends ("110-120"), "not 110", numbers of lists and steps. Only the last
20,000 characters are read.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import numpy as np

from clinicnum.parsing import Reading, nothing_said
from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.datetimes import times_in
from clinicnum.parsing.numbers import Amount, numbers_in
from clinicnum.parsing.parse_result import cleaned
from clinicnum.parsing.thinking import split_thinking
from clinicnum.scoring.same_amount import same_amount
from clinicnum.scoring.shared_scoring_steps import without_value
from clinicnum.stats.clustered_intervals import mean_interval
from clinicnum.stats.jackknife import Interval
from clinicnum.types import Frozen, Generation, Instance, Point, Score

MAX_LENGTH = 20_000
"""Characters that are read, counted from the end."""
ENOUGH_WORDS = 2 / 3
_STEM = 5
_WORD = re.compile(r"[a-z][a-z'’]*|[0-9]+(?:\.[0-9]+)?")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_EMPTY_WORDS = re.compile(
    r"a|an|the|is|are|was|were|be|been|it|its|this|that|these|those|of|in|on|at|to|for|from|with|by|as|and|or"
    r"|than|then|which|what|has|have|had|will|would|should|must|can|may|so"
)
_DENIALS = frozenset(("no", "not", "never", "without", "none", "neither", "nor", "isn't", "wasn't", "denies"))
_ADVICE = re.compile(r"(?:^|[.!?;:]\s)\s*(?:do not|don't) give\b", re.IGNORECASE | re.MULTILINE)
"""What reads like "the record does not give it", and is advice."""
_NEAR = 4
"""Most words between a negation and the word that it negates."""


@dataclass(frozen=True, slots=True)
class PointRecall:
    """Which answer points of an item a generation contains."""

    found: tuple[str, ...]
    missed: tuple[str, ...]
    by_words: tuple[str, ...]
    """Those of `found` and `missed` that were looked for by their words, by a rule of thumb."""
    recall: float | None
    """Share of the points found, from 0 to 1; None exactly where `undefined` says why."""
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class MacroRecall:
    """Mean recall over items, each with the same weight."""

    n: int
    """Items whose recall is defined."""
    n_undefined: int
    recall: float | None
    """None if no item's recall is defined."""
    complete: float | None
    """Share of items with every point found."""
    interval: Interval | None


def fault(instance: Instance) -> str | None:
    """What is wrong with an instance's answer points; None if nothing is."""
    if not instance.points:
        return "points is empty; expected at least one answer point, as scoring is 'points'; add one"
    return None


class PointCheck(Frozen):
    """One answer point, and whether an answer contains it."""

    text: str
    found: bool
    by_words: bool
    """Whether it was looked for by its words, by a rule of thumb."""


def point_checks(instance: Instance, text: str) -> tuple[PointCheck, ...]:
    """Whether an answer has each answer point of its instance; empty for an instance without points."""
    said = _Text(split_thinking(text)[0][-MAX_LENGTH:], instance) if instance.points else None
    return tuple(
        PointCheck(text=one.text, found=said is not None and said.has(one), by_words=one.value is None)
        for one in instance.points
    )


def recall_of(instance: Instance, generation: Generation) -> PointRecall:
    """The points that a generation contains, however its instance is scored. Never raises."""
    if not instance.points:
        return PointRecall((), (), (), None, "the item has no answer points")
    text = _Text(split_thinking(generation.text)[0][-MAX_LENGTH:], instance)
    found = [point.id for point in instance.points if text.has(point)]
    missed = [point.id for point in instance.points if point.id not in found]
    by_words = [point.id for point in instance.points if point.value is None]
    return PointRecall(tuple(found), tuple(missed), tuple(by_words), len(found) / len(instance.points))


def macro_recall(items: Iterable[tuple[Instance, PointRecall]], *, level: float = 0.95) -> MacroRecall:
    """Mean recall over items, with a delete-one-subject jackknife interval at confidence `level`.

    Items whose recall is undefined are counted, and left out.
    """
    rows = [(instance.subject_id, recall.recall) for instance, recall in items]
    defined = [(subject, value) for subject, value in rows if value is not None]
    if not defined:
        return MacroRecall(0, len(rows), None, None, None)
    mean = sum(value for _, value in defined) / len(defined)
    complete = sum(value == 1 for _, value in defined) / len(defined)
    subjects, values = [subject for subject, _ in defined], np.array([value for _, value in defined])
    interval = mean_interval(subjects, values, level=level, bounds=(0.0, 1.0))
    return MacroRecall(len(defined), len(rows) - len(defined), mean, complete, interval)


def judge(instance: Instance, generation: Generation) -> Score:
    """The score of a generation by the answer points that it contains; the reason lists the missed ones."""
    cut_off = generation.finish_reason == "length"
    if not split_thinking(generation.text)[0].strip():
        return without_value(instance, generation, nothing_said(generation.text, cut_off=cut_off))
    recall = recall_of(instance, generation)
    reason = f"{len(recall.found)} of {len(instance.points)} points found"
    if recall.missed:
        reason += f"; missed: {', '.join(recall.missed)}"
        if cut_off:
            return without_value(instance, generation, Reading("truncated", None, f"cut off with {reason}"))
        if not recall.found and abstains(_ADVICE.sub(" ", generation.text[-MAX_LENGTH:])):
            return without_value(instance, generation, Reading("abstention", "prose", f"declines; {reason}"))
    if recall.by_words:
        reason += f"; by their words only, for a human to confirm: {', '.join(recall.by_words)}"
    return Score(
        generation_id=generation.generation_id,
        parsed=" ".join(recall.found) or None,
        form="points",
        status="incorrect" if recall.missed else "correct",
        strict=not recall.missed,
        lenient=not recall.missed,
        flexible=not recall.missed,
        reason=reason,
    )


class _Text:
    """A generated text, parsed once for all points."""

    def __init__(self, text: str, instance: Instance) -> None:
        self._elsewhere = instance.operation == "external"
        self._times: Collection[datetime] = [record.charttime for record in instance.records]
        self._said_times = set(times_in(text, self._times))
        self._amounts = numbers_in(text)
        self._words = _words(text)
        sentences = [_words(sentence) for sentence in _SENTENCES.split(text) if sentence.strip()]
        self._windows = [first + second for first, second in pairwise(sentences)] or sentences

    def has(self, point: Point) -> bool:
        """Whether the text contains a point."""
        return self._has_words(point.text) if point.value is None else self._has_value(point.value)

    def _has_value(self, value: str) -> bool:
        wanted, times = numbers_in(value), set(times_in(value, self._times))
        if not wanted and not times:
            return self._has_phrase(_words(value))
        words = _content(_words(_without(value, wanted))) if self._elsewhere else []
        return times <= self._said_times and self._has_amounts(wanted) and all(map(self._has_word, words))

    def _has_amounts(self, wanted: Iterable[Amount]) -> bool:
        return all(any(same_amount(said, amount) for said in self._amounts) for amount in wanted)

    def _has_word(self, word: str) -> bool:
        return any(said[:_STEM] == word[:_STEM] for said in self._words)

    def _has_phrase(self, wanted: list[str]) -> bool:
        """Whether the words occur in this order and are not negated."""
        denied = not _DENIALS.isdisjoint(wanted)
        for start in range(len(self._words) - len(wanted) + 1):
            if self._words[start : start + len(wanted)] == wanted:
                before = self._words[max(0, start - _NEAR) : start]
                if denied or _DENIALS.isdisjoint(before):
                    return bool(wanted)
        return False

    def _has_words(self, text: str) -> bool:
        wanted = {word[:_STEM] for word in _content(_words(text))}
        if not self._has_amounts(numbers_in(text)):
            return False
        denied = not _DENIALS.isdisjoint(_words(text))
        return any(_share(wanted, window, denied) >= ENOUGH_WORDS for window in self._windows)


def _without(value: str, amounts: Iterable[Amount]) -> str:
    """`value` without its numbers and their units."""
    text = cleaned(value)
    for amount in amounts:
        text = text[: amount.span[0]] + " " * (amount.stop - amount.span[0]) + text[amount.stop :]
    return text


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _content(words: Iterable[str]) -> list[str]:
    """Content words: without numbers, which are matched as amounts, and without negations."""
    return [
        word
        for word in words
        if word[0].isalpha() and word not in _DENIALS and not _EMPTY_WORDS.fullmatch(word)
    ]


def _share(wanted: set[str], window: list[str], denied: bool) -> float:
    """Share of the wanted stems in a window; negated ones count only if `denied`."""
    if not wanted:
        return 1.0
    there = {
        word[:_STEM]
        for place, word in enumerate(window)
        if denied or _DENIALS.isdisjoint(window[max(0, place - _NEAR) : place])
    }
    return len(wanted & there) / len(wanted)
