"""How often the model is right: by model, operation and representation, with differences.

The main table has the form of the published one (ClinicNumRobBench, arXiv 2604.11133: models by operation by
representation). Headline figures leave out variants and flagged instances (rule V7) and count them.
"""

from collections.abc import Sequence

from clinicnum.annotations.report.answer_parsing_notes import (
    errors_left_out,
    errors_wrong,
    hardly_read,
    lenient_said,
    sources_of_readings,
    stored_answers,
    unread_said,
)
from clinicnum.annotations.report.model_ranking import differing_items, same_items
from clinicnum.annotations.report.model_run import run_or_model
from clinicnum.annotations.report.question_summary import (
    constant_answer,
    forms_asked,
    made_elsewhere,
    subjects_said,
    templates_word,
)
from clinicnum.annotations.report.report_content import (
    Cell,
    Column,
    Dot,
    Gap,
    KeyFigure,
    Plot,
    Section,
    Table,
)
from clinicnum.annotations.report.sections.accuracy_by_dimension import dimension_tables, parts_table
from clinicnum.annotations.report.sections.accuracy_details import accuracy_details
from clinicnum.annotations.report.sections.paired_differences import (
    Named,
    differences_table,
    models_table,
    representation_differences,
)
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER, ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL, AccuracyRow
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.paired_tests import Comparison
from clinicnum.stats.rounded_figures import percent

_DIFFERENCES = (
    "Differences: percentage points on the same records and questions, with 95 % interval and p "
    "corrected for all differences between representations. A dash: not asked, or not compared. "
)
MOST_CARDS = 2
"""Most models that get a key figure each; more get one with their range."""


def accuracy_section(view: StudyView) -> Section:
    """The main table, comparisons of models, folded details, and a plot if there are several models."""
    differences = representation_differences(view)
    again = {run.name: len(run.answers) - run.failed - len(run.paired.answers) for run in view.runs}
    tables = [_main(view, differences)]
    if len(view.runs) > 1:
        tables.append(models_table(view))
    return Section(
        id="accuracy",
        title="How often is the model right?",
        holds_labels=False,
        paragraphs=(
            f"Accuracy is the share of generations {lenient_said(view.runs, view.tables.instances)}"
            f"{_of_form(view)}{_counted(view)}."
            f"{stored_answers(view.runs)}{subjects_said(view.tables.instances)}"
            f"{constant_answer(view.tables.instances, view.runs)}",
        ),
        plots=_plots(view),
        tables=(
            *tables,
            *parts_table(view),
            *dimension_tables(view),
            *accuracy_details(view),
            *([differences_table(differences)] if differences else []),
        ),
        gaps=tuple(
            Gap(
                what=f"Paired figures on all answers of {name}",
                why=f"{how_many(n, 'answer')} to an instance that was already answered; comparisons take the "
                "first",
            )
            for name, n in again.items()
            if n
        )
        + tuple(
            Gap(
                what=f"{run.failed} of {len(run.answers)} generations of {run.name}",
                why="an error in place of an answer (status error): left out of our accuracy, and not drawn; "
                f"with errors counted as wrong, accuracy would be {errors_wrong(run)}",
            )
            for run in view.runs
            if run.failed
        ),
    )


def _counted(view: StudyView) -> str:
    """A sentence on which generations count."""
    failed = sum(run.failed for run in view.runs)
    hold = "one that holds" if failed == 1 else f"{failed} that hold"
    but = f", but the {hold} an error in place of an answer" if failed else ""
    but += unread_said(view.runs, view.tables.instances)
    on = " on an instance that discriminates"
    if made_elsewhere(view.tables.instances):
        on = " on items as imported" * any(one.variant for one in view.tables.instances)
    return f"Every generation of the run{'s' * (len(view.runs) > 1)}{on} counts, annotated or not{but}"


def _of_form(view: StudyView) -> str:
    """A sentence on what strict accuracy means, if an answer format was requested."""
    if not any(run.formed for run in view.runs):
        return ""
    return (
        "Strict also asks for the form, unit and decimals that the question or its prompt named"
        f"{forms_asked(view.tables.instances)}; the difference is the share that is right but not in that "
        "form (texts that cannot be read are right in neither sense). "
    )


def accuracy_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """Key figures: accuracy of each of few models, or the range of many; of one also its format failures."""
    if len(view.runs) > MOST_CARDS:
        return (_range(view),)
    figures = []
    for run in view.ranked:
        right = sum(one.score.lenient for one in run.headline)
        found = ends(run.accuracy.overall.interval) if run.accuracy.overall else None
        interval = f", 95 % {percent(found[0])} to {percent(found[1])}" if found else ""
        figures.append(
            KeyFigure(
                label="Accuracy" if len(view.runs) == 1 else f"Accuracy, {run.name}",
                value=_percent(right, len(run.headline)),
                note=f"{right} of {len(run.headline)}{interval}{errors_left_out(run)}"
                + (f", {run.name}" if len(view.runs) == 1 else "")
                + "; on different items" * (not same_items(view) and run is view.ranked[-1]),
                table="accuracy",
            )
        )
    if len(view.runs) == 1 and view.runs[0].formed:
        headline = view.runs[0].formed
        missed = sum(one.score.lenient and not one.score.strict for one in headline)
        figures.append(
            KeyFigure(
                label="Right, but not in the asked form",
                value=_percent(missed, len(headline)),
                note=f"{missed} of {len(headline)}",
                table="accuracy",
            )
        )
    return tuple(figures)


