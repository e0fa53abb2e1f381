"""One benchmark's content: its filtered instances, one in full, and the check of its gold answers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.benchmarks.benchmark_list import variant_counts
from clinicnum.db.work.benchmarks.browse_instances import InstanceQuery, browse_instances, get_instance
from clinicnum.db.work.benchmarks.lint_results import last_findings
from clinicnum.db.work.jobs.job_store import enqueue
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import EVERY_TIME, Outputs, data_table, keep_view_in_url, validated
from clinicnum.ui.components.job_progress import JobProgress, in_sight, watch
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.benchmarks import view
from clinicnum.ui.pages.benchmarks.name_and_openness import ChangeHandlers, NameAndOpenness

FILTERS = ("benchmark", "operation", "representation", "template", "words")


class RequestedPage(InstanceQuery):
    """The requested view: filters, page of the list, and an instance to open."""

    page: int = Field(default=1, ge=1, le=100_000)
    instance: str = Field(default="", max_length=400, pattern=r"^[^\x00]*$")

    def query(self) -> InstanceQuery:
        """The filters alone, without the page. Raises InputError if no benchmark is chosen."""
        if not self.benchmark:
            raise InputError(Translatable("Choose a benchmark first."))
        return InstanceQuery(**self.model_dump(include=set(FILTERS)))


class InsideHandlers:
    """Events of the panel. Not async, so that long searches run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.about = ChangeHandlers(store)

    def open_benchmark(self, benchmark: object, request: gr.Request) -> Outputs:
        """Show a benchmark, without filters."""
        return "", *self.opened(validated(RequestedPage, benchmark=benchmark), str(request.username))

    def show(
        self,
        benchmark: object,
        operation: object,
        representation: object,
        template: object,
        words: object,
        request: gr.Request,
    ) -> Outputs:
        """The first page of what the filters find."""
        return self.turn(benchmark, operation, representation, template, words, 1, request)

    def turn(
        self,
        benchmark: object,
        operation: object,
        representation: object,
        template: object,
        words: object,
        page: object,
        request: gr.Request,
    ) -> Outputs:
        """Another page of what the filters find."""
        values = (benchmark, operation, representation, template, words)
        asked = validated(RequestedPage, **dict(zip(FILTERS, values, strict=True)), page=page)
        return "", *self._listed(asked, str(request.username)), *no_instance()

    def select_instance(self, benchmark: object, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the instance of the clicked row."""
        row = selected.row_value
        key = row[-1] if isinstance(row, list) and row else None
        asked = validated(RequestedPage, benchmark=benchmark, instance=key)
        with self.store.reading() as session:
            found = get_instance(
                session,
                user_id=str(request.username),
                benchmark=asked.query().benchmark,
                instance_id=asked.instance,
            )
        return (
            "",
            gr.update(visible=True),
            view.facts(found),
            view.records_view(found),
            gr.update(value=view.worked(found), visible=bool(view.worked(found))),
        )

    def lint(self, benchmark: object, request: gr.Request) -> Outputs:
        """Queue the job that checks the gold answers."""
        asked = validated(RequestedPage, benchmark=benchmark).query()
        with self.store.writing() as session:
            job = enqueue(
                session,
                user_id=str(request.username),
                kind="lint",
                arguments={"benchmark_id": asked.benchmark},
            )
        return "", *watch(job)

    def opened(self, asked: RequestedPage, user_id: str) -> Outputs:
        """Values for the whole panel: filters, list, instance, findings."""
        filters = (asked.operation, asked.representation)
        with self.store.reading() as session:
            variants = variant_counts(session, user_id=user_id, benchmark=asked.query().benchmark)
        return (
            gr.update(visible=True),
            view.next_steps(asked.benchmark, variants),
            *self.about.values(asked.benchmark),
            *filters,
            asked.words,
            *self._listed(asked, user_id),
            *no_instance(),
            *self.findings(asked.benchmark, user_id),
        )

    def _listed(self, asked: RequestedPage, user_id: str) -> Outputs:
        """Values for the filter of templates, the table and the page number."""
        with self.store.reading() as session:
            found = browse_instances(session, user_id=user_id, query=asked.query(), page=asked.page)
        return (
            gr.update(choices=view.template_choices(found), value=asked.template),
            gr.update(value=view.instance_rows(found.instances), label=view.page_label(found)),
            gr.update(
                value=found.page,
                maximum=found.pages,
                info=_("of {pages}", pages=found.pages),
                visible=found.pages > 1,
            ),
        )

    def findings(self, benchmark: str, user_id: str) -> Outputs:
        """Values for the summary and the table of findings."""
        with self.store.reading() as session:
            found = last_findings(session, user_id=user_id, benchmark=benchmark)
        rows = [] if found is None else view.finding_rows(found)
        return view.lint_summary(found), gr.update(value=rows, visible=bool(rows))


def no_instance() -> Outputs:
    """Values that hide the instance."""
    return gr.update(visible=False), *(gr.skip() for _one in range(3))


def closed() -> Outputs:
    """Values for the whole panel that hide it."""
    return gr.update(visible=False), *(gr.skip() for _one in range(17))


class InsidePanel:
    """The panel's components and events; `benchmark` chooses which benchmark it shows."""

    def __init__(self) -> None:
        with gr.Column(visible=False, elem_id="inside") as self.column:
            self.next = gr.HTML(padding=False, apply_default_css=False)
            self.about = NameAndOpenness()
            with gr.Tabs():
                with gr.Tab(_("Questions"), id="questions"):
                    self._questions()
                with gr.Tab(_("Check of the gold answers"), id="check"):
                    self._check()

    def _questions(self) -> None:
        with gr.Row():
            self.operation = gr.Dropdown(
                view.operation_choices(), value="", label=_("Operation"), filterable=False
            )
            self.representation = gr.Dropdown(
                view.representation_choices(), value="", label=_("Representation"), filterable=False
            )
            self.template = gr.Dropdown([(_("all"), "")], value="", label=_("Template"))
            self.words = gr.Textbox(label=_("Words in question or records"), max_length=200)
            self.go = gr.Button(_("Show"), variant="primary", min_width=120)
        self.table = data_table(
            view.INSTANCE_COLUMNS, column_widths=view.INSTANCE_WIDTHS, elem_id="instances", explains=None
        )
        self.number = gr.Number(label=_("Page"), precision=0, minimum=1, visible=False)
        with gr.Column(visible=False, elem_id="instance") as self.instance:
            self.facts = data_table((_("Field"), _("Value")), column_widths=["30%", "70%"], explains=None)
            self.records = gr.HTML(apply_default_css=False)
            self.worked = gr.Textbox(label=_("Worked steps"), interactive=False, lines=2, max_lines=12)

    def _check(self) -> None:
        self.summary = gr.HTML("", padding=False, apply_default_css=False)
        self.findings = data_table(
            view.FINDING_COLUMNS,
            column_widths=view.FINDING_WIDTHS,
            label=_("Findings"),
            visible=False,
            elem_id="findings",
            explains="lint",
        )
        self.lint = gr.Button(_("Check the gold answers"))

    @property
    def outputs(self) -> list[Any]:
        """The components in the order of the values that `InsideHandlers.opened` returns."""
        filters = [self.operation, self.representation, self.words]
        return [
            self.column,
            self.next,
            *self.about.outputs,
            *filters,
            *self._list,
            *self._instance,
            self.summary,
            self.findings,
        ]

    @property
    def _list(self) -> list[Any]:
        return [self.template, self.table, self.number]

    @property
    def _instance(self) -> list[Any]:
        return [self.instance, self.facts, self.records, self.worked]

    def listen(
        self,
        on: Callable[..., Any],
        handlers: InsideHandlers,
        benchmark: gr.Dropdown,
        progress: JobProgress,
    ) -> None:
        """Register the events; `on` is the page's `listen`."""
        quick: dict[str, Any] = {"trigger_mode": EVERY_TIME}
        filters = [benchmark, self.operation, self.representation, self.template, self.words]
        listed = [*self._list, *self._instance]
        shown = keep_view_in_url(FILTERS[:1])
        on(benchmark.input, handlers.open_benchmark, [benchmark], self.outputs, js=shown, **quick)
        changes = [one.input for one in (self.operation, self.representation, self.template)]
        shows = partial(gr.on, [self.go.click, self.words.submit, *changes])
        on(shows, handlers.show, filters, listed, **quick)
        on(self.number.input, handlers.turn, [*filters, self.number], listed, **quick)
        on(self.table.select, handlers.select_instance, [benchmark], self._instance, **quick)
        in_sight(on(self.lint.click, handlers.lint, [benchmark], progress.outputs))
