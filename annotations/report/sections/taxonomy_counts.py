"""The section on failures: taxonomy classes and severity by operation and representation.

Two units are reported separately: the consensus primary, one per generation, and every annotator's
primary, one per judgement. Shares of the consensus are also given weighted by 1 / inclusion probability.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from clinicnum.annotations.agreement.label_table import Column as Texts
from clinicnum.annotations.agreement.label_table import Floats, Ints
from clinicnum.annotations.consensus import level1_primary
from clinicnum.annotations.judgement import SEVERITIES
from clinicnum.annotations.report.answer_parsing_notes import kept_for_responses
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.accuracy_by_dimension import OF_DIMENSION, groupings, table_name
from clinicnum.annotations.report.sections.consensus_wording import (
    APART,
    BESIDE,
    agreement_or_adjudication,
    beside_columns,
    by,
    codes_seen,
    hidden,
    severity_rule,
    without_consensus,
)
from clinicnum.annotations.report.sections.failure_shares import failure_shares_plot, failure_shares_table
from clinicnum.annotations.report.sections.severe_errors import severe_tables
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many

By = tuple[str, Sequence[str], Texts]
"""A grouping: name, order of its values, and the value of each judged generation."""


@dataclass(frozen=True)
class _Given:
    """The labels counted in one unit."""

    unit: str
    label: Texts
    """One label per unit."""
    generation: Ints
    """Index of each unit's generation among the judged ones."""


_NO_CONSENSUS = "no consensus"
BASE = "base"
"""The name for instances that are not variants."""


def _bys(view: StudyView) -> tuple[By, ...]:
    """Groupings by operation and representation, as far as items have them; by model, variant and the
    dimensions of imported items if there are several."""
    of = [view.instance(key) for key in view.chosen.by_generation]
    variants = sorted({one.variant for one in of if one.variant is not None})
    models = [run.name for run in view.runs]
    bys: list[By] = [("operation", OPERATION_ORDER, Texts.of(one.operation for one in of))]
    if not made_elsewhere(view.tables.instances):
        bys.append(("representation", REPRESENTATION_ORDER, Texts.of(one.representation for one in of)))
    if len(models) > 1:
        model = {one.generation.generation_id: run.name for run in view.runs for one in run.answers}
        bys.append(("model", models, Texts.of(model[key] for key in view.chosen.by_generation)))
    if variants:
        bys.append(("variant", [BASE, *variants], Texts.of(one.variant or BASE for one in of)))
    bys += [(table_name(name), values, Texts.of(given)) for name, (values, given) in groupings(of).items()]
    return tuple(bys)


def taxonomy_section(view: StudyView) -> Section:
    """Counts of primary level-1 classes, of all codes, and of severity levels."""
    tables = view.tables
    judged = len(view.chosen.by_generation)
    settled = Texts.of(one.primary.label or _NO_CONSENSUS for one in view.settlements)
    opinions = view.chosen.column(level1_primary)
    units = (
        _Given("consensus", settled, np.arange(judged)),
        _Given("annotators", opinions, view.chosen.item.codes),
    )
    bys, shares = _bys(view), failure_shares_table(view)
    weights = np.array([view.weight(key) for key in view.chosen.by_generation], dtype=float)
    made = [_cross(view, one, given, weights) for given in units for one in bys]
    return Section(
        id="taxonomy",
        title="What went wrong",
        paragraphs=(
            f"Taxonomy {tables.taxonomy_name}, version {tables.taxonomy_version}. "
            f"{judged} generations were judged{hidden(view)}, with {len(opinions.codes)} judgements."
            f"{kept_for_responses(view.runs)} “None” "
            f"counts responses that were not called a failure{_not_judged(view)}; {without_consensus(view)}, "
            f"there is “no consensus”. C{view.once(codes_seen)[1:]}. "
            f"Consensus here is {by(view.protocol)}"
            + (f"; {by(view.protocol_beside)} stands beside it." if view.protocol_beside else "."),
            *agreement_or_adjudication(view),
        ),
        plots=failure_shares_plot(shares),
        tables=(
            *([shares] if shares.rows else []),
            *made,
            _all_codes(view),
            _severity(view),
            *severe_tables(view),
        ),
    )


def _not_judged(view: StudyView) -> str:
    """How many generations without a class could not be judged or have no settled response, and how many
    judgements say “cannot judge”; empty without any.
    """
    none = [one for one in view.settlements if one.primary.label == "none"]
    cannot = sum(one.response.label == "cannot_judge" for one in none)
    unsettled = sum(one.response.label is None for one in none)
    said = sum(one.response_judgement == "cannot_judge" for one in view.chosen.annotations)
    parts = [f"{how_many(cannot, 'generation')} among them could not be judged"] * bool(cannot)
    parts += [f"on {how_many(unsettled, 'generation')} the response is not settled"] * bool(unsettled)
    parts += [f"“cannot judge” is what {how_many(said, 'judgement')} came to"] * bool(said)
    return f" ({'; '.join(parts)})" if parts else ""