def _range(view: StudyView) -> KeyFigure:
    """The lowest and highest accuracy; without names if the models answered different items."""
    found = [(run.name, one) for run in view.ranked if (one := run.accuracy.overall)]
    shares = [one.accuracy for _, one in found if one.accuracy is not None]
    same, what = same_items(view), run_or_model(view.runs)
    alike = bool(shares) and shares[0] == shares[-1]
    told = "of each" if alike else f"lowest {found[-1][0]}, highest {found[0][0]}" if found else ""
    return KeyFigure(
        label=f"Accuracy, {len(view.runs)} {what}s{' on different items' * (not same)}",
        value=(f"{percent(shares[-1])} to " * (not alike) + f"{percent(shares[0])} %") if shares else "–",
        note=told if same else f"each {what}'s in the table; they do not compare the {what}s",
        table="models",
    )


def _percent(part: int, whole: int) -> str:
    return f"{percent(part / whole)} %" if whole else "–"


Cells = dict[tuple[str, str, str], AccuracyRow]
"""(model, operation, representation) -> accuracy."""
Changes = dict[tuple[str, str, str, str], Comparison]
"""(model, operation, representation, the one it is compared with) -> difference."""


def _main(view: StudyView, differences: Sequence[Named]) -> Table:
    cells: Cells = {
        (run.name, row.operation, row.representation): row for run in view.runs for row in run.accuracy.rows
    }
    seen = [one for one in REPRESENTATION_ORDER if any(one == representation for *_, representation in cells)]
    changes: Changes = {(name, one.on, one.first, one.second): one for name, one in differences}
    elsewhere = made_elsewhere(view.tables.instances)
    columns = [
        Column(key="model", label="Model", once=True),
        Column(key="operation", label="Operation", once=elsewhere),
    ]
    for name in seen:
        columns += _accuracy_columns(name, elsewhere=elsewhere)
    for name in seen[1:]:
        columns += _change_columns(name, seen[0])
    rows = tuple(
        (run.name, operation, *_main_row(run.name, operation, seen, cells, changes))
        for run in view.runs
        for operation in (*OPERATION_ORDER, ALL)
        if (run.name, operation, ALL) in cells and (operation == ALL or not elsewhere)
    )
    who = f" of {view.runs[0].name}" if len(view.runs) == 1 else " by model"
    by = "" if elsewhere else f"{',' if len(view.runs) > 1 else ' by'} operation and representation"
    compared = "" if len(seen) < 2 else _DIFFERENCES
    kinds = templates_word(view.tables.instances)
    return Table(
        id="accuracy_main",
        caption=f"Accuracy{who}{by}",
        note="Accuracy: lenient, with its 95 % interval and n, the generations. The interval holds for other "
        f"subjects and, from five {kinds} on, for other {kinds} (two-way jackknife, never under "
        f"either way alone, Wilson with the effective sample size); under five it holds for these {kinds}. "
        f"{compared}No interval under 5 subjects or 10 "
        f"generations.{differing_items(view)}{hardly_read(view.runs)}",
        trace="scores.csv: run_id, status, lenient, operation, representation, subject_id, template_id, "
        f"{'group_id, ' * bool(compared)}variant, flags{sources_of_readings(view.runs)}",
        total="operation",
        columns=tuple(columns),
        rows=rows,
    )


def _main_row(name: str, operation: str, seen: Sequence[str], cells: Cells, changes: Changes) -> list[Cell]:
    row: list[Cell] = []
    for representation in seen:
        found = cells.get((name, operation, representation))
        row += [None] * 3 if found is None else [found.accuracy, ends(found.interval), found.n]
    for representation in seen[1:]:
        # A run with one operation has its differences in the row `all` only.
        change = changes.get((name, operation, representation, seen[0]))
        row += (
            [None] * 3 if change is None else [change.difference, ends(change.interval), change.p_corrected]
        )
    return row


def _accuracy_columns(name: str, *, elsewhere: bool) -> list[Column]:
    label, group = ("Accuracy", None) if elsewhere else (name, "Accuracy")
    return [
        Column(key=name, label=label, kind="share", group=group),
        Column(key=f"{name}_ci95", label="95 % interval", kind="share_interval", under=True),
        Column(key=f"{name}_n", label="n", kind="count", under=True),
    ]


def _change_columns(name: str, base: str) -> list[Column]:
    key = f"{name}_less_{base}"
    return [
        Column(key=key, label=f"{name} − {base}", kind="points", group="Difference, points"),
        Column(key=f"{key}_ci95", label="95 % interval", kind="points_interval", under=True),
        Column(key=f"{key}_p_corrected", label="p", kind="p", under=True),
    ]


def _plots(view: StudyView) -> tuple[Plot, ...]:
    """A panel for each operation in each representation; nothing for one model or one panel."""
    whole = [(run.name, row) for run in view.ranked for row in run.accuracy.rows]
    cells = [(name, row) for name, row in whole if ALL not in (row.operation, row.representation)]
    of, written = OPERATION_ORDER.index, REPRESENTATION_ORDER.index
    dots = [
        Dot(
            row=name,
            series=f"{row.operation}, {row.representation}",
            value=row.accuracy,
            interval=ends(row.interval),
        )
        for name, row in sorted(cells, key=lambda one: (written(one[1].representation), of(one[1].operation)))
        if row.accuracy is not None
    ]
    if len(view.runs) == 1 or len({dot.series for dot in dots}) < 2:
        return ()
    said = "; ".join(f"{dot.series}, {dot.row} {percent(dot.value, 0)} %" for dot in dots)
    return (
        Plot(
            id="accuracy_cells",
            kind="panels",
            caption="Accuracy by operation and representation, with 95 % intervals; models sorted over all.",
            alt=f"Accuracy by operation and representation: {said}.",
            table="accuracy_main",
            dots=tuple(dots),
        ),
    )
