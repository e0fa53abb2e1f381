"""Runs and their accuracy as rows of tables. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.stats.accuracy import STATUSES, AccuracyRow, AccuracyTable
from clinicnum.ui.components.html import MISSING

HOW = (
    "Runs are loaded on the server, as their files stay there: "
    "`clinicnum runs add --benchmark FILE --generations FILE --scores FILE`"
)


def run_names(runs: Sequence[RunSummary]) -> dict[str, str]:
    """Row id -> display name: the run_id, with its benchmark if several runs share the run_id."""
    ids = [one.run_id for one in runs]
    return {
        one.run: one.run_id if ids.count(one.run_id) == 1 else f"{one.run_id} on {one.benchmark_id}"
        for one in runs
    }


CHOOSE = "Its accuracy is shown below. Or click its row in the table."
COLUMNS = ("Run", "Model", "Benchmark", "Generations", "Scored", "Statuses", "Studies")


def runs_label(rows: Sequence[object]) -> str:
    """The heading of the table of runs."""
    return f"{len(rows)} {'run' if len(rows) == 1 else 'runs'}"


def run_rows(runs: Sequence[RunSummary]) -> list[list[str | int]]:
    """Rows for COLUMNS, one per run."""
    names = run_names(runs)
    return [
        [
            names[one.run],
            one.model or "not named",
            one.benchmark_id,
            one.generations,
            one.scored,
            _statuses(one),
            ", ".join(one.studies) or "none",
        ]
        for one in runs
    ]


def _statuses(run: RunSummary) -> str:
    counts = [f"{run.statuses[one]} {one}" for one in STATUSES if one in run.statuses]
    return ", ".join(counts) or "none scored"


ACCURACY_COLUMNS = (
    *("Operation", "Representation", "n", "Subjects", "Accuracy", "95 % interval", "As asked", "Flexible"),
    *("First record", "Last record", "Zero", "Majority"),
)
NO_ACCURACY = "No answer of this run counts towards accuracy: all are variants."


def accuracy_rows(accuracy: AccuracyTable) -> list[list[str | int]]:
    """Rows for ACCURACY_COLUMNS, one per operation and representation."""
    return [_row(one) for one in accuracy.rows]


def accuracy_notes(accuracy: AccuracyTable) -> str:
    """The notes below a run's accuracy table, as Markdown."""
    if not accuracy.rows:
        return NO_ACCURACY
    reasons = sorted({one.interval.undefined for one in accuracy.rows if one.interval.undefined})
    lines = [
        f"{accuracy.n_scored} scored; left out: {accuracy.n_flagged} that do not discriminate, "
        f"{accuracy.n_variants} variants.",
        "Intervals are of other subjects and, from five templates on, of other templates.",
        "As asked: in the asked form, unit and decimals. Flexible: the value that a careful reader takes "
        "for the answer, marked or not. The last four answer without reading the question.",
        *(
            [f"{accuracy.n_errors} samples failed and are left out of the accuracy."]
            if accuracy.n_errors
            else []
        ),
        *(f"No interval: {reason}." for reason in reasons),
    ]
    return "\n\n".join(lines)


def _row(one: AccuracyRow) -> list[str | int]:
    low, high = one.interval.low, one.interval.high
    beside = one.baselines
    return [
        one.operation,
        one.representation,
        one.n,
        one.n_subjects,
        _percent(one.accuracy),
        MISSING if low is None or high is None else f"{100 * low:.0f} to {100 * high:.0f} %",
        _percent(one.strict_accuracy),
        _percent(one.flexible_accuracy),
        *map(_percent, (beside.first_record, beside.last_record, beside.zero, beside.majority)),
    ]


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f} %"
