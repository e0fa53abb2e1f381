"""Panel that searches the worst slices, confirms them on other patients, and opens one on click."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import gradio as gr

from clinicnum.annotations.explore.worst_slices import choices, find_worst
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.explore.explorable_runs import explorable_runs
from clinicnum.db.work.explore.explore_page_data import Explorer, Slice
from clinicnum.errors import InputError
from clinicnum.slices.find_slices import SliceSearch
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import EVERY_TIME, Outputs, data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import destination_field
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames
from clinicnum.ui.pages.explore.view_query import OpensViews, ViewQuery, read_address, read_values
from clinicnum.ui.pages.explore.worst_slices_text import worst_note, worst_rows

COLUMNS = (
    Translatable("Slice"),
    Translatable("Run"),
    Translatable("Right"),
    Translatable("Elsewhere"),
    Translatable("Difference (95 % interval)"),
    Translatable("Tested on"),
    Translatable("p"),
)
WIDTHS: list[str | int] = ["225px", "100px", "75px", "95px", "200px", "110px", "80px"]
ABOUT = Translatable(
    "Looks for slices of the answers chosen here that one or two features describe, such as records in a "
    "note or female patients, and that are wrong more often than the rest: first in one half of the patients "
    "(of the questions, if each is about somebody else or about nobody); what is found is then tested on the "
    "other half. It takes a few seconds."
)
KEPT = 4
"""Most searches kept in memory, so that a click does not search again."""


class WorstSlices:
    """The button and its results."""

    def __init__(self) -> None:
        with gr.Accordion(_("Where does it fail most?"), open=False, elem_id="worst"):
            gr.Markdown(_(ABOUT), elem_classes="cn-hint")
            self.find = gr.Button(_("Find where it fails most"))
            self.note = gr.HTML(apply_default_css=False)
            self.table = data_table(
                COLUMNS, column_widths=WIDTHS, visible=False, elem_id="worst-slices", explains="worst_slices"
            )
        self.searched = destination_field()
        """The address of the view that was searched: a click chooses in it, whatever is chosen by then."""

    def listen(
        self, on: Callable[..., Any], handlers: "WorstSlicesHandlers", inputs: list[Any], whole: list[Any]
    ) -> None:
        """Register the panel's events by `on`, the page's own `listen`.

        `inputs` are the components that hold a view's settings, `whole` those that are filled to show a view.
        """
        on(self.find.click, handlers.find_slices, inputs, [self.note, self.table, self.searched])
        on(self.table.select, handlers.choose_found, [self.searched], whole, trigger_mode=EVERY_TIME)


class WorstSlicesHandlers:
    """The panel's events."""

    def __init__(self, store: Store, explorer: Explorer, page: OpensViews) -> None:
        self.store, self.explorer, self.page = store, explorer, page
        self._lock = Lock()
        self._kept: OrderedDict[bytes, SliceSearch] = OrderedDict()

    def find_slices(self, request: gr.Request, *values: object) -> Outputs:
        """Find the worst parts of the slice."""
        asked = read_values(values)
        search, names, own = self._search(asked, str(request.username))
        rows = worst_rows(search, names, questions=own)
        return (
            "",
            worst_note(search, questions=own),
            gr.update(value=rows, visible=bool(rows)),
            asked.address(),
        )

    def choose_found(self, selected: gr.SelectData, request: gr.Request, searched: object) -> Outputs:
        """Show the answers of the clicked slice."""
        user_id = str(request.username)
        asked = read_address(dict(parse_qsl(urlsplit(str(searched)).query)))
        search, names, own = self._search(asked, user_id)
        row = selected.row_value
        found = zip(worst_rows(search, names, questions=own), search.slices, strict=True)
        one = next((one for shown, one in found if isinstance(row, list) and shown[:2] == row[:2]), None)
        if one is None:
            raise InputError(_("This slice is not there any more. Find slices again."))
        where = {**asked.where, **choices(one)}
        shown = asked.model_copy(update={"where": where, "panel": "answers", "page": 1, "answer": ""})
        return "", *self.page.whole(shown, user_id)

    def _search(self, asked: ViewQuery, user_id: str) -> tuple[SliceSearch, ValueNames, bool]:
        """The search, the names of its values, and whether each question is its own subject."""
        with self.store.reading() as session:
            names = ValueNames(
                {one.run: name for one, name in explorable_runs(session, user_id=user_id).items()}
            )
            found = self.explorer.slice_of(session, user_id=user_id, query=asked.slice())
        key = _key(found)
        with self._lock:  # of two who ask at once, one searches
            if key not in self._kept:
                self._kept[key] = find_worst(found.frame, found.chosen)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[key], names, found.frame.each_is_own_subject


def _key(found: Slice) -> bytes:
    """A hash of which answers were searched and of whether each was right."""
    from hashlib import sha256

    frame, chosen = found.frame, found.chosen
    return sha256(frame.keys[chosen].tobytes() + frame.correct[chosen].tobytes()).digest()
