"""The details panel of a template version on the bank page: its components and their values."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.bank_page_types import Origin, VersionDetails
from clinicnum.annotations.curation.template_version_states import NEXT
from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import bullets, link
from clinicnum.ui.components.value_display_names import word
from clinicnum.ui.pages.bank import statistics_view, view


@dataclass(frozen=True)
class DetailsPanel:
    """The panel's components."""

    panel: gr.Column
    heading: gr.Markdown
    facts: gr.Dataframe
    begin: gr.Button
    attempt: gr.Button
    retirement: gr.Accordion
    reason: gr.Textbox
    retire: gr.Button
    statistics: gr.Dataframe
    runs: gr.Dataframe
    trial: gr.Textbox
    rejected: gr.Dataframe
    versions: gr.Dataframe
    before: gr.Dropdown
    changes: gr.Dataframe
    related: gr.Markdown
    used: gr.Dataframe

    def outputs(self) -> list[Any]:
        """The components in the order of the values that `details_values` returns."""
        buttons = [self.begin, self.attempt, self.retirement, self.reason]
        statistics = [self.statistics, self.runs, self.trial, self.rejected]
        versions = [self.versions, self.before, self.changes]
        return [
            self.panel,
            self.heading,
            self.facts,
            *buttons,
            *statistics,
            *versions,
            self.related,
            self.used,
        ]


def details_panel() -> DetailsPanel:
    """Create the components, hidden until a version is chosen."""
    with gr.Column(visible=False, elem_id="version") as panel:
        heading = gr.Markdown()
        with gr.Row():
            begin = gr.Button(_("New version"), variant="primary")
            attempt = gr.Button(_("Try on sample patients"))
        with gr.Tab(_("Template")):
            facts = data_table(view.FACTS, column_widths=["30%", "70%"], explains=None)
            with gr.Accordion(_("Retire"), open=False) as retirement:
                gr.Markdown(_(view.RETIRE))
                reason = gr.Textbox(
                    label=_("Reason"), info=_("Kept in the audit log."), max_length=2000, lines=2
                )
                retire = gr.Button(_("Retire for good"), variant="stop")
        with gr.Tab(_("Statistics")):
            statistics = data_table(view.FACTS, column_widths=["30%", "70%"], explains="item_statistics")
            runs = data_table(view.RUNS, label=_("Accuracy by model"), explains="accuracy_by_kind")
            trial = gr.Textbox(label=_("Trial on sample patients"), interactive=False, lines=1, max_lines=12)
            rejected = data_table(view.REJECTED, explains="rejected_candidates")
            gr.Markdown(_(view.NOT_COUNTED))
        with gr.Tab(_("Versions")):
            versions = data_table(view.VERSIONS, explains=None)
            before = gr.Dropdown([], label=_("Compare with version"))
            changes = data_table(
                view.CHANGES, visible=False, column_widths=["30%", "70%"], elem_id="changes", explains=None
            )
        with gr.Tab(_("Related")):
            related = gr.Markdown()
            used = data_table((_("Used by"),), explains=None)
    return DetailsPanel(
        *(panel, heading, facts, begin, attempt, retirement, reason, retire),
        *(statistics, runs, trial, rejected, versions, before, changes, related, used),
    )


def details_values(one: VersionDetails | None) -> tuple[Any, ...]:
    """Values of `DetailsPanel.outputs` for a version; None hides the panel."""
    if one is None:
        return gr.update(visible=False), *[gr.skip()] * 15
    listed, whole = one.listed, one.template is not None
    named = listed.template_id, listed.version
    found = listed.health
    trial = None if found is None else found.trial
    runs, rejected, used = (
        statistics_view.run_rows(one.runs),
        statistics_view.rejected_rows(trial),
        view.used_by(one),
    )
    older = [str(step.version) for step in one.versions if step.version < listed.version]
    return (
        gr.update(visible=True),
        f"## {link(view.version_title(*named), '/bank/', template=named[0], version=named[1])}",
        view.fact_rows(one),
        gr.update(visible=whole),
        gr.update(visible=whole),
        gr.update(visible="retired" in NEXT[listed.status], open=False),
        "",
        statistics_view.statistics_rows(found),
        gr.update(value=runs, visible=bool(runs)),
        statistics_view.trial_text(trial),
        gr.update(value=rejected, visible=bool(rejected)),
        view.version_rows(one),
        gr.update(choices=older, value=None, visible=bool(older)),
        gr.update(visible=False),
        _related(one),
        gr.update(value=[[line] for line in used], visible=bool(used)),
    )


def _related(one: VersionDetails) -> str:
    """Links to pages related to a version."""
    named: dict[str, object] = {"template": one.listed.template_id}
    lines = [link(_("Its failures"), "/failures/", **named)]
    if one.template is not None and one.listed.status != "retired":
        lines.append(link(_("Review this version"), "/rounds/", **named, version=one.listed.version))
    lines += [
        link(
            _origin(origin),
            "/failures/",
            failure=origin.item,
        )
        for origin in one.origins
    ]
    lines += [
        link(
            _(
                "Draft, {status}, changed {time}",
                status=word(draft.status),
                time=statistics_view.time_text(draft.changed_at),
            ),
            "/draft/",
            draft=draft.draft_id,
        )
        for draft in one.drafts
    ]
    lines += [
        link(
            _(
                "Review round {number}, {status}, opened {time}",
                number=r.number,
                status=word(r.status),
                time=statistics_view.time_text(r.opened_at),
            ),
            "/rounds/",
            round=r.round_id,
        )
        for r in one.rounds
    ]
    lines += [link(_("Release {name}", name=name), "/releases/") for name in one.releases]
    return bullets(lines)


def _origin(one: Origin) -> str:
    facts = {"kind": word(one.kind), "study": one.study}
    if one.code:
        return _("Failure: {kind} in study {study}, {code}", **facts, code=one.code)
    return _("Failure: {kind} in study {study}", **facts)
