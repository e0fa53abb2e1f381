"""Template versions and their statistics as rows of text. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime

from clinicnum.annotations.curation.bank_browsing import PAGE, VersionDetails, VersionPage, VersionSummary
from clinicnum.annotations.curation.template_health import Discrimination, Health, TrialSummary
from clinicnum.annotations.curation.version_states import SAID
from clinicnum.authoring.template_diff import Difference, GoldChange, Part
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_tree import said
from clinicnum.types import OPERATIONS

Choices = list[tuple[str, str]]
Rows = list[list[str]]
OPERATION: Choices = [("all", ""), *((str(one), str(one)) for one in OPERATIONS)]
STATUS: Choices = [("all but retired", "standing"), *((label, key) for key, label in SAID.items())]
SORT: Choices = [
    ("name", "id"),
    ("lowest discrimination", "discrimination"),
    ("lowest accuracy", "accuracy"),
    ("most contests", "contests"),
    ("most instances", "instances"),
    ("last changed", "changed"),
]
ONLY: Choices = [("contested", "contested"), ("accuracy below 50 %", "hard")]
"""OPERATION, STATUS, SORT and ONLY are the (label, value) choices of the page's filters and sort order."""
COLUMNS = (
    "Template",
    "Version",
    "Status",
    "Wording",
    "Tags",
    "Instances",
    "Accuracy",
    "Contests",
    "Discrimination",
)
WIDTHS: list[str | int] = ["220px", "80px", "110px", "340px", "160px", "100px", "140px", "160px", "220px"]
FACTS = ("Field", "Value")
RUNS = ("Model", "Correct", "Accuracy")
REJECTED = ("Validity rule", "Questions rejected")
VERSIONS = ("Version", "Status", "Since")
CHANGES = ("Part", "Change")
PARTS: dict[Part, str] = {
    "wording": "Wording",
    "rule": "Rule",
    "slots": "Slots and givens",
    "answer": "Form of the answer",
    "mistakes": "Expected mistakes",
    "about": "Description",
}
NO_INSTANCES = [["Instances", "none in the database yet"]]
NOTHING_FOUND = "No template matches. Remove a filter, or search for fewer words."
STALE = "Imports, contests or closed studies are newer than these statistics."
NOT_COUNTED = "Variants, flagged instances and instances removed by a contest do not count towards accuracy."
NO_TRIAL = "Not tried on sample patients yet."
RETIRE = (
    "No new benchmark will use a retired version; what was made with it stays as it is. "
    "To correct something, begin a new version instead."
)


def page_label(listing: VersionPage) -> str:
    """The heading of a page of the list, such as `Versions 51 to 60 of 60`."""
    first = (listing.page - 1) * PAGE
    if not listing.rows:
        return NOTHING_FOUND
    return f"Versions {first + 1} to {first + len(listing.rows)} of {listing.found}"


