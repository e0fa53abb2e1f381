"""The items page: a study's items found by filters, one item with its judgements, and moving items.

The view is in the page's address. Who may see what is decided by `clinicnum.db.work.studies.item_query`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import gradio as gr

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.changes.label_changes import visible_studies
from clinicnum.db.work.studies.study_items import item_details, list_items
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    error_message,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.items import view
from clinicnum.ui.pages.items.details_panel import details_panel, details_values, no_details
from clinicnum.ui.pages.items.event_inputs import FILTERS, RequestedView, read_filters
from clinicnum.ui.pages.items.reassign_items_panel import MoveHandlers, MovePanel


class ItemsHandlers:
    """The page's events. Not async, so that long searches run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show the view in the URL; without a study, the newest."""
        user_id = str(request.username)
        with self.store.reading() as session:
            studies = visible_studies(session, user_id=user_id)
        choices = view.study_choices(studies)
        if not studies:
            return str(note(_(view.NO_STUDY))), *_nothing(choices), *no_details()
        known: Mapping[str, Any] = request.query_params
        given = {name: known[name] for name in RequestedView.model_fields if known.get(name)}
        named, item = given.get("study"), str(given.pop("item", ""))
        if named and named not in [name for _label, name in choices]:
            return view.no_such_study(named), *_nothing(choices), *no_details()
        try:
            asked = validated(RequestedView, **{"study": studies[0][1], **given})
            listed = self.listed(asked, user_id)
        except ClinicnumError as error:
            return error_message(error), *_nothing(choices), *no_details()
        said, opened = "", no_details()
        if item:
            try:
                opened = self._opened(validated(RequestedView, study=asked.study, item=item), user_id)
            except InputError:
                said = view.no_such_item(item, asked.study)
        return said, gr.update(choices=choices, value=asked.study), *listed[1:], *opened

    def show(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        request: gr.Request,
    ) -> Outputs:
        """The first page of what the filters find."""
        return self.turn(study, state, template, annotator, differ, search, order, 1, request)

    def choose_study(self, study: object, request: gr.Request) -> Outputs:
        """The items of another study, without filters."""
        asked = validated(RequestedView, study=study)
        return "", *self.listed(asked, str(request.username)), *no_details()

    def turn(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        page: object,
        request: gr.Request,
    ) -> Outputs:
        """Another page of what the filters find."""
        asked = read_filters((study, state, template, annotator, differ, search, order), page=page)
        return "", *self.listed(asked, str(request.username)), *no_details()

    def select_row(self, study: object, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the item of the clicked row."""
        row = selected.row_value
        key = row[-1] if isinstance(row, list) and row else None
        asked = validated(RequestedView, study=study, item=key)
        return "", *self._opened(asked, str(request.username))

    def listed(self, asked: RequestedView, user_id: str) -> Outputs:
        """Values for the filters, the table, the page number, and the choices of items and annotators."""
        with self.store.reading() as session:
            found = list_items(session, user_id=user_id, query=asked.query(), page=asked.page)
        rows, of_pages = view.rows(found), _("of {pages}", pages=found.pages)
        return (
            asked.study,
            asked.state,
            gr.update(choices=view.template_choices(found), value=asked.template),
            gr.update(choices=view.annotator_choices(found), value=asked.annotator),
            asked.differ,
            asked.search,
            asked.order,
            gr.update(value=rows, label=view.list_label(found), visible=bool(rows)),
            "" if rows else view.nothing_found(),
            gr.update(value=found.page, maximum=found.pages, info=of_pages, visible=found.pages > 1),
            gr.update(choices=view.item_choices(found), value=[]),
            gr.update(choices=view.crew_choices(found), value=None),
            gr.update(visible=found.status != "closed"),
        )

    def _opened(self, asked: RequestedView, user_id: str) -> Outputs:
        with self.store.reading() as session:
            found = item_details(session, user_id=user_id, study=asked.study, item=asked.item)
            taxonomy = taxonomy_of_study(session, study_id=found.study_id)
        return details_values(found, taxonomy, asked.study)


def _nothing(choices: view.Choices) -> Outputs:
    """Outputs with the list of studies and no items."""
    hidden = gr.update(visible=False)
    unchanged = (gr.skip() for _one in FILTERS[1:])
    return (
        gr.update(choices=choices, value=None),
        *unchanged,
        hidden,
        "",
        hidden,
        gr.skip(),
        gr.skip(),
        hidden,
    )


def build_items(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `manage_studies`."""
    handlers = ItemsHandlers(store)
    with gradio_page(_("Items of a study"), "/items", navbar) as page:
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        status = status_line()
        on = partial(listen, status=status)
        with gr.Row():
            study = gr.Dropdown([], label=_("Study"))
            state = gr.Dropdown(view.choices_of(view.STATES), value="", label=_("State"))
            template = gr.Dropdown(view.template_choices(None), value="", label=_("Template"))
            annotator = gr.Dropdown(view.annotator_choices(None), value="", label=_("Annotator"))
        with gr.Row():
            differ = gr.Dropdown(view.differ_choices(), value="", label=_("Labels differ"))
            order = gr.Dropdown(view.order_choices(), value="position", label=_("Order"))
            search = gr.Textbox(label=_("Words in question or text"), max_length=200)
            show = gr.Button(_("Show"), variant="primary", min_width=120)
        filters = [study, state, template, annotator, differ, search, order]
        table = data_table(
            view.COLUMNS, column_widths=view.WIDTHS, visible=False, elem_id="items", explains="items"
        )
        nothing = gr.HTML(apply_default_css=False)
        number = gr.Number(label=_("Page"), precision=0, minimum=1, visible=False)
        details = details_panel()
        moving = MovePanel()
        listed = [*filters, table, nothing, number, *moving.outputs]
        shown = [*listed, *details]
        on(page.load, handlers.load, outputs=shown)
        shows = partial(gr.on, [show.click, search.submit, *(one.input for one in _dropdowns(filters))])
        quick: dict[str, Any] = {"trigger_mode": EVERY_TIME}
        on(shows, handlers.show, filters, shown, js=keep_view_in_url(FILTERS), **quick)
        on(study.input, handlers.choose_study, [study], shown, js=keep_view_in_url(FILTERS[:1]), **quick)
        turned, paged = [*filters, number], keep_view_in_url((*FILTERS, "page"))
        on(number.input, handlers.turn, turned, shown, js=paged, **quick)
        on(table.select, handlers.select_row, [study], details, **quick)
        moving.listen(MoveHandlers(store, handlers.listed), status, filters, shown)
    return page


def _dropdowns(filters: list[Any]) -> list[Any]:
    """The filters that reload the list as soon as they change; the study has an event of its own."""
    return [one for one in filters[1:] if isinstance(one, gr.Dropdown)]
