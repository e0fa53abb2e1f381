"""Accuracy by factor and operation, by number of steps, by template, and by dimension of imported items.

Factors are the representations of records, and the kinds of variants. Each is compared with its reference on
the same questions: a variant with the question that it rewrites, a representation with the first one that
the benchmark has. Orders of options and personas have tables of their own
(`clinicnum.robustness.option_order`, `clinicnum.tables.personas`).
"""

from collections.abc import Iterable, Sequence

from clinicnum.robustness.run_answers_and_pairs import Answer, Run, pairs_of
from clinicnum.stats.dimension_accuracy import accuracy_by_dimension
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure
from clinicnum.tables.paper_table import (
    MODEL,
    PAIRED_NOTE,
    TWO_WAY_NOTE,
    Measure,
    PaperTable,
    Row,
    accuracy,
    by_operation,
    each_run,
    paired_difference,
    table,
)
from clinicnum.tables.personas import persona_of
from clinicnum.types import REPRESENTATIONS

_ACCURACY = Measure("accuracy", "Accuracy")
_UNIT = "Unit: answers to questions that are neither variants nor flagged as not discriminating (V7)."
Matched = list[tuple[Answer, Answer]]
"""Pairs of answers to one question: under a factor, and under its reference."""


def by_factor(runs: Sequence[Run]) -> PaperTable:
    """Accuracy under each factor and its difference from the reference, by operation and over all."""
    return table(
        "accuracy_by_factor",
        "Accuracy by factor and operation",
        "Unit: questions answered both under the factor and under its reference, neither flagged as not "
        "discriminating (V7): a variant and the question that it rewrites, or two representations of one "
        "question. Right is judged by each one's own gold. Difference: accuracy under the factor less that "
        f"under the reference. {TWO_WAY_NOTE} {PAIRED_NOTE} It is not corrected for the number of rows.",
        (MODEL, ("factor", "Factor"), ("reference", "Reference"), ("operation", "Operation")),
        (
            _ACCURACY,
            Measure("reference_accuracy", "Of the reference"),
            Measure("difference", "Difference", "points"),
        ),
        each_run(runs, _factor_rows),
        "the benchmark has one representation, and no variant was answered with its base",
    )


def by_steps(runs: Sequence[Run]) -> PaperTable:
    """Table of accuracy by the number of steps that the calculation takes."""

    def rows(run: Run) -> Iterable[Row]:
        asked = [one for one in run.bases if one.instance.operation != "external"]
        for steps in sorted({one.instance.steps for one in asked}):
            yield Row((str(steps),), (accuracy([one for one in asked if one.instance.steps == steps]),))

    return table(
        "accuracy_by_steps",
        "Accuracy by number of steps",
        f"{_UNIT} Steps: operations of the template's calculation. {TWO_WAY_NOTE}",
        (MODEL, ("steps", "Steps")),
        (_ACCURACY,),
        each_run(runs, rows),
        "of these items, which were made elsewhere, it is not known how many steps each takes",
    )


def by_template(runs: Sequence[Run]) -> PaperTable:
    """Table of accuracy on each template, or on each kind of imported item."""

    def rows(run: Run) -> Iterable[Row]:
        for name in sorted({one.instance.template_id for one in run.bases}):
            of_one = [one for one in run.bases if one.instance.template_id == name]
            yield Row((name, of_one[0].instance.operation), (accuracy(of_one),))

    return table(
        "accuracy_by_template",
        "Accuracy by template",
        f"{_UNIT} Intervals are of other subjects, and this template. A template of items made elsewhere is "
        "their kind by the source, such as a calculator.",
        (MODEL, ("template", "Template"), ("operation", "Operation")),
        (_ACCURACY,),
        each_run(runs, rows),
        "no question that counts was answered",
    )


def by_dimension(runs: Sequence[Run]) -> PaperTable:
    """Table of accuracy by each dimension in which imported items differ: category, task, language, ..."""

    def rows(run: Run) -> Iterable[Row]:
        for one in accuracy_by_dimension((each.instance, each.score) for each in run.bases):
            figure = Figure(one.accuracy, one.n, one.n_subjects, one.interval, NOT_DRAWN)
            yield Row((one.dimension, one.value or "not given"), (figure,))

    return table(
        "accuracy_by_dimension",
        "Accuracy by dimension of items made elsewhere",
        f"{_UNIT} Dimensions and values are the source's. {TWO_WAY_NOTE}",
        (MODEL, ("dimension", "Dimension"), ("value", "Value")),
        (_ACCURACY,),
        each_run(runs, rows),
        "the items differ in no dimension of a source",
    )


def _factor_rows(run: Run) -> Iterable[Row]:
    matched = {("as " + name, "as " + other): found for (name, other), found in _representations(run)}
    for pair in pairs_of(run)[0]:
        if persona_of(pair.kind) is not None:
            continue
        matched.setdefault((pair.kind, "base"), []).append((pair.variant, pair.base))
    for (factor, reference), both in matched.items():
        references = {one.instance.instance_id: other for one, other in both}
        for operation, here in by_operation([one for one, _ in both]):
            others = [references[one.instance.instance_id] for one in here]
            difference = paired_difference(list(zip(here, others, strict=True)))
            yield Row((factor, reference, operation), (accuracy(here), accuracy(others), difference))


def _representations(run: Run) -> Iterable[tuple[tuple[str, str], Matched]]:
    """Yield each representation but the first, paired with the first, and the pairs of answers to questions
    that were answered in both.
    """
    written: dict[str, dict[str, Answer]] = {}
    for one in run.bases:
        written.setdefault(one.instance.representation, {})[one.instance.group_id] = one
    names = [name for name in REPRESENTATIONS if name in written]
    for first, name in ((names[0], one) for one in names[1:]):
        here, there = written[name], written[first]
        both = [(one, there[group]) for group, one in here.items() if group in there]
        if both:
            yield (name, first), both
