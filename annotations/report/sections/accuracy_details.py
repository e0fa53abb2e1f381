"""Accuracy in detail: every n, strict and lenient accuracy, baselines, and counts of scores by status."""

from collections import Counter, defaultdict
from itertools import product

from clinicnum.annotations.report.answer_parsing_notes import (
    NO_FORM_ASKED,
    NONE_RIGHT,
    READINGS_ONLY,
)
from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.question_summary import (
    made_elsewhere,
    points_only,
    subjects_word,
    templates_word,
)
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER, ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL, STATUSES, AccuracyRow
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.jackknife import MIN_CLUSTERS


def _where(view: StudyView) -> tuple[Column, ...]:
    """Columns for model, operation and representation; for imported items, the last two only if values
    differ.
    """
    elsewhere = made_elsewhere(view.tables.instances)
    return (
        Column(key="model", label="Model", once=True),
        Column(key="operation", label="Operation", once=elsewhere),
        Column(key="representation", label="Written as", once=elsewhere),
    )


def _rows_shown(view: StudyView, run: ModelRun) -> tuple[AccuracyRow, ...]:
    """The rows of a run that are shown; for items from another benchmark only the last, since the others
    would repeat it.
    """
    rows = run.accuracy.rows
    return tuple(rows[-1:]) if made_elsewhere(view.tables.instances) else tuple(rows)


def accuracy_details(view: StudyView) -> tuple[Table, ...]:
    """Tables of accuracy, verdicts, baselines (not for imported items) and score statuses, for all models."""
    if made_elsewhere(view.tables.instances):
        return (
            _accuracy(view),
            _verdicts(view),
            _statuses(view),
        )  # baselines need records from which an answer can be taken
    return _accuracy(view), _verdicts(view), _baselines(view), _statuses(view)


