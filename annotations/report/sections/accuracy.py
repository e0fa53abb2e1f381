"""How often the model is right: by operation and representation, strict and lenient, with differences.

Headline figures leave out flagged instances (rule V7: they do not discriminate), which have their own row.
Intervals: delete-one-subject jackknife over the subjects behind each cell.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotations.report.model import Cell, Column, KeyFigure, Section, Table
from annotations.report.view import StudyView
from clinicnum.statistics import Interval, cluster_jackknife_interval
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Generation, Instance, Score

_OPERATIONS = (*OPERATIONS, "external")
_REPRESENTATIONS = (*REPRESENTATIONS, "external")
_STATUSES = ("correct", "incorrect", "unparsable", "abstained", "empty", "truncated")
_ALL = "all"


@dataclass(frozen=True)
class _Answer:
    """One generation with what it answers and how it was scored."""

    generation: Generation
    instance: Instance
    score: Score

    @property
    def subject(self) -> str:
        return self.instance.subject_id


def accuracy_section(view: StudyView) -> Section:
    """Three tables a run: accuracy, differences between representations, statuses."""
    runs = _by_run(view)
    tables = [
        table
        for number, (run_id, answers) in enumerate(runs, start=1)
        for table in _run_tables(_run_name(view, run_id), "" if len(runs) == 1 else f"_run{number}", answers)
    ]
    return Section(
        id="accuracy",
        title="How often is the model right?",
        paragraphs=(
            "Accuracy is the share of generations with the right value (lenient); strict also asks for the "
            "form, unit and decimals that the question named, and the difference is the format failure rate. "
            "Every generation of the run counts, annotated or not; an answer that cannot be read is wrong.",
        ),
        tables=tuple(tables),
    )


def accuracy_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """Accuracy and format failures of each run, for the head of the report."""
    figures = []
    for run_id, answers in _by_run(view):
        headline = [one for one in answers if not one.instance.flags]
        right = sum(one.score.lenient for one in headline)
        strict = sum(one.score.strict for one in headline)
        name = _run_name(view, run_id)
        figures.append(
            KeyFigure(
                label="Accuracy",
                value=_percent(right, len(headline)),
                note=f"{right} of {len(headline)}, {name}",
            )
        )
        figures.append(
            KeyFigure(
                label="Right, but not in the asked form",
                value=_percent(right - strict, len(headline)),
                note=f"{right - strict} of {len(headline)}, {name}",
            )
        )
    return tuple(figures)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _by_run(view: StudyView) -> list[tuple[str, list[_Answer]]]:
    runs: dict[str, list[_Answer]] = {}
    for one in view.tables.generations:
        key = one.generation_id
        runs.setdefault(one.run_id, []).append(_Answer(one, view.instance(key), view.score(key)))
    return list(runs.items())


def _run_name(view: StudyView, run_id: str) -> str:
    model = view.tables.runs.get(run_id, {}).get("model")
    return str(model) if model else f"run {run_id}"


def _run_tables(name: str, suffix: str, answers: Sequence[_Answer]) -> Iterator[Table]:
    headline = [one for one in answers if not one.instance.flags]
    yield _accuracy(name, suffix, answers, headline)
    yield _differences(name, suffix, headline)
    yield _statuses(name, suffix, answers)


def _accuracy(name: str, suffix: str, answers: Sequence[_Answer], headline: Sequence[_Answer]) -> Table:
    flagged = len(answers) - len(headline)
    rows = [_accuracy_row(*labels, cell) for labels, cell in _cells(headline)]
    if flagged:
        rows.append(_accuracy_row("flagged", _ALL, [one for one in answers if one.instance.flags]))
    return Table(
        id=f"accuracy{suffix}",
        caption=f"Accuracy of {name} by operation and representation",
        note=f"Unit: generations; n = {len(headline)}, and {flagged} more on flagged instances, which do not "
        "discriminate and count in their own row only. Interval: delete-one-subject jackknife, "
        "t(subjects - 1).",
        trace="scores.csv: lenient, strict, operation, representation, flags",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="representation", label="Written as"),
            Column(key="right", label="Right", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="accuracy", label="Accuracy", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval"),
            Column(key="strict", label="Strict", kind="share"),
            Column(key="format_failure", label="Form missed", kind="share"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        bar=("accuracy", "ci95"),
    )


def _cells(answers: Sequence[_Answer]) -> Iterator[tuple[tuple[str, str], list[_Answer]]]:
    """Operation x representation, then each alone, then all; empty cells are left out."""
    for operation in (*_OPERATIONS, _ALL):
        for representation in (*_REPRESENTATIONS, _ALL):
            cell = [
                one
                for one in answers
                if operation in (_ALL, one.instance.operation)
                and representation in (_ALL, one.instance.representation)
            ]
            if cell:
                yield (operation, representation), cell


def _accuracy_row(operation: str, representation: str, cell: Sequence[_Answer]) -> tuple[Cell, ...]:
    n, right = len(cell), sum(one.score.lenient for one in cell)
    strict = sum(one.score.strict for one in cell)
    interval = _mean_interval([(one.subject, int(one.score.lenient)) for one in cell], (0.0, 1.0))
    return (
        operation,
        representation,
        right,
        n,
        right / n,
        _ends(interval),
        strict / n,
        (right - strict) / n,
        interval.n_clusters,
        interval.undefined or interval.warning,
    )


def _differences(name: str, suffix: str, headline: Sequence[_Answer]) -> Table:
    seen = [
        one for one in _REPRESENTATIONS if any(answer.instance.representation == one for answer in headline)
    ]
    rows: list[tuple[Cell, ...]] = []
    for operation in (*_OPERATIONS, _ALL):
        inside = [one for one in headline if operation in (_ALL, one.instance.operation)]
        for at, base in enumerate(seen):
            for other in seen[at + 1 :]:
                pairs = _pairs(inside, base, other)
                if pairs:
                    rows.append(_difference_row(operation, f"{other} - {base}", pairs))
    return Table(
        id=f"accuracy_differences{suffix}",
        caption=f"Differences between representations, {name}",
        note="Unit: pairs of generations on the same records and question; the difference is in percentage "
        "points of lenient accuracy. Intervals are not corrected for their number.",
        trace="scores.csv: group_id, representation, lenient, flags",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="difference_of", label="Difference of"),
            Column(key="pairs", label="Pairs", kind="count"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


Pair = tuple[_Answer, _Answer]


def _pairs(answers: Sequence[_Answer], base: str, other: str) -> list[Pair]:
    """Base instances (no variant) of the same group in two representations."""
    plain = [one for one in answers if one.instance.variant is None]
    first = {one.instance.group_id: one for one in plain if one.instance.representation == base}
    return [
        (first[one.instance.group_id], one)
        for one in plain
        if one.instance.representation == other and one.instance.group_id in first
    ]


def _difference_row(operation: str, name: str, pairs: Sequence[Pair]) -> tuple[Cell, ...]:
    gains = [(base.subject, int(other.score.lenient) - int(base.score.lenient)) for base, other in pairs]
    interval = _mean_interval(gains, (-1.0, 1.0))
    estimate = sum(gain for _, gain in gains) / len(gains)
    remark = interval.undefined or interval.warning
    return operation, name, len(gains), estimate, _ends(interval), interval.n_clusters, remark


def _mean_interval(values: Sequence[tuple[str, int]], bounds: tuple[float, float]) -> Interval:
    """Jackknife interval of a mean over (subject, value): leaving one out subtracts its sum and count."""
    sums: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for subject, value in values:
        sums[subject] += value
        counts[subject] += 1
    total, n = sum(sums.values()), len(values)
    replicates = [
        (total - sums[subject]) / (n - counts[subject]) if counts[subject] < n else None
        for subject in sorted(counts)
    ]
    return cluster_jackknife_interval(replicates, total / n, n_items=n, bounds=bounds)


def _ends(interval: Interval) -> tuple[float, float] | None:
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)


def _statuses(name: str, suffix: str, answers: Sequence[_Answer]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (operation, representation), cell in _cells(answers):
        counts: Counter[str] = Counter(one.score.status for one in cell)
        rows.append((operation, representation, *(counts[one] for one in _STATUSES), len(cell)))
    return Table(
        id=f"score_statuses{suffix}",
        caption=f"How the generations of {name} were scored",
        note=f"Unit: generations, flagged instances included; n = {len(answers)}.",
        trace="scores.csv: status, operation, representation",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="representation", label="Written as"),
            *(Column(key=one, label=one, kind="count") for one in _STATUSES),
            Column(key="n", label="n", kind="count"),
        ),
        rows=tuple(rows),
    )