def page_count(listing: VersionPage) -> int:
    """The number of pages of a list, at least one."""
    return max(1, -(-listing.found // PAGE))


def version_row(one: VersionSummary) -> list[str]:
    """A row for the columns COLUMNS."""
    shown = dict(main_statistics(one.health))
    wording = one.wording or "Known from a benchmark only: its wording is not in the bank."
    return [
        one.template_id,
        str(one.version),
        SAID[one.status],
        wording,
        ", ".join(one.tags),
        *(shown.get(name, "") for name in COLUMNS[5:]),
    ]


def version_title(template_id: str, version: int) -> str:
    """The display name of a version."""
    return f"{template_id} version {version}"


def main_statistics(health: Health | None) -> Rows:
    """The main statistics as (name, value)."""
    rules = [] if health is None or health.trial is None else [["Rejected by rules", _rejected(health.trial)]]
    if health is None or not health.instances:
        return rules
    return [
        ["Instances", f"{health.instances:,}"],
        ["Accuracy", accuracy_text(health.accuracy, f"over {_runs(len(health.runs))}", "no run yet")],
        ["Contests", _contests(health)],
        ["Discrimination", _discrimination(health.discrimination)],
        *rules,
    ]


def _rejected(trial: TrialSummary) -> str:
    """How many of the candidates tried on sample patients were rejected, in words."""
    n = sum(trial.rejected.values())
    return f"{n} of {trial.asked} tried" + ("" if trial.holds else "; the rules do not hold")


def _runs(n: int) -> str:
    return f"{n} run{'' if n == 1 else 's'}"


def accuracy_text(share: float | None, of: str, without: str) -> str:
    """A share in words, such as `64 % over 3 runs`, or `without` if it is undefined."""
    return without if share is None else f"{100 * share:.0f} % {of}"


def _contests(health: Health) -> str:
    counts = [
        f"{n} {name}"
        for name, n in (("open", health.open), ("upheld", health.upheld), ("rejected", health.rejected))
        if n
    ]
    if not counts:
        return f"none on {health.labelled} labelled" if health.labelled else "nothing labelled yet"
    return f"{', '.join(counts)} ({accuracy_text(health.contest_rate, 'of labelled', 'none labelled')})"


def _discrimination(found: Discrimination) -> str:
    return found.said if found.item_total is None else f"{found.said} ({found.item_total:.2f})"


def statistics_rows(health: Health | None) -> Rows:
    """Rows for FACTS: all statistics of a version."""
    if health is None:
        return NO_INSTANCES
    known = health.discrimination
    facts = main_statistics(health) if health.instances else NO_INSTANCES
    if health.instances:
        facts = [
            *facts,
            ["Variants", f"{health.variants:,} of the instances"],
            [
                "Flagged (V7)",
                accuracy_text(health.flagged_share, "of those that are no variants", "none to flag"),
            ],
            ["Removed by contests", f"{health.taken_out:,}"],
        ]
    if known.item_total is not None and known.upper_lower is not None and known.slope is not None:
        facts = [
            *facts,
            ["Item-total correlation", f"{known.item_total:.2f}, corrected, over {_runs(known.runs)}"],
            ["Upper minus lower 27 %", f"{known.upper_lower:+.2f}"],
            ["Slope", f"{known.slope:.2f} in log odds per standard deviation of the rest score"],
        ]
    return [*facts, ["Counted", time_text(health.counted_at)]]


def run_rows(runs: Sequence[tuple[str, int, int]]) -> Rows:
    """Rows for RUNS from (model, counted answers, correct answers), best model first."""
    return [
        [name, f"{right} of {asked}", f"{100 * right / asked:.0f} %"]
        for name, asked, right in sorted(runs, key=lambda one: (-one[2] / one[1], one[0]))
    ]


def trial_text(trial: TrialSummary | None) -> str:
    """How many candidates on sample patients pass the validity rules, in words."""
    if trial is None:
        return NO_TRIAL
    rejected = sum(trial.rejected.values())
    counts = f"{trial.taken} accepted, {trial.flagged} of them flagged; {rejected} rejected by rules."
    unfit = "" if trial.holds else " This version is not fit for use."
    faults = "".join(f"\n{one}" for one in trial.faults)
    return f"{trial.asked} questions tried on sample patients: {counts}{unfit}{faults}"


def rejected_rows(trial: TrialSummary | None) -> Rows:
    """Rows for REJECTED, most frequent rule first."""
    rejected = {} if trial is None else trial.rejected
    return [[rule, str(n)] for rule, n in sorted(rejected.items(), key=lambda one: -one[1])]


def fact_rows(one: VersionDetails) -> Rows:
    """Rows for FACTS: a version's question, and how its answer is computed."""
    template = one.template
    rows = [["Status", _status(one)], ["Author", one.author or "came with the program or with a benchmark"]]
    if template is None:
        return [*rows, ["Wording", one.listed.wording or "not in the bank"]]
    slots = [f"{name} (a {slot.kind})" for name, slot in template.slots.items()]
    givens = [
        f"{given.label}{f' in {given.unit}' if given.unit else ''}" for given in template.givens.values()
    ]
    return [
        *rows,
        *(["Wording", text] for text in template.wording),
        ["Operation", one.listed.operation or ""],
        *(["Computation", f"{text}."] for text in computation_lines(template)),
        ["Answer", template.answer_form],
        ["Slots", ", ".join(slots) or "none"],
        *([["Givens", ", ".join(givens)]] if givens else []),
        ["Steps", str(template.steps)],
        ["Source", template.source],
        *([["Tags", ", ".join(template.tags)]] if template.tags else []),
    ]


def _status(one: VersionDetails) -> str:
    since = f" since {time_text(one.changed_at)}" if one.changed_at else ""
    return f"{SAID[one.listed.status]}{since}"


def version_rows(one: VersionDetails) -> Rows:
    """Rows for VERSIONS of the same template, newest first."""
    return [[str(step.version), SAID[step.status], time_text(step.changed_at)] for step in one.versions]


def used_by(one: VersionDetails) -> list[str]:
    """Benchmarks and studies that contain instances of the version."""
    return [
        *(f"{n:,} instances in benchmark {benchmark}" for benchmark, n in one.benchmarks),
        *(f"{use.labels:,} labels in study {use.study}" for use in one.uses),
    ]


def difference_rows(found: Difference) -> Rows:
    """Rows for CHANGES: the differences between two versions."""
    rows = [[PARTS[change.part], change.text()] for change in found.changes]
    golds = found.golds
    if golds.reason is not None:
        lines = [golds.reason]
    elif not golds.changed:
        lines = [f"None, on {golds.compared} questions about sample patients."]
    else:
        lines = [f"{golds.changed} of {golds.compared} on sample patients, such as"]
        lines += [
            f"{_asked(one)}: {one.before or 'not asked'} → {one.after or 'not asked'}"
            for one in golds.examples
        ]
    return [*rows, *(["Answers", line] for line in lines)]


def _asked(one: GoldChange) -> str:
    filled = ", ".join(f"{name} {value}" for name, value in one.slots.items())
    return f"stay {one.stay_id}{f', {filled}' if filled else ''}"


def computation_lines(template: Template) -> list[str]:
    """The computation of the answer, and the conditions for asking the question, in words."""
    asked = [f"Asked only where {said(one, template)}" for one in template.requires]
    return [one[:1].upper() + one[1:] for one in (said(template.tree, template), *asked)]


def time_text(at: datetime | None) -> str:
    """A time in the pages' format; empty for None."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"
