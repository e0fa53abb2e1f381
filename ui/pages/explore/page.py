"""The explore page: what the models of the chosen runs answered, cut into slices.

The view is encoded in the address. Who may see which runs and labels is decided in
`clinicnum.db.work.explore`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr

from clinicnum.annotations.explore.slice_accuracy import slice_accuracy
from clinicnum.annotations.role_rights import may
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.accounts.users import get_user
from clinicnum.db.work.explore.explorable_runs import explorable_runs, hidden_by
from clinicnum.db.work.explore.explore_page_data import Explorer, Slice
from clinicnum.db.work.explore.generation_list import answers_beside
from clinicnum.db.work.explore.saved_views import view_query
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    bring_into_view,
    error_message,
    gradio_page,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.explore import summary_view
from clinicnum.ui.pages.explore.answers_panel import answers_values, flips_values, run_choices
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames
from clinicnum.ui.pages.explore.facets_panel import filter_updates
from clinicnum.ui.pages.explore.instance_view import instance_view
from clinicnum.ui.pages.explore.layout import Layout
from clinicnum.ui.pages.explore.saved_views_panel import SavedViews, SavedViewsHandlers, view_choices
from clinicnum.ui.pages.explore.slice_actions import SliceUseHandlers, SliceUses
from clinicnum.ui.pages.explore.slices_panel import map_values, slices_values, value_of
from clinicnum.ui.pages.explore.view_query import ViewQuery, read_address, read_values
from clinicnum.ui.pages.explore.worst_slices_panel import WorstSlicesHandlers

HIDDEN = gr.update(visible=False)
FOLD_ON_PHONES = "() => ({ __type__: 'update', ...(window.innerWidth < 700 ? { open: false } : {}) })"
"""Folds the filters on narrow screens, so that results come first."""


class ExploreHandlers:
    """The page's events. Not async, so that long computations run in a worker thread."""

    def __init__(self, store: Store, explorer: Explorer) -> None:
        self.store = store
        self.explorer = explorer

    def load(self, request: gr.Request) -> Outputs:
        """Show the view that the URL names, the saved views, and the buttons that the account may use on a
        slice: drafting a template, for curators, and sampling a study, if it can see any run.
        """
        with self.store.reading() as session:
            user = get_user(session, str(request.username))
            there = bool(explorable_runs(session, user_id=str(request.username)))
        curates = gr.update(visible=user is not None and may(user.role, "curate"))
        shown = self._loaded(str(request.username), dict(request.query_params))
        usable = gr.update(visible=there)
        return *shown, view_choices(self.store, str(request.username)), curates, usable, usable

    def _loaded(self, user_id: str, given: dict[str, str]) -> Outputs:
        """The view of an address: a saved one, or the one that it spells out.

        Without runs, it shows those of the first benchmark; without any parameter, their headline answers.
        """
        with self.store.reading() as session:
            runs = explorable_runs(session, user_id=user_id)
            hidden = hidden_by(session, user_id=user_id)
        choices = [(name, one.run) for one, name in runs.items()]
        said = "" if choices and not hidden else summary_view.why_no_runs(hidden)
        if not choices:
            return said, *Layout.nothing()
        try:
            asked = self.saved(given["view"], user_id) if given.get("view") else read_address(given)
            if not asked.runs:
                benchmark = next(iter(runs)).benchmark_id
                chosen = tuple(one.run for one in runs if one.benchmark_id == benchmark)
                asked = asked.model_copy(update={"runs": chosen})
                if not given:
                    asked = asked.model_copy(update={"where": {"headline": ("yes",)}})
            whole = self.whole(asked, user_id)
        except ClinicnumError as error:
            return error_message(error), gr.update(choices=choices, value=[]), *Layout.nothing()[1:]
        return said, gr.update(choices=choices, value=list(asked.runs)), *whole[1:]

    def show(self, request: gr.Request, *values: object) -> Outputs:
        """Show the first page of the slice chosen by the filters."""
        asked = read_values(values).model_copy(update={"page": 1})
        return "", *self.shown(asked, str(request.username))

    def turn(self, request: gr.Request, *values: object) -> Outputs:
        """Another page of the answers."""
        return "", *self.shown(read_values(values), str(request.username))

    def find_causes(self, request: gr.Request, *values: object) -> Outputs:
        """Compute the suggested causes of the chosen runs, then show the slice with them."""
        asked, user_id = read_values(values), str(request.username)
        with self.store.reading() as session:
            self.explorer.find_causes(session, user_id=user_id, runs=asked.runs)
        return "", *self.shown(asked, user_id)

    def choose_slice(self, selected: gr.SelectData, request: gr.Request, *values: object) -> Outputs:
        """Narrow the filters to the slice of the clicked row, and show its answers."""
        asked, user_id = read_values(values), str(request.username)
        row = selected.row_value
        with self.store.reading() as session:
            names = self._names(session, user_id)
            found = self.explorer.slice_of(session, user_id=user_id, query=asked.slice())
        choices = found.frame.facet(asked.by).values
        value = value_of(choices, row[0] if isinstance(row, list) and row else None, asked.by, names)
        if value is None:
            raise InputError(_("This slice is not there any more; the table was shown anew."))
        where = {**asked.where, asked.by: (value,)}
        return "", *self.whole(asked.model_copy(update={"where": where, "panel": "answers"}), user_id)

    def open_answer(self, selected: gr.SelectData, request: gr.Request, *values: object) -> Outputs:
        """Show the instance of the clicked answer, with the answers of the other runs."""
        row = selected.row_value
        key = row[-1] if isinstance(row, list) and row else ""
        asked = validated(ViewQuery, **{**read_values(values).model_dump(), "answer": key})
        return "", self._instance(asked, str(request.username)), asked.address()

    def saved(self, view_id: object, user_id: str) -> ViewQuery:
        """The view with this id."""
        with self.store.reading() as session:
            return validated(ViewQuery, **view_query(session, user_id=user_id, view_id=str(view_id)))

    def whole(self, asked: ViewQuery, user_id: str) -> Outputs:
        """Values for the inputs, then those of `shown`."""
        inputs = (list(asked.runs), asked.search, asked.panel, asked.by, asked.down, asked.across)
        return *inputs, asked.order, asked.direction, *self.shown(asked, user_id)

    def shown(self, asked: ViewQuery, user_id: str) -> Outputs:
        """Values for the facets, the summary, the chosen panel, the opened instance and the address."""
        with self.store.reading() as session:
            names = self._names(session, user_id)
            found = self.explorer.slice_of(session, user_id=user_id, query=asked.slice())
            panel = self._panel(session, found, asked, names)
        frame = found.frame
        counted = frame.choose({"headline": asked.where.get("headline", ())})
        of = slice_accuracy(frame, found.chosen, among=counted)
        return (
            *filter_updates(found, asked, names),
            summary_view.summary(of, int((counted & frame.answered).sum()), _beside(found, asked), asked),
            gr.update(visible=bool(found.lacks_causes), value=summary_view.causes_label(found.lacks_causes)),
            *panel,
            self._instance(asked, user_id) if asked.answer else "",
            asked.address(),
        )

    def _panel(self, session: Any, found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
        """Values for all panels, of which one is visible: slices, map, flips, list of answers."""
        kept = gr.skip()
        slices: Outputs = (HIDDEN, kept, kept)
        failures: Outputs = (HIDDEN, kept)
        flipped: Outputs = (HIDDEN, kept, kept, kept)
        answers: Outputs = (HIDDEN, kept, kept, kept)
        seen = gr.update(visible=True)
        if asked.panel == "slices":
            slices = (seen, *slices_values(found, asked, names))
        elif asked.panel == "map":
            failures = (seen, *map_values(found, asked, names))
        elif asked.panel == "answers":
            answers = (seen, gr.update(visible=True), *answers_values(session, found, asked, names))
        else:
            choices = run_choices(asked.runs, names)
            said, table, number = flips_values(session, found, asked, names)
            runs = (gr.update(choices=choices, value=one or None) for one in (asked.first, asked.second))
            flipped = (seen, *runs, said)
            answers = (seen, HIDDEN, table, number)
        return *slices, *failures, *flipped, *answers

    def _instance(self, asked: ViewQuery, user_id: str) -> str:
        with self.store.reading() as session:
            names = self._names(session, user_id)
            found = answers_beside(session, user_id=user_id, runs=asked.runs, generation=asked.answer)
        return instance_view(found, names)

    @staticmethod
    def _names(session: Any, user_id: str) -> ValueNames:
        runs = explorable_runs(session, user_id=user_id)
        return ValueNames({one.run: name for one, name in runs.items()})


def _beside(found: Slice, asked: ViewQuery) -> summary_view.Beside:
    """What the summary tells of beside the accuracy."""
    frame, headline = found.frame, asked.where.get("headline")
    uncounted = ~frame.choose({"headline": ("yes",)})
    unread = found.chosen & frame.choose({"status": ("unparsable",)})
    others = {facet: values for facet, values in asked.where.items() if facet != "headline"}
    left_out = frame.choose(others) & found.found & uncounted
    return summary_view.Beside(
        uncounted=0 if headline else int((found.chosen & frame.answered & uncounted).sum()),
        left_out=int(left_out.sum()) if headline == ("yes",) else 0,
        unread=int(unread.sum()),
        questions=frame.each_is_own_subject,
    )


def build_explore(*, store: Store, navbar: Navbar, explorer: Explorer) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `evaluate`."""
    handlers = ExploreHandlers(store, explorer)
    with gradio_page(_("Explore"), "/explore", navbar) as page:
        gr.Markdown(_(summary_view.ABOUT), elem_classes="cn-hint")
        status = status_line()
        parts = Layout()
        filters = parts.filters
        uses, views = SliceUses(), SavedViews()
        on = _addressed(partial(listen, status=status), parts)
        quick: dict[str, Any] = {"trigger_mode": EVERY_TIME}
        fold = {"api_visibility": "private", "queue": False, "show_progress": "hidden"}
        page.load(None, None, [filters.fold], js=FOLD_ON_PHONES, **fold)
        on(page.load, handlers.load, [], [*parts.whole, views.chosen, uses.draft, uses.study, views.panel])
        changed = [
            *(one.input for one in (filters.runs, *filters.lists.values(), *parts.looks.values())),
            *(filters.search.submit, filters.show.click),
        ]
        on(partial(gr.on, changed), handlers.show, parts.inputs, parts.shown, **quick)
        on(parts.number.input, handlers.turn, parts.inputs, parts.shown, **quick)
        on(parts.causes.click, handlers.find_causes, parts.inputs, parts.shown)
        on(parts.slices.select, handlers.choose_slice, parts.inputs, parts.whole, **quick)
        opened = [parts.instance, parts.address]
        bring_into_view(
            on(parts.answers.select, handlers.open_answer, parts.inputs, opened, **quick), "instance"
        )
        parts.worst.listen(on, WorstSlicesHandlers(store, explorer, handlers), parts.inputs, parts.whole)
        views.listen(on, SavedViewsHandlers(store, handlers), status, parts)
        uses.listen(SliceUseHandlers(store, explorer), status, parts)
    return page


def _addressed(on: Callable[..., Any], parts: Layout) -> Callable[..., Any]:
    """`on`, extended so that after each event the browser's address becomes that of the view."""

    def register(*event: Any, **more: Any) -> Any:
        made = on(*event, **more)
        write = "(path) => { if (path.startsWith('/explore/')) history.replaceState(null, '', path); }"
        made.success(
            None,
            [parts.address],
            None,
            js=write,
            api_visibility="private",
            queue=False,
            show_progress="hidden",
        )
        return made

    return register
