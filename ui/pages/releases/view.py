"""Releases, release readiness and rescoring results as rows of text. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.bank_regression import SAID, AccuracyChange, Regression, figure_text
from clinicnum.annotations.curation.template_version_states import SAID as STATUS_SAID
from clinicnum.db.work.release.releases import ReleaseSummary
from clinicnum.db.work.release.template_readiness import TemplateReadiness
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import bullets
from clinicnum.ui.components.value_display_names import word

MOST_ROWS = 200
"""Most rows of a table on the page; its label gives their full number."""
CHANGED = Translatable(
    "The bank or the form has changed since the preview; nothing was published. "
    "Press Preview again and check what is then shown."
)
KNOWN = Translatable("This release is already published, with exactly this content.")
FOR_GOOD = Translatable("A published release never changes.")
EXPORT = Translatable(
    "On the server, `clinicnum templates export FOLDER --release NAME` writes a release byte for byte."
)
REGRESSION = Translatable(
    "How the bank, as chosen under *Publish*, would change the scores of models that have already answered. "
    "Stored answers are scored against the new golds; no model is asked again."
)
NO_RUN = Translatable("No scored run is in the database yet. Launch one on the page Runs.")
ABOUT_RELEASES = Translatable(
    "A release is a named set of templates that never changes, for others to cite and use. What is published "
    "on the tab Publish is listed here."
)
NOT_READY = (
    Translatable("Template"),
    Translatable("Version"),
    Translatable("Status"),
    Translatable("Reason"),
)
REMARKS = (Translatable("Template"), Translatable("Version"), Translatable("Remark"))
RELEASES = (Translatable("Name"), Translatable("Content"), Translatable("Published"), "SHA-256")
EFFECTS = (
    Translatable("Model"),
    Translatable("As scored"),
    Translatable("Without removed items"),
    Translatable("New golds"),
    Translatable("Removed"),
    Translatable("Reworded"),
    Translatable("Rescored"),
)
EFFECT_WIDTHS: list[str | int] = ["150px", "180px", "210px", "210px", "100px", "110px", "160px"]
EFFECTS_LABEL = Translatable("Accuracy without variants and flagged instances, with 95 % intervals")
CHANGES = (
    Translatable("Instance"),
    Translatable("Template"),
    Translatable("Version"),
    Translatable("Change"),
    Translatable("Reason"),
)
TURNED = (
    Translatable("Model"),
    Translatable("Instance"),
    Translatable("Template"),
    Translatable("Before"),
    Translatable("Now"),
    Translatable("Reason"),
)
Rows = list[list[str]]


def template_count(count: int) -> str:
    """A number of templates in words, such as `1 template` or `2 templates`."""
    return ngettext("{n} template", "{n} templates", count)


def ready_sentence(standings: Sequence[TemplateReadiness]) -> str:
    """How many templates a release would contain, in words."""
    ready = [one for one in standings if one.ready]
    validated = sum(one.status == "validated" for one in ready)
    return _("Ready: {templates}, of which {n} validated.", templates=template_count(len(ready)), n=validated)


def contested_templates(standings: Sequence[TemplateReadiness]) -> list[tuple[str, str]]:
    """(label, id) of the templates with open contests; each must be decided or left out before publishing."""
    return [
        (
            _(
                "{template}: version {version} has {why}",
                template=one.template_id,
                version=one.version,
                why=one.why,
            ),
            one.template_id,
        )
        for one in standings
        if one.blocks
    ]


def count_not_ready(standings: Sequence[TemplateReadiness]) -> int:
    """The number of templates that would not be in a release."""
    return sum(not one.ready and not one.blocks for one in standings)


def not_ready_label(standings: Sequence[TemplateReadiness]) -> str:
    """The heading of the table of NOT_READY."""
    return _("Not ready: {templates}", templates=template_count(count_not_ready(standings)))


def not_ready_rows(standings: Sequence[TemplateReadiness]) -> Rows:
    """Rows for NOT_READY, at most MOST_ROWS: templates that would not be in a release, with the reason."""
    out = [one for one in standings if not one.ready and not one.blocks]
    return [
        [one.template_id, str(one.version), _(STATUS_SAID[one.status]), _(one.why)] for one in out[:MOST_ROWS]
    ]


def remark_rows(standings: Sequence[TemplateReadiness]) -> Rows:
    """Rows for REMARKS, at most MOST_ROWS: templates that are ready in this version while a newer version is
    not, with the reason.
    """
    remarked = [one for one in standings if one.ready and one.why]
    return [[one.template_id, str(one.version), _(one.why)] for one in remarked[:MOST_ROWS]]


def release_rows(releases: Sequence[ReleaseSummary]) -> Rows:
    """Rows for RELEASES, one per published release."""
    return [[one.name, _content(one), _published(one), one.sha256] for one in releases]


def _content(one: ReleaseSummary) -> str:
    templates = template_count(one.templates)
    if not one.before:
        return _("{templates}, {n} validated", templates=templates, n=one.validated)
    return _(
        "{templates}, {n} validated; follows {before}",
        templates=templates,
        n=one.validated,
        before=one.before,
    )


def _published(one: ReleaseSummary) -> str:
    time = f"{one.created_at:%Y-%m-%d %H:%M} UTC"
    return _("{time}, dated {date}", time=time, date=one.date) if one.date else time


def preview_heading(name: str, count: int, files: int) -> str:
    """The preview's heading. Needs no escaping, as release names allow few characters."""
    heading = _("Preview of {name}", name=name)
    content = _("{templates} in {n} files.", templates=template_count(count), n=files)
    return f"### {heading}\n\n{content}"


def published_message(name: str, count: int, known: bool) -> str:
    """The message after publishing a release; `known`: whether it had been published before."""
    said = _("Release {name} is published, with {templates}.", name=name, templates=template_count(count))
    return f"{said} {_(KNOWN)}" if known else said


def regression_summary(found: Regression) -> str:
    """How many instances change, and in which way, as a Markdown list."""
    lines = (
        _("{n} {change}", n=count, change=SAID[kind])  # type: ignore[index]
        for kind, count in found.kinds.items()
    )
    return bullets(lines)


def effect_rows(found: Regression) -> Rows:
    """Rows for EFFECTS, one per model."""
    return [_effect(one) for one in found.effects]


def _effect(one: AccuracyChange) -> list[str]:
    return [
        one.model,
        _(figure_text(one.before)),
        _(figure_text(one.without_removed)),
        _(figure_text(one.after)),
        str(one.removed),
        str(one.reworded),
        _("{right} to right, {wrong} to wrong", right=one.turned_right, wrong=one.turned_wrong),
    ]


def change_rows(found: Regression) -> Rows:
    """Rows for CHANGES: the first instances that change."""
    return [
        [
            one.instance_id,
            one.template_id,
            f"{one.version} → {'–' if one.version_now is None else one.version_now}",
            _(SAID[one.kind]),
            _(one.why),
        ]
        for one in found.changes[:MOST_ROWS]
    ]


def score_change_rows(found: Regression) -> Rows:
    """Rows for TURNED: the first answers whose score changes."""
    return [
        [one.model, one.instance_id, one.template_id, word(one.was), word(one.now), _(one.why)]
        for one in found.flips[:MOST_ROWS]
    ]
