"""What annotators say is wrong with the items, and what accuracy is without those items."""

from collections.abc import Collection

from annotations.report.model import Cell, Column, Gap, Section, Table
from annotations.report.sections.figures import figure_cells, figure_columns, remarks
from annotations.report.view import ModelRun, StudyView
from clinicnum.figure import Figure, share

_TITLE = "Are the questions right?"


def contests_section(view: StudyView) -> Section:
    """The contests, and accuracy before and after; a gap where nobody contested."""
    contests = view.tables.contests
    if not contests:
        why = "no annotator contests an item"
        return Section(
            id="contests", title=_TITLE, gaps=(Gap(what="Accuracy before and after contests", why=why),)
        )
    upheld = _groups(view, {"upheld"})
    counts = {one: sum(other.status == one for other in contests) for one in ("open", "upheld", "rejected")}
    return Section(
        id="contests",
        title=_TITLE,
        paragraphs=(
            f"{len(contests)} contests: {counts['upheld']} upheld, {counts['rejected']} rejected, "
            f"{counts['open']} open. An upheld contest takes its question out of every model's accuracy, in "
            "every representation and whether answered right or wrong. The last column takes open contests "
            "out as well: the most that they could change.",
        ),
        tables=(_before_and_after(view, upheld, upheld | _groups(view, {"open"})), _listed(view)),
    )


def _groups(view: StudyView, statuses: Collection[str]) -> set[str]:
    """The questions (records and wording, in all representations) with a contest in one of these states."""
    return {
        view.instance(one.generation_id).group_id for one in view.tables.contests if one.status in statuses
    }


def _accuracy(run: ModelRun, without: Collection[str]) -> Figure:
    kept = [one for one in run.headline if one.instance.group_id not in without]
    return share(
        [(one.subject, float(one.right)) for one in kept],
        without="every question is contested",
        bootstrap=False,
    )


def _before_and_after(view: StudyView, upheld: Collection[str], doubted: Collection[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run in view.runs:
        figures = [_accuracy(run, without) for without in ((), upheld, doubted)]
        cells = [cell for figure in figures for cell in figure_cells(figure)]
        rows.append((run.name, *cells, remarks(*figures)))
    return Table(
        id="accuracy_after_contests",
        caption="Accuracy before and after contests",
        note="Unit: generations on unflagged items, variants left out. Nothing is scored anew: a contested "
        "question leaves the figure, it does not change sides. Interval: Wilson with the effective sample "
        "size of the delete-one-subject jackknife.",
        trace="scores.csv: lenient, group_id, variant, flags; contests.csv: instance_id, status",
        columns=(
            Column(key="model", label="Model"),
            *figure_columns("before", "As scored"),
            *figure_columns("without_upheld", "Without upheld"),
            *figure_columns("without_contested", "Without upheld and open"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _listed(view: StudyView) -> Table:
    contests = view.tables.contests
    return Table(
        id="contests",
        caption="Contested items",
        note=f"Unit: contests; n = {len(contests)}. Accuracy elsewhere in this report counts every item, "
        "contested or not.",
        trace="annotations.csv: item_judgement, proposed_gold, generation_id",
        columns=(
            Column(key="contest_id", label="Contest", kind="code"),
            Column(key="instance_id", label="Instance", kind="code"),
            Column(key="kind", label="Claim"),
            Column(key="gold", label="Gold"),
            Column(key="proposed_gold", label="Proposed"),
            Column(key="status", label="Status"),
        ),
        rows=tuple(
            (
                one.contest_id,
                view.instance(one.generation_id).instance_id,
                one.kind.replace("_", " "),
                view.instance(one.generation_id).answer,
                one.proposed_gold,
                one.status,
            )
            for one in contests
        ),
    )
