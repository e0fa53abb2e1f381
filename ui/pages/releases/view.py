"""Releases, what is ready for one, its preview, and a regression, as plain dicts. No Gradio, no database."""

from collections.abc import Sequence
from typing import Any

from clinicnum.annotations.curation.regression import SAID, AccuracyChange, Regression, figure_text
from clinicnum.annotations.curation.version_states import SAID as STATUS_SAID
from clinicnum.db.work.release.release_readiness import TemplateReadiness
from clinicnum.db.work.release.releases import PlannedRelease, ReleaseSummary

MOST_ROWS = 200
"""Of a table on the page; how many there are is said."""


def releases_view(releases: Sequence[ReleaseSummary]) -> list[dict[str, Any]]:
    """The published releases, one dict each."""
    return [
        {
            "name": one.name,
            "sha256": one.sha256,
            "about": f"{templates(one.templates)}, {one.validated} validated"
            + (f"; follows {one.before}" if one.before else ""),
            "created": f"{one.created_at:%Y-%m-%d %H:%M} UTC" + (f", dated {one.date}" if one.date else ""),
        }
        for one in releases
    ]


def standings_view(standings: Sequence[TemplateReadiness], left_out: Sequence[str]) -> dict[str, Any]:
    """What a release would hold, and what not and why; what blocks one stands apart."""
    blocking = [one for one in standings if one.blocks]
    out = [one for one in standings if not one.ready and not one.blocks]
    ready = [one for one in standings if one.ready]
    validated = sum(one.status == "validated" for one in ready)
    rows = [[one.template_id, str(one.version), STATUS_SAID[one.status], one.why] for one in out]
    return {
        "ready": f"Ready: {templates(len(ready))}, of which {validated} validated.",
        "notes": [f"{one.template_id} version {one.version} is in; {one.why}" for one in ready if one.why][
            :MOST_ROWS
        ],
        "blocking": [
            {
                "id": one.template_id,
                "why": f"version {one.version} has {one.why}",
                "out": one.template_id in left_out,
            }
            for one in blocking
        ],
        "out": rows[:MOST_ROWS],
        "caption": f"Not ready: {templates(len(out))}" + _cut(len(out)),
    }


def templates(count: int) -> str:
    """`1 template`, `2 templates`."""
    return f"{count} template{'' if count == 1 else 's'}"


def _cut(count: int) -> str:
    return f", the first {MOST_ROWS} of them" if count > MOST_ROWS else ""


def plan_view(planned: PlannedRelease) -> dict[str, Any]:
    """A release as it would be."""
    manifest = planned.manifest
    return {
        "name": manifest.name,
        "sha256": manifest.sha256,
        "known": planned.known,
        "facts": f"{templates(len(manifest.templates))} in {len(planned.files)} files; "
        f"sha256 {manifest.sha256}",
        "changelog": planned.changelog,
    }


def regression_view(found: Regression) -> dict[str, Any]:
    """A regression as rows of text."""
    changes = [
        [
            one.instance_id,
            one.template_id,
            f"{one.version} → {'–' if one.version_now is None else one.version_now}",
            SAID[one.kind],
            one.why,
        ]
        for one in found.changes
    ]
    flips = [[one.model, one.instance_id, one.template_id, one.was, one.now, one.why] for one in found.flips]
    return {
        "benchmark": found.benchmark_id,
        "kinds": [f"{count} {SAID[kind]}" for kind, count in found.kinds.items()],  # type: ignore[index]
        "effects": [_effect(one) for one in found.effects],
        "changes": changes[:MOST_ROWS],
        "changes_caption": f"Instances that change: {len(changes)}{_cut(len(changes))}",
        "flips": flips[:MOST_ROWS],
        "flips_caption": f"Answers that turn: {len(flips)}{_cut(len(flips))}",
    }


def _effect(one: AccuracyChange) -> list[str]:
    return [
        one.model,
        figure_text(one.before),
        figure_text(one.without_removed),
        figure_text(one.after),
        str(one.removed),
        str(one.reworded),
        f"{one.turned_right} right, {one.turned_wrong} wrong",
    ]
