"""The agreement page: the statistics of `clinicnum agreement --study`, computed on the current labels.

Each event looks the study up by name and checks access again, as the browser's values are not trusted.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gradio as gr

from clinicnum.annotations.consensus import PROTOCOLS, Protocol, asked_protocol
from clinicnum.annotations.report.sections.consensus_wording import NAMES
from clinicnum.annotations.report.study_view_without_texts import LabelsView, settled_by
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.studies.labels_for_agreement import (
    asked_items,
    check_seen,
    count_saved,
    load_labels,
    may_lead,
    study_names,
    study_state,
)
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    STUDY_BEFORE,
    Outputs,
    data_table,
    error_message,
    explained,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _, current_language
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.value_display_names import study_label
from clinicnum.ui.pages.agreement import view
from clinicnum.ui.pages.agreement.analysis_outputs import table_outputs
from clinicnum.ui.pages.agreement.consensus_tables import consensus_analysis
from clinicnum.ui.pages.agreement.detailed_analyses import (
    ANALYSES,
    ANALYSIS_TABLES,
    CONSENSUS_TABLES,
    PLANNER_TABLES,
    AnalysisTable,
    planner_analysis,
    with_questions,
)
from clinicnum.ui.pages.agreement.study_statistics import TabValues, TabValuesCache, tab_values

CHECK_S = 30


def _chosen(study: object) -> str:
    """The study name that the browser sent. Raises InputError if it is missing or invalid."""
    if not isinstance(study, str) or not study:
        raise InputError(Translatable("No study is chosen; choose one."))
    return study


def _half_width(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.005 <= value <= 0.5:
        raise InputError(
            Translatable("The half-width cannot be used; expected a number from 0.005 to 0.5, such as 0.05.")
        )
    return float(value)


def _protocol(name: object) -> Protocol | None:
    """The requested protocol; empty: the one that reports use. Raises InputError for an unknown name."""
    if name is not None and not isinstance(name, str):
        raise InputError(f"The consensus cannot be used; expected one of {', '.join(PROTOCOLS)}.")
    return asked_protocol(name or None)


class AgreementHandlers:
    """The page's events. Not async, so that long computations run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.cache = TabValuesCache()

    def load(self, before: object, request: gr.Request) -> Outputs:
        """All studies, and the statistics of one: that in the URL, else `before`, else the first."""
        with self.store.reading() as session:
            names = study_names(session, user_id=str(request.username))
        if not names:
            return str(note(_(view.NO_STUDY))), gr.update(choices=[]), *_no_tab_values()
        labels, known = [(study_label(*one), one[0]) for one in names], [one[0] for one in names]
        study = str(request.query_params.get("study") or (before if before in known else known[0]))
        if study not in known:
            return view.no_such_study(study), gr.update(choices=labels, value=None), *_no_tab_values()
        try:
            figures = self._tab_values(study, request)
        except ClinicnumError as error:
            return error_message(error), gr.update(choices=labels, value=None), *_no_tab_values()
        return "", gr.update(choices=labels, value=study), *figures

    def show(self, study: object, request: gr.Request) -> Outputs:
        """The statistics of the chosen study; hides the previous study's analyses."""
        summary, hidden = gr.update(selected="summary"), [gr.update(visible=False)] * 3
        return "", *self._tab_values(_chosen(study), request), summary, *hidden

    def refresh(self, study: object, request: gr.Request) -> Outputs:
        """Recompute the statistics on the current labels."""
        return "", *self._tab_values(_chosen(study), request)

    def check(self, study: object, saved: object, request: gr.Request) -> Outputs:
        """Report how many judgements were saved since the page was computed; only counts, so it is fast."""
        try:
            name = _chosen(study)
            with self.store.reading() as session:
                check_seen(session, name, user_id=str(request.username))
                newer = count_saved(session, name) - (saved if isinstance(saved, int) else 0)
        except ClinicnumError:
            return gr.skip(), ""
        return gr.skip(), view.newer_judgements_text(newer)

    def plan(self, study: object, half_width: object, request: gr.Request) -> Outputs:
        """The number of items and annotators needed for the wanted half-width."""
        width = _half_width(half_width)
        found = planner_analysis(self._labels(_chosen(study), request), width)
        return "", *table_outputs(found, PLANNER_TABLES)

    def consensus(self, study: object, protocol: object, request: gr.Request) -> Outputs:
        """The consensus labels under the chosen protocol."""
        chosen = _protocol(protocol)
        found = consensus_analysis(settled_by(self._labels(_chosen(study), request), chosen))
        return "", *self._shown(found, CONSENSUS_TABLES, _chosen(study), request)

    def analyse(self, study: object, key: object, request: gr.Request) -> Outputs:
        """Run the analysis of annotators with the given key in ANALYSES."""
        of = ANALYSES.get(key) if isinstance(key, str) else None
        if of is None:
            raise InputError(f"There is no such analysis; expected one of {', '.join(ANALYSES)}.")
        labels = self._labels(_chosen(study), request, every_revision=of.every_revision)
        return "", *self._shown(of.make(settled_by(labels, None)), ANALYSIS_TABLES, _chosen(study), request)

    def _shown(
        self, found: Sequence[AnalysisTable], tables: int, study: str, request: gr.Request
    ) -> tuple[Any, ...]:
        """As `table_outputs`, with the question of each item, and for a lead links to the items."""
        items = {item for one in found for item in one.items}
        if not items:
            return table_outputs(found, tables)
        with self.store.reading() as session:
            named = asked_items(session, study, items)
            leads = may_lead(session, user_id=str(request.username))
        links_of = study if leads else ""
        return table_outputs([with_questions(one, named, links_of=links_of) for one in found], tables)

    def _labels(self, study: str, request: gr.Request, *, every_revision: bool = False) -> LabelsView:
        with self.store.reading() as session:
            check_seen(session, study, user_id=str(request.username))
            return load_labels(session, study, every_revision=every_revision)

    def _tab_values(self, study: str, request: gr.Request) -> TabValues:
        """The number of saved annotations, an empty notice, the visible tabs, and their values."""
        with self.store.reading() as session:
            check_seen(session, study, user_id=str(request.username))
            state = study_state(session, study)
            key = (f"{state.study_id} {state.status} {current_language()}", state.saved)
            page = self.cache.find(key)
            if page is None:
                page = tab_values(state, load_labels(session, study))
                self.cache.keep(key, page)
        return state.saved, "", gr.update(visible=True), *page


