"""Where everything comes from: versions, hashes, and every n."""

from collections.abc import Iterator, Mapping

from annotations.report.model import Cell, Column, Section, Table
from annotations.report.view import StudyView


def provenance_section(view: StudyView) -> Section:
    """The study, its benchmark and its runs as key and value."""
    return Section(
        id="provenance",
        title="Where this comes from",
        holds_labels=False,
        paragraphs=("Every figure above is counted from the rows named under its table.",),
        tables=(_counts(view), _metas(view)),
    )


def _counts(view: StudyView) -> Table:
    tables, chosen = view.tables, view.chosen
    strata = sorted({one.stratum for one in tables.inclusions})
    people = sorted({(one.annotator_id, one.annotator_kind) for one in tables.annotations})
    kinds = {kind: sum(other == kind for _, other in people) for kind in sorted({kind for _, kind in people})}
    rows: list[tuple[Cell, ...]] = [
        ("instances", len(tables.instances)),
        ("subjects", len({one.subject_id for one in tables.instances})),
        ("runs", len(tables.runs)),
        ("generations", len(tables.generations)),
        ("scores", len(tables.scores)),
        (f"drawn for annotation, {len(strata)} strata", len(tables.inclusions)),
        ("annotators asked per generation", tables.overlap),
        *((f"annotators, {kind}", count) for kind, count in kinds.items()),
        ("annotation revisions", len(tables.annotations)),
        ("judgements that count", len(chosen.annotations)),
        ("generations judged", len(chosen.by_generation)),
        *((f"left out: {row.why}", row.n) for row in chosen.left_out),
        ("contests", len(tables.contests)),
        ("adjudications, superseded ones too", len(tables.adjudications)),
        ("instances invalidated", len(tables.invalidations)),
    ]
    return Table(
        id="counts",
        caption="How many of what",
        note="Unit: as each row says.",
        trace="scores.csv and annotations.csv, one row each",
        columns=(Column(key="what", label="What"), Column(key="n", label="n", kind="count")),
        rows=tuple(rows),
    )


def _metas(view: StudyView) -> Table:
    tables = view.tables
    study = {
        "name": tables.study_name,
        "guideline_version": tables.guideline_version,
        "taxonomy": f"{tables.taxonomy_name} {tables.taxonomy_version}",
    }
    rows: list[tuple[Cell, ...]] = [("study", *pair) for pair in _flat(study)]
    rows += [("benchmark", *pair) for pair in _flat(tables.benchmark)]
    for run_id, meta in tables.runs.items():
        rows += [(f"run {run_id}", *pair) for pair in _flat(meta)]
    return Table(
        id="provenance",
        caption="Versions, hashes and settings",
        note=f"n = {len(rows)} entries, as the files' own descriptions give them.",
        trace="the .meta.json beside the benchmark and beside each file of generations",
        columns=(
            Column(key="of", label="Of"),
            Column(key="what", label="What"),
            Column(key="value", label="Value", kind="code"),
        ),
        rows=tuple(rows),
        detail=True,
    )


def _flat(meta: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested keys joined by a dot, in the meta's order; lists by a comma."""
    for key, value in meta.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, (list, tuple)):
            yield f"{prefix}{key}", ", ".join(str(one) for one in value)
        else:
            yield f"{prefix}{key}", "none" if value is None else str(value)