def _cross(view: StudyView, crossed: By, given: _Given, weights: Floats) -> Table:
    """Rows: classes; columns: the values of `crossed` that occur, the total and its share.

    `weights` are those of the judged generations.
    """
    name, order, column = crossed
    label, unit, n = given.label, given.unit, len(given.label.codes)
    cells = label.codes * len(column.names) + column.codes[given.generation]
    many = np.bincount(cells, minlength=len(label.names) * len(column.names)).tolist()
    counted = dict(zip(product(label.names, column.names), many, strict=True))
    weighed = np.bincount(label.codes, weights=weights[given.generation]).tolist()
    weighted, whole = dict(zip(label.names, weighed, strict=True)), sum(weighed)
    per = {value: sum(counted.get((one, value), 0) for one in label.names) for value in order}
    alone = name == "operation" and made_elsewhere(view.tables.instances)
    seen = [] if alone else [value for value in order if per[value]]
    of_source = name.startswith(OF_DIMENSION)
    told = name.removeprefix(OF_DIMENSION).replace("_", " ")
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    extra = [_NO_CONSENSUS] if unit == "consensus" else []
    beside = Counter(one.primary.label or _NO_CONSENSUS for one in view.settlements_beside)
    columns = beside_columns(view, Column(key="beside_n", label="All", kind="count")) if extra else ()
    rows: list[tuple[Cell, ...]] = []
    for one in (*classes, "none", *extra):
        counts = [counted.get((one, value), 0) for value in seen]
        total = sum(counted.get((one, value), 0) for value in order)
        share, weight = (total / n, weighted.get(one, 0.0) / whole) if n else (None, None)
        other = (beside[one],) if columns else ()
        rows.append((view.names.get(one, one), *counts, total, share, weight, *other))
    what = (
        f"consensus primary {by(view.protocol)}, one per generation"
        if unit == "consensus"
        else f"every annotator's primary, one per judgement{hidden(view)}"
    )
    return Table(
        id=f"taxonomy_by_{name}_{unit}",
        caption=f"Primary class{'' if alone else f' by {told}'}: "
        f"{'consensus' if unit == 'consensus' else 'all annotators'}",
        note=f"Unit: {what}; n = {n}"
        + ("" if alone else f" ({', '.join(f'{value} {per[value]}' for value in seen)})")
        + ". Weighted: by 1 / inclusion probability.",
        trace=f"{BESIDE if extra else 'annotations.csv: primary, generation_id'}; scores.csv: "
        f"{'run_id' if name == 'model' else 'instance_id' if of_source else name}, inclusion_probability"
        + "; and the benchmark's instances: dimensions"
        * of_source,
        detail=unit == "annotators" or name != "operation",
        columns=(
            Column(key="class", label="Class"),
            *(
                Column(key=f"{name}: {value}" if of_source else value, label=value, kind="count")
                for value in seen
            ),
            Column(key="n", label="All", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="weighted_share", label="Weighted", kind="share"),
            *columns,
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
        caption="Codes in the judgements that count",
        note=f"Unit: labels of all annotators; n = {len(labels)} labels on {len(annotations)} judgements"
        f"{hidden(view)}. Codes that none of these holds are left out.",
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


def _by_majority(view: StudyView) -> str:
    """Note on the column by majority: its failures, and how their severity is settled without an adjudicator;
    empty if there is no such column.
    """
    if view.protocol_beside != "majority":
        return ""
    n = sum(one.response.label == "failure" for one in view.settlements_beside)
    return (
        f"; beside them those that are failures by majority (n = {n}), by the same median without the "
        f"adjudicator, so “not settled” {APART}"
    )


def _severity(view: StudyView) -> Table:
    settled = [one for one in view.settlements if one.response.label == "failure"]
    given = Counter(one.severity for one in view.chosen.annotations if one.severity is not None)
    median = Counter(one.severity for one in settled)
    other = Counter(one.severity for one in view.settlements_beside if one.response.label == "failure")
    three = view.protocol_beside not in (None, "majority")
    also = f"; {by(view.protocol_beside)} n = {other.total()}" * three
    beside = beside_columns(view, Column(key="beside", label="Failures", kind="count"))
    rows: list[tuple[Cell, ...]] = [
        (level.replace("_", " "), median[level], given[level], *([other[level]] if beside else []))
        for level in SEVERITIES
    ]
    rows.append(("not settled", median[None], None, *([other[None]] if beside else [])))
    return Table(
        id="severity",
        caption="Severity of failures",
        note=f"The severity that counts is {severity_rule(view)}. Unit: generations that are failures "
        f"{by(view.protocol)} (n = {len(settled)}{also}){_by_majority(view)}; and every annotator's severity "
        f"(n = {sum(given.values())}), of which none is “not settled”. Worst "
        "credible harm, 0 none to 4 death or permanent harm.",
        trace=f"{BESIDE}; annotations.csv: severity",
        columns=(
            Column(key="severity", label="Severity"),
            Column(key="consensus", label="Failures", kind="count"),
            Column(key="annotators", label="Judgements", kind="count"),
            *beside,
        ),
        rows=tuple(rows),
    )
