"""The tab that compares runs of one benchmark."""

from collections import Counter
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.run_names import display_names
from clinicnum.annotations.study_summary import RunSummary
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.runs.compare_stored_runs import compare_stored
from clinicnum.db.work.runs.launch_run import runnable_benchmarks
from clinicnum.db.work.runs.stored_runs import list_runs
from clinicnum.robustness.run_comparison import MOST_RUNS
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.runs import comparison_view as view


class ComparedChoice(Frozen):
    """The runs to compare, as row ids, and the benchmark that they are on."""

    benchmark: str = Field(default="", max_length=200)
    runs: tuple[str, ...] = Field(default=(), max_length=10 * MOST_RUNS)


class CompareHandlers:
    """The tab's events. Not async, so that long computations run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load_benchmarks(self, request: gr.Request) -> Outputs:
        """The benchmarks that have runs, the one with most chosen."""
        with self.store.reading() as session:
            runs = list_runs(session)
            named = runnable_benchmarks(session, user_id=str(request.username))
        often = Counter(one.benchmark_id for one in runs)
        choices = [(one.name, one.benchmark_id) for one in named if often[one.benchmark_id]]
        chosen = max(choices, key=lambda one: often[one[1]], default=("", None))[1]
        said = "" if any(n > 1 for n in often.values()) else str(note(_(view.NO_PAIR)))
        return said, gr.update(choices=choices, value=chosen), _of_benchmark(runs, chosen)

    def choose_benchmark(self, benchmark: object) -> Outputs:
        """The runs of another benchmark."""
        with self.store.reading() as session:
            runs = list_runs(session)
        return "", _of_benchmark(runs, validated(ComparedChoice, benchmark=benchmark).benchmark)

    def compare(self, runs: object, request: gr.Request) -> Outputs:
        """Compare the chosen runs."""
        asked = validated(ComparedChoice, runs=runs)
        with self.store.reading() as session:
            found = compare_stored(session, runs=asked.runs, actor=str(request.username))
        return (
            "",
            gr.update(visible=True),
            view.findings_view(found),
            view.accuracy_table_value(found),
            view.difference_rows(found.differences),
        )


def _of_benchmark(runs: tuple[RunSummary, ...], benchmark: str | None) -> Any:
    """The runs of a benchmark as choices; if there are exactly two, both are chosen beforehand."""
    names = display_names(runs)
    choices = [(names[one.run], one.run) for one in runs if one.benchmark_id == benchmark]
    return gr.update(choices=choices, value=[key for _name, key in choices] if len(choices) == 2 else [])


class ComparePanel:
    """Choices of benchmark and runs, and the comparison below."""

    def __init__(self) -> None:
        self.status = status_line()
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        with gr.Row():
            self.benchmark = gr.Dropdown([], label=_("Benchmark of the runs"), min_width=300)
            self.runs = gr.Dropdown([], label=_("Runs to compare"), multiselect=True, min_width=300)
        self.compare = gr.Button(_("Compare"), variant="primary", min_width=120)
        with gr.Column(visible=False) as self.compared:
            self.findings = gr.HTML(apply_default_css=False)
            self.accuracy = data_table(
                label=_("Accuracy side by side"), elem_id="compared-accuracy", explains="accuracy_by_kind"
            )
            self.differences = data_table(
                view.DIFFERENCE_COLUMNS,
                label=_("Differences of pairs of runs"),
                elem_id="compared-differences",
                explains="model_differences",
            )
            gr.Markdown(_(view.HOW_TO_READ), elem_classes="cn-hint")

    def listen(self, handlers: CompareHandlers, tab: gr.Tab) -> None:
        """Register the handlers; the choices are read when the tab is opened."""
        on = partial(listen, status=self.status)
        on(tab.select, handlers.load_benchmarks, outputs=[self.benchmark, self.runs])
        on(
            self.benchmark.input,
            handlers.choose_benchmark,
            [self.benchmark],
            [self.runs],
            trigger_mode=EVERY_TIME,
        )
        shown = [self.compared, self.findings, self.accuracy, self.differences]
        on(self.compare.click, handlers.compare, [self.runs], shown)
