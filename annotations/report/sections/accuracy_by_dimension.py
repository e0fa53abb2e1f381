"""Accuracy by dimension of imported items, and scores of the parts that their benchmark's paper defines."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from clinicnum.annotations.report.model_run import ModelRun, listed
from clinicnum.annotations.report.question_summary import subjects_word, templates_word
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.item_dimensions import values_by_dimension
from clinicnum.robustness import Pair
from clinicnum.robustness.variant_effects import FlipRow, flip_rows
from clinicnum.scoring.part_scores import PARTS, medec_baselines, part_scores
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.dimension_accuracy import DimensionRow, accuracy_by_dimension
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.rounded_figures import percent
from clinicnum.types import Instance

NOT_GIVEN = "not given"
"""Value of a dimension that an item lacks."""
MOST_SHOWN = 12
"""Most values of a dimension for an uncollapsed table, or for columns of another."""
MOST_ON_PAGE = 60
"""Most values for a table on the page."""


OF_DIMENSION = "dimension_"


def table_name(dimension: str) -> str:
    """A dimension's name as part of a table's id."""
    return f"{OF_DIMENSION}{re.sub('[^a-z0-9]+', '_', dimension.lower()).strip('_') or 'other'}"


def dimension_tables(view: StudyView) -> tuple[Table, ...]:
    """Accuracy of each model by each dimension in which the answered items differ."""
    rows = {
        run.name: accuracy_by_dimension((one.instance, one.score) for one in run.answers) for run in view.runs
    }
    names = dict.fromkeys(row.dimension for found in rows.values() for row in found)
    made: dict[str, Table] = {}
    for name in names:
        of = [(run, row) for run in view.runs for row in rows[run.name] if row.dimension == name]
        made.setdefault(table_name(name), _table(view, name, of))
    return tuple(made.values())


def _table(view: StudyView, name: str, rows: list[tuple[ModelRun, DimensionRow]]) -> Table:
    values = len({row.value for _, row in rows})
    errors = any(row.n_errors for _, row in rows)
    kinds = templates_word(view.tables.instances)
    return Table(
        id=f"accuracy_by_{table_name(name)}",
        caption=f"Accuracy by {name.replace('_', ' ')}",
        note=f"Unit: generations; n = {sum(row.n for _, row in rows)}. Lenient accuracy of the items with "
        f"each value, which the import {_taken_from(view, name)}, with a 95 % interval as in the main "
        f"table: of other {subjects_word(view.tables.instances)} and, from five {kinds} on, of other {kinds}."
        + " Errors: samples of which an error is stored in place of an answer, not among n; the last share "
        "counts them as wrong." * errors,
        trace="scores.csv: run_id, instance_id, status, lenient, subject_id, template_id; and the "
        "benchmark's instances: dimensions",
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="value", label=name.replace("_", " ").capitalize()),
            Column(key="right", label="Right", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="Accuracy", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval"),
            Column(key="subjects", label="Subjects", kind="count"),
            *_error_columns(errors=errors),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple((run.name, *_row(row, errors=errors)) for run, row in rows),
        bar=("accuracy", "ci95"),
        detail=values > MOST_SHOWN,
        in_files=values > MOST_ON_PAGE,
    )


def _taken_from(view: StudyView, dimension: str) -> str:
    """The end of the sentence "the import ...": from where it took the values of a dimension."""
    columns = view.tables.benchmark.get("columns")
    known = columns if isinstance(columns, Mapping) else {}
    column = known.get(f"dimension.{dimension}") or known.get(dimension)
    return f"took from the column “{column}”" if column else "took or derived from the source"


def _error_columns(*, errors: bool) -> tuple[Column, ...]:
    if not errors:
        return ()
    return (
        Column(key="errors", label="Errors", kind="count"),
        Column(key="errors_wrong", label="Errors as wrong", kind="share"),
    )


def _row(row: DimensionRow, *, errors: bool) -> tuple[Cell, ...]:
    return (
        row.value or NOT_GIVEN,
        row.correct,
        row.n,
        row.accuracy,
        ends(row.interval),
        row.n_subjects,
        *([row.n_errors, row.errors_wrong] if errors else []),
        _remark(row.interval),
    )


def _methods(view: StudyView, intervals: Iterable[Interval]) -> str:
    """How these intervals were made, as a sentence; empty without any."""
    found = dict.fromkeys(one.method for one in intervals if one.low is not None)
    told = " or ".join(found).replace("templates", templates_word(view.tables.instances))
    return f" Interval: {told}." if told else ""


def _remark(interval: Interval) -> str | None:
    return interval.undefined or interval.warning


def _read_from(view: StudyView) -> str:
    """The fields of the instances that hold what the parts are judged by."""
    kinds = {one.scoring for one in view.tables.instances}
    return listed(["answer", *["context"] * ("medec" in kinds), *["points"] * ("points" in kinds)])


def parts_table(view: StudyView) -> tuple[Table, ...]:
    """Scores of the parts of each model's answers; empty if items have no parts."""
    found = [
        (run.name, one)
        for run in view.runs
        if not run.keeps_readings
        for one in part_scores((answer.instance, answer.generation) for answer in run.answers)
    ]
    rows = tuple(
        (name, PARTS[one.part], one.n, one.value, ends(one.interval), _remark(one.interval))
        for name, one in found
    )
    if not rows:
        return ()
    return (
        Table(
            id="answer_parts",
            caption="What the answers get right, part by part",
            note=f"Unit: generations; n in each row. {_rules(view.tables.instances)}"
            f"{_methods(view, [one.interval for _, one in found])}",
            trace=f"the runs' generations: text; the benchmark's instances: {_read_from(view)}",
            columns=(
                Column(key="model", label="Model", once=True),
                Column(key="part", label="Part"),
                Column(key="n", label="n", kind="count"),
                Column(key="value", label="Share or mean", kind="share"),
                Column(key="ci95", label="95 % interval", kind="share_interval"),
                Column(key="remark", label="Note", kind="note"),
            ),
            rows=rows,
        ),
    )


