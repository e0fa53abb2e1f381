"""Releases, release readiness and rescoring results as rows of text. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.bank_regression import SAID, AccuracyChange, Regression, figure_text
from clinicnum.annotations.curation.version_states import SAID as STATUS_SAID
from clinicnum.db.work.release.release_readiness import TemplateReadiness
from clinicnum.db.work.release.releases import ReleaseSummary

MOST_ROWS = 200
"""Most rows of a table on the page; its label gives their full number."""
CHANGED = (
    "The bank or the form has changed since the preview; nothing was published. "
    "Press Preview again and check what is then shown."
)
KNOWN = "This release is already published, with exactly this content."
FOR_GOOD = "A published release never changes."
EXPORT = "On the server, `clinicnum templates export FOLDER --release NAME` writes a release byte for byte."
REGRESSION = (
    "How the bank, as chosen under *Publish*, would change the scores of models that have already answered. "
    "Stored answers are scored against the new golds; no model is asked again."
)
NO_RUN = "No scored run is in the database yet."
NOT_READY = ("Template", "Version", "Status", "Reason")
REMARKS = ("Template", "Version", "Remark")
RELEASES = ("Name", "Content", "Published", "SHA-256")
EFFECTS = ("Model", "As scored", "Without removed items", "New golds", "Removed", "Reworded", "Rescored")
EFFECT_WIDTHS: list[str | int] = ["150px", "180px", "210px", "210px", "100px", "110px", "160px"]
EFFECTS_LABEL = "Accuracy without variants and flagged instances, with 95 % intervals"
CHANGES = ("Instance", "Template", "Version", "Change", "Reason")
TURNED = ("Model", "Instance", "Template", "Before", "Now", "Reason")
Rows = list[list[str]]


def template_count(count: int) -> str:
    """`1 template`, `2 templates`."""
    return f"{count} template{'' if count == 1 else 's'}"


def ready_sentence(standings: Sequence[TemplateReadiness]) -> str:
    """How many templates a release would contain, in words."""
    ready = [one for one in standings if one.ready]
    validated = sum(one.status == "validated" for one in ready)
    return f"Ready: {template_count(len(ready))}, of which {validated} validated."


def contested_templates(standings: Sequence[TemplateReadiness]) -> list[tuple[str, str]]:
    """(label, id) of the templates with open contests; each must be decided or left out before publishing."""
    return [
        (f"{one.template_id}: version {one.version} has {one.why}", one.template_id)
        for one in standings
        if one.blocks
    ]


def count_not_ready(standings: Sequence[TemplateReadiness]) -> int:
    """The number of templates that would not be in a release."""
    return sum(not one.ready and not one.blocks for one in standings)


def not_ready_rows(standings: Sequence[TemplateReadiness]) -> Rows:
    """Rows for NOT_READY, at most MOST_ROWS: templates that would not be in a release, with the reason."""
    out = [one for one in standings if not one.ready and not one.blocks]
    return [[one.template_id, str(one.version), STATUS_SAID[one.status], one.why] for one in out[:MOST_ROWS]]


def remark_rows(standings: Sequence[TemplateReadiness]) -> Rows:
    """Rows for REMARKS, at most MOST_ROWS: templates that are ready in this version while a newer version is
    not, with the reason.
    """
    remarked = [one for one in standings if one.ready and one.why]
    return [[one.template_id, str(one.version), one.why] for one in remarked[:MOST_ROWS]]


def release_rows(releases: Sequence[ReleaseSummary]) -> Rows:
    """Rows for RELEASES, one per published release."""
    return [
        [
            one.name,
            f"{template_count(one.templates)}, {one.validated} validated"
            + (f"; follows {one.before}" if one.before else ""),
            f"{one.created_at:%Y-%m-%d %H:%M} UTC" + (f", dated {one.date}" if one.date else ""),
            one.sha256,
        ]
        for one in releases
    ]


def preview_heading(name: str, count: int, files: int) -> str:
    """The preview's heading. Needs no escaping, as release names allow few characters."""
    return f"### Preview of {name}\n\n{template_count(count)} in {files} files."


def published_message(name: str, count: int, known: bool) -> str:
    """The message after publishing a release."""
    again = f" {KNOWN}" if known else ""
    return f"Release {name} is published, with {template_count(count)}.{again}"


def regression_summary(found: Regression) -> str:
    """How many instances change, and in which way."""
    return "\n".join(f"- {count} {SAID[kind]}" for kind, count in found.kinds.items())  # type: ignore[index]


def effect_rows(found: Regression) -> Rows:
    """Rows for EFFECTS, one per model."""
    return [_effect(one) for one in found.effects]


def _effect(one: AccuracyChange) -> list[str]:
    return [
        one.model,
        figure_text(one.before),
        figure_text(one.without_removed),
        figure_text(one.after),
        str(one.removed),
        str(one.reworded),
        f"{one.turned_right} to right, {one.turned_wrong} to wrong",
    ]


def change_rows(found: Regression) -> Rows:
    """Rows for CHANGES: the first instances that change."""
    return [
        [
            one.instance_id,
            one.template_id,
            f"{one.version} → {'–' if one.version_now is None else one.version_now}",
            SAID[one.kind],
            one.why,
        ]
        for one in found.changes[:MOST_ROWS]
    ]


def score_change_rows(found: Regression) -> Rows:
    """Rows for TURNED: the first answers whose score changes."""
    return [
        [one.model, one.instance_id, one.template_id, one.was, one.now, one.why]
        for one in found.flips[:MOST_ROWS]
    ]
