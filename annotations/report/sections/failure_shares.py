"""What share of a model's failures is of which class: weighted, with intervals, as a table and a plot."""

from collections import Counter

import numpy as np

from annotations.report.model import Cell, Column, Dot, Plot, Table
from annotations.report.sections.figures import ends, remarks
from annotations.report.view import StudyView
from clinicnum.clusters import Subjects
from clinicnum.figure import share_of

_COLUMNS = (
    Column(key="model", label="Model", once=True),
    Column(key="class", label="Class"),
    Column(key="count", label="Failures", kind="count"),
    Column(key="n", label="n", kind="count"),
    Column(key="share", label="Share", kind="share"),
    Column(key="ci95", label="95 % interval", kind="share_interval"),
    Column(key="remark", label="Note", kind="note"),
)


def failure_shares_table(view: StudyView) -> Table:
    """One row a model and class that a majority gave."""
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    settled = {
        one.generation_id: one.primary.label
        for one in view.settlements
        if one.primary.label not in (None, "none")
    }
    rows: list[tuple[Cell, ...]] = []
    for run in view.runs:
        mine = [one for one in run.answers if one.generation.generation_id in settled]
        keys = [one.generation.generation_id for one in mine]
        subjects, given = Subjects.of(one.subject for one in mine), [settled[key] for key in keys]
        weights, counts = np.array([view.weight(key) for key in keys]), Counter(given)
        for code in classes:
            count = counts[code]
            if count:
                hits = np.array([label == code for label in given], dtype=float)
                figure = share_of(subjects, hits, weights)
                name = view.names[code]
                found = figure.value, ends(figure.interval), remarks(figure)
                rows.append((run.name, name, count, figure.n, *found))
    return Table(
        id="failure_shares",
        caption="What the failures are",
        note="Unit: generations with a majority class; share of a model's failures, weighted by "
        "1 / inclusion probability; count and n are unweighted. Interval: Wilson with the effective sample "
        "size of the delete-one-subject jackknife. Classes that no majority gave are left out.",
        trace="annotations.csv: primary, generation_id; scores.csv: run_id, inclusion_probability",
        columns=_COLUMNS,
        rows=tuple(rows),
    )


def failure_shares_plot(table: Table) -> tuple[Plot, ...]:
    """The table as a plot, a series a model; nothing where there are no failures."""
    dots = tuple(
        Dot(
            row=str(name),
            series=str(model),
            value=value,
            interval=interval if isinstance(interval, tuple) else None,
        )
        for model, name, _, _, value, interval, _ in table.rows
        if isinstance(value, float)
    )
    if not dots:
        return ()
    said = "; ".join(f"{dot.row} {100 * dot.value:.0f} %" for dot in dots)
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
