"""Weighted shares of failure classes among a model's failures, with intervals, as a table and a plot."""

from clinicnum.annotations.report.failure_class_shares import UNSEEN, failures_of, run_failures
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Table
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    NO_CLASS,
    TO_SCORE,
    beside_columns,
    by,
    doubted_failures,
    taken_out_trace,
    without_response,
)
from clinicnum.annotations.report.sections.cut_off_failures import CUT_OFF_TRACE, cut_off_said
from clinicnum.annotations.report.sections.failure_maps import (
    all_failures,
    everything,
    of_judged_models,
    of_values_only,
)
from clinicnum.annotations.report.sections.share_cells import ends, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL
from clinicnum.stats.partial_verification import METHOD
from clinicnum.stats.rounded_figures import percent

_COLUMNS = (
    Column(key="model", label="Model", once=True),
    Column(key="class", label="Class"),
    Column(key="count", label="Failures", kind="count"),
    Column(key="n", label="n", kind="count"),
    Column(key="share", label="Share", kind="share"),
    Column(key="ci95", label="95 % interval", kind="share_interval", under=True),
)
_BESIDE = (
    Column(key="beside_count", label="Failures", kind="count"),
    Column(key="beside_n", label="n of failures", kind="count"),
    Column(key="beside_share", label="Share", kind="share"),
)
_REMARK = Column(key="remark", label="Note", kind="note")


def failure_shares_table(view: StudyView) -> Table:
    """One row per model and consensus class, and one for failures without an agreed class; of several models
    also those of all together.
    """
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    rows: list[tuple[Cell, ...]] = []
    found = [(run, view.once(run_failures)[run.name]) for run in view.runs]
    if len(view.runs) > 1:
        found.append((everything(view), view.once(all_failures)))
    for run, failures in found:
        beside = failures_of(view, run, view.settlements_beside) if view.protocol_beside else failures
        for code in (*classes, NO_CLASS):
            count, other = failures.count(code), beside.count(code)
            if count or other:
                figure, another = failures.share(code), beside.share(code)
                cells = (count, figure.n, figure.value, ends(figure.interval))
                more = (other, another.n, another.value) if view.protocol_beside else ()
                rows.append((run.name, view.names.get(code, code), *cells, *more, remarks(figure)))
    values = f"; {said}" if (said := of_values_only(view)) else ""
    cut_off = cut_off_said(view)
    return Table(
        id="failure_shares",
        caption="What the failures are",
        note=f"Unit: generations that are failures {by(view.protocol)}{doubted_failures(view)}; share of the "
        f"model's failures, weighted by 1 / inclusion probability{TO_SCORE}; counts and n are unweighted. "
        f"Interval: {METHOD}; {UNSEEN}. "
        "Classes that nothing came to are left out."
        f"{f' “All”: failures{of_judged_models(view)}, together{values}.' * (len(view.runs) > 1)}"
        f"{cut_off}{without_response(view)}",
        trace=f"{BESIDE}; scores.csv: run_id, instance_id, lenient, subject_id, inclusion_probability"
        f"{taken_out_trace(view)}{CUT_OFF_TRACE * bool(cut_off)}",
        columns=(*_COLUMNS, *beside_columns(view, *_BESIDE), _REMARK),
        rows=tuple(rows),
    )


def failure_shares_plot(table: Table) -> tuple[Plot, ...]:
    """The shares as a plot with one series per model; an empty tuple without failures."""
    dots = tuple(
        Dot(
            row=str(table.cell(row, "class")),
            series=str(table.cell(row, "model")),
            value=value,
            interval=interval if isinstance(interval := table.cell(row, "ci95"), tuple) else None,
        )
        for row in table.rows
        if table.cell(row, "model") != ALL and isinstance(value := table.cell(row, "share"), float)
    )
    if not dots:
        return ()
    series = {dot.series for dot in dots}
    said = "; ".join(
        f"{f'{dot.series}, ' * (len(series) > 1)}{dot.row} {percent(dot.value, 0)} %" for dot in dots
    )
    return (
        Plot(
            id="failure_shares",
            kind="dots",
            caption="Share of each class among the failures, weighted, with 95 % intervals.",
            alt=f"Share of each class among the failures: {said}.",
            table=table.id,
            dots=dots,
        ),
    )
