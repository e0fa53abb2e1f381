"""Accuracy by the patient's age and sex, and how it differs from the other patients'.

Age and sex are those of the first record in time or, for an imported item, the dimensions `age` and `sex` (or
`gender`) of its source. Whole patients are in a subgroup, so nothing is paired: the difference is between
different patients, and other things about them may differ too.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from clinicnum.records.stratified_context_order import AGE_EDGES
from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, undefined_figure
from clinicnum.stats.share_difference import difference_interval
from clinicnum.stats.two_way_clusters import Crossing
from clinicnum.tables.paper_table import (
    MODEL,
    TWO_WAY_NOTE,
    Measure,
    PaperTable,
    Row,
    accuracy,
    each_run,
    table,
)
from clinicnum.types import Record

UNKNOWN = "not given"
_SEXES = {"f": "female", "female": "female", "m": "male", "male": "male"}
_AGES = ("under 40", "40 to 64", "65 to 79", "80 and over")


def sex_of(answer: Answer) -> str:
    """The patient's sex: `female`, `male`, another value that the source gives, or `not given`."""
    given = answer.instance.dimensions
    first = _first_record(answer)
    said = (first.gender if first else None) or given.get("sex") or given.get("gender") or ""
    return _SEXES.get(said.strip().lower(), said.strip() or UNKNOWN)


def age_of(answer: Answer) -> str:
    """The patient's age group, or `not given`."""
    first = _first_record(answer)
    age = first.age_years if first else None
    if age is None:
        said = answer.instance.dimensions.get("age", "")
        age = int(said) if said.isascii() and said.isdigit() and len(said) < 4 else None
    return UNKNOWN if age is None else _AGES[sum(age >= edge for edge in AGE_EDGES)]


def by_subgroup(runs: Sequence[Run]) -> PaperTable:
    """Table of accuracy in each age group and sex, and its difference from all others of known age or sex."""
    return table(
        "accuracy_by_subgroup",
        "Accuracy by age and sex",
        "Unit: answers to questions that are neither variants nor flagged as not discriminating (V7). "
        "Difference: accuracy less that on all other patients whose age (sex) is known; for two groups both "
        f"rows say the same. {TWO_WAY_NOTE} Of a difference: square-and-add of both, with their correlation; "
        "not corrected for the number of rows.",
        (MODEL, ("by", "By"), ("group", "Group")),
        (Measure("accuracy", "Accuracy"), Measure("difference", "Difference", "points")),
        each_run(runs, _rows),
        "age and sex have no fields of their own; what texts or lists of values say of them is not read",
    )


def _rows(run: Run) -> Iterable[Row]:
    answers = run.bases
    for name, order, group in (("sex", ("female", "male"), sex_of), ("age", _AGES, age_of)):
        yield from _of(answers, name, order, group)


def _of(
    answers: Sequence[Answer], name: str, order: Sequence[str], group: Callable[[Answer], str]
) -> Iterable[Row]:
    groups = [group(one) for one in answers]
    found = set(groups) - {UNKNOWN}
    known = [(one, of) for one, of in zip(answers, groups, strict=True) if of != UNKNOWN]
    for value in sorted(found, key=lambda one: (order.index(one) if one in order else len(order), one)):
        here = [one for one, of in known if of == value]
        yield Row((name, value), (accuracy(here), _difference(known, value)))
    if found and len(known) < len(answers):
        rest = [one for one, of in zip(answers, groups, strict=True) if of == UNKNOWN]
        yield Row((name, UNKNOWN), (accuracy(rest), undefined_figure(f"{name} is not given")))


def _difference(known: Sequence[tuple[Answer, str]], value: str) -> Figure:
    inside = np.array([of == value for _, of in known], dtype=bool)
    if inside.all():
        return undefined_figure("there are no other patients to compare with")
    right = np.array([one.right for one, _ in known], dtype=float)
    crossing = Crossing.of(
        Subjects.of(one.subject for one, _ in known),
        Subjects.of(one.instance.template_id for one, _ in known),
    )
    parts = crossing.totals(right, inside), crossing.totals(right, ~inside)
    return Figure(
        float(right[inside].mean() - right[~inside].mean()),
        len(known),
        len(np.unique(crossing.subject)),
        difference_interval(crossing, *parts),
        NOT_DRAWN,
    )


def _first_record(answer: Answer) -> Record | None:
    return min(answer.instance.records, key=lambda one: one.charttime, default=None)
