"""The runs page: stored model runs, their accuracy, and the studies that use them."""

from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import InputError
from clinicnum.translatable import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    gradio_page,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.runs import view


class RunChoice(Frozen):
    """A run's row id, or its name in the table, which comes from a file and may have any length."""

    run: str = Field(max_length=200)
    name: str = ""


class RunsHandlers:
    """The page's events. Not async, so that long computations run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> Outputs:
        """Show all runs, and the accuracy of the first."""
        with self.store.reading() as session:
            found = stored_runs.list_runs(session)
        rows, names = view.run_rows(found), view.run_names(found)
        table = gr.update(value=rows, label=view.runs_label(rows), visible=bool(rows))
        choices = [(name, run) for run, name in names.items()]
        if not found:
            return "", table, gr.update(choices=[], visible=False), gr.update(visible=False), ""
        chosen = found[0].run
        return "", table, gr.update(choices=choices, value=chosen, visible=True), *self._accuracy(chosen)

    def show(self, run: object) -> Outputs:
        """Show the accuracy of the chosen run."""
        return "", *self._accuracy(validated(RunChoice, run=run).run)

    def choose(self, selected: gr.SelectData) -> Outputs:
        """Select the run of the clicked row and show its accuracy."""
        row = selected.row_value
        name = validated(RunChoice, run="", name=row[0] if isinstance(row, list) and row else None).name
        with self.store.reading() as session:
            names = view.run_names(stored_runs.list_runs(session))
        run = next((one for one, known in names.items() if known == name), None)
        if run is None:
            raise InputError(Translatable("There is no such run any more; reload the page."))
        return "", run, *self._accuracy(run)

    def _accuracy(self, run: str) -> Outputs:
        """Values for the accuracy table and the notes below it."""
        with self.store.reading() as session:
            names = view.run_names(stored_runs.list_runs(session))
            accuracy = stored_runs.run_accuracy(session, run=run)
        rows, label = view.accuracy_rows(accuracy), _("Accuracy of {run}", run=names.get(run, run))
        return gr.update(value=rows, label=label, visible=bool(rows)), view.accuracy_notes(accuracy)


def build_runs(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `manage_studies`."""
    handlers = RunsHandlers(store)
    with gradio_page(_("Runs"), "/runs", navbar) as page:
        status = status_line()
        table = data_table(view.COLUMNS, elem_id="runs")
        gr.Markdown(_(view.HOW), elem_classes="cn-hint")
        run = gr.Dropdown([], label=_("Run"), info=_(view.CHOOSE))
        accuracy = data_table(view.ACCURACY_COLUMNS, elem_id="accuracy")
        notes = gr.Markdown(elem_classes="cn-hint")
        on = partial(listen, status=status)
        on(page.load, handlers.load, outputs=[table, run, accuracy, notes])
        on(run.input, handlers.show, [run], [accuracy, notes], trigger_mode=EVERY_TIME)
        on(table.select, handlers.choose, outputs=[run, accuracy, notes], trigger_mode=EVERY_TIME)
    return page
