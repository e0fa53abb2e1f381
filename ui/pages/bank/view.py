"""The bank, a version and its health, as plain dicts of text. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from clinicnum.annotations.curation.bank_browsing import (
    PAGE,
    Origin,
    VersionDetails,
    VersionPage,
    VersionSearch,
    VersionSummary,
)
from clinicnum.annotations.curation.health import Discrimination, Health, TrialSummary
from clinicnum.annotations.curation.version_states import NEXT, SAID
from clinicnum.authoring.difference import Difference, GoldChange, Part
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_tree import said
from clinicnum.types import OPERATIONS

CHOICES: dict[str, list[list[str]]] = {
    "operation": [["", "all"], *([str(one), str(one)] for one in OPERATIONS)],
    "status": [["standing", "all but retired"], *([key, said] for key, said in SAID.items())],
    "sort": [
        ["id", "name"],
        ["discrimination", "weakest separation"],
        ["accuracy", "lowest accuracy"],
        ["contests", "most contested"],
        ["instances", "most instances"],
        ["changed", "last changed"],
    ],
}
"""What the page offers to filter and to order by, as (value, label)."""
PARTS: dict[Part, str] = {
    "wording": "Wording",
    "rule": "Rule",
    "slots": "Slots and givens",
    "answer": "Form of the answer",
    "mistakes": "Mistakes it invites",
    "about": "What is said about it",
}
NOT_COUNTED = [["Instances", "none in the database yet"]]


def listing_view(listing: VersionPage, search: VersionSearch) -> dict[str, Any]:
    """A page of versions, with the search that found it."""
    first = (listing.page - 1) * PAGE
    return {
        "search": search.model_dump(mode="json") | {"page": listing.page},
        "choices": CHOICES,
        "found": listing.found,
        "pages": max(1, -(-listing.found // PAGE)),
        "place": f"{first + 1} to {first + len(listing.rows)} of {listing.found}" if listing.rows else "none",
        "rows": [row_view(one) for one in listing.rows],
    }


def row_view(one: VersionSummary) -> dict[str, Any]:
    """One version in a list, its health in four short texts."""
    return {
        "template": one.template_id,
        "version": one.version,
        "status": one.status,
        "said": SAID[one.status],
        "operation": one.operation or "",
        "tags": list(one.tags),
        "wording": one.wording or "Known from a benchmark only: its wording is not in the bank.",
        "figures": figures(one.health),
    }


def figures(health: Health | None) -> list[list[str]]:
    """Health at a glance, as (what, value)."""
    rules = [] if health is None or health.trial is None else [["Dropped by rules", _dropped(health.trial)]]
    if health is None or not health.instances:
        return rules
    return [
        ["Instances", f"{health.instances:,}"],
        ["Accuracy", percent(health.accuracy, f"over {_runs(len(health.runs))}", "no run yet")],
        ["Contests", _contests(health)],
        ["Separation", _separation(health.discrimination)],
        *rules,
    ]


def _dropped(trial: TrialSummary) -> str:
    """Of the candidates on sample patients."""
    n = sum(trial.rejected.values())
    return f"{n} of {trial.asked} tried" + ("" if trial.holds else "; the rules do not hold")


def _runs(n: int) -> str:
    return f"{n} run{'' if n == 1 else 's'}"


def percent(share: float | None, of: str, without: str) -> str:
    """`64 % over 3 runs`, or what there is instead."""
    return without if share is None else f"{100 * share:.0f} % {of}"


def _contests(health: Health) -> str:
    counts = [
        f"{n} {name}"
        for name, n in (("open", health.open), ("upheld", health.upheld), ("rejected", health.rejected))
        if n
    ]
    if not counts:
        return f"none on {health.labelled} labelled" if health.labelled else "nothing labelled yet"
    return f"{', '.join(counts)} ({percent(health.contest_rate, 'of labelled', 'none labelled')})"


def _separation(found: Discrimination) -> str:
    return found.said if found.item_total is None else f"{found.said} ({found.item_total:.2f})"


def health_view(health: Health | None, runs: Sequence[tuple[str, int, int]]) -> dict[str, Any]:
    """All that is known of a version's health."""
    if health is None:
        return {"facts": NOT_COUNTED, "runs": [], "trial": None}
    known = health.discrimination
    facts = figures(health) if health.instances else NOT_COUNTED
    if health.instances:
        facts = [
            *facts,
            ["Variants", f"{health.variants:,} of the instances"],
            ["Flagged (V7)", percent(health.flagged_share, "of those that are no variants", "none to flag")],
            ["Taken out by contests", f"{health.taken_out:,}"],
        ]
    if known.item_total is not None and known.upper_lower is not None and known.slope is not None:
        facts = [
            *facts,
            ["Item-total correlation", f"{known.item_total:.2f}, corrected, over {_runs(known.runs)}"],
            ["Upper less lower 27 %", f"{known.upper_lower:+.2f}"],
            ["Slope", f"{known.slope:.2f} in log odds per standard deviation of the rest"],
        ]
    return {
        "facts": facts,
        "runs": [
            [name, f"{right} of {asked}", f"{100 * right / asked:.0f} %"]
            for name, asked, right in sorted(runs, key=lambda one: (-one[2] / one[1], one[0]))
        ],
        "trial": None if health.trial is None else trial_view(health.trial),
        "counted": moment(health.counted_at),
    }


