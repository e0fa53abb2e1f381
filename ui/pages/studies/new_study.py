"""The new-study form: preview the sample that a design draws, then open exactly that study."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from clinicnum.annotations.custom_fields import check_keys
from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.annotations.study_deadline import read_deadline, today
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.runs.launch_run import runnable_benchmarks
from clinicnum.db.work.studies import study_planning
from clinicnum.db.work.studies.study_name import new_study_name
from clinicnum.db.work.studies.study_progress import list_progress
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import content_id
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import (
    Outputs,
    bring_into_view,
    error_message,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.upload_field import listen_for_upload
from clinicnum.ui.pages.studies import new_study_view as view
from clinicnum.ui.pages.studies.new_study_criteria import CriteriaFields, CriteriaHandlers
from clinicnum.ui.pages.studies.new_study_fields import study_fields
from clinicnum.ui.pages.studies.new_study_values import StudyForm
from clinicnum.ui.pages.studies.study_preview_view import preview_view

NEW = "new"
"""The id of the form's tab, and the `part` of an address that opens it."""
PREVIEW = "study-preview"
"""Id of the area below the button: a message, the preview, and the button that opens the study."""
NOT_IN_DRAFT = ("slice", "criteria_upload")
"""Fields that the form takes from the address or from a file."""
SLICE = ("runs", "where", "search")
"""Parameters of the address that name a slice."""


class NewStudyHandlers:
    """The form's events. Not async, so that drawing large samples runs in a worker thread."""

    def __init__(
        self,
        store: Store,
        explorer: Explorer,
        fields: tuple[str, ...],
        board: Callable[[str], Outputs],
        criteria: CriteriaHandlers,
    ) -> None:
        self.store = store
        self.criteria = criteria
        self.explorer = explorer
        self.fields = fields
        self.board = board

    def load_choices(self, request: gr.Request) -> Outputs:
        """Show the available runs and annotators, or what is missing before a study can be created; and the
        run or the slice that the address names.
        """
        with self.store.reading() as session:
            people, studies = users.list_users(session), list_progress(session)
            stored = runnable_benchmarks(session, user_id=str(request.username))
            names = {one.benchmark_id: one.name for one in stored}
            runs = view.run_choices(stored_runs.list_runs(session), names)
        annotators = view.annotator_choices(people)
        lacks = "" if runs and annotators else view.no_annotator() if runs else view.no_run()
        likely = view.likely_annotators(people)
        usual = view.likely_overlap(likely)
        slice_, chosen, note = self._slice(request)
        asked, wanted = request.query_params.get("run"), request.query_params.get("part") == NEW
        known = [key for _label, key in runs]
        if asked in known or len(known) == 1:
            chosen = chosen or [asked if asked in known else known[0]]
        return (
            "",
            gr.update(value=lacks, visible=bool(lacks)),
            gr.update(visible=not lacks),
            gr.update(choices=runs, value=chosen),
            gr.update(choices=annotators, value=likely),
            usual,
            usual,
            gr.update(choices=view.reference_choices(studies), value=""),
            view.proposed_name([one.name for one in studies]),
            slice_,
            note,
            gr.Tabs(selected=NEW) if slice_ or asked in known or wanted else gr.skip(),
        )

    def _slice(self, request: gr.Request) -> tuple[str, list[str], str]:
        """The slice in the address, the runs whose answers it holds, and a note on it; empty without one."""
        given = dict(request.query_params)
        if not given.get("runs"):
            return "", [], ""
        slice_ = urlencode({key: given.get(key, "") for key in SLICE})
        try:
            asked = validated(StudyForm, slice=slice_).slice_query() or SliceQuery()
            with self.store.reading() as session:
                runs = self.explorer.answers_by_run(session, user_id=str(request.username), query=asked)
        except ClinicnumError as error:
            return "", [], error_message(error)
        return slice_, list(runs), view.slice_note(asked.words(), sum(runs.values()))

    def people_changed(self, chosen: object, overlap: object, usual: object) -> Outputs:
        """Adapt the overlap to the chosen annotators: keep it at the default, or, once a user has set it, at
        most their number.

        `usual` is the default shown last. The third value returned is the next default, 0 once another
        overlap was set.
        """
        form = validated(StudyForm, annotators=chosen, overlap=overlap)
        if form.overlap == usual:
            likely = view.likely_overlap(form.annotators)
            return "", likely, likely
        return "", min(form.overlap, len(form.annotators) or form.overlap), 0

    def preview(self, request: gr.Request, *values: object) -> Outputs:
        """Preview the study's sample and workload; nothing is written."""
        form = self._form(values)
        with self.store.reading() as session:
            name = new_study_name(session, form.name)
        read_deadline(form.deadline, now=today())
        planned = self._plan(form, study_planning.new_seed(), str(request.username))
        criteria = self.criteria.criteria(form, planned.material.instances, str(request.username))
        check_keys(planned.design.fields, load_taxonomy(), criteria=bool(criteria))
        planned.design.check_criteria(given=bool(criteria))
        found = planned.preview(seconds_an_item=form.seconds_an_item)
        fingerprint = f"{planned.seed} {sample_fingerprint(form)} {left_out_fingerprint(planned)}"
        named = planned.model_in_name(name)
        warned = note(_(named), "warn") if named else ""
        taken = "" if form.size or values[self.fields.index("size")] == 0 else view.all_taken(found.drawn)
        return "", gr.update(visible=True), f"{warned}{taken}{preview_view(found)}", fingerprint

    def create(self, request: gr.Request, previewed: object, *values: object) -> Outputs:
        """Open the previewed study and show it on the board.

        Raises InputError if the form changed since, or more instances were invalidated.
        """
        form = self._form(values)
        seed, drawn, left_out = (*str(previewed).split(" "), "", "")[:3]
        if not seed or drawn != sample_fingerprint(form):
            raise InputError(view.CHANGED)
        planned = self._plan(
            validated(StudyForm, **{**form.model_dump(), "seed": seed}), seed, str(request.username)
        )
        if left_out != left_out_fingerprint(planned):
            raise InputError(view.UPHELD_SINCE)
        criteria = self.criteria.criteria(form, planned.material.instances, str(request.username))
        with self.store.writing() as session:
            made = study_planning.open_planned(
                session,
                planned,
                name=form.name,
                taxonomy=load_taxonomy(),
                guideline=form.guideline,
                criteria=criteria,
                deadline=read_deadline(form.deadline, now=today()),
                actor=str(request.username),
            )
        said = view.opened(
            made,
            left_out=planned.left_out,
            address=f"{request.headers.get('origin', '')}/annotate/",
            has_deadline=bool(form.deadline.strip()),
        )
        return said, gr.update(visible=False), "", "", *self.board(made.name)

    def _form(self, values: tuple[object, ...]) -> StudyForm:
        named: dict[str, Any] = dict(zip(self.fields, values, strict=True))
        if isinstance(named["templates"], str):
            named["templates"] = [one.strip() for one in named["templates"].split(",") if one.strip()]
        empty = {name: named[name] or None for name in ("size", "qualifying", "references_from")}
        return validated(StudyForm, **{**named, **empty})

    def _plan(self, form: StudyForm, seed: str, user_id: str) -> study_planning.PlannedStudy:
        """Draw the sample before opening the write transaction, so that annotators are not blocked."""
        asked = form.slice_query()
        with self.store.reading() as session:
            keys = None if asked is None else self.explorer.keys(session, user_id=user_id, query=asked)
            return study_planning.plan_stored(
                session,
                runs=form.runs,
                annotators=form.annotators,
                design=form.design(),
                seed=seed,
                references_from=form.references_from,
                drawable=keys,
            )


