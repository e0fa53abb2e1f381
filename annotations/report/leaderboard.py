"""Models compared over several studies: accuracy by benchmark, failures, and classes of failure.

Accuracy is of every answer of the studies' runs. Label-based figures are given by study, and pooled over all,
with each study's own consensus and weights. Benchmarks are kept separate; where figures of several are
pooled, the table says so.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clinicnum.annotations.report.model_failures import benchmark_of, model_failures_section
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Report, Section, Table
from clinicnum.annotations.report.report_warnings import report_warnings
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_tables import StudyTables, annotator_kind
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS
from clinicnum.credentialed_data import MARKS
from clinicnum.errors import InputError
from clinicnum.stats.accuracy import AccuracyRow
from clinicnum.stats.rounded_figures import percent
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class RankedRun:
    """A run's place on its benchmark."""

    benchmark: str
    run_id: str
    name: str
    """The model's name, with the run's id where a study has several runs of it."""
    accuracy: AccuracyRow


def build_leaderboard(
    studies: Sequence[StudyTables], *, generated_by: str, stored: Sequence[RankedRun] = ()
) -> Report:
    """Models over the studies, or without any the `stored` runs, as a report.

    Raises InputError without a study or a run, and for a study named twice.
    """
    names = [one.study_name for one in studies]
    if len(set(names)) < len(names):
        raise InputError(Translatable("A study is named twice; name each once."))
    if not studies and not stored:
        raise InputError(Translatable("There is no scored run to compare; score one first."))
    views = [StudyView(one) for one in studies]
    failures = [view for view in views if KINDS[view.tables.kind].judges_failures]
    label_sections = (
        *((model_failures_section(failures),) if failures else ()),
        *((_studies_section(views),) if views else ()),
    )
    return Report(
        title="Models compared" + (f": {', '.join(names)}" if names else ""),
        study=", ".join(names),
        annotator_kind=annotator_kind(label for one in studies for label in one.annotations),
        warnings=tuple(dict.fromkeys(warning for view in views for warning in _warnings(view))),
        key_figures=(),
        sections=(_accuracy_section([*_ranked(views), *stored]), *label_sections),
        generated_by=generated_by,
    )


def _warnings(view: StudyView) -> Iterator[str]:
    rules = KINDS[view.tables.kind]
    if not rules.judges_failures:
        yield f"{view.tables.study_name}: it {rules.asks}, which only its own report has"
    for warning in report_warnings(view):
        alone = warning.startswith(("simulated", *MARKS))
        yield warning if alone else f"{view.tables.study_name}: {warning}"


def _ranked(views: Sequence[StudyView]) -> Iterator[RankedRun]:
    """The runs of the studies; each once though several studies have it."""
    seen = set()
    for view in views:
        for run in view.runs:
            key = (benchmark_of(view.tables), run.answers[0].generation.run_id)
            if key not in seen and run.accuracy.overall is not None:
                seen.add(key)
                yield RankedRun(*key, run.name, run.accuracy.overall)


def _accuracy_section(runs: Sequence[RankedRun]) -> Section:
    by_benchmark: dict[str, list[RankedRun]] = defaultdict(list)
    for one in runs:
        by_benchmark[one.benchmark].append(one)
    tables = tuple(
        _accuracy_table(number, name, sorted(found, key=_rank))
        for number, (name, found) in enumerate(sorted(by_benchmark.items()), 1)
    )
    apart = " Benchmarks stand apart, as their questions differ." * (len(tables) > 1)
    return Section(
        id="leaderboard",
        title="Which model is right most often?",
        holds_labels=False,
        paragraphs=(
            "Accuracy is the share of a run's answers that are right, on questions that discriminate and are "
            f"no variants.{apart} Intervals that overlap do not say that two models are alike: the reports "
            "of the studies compare models on the same questions.",
        ),
        plots=tuple(plot for table in tables for plot in _accuracy_plot(table)),
        tables=tables,
    )


def _rank(run: RankedRun) -> tuple[float, str]:
    return -(run.accuracy.accuracy or 0.0), run.name


def _accuracy_table(number: int, benchmark: str, runs: Sequence[RankedRun]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in runs:
        row, interval = one.accuracy, one.accuracy.interval
        figures = (row.accuracy, ends(interval), row.n, row.n_subjects)
        rows.append((one.name, one.run_id, *figures, row.strict_accuracy, interval.undefined))
    return Table(
        id=f"leaderboard_{number}",
        caption=f"Models by accuracy on benchmark {benchmark}",
        note="Unit: answers of a run; the highest accuracy first; runs need not have answered the same "
        "questions. 95 % intervals are of other subjects and, "
        "from five templates on, of other templates. Strict: in the form that was asked for, too.",
        trace="scores.csv of each study: run_id, lenient, strict, subject_id, template_id",
        columns=(
            Column(key="model", label="Model"),
            Column(key="run_id", label="Run", kind="code"),
            Column(key="accuracy", label="Accuracy", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="n", label="n", kind="count"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="strict", label="Strict", kind="share"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        bar=("accuracy", "ci95"),
    )


def _accuracy_plot(table: Table) -> Iterator[Plot]:
    dots = tuple(
        Dot(row=f"{table.cell(row, 'model')}", series="accuracy", value=value, interval=interval)
        for row in table.rows
        if isinstance(value := table.cell(row, "accuracy"), float)
        for interval in [table.cell(row, "ci95")]
        if interval is None or isinstance(interval, tuple)
    )
    if dots:
        said = "; ".join(f"{dot.row} {percent(dot.value, 0)} %" for dot in dots)
        caption = f"{table.caption}, with 95 % intervals."
        yield Plot(id=table.id, kind="dots", caption=caption, alt=said, table=table.id, dots=dots)


def _studies_section(views: Sequence[StudyView]) -> Section:
    return Section(
        id="provenance",
        title="Which studies is this?",
        holds_labels=False,
        tables=(
            Table(
                id="studies",
                caption="Studies",
                note=f"n = {len(views)}.",
                trace="the reports of the studies",
                columns=(
                    Column(key="study", label="Study"),
                    Column(key="benchmark", label="Benchmark", kind="code"),
                    Column(key="taxonomy", label="Taxonomy"),
                    Column(key="consensus", label="Consensus"),
                    Column(key="drawn", label="Drawn", kind="count"),
                    Column(key="judged", label="Judged", kind="count"),
                ),
                rows=tuple(
                    (
                        view.tables.study_name,
                        benchmark_of(view.tables),
                        f"{view.tables.taxonomy_name} {view.tables.taxonomy_version}",
                        by(view.protocol),
                        len(view.tables.inclusions),
                        len(view.chosen.by_generation),
                    )
                    for view in views
                ),
            ),
        ),
    )
