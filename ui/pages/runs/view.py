"""Runs and their accuracy as rows of tables. No Gradio, no database."""

from collections.abc import Mapping, Sequence

from clinicnum.annotations.run_names import display_names
from clinicnum.annotations.study_summary import RunSummary
from clinicnum.stats.accuracy import AccuracyRow, AccuracyTable
from clinicnum.stats.headline_accuracy import Headline
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import link
from clinicnum.ui.components.unread_answers import HOW as HOW_READ
from clinicnum.ui.components.unread_answers import (
    LOOK,
    MORE,
    MORE_ADDRESS,
    unread_address,
    unread_sentence,
)
from clinicnum.ui.components.value_display_names import OPERATION_NAMES, REPRESENTATION_NAMES

HOW = Translatable(
    "A run is what one model answered to one benchmark. Click a row to see how well it did and how it was "
    "made. The accuracy leaves out variants, questions that a mistake answers right, too, and "
    "samples that failed; it stands with its 95 % interval."
)
NO_RUN = Translatable(
    "There is no run yet. Launch one on a benchmark, upload answers that a model gave elsewhere, or load "
    "files on the server: clinicnum runs add."
)
NO_SUCH_RUN = Translatable("There is no run “{run}”.")
NO_SUCH_RUN_NEWEST = Translatable("There is no run “{run}”; the newest is shown.")
CHOOSE = Translatable("Or click its row in the table.")
NAME = Translatable("What lists, comparisons and reports call it; empty for the model's name.")
COLUMNS = (
    Translatable("Run"),
    Translatable("Model"),
    Translatable("Benchmark"),
    Translatable("Answers"),
    Translatable("Scored"),
    Translatable("Accuracy"),
    Translatable("Studies"),
    Translatable("When"),
)
WIDTHS = ("230px", "190px", "180px", "90px", "90px", "180px", "120px", "120px")
Overview = Sequence[tuple[RunSummary, Headline]]


def no_such_run(asked: str, shown: str | None) -> str:
    """The message, as HTML, that the run `asked` for by the address is not there; empty if it is `shown`."""
    if asked == shown:
        return ""
    said = NO_SUCH_RUN_NEWEST if shown else NO_SUCH_RUN
    return str(note(_(said, run=asked[:100]), "warn"))


def runs_label(rows: Sequence[object]) -> str:
    """The heading of the table of runs."""
    return ngettext("{n} run", "{n} runs", len(rows))


def run_rows(runs: Overview, benchmarks: Mapping[str, str]) -> list[list[str | int]]:
    """Rows for COLUMNS, one per run; `benchmarks` has the name of each benchmark by id."""
    names = display_names([one for one, _total in runs])
    return [
        [
            names[one.run],
            one.model or _("not named"),
            benchmarks.get(one.benchmark_id, one.benchmark_id),
            one.generations,
            one.scored,
            percent_with_interval(total.accuracy, total.interval),
            ", ".join(one.studies) or _("none"),
            (one.begun_at or MISSING)[:10],
        ]
        for one, total in runs
    ]


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
    return [_row(one) for one in accuracy.distinct_rows]


def accuracy_notes(accuracy: AccuracyTable, run: RunSummary) -> str:
    """The notes below a run's accuracy table, as Markdown; first, how many answers could not be read."""
    unread = _unread(run.statuses.get("unparsable", 0), run.run)
    if not accuracy.rows:
        return "\n\n".join([*unread, _(NO_ACCURACY)])
    reasons = sorted({one.interval.undefined for one in accuracy.rows if one.interval.undefined})
    lines = [
        *unread,
        _(
            "{scored} scored; left out: {flagged} on questions that a mistake answers right, too, and "
            "{variants} on variants.",
            scored=accuracy.n_scored,
            flagged=accuracy.n_flagged,
            variants=accuracy.n_variants,
        ),
        _(
            "Intervals hold for other patients (other questions, where they are about no patient) and, in "
            "rows of five templates or more, for other templates."
        ),
        _(
            "As asked: in the asked form, unit and decimals. Flexible: also what a wider automatic reading, "
            "which may err, finds. The last four columns are guesses that do not read the question: "
            "always the first record, the last record, zero, or the most frequent answer."
        ),
        *_dashes(accuracy),
        *_failed(accuracy.n_errors),
        *(_("A dash stands for no interval: {reason}.", reason=reason) for reason in reasons),
    ]
    return "\n\n".join(lines)


def _dashes(accuracy: AccuracyTable) -> list[str]:
    """Why columns of the table show dashes only."""
    said = []
    if not accuracy.form_asked:
        said.append(
            _(
                "A dash stands under As asked: nothing is known to have asked the model for the form that is "
                "judged."
            )
        )
    total = accuracy.overall
    if total is not None and total.n and total.baselines.zero is None:
        said.append(
            _("A dash stands under First record, Last record and Zero: the questions have no records.")
        )
    return said


def _unread(n: int, run: str) -> list[str]:
    if not n:
        return []
    leads = f"{link(_(LOOK), unread_address([run]))} · {link(_(MORE), MORE_ADDRESS)}"
    return [f"**{unread_sentence(n)}** {_(HOW_READ)} {leads}"]


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
        percent(one.accuracy),
        MISSING if low is None or high is None else _range(low, high),
        percent(one.strict_accuracy),
        percent(one.flexible_accuracy),
        *map(percent, (beside.first_record, beside.last_record, beside.zero, beside.majority)),
    ]


def percent_with_interval(share: float | None, interval: Interval) -> str:
    """`72.0 % (61 to 81 %)`, without the bracket where there is no interval."""
    low, high = interval.low, interval.high
    if share is None or low is None or high is None:
        return percent(share)
    return f"{percent(share)} ({_range(low, high)})"


def _range(low: float, high: float) -> str:
    return _("{low} to {high} %", low=rounded(100 * low, 0), high=rounded(100 * high, 0))


def percent(share: float | None) -> str:
    """`72.0 %`, or a dash for what is not defined."""
    return MISSING if share is None else f"{rounded(100 * share, 1)} %"