def sample_fingerprint(form: StudyForm) -> str:
    """A fingerprint of the form's fields that determine the sample."""
    return content_id(form.model_dump(mode="json", exclude={"name", "guideline", "deadline", "seed"}))


def left_out_fingerprint(planned: study_planning.PlannedStudy) -> str:
    """A fingerprint of the invalidated instances, which are not drawn."""
    return content_id(sorted(planned.material.invalidated))


class NewStudyForm:
    """The form's components and its preview."""

    def __init__(self, store: Store, explorer: Explorer, uploads: Uploads, tabs: gr.Tabs) -> None:
        self.store, self.explorer, self.uploads, self.tabs = store, explorer, uploads, tabs
        self.lacks = gr.Markdown(visible=False)
        self.draft = FormDraft("study", tabs, NEW)
        with gr.Column(visible=False) as self.form:
            self.slice_note = gr.HTML(apply_default_css=False)
            fields = study_fields()
            self.criteria = CriteriaFields(uploads)
            self.fields = {**fields, **self.criteria.fields}
            self.preview = gr.Button(_("Preview: what will happen"), variant="primary")
        with gr.Column(elem_id=PREVIEW):
            self.status = status_line()
            with gr.Column(visible=False) as self.previewed:
                self.facts = gr.HTML(apply_default_css=False)
                self.create = gr.Button(_("Open the study"), variant="primary")
        self.drawn = gr.Textbox("", visible=False, label="Previewed")
        self.usual = gr.Number(0, visible=False, label="Default overlap", precision=0)

    def listen(
        self,
        page: gr.Blocks,
        board: Callable[[str], Outputs],
        outputs: list[gr.components.Component],
    ) -> None:
        """Register the handlers; `board` returns the values of `outputs` that show the new study."""
        fields, values = self.fields, list(self.fields.values())
        criteria = CriteriaHandlers(self.uploads)
        handlers = NewStudyHandlers(self.store, self.explorer, tuple(fields), board, criteria)
        on = partial(listen, status=self.status)
        people = [fields["annotators"], fields["overlap"]]
        choices = [self.lacks, self.form, fields["runs"], *people, self.usual, fields["references_from"]]
        address = [fields["name"], fields["slice"], self.slice_note, self.tabs]
        loading = on(page.load, handlers.load_choices, outputs=[*choices, *address])
        self.draft.listen(
            {name: part for name, part in fields.items() if name not in NOT_IN_DRAFT}, loading.then
        )
        overlap = [fields["overlap"], self.usual]
        counting = on(fields["annotators"].input, handlers.people_changed, [*people, self.usual], overlap)
        self.draft.keep_after(counting)
        listen_for_upload(
            self.criteria.upload,
            criteria.look_at,
            [],
            [self.criteria.found, fields["criteria_upload"]],
            status=self.status,
            cleared=("", ""),
        )
        shown = [self.previewed, self.facts, self.drawn]
        hidden = (gr.update(visible=False), "", "")
        previewing = on(
            self.preview.click,
            handlers.preview,
            values,
            shown,
            refused=hidden,
            show_progress_on=[self.preview],
        )
        bring_into_view(previewing, PREVIEW)
        reset = [self.previewed, self.drawn, fields["name"]]
        creating = on(self.create.click, handlers.create, [self.drawn, *values], [*reset, *outputs])
        bring_into_view(creating, PREVIEW)
        self.draft.forget_after(creating, self.status)