def _accuracy(view: StudyView) -> Table:
    tables = [run.accuracy for run in view.runs]
    variants = sum(one.n_variants for one in tables)
    flagged = sum(one.n_flagged for one in tables)
    counted = sum(one.overall.n for one in tables if one.overall)
    subjects = subjects_word(view.tables.instances)
    kinds, elsewhere = templates_word(view.tables.instances), made_elsewhere(view.tables.instances)
    return Table(
        id="accuracy",
        caption="Accuracy with every n",
        note=f"Unit: generations; n = {counted}"
        + (
            f", and {flagged} more on flagged instances, which do not discriminate and are left out"
            if flagged
            else ""
        )
        + (f"; {variants} on variants are left out" if variants else "")
        + f". {_interval(len({one.template_id for one in view.tables.instances}), kinds, subjects)}.",
        trace="scores.csv: run_id, status, lenient, operation, representation, subject_id, template_id, "
        "variant, flags",
        columns=(
            *_where(view),
            Column(key="right", label="Right", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="Accuracy", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="templates", label=kinds.capitalize(), kind="count"),
            *([] if elsewhere else [Column(key="flagged", label="Flagged", kind="count")]),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(
            (run.name, *_row(row, elsewhere=elsewhere)) for run in view.runs for row in _rows_shown(view, run)
        ),
        bar=("accuracy", "ci95"),
        total="operation",
        detail=True,
    )


def _interval(templates: int, kinds: str, subjects: str) -> str:
    if templates < MIN_CLUSTERS:
        return f"The interval holds for other {subjects} and these {kinds}: {WILSON}"
    return (
        f"The interval holds for other {subjects} and other {kinds}: Wilson with the effective sample "
        "size of the "
        "two-way jackknife and the t quantile of the smaller of the effective numbers of subjects "
        f"and {kinds}, "
        f"less one; of a row with under {MIN_CLUSTERS} {kinds}, for these {kinds}"
    )


def _row(row: AccuracyRow, *, elsewhere: bool) -> tuple[Cell, ...]:
    return (
        row.operation,
        row.representation,
        row.correct,
        row.n,
        row.accuracy,
        ends(row.interval),
        row.n_subjects,
        row.n_templates,
        *([] if elsewhere else [row.n_flagged]),
        row.interval.undefined or row.interval.warning,
    )


def _readings(view: StudyView) -> str:
    """What lenient and flexible verdicts ask for."""
    if points_only(view.tables.instances):
        return "and with all points found (lenient, the headline, and flexible)"
    return (
        "in an answer that is marked, or the text's only value and plainly given as one (lenient, the "
        "headline), and as a wider automatic reading finds it (flexible)"
    )


def _verdicts(view: StudyView) -> Table:
    return Table(
        id="verdicts",
        caption="Verdicts on the same answers",
        note=f"Share right of the same generations: as asked (strict), {_readings(view)}. "
        "Right, form missed: lenient less strict. Right by flexible alone: flexible less lenient. A dash: "
        "not shown, as the row's note says.",
        trace="scores.csv: run_id, status, lenient, strict, flexible, operation, representation, variant, "
        "flags",
        columns=(
            *_where(view),
            Column(key="n", label="n", kind="count"),
            Column(key="strict", label="Strict", kind="share"),
            Column(key="lenient", label="Lenient", kind="share"),
            Column(key="flexible", label="Flexible", kind="share"),
            Column(key="format_failure", label="Right, form missed", kind="share"),
            Column(key="unmarked", label="Right by flexible alone", kind="share"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(
            (run.name, *_verdict_row(row, run)) for run in view.runs for row in _rows_shown(view, run)
        ),
        total="operation",
        detail=True,
    )


def _verdict_row(row: AccuracyRow, run: ModelRun) -> tuple[Cell, ...]:
    asks_form, missed = run.accuracy.form_asked, None
    if row.n and row.correct and row.strict_correct is not None:
        missed = (row.correct - row.strict_correct) / row.n
    unmarked = None
    if row.n and row.flexible_correct is not None and not run.keeps_readings:
        unmarked = (row.flexible_correct - row.correct) / row.n
    return (
        row.operation,
        row.representation,
        row.n,
        row.strict_accuracy,
        row.accuracy,
        None if run.keeps_readings else row.flexible_accuracy,
        missed,
        unmarked,
        "; ".join(
            [NO_FORM_ASKED] * (not asks_form)
            + [NONE_RIGHT] * (asks_form and missed is None and bool(row.n))
            + [READINGS_ONLY] * run.keeps_readings
        )
        or None,
    )


def _baselines(view: StudyView) -> Table:
    return Table(
        id="baselines",
        caption="Accuracy beside four answers that need no reading",
        note="Share right on the same unflagged items: always the first (last) record's value or time, "
        "always 0, always the most frequent gold of the row.",
        trace="the benchmark's instances: records, evidence, answer, flags",
        columns=(
            *_where(view),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="The model", kind="share"),
            Column(key="first_record", label="First record", kind="share"),
            Column(key="last_record", label="Last record", kind="share"),
            Column(key="zero", label="Zero", kind="share"),
            Column(key="majority", label="Majority", kind="share"),
        ),
        rows=tuple(
            (
                run.name,
                row.operation,
                row.representation,
                row.n,
                row.accuracy,
                row.baselines.first_record,
                row.baselines.last_record,
                row.baselines.zero,
                row.baselines.majority,
            )
            for run in view.runs
            for row in run.accuracy.rows
        ),
        total="operation",
        detail=True,
    )


def _statuses(view: StudyView) -> Table:
    order, elsewhere = (*OPERATION_ORDER, *REPRESENTATION_ORDER, ALL), made_elsewhere(view.tables.instances)
    rows: list[tuple[Cell, ...]] = []
    for run in view.runs:
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        given = Counter(
            (one.instance.operation, one.instance.representation, one.score.status) for one in run.answers
        )
        for (of, written, status), n in given.items():
            for key in product((of, ALL), (written, ALL)):
                counts[key][status] += n
        rows += [
            (run.name, *key, *(counts[key][status] for status in STATUSES), counts[key].total())
            for key in sorted(counts, key=lambda key: (order.index(key[0]), order.index(key[1])))
            if key == (ALL, ALL) or not elsewhere
        ]
    return Table(
        id="score_statuses",
        caption="How the generations were scored",
        note="Unit: generations"
        f"{_with_variants(view) if elsewhere else FLAGGED_TOO}; "
        f"n = {sum(len(run.answers) for run in view.runs)}." + _only_read(view),
        trace="scores.csv: run_id, status, operation, representation",
        columns=(
            *_where(view),
            *(Column(key=one, label=one, kind="count") for one in STATUSES),
            Column(key="n", label="n", kind="count"),
        ),
        rows=tuple(rows),
        total="operation",
        detail=True,
    )


FLAGGED_TOO = ", those on flagged instances and on variants, if any, included"


def _with_variants(view: StudyView) -> str:
    """How many of the generations are on variants of imported items; empty without any."""
    n = sum(one.instance.variant is not None for run in view.runs for one in run.answers)
    return f", {n} of them on variants" * bool(n)


def _only_read(view: StudyView) -> str:
    """A sentence on models of which only MedCalc-Bench's readings are stored: zero counts of some statuses
    say nothing of them; empty without such a model.
    """
    names = " and ".join(run.name for run in view.runs if run.keeps_readings)
    said = "zeros under unparsable, abstained, empty and truncated say nothing of the model"
    return f" The answers of {names} are readings by MedCalc-Bench's script: {said}." if names else ""
