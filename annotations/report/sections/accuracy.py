"""How often the model is right: by operation and representation, strict and lenient, with differences.

Headline figures leave out flagged instances (rule V7: they do not discriminate), and the flagged are counted.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from annotations.report.model import Cell, Column, KeyFigure, Section, Table
from annotations.report.sections.differences import (
    OPERATION_ORDER,
    REPRESENTATION_ORDER,
    Answer,
    differences_table,
    ends,
)
from annotations.report.view import StudyView
from clinicnum.metrics import ALL, STATUSES, AccuracyRow, AccuracyTable, accuracy_table


def accuracy_section(view: StudyView) -> Section:
    """Four tables a run: accuracy, baselines, differences between representations, statuses."""
    runs = _by_run(view)
    tables = [
        table
        for number, (run_id, answers) in enumerate(runs, start=1)
        for table in _run_tables(_run_name(view, run_id), "" if len(runs) == 1 else f"_run{number}", answers)
    ]
    return Section(
        id="accuracy",
        title="How often is the model right?",
        holds_labels=False,
        paragraphs=(
            "Accuracy is the share of generations with the right value (lenient); strict also asks for the "
            "form, unit and decimals that the question named, and the difference is the format failure rate. "
            "Every generation of the run on an instance that discriminates counts, annotated or not; an "
            "answer that cannot be read is wrong.",
        ),
        tables=tuple(tables),
    )


def accuracy_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """Accuracy and format failures of each run, for the head of the report."""
    figures = []
    for run_id, answers in _by_run(view):
        headline = [one for one in answers if not one.instance.flags and one.instance.variant is None]
        right = sum(one.score.lenient for one in headline)
        strict = sum(one.score.strict for one in headline)
        name = _run_name(view, run_id)
        figures.append(
            KeyFigure(
                label="Accuracy",
                value=_percent(right, len(headline)),
                note=f"{right} of {len(headline)}, {name}",
            )
        )
        figures.append(
            KeyFigure(
                label="Right, but not in the asked form",
                value=_percent(right - strict, len(headline)),
                note=f"{right - strict} of {len(headline)}, {name}",
            )
        )
    return tuple(figures)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _by_run(view: StudyView) -> list[tuple[str, list[Answer]]]:
    runs: dict[str, list[Answer]] = {}
    for one in view.tables.generations:
        key = one.generation_id
        runs.setdefault(one.run_id, []).append(Answer(one, view.instance(key), view.score(key)))
    return list(runs.items())


def _run_name(view: StudyView, run_id: str) -> str:
    model = view.tables.runs.get(run_id, {}).get("model")
    return str(model) if model else f"run {run_id}"


def _run_tables(name: str, suffix: str, answers: Sequence[Answer]) -> Iterator[Table]:
    table = accuracy_table((one.instance, one.score) for one in answers)
    yield _accuracy(name, suffix, table)
    yield _baselines(name, suffix, table)
    yield differences_table(name, suffix, [one for one in answers if not one.instance.flags])
    yield _statuses(name, suffix, answers)


def _accuracy(name: str, suffix: str, table: AccuracyTable) -> Table:
    return Table(
        id=f"accuracy{suffix}",
        caption=f"Accuracy of {name} by operation and representation",
        note=f"Unit: generations; n = {table.n_scored - table.n_flagged - table.n_variants}, and "
        f"{table.n_flagged} more on flagged instances, which do not discriminate and are left out"
        + (f", as are {table.n_variants} on variants" if table.n_variants else "")
        + ". Interval: delete-one-subject jackknife, t(subjects - 1).",
        trace="scores.csv: lenient, strict, operation, representation, variant, flags",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="representation", label="Written as"),
            Column(key="right", label="Right", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="Accuracy", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval"),
            Column(key="strict", label="Strict", kind="share"),
            Column(key="format_failure", label="Form missed", kind="share"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="flagged", label="Flagged", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(_accuracy_row(row) for row in table.rows),
        bar=("accuracy", "ci95"),
    )


def _accuracy_row(row: AccuracyRow) -> tuple[Cell, ...]:
    return (
        row.operation,
        row.representation,
        row.correct,
        row.n,
        row.accuracy,
        ends(row.interval),
        row.strict_accuracy,
        (row.correct - row.strict_correct) / row.n if row.n else None,
        row.n_subjects,
        row.n_flagged,
        row.interval.undefined or row.interval.warning,
    )


def _baselines(name: str, suffix: str, table: AccuracyTable) -> Table:
    return Table(
        id=f"baselines{suffix}",
        caption=f"Accuracy of {name} beside four answers that need no reading",
        note="Share right on the same unflagged items: always the first (last) record's value or time, "
        "always 0, always the most frequent gold of the row.",
        trace="the benchmark's instances: records, evidence, answer, flags",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="representation", label="Written as"),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="The model", kind="share"),
            Column(key="first_record", label="First record", kind="share"),
            Column(key="last_record", label="Last record", kind="share"),
            Column(key="zero", label="Zero", kind="share"),
            Column(key="majority", label="Majority", kind="share"),
        ),
        rows=tuple(
            (
                row.operation,
                row.representation,
                row.n,
                row.accuracy,
                row.baselines.first_record,
                row.baselines.last_record,
                row.baselines.zero,
                row.baselines.majority,
            )
            for row in table.rows
        ),
    )


def _statuses(name: str, suffix: str, answers: Sequence[Answer]) -> Table:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in answers:
        for operation in (one.instance.operation, ALL):
            for representation in (one.instance.representation, ALL):
                counts[operation, representation][one.score.status] += 1
    order = (*OPERATION_ORDER, *REPRESENTATION_ORDER, ALL)
    rows: list[tuple[Cell, ...]] = [
        (*key, *(counts[key][status] for status in STATUSES), counts[key].total())
        for key in sorted(counts, key=lambda key: (order.index(key[0]), order.index(key[1])))
    ]
    return Table(
        id=f"score_statuses{suffix}",
        caption=f"How the generations of {name} were scored",
        note=f"Unit: generations, flagged instances included; n = {len(answers)}.",
        trace="scores.csv: status, operation, representation",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="representation", label="Written as"),
            *(Column(key=one, label=one, kind="count") for one in STATUSES),
            Column(key="n", label="n", kind="count"),
        ),
        rows=tuple(rows),
    )
