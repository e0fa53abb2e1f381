"""The tab Import: a file of questions made elsewhere, previewed before import."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Upload, Uploads
from clinicnum.db.work.jobs.job_store import enqueue
from clinicnum.errors import InputError
from clinicnum.imports.item_preview import find_format, naming, preview_items
from clinicnum.imports.question_csv import FIELDS, NEEDED, dimension_field, is_dimension, propose_columns
from clinicnum.imports.read_rows import header_of
from clinicnum.item_dimensions import MOST
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import (
    Outputs,
    data_table,
    error_message,
    validated,
)
from clinicnum.ui.components.job_progress import JobProgress, in_sight, watch
from clinicnum.ui.components.language import _
from clinicnum.ui.components.upload_field import listen_for_upload, upload_field, uploaded
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.benchmarks import import_view, option_names

ENDINGS = (".csv", ".tsv", ".txt", ".jsonl", ".json")
NO_COLUMN = ""
COLUMN_FIELDS = tuple(option_names.FIELD_NAMES)


class ImportForm(Frozen):
    """The form's values."""

    upload: str = Field(default="", max_length=64)
    format: str = Field(default="", max_length=40)
    label: str = Field(default="", max_length=100, pattern=r"^[^\x00-\x1f]*$")
    open_data: bool = False
    variants: tuple[str, ...] = Field(default=(), max_length=len(option_names.IMPORTED_VARIANTS))
    seed: int = Field(default=0, ge=0, lt=2**31, title="Seed")
    columns: dict[str, str] = Field(default_factory=dict)
    dimensions: list[str] = Field(default_factory=list, max_length=MOST)
    """Columns that classify the items."""

    def chosen_columns(self) -> dict[str, str]:
        """Our field -> column, without fields that have none or that the format does not know."""
        known = FIELDS.get(self.format, ())
        chosen = {field: column for field, column in self.columns.items() if column and field in known}
        return chosen | ({dimension_field(column): column for column in self.dimensions} if known else {})


def read_form(upload: object, format_: object, columns: tuple[object, ...], **others: object) -> ImportForm:
    """The form from its components' values, the last of `columns` the list of dimensions. Raises InputError
    for one that cannot be used.
    """
    *one_each, dimensions = columns
    named = dict(zip(COLUMN_FIELDS, one_each, strict=True))
    given = {field: column for field, column in named.items() if column is not None}
    about = {"columns": given, "dimensions": dimensions or []}
    return validated(ImportForm, upload=upload, format=format_, **about, **others)


class ImportHandlers:
    """The tab's events. Not async, so that a file is read in a worker thread."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        self.store = store
        self.uploads = uploads

    def look_at(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Detect the uploaded file's format and preview items; delete the file if it cannot be read."""
        upload = self.uploads.find(uploaded(selected), owner=str(request.username))
        try:
            with naming(self.uploads.path(upload), upload.name):
                found = find_format(self.uploads.path(upload))
        except InputError as error:
            self.uploads.delete(upload.upload_id)
            return error_message(error), *_no_file()
        form = ImportForm(upload=upload.upload_id, format=found.format)
        return "", upload.upload_id, found.format, *self._shown(form, upload, propose=True)

    def choose_format(self, upload: object, format_: object, request: gr.Request) -> Outputs:
        """Show what would be read in another format, with the columns proposed for it."""
        form = validated(ImportForm, upload=upload, format=format_)
        return "", *self._shown(form, self._upload(form, request), propose=True)

    def preview(self, request: gr.Request, upload: object, format_: object, *columns: object) -> Outputs:
        """Show what would be read with other columns."""
        form = read_form(upload, format_, columns)
        return "", *self._shown(form, self._upload(form, request), propose=False)

    def import_items(
        self,
        request: gr.Request,
        upload: object,
        format_: object,
        label: object,
        open_data: object,
        variants: object,
        seed: object,
        *columns: object,
    ) -> Outputs:
        """Queue the job, which deletes the file once its items are stored; no other import can be asked of
        it.
        """
        form = read_form(
            upload, format_, columns, label=label, open_data=open_data, variants=variants, seed=seed
        )
        found = self._upload(form, request)
        arguments = {
            "upload": found.upload_id,
            "file_name": found.name,
            "format": form.format,
            "columns": form.chosen_columns(),
            "label": form.label.strip(),
            "open_data": form.open_data,
            "variants": ",".join(form.variants),
            "seed": form.seed,
        }
        with self.store.writing() as session:
            job = enqueue(session, user_id=str(request.username), kind="import_items", arguments=arguments)
        used = (import_view.handed_on(found.name), gr.update(interactive=False))
        return "", *used, *watch(job)

    def _upload(self, form: ImportForm, request: gr.Request) -> Upload:
        if not form.upload:
            raise InputError(Translatable("Upload a file first."))
        return self.uploads.find(form.upload, owner=str(request.username))

    def _shown(self, form: ImportForm, upload: Upload, *, propose: bool) -> Outputs:
        """Values for the panel, the note on the file's columns, their choices, the verdict, the first items,
        the wrong rows and the button.
        """
        path = self.uploads.path(upload)
        if form.format not in option_names.FORMAT_NAMES:
            raise InputError(Translatable("There is no such format; choose one of the list."))
        fields = FIELDS.get(form.format, ())
        with naming(path, upload.name):
            header = header_of(path) if fields else []
        columns = propose_columns(header, form.format) if propose and fields else form.chosen_columns()
        choices = [(_("(none)"), NO_COLUMN), *((one, one) for one in header)]
        dropdowns = [
            gr.update(choices=choices, value=columns.get(field, NO_COLUMN), visible=field in fields)
            for field in COLUMN_FIELDS
        ]
        kinds = [column for field, column in columns.items() if is_dimension(field)]
        dropdowns.append(gr.update(choices=header, value=kinds, visible=bool(fields)))
        said = import_view.columns_note(header, NEEDED) if fields else ""
        opened = (gr.update(visible=True), gr.update(value=said, visible=bool(said)))
        lacking = [field for field in NEEDED if fields and field not in columns]
        try:
            if lacking:
                raise InputError(import_view.lacking_columns(lacking, header))
            with naming(path, upload.name):
                found = preview_items(path, form.format, columns=columns)
        except InputError as error:
            hidden = gr.update(visible=False)
            refused = import_view.refusal(error)
            return *opened, *dropdowns, refused, hidden, hidden, gr.update(interactive=False)
        first, wrong = import_view.item_rows(found), import_view.problem_rows(found)
        return (
            *opened,
            *dropdowns,
            import_view.verdict(found),
            gr.update(value=first, visible=bool(first)),
            gr.update(value=wrong, visible=bool(wrong)),
            gr.update(interactive=not wrong),
        )


