"""The tab that compares two frozen reports."""

from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.annotations.report.compare_reports import (
    CellChange,
    Change,
    FigureChange,
    ReportComparison,
    compare_reports,
)
from clinicnum.annotations.report.format_cells import shown
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.reports.frozen_reports import read_frozen
from clinicnum.errors import InputError
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, data_table, listen, success_message, validated
from clinicnum.ui.components.html import MISSING
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import bullets, escape_markdown
from clinicnum.ui.pages.reports import view

MOST_ROWS = 1_000
COLUMNS = (
    Translatable("Table"),
    Translatable("Row"),
    Translatable("Figure"),
    Translatable("Earlier"),
    Translatable("Later"),
    Translatable("Difference"),
)
WIDTHS = ["270px", "250px", "200px", "170px", "170px", "140px"]
CHANGES: dict[Change, Translatable] = {
    "added": Translatable("added"),
    "removed": Translatable("removed"),
    "changed": Translatable("changed"),
}


class TwoDocuments(Frozen):
    """The documents that were chosen."""

    before: str = Field(default="", max_length=200)
    after: str = Field(default="", max_length=200)


class CompareHandlers:
    """The tab's event."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def compare(self, before: object, after: object, request: gr.Request) -> Outputs:
        """What differs between the two chosen reports."""
        chosen = validated(TwoDocuments, before=before, after=after)
        if not chosen.before or not chosen.after:
            raise InputError(Translatable("Choose two reports to compare."))
        reports = []
        with self.store.reading() as session:
            for value in (chosen.before, chosen.after):
                report_id, folder = view.split_document(value)
                reports.append(
                    read_frozen(session, user_id=str(request.username), report_id=report_id, folder=folder)
                )
        found = compare_reports(*reports)
        if found.same:
            nothing = _("The two are the same: no figure, table, plot or text differs.")
            return success_message(nothing), "", gr.update(visible=False), ""
        rows = comparison_rows(found)
        label = ngettext("{n} figure differs", "{n} figures differ", len(rows))
        return (
            "",
            summary(found),
            gr.update(value=rows[:MOST_ROWS], label=label, visible=bool(rows)),
            others(found, left_out=len(rows) - MOST_ROWS),
        )


def summary(found: ReportComparison) -> str:
    """How much differs, in one sentence."""
    return _(
        "What differs: figures at the head: {cards}; tables: {tables}; plots: {plots}; texts: {texts}.",
        cards=len(found.key_figures),
        tables=len(found.tables),
        plots=len(found.plots),
        texts=len(found.texts),
    )


def comparison_rows(found: ReportComparison) -> list[list[str]]:
    """Rows for COLUMNS: the figures at the head, then cell by cell; a whole table is one row."""
    rows = [
        [_("At the head"), one.name, "", one.before or MISSING, one.after or MISSING, ""]
        for one in found.key_figures
    ]
    for table in found.tables:
        if not table.cells:
            rows.append([table.caption, _("whole table"), "", *_whole(table.change), ""])
        rows += [[table.caption, *_cell(cell)] for cell in table.cells]
    return rows


def _whole(change: Change) -> tuple[str, str]:
    return (MISSING, _("added")) if change == "added" else (_("removed"), MISSING)


def _cell(one: CellChange) -> list[str]:
    if not one.column:
        return [one.row, _("whole row"), *_whole("added" if one.before is None else "removed"), ""]
    difference = one.difference
    by = "" if difference is None else shown_difference(difference, one.kind)
    return [one.row, one.column, shown(one.before, one.kind), shown(one.after, one.kind), by]


def shown_difference(difference: float, kind: str) -> str:
    """A difference with its sign; of shares in percentage points."""
    if kind in ("share", "points"):
        return _("{n} points", n=rounded(100 * difference, 1, signed=True).replace("-", "−"))
    return f"{difference:+.4g}".replace("-", "−")


def others(found: ReportComparison, *, left_out: int) -> str:
    """Plots and texts that differ, and the number of figures `left_out` of the table, as Markdown."""
    lines = [_("Plot {change}: {name}", **_named(one)) for one in found.plots]
    lines += [_("Text {change}: {name}", **_named(one)) for one in found.texts]
    if left_out > 0:
        lines.append(_("{n} more figures differ: `clinicnum compare-reports` shows them all.", n=left_out))
    return bullets(lines)


def _named(one: FigureChange) -> dict[str, str]:
    return {"change": _(CHANGES[one.change]), "name": escape_markdown(one.name)}


HOW = Translatable(
    "Shows every figure and text that differs between two reports, such as before and after adjudication. It "
    "takes two reports."
)


class CompareTab:
    """The tab's components."""

    def __init__(self, handlers: CompareHandlers, status: gr.HTML) -> None:
        """Create the components in the current context; `status` is the line for messages."""
        with gr.Tab(_("Compare two reports"), id="compare"):
            gr.Markdown(_(HOW), elem_classes="cn-hint")
            with gr.Row():
                self.before = gr.Dropdown([], label=_("Earlier"), elem_id="before")
                self.after = gr.Dropdown([], label=_("Later"), elem_id="after")
            button = gr.Button(_("Compare"), variant="primary")
            text = gr.Markdown(elem_id="compared")
            rows = data_table(
                COLUMNS,
                visible=False,
                max_height=640,
                elem_id="differences",
                column_widths=WIDTHS,
                explains="report_differences",
            )
            more = gr.Markdown()
        on = partial(listen, status=status)
        on(button.click, handlers.compare, [self.before, self.after], [text, rows, more])
