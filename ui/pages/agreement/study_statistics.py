"""The values of the agreement page's tabs on a whole study, and a small cache of them."""

from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

import gradio as gr

from clinicnum.annotations.reliability.need_for_more_labels import WANTED, PrecisionOutlook, outlook
from clinicnum.annotations.reliability.sample_size_planner import Plan, plan
from clinicnum.annotations.report.plots import draw
from clinicnum.annotations.report.sections.annotator_table_helpers import asked
from clinicnum.annotations.report.sections.sample_size_planner import COEFFICIENT
from clinicnum.annotations.report.study_view_without_texts import LabelsView
from clinicnum.db.work.studies.labels_for_agreement import StudyState
from clinicnum.ui.pages.agreement import view
from clinicnum.ui.pages.agreement.summary_sentences import agreement_heading, in_words, precision_verdict

KEPT = 4
TabValues = tuple[Any, ...]
"""Values for the components of the summary and coefficient tabs, in their order."""
LAYER_QUESTIONS = {
    "item_judgement": "item",
    "response_judgement": "response",
    "response_after_gold": "response",
    "primary": "primary",
}
"""Layer (of labels on all items) that the planner can simulate -> the question that it answers."""


def precision_outlooks(labels: LabelsView) -> tuple[PrecisionOutlook, ...]:
    """For each layer, how far its agreement interval is from the wanted half-width."""
    questions = {one.name: one for one in asked(labels)}
    made = []
    for layer in labels.plain.layers:
        name = LAYER_QUESTIONS.get(layer.name)
        simulate = None if name is None else partial(_plan, labels, questions[name].categories, layer.name)
        made.append(outlook(layer, plan=simulate))
    return tuple(made)


def _plan(labels: LabelsView, categories: tuple[str, ...], layer: str) -> Plan:
    first = layer == "response_judgement"
    (made,) = plan(
        labels.first_responses if first else labels.ballots[LAYER_QUESTIONS[layer]],
        coefficient=COEFFICIENT,
        categories=categories,
        subjects=labels.subjects,
        wanted=(WANTED,),
        annotators=(max(labels.tables.overlap, 2),),
    )
    return made


@dataclass
class TabValuesCache:
    """Cache of the last KEPT tab values; the key (study, status and language; number of saved annotations)
    changes whenever the data do.
    """

    pages: dict[tuple[str, int], TabValues] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: tuple[str, int]) -> TabValues | None:
        """The values kept under this key; None if there are none."""
        with self.lock:
            return self.pages.get(key)

    def keep(self, key: tuple[str, int], page: TabValues) -> None:
        """Keep the values under this key, and drop the oldest ones beyond KEPT."""
        with self.lock:
            self.pages[key] = page
            while len(self.pages) > KEPT:
                del self.pages[next(iter(self.pages))]


def tab_values(state: StudyState, labels: LabelsView) -> TabValues:
    """Values for the summary and coefficient tabs, in the order of `_whole_study`'s components."""
    outlooks, layers = precision_outlooks(labels), labels.plain.layers
    plot = view.summary_plot(outlooks)
    columns, rows = view.weighted_coefficients(layers)
    beside, intervals = view.alternative_intervals(layers)
    return (
        view.simulated_note(labels.annotator_kind),
        f"## {agreement_heading(layers)}\n\n{view.progress_text(state)}\n\n"
        f"{in_words(layers, state.items)}\n\n{precision_verdict(state, outlooks)}",
        gr.update(value="" if plot is None else str(draw(plot)), visible=plot is not None),
        view.summary_rows(outlooks),
        view.coefficient_rows(layers),
        view.population_rows(layers),
        gr.update(visible=bool(rows or intervals)),
        gr.update(value={"headers": list(columns), "data": rows}, visible=bool(rows)),
        gr.update(value={"headers": list(beside), "data": intervals}, visible=bool(intervals)),
    )
