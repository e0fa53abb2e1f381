"""The statistics of a template version as rows of text. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime

from clinicnum.annotations.curation.template_health import Discrimination, Health, TrialSummary
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext

Rows = list[list[str]]
CONTEST_COUNTS = (Translatable("{n} open"), Translatable("{n} upheld"), Translatable("{n} rejected"))
NO_TRIAL = Translatable("Not tried on sample patients yet.")


def main_statistics(health: Health | None) -> Rows:
    """The main statistics as (name, value); the names are those of `view.COLUMNS`, in English."""
    rules: Rows = []
    if health is not None and health.trial is not None:
        rules.append([Translatable("Rejected by rules"), _rejected(health.trial)])
    if health is None or not health.instances:
        return rules
    return [
        ["Instances", f"{health.instances:,}"],
        ["Accuracy", _accuracy(health)],
        ["Contests", _contests(health)],
        ["Discrimination", _discrimination(health.discrimination)],
        *rules,
    ]


def _rejected(trial: TrialSummary) -> str:
    """How many of the candidates tried on sample patients were rejected, in words."""
    n = sum(trial.rejected.values())
    if trial.holds:
        return _("{n} of {total} tried", n=n, total=trial.asked)
    return _("{n} of {total} tried; the rules do not hold", n=n, total=trial.asked)


def _accuracy(health: Health) -> str:
    """The accuracy in words, such as `64 % over 3 runs`."""
    if health.accuracy is None:
        return _("no run yet")
    return ngettext(
        "{share:.0f} % over {n} run",
        "{share:.0f} % over {n} runs",
        len(health.runs),
        share=100 * health.accuracy,
    )


def _contests(health: Health) -> str:
    counts = [
        _(text, n=n)
        for text, n in zip(CONTEST_COUNTS, (health.open, health.upheld, health.rejected), strict=True)
        if n
    ]
    if not counts:
        return _("none on {n} labelled", n=health.labelled) if health.labelled else _("nothing labelled yet")
    rate = health.contest_rate
    of = _("none labelled") if rate is None else _("{share:.0f} % of labelled", share=100 * rate)
    return f"{', '.join(counts)} ({of})"


def _discrimination(found: Discrimination) -> str:
    return _(found.said) if found.item_total is None else f"{_(found.said)} ({found.item_total:.2f})"


def statistics_rows(health: Health | None) -> Rows:
    """Rows for `view.FACTS`: all statistics of a version."""
    none = [_("Instances"), _("none in the database yet")]
    if health is None:
        return [none]
    facts = [[_(name), text] for name, text in main_statistics(health)] if health.instances else [none]
    if health.instances:
        flagged = health.flagged_share
        facts += [
            [_("Variants"), _("{n:,} of the instances", n=health.variants)],
            [
                _("Flagged (V7)"),
                _("none to flag")
                if flagged is None
                else _("{share:.0f} % of those that are no variants", share=100 * flagged),
            ],
            [_("Removed by contests"), f"{health.taken_out:,}"],
        ]
    return [
        *facts,
        *_discrimination_rows(health.discrimination),
        [_("Counted"), time_text(health.counted_at)],
    ]


def _discrimination_rows(known: Discrimination) -> Rows:
    if known.item_total is None or known.upper_lower is None or known.slope is None:
        return []
    total = ngettext(
        "{value:.2f}, corrected, over {n} run",
        "{value:.2f}, corrected, over {n} runs",
        known.runs,
        value=known.item_total,
    )
    slope = _("{value:.2f} in log odds per standard deviation of the rest score", value=known.slope)
    return [
        [_("Item-total correlation"), total],
        [_("Upper minus lower 27 %"), f"{known.upper_lower:+.2f}"],
        [_("Slope"), slope],
    ]


def run_rows(runs: Sequence[tuple[str, int, int]]) -> Rows:
    """Rows for `view.RUNS` from (model, counted answers, correct answers), best model first."""
    return [
        [name, _("{n} of {total}", n=right, total=asked), f"{rounded(100 * right / asked, 0)} %"]
        for name, asked, right in sorted(runs, key=lambda one: (-one[2] / one[1], one[0]))
    ]


def trial_text(trial: TrialSummary | None) -> str:
    """How many candidates on sample patients pass the validity rules, in words."""
    if trial is None:
        return _(NO_TRIAL)
    counts = _(
        "{n} questions tried on sample patients: {taken} accepted, {flagged} of them flagged; {rejected} "
        "rejected by rules.",
        n=trial.asked,
        taken=trial.taken,
        flagged=trial.flagged,
        rejected=sum(trial.rejected.values()),
    )
    if not trial.holds:
        counts = " ".join([counts, _("This version is not fit for use.")])
    return "\n".join([counts, *trial.faults])


def rejected_rows(trial: TrialSummary | None) -> Rows:
    """Rows for `view.REJECTED`, most frequent rule first."""
    rejected = {} if trial is None else trial.rejected
    return [[rule, str(n)] for rule, n in sorted(rejected.items(), key=lambda one: -one[1])]


def time_text(at: datetime | None) -> str:
    """A time in the pages' format; empty for None."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"
