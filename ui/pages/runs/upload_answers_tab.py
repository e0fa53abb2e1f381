"""The tab that takes answers which a model gave elsewhere."""

from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.annotations.run_names import LONGEST_LABEL, read_label
from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Upload, Uploads
from clinicnum.db.work.jobs.job_store import enqueue
from clinicnum.db.work.runs.launch_run import questions_to_match, runnable_benchmarks
from clinicnum.errors import InputError
from clinicnum.imports.answer_format_detection import find_answer_format
from clinicnum.imports.check_answer_file import check_answers, fields_of, propose_fields
from clinicnum.imports.generations_jsonl import OWN_ID
from clinicnum.imports.item_preview import naming
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import (
    Outputs,
    error_message,
    listen,
    status_line,
    validated,
)
from clinicnum.ui.components.job_progress import in_sight, unwatched, watch
from clinicnum.ui.components.language import _, error_text
from clinicnum.ui.components.upload_field import listen_for_upload, upload_field, uploaded
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.runs import launch_view
from clinicnum.ui.pages.runs import upload_view as view

NO_FILE: Outputs = ("", gr.update(visible=False), *(gr.skip() for _one in range(5)), "")
"""Values for upload, form, benchmark, format, its fields and the verdict, as long as no file was accepted."""
TEXT = "text"
"""The usual name of the field with the answer."""
MOST_TRIED = 20
"""Most further benchmarks that a file is compared with where it does not fit the chosen one."""
MOST_MATCHED = 5_000
"""Most questions of a benchmark that a file is compared with before the import."""


class UploadValues(Frozen):
    """The values of the form, as the browser sends them."""

    upload: str = Field(default="", max_length=64)
    benchmark: str = Field(default="", max_length=200)
    format: str = Field(default="", max_length=40)
    model: str = Field(default="", max_length=200)
    label: str = Field(default="", max_length=1_000)
    id_field: str = Field(default="", max_length=200)
    text_field: str = Field(default="", max_length=200)
    own_prompts: bool = False

    def columns(self) -> dict[str, str]:
        """Our name of a field -> its name in the file, where given; empty for a format of fixed names."""
        if self.format not in view.WITH_FIELDS:
            return {}
        named = {"instance_id": self.id_field.strip(), "text": self.text_field.strip()}
        return {ours: theirs for ours, theirs in named.items() if theirs not in ("", ours)}