def _no_tab_values() -> TabValues:
    """Outputs of the tabs when no study is chosen: hidden, with their values unchanged."""
    return 0, "", gr.update(visible=False), *(gr.skip() for _ in range(9))


def _whole_study() -> list[Any]:
    """Create the components of the summary and coefficient tabs, in output order."""
    with gr.Tab(_("Summary"), id="summary"):
        simulated = gr.HTML("", padding=False, apply_default_css=False)
        with explained("agreement"):
            verdict = gr.Markdown(elem_id="verdict")
        with explained("precision", "plot"):
            plot = gr.HTML("", padding=False, apply_default_css=False, elem_classes="cn-plot")
        summary = data_table(
            view.SUMMARY,
            label=_(view.SUMMARY_LABEL),
            column_widths=view.SUMMARY_WIDTHS,
            elem_id="summary-table",
            explains="precision",
        )
    with gr.Tab(_("Coefficients"), id="coefficients"):
        coefficients = data_table(
            view.COEFFICIENTS,
            max_height=640,
            column_widths=view.COEFFICIENT_WIDTHS,
            elem_id="coefficients",
            explains="coefficients",
        )
        populations = data_table(
            view.POPULATIONS,
            label=_("Labels that the coefficients describe"),
            explains="agreement_population",
        )
        with gr.Accordion(_("Sensitivity"), open=False) as sensitivity:
            weighted = data_table(
                label=_("Weighted by the inverse chance of being drawn"), explains="agreement_weighted"
            )
            beside = data_table(
                label=_("Other intervals for the same values"), explains="agreement_intervals"
            )
    return [simulated, verdict, plot, summary, coefficients, populations, sensitivity, weighted, beside]


def _analysis_column(tables: int) -> list[Any]:
    """Create a hidden column with `tables` tables; returns it and each table's label, table and notes."""
    with gr.Column(visible=False) as column:
        made = [
            (
                gr.HTML(padding=False, apply_default_css=False, elem_classes="cn-help-line"),
                data_table(explains=None),
                gr.Markdown(elem_classes="cn-muted"),
            )
            for _ in range(tables)
        ]
    return [column, *(one for three in made for one in three)]


def build_agreement(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `see_agreement`."""
    handlers = AgreementHandlers(store)
    with gradio_page(_("Agreement"), "/agreement", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        with gr.Row():
            study = gr.Dropdown([], label=_("Study"), scale=4, elem_id="study")
            refresh = gr.Button(_("Refresh"), scale=0, min_width=140)
        newer, saved = gr.Markdown(elem_id="newer"), gr.Number(0, visible="hidden", precision=0)
        with gr.Tabs(selected="summary", visible=False) as tabs:
            whole = _whole_study()
            with gr.Tab(_("Annotators"), id="annotators") as tab:
                analyses = [(_(one.title), key) for key, one in ANALYSES.items()]
                analysis = gr.Radio(analyses, value=analyses[0][1], label=_("Analysis"), elem_id="analysis")
                parts = [_analysis_column(ANALYSIS_TABLES)]
                analysed = partial(gr.on, [tab.select, analysis.input])
                on(analysed, handlers.analyse, [study, analysis], parts[-1])
            with gr.Tab(_("Consensus"), id="consensus") as tab:
                protocols = [(_("as in the report"), ""), *((_(NAMES[key]), key) for key in PROTOCOLS)]
                protocol = gr.Dropdown(protocols, value="", label=_("Consensus"), filterable=False)
                parts.append(_analysis_column(CONSENSUS_TABLES))
                settles = partial(gr.on, [tab.select, protocol.input])
                on(settles, handlers.consensus, [study, protocol], parts[-1])
            with gr.Tab(_("Planning"), id="planning"):
                width = gr.Number(
                    0.05, label=_("Half-width of the 95 % interval"), minimum=0.005, maximum=0.5, step=0.005
                )
                estimate = gr.Button(_("Plan items and annotators"), variant="primary")
                parts.append(_analysis_column(PLANNER_TABLES))
                on(partial(gr.on, [estimate.click, width.submit]), handlers.plan, [study, width], parts[-1])
        figures = [saved, newer, tabs, *whole]
        before = gr.Textbox(visible="hidden")
        on(page.load, handlers.load, [before], [study, *figures], js=STUDY_BEFORE)
        on(
            study.input,
            handlers.show,
            [study],
            [*figures, tabs, *(one[0] for one in parts)],
            js=keep_view_in_url(["study"]),
            trigger_mode=EVERY_TIME,
        )
        on(refresh.click, handlers.refresh, [study], figures)
        on(gr.Timer(CHECK_S).tick, handlers.check, [study, saved], [newer], show_progress="hidden")
    return page