def _rules(instances: tuple[Instance, ...]) -> str:
    scorings = {one.scoring for one in instances}
    said = []
    if "medec" in scorings:
        said.append(
            "Flag: whether the answer, as it is read, says rightly that there is an error, or none: by "
            "CORRECT, or by naming a sentence (also one that the note lacks, which is no answer to the "
            "score, or one without a correction, which MEDEC's script takes for no answer). Sentence: "
            "whether it names the right one, or rightly none. Correction over all notes, after MEDEC: 1 "
            "where reference and answer both correct nothing, 0 where only one of them does, else ROUGE-1 "
            "F: how far two sentences have the same words (parted by blanks and full stops; blanks at the "
            "ends left out, which MEDEC keeps in references), each counted once, case kept; not a share of "
            "right corrections. An answer in which neither “no error” nor one sentence is found, such as one "
            "that says only that there is an error, is wrong in all three. MEDEC's other "
            "measures of the correction, BERTScore and BLEURT, are models and are left out, and with them "
            f"its mean of the three.{_baselines(instances)}"
        )
    if "points" in scorings:
        said.append(
            "Macro-recall: the share of an item's answer points that the automatic reading finds in the "
            "answer, as a mean over items; one less it is the share omitted. A value counts as found "
            "where that reading sees each of its numbers somewhere in the text, exactly or rounded; it sees "
            "some by chance, and misses some. Points without a value are looked for "
            "by their words, a rule of thumb that misses synonyms."
        )
    return " ".join(said)


def _baselines(instances: Iterable[Instance]) -> str:
    """What two answers without any skill would score in MEDEC's parts."""
    notes = [one for one in instances if one.scoring == "medec" and one.variant is None]
    none, unchanged = medec_baselines(notes)
    said = (
        f" Always “CORRECT” would have {percent(none)} % in flag, sentence and correction over all "
        f"{len(notes)} notes, and always naming a sentence {percent(1 - none)} % in flag"
    )
    if unchanged is not None:
        wrong = round(len(notes) * (1 - none))
        said += (
            f"; the wrong sentence left as it stands, {percent(unchanged)} % in ROUGE-1 F over the {wrong} "
            "that have one"
        )
    return f"{said}."


def groupings(instances: list[Instance]) -> dict[str, tuple[list[str], list[str]]]:
    """Dimension -> (its values in order, value of each item), for dimensions in which items differ, with few
    values.
    """
    return {
        name: (
            [value or NOT_GIVEN for value in values],
            [one.dimensions.get(name, NOT_GIVEN) for one in instances],
        )
        for name, values in values_by_dimension(instances).items()
        if len(values) <= MOST_SHOWN
    }


def flips_by_dimension(pairs: Mapping[str, Sequence[Pair]]) -> tuple[Table, ...]:
    """How often answers flip under harmless changes, by values of each dimension; `pairs` maps model to its
    pairs. Empty where the items differ in no dimension of few values.
    """
    found = values_by_dimension([pair.base.instance for of_run in pairs.values() for pair in of_run])
    rows: list[tuple[Cell, ...]] = []
    for name, values in found.items():
        for (model, of_run), value in product(pairs.items(), values if len(values) <= MOST_SHOWN else ()):
            of_value = [one for one in of_run if one.base.instance.dimensions.get(name, "") == value]
            over_all = {
                row.kind: row for row in flip_rows(of_value, None)
            }  # of a kind, that over all is last
            rows += [
                (model, kind, name, value or NOT_GIVEN, *_flip_cells(row)) for kind, row in over_all.items()
            ]
    if not rows:
        return ()
    return (
        Table(
            id="robustness_flips_by_dimension",
            caption="Flips under changes that leave the right answer alone, by kind of item",
            note="Unit: pairs. Flip: wrong in the variant, of those right in the base. Reverse: right in the "
            f"variant, of those wrong in the base. Interval: {WILSON}.",
            trace="scores.csv: lenient, parsed, variant, instance_id, subject_id, run_id, flags; the "
            "benchmark's instances: base_id, dimensions",
            columns=(
                Column(key="model", label="Model", once=True),
                Column(key="kind", label="Change"),
                Column(key="dimension", label="Dimension"),
                Column(key="value", label="Value"),
                *figure_columns("flip", "Flip"),
                *figure_columns("reverse", "Reverse"),
                Column(key="remark", label="Note", kind="note"),
            ),
            rows=tuple(rows),
            detail=True,
        ),
    )


def _flip_cells(one: FlipRow) -> tuple[Cell, ...]:
    return *figure_cells(one.flip), *figure_cells(one.reverse), remarks(one.flip, one.reverse)