def _no_file() -> Outputs:
    """Values for the upload, the format and the panel, which is hidden, as long as no file was accepted."""
    unchanged = (gr.skip() for _one in (*COLUMN_FIELDS, *range(6)))
    return "", gr.skip(), gr.update(visible=False), *unchanged


class ImportTab:
    """The tab's components and events."""

    def __init__(self, uploads: Uploads, tabs: gr.Tabs) -> None:
        self.uploads = uploads
        with gr.Tab(_("Import"), id="import"):
            self.draft = FormDraft("items", tabs, "import")
            gr.Markdown(_(import_view.ABOUT), elem_classes="cn-hint")
            with gr.Accordion(_(import_view.EXAMPLE_TITLE), open=False):
                gr.Markdown(import_view.example())
            self.field = upload_field(
                "/benchmarks",
                elem_id="items-upload",
                label=_("File of questions"),
                hint=_(import_view.ACCEPTED, most=uploads.largest // 2**20),
                accept=ENDINGS,
                largest=uploads.largest,
            )
            self.upload = gr.Textbox(visible=False)
            with gr.Column(visible=False, elem_id="import-form") as self.panel:
                self.format = gr.Dropdown(
                    labelled([(text, key) for key, text in option_names.FORMAT_NAMES.items()]),
                    label=_("Format"),
                    info=_("Found by the file's first lines; correct it if it is wrong."),
                    filterable=False,
                )
                self.header = gr.HTML(padding=False, apply_default_css=False, elem_classes="cn-hint")
                with gr.Row():
                    self.columns = [
                        gr.Dropdown([], label=_(text), visible=False, min_width=220)
                        for text in option_names.FIELD_NAMES.values()
                    ]
                self.columns.append(
                    gr.Dropdown(
                        [],
                        multiselect=True,
                        max_choices=MOST,
                        label=_("Columns that say what kind of question it is"),
                        info=_(
                            "Task, difficulty, language and the like: results are shown by each of them, "
                            "never to annotators."
                        ),
                        visible=False,
                        elem_id="import-dimensions",
                    )
                )
                self.verdict = gr.HTML(padding=False, apply_default_css=False)
                self.first = data_table(
                    import_view.ITEM_COLUMNS,
                    column_widths=import_view.ITEM_WIDTHS,
                    label=_("The first items, as they would be read"),
                    elem_id="first-items",
                    explains=None,
                )
                self.wrong = data_table(
                    import_view.PROBLEM_COLUMNS,
                    column_widths=import_view.PROBLEM_WIDTHS,
                    label=_("Rows that are wrong"),
                    elem_id="wrong-rows",
                    explains=None,
                )
                self.label = gr.Textbox(
                    label=_("Name"), info=_("What people will call the benchmark."), max_length=100
                )
                self.open_data = gr.Checkbox(label=_(import_view.OPEN_DATA), info=_(import_view.NOT_OPEN))
                with gr.Accordion(_("Variants and seed"), open=False):
                    self.variants = gr.CheckboxGroup(
                        labelled([(text, key) for key, text in option_names.IMPORTED_VARIANTS.items()]),
                        label=_("Variants"),
                        info=_(import_view.VARIANTS),
                    )
                    self.seed = gr.Number(
                        0, label=_("Seed"), info=_(import_view.SEED), precision=0, minimum=0
                    )
                self.button = gr.Button(_("Import"), variant="primary")

    def listen(
        self, page: gr.Blocks, on: Callable[..., Any], store: Store, progress: JobProgress, status: gr.HTML
    ) -> None:
        """Register the events; `on` is the page's `listen`, and `status` its status line."""
        handlers = ImportHandlers(store, self.uploads)
        shown = [self.panel, self.header, *self.columns, self.verdict, self.first, self.wrong, self.button]
        file = [self.upload, self.format]
        listen_for_upload(
            self.field, handlers.look_at, [], [*file, *shown], status=status, cleared=_no_file()
        )
        on(self.format.input, handlers.choose_format, file, shown, trigger_mode="always_last")
        chosen = partial(gr.on, [one.input for one in self.columns])
        on(chosen, handlers.preview, [*file, *self.columns], shown, trigger_mode="always_last")
        asked = [*file, self.label, self.open_data, self.variants, self.seed, *self.columns]
        importing = on(
            self.button.click, handlers.import_items, asked, [self.verdict, self.button, *progress.outputs]
        )
        in_sight(importing)
        typed = {
            "label": self.label,
            "open_data": self.open_data,
            "variants": self.variants,
            "seed": self.seed,
        }
        self.draft.listen(typed, page.load)
        self.draft.forget_after(importing, status)
