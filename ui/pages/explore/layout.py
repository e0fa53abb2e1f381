"""The components of the explore page and their order as inputs and outputs."""

from typing import Any

import gradio as gr

from clinicnum.ui.components.gradio_page import Outputs, data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import destination_field
from clinicnum.ui.pages.explore import summary_view
from clinicnum.ui.pages.explore.answers_panel import COLUMNS, FLIPPED, WIDTHS, order_choices
from clinicnum.ui.pages.explore.facets_panel import HEADINGS, Filters
from clinicnum.ui.pages.explore.slices_panel import COLUMNS as SLICE_COLUMNS
from clinicnum.ui.pages.explore.slices_panel import UNCORRECTED, facet_choices
from clinicnum.ui.pages.explore.slices_panel import WIDTHS as SLICE_WIDTHS
from clinicnum.ui.pages.explore.view_query import FACETS, ViewQuery
from clinicnum.ui.pages.explore.worst_slices_panel import WorstSlices

START = ViewQuery()


class Layout:
    """All components; created inside the page."""

    def __init__(self) -> None:
        with gr.Row(equal_height=False):
            with gr.Column(scale=1, min_width=260):
                self.filters = Filters()
            with gr.Column(scale=3, min_width=320):
                self.summary = gr.HTML(apply_default_css=False)
                self.causes = gr.Button(visible=False)
                self.worst = WorstSlices()
                self.panel = gr.Radio(
                    summary_view.panel_choices(), value=START.panel, label=_("Look at"), elem_id="panel"
                )
                self._slices()
                self._map()
                self._flips()
                self._answers()
                self.instance = gr.HTML(apply_default_css=False, elem_id="instance")
        self.address = destination_field()

    def _slices(self) -> None:
        with gr.Column(visible=False) as self.slices_column:
            self.by = gr.Dropdown(facet_choices(), value=START.by, label=_("Compare by"))
            self.slices = data_table(
                SLICE_COLUMNS, column_widths=SLICE_WIDTHS, elem_id="slices", explains="slice_accuracy"
            )
            self.slices_note = gr.HTML(apply_default_css=False)
            gr.Markdown(_(UNCORRECTED), elem_classes="cn-hint")

    def _map(self) -> None:
        with gr.Column(visible=False) as self.map_column:
            with gr.Row():
                self.down = gr.Dropdown(facet_choices(), value=START.down, label=_("Rows"))
                self.across = gr.Dropdown(facet_choices(), value=START.across, label=_("Columns"))
            self.map = gr.HTML(apply_default_css=False, elem_id="map")

    def _flips(self) -> None:
        with gr.Column(visible=False) as self.flips_column:
            with gr.Row():
                self.first = gr.Dropdown([], label=_("From this run"))
                self.second = gr.Dropdown([], label=_("To this run"))
                self.direction = gr.Radio(
                    [(_(name), value) for value, name in FLIPPED.items()],
                    value=START.direction,
                    label=_("List the answers that were"),
                )
            self.flips_note = gr.HTML(apply_default_css=False)

    def _answers(self) -> None:
        with gr.Column(visible=False) as self.answers_column:
            self.answers = data_table(
                COLUMNS, column_widths=WIDTHS, max_height=700, elem_id="answers", explains="answers"
            )
            with gr.Row():
                self.number = gr.Number(1, label=_("Page"), precision=0, minimum=1, visible=False)
                self.order = gr.Dropdown(order_choices(), value=START.order, label=_("Order"))

    @property
    def looks(self) -> dict[str, Any]:
        """The inputs of `view_query.LOOKS`, by name."""
        return {
            "panel": self.panel,
            "by": self.by,
            "down": self.down,
            "across": self.across,
            "order": self.order,
            "first": self.first,
            "second": self.second,
            "direction": self.direction,
        }

    @property
    def inputs(self) -> list[Any]:
        """The components whose values `view_query.read_values` takes, in its order."""
        of = self.filters
        return [of.runs, of.search, *self.looks.values(), self.number, *of.lists.values()]

    @property
    def shown(self) -> list[Any]:
        """The components in the order of the values that `ExploreHandlers.shown` returns."""
        return [
            *self.filters.shown,
            *(self.summary, self.causes),
            *(self.slices_column, self.slices, self.slices_note),
            *(self.map_column, self.map),
            *(self.flips_column, self.first, self.second, self.flips_note),
            *(self.answers_column, self.order, self.answers, self.number),
            *(self.instance, self.address),
        ]

    @property
    def whole(self) -> list[Any]:
        """The components in the order of the values that `ExploreHandlers.whole` returns."""
        inputs = [self.filters.runs, self.filters.search, self.panel, self.by, self.down, self.across]
        return [*inputs, self.order, self.direction, *self.shown]

    @staticmethod
    def nothing() -> Outputs:
        """Values of `whole` while there is nothing to show."""
        hidden, kept = gr.update(visible=False), gr.skip()
        inputs = (gr.update(choices=[], value=[]), *(kept for _one in range(7)))
        panels = (hidden, kept, "", hidden, "", hidden, kept, kept, "", hidden, kept, kept, kept)
        return *inputs, *(hidden for _one in range(HEADINGS + len(FACETS))), "", hidden, *panels, "", ""
