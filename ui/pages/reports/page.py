"""The page Reports: frozen reports to read, save and compare, and the forms that build them."""

from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.annotations.role_rights import may
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.reports.frozen_reports import (
    FrozenReport,
    file_names,
    frozen_report,
    list_frozen,
)
from clinicnum.db.work.reports.readable_studies import readable_studies, report_reader
from clinicnum.db.work.reports.request_report import unfinished_request
from clinicnum.db.work.reports.stored_bundles import list_bundles
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.job_progress import watch
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.reports import view
from clinicnum.ui.pages.reports.build_report_tab import BuildHandlers, BuildTab, build_forms
from clinicnum.ui.pages.reports.compare_models_tab import ModelsHandlers, ModelsTab
from clinicnum.ui.pages.reports.compare_reports_tab import CompareHandlers, CompareTab


class DocumentChoice(Frozen):
    """The value of a document in a list."""

    report: str = Field(default="", max_length=200)


class ReportsHandlers:
    """The events of the list and the reader."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """All lists, and the document in the address, else the newest."""
        user_id = str(request.username)
        asked = str(request.query_params.get("report", ""))
        study = str(request.query_params.get("study", ""))
        with self.store.reading() as session:
            leads = may(report_reader(session, user_id).role, "manage_studies")
            studies = readable_studies(session, user_id=user_id)
            job = unfinished_request(session, user_id=user_id)
        choices = gr.update(choices=view.study_choices(studies))
        first, *lists = self._lists(request, asked, leads=leads)
        if job:  # one that is being built would belie that there is none
            first = ""
        first += self._unknown(asked, study, lists[1]["value"], [one.name for one in studies])
        forms = build_forms(leads=leads, studies=bool(studies))
        bundled = gr.update(choices=view.study_choices(studies), value=studies[0].name if studies else None)
        waits = watch(job) if job else ("", "", gr.skip())
        named = [study] if any(one.name == study for one in studies) else []
        # Who can build the first report, or comes to build one, comes to where it is built.
        builds = leads and studies and (named or not lists[1]["choices"])
        tab = gr.update(selected="build") if builds else gr.skip()
        return first, *lists, *forms, *waits, {**choices, "value": named}, bundled, choices, tab

    @staticmethod
    def _unknown(report: str, study: str, shown: str | None, studies: list[str]) -> str:
        """Warn, as HTML, of a report or a study in the address that does not exist for the account, else
        return "".
        """
        said = []
        if report and report != shown:
            said.append(_(view.NO_SUCH_REPORT_NEWEST if shown else view.NO_SUCH_REPORT, report=report[:200]))
        if study and study not in studies:
            said.append(_(view.NO_SUCH_STUDY, study=study[:100]))
        return "".join(str(note(one, "warn")) for one in said)

    def show(self, report: object, request: gr.Request) -> Outputs:
        """Show the chosen document."""
        return "", *self._document(validated(DocumentChoice, report=report).report, request)

    def choose(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the report of the clicked row."""
        row = selected.row_value
        hash_ = row[-1] if isinstance(row, list) and row else None
        time = row[2] if isinstance(row, list) and len(row) > 2 else None
        with self.store.reading() as session:
            reports = list_frozen(session, user_id=str(request.username))
        chosen = next((one for one in reports if view.history_rows([one])[0][2::3] == [time, hash_]), None)
        if chosen is None:
            raise InputError(Translatable("There is no such report any more; reload the page."))
        return "", chosen.report_id, *self._document(chosen.report_id, request)

    def finished(self, job: object, request: gr.Request) -> Outputs:
        """After a job has ended: all lists anew, and its report is shown if it made one."""
        asked = validated(DocumentChoice, report=job).report
        found = self._lists(request, asked, leads=True)
        made = found[2]["value"] == asked
        return *found, gr.update(selected="read") if made else gr.skip()

    def _lists(self, request: gr.Request, asked: str, *, leads: bool) -> Outputs:
        """Message, table, choices of documents three times, bundles, and the document asked for."""
        user_id = str(request.username)
        with self.store.reading() as session:
            reports = list_frozen(session, user_id=user_id)
            bundles = list_bundles(session, user_id=user_id)
        choices = view.document_choices(reports)
        known = {value for _label, value in choices}
        value = asked if asked in known else next(iter(value for _label, value in choices), None)
        message = "" if reports else str(note(_(view.NO_REPORT_YET if leads else view.NO_REPORT)))
        table = gr.update(value=view.history_rows(reports), visible=bool(reports))
        both = [gr.update(choices=choices)] * 2
        document = self._document(value, request) if value else _nothing()
        return (
            message,
            table,
            gr.update(choices=choices, value=value, visible=bool(reports)),
            *both,
            view.bundle_links(bundles),
            *document,
        )

    def _document(self, value: str, request: gr.Request) -> Outputs:
        """What a document is, its files, and the frame that shows it."""
        report_id, folder = view.split_document(value)
        with self.store.reading() as session:
            report: FrozenReport = frozen_report(session, user_id=str(request.username), report_id=report_id)
            names = file_names(session, user_id=str(request.username), report_id=report_id)
        return view.about(report), view.file_links(report, folder, names), view.reader(report, folder)


def _nothing() -> Outputs:
    return "", "", ""


def build_reports(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `see_report`."""
    handlers = ReportsHandlers(store)
    with gradio_page(_("Reports"), "/reports", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        with gr.Tabs(selected="read") as tabs:
            with gr.Tab(_("Read"), id="read"):
                table = data_table(view.COLUMNS, max_height=320, elem_id="reports", explains=None)
                report = gr.Dropdown(
                    [], label=_("Report"), info=_("Or click its row in the table."), elem_id="report"
                )
                about = gr.Markdown(elem_classes="cn-hint")
                files, frame = (gr.HTML("", padding=False, apply_default_css=False) for _n in range(2))
            build = BuildTab(BuildHandlers(store), status)
            compare = CompareTab(CompareHandlers(store), status)
            models = ModelsTab(ModelsHandlers(store), status)
        document = [about, files, frame]
        lists = [table, report, compare.before, compare.after, build.bundles, *document]
        forms = [build.refusal, build.form, *build.progress.outputs]
        chosen = [build.studies, build.study, models.studies]
        on(page.load, handlers.load, outputs=[*lists, *forms, *chosen, tabs])
        on(
            report.input,
            handlers.show,
            [report],
            document,
            js=keep_view_in_url(["report"]),
            trigger_mode=EVERY_TIME,
        )
        on(table.select, handlers.choose, outputs=[report, *document], trigger_mode=EVERY_TIME)
        made = build.progress.finished
        on(made.change, handlers.finished, [made], [*lists, tabs])
    return page
