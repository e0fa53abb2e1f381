"""The releases page: preview and publish a release, list what is not ready, rescore stored runs."""

from functools import partial
from typing import Annotated, Any

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.release import bank_regression, releases, template_readiness
from clinicnum.db.work.release.releases import ReleaseOptions
from clinicnum.errors import Conflict, InputError
from clinicnum.release.make import LICENCE
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    Outputs,
    data_table,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.releases import view

Names = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=5000)]
BENCHMARK = 200
"""Most characters of a benchmark id."""


class ReleaseForm(Frozen):
    """The form's values, in the order of the page's fields."""

    name: str = Field(default="", max_length=64)
    date: str = Field(default="", max_length=10)
    notes: str = Field(default="", max_length=5_000)
    licence: str = Field(default=LICENCE, max_length=100)
    authors: str = Field(default="", max_length=1_000)
    """Names of the authors, separated by semicolons."""
    include_unreviewed: bool = False
    leave_out: Names = ()

    def options(self) -> ReleaseOptions:
        """The release options that the form describes."""
        return ReleaseOptions(
            name=self.name.strip(),
            notes=self.notes,
            date=self.date.strip() or None,
            include_unreviewed=self.include_unreviewed,
            leave_out=self.leave_out,
            licence=self.licence.strip() or LICENCE,
            authors=tuple(one.strip() for one in self.authors.split(";") if one.strip()),
        )


def _form(values: tuple[object, ...]) -> ReleaseForm:
    return validated(ReleaseForm, **dict(zip(ReleaseForm.model_fields, values, strict=True)))