def trial_view(trial: TrialSummary) -> dict[str, Any]:
    """What the validity rules let pass on sample patients."""
    dropped = sum(trial.rejected.values())
    told = f"{trial.taken} taken, {trial.flagged} of them flagged; {dropped} dropped by rules."
    unfit = "" if trial.holds else " As it stands it is not fit to be used."
    return {
        "holds": trial.holds,
        "text": f"{trial.asked} questions tried on sample patients: {told}{unfit}",
        "rejected": [[rule, str(n)] for rule, n in sorted(trial.rejected.items(), key=lambda one: -one[1])],
        "faults": list(trial.faults),
    }


def version_view(one: VersionDetails) -> dict[str, Any]:
    """One version, with all that belongs to it."""
    row = row_view(one.listed)
    return {
        **row,
        "about": _about(one),
        "wording": list(one.template.wording) if one.template else [],
        "computed": computed_view(one.template),
        "asks": _asks(one.template) if one.template else [],
        "health": health_view(one.listed.health, one.runs),
        "versions": [
            {"version": step.version, "said": SAID[step.status], "when": moment(step.changed_at)}
            for step in one.versions
        ],
        "rounds": [
            {"id": r.round_id, "text": f"Round {r.number}, {r.status}, opened {moment(r.opened_at)}"}
            for r in one.rounds
        ],
        "drafts": [
            {"id": d.draft_id, "text": f"Draft, {d.status}, changed {moment(d.changed_at)}"}
            for d in one.drafts
        ],
        "origins": [
            {
                "item": o.item,
                "text": f"{o.kind} in study {o.study}" + (f": {o.code}" if o.code else ""),
            }
            for o in one.origins
        ],
        "releases": list(one.releases),
        "used": [
            *(f"{n:,} instances in benchmark {benchmark}" for benchmark, n in one.benchmarks),
            *(f"{use.labels:,} labels in study {use.study}" for use in one.uses),
        ],
        "may_retire": "retired" in NEXT[one.listed.status],
        "may_review": one.template is not None and one.listed.status != "retired",
        "may_renew": one.template is not None,
    }


def _origin(one: Origin) -> str:
    return f"{one.kind} in study {one.study}" + (f": {one.code}" if one.code else "")


def _about(one: VersionDetails) -> str:
    by = f"by {one.author}" if one.author else "came with the program or with a benchmark"
    since = f", {SAID[one.listed.status]} since {moment(one.changed_at)}" if one.changed_at else ""
    return f"Version {one.listed.version}, {by}{since}."


def _asks(template: Template) -> list[list[str]]:
    slots = [f"{name} (a {slot.kind})" for name, slot in template.slots.items()]
    givens = [f"{one.label}{f' in {one.unit}' if one.unit else ''}" for one in template.givens.values()]
    facts = [
        ["Answer", template.answer_form],
        ["Slots", ", ".join(slots) or "none"],
        *([["Givens", ", ".join(givens)]] if givens else []),
        ["Steps", str(template.steps)],
        ["Source", template.source],
    ]
    return facts


def difference_view(found: Difference) -> list[list[Any]]:
    """What a version changed, as (title, lines)."""
    parts: dict[str, list[str]] = {}
    for change in found.changes:
        parts.setdefault(PARTS[change.part], []).append(change.text())
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
    return [*map(list, parts.items()), ["Answers that change", lines]]


def _asked(one: GoldChange) -> str:
    filled = ", ".join(f"{name} {value}" for name, value in one.slots.items())
    return f"stay {one.stay_id}{f', {filled}' if filled else ''}"


def computed_view(template: Template | None) -> list[str]:
    """How the answer is worked out, and when the question is asked at all, in words."""
    if template is None:
        return []
    asked = [f"Asked only where {said(one, template)}" for one in template.requires]
    return [one[:1].upper() + one[1:] for one in (said(template.tree, template), *asked)]


def moment(at: datetime | None) -> str:
    """A time as pages write it; empty for none."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"
