"""Tokens, latency and length of the reasoning, of right and wrong answers.

Reasoning is all that a model wrote: its thinking, if kept apart, and the text itself.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.tables.mean_median_intervals import chance_above, difference_of_means, mean
from clinicnum.tables.paper_table import MODEL, Measure, PaperTable, Row, each_run, table


def _words(answer: Answer) -> float:
    return float(len(f"{answer.generation.thinking or ''} {answer.generation.text}".split()))


def _told(value: float | None) -> float | None:
    return None if value is None else float(value)


UNREAD = ("unparsable", "empty", "truncated")
"""Statuses of texts that hold no answer whose length could be compared; wrongly declining is none either."""
EFFORTS: dict[str, Callable[[Answer], float | None]] = {
    "tokens written": lambda one: _told(one.generation.completion_tokens),
    "tokens read": lambda one: _told(one.generation.prompt_tokens),
    "latency (s)": lambda one: _told(one.generation.latency_s),
    "words of the text and of any reasoning": _words,
}
"""Measure -> its value for an answer; None if unknown."""


def by_effort(runs: Sequence[Run]) -> PaperTable:
    """Table of the mean length and latency of right and wrong answers, their difference, and how well each
    tells them apart.
    """
    return table(
        "effort",
        "Tokens, latency and words, of right and wrong answers",
        "Unit: answers to questions that are neither variants nor flagged (V7), of which the measure is "
        f"known, without texts scored as {', '.join(UNREAD)} or as declining wrongly; a text that was cut "
        "off and is scored otherwise counts with the length that it has; a measure that is known of no "
        "answer, or the same for all, is left out. Difference: mean of the wrong ones less that of the "
        "right ones. Wrong is larger: the chance that a wrong answer has a larger value than a right one, "
        "equal ones counted half; one half where the measure tells nothing. Nothing is adjusted for kinds "
        "of questions or of answers, which differ in length, too."
        f"{_latency(runs)} Intervals: delete-one-subject jackknife, t(effective subjects - 1).",
        (MODEL, ("measure", "Measure")),
        (
            Measure("right", "Right", "count"),
            Measure("wrong", "Wrong", "count"),
            Measure("difference", "Difference", "count"),
            Measure("longer", "Wrong is larger"),
        ),
        each_run(runs, _rows),
        "no measure is known that differs between answers",
    )


def _latency(runs: Sequence[Run]) -> str:
    """A sentence on what latency is, where it is known of an answer; empty otherwise."""
    known = any(one.generation.latency_s is not None for run in runs for one in run.bases)
    return " Latency is as the run recorded it, also of answers that were asked side by side." * known


def _answers(one: Answer) -> bool:
    return one.score.status not in UNREAD and (one.right or one.score.status != "abstained")


def _rows(run: Run) -> Iterable[Row]:
    for name, measure in EFFORTS.items():
        read = [one for one in run.bases if _answers(one)]
        known = [(one, value) for one in read if (value := measure(one)) is not None]
        if len({value for _, value in known}) < 2:  # not known, or the same of all: it tells nothing
            continue
        values = np.array([value for _, value in known], dtype=float)
        wrong = np.array([not one.right for one, _ in known], dtype=bool)
        subjects = Subjects.of(one.subject for one, _ in known)
        alike = "all answers are right, or all are wrong"
        yield Row(
            (name,),
            (
                mean(subjects[~wrong], values[~wrong], without="no answer is right"),
                mean(subjects[wrong], values[wrong], without="no answer is wrong"),
                difference_of_means(subjects, values, wrong, without=alike),
                chance_above(subjects, values, wrong, without=alike),
            ),
        )
