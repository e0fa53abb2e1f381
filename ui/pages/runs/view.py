"""Runs and their accuracy as rows of tables. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.stats.accuracy import STATUSES, AccuracyRow, AccuracyTable
from clinicnum.translatable import Translatable
from clinicnum.ui.components.html import MISSING
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.terms import OPERATION_NAMES, REPRESENTATION_NAMES, STATUS_NAMES

HOW = Translatable(
    "Runs are loaded on the server, as their files stay there: "
    "`clinicnum runs add --benchmark FILE --generations FILE --scores FILE`"
)


def run_names(runs: Sequence[RunSummary]) -> dict[str, str]:
    """Row id -> display name: the run_id, with its benchmark if several runs share the run_id."""
    ids = [one.run_id for one in runs]
    return {
        one.run: one.run_id
        if ids.count(one.run_id) == 1
        else _("{run} on {benchmark}", run=one.run_id, benchmark=one.benchmark_id)
        for one in runs
    }


CHOOSE = Translatable("Its accuracy is shown below. Or click its row in the table.")
COLUMNS = (
    Translatable("Run"),
    Translatable("Model"),
    Translatable("Benchmark"),
    Translatable("Generations"),
    Translatable("Scored"),
    Translatable("Statuses"),
    Translatable("Studies"),
)


def runs_label(rows: Sequence[object]) -> str:
    """The heading of the table of runs."""
    return ngettext("{n} run", "{n} runs", len(rows))


def run_rows(runs: Sequence[RunSummary]) -> list[list[str | int]]:
    """Rows for COLUMNS, one per run."""
    names = run_names(runs)
    return [
        [
            names[one.run],
            one.model or _("not named"),
            one.benchmark_id,
            one.generations,
            one.scored,
            _statuses(one),
            ", ".join(one.studies) or _("none"),
        ]
        for one in runs
    ]


def _statuses(run: RunSummary) -> str:
    counts = [f"{run.statuses[one]} {_(STATUS_NAMES[one])}" for one in STATUSES if one in run.statuses]
    return ", ".join(counts) or _("none scored")


ACCURACY_COLUMNS = (
    Translatable("Operation"),
    Translatable("Representation"),
    "n",
    Translatable("Subjects"),
    Translatable("Accuracy"),
    Translatable("95 % interval"),
    Translatable("As asked"),
    Translatable("Flexible"),
    Translatable("First record"),
    Translatable("Last record"),
    Translatable("Zero"),
    Translatable("Majority"),
)
NO_ACCURACY = Translatable("No answer of this run counts towards accuracy: all are variants.")


def accuracy_rows(accuracy: AccuracyTable) -> list[list[str | int]]:
    """Rows for ACCURACY_COLUMNS, one per operation and representation."""
    return [_row(one) for one in accuracy.rows]


def accuracy_notes(accuracy: AccuracyTable) -> str:
    """The notes below a run's accuracy table, as Markdown."""
    if not accuracy.rows:
        return _(NO_ACCURACY)
    reasons = sorted({one.interval.undefined for one in accuracy.rows if one.interval.undefined})
    lines = [
        _(
            "{scored} scored; left out: {flagged} that do not discriminate, {variants} variants.",
            scored=accuracy.n_scored,
            flagged=accuracy.n_flagged,
            variants=accuracy.n_variants,
        ),
        _("Intervals are of other subjects and, from five templates on, of other templates."),
        _(
            "As asked: in the asked form, unit and decimals. Flexible: the value that a careful reader takes "
            "for the answer, marked or not. The last four answer without reading the question."
        ),
        *_failed(accuracy.n_errors),
        *(_("No interval: {reason}.", reason=reason) for reason in reasons),
    ]
    return "\n\n".join(lines)


def _failed(errors: int) -> list[str]:
    if not errors:
        return []
    return [
        ngettext(
            "{n} sample failed and is left out of the accuracy.",
            "{n} samples failed and are left out of the accuracy.",
            errors,
        )
    ]


def _row(one: AccuracyRow) -> list[str | int]:
    low, high = one.interval.low, one.interval.high
    beside = one.baselines
    return [
        _(OPERATION_NAMES[one.operation]),
        _(REPRESENTATION_NAMES[one.representation]),
        one.n,
        one.n_subjects,
        _percent(one.accuracy),
        MISSING
        if low is None or high is None
        else _("{low} to {high} %", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}"),
        _percent(one.strict_accuracy),
        _percent(one.flexible_accuracy),
        *map(_percent, (beside.first_record, beside.last_record, beside.zero, beside.majority)),
    ]


def _range(low: float, high: float) -> str:
    return _("{low} to {high} %", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f} %"
