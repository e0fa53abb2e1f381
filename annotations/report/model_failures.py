"""Failures of models over several studies: how many per 100 answers, how severe, and of which classes.

Each study has its own consensus and weights; pooled figures weight studies by number of answers. Studies are
pooled only if they describe the same: all questions, or the same part of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.report.failure_class_shares import (
    UNSEEN,
    JudgedGenerations,
    pooled,
    run_failures,
)
from clinicnum.annotations.report.harm_rate import HARM, METHOD, WEIGHTS, estimate
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sampled_population import part_words
from clinicnum.annotations.report.scorer_check import Flags
from clinicnum.annotations.report.sections.consensus_wording import NO_CLASS, by
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Floats
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.partial_verification import METHOD as SHARE_METHOD

ALL, EVERY = "all", "all questions"
SEVERE = ("3", "4")
_REMARK = Column(key="remark", label="Note", kind="note")
_STUDY = Column(key="study", label="Study", once=True)
_QUESTIONS = Column(key="questions", label="Of")
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
    questions: str
    """The part of the questions that the figures are about, in words."""
    model: str
    failures: JudgedGenerations


def _groups(views: Sequence[StudyView]) -> list[_Group]:
    """The models' failures by study, sorted by model and by the part of the questions that a study was drawn
    from; where several studies were drawn from the same part, a group of all of them follows.
    """
    parts: dict[tuple[str, str], list[tuple[str, str, JudgedGenerations]]] = defaultdict(list)
    for view in views:
        for run in view.runs:
            found = view.once(run_failures)[run.name]
            of = parts[run.name, part_words(view)]
            of.append((view.tables.study_name, benchmark_of(view.tables), found))
    groups = []
    for (model, words), mine in sorted(parts.items()):
        questions = words or EVERY
        groups += [_Group(study, questions, model, failures) for study, _, failures in mine]
        if len(mine) > 1:
            together = pooled([(name, failures) for _, name, failures in mine])
            groups.append(_Group(ALL, questions, model, together))
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
            *_parts_said(views),
        ),
        tables=(_rates_table(groups), _classes_table(groups, _class_names(views))),
    )


def _parts_said(views: Sequence[StudyView]) -> Iterator[str]:
    """A sentence on the studies that were drawn from a part of the questions only; nothing if none was."""
    parts = [f"{view.tables.study_name} ({words})" for view in views if (words := part_words(view))]
    if parts:
        yield (
            f"Drawn from a part of the answers only: {'; '.join(parts)}. Their figures speak of that part "
            "alone. They are put together with those of the same part only, and are not to be compared with "
            "others: other questions may be harder or easier."
        )


def _class_names(views: Sequence[StudyView]) -> dict[str, str]:
    codes = [one for view in views for one in view.tables.taxonomy_codes if "." not in one.code]
    return {one.code: one.name for one in codes} | {NO_CLASS: NO_CLASS}


def _rates_table(groups: Sequence[_Group]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in groups:
        failures = one.failures
        failed = np.array([each is not None for each in failures.classes], dtype=bool)
        known = ~failed | np.array([each is not None for each in failures.severities], dtype=bool)
        harm = np.array([HARM[each] if each else 0.0 for each in failures.severities], dtype=float)
        severe = np.array([each in SEVERE for each in failures.severities], dtype=bool)
        every = np.ones(len(failed), dtype=bool)
        rate = _rate(failures, failed, every)
        figures = (*_per_100(rate), *_per_100(_rate(failures, harm, known)))
        counts = (int(severe.sum()), *_per_100(_rate(failures, severe, known)))
        named = (one.model, one.study, one.questions)
        rows.append((*named, int(failed.sum()), rate.n, *figures, *counts, remarks(rate)))
    return Table(
        id="failure_rates",
        caption="Failures per 100 answers, by model",
        note="Of all answers of a model to these questions (variants only if some were drawn), judged or "
        "not: those that are failures; the same weighted by harm, a failure of severity 0 to 4 as 0, 0.25, "
        f"0.5, 0.75 and 1; and those with a severity of 3 or 4 (4: death or permanent harm). {WEIGHTS} The "
        "shares scored wrong and right are counted (of a part of the questions: estimated from what was "
        "drawn); what is judged of each is weighted by 1 / inclusion probability. Counts are unweighted; "
        f"answers counted are those settled as right or as a failure. 95 % intervals: {METHOD}.",
        trace=_CONSENSUS,
        columns=(
            _MODEL,
            _STUDY,
            _QUESTIONS,
            Column(key="failures", label="Failures", kind="count"),
            Column(key="n", label="Answers counted", kind="count"),
            *_rate_columns("rate", "Failures per 100"),
            *_rate_columns("harm", "Weighted by harm"),
            Column(key="severe", label="Severe", kind="count"),
            *_rate_columns("severe_rate", "Severe per 100"),
            _REMARK,
        ),
        rows=tuple(rows),
        total="study",
    )


def _rate(failures: JudgedGenerations, values: Floats | Flags, known: Flags) -> Figure:
    """The mean of values between 0 and 1 over all answers, from those of the judged ones that are known."""
    return estimate(
        failures.of_all,
        failures.all_wrong,
        failures.subjects[known],
        failures.wrong[known],
        values[known].astype(float),
        failures.weights[known],
        failures.all_weights,
    )


def _rate_columns(key: str, label: str) -> tuple[Column, ...]:
    return (
        Column(key=key, label=label, kind="rate"),
        Column(key=f"{key}_ci95", label="95 % interval", kind="rate_interval", under=True),
    )


def _per_100(figure: Figure) -> tuple[Cell, Cell]:
    limits = ends(figure.interval)
    value = None if figure.value is None else 100 * figure.value
    return value, None if limits is None else (100 * limits[0], 100 * limits[1])


def _classes_table(groups: Sequence[_Group], names: dict[str, str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in groups:
        for code, name in names.items():
            if count := one.failures.count(code):
                share = one.failures.share(code)
                named = (one.model, one.study, one.questions, name)
                rows.append((*named, count, *figure_cells(share), remarks(share)))
    return Table(
        id="classes_by_model",
        caption="What the failures are, by model",
        note="Unit: failures of a model; share of each class of all its failures; counts and n are "
        "unweighted. Classes "
        f"that nothing came to are left out. 95 % interval: {SHARE_METHOD}; {UNSEEN}.",
        trace=_CONSENSUS,
        columns=(
            _MODEL,
            _STUDY,
            _QUESTIONS,
            Column(key="class", label="Class"),
            Column(key="count", label="Failures", kind="count"),
            *figure_columns("share", "Share"),
            _REMARK,
        ),
        rows=tuple(rows),
        total="study",
    )