class UploadHandlers:
    """The tab's events."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        self.store = store
        self.uploads = uploads

    def load_answered(self, request: gr.Request) -> Outputs:
        """Benchmarks that the answers may belong to; the address may choose one."""
        with self.store.reading() as session:
            found = runnable_benchmarks(session, user_id=str(request.username))
        wanted = request.query_params.get("benchmark")
        ids = [one.benchmark_id for one in found]
        chosen = wanted if wanted in ids else next(iter(ids), None)
        return "", gr.update(choices=[(one.name, one.benchmark_id) for one in found], value=chosen)

    def look_at(self, benchmark: object, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Detect the uploaded file's format, its fields and the benchmark that it fits, and show what is
        wrong in the file's beginning; delete a file that cannot be read.
        """
        upload = self.uploads.find(uploaded(selected), owner=str(request.username))
        try:
            with naming(self.uploads.path(upload), upload.name):
                found = find_answer_format(self.uploads.path(upload))
        except InputError as error:
            self.uploads.delete(upload.upload_id)
            return error_message(error), *NO_FILE
        form = validated(UploadValues, upload=upload.upload_id, benchmark=benchmark or "", format=found)
        form = self._fitting(form, upload, request)
        shown = self._with_fields(form, upload, request)
        return "", upload.upload_id, gr.update(visible=True), form.benchmark or None, found, *shown

    def _fitting(self, form: UploadValues, upload: Upload, request: gr.Request) -> UploadValues:
        """The form with a benchmark that has the file's questions: the chosen one, or else another."""
        with self.store.reading() as session:
            others = runnable_benchmarks(session, user_id=str(request.username))[:MOST_TRIED]
        filled = self._with_proposed(form, self._there(form, upload))
        for benchmark in filter(None, (form.benchmark, *(one.benchmark_id for one in others))):
            tried = filled.model_copy(update={"benchmark": benchmark})
            if self._verdict(tried, upload, request)[0]:
                return form.model_copy(update={"benchmark": benchmark})
        return form

    def choose_format(self, key: object, format_: object, benchmark: object, request: gr.Request) -> Outputs:
        """Show the fields that a format asks for, those proposed among them, and what is wrong with these."""
        form = validated(UploadValues, upload=key, format=format_, benchmark=benchmark or "")
        return gr.skip(), *self._with_fields(form, self._upload(form, request), request)

    def choose_fields(
        self,
        key: object,
        format_: object,
        benchmark: object,
        id_field: object,
        text_field: object,
        request: gr.Request,
    ) -> Outputs:
        """Show what is wrong in the file's beginning with these fields and this benchmark."""
        named = {"id_field": id_field or "", "text_field": text_field or ""}
        form = validated(UploadValues, upload=key, format=format_, benchmark=benchmark or "", **named)
        try:
            upload = self._upload(form, request)
        except InputError:
            return gr.skip(), gr.skip()  # it is imported by now; who asks for it again is told
        return gr.skip(), self._verdict(form, upload, request)[1]

    def _with_fields(self, form: UploadValues, upload: Upload, request: gr.Request) -> Outputs:
        """Values for the row of fields, the two fields with the file's own names, and the verdict."""
        if form.format not in view.WITH_FIELDS:
            verdict = self._verdict(form, upload, request)[1]
            return gr.update(visible=False), gr.update(value=""), gr.update(value=""), verdict
        there = self._there(form, upload)
        form = self._with_proposed(form, there)
        return (
            gr.update(visible=True),
            gr.update(choices=view.id_choices(there), value=form.id_field),
            gr.update(choices=there, value=form.text_field),
            self._verdict(form, upload, request)[1],
        )

    def _there(self, form: UploadValues, upload: Upload) -> list[str]:
        """The names of the file's fields; none where they cannot be read, of which the verdict says why."""
        if form.format not in view.WITH_FIELDS:
            return []
        try:
            with naming(self.uploads.path(upload), upload.name):
                return list(fields_of(self.uploads.path(upload), form.format))
        except InputError:
            return []

    def _with_proposed(self, form: UploadValues, there: list[str]) -> UploadValues:
        """The form with those of the file's fields that are likely meant."""
        proposed = propose_fields(there)
        id_field = proposed.get("instance_id") or (OWN_ID if OWN_ID in there else "")
        return form.model_copy(update={"id_field": id_field, "text_field": proposed.get("text") or TEXT})

    def _verdict(self, form: UploadValues, upload: Upload, request: gr.Request) -> tuple[bool, str]:
        """Whether the beginning of the file is as it should be, and what to say of it, as HTML."""
        path, columns = self.uploads.path(upload), form.columns()
        with self.store.reading() as session:
            known = questions_to_match(
                session, user_id=str(request.username), benchmark_id=form.benchmark, most=MOST_MATCHED
            )
        named = {"id_field": columns.get("instance_id"), "text_field": columns.get("text")}
        try:
            with naming(path, upload.name):
                found = check_answers(path, form.format, known=known, **named)
        except InputError as error:
            return False, view.wrong(error_text(error))
        return True, view.uploaded_note(upload.name, found, None if known is None else len(known))

    def _upload(self, form: UploadValues, request: gr.Request) -> Upload:
        if not form.upload:
            raise InputError(Translatable("Upload a file first."))
        if form.format not in view.FORMAT_NAMES:
            raise InputError(Translatable("There is no such format; choose one of the list."))
        return self.uploads.find(form.upload, owner=str(request.username))

    def store_answers(self, request: gr.Request, *values: object) -> Outputs:
        """Queue the job, unless the file's beginning is wrong, which is shown instead."""
        named = dict(zip(UploadValues.model_fields, values, strict=True))
        cleared = {name: "" for name in ("id_field", "text_field") if named[name] is None}
        form = validated(UploadValues, **named | cleared)
        upload, user_id = self._upload(form, request), str(request.username)
        if not form.model.strip():
            raise InputError(Translatable("Say which model gave these answers."))
        right, verdict = self._verdict(form, upload, request)
        if not right:
            return "", verdict, *unwatched(), gr.skip()
        arguments = {
            "upload": upload.upload_id,
            "file_name": upload.name,
            "format": form.format,
            "benchmark_id": form.benchmark,
            "model": form.model.strip(),
            "columns": form.columns(),
            "label": read_label(form.label) or "",
            "own_prompts": form.own_prompts,
        }
        with self.store.writing() as session:
            known = {one.benchmark_id for one in runnable_benchmarks(session, user_id=user_id)}
            if form.benchmark not in known:
                raise InputError(Translatable("Choose the benchmark that was answered."))
            job = enqueue(session, user_id=user_id, kind="import_generations", arguments=arguments)
        return "", "", *watch(job), ""


