"""The failures page: labelled failures, clusters of them and upheld contests, and drafts made from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.failure_clusters import Clustering, cluster_failures
from clinicnum.annotations.curation.labelled_failure import Failure, UpheldContest
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.drafts import draft_sources
from clinicnum.errors import InputError
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    gradio_page,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import destination_field, follow
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.value_display_names import word
from clinicnum.ui.pages.failures import view
from clinicnum.ui.pages.failures.begin_draft import GONE, begin_draft
from clinicnum.ui.pages.failures.details_panel import details_panel, details_values
from clinicnum.ui.pages.failures.drafts_made import Begun, DraftsMade
from clinicnum.ui.pages.failures.event_inputs import ChosenRow, Filters
from clinicnum.ui.pages.failures.view import Details, Kind


@dataclass(frozen=True)
class FoundRows:
    """All rows that match the filters, by kind, with the failures and drafts behind them."""

    rows: dict[Kind, Sequence[Any]]
    known: tuple[Failure, ...]
    left_out: int
    made: DraftsMade


WIDTHS: dict[str, list[str]] = {
    "clusters": ["190px", "110px", "85px", "190px", "310px", "80px", "70px", "170px"],
    "contests": ["190px", "220px", "80px", "310px", "120px", "75px", "170px"],
    "failures": ["165px", "110px", "190px", "80px", "110px", "220px", "90px", "70px", "170px"],
}
"""Widths of the columns of each list: together no more than the page has."""


class FailuresHandlers:
    """The page's events; the authorization middleware has already checked the right.

    Not async, so that clustering runs in a worker thread. Clusters are cached until the data changes.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._grouping = Lock()
        self._kept: tuple[str, tuple[Failure, ...], Clustering] | None = None
        taxonomy = load_taxonomy()
        self._names = {code: taxonomy.find(code).name for code in taxonomy.codes()}

    def load(self, request: gr.Request) -> Outputs:
        """Show the rows that the URL asks for; without parameters, all clusters of failures."""
        asked = {name: request.query_params.get(name, "")[:200] for name in ("template", "cluster")}
        item = (request.query_params.get("failure") or request.query_params.get("item") or "")[:200]
        only = item or asked["cluster"]
        filters = Filters(kind="failures" if item else "clusters", template=asked["template"], only=only)
        found = self._found(filters, str(request.username))
        if (only or filters.template) and not found.rows[filters.kind] and found.rows["contests"]:
            filters = filters.model_copy(update={"kind": "contests"})
        return self._listed(filters, found, open_first=bool(only))

    def show(
        self,
        kind: object,
        operation: object,
        code: object,
        template: object,
        only: object,
        request: gr.Request,
    ) -> Outputs:
        """The first page of the filtered list."""
        return self.turn(kind, operation, code, template, only, 1, request)

    def turn(
        self,
        kind: object,
        operation: object,
        code: object,
        template: object,
        only: object,
        page: object,
        request: gr.Request,
    ) -> Outputs:
        """Another page of the filtered list."""
        filters = validated(
            Filters, kind=kind, operation=operation, code=code, template=template, only=only, page=page
        )
        return self._listed(filters, self._found(filters, str(request.username)))

    def show_all(self, kind: object, request: gr.Request) -> Outputs:
        """Clear all filters and show the first page."""
        return self.show(kind, "", "", "", "", request)

    def select_row(self, kind: object, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the details of the clicked row."""
        row = selected.row_value
        key = row[-1] if isinstance(row, list) and row else None
        return "", key, *self._details(validated(ChosenRow, kind=kind, key=key), str(request.username))

    def choose(self, kind: object, key: object, request: gr.Request) -> Outputs:
        """Show the details of the row chosen in the dropdown; an empty choice hides them."""
        if key is None:
            return "", *details_values(None)
        return "", *self._details(validated(ChosenRow, kind=kind, key=key), str(request.username))

    def create_template(self, kind: object, key: object, request: gr.Request) -> Outputs:
        """Create a draft of a new template and open it."""
        return self._begun(kind, key, request, "template")

    def create_version(self, kind: object, key: object, request: gr.Request) -> Outputs:
        """Create a draft of the template's next version and open it."""
        return self._begun(kind, key, request, "version")

    def create_item(self, kind: object, key: object, request: gr.Request) -> Outputs:
        """Create a draft of an item for the next version of an imported benchmark and open it."""
        return self._begun(kind, key, request, "item")

    def _begun(self, kind: object, key: object, request: gr.Request, of: Begun) -> Outputs:
        chosen = validated(ChosenRow, kind=kind, key=key)
        known, clustering = self._grouped()
        return "", begin_draft(self.store, chosen, known, clustering, actor=str(request.username), of=of)

    def _grouped(self) -> tuple[tuple[Failure, ...], Clustering]:
        with self._grouping:
            with self.store.reading() as session:
                mark = draft_sources.failures_mark(session)
                if self._kept is not None and self._kept[0] == mark:
                    return self._kept[1:]
                known = draft_sources.labelled_failures(session)
            self._kept = mark, known, cluster_failures(known)
            return self._kept[1:]

    def _found(self, filters: Filters, user_id: str) -> FoundRows:
        known, clustering = self._grouped()
        contests, made = self._contests(user_id)
        only = filters.only
        rows: dict[Kind, Sequence[Any]] = {
            "clusters": [
                one
                for one in clustering.clusters
                if any(map(filters.matches, one.members))
                and (only in ("", one.cluster_id) or any(only == member.item for member in one.members))
            ],
            "contests": [
                one
                for one in contests
                if filters.template in ("", one.template_id)
                and filters.operation in ("", one.operation)
                and only in ("", one.item)
            ],
            "failures": [one for one in known if filters.matches(one) and only in ("", one.item)],
        }
        return FoundRows(rows, known, clustering.left_out, made)

    def _contests(self, user_id: str) -> tuple[tuple[UpheldContest, ...], DraftsMade]:
        with self.store.reading() as session:
            return draft_sources.upheld_contests(session, user_id=user_id), draft_sources.drafts_made(session)

    def _listed(self, filters: Filters, found: FoundRows, *, open_first: bool = False) -> Outputs:
        """Values for the message, the filters, the table, the row dropdown and the details."""
        kind = filters.kind
        matching = found.rows[kind]
        part, at, pages = view.paged(len(matching), filters.page)
        rows = [self._row(kind, one, found.made) for one in matching[part]]
        choices = [(view.label_of(row), row[-1]) for row in rows]
        first = matching[part][0] if open_first and len(rows) == 1 else None
        return (
            self._message(kind, found, empty=not rows),
            gr.update(
                choices=view.kind_choices({one: len(of) for one, of in found.rows.items()}), value=kind
            ),
            _choices(view.filter_choices((one.operation for one in found.known), word), filters.operation),
            _choices(view.filter_choices((one.code for one in found.known), self._name), filters.code),
            _choices(view.filter_choices(one.template_id for one in found.known), filters.template),
            gr.update(value=filters.only, visible=bool(filters.only)),
            gr.update(visible=filters.is_any_set()),
            gr.update(value=at, maximum=pages, info=_("of {pages}", pages=pages), visible=pages > 1),
            gr.update(
                value={"headers": [_(name) for name in view.COLUMNS[kind]], "data": rows},
                column_widths=WIDTHS[kind],
                label=view.page_label(kind, len(matching), at),
                visible=bool(rows),
            ),
            gr.update(choices=choices, value=None if first is None else choices[0][1], visible=bool(rows)),
            *details_values(None if first is None else self._details_of(kind, first, found.made)),
        )

    def _row(self, kind: Kind, one: Any, made: DraftsMade) -> list[str]:
        if kind == "contests":
            return view.contest_row(one, made)
        return (view.cluster_row if kind == "clusters" else view.failure_row)(one, made, self._name)

    def _message(self, kind: Kind, found: FoundRows, *, empty: bool) -> str:
        if empty:
            return str(note(view.nothing_found(kind, any_known=bool(found.known))))
        left_out = found.left_out if kind == "clusters" else 0
        return str(note(view.left_out_message(left_out), "warn")) if left_out else ""

    def _details(self, chosen: ChosenRow, user_id: str) -> tuple[Any, ...]:
        known, clustering = self._grouped()
        contests, made = self._contests(user_id)
        by_kind: dict[Kind, dict[str, Any]] = {
            "clusters": {one.cluster_id: one for one in clustering.clusters},
            "contests": {one.contest: one for one in contests},
            "failures": {one.key: one for one in known},
        }
        found = by_kind[chosen.kind]
        if chosen.key not in found:
            raise InputError(GONE)
        return details_values(self._details_of(chosen.kind, found[chosen.key], made))

    def _details_of(self, kind: Kind, one: Any, made: DraftsMade) -> Details:
        if kind == "contests":
            return view.contest_details(one, made)
        return (view.cluster_details if kind == "clusters" else view.failure_details)(one, made, self._name)

    def _name(self, code: str) -> str:
        return _(self._names.get(code, code))


def _choices(choices: view.Choices, value: str) -> Any:
    """A filter's choices, plus the current value from the URL if it is not among them."""
    known = {one for label, one in choices}
    return gr.update(choices=choices if value in known else [*choices, (value, value)], value=value)


def build_failures(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    handlers = FailuresHandlers(store)
    with gradio_page(_("Failures"), "/failures", navbar) as page:
        gr.Markdown(_(view.ABOUT))
        status = status_line()
        on = partial(listen, status=status)
        kind = gr.Radio(
            [(_(label), one) for one, label in view.KINDS.items()],
            value="clusters",
            label=_("Show"),
            elem_id="kind",
        )
        with gr.Row():
            operation, code, template = (
                gr.Dropdown(view.filter_choices(()), value="", label=label)
                for label in (_("Operation"), _("Cause"), _("Template"))
            )
        with gr.Row():
            only = gr.Textbox(label=_("Only this one"), interactive=False, visible=False)
            every = gr.Button(_("Show all failures"), visible=False)
        filters = [kind, operation, code, template, only]
        table = data_table(visible=False, elem_id="failures", explains="failure_groups")
        number = gr.Number(label=_("Page"), precision=0, minimum=1, visible=False)
        chosen = gr.Dropdown([], label=_("Selected"), info=_("Or click a row of the table."), visible=False)
        with gr.Column(visible=False, elem_id="details") as panel:
            details = details_panel()
            with gr.Row():
                new_template = gr.Button(_("New template from this"), variant="primary")
                new_version = gr.Button(_("New version of the template"))
                new_item = gr.Button(_("New item from this"), variant="primary")
        go = destination_field()
        detail = [panel, *details, new_template, new_version, new_item]
        listed = [*filters, every, number, table, chosen, *detail]
        on(page.load, handlers.load, outputs=listed)
        filtered = partial(gr.on, [kind.input, operation.input, code.input, template.input])
        on(filtered, handlers.show, filters, listed, trigger_mode=EVERY_TIME)
        on(every.click, handlers.show_all, [kind], listed)
        on(number.input, handlers.turn, [*filters, number], listed, trigger_mode=EVERY_TIME)
        on(table.select, handlers.select_row, [kind], [chosen, *detail], trigger_mode=EVERY_TIME)
        on(chosen.input, handlers.choose, [kind, chosen], detail, trigger_mode=EVERY_TIME)
        follow(on(new_template.click, handlers.create_template, [kind, chosen], [go]), go)
        follow(on(new_version.click, handlers.create_version, [kind, chosen], [go]), go)
        follow(on(new_item.click, handlers.create_item, [kind, chosen], [go]), go)
    return page
