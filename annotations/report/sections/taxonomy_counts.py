"""What went wrong: taxonomy and severity by operation and representation.

Two units stand side by side, never mixed: the consensus primary, one per generation, and every annotator's
primary, one per judgement. Shares of the consensus are also given weighted by 1 / inclusion probability.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from annotations.report.model import Cell, Column, Section, Table
from annotations.report.sections.failure_shares import failure_shares_plot, failure_shares_table
from annotations.report.sections.figures import OPERATION_ORDER, REPRESENTATION_ORDER
from annotations.report.view import StudyView
from annotations.types import SEVERITIES

By = tuple[str, Sequence[str], Mapping[str, str]]
"""Name, the order of its values, and generation id -> value."""
_NO_CONSENSUS = "no consensus"
BASE = "base"
"""What is no variant."""


def _bys(view: StudyView) -> tuple[By, ...]:
    """By operation and representation; by model and by variant where there are several."""
    of = {key: view.instance(key) for key in view.chosen.by_generation}
    model = {one.generation.generation_id: run.name for run in view.runs for one in run.answers}
    variants = sorted({one.variant for one in of.values() if one.variant is not None})
    models = [run.name for run in view.runs]
    bys: list[By] = [
        ("operation", OPERATION_ORDER, {key: one.operation for key, one in of.items()}),
        ("representation", REPRESENTATION_ORDER, {key: one.representation for key, one in of.items()}),
    ]
    if len(models) > 1:
        bys.append(("model", models, {key: model[key] for key in of}))
    if variants:
        bys.append(("variant", [BASE, *variants], {key: one.variant or BASE for key, one in of.items()}))
    return tuple(bys)


def taxonomy_section(view: StudyView) -> Section:
    """Counts of level-1 primaries, of all codes, and of severity."""
    tables = view.tables
    judged = len(view.chosen.by_generation)
    consensus = [(one.generation_id, one.primary.label or _NO_CONSENSUS) for one in view.settlements]
    opinions = [(key, code) for key, given in view.ballots["primary"].items() for code in given.values()]
    bys, shares = _bys(view), failure_shares_table(view)
    made = [
        _cross(view, by, labelled, weighted, unit)
        for labelled, unit in ((consensus, "consensus"), (opinions, "annotators"))
        for weighted in (_weighted(view, labelled),)
        for by in bys
    ]
    return Section(
        id="taxonomy",
        title="What went wrong",
        paragraphs=(
            f"Taxonomy {tables.taxonomy_name}, version {tables.taxonomy_version}. "
            f"{judged} generations were judged, with {len(opinions)} judgements. “None” counts "
            "responses that were not called a failure; a tie is “no consensus” and is left to adjudication.",
        ),
        plots=failure_shares_plot(shares),
        tables=(*([shares] if shares.rows else []), *made, _all_codes(view), _severity(view)),
    )


def _weighted(view: StudyView, labelled: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Sum of 1 / inclusion probability by label."""
    weights: dict[str, float] = {}
    for key, label in labelled:
        weights[label] = weights.get(label, 0.0) + view.weight(key)
    return weights


def _cross(
    view: StudyView, by: By, labelled: Sequence[tuple[str, str]], weights: Mapping[str, float], unit: str
) -> Table:
    """Rows: classes; columns: the values of `by` that occur, the sum and its share."""
    name, order, value_of = by
    cells = Counter((label, value_of[key]) for key, label in labelled)
    seen = [value for value in order if any(value == other for _, other in cells)]
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    extra = [_NO_CONSENSUS] if unit == "consensus" else []
    rows: list[tuple[Cell, ...]] = []
    for label in (*classes, "none", *extra):
        counts = [cells[label, value] for value in seen]
        share = sum(counts) / len(labelled) if labelled else None
        weighted = weights.get(label, 0.0) / sum(weights.values()) if labelled else None
        rows.append((view.names.get(label, label), *counts, sum(counts), share, weighted))
    per = {value: sum(count for (_, other), count in cells.items() if other == value) for value in seen}
    what = (
        "majority consensus primary, one per generation"
        if unit == "consensus"
        else "every annotator's primary, one per judgement"
    )
    return Table(
        id=f"taxonomy_by_{name}_{unit}",
        caption=f"Primary class by {name}: {'consensus' if unit == 'consensus' else 'all annotators'}",
        note=f"Unit: {what}; n = {len(labelled)} ("
        + ", ".join(f"{value} {count}" for value, count in per.items())
        + "). Weighted: by 1 / inclusion probability.",
        trace="annotations.csv: primary, generation_id; scores.csv: "
        f"{'run_id' if name == 'model' else name}, inclusion_probability",
        detail=unit == "annotators" or name != "operation",
        columns=(
            Column(key="class", label="Class"),
            *(Column(key=value, label=value, kind="count") for value in seen),
            Column(key="n", label="All", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="weighted_share", label="Weighted", kind="share"),
        ),
        rows=tuple(rows),
    )


def _all_codes(view: StudyView) -> Table:
    annotations = view.chosen.annotations
    labels = [(one.code, one.primary) for annotation in annotations for one in annotation.labels]
    primary = Counter(code for code, is_primary in labels if is_primary)
    further = Counter(code for code, is_primary in labels if not is_primary)
    rows = tuple(
        (view.names[one.code], one.code, primary[one.code], further[one.code])
        for one in view.tables.taxonomy_codes
        if primary[one.code] or further[one.code]
    )
    return Table(
        id="taxonomy_codes",
        caption="Every code that was given",
        note=f"Unit: labels of all annotators; n = {len(labels)} labels on {len(annotations)} judgements. "
        "Codes that nobody gave are left out.",
        trace="annotations.csv: primary, labels",
        detail=True,
        columns=(
            Column(key="name", label="Name"),
            Column(key="code", label="Code", kind="code"),
            Column(key="primary", label="As primary", kind="count"),
            Column(key="further", label="As further", kind="count"),
        ),
        rows=rows,
    )


def _severity(view: StudyView) -> Table:
    settled = [one for one in view.settlements if one.response.label == "failure"]
    given = Counter(one.severity for one in view.chosen.annotations if one.severity is not None)
    median = Counter(one.severity for one in settled)
    rows: list[tuple[Cell, ...]] = [
        (level.replace("_", " "), median[level], given[level]) for level in SEVERITIES
    ]
    rows.append(("to be adjudicated", median[None], None))
    return Table(
        id="severity",
        caption="Severity of failures",
        note=f"Unit: median per generation that the majority calls a failure (n = {len(settled)}), and every "
        f"annotator's severity (n = {sum(given.values())}). Worst credible harm, 0 none to 4 death or "
        "permanent harm.",
        trace="annotations.csv: severity, generation_id",
        columns=(
            Column(key="severity", label="Severity"),
            Column(key="consensus", label="Generations", kind="count"),
            Column(key="annotators", label="Judgements", kind="count"),
        ),
        rows=tuple(rows),
    )