class UploadForm:
    """The form that takes a file of answers obtained elsewhere."""

    def __init__(self, uploads: Uploads, tabs: gr.Tabs) -> None:
        self.draft = FormDraft("answers", tabs, "upload")
        self.status = status_line()
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        with gr.Accordion(_(view.EXAMPLE_TITLE), open=False):
            gr.Markdown(view.example())
        self.field = upload_field(
            "/runs",
            elem_id="answers-upload",
            label=_("File of answers"),
            hint=_(view.ACCEPTED, most=uploads.largest // 2**20),
            accept=view.ENDINGS,
            largest=uploads.largest,
        )
        self.verdict = gr.HTML(padding=False, apply_default_css=False)
        self.upload = gr.Textbox(visible="hidden")
        with gr.Column(visible=False) as self.form:
            with gr.Row():
                self.benchmark = gr.Dropdown([], label=_("Benchmark that was answered"), min_width=260)
                self.format = gr.Dropdown(
                    labelled([(text, key) for key, text in view.FORMAT_NAMES.items()]),
                    label=_("Format of the file"),
                    info=_(view.FORMAT),
                    min_width=260,
                )
            with gr.Row():
                self.model = gr.Textbox(
                    label=_("Model that answered"), info=_(view.MODEL), max_length=200, min_width=260
                )
                self.label = gr.Textbox(
                    label=_("Name of the run"),
                    info=_(launch_view.LABEL),
                    max_length=LONGEST_LABEL,
                    min_width=260,
                )
            with gr.Row(visible=False) as self.fields:
                self.id_field = gr.Dropdown(
                    view.id_choices(()),
                    value="",
                    label=_("Field with the question, or its id"),
                    info=_(view.ID_FIELD),
                    allow_custom_value=True,
                    min_width=260,
                )
                self.text_field = gr.Dropdown(
                    [TEXT],
                    value=TEXT,
                    label=_("Field with the answer"),
                    info=_(view.TEXT_FIELD),
                    allow_custom_value=True,
                    min_width=260,
                )
            self.own_prompts = gr.Checkbox(label=_(view.OWN_PROMPTS), info=_(view.OWN_PROMPTS_INFO))
            self.store_answers = gr.Button(_("Store and score the answers"), variant="primary")

    def listen(self, handlers: UploadHandlers, page: gr.Blocks, job: list[gr.components.Component]) -> None:
        """Register the handlers; `job` are the components that show the job."""
        on = partial(listen, status=self.status)
        loading = on(page.load, handlers.load_answered, outputs=[self.benchmark])
        shown = [self.fields, self.id_field, self.text_field, self.verdict]
        listen_for_upload(
            self.field,
            handlers.look_at,
            [self.benchmark],
            [self.upload, self.form, self.benchmark, self.format, *shown],
            status=self.status,
            cleared=NO_FILE,
        )
        file = [self.upload, self.format, self.benchmark]
        on(self.format.input, handlers.choose_format, file, shown, trigger_mode="always_last")
        read_by = [*file, self.id_field, self.text_field]
        # By hand only: a late answer to what a file brought would speak of a file that another has replaced.
        fields = [one for each in (self.id_field, self.text_field) for one in (each.input, each.blur)]
        chosen = partial(gr.on, [self.benchmark.input, *fields])
        on(chosen, handlers.choose_fields, read_by, [self.verdict], trigger_mode="always_last")
        values = [
            *(self.upload, self.benchmark, self.format, self.model, self.label),
            *(self.id_field, self.text_field, self.own_prompts),
        ]
        named = dict(zip(UploadValues.model_fields, values, strict=True))
        for name in ("upload", "format", "id_field", "text_field"):
            del named[name]  # of the file, which must be chosen again
        self.draft.listen(named, loading.then)
        storing = on(self.store_answers.click, handlers.store_answers, values, [self.verdict, *job])
        in_sight(storing)
        self.draft.forget_after(storing, self.status)
