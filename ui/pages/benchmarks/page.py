"""The benchmarks page: stored benchmarks and what is in them, generating, importing and checking them."""

from functools import partial

import gradio as gr

from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.benchmarks.benchmark_list import list_benchmarks
from clinicnum.errors import ClinicnumError
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    error_message,
    gradio_page,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.job_progress import JobProgress
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.benchmarks import view
from clinicnum.ui.pages.benchmarks.benchmark_browser import InsideHandlers, InsidePanel, RequestedPage, closed
from clinicnum.ui.pages.benchmarks.generate_tab import GenerateTab
from clinicnum.ui.pages.benchmarks.import_tab import ImportTab


class BenchmarksHandlers:
    """The page's events. Not async, so that they run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.inside = InsideHandlers(store)

    def load(self, request: gr.Request) -> Outputs:
        """Show all benchmarks, and the content of the one that the URL names."""
        user_id, asked = str(request.username), request.query_params.get("benchmark", "")
        table, choices = self._list(user_id)
        message = "" if choices["choices"] else str(note(_(view.NONE_YET)))
        tab = gr.skip() if choices["choices"] else gr.Tabs(selected="generate")
        if asked not in [value for _label, value in choices["choices"]]:
            message = view.no_such_benchmark(asked) if asked else message
            return message, tab, table, choices, *closed()
        try:
            opened = self.inside.opened(validated(RequestedPage, benchmark=asked), user_id)
        except ClinicnumError as error:
            return error_message(error), tab, table, choices, *closed()
        return message, tab, table, {**choices, "value": asked}, *opened

    def refresh(self, benchmark: object, request: gr.Request) -> Outputs:
        """Reload the list and the findings after a job ended."""
        user_id, chosen = str(request.username), validated(RequestedPage, benchmark=benchmark or "").benchmark
        found = self.inside.findings(chosen, user_id) if chosen else (gr.skip(), gr.skip())
        return "", *self._list(user_id), *found

    def list_again(self, benchmark: object, request: gr.Request) -> Outputs:
        """Reload the list after a benchmark was changed."""
        return gr.skip(), *self._list(str(request.username))

    def select_benchmark(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the content of the clicked row's benchmark."""
        row = selected.row_value
        asked = validated(RequestedPage, benchmark=row[-1] if isinstance(row, list) and row else None)
        return "", asked.benchmark, *self.inside.opened(asked, str(request.username))

    def _list(self, user_id: str) -> Outputs:
        """Values for the table and the dropdown."""
        with self.store.reading() as session:
            found = list_benchmarks(session, user_id=user_id)
        rows = view.benchmark_rows(found)
        return (
            gr.update(value=rows, label=view.list_label(len(rows)), visible=bool(rows)),
            gr.update(choices=view.benchmark_choices(found), visible=bool(rows)),
        )


def build_benchmarks(*, store: Store, uploads: Uploads, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the right `evaluate`."""
    handlers = BenchmarksHandlers(store)
    with gradio_page(_("Benchmarks"), "/benchmarks", navbar) as page:
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        status = status_line()
        on = partial(listen, status=status)
        progress = JobProgress(store)
        with gr.Tabs() as tabs:
            with gr.Tab(_("Benchmarks"), id="stored"):
                table = data_table(
                    view.COLUMNS,
                    column_widths=view.WIDTHS,
                    visible=False,
                    elem_id="benchmarks",
                    explains="benchmarks",
                )
                benchmark = gr.Dropdown(
                    [], label=_("Benchmark"), info=_("Or click its row in the table."), visible=False
                )
                inside = InsidePanel()
            generating, importing = GenerateTab(tabs), ImportTab(uploads, tabs)
        shown = [benchmark, *inside.outputs]
        on(page.load, handlers.load, outputs=[tabs, table, *shown])
        on(table.select, handlers.select_benchmark, outputs=shown, trigger_mode=EVERY_TIME)
        inside.listen(on, handlers.inside, benchmark, progress)
        changed = inside.about.listen(on, handlers.inside.about, benchmark)
        on(changed.success, handlers.list_again, [benchmark], [table, benchmark])
        generating.listen(page, on, store, progress, status)
        importing.listen(page, on, store, progress, status)
        progress.listen(on)
        listed = [table, benchmark, inside.summary, inside.findings]
        on(progress.finished.change, handlers.refresh, [benchmark], listed)
    return page
