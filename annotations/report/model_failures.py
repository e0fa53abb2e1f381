"""Failures of models over several studies: how many per 100 questions, how severe, and of which classes.

Each study counts by its own consensus and weights; over all studies together, each by its number of answers.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.report.class_shares import Failures, failures_of, pooled
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.consensus_wording import NO_CLASS, by
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.partial_verification import METHOD

ALL = "all"
SEVERE = ("3", "4")
_REMARK = Column(key="remark", label="Note", kind="note")
_STUDY = Column(key="study", label="Study", once=True)
_MODEL = Column(key="model", label="Model")
_CONSENSUS = "scores.csv, consensus.csv and inclusion_probability of each study"


def benchmark_of(tables: StudyTables) -> str:
    """The name of the study's benchmark."""
    meta = tables.benchmark
    return str(meta.get("benchmark_id") or str(meta.get("sha256", "not named"))[:12])


@dataclass(frozen=True)
class _Group:
    """A model's failures in one study, or in all."""

    study: str
    model: str
    failures: Failures


def _groups(views: Sequence[StudyView]) -> list[_Group]:
    """By model, then study; over all studies last, where a model is in several."""
    parts: dict[str, list[tuple[str, str, Failures]]] = defaultdict(list)
    for view in views:
        for run in view.runs:
            found = failures_of(view, run, view.settlements)
            parts[run.name].append((view.tables.study_name, benchmark_of(view.tables), found))
    groups = []
    for model, mine in sorted(parts.items()):
        groups += [_Group(study, model, failures) for study, _, failures in mine]
        if len(mine) > 1:
            groups.append(_Group(ALL, model, pooled([(name, failures) for _, name, failures in mine])))
    return groups


def model_failures_section(views: Sequence[StudyView]) -> Section:
    """Rates of failure and severe failure, and classes of failure, by model and study."""
    groups, benchmarks = _groups(views), {benchmark_of(view.tables) for view in views}
    together = (
        f"Rows over all studies put {len(benchmarks)} benchmarks together, whose questions differ: they "
        "speak of just this mixture, in which each study counts by its number of answers."
        if len(benchmarks) > 1
        else "Rows over all studies count each study by its number of answers."
    )
    rules = {f"{view.tables.study_name} {by(view.protocol)}" for view in views}
    return Section(
        id="models",
        title="What goes wrong, by model?",
        paragraphs=(
            f"Failures are those of the consensus of each study: {'; '.join(sorted(rules))}. Each judged "
            f"answer weighs 1 / inclusion probability. {together * (len(views) > 1)}".strip(),
        ),
        tables=(_rates_table(groups), _classes_table(groups, _class_names(views))),
    )


def _class_names(views: Sequence[StudyView]) -> dict[str, str]:
    codes = [one for view in views for one in view.tables.taxonomy_codes if "." not in one.code]
    return {one.code: one.name for one in codes} | {NO_CLASS: NO_CLASS}


def _rates_table(groups: Sequence[_Group]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in groups:
        failures = one.failures
        failed = np.array([each is not None for each in failures.classes], dtype=bool)
        severe = failed & np.array([each in SEVERE for each in failures.severities], dtype=bool)
        rate, harm = failures.rate(failed), failures.rate(severe)
        cells = (int(failed.sum()), *figure_cells(rate), int(severe.sum()), harm.value, ends(harm.interval))
        rows.append((one.model, one.study, *cells, remarks(rate)))
    return Table(
        id="failure_rates",
        caption="Failures per 100 questions, by model",
        note="Unit: answers of a model; of all of them, judged or not, those that are failures, and those "
        "with a severity of 3 or 4 (of 4, death or permanent harm); 12 % are 12 per 100 questions. Counts "
        f"are unweighted. 95 % intervals: {METHOD}.",
        trace=_CONSENSUS,
        columns=(
            _MODEL,
            _STUDY,
            Column(key="failures", label="Failures", kind="count"),
            *figure_columns("rate", "Per 100 questions"),
            Column(key="severe", label="Severe", kind="count"),
            Column(key="severe_rate", label="Severe per 100 questions", kind="share"),
            Column(key="severe_ci95", label="95 % interval", kind="share_interval", under=True),
            _REMARK,
        ),
        rows=tuple(rows),
        total="study",
        bar=("rate", "rate_ci95"),
    )


def _classes_table(groups: Sequence[_Group], names: dict[str, str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in groups:
        for code, name in names.items():
            if count := one.failures.count(code):
                share = one.failures.share(code)
                rows.append((one.model, one.study, name, count, *figure_cells(share), remarks(share)))
    return Table(
        id="classes_by_model",
        caption="What the failures are, by model",
        note="Unit: failures of a model; share of each class of all its failures, with what is scored right "
        "and was not judged taken into account; counts and n are unweighted. Classes that nothing came to "
        f"are left out. 95 % intervals: {METHOD}.",
        trace=_CONSENSUS,
        columns=(
            _MODEL,
            _STUDY,
            Column(key="class", label="Class"),
            Column(key="count", label="Failures", kind="count"),
            *figure_columns("share", "Share"),
            _REMARK,
        ),
        rows=tuple(rows),
        total="study",
    )
