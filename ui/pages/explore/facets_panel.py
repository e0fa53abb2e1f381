"""The facets: a list to choose from for each, with counts that follow the other choices."""

from typing import Any

import gradio as gr
import numpy as np

from clinicnum.annotations.explore.facet_names import BANDS
from clinicnum.db.work.explore.explorer import Slice
from clinicnum.translatable import Translatable
from clinicnum.ui.components.gradio_page import Outputs
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.explore.event_inputs import FACETS, ViewQuery
from clinicnum.ui.pages.explore.words import ValueNames, title

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
    (
        Translatable("How it was answered"),
        ("correct", "status", "cause", "label", "severity", "confidence", "strict", "form", "finish_reason"),
    ),
    (
        Translatable("Which records"),
        ("context_length", "records", "patient", "gender", "age"),
    ),
    (Translatable("Which model"), ("model", "run", "headline")),
)
MOST_CHOICES = 200
"""Values of one list; of more, those with the most answers."""
IN_ORDER = frozenset({*BANDS, "operation", "representation", "severity", "correct", "strict", "headline"})
"""Facets whose values are listed in their own order; the others by number of answers."""


def facet_lists() -> dict[str, gr.Dropdown]:
    """Create the lists in groups, by facet, in the order of FACETS."""
    made = {}
    for place, (name, facets) in enumerate(GROUPS):
        with gr.Accordion(_(name), open=place == 0):
            for facet in facets:
                made[facet] = gr.Dropdown(
                    [],
                    value=[],
                    multiselect=True,
                    label=title(facet),
                    visible=False,
                    elem_id=f"facet-{facet}",
                )
    return {facet: made[facet] for facet in FACETS}


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