class ReleasesHandlers:
    """The page's events; the authorization middleware has already checked the right.

    Not async, so that comparing golds and rescoring stored runs happen in a worker thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> Outputs:
        """Show templates ready for release, published releases, and benchmarks with scored runs."""
        with self.store.reading() as session:
            benchmarks = list(bank_regression.scored_benchmarks(session))
        return "", *self._ready(ReleaseForm()), self._published(), _benchmarks(benchmarks)

    def include(self, include_unreviewed: object, leave_out: object) -> Outputs:
        """Update the readiness list after including or excluding unreviewed templates."""
        return "", *self._ready(
            validated(ReleaseForm, include_unreviewed=include_unreviewed, leave_out=leave_out)
        )

    def preview(self, *values: object) -> Outputs:
        """Preview the release; nothing is written."""
        form = _form(values)
        with self.store.reading() as session:
            planned = releases.plan_release(session, form.options())
        said = success_message(_(view.KNOWN)) if planned.known else ""
        manifest = planned.manifest
        return (
            said,
            gr.update(visible=True),
            view.preview_heading(manifest.name, len(manifest.templates), len(planned.files)),
            manifest.sha256,
            planned.changelog,
        )

    def publish(
        self,
        sha256: object,
        name: object,
        date: object,
        notes: object,
        licence: object,
        authors: object,
        include_unreviewed: object,
        leave_out: object,
        request: gr.Request,
    ) -> Outputs:
        """Publish the release; refused if it differs from the preview."""
        form = _form((name, date, notes, licence, authors, include_unreviewed, leave_out))
        with self.store.reading() as session:
            made = releases.plan_release(session, form.options())
        if made.manifest.sha256 != sha256:
            raise Conflict(view.CHANGED)
        with self.store.writing() as session:
            releases.publish(session, made, actor=str(request.username))
        said = success_message(
            view.published_message(made.manifest.name, len(made.manifest.templates), made.known)
        )
        return said, gr.update(visible=False), *self._ready(form), self._published()

    def regress(self, benchmark: object, include_unreviewed: object, leave_out: object) -> Outputs:
        """Rescore stored answers against the golds of the selected bank, and show what changes."""
        form = validated(ReleaseForm, include_unreviewed=include_unreviewed, leave_out=leave_out)
        if not isinstance(benchmark, str) or not 0 < len(benchmark) <= BENCHMARK:
            raise InputError(Translatable("Choose a benchmark first."))
        with self.store.reading() as session:
            bank = releases.ready_templates(session, form.options())
            found = bank_regression.regress_stored(session, bank, benchmark_id=benchmark)
        changes, turned = view.change_rows(found), view.score_change_rows(found)
        return (
            "",
            gr.update(value=view.regression_summary(found), visible=True),
            gr.update(value=view.effect_rows(found), visible=True),
            _table(changes, _("Instances that change: {n}", n=len(found.changes)), len(found.changes)),
            _table(turned, _("Answers scored differently: {n}", n=len(found.flips)), len(found.flips)),
        )

    def _ready(self, form: ReleaseForm) -> tuple[Any, ...]:
        """Values for the summary, the contested templates, the templates not ready, and the remarks."""
        with self.store.reading() as session:
            found = template_readiness.template_readiness(session, include_unreviewed=form.include_unreviewed)
        blocked = view.contested_templates(found)
        known = [name for label, name in blocked]
        left_out = [name for name in form.leave_out if name in known]
        rows = view.not_ready_rows(found)
        remarks = view.remark_rows(found)
        return (
            view.ready_sentence(found),
            gr.update(choices=blocked, value=left_out, visible=bool(blocked)),
            _table(rows, view.not_ready_label(found), len(rows)),
            _table(remarks, _("In the release, with a remark"), len(remarks)),
        )

    def _published(self) -> Any:
        with self.store.reading() as session:
            rows = view.release_rows(releases.list_releases(session))
        return gr.update(value=rows, label=_("Newest first"), visible=bool(rows))


def _table(rows: list[list[str]], label: str, count: int) -> Any:
    """A table update, hidden without rows; the label says so if `rows` are only the first of `count`."""
    if len(rows) < count:
        label = _("{label}, the first {n} of them", label=label, n=len(rows))
    return gr.update(value=rows, label=label, visible=bool(rows))


def _benchmarks(found: list[str]) -> Any:
    info = _(view.NO_RUN) if not found else None
    return gr.update(choices=found, value=found[0] if found else None, info=info)


def build_releases(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    handlers = ReleasesHandlers(store)
    with gradio_page(_("Releases"), "/releases", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        with gr.Tab(_("Publish")):
            ready = gr.Markdown(elem_id="ready")
            fields = _publish_form()
            include, leave_out = fields[-2:]
            preview = gr.Button(_("Preview"), variant="primary")
            with gr.Column(visible=False, elem_id="preview") as shown:
                heading = gr.Markdown()
                sha256 = gr.Textbox(label="SHA-256", interactive=False)
                changelog = gr.Textbox(label=_("Changelog"), interactive=False, lines=12, max_lines=24)
                publish = gr.Button(_("Publish"))
                gr.Markdown(_(view.FOR_GOOD))
        with gr.Tab(_("Not ready")):
            not_ready = data_table(view.NOT_READY, explains=None)
            remarks = data_table(view.REMARKS, explains=None)
        with gr.Tab(_("Published")):
            gr.Markdown(_(view.ABOUT_RELEASES), elem_classes="cn-hint")
            published = data_table(view.RELEASES, explains=None)
            gr.Markdown(_(view.EXPORT))
        with gr.Tab(_("Regression on stored runs")):
            gr.Markdown(_(view.REGRESSION))
            benchmark = gr.Dropdown([], label=_("Benchmark"))
            run = gr.Button(_("Evaluate the bank"), variant="primary")
            summary = gr.Markdown(visible=False)
            effects = data_table(
                view.EFFECTS,
                label=_(view.EFFECTS_LABEL),
                visible=False,
                column_widths=view.EFFECT_WIDTHS,
                explains="bank_regression",
            )
            changes = data_table(view.CHANGES, visible=False, explains=None)
            turned = data_table(view.TURNED, visible=False, explains=None)
        readiness = [ready, leave_out, not_ready, remarks]
        on(page.load, handlers.load, outputs=[*readiness, published, benchmark])
        on(include.input, handlers.include, [include, leave_out], readiness)
        on(preview.click, handlers.preview, fields, [shown, heading, sha256, changelog])
        on(publish.click, handlers.publish, [sha256, *fields], [shown, *readiness, published])
        regression_tables = [summary, effects, changes, turned]
        on(run.click, handlers.regress, [benchmark, include, leave_out], regression_tables)
    return page


def _publish_form() -> list[gr.components.Component]:
    """Create the components for `Form`'s fields, in its order."""
    with gr.Row():
        name = gr.Textbox(label=_("Name"), info=_("Such as {example}", example="ward-2026.1"), max_length=64)
        date = gr.Textbox(label=_("Date"), info=_("YYYY-MM-DD, optional"), max_length=10)
    notes = gr.Textbox(
        label=_("Notes"), info=_("Why it is made; they open the changelog."), lines=3, max_length=5_000
    )
    with gr.Accordion(_("Licence and authors"), open=False), gr.Row():
        licence = gr.Textbox(LICENCE, label=_("Licence"), info=_("SPDX identifier"), max_length=100)
        authors = gr.Textbox(label=_("Authors"), info=_("Separated by semicolons"), max_length=1_000)
    include = gr.Checkbox(label=_("Include unreviewed templates, marked as such"))
    leave_out = gr.CheckboxGroup(
        [],
        label=_("Leave out"),
        info=_("Each has an open contest: leave it out, or decide the contest first."),
        visible=False,
    )
    return [name, date, notes, licence, authors, include, leave_out]
