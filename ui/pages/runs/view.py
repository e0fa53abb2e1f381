"""Runs and their accuracy as escaped HTML. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.stats.accuracy import STATUSES, AccuracyRow, AccuracyTable
from clinicnum.ui.components.html import MISSING, note, table

HOW = (
    "More are loaded on the server, as their files stay there: clinicnum runs add --benchmark FILE "
    "--generations FILE --scores FILE"
)


def run_names(runs: Sequence[RunSummary]) -> dict[str, str]:
    """The name that a page shows by row id: the run_id, with its benchmark where several have it."""
    ids = [one.run_id for one in runs]
    return {
        one.run: one.run_id if ids.count(one.run_id) == 1 else f"{one.run_id} on {one.benchmark_id}"
        for one in runs
    }


def runs_view(runs: Sequence[RunSummary]) -> Markup:
    """All runs, one a line."""
    if not runs:
        return note(f"No run yet. {HOW}")
    rows = [
        (
            one.run_id,
            one.model or "not named",
            one.benchmark_id,
            one.generations,
            one.scored,
            _statuses(one),
            ", ".join(one.studies) or "none",
        )
        for one in runs
    ]
    columns = ("Run", "Model", "Benchmark", "Generations", "Scored", "Statuses", "Studies")
    return table(f"{len(runs)} runs", columns, rows, prose=(1, 2, 5, 6)) + Markup(
        '<p class="cn-muted">{}</p>'
    ).format(HOW)


def _statuses(run: RunSummary) -> str:
    told = [f"{run.statuses[one]} {one}" for one in STATUSES if one in run.statuses]
    return ", ".join(told) or "none scored"


def accuracy_view(name: str, accuracy: AccuracyTable) -> Markup:
    """A run's accuracy by operation and representation, with what stands beside it."""
    heading = Markup("<h2>Accuracy of {}</h2>").format(name)
    if not accuracy.rows:
        return heading + note("No answer of this run counts towards accuracy: all are variants.")
    columns = (
        *(
            "Operation",
            "Representation",
            "n",
            "Subjects",
            "Accuracy",
            "95 % interval",
            "As asked",
            "Flexible",
        ),
        *("First record", "Last record", "Zero", "Majority"),
    )
    reasons = sorted({one.interval.undefined for one in accuracy.rows if one.interval.undefined})
    said = [
        f"{accuracy.n_scored} scored; left out: {accuracy.n_flagged} that do not discriminate, "
        f"{accuracy.n_variants} variants.",
        "Intervals are of other subjects and, from five templates on, of other templates.",
        "As asked: in the asked form, unit and decimals. Flexible: the value that a careful reader takes "
        "for the "
        "answer, marked or not. The last four answer without reading the question.",
        *([f"{accuracy.n_errors} samples failed and are in no figure."] if accuracy.n_errors else []),
        *(f"No interval: {reason}." for reason in reasons),
    ]
    return (
        heading
        + table(f"Accuracy of {name}", columns, [_row(one) for one in accuracy.rows], prose=(1,))
        + Markup("").join(Markup('<p class="cn-muted">{}</p>').format(line) for line in said)
    )


def _row(one: AccuracyRow) -> tuple[object, ...]:
    low, high = one.interval.low, one.interval.high
    beside = one.baselines
    return (
        one.operation,
        one.representation,
        one.n,
        one.n_subjects,
        _percent(one.accuracy),
        MISSING if low is None or high is None else f"{100 * low:.0f} to {100 * high:.0f} %",
        _percent(one.strict_accuracy),
        _percent(one.flexible_accuracy),
        *map(_percent, (beside.first_record, beside.last_record, beside.zero, beside.majority)),
    )


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f} %"
