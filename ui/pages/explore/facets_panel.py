"""The filters: a list to choose from for each facet, with counts that follow the other choices."""

from collections.abc import Collection, Mapping
from typing import Any

import gradio as gr
import numpy as np

from clinicnum.annotations.explore.facet_names import BANDS, OTHER_DIMENSION
from clinicnum.db.work.explore.explore_page_data import Slice
from clinicnum.item_dimensions import COMMON
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import Outputs
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames, title
from clinicnum.ui.pages.explore.view_query import FACETS, ViewQuery

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        Translatable("What was asked"),
        (
            "operation",
            "representation",
            "template",
            "vital",
            "steps",
            "answer_type",
            "variant",
            "tag",
            "flag",
        ),
    ),
    (Translatable("Kind of question"), (*COMMON, OTHER_DIMENSION)),
    (
        Translatable("How it was answered"),
        ("correct", "status", "cause", "label", "severity", "confidence", "strict", "form", "finish_reason"),
    ),
    (
        Translatable("Which records"),
        ("context_length", "records", "patient", "gender", "age"),
    ),
    (Translatable("Which model"), ("model", "run")),
)
ABOVE = "headline"
"""The facet that leaves answers out of the accuracy; its list stands above the groups, which fold."""
HEADINGS = 1 + len(GROUPS)
"""Number of folds: of all lists, and of each group."""
MOST_CHOICES = 200
"""Most values in a list; if more, those with most answers."""
IN_ORDER = frozenset({*BANDS, "operation", "representation", "severity", "correct", "strict", "headline"})
"""Facets whose values are listed in their own order; the others by number of answers."""


class Filters:
    """Runs, words, and a list for each facet in groups that fold; all in one fold that a phone closes."""

    def __init__(self) -> None:
        made = {}
        self.groups = []
        with gr.Accordion(_label(None, 0), elem_id="filters") as self.fold:
            self.runs = gr.Dropdown([], value=[], multiselect=True, label=_("Runs"), elem_id="runs")
            self.search = gr.Textbox(label=_("Words in question or answer"), max_length=200)
            made[ABOVE] = _list(ABOVE)
            self.show = gr.Button(_("Show"), variant="primary")
            for place, (name, facets) in enumerate(GROUPS):
                with gr.Accordion(_label(name, 0), open=place == 0) as group:
                    for facet in facets:
                        made[facet] = _list(facet)
                self.groups.append(group)
        self.lists = {facet: made[facet] for facet in FACETS}
        """By facet, in the order of FACETS."""

    @property
    def shown(self) -> list[Any]:
        """What `filter_updates` returns values for."""
        return [self.fold, *self.groups, *self.lists.values()]


def _list(facet: str) -> gr.Dropdown:
    return gr.Dropdown(
        [], value=[], multiselect=True, label=title(facet), visible=False, elem_id=f"facet-{facet}"
    )


def _label(group: str | None, chosen: int) -> str:
    """The heading of a group of facets, or of all (None), with the number of facets in which something is
    chosen.
    """
    if group is None:
        return _("Runs and filters ({n})", n=chosen)
    return _("{group} ({n})", group=_(group), n=chosen) if chosen else _(group)


def filter_updates(found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """Values for the headings and the lists."""
    return *_heading_updates(asked.where, found.frame.facets), *facet_updates(found, asked, names)


def _heading_updates(where: Mapping[str, object], there: Collection[str]) -> Outputs:
    """Values for the headings; that of dimensions is hidden where no question has any."""
    chosen = [sum(facet in where for facet in facets) for _name, facets in GROUPS]
    headings = [
        gr.update(label=_label(name, n), visible=n > 0 or any(facet in there for facet in facets))
        for (name, facets), n in zip(GROUPS, chosen, strict=True)
    ]
    return gr.update(label=_label(None, sum(chosen) + (ABOVE in where)), visible=True), *headings


def facet_updates(found: Slice, asked: ViewQuery, names: ValueNames) -> Outputs:
    """Values for the lists: the choices with their counts. A facet of one value has no list, unless it is
    chosen.
    """
    counts = found.frame.counts(asked.where, found.found)
    return tuple(_update(facet, found, counts, asked, names) for facet in FACETS)


def _update(facet: str, found: Slice, counts: Any, asked: ViewQuery, names: ValueNames) -> Any:
    chosen = asked.where.get(facet, ())
    if facet not in counts:
        return gr.update(choices=[], value=[], visible=False)
    values, of = found.frame.facets[facet].values, counts[facet]
    kept = np.flatnonzero(of)
    kept = kept[np.argsort(-of[kept], kind="stable")[:MOST_CHOICES]]
    shown = {values[at]: int(of[at]) for at in (np.sort(kept) if facet in IN_ORDER else kept)}
    shown |= {value: shown.get(value, 0) for value in chosen}
    choices = [(_("{value} ({n:,})", value=names(facet, value), n=n), value) for value, n in shown.items()]
    return gr.update(choices=choices, value=list(chosen), visible=bool(chosen) or len(values) > 1)
