"""The tab Generate: what the benchmark should hold, a live sample, and the job that generates it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.api.benchmark_preview import BenchmarkSample, sample_benchmark
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.jobs.job_store import enqueue
from clinicnum.db.work.release.released_banks import released_bank, released_banks
from clinicnum.errors import InputError
from clinicnum.release import Release
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import Outputs, validated
from clinicnum.ui.components.job_progress import JobProgress, in_sight, watch
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.benchmarks import option_names, view

MADE_UP = "synthetic"
SOURCES = (
    (Translatable("made-up patients"), MADE_UP),
    (Translatable("MIMIC-IV-ED on the server"), "mimic-iv-ed"),
    (Translatable("a CSV on the server"), "csv"),
)
ABOUT = Translatable(
    "Each question is computed from a patient's records, and its answer is proven twice. Same choices and "
    "same seed, same benchmark."
)
VARIANTS_INFO = Translatable("The same questions, rewritten in a controlled way.")
SEED_INFO = Translatable("Another number draws other patients and questions.")
PATH_INFO = Translatable("As the machine sees it that runs the jobs.")
COLUMNS_INFO = Translatable("Such as heart_rate_bpm=HR,temperature_c=Temp,temperature_unit=U.")
NO_SAMPLE = Translatable(
    "These records are read when the benchmark is generated, so no sample is shown here. The first questions "
    "can be browsed afterwards."
)
RELEASE = "release:"
"""Prefix of the value of a choice that is a published release."""
_TEXT = Field(default="", max_length=1_000, pattern=r"^[^\x00]*$")


class GenerateForm(Frozen):
    """The form's values, in the order of its components."""

    name: str = Field(default="", max_length=100, pattern=r"^[^\x00-\x1f]*$")
    source: str = Field(default=MADE_UP, max_length=20)
    path: str = _TEXT
    columns: str = _TEXT
    preset: str = Field(default="small", max_length=20)
    bank: str = Field(default="base", max_length=len(RELEASE) + 64)
    """A packaged bank, or `release:` and the name of a published release."""
    representations: tuple[str, ...] = Field(default=(), max_length=10)
    variants: tuple[str, ...] = Field(default=(), max_length=len(option_names.VARIANT_NAMES))
    seed: int = Field(default=0, ge=0, lt=2**31, title="Seed")

    @property
    def release(self) -> str:
        """Name of the chosen release; empty for a packaged bank."""
        return self.bank.removeprefix(RELEASE) if self.bank.startswith(RELEASE) else ""

    def options(self) -> dict[str, Any]:
        """Options of `clinicnum generate` that samples also take, except the bank. Raises InputError for
        invalid ones.
        """
        if not self.representations:
            raise InputError(Translatable("Choose at least one representation."))
        # `clinicnum generate` takes folders, too: not from a browser.
        if not self.release and self.bank not in option_names.BANK_NAMES:
            raise InputError(Translatable("There is no such bank; choose one of the list."))
        return {
            "preset": self.preset,
            "representation": ",".join(self.representations),
            "variants": ",".join(self.variants),
            "seed": self.seed,
        }

    def arguments(self) -> dict[str, Any]:
        """The arguments of the job. Raises InputError for invalid options, or if files are asked for without
        a path.
        """
        bank = {"release": self.release} if self.release else {"bank": self.bank}
        given = {"source": self.source, "name": self.name.strip(), **bank, **self.options()}
        if self.source == MADE_UP:
            return given
        if not self.path.strip():
            raise InputError(Translatable("Say where the records are on the server."))
        columns = self.columns.strip() if self.source == "csv" else ""
        return {**given, "path": self.path.strip(), "columns": columns}


def read_form(values: tuple[object, ...]) -> GenerateForm:
    """The form from its components' values. Raises InputError for one that cannot be used."""
    return validated(GenerateForm, **dict(zip(GenerateForm.model_fields, values, strict=True)))


class GenerateHandlers:
    """The tab's events. Not async, so that a sample is generated in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load_banks(self, request: gr.Request) -> Outputs:
        """The packaged banks and the published releases to choose from."""
        with self.store.reading() as session:
            found = released_banks(session, user_id=str(request.username))
        releases = [(option_names.release_label(one), f"{RELEASE}{one.name}") for one in found]
        return "", gr.update(choices=[*labelled(_choices(option_names.BANK_NAMES)), *releases])

    def sample(self, request: gr.Request, *values: object) -> Outputs:
        """A preview: three sample questions, and the expected number."""
        form = read_form(values)
        from_files = form.source != MADE_UP
        places = (gr.update(visible=from_files), gr.update(visible=form.source == "csv"))
        if from_files:
            return "", *places, _(NO_SAMPLE), ""
        options = form.options()
        found = sample_benchmark(bank=self._bank(form, str(request.username)), **options)
        return "", *places, counts(found), view.sample(found.instances)

    def _bank(self, form: GenerateForm, user_id: str) -> str | Release:
        if not form.release:
            return form.bank
        with self.store.reading() as session:
            return released_bank(session, user_id=user_id, name=form.release)

    def generate(self, request: gr.Request, *values: object) -> Outputs:
        """Queue the job that generates the benchmark."""
        form = read_form(values)
        with self.store.writing() as session:
            job = enqueue(session, user_id=str(request.username), kind="generate", arguments=form.arguments())
        return "", *watch(job)


def counts(found: BenchmarkSample) -> str:
    """How many instances the benchmark will have, at most."""
    questions = ngettext("{n} question", "{n} questions", found.questions)
    ways = ngettext("in {n} representation", "in {n} representations", found.representations)
    if not found.variants:
        return _(
            "To be expected: {questions} {ways}, {n} instances.",
            questions=questions,
            ways=ways,
            n=f"{found.most_instances:,}",
        )
    variants = ngettext("and {n} variant of each", "and {n} variants of each", found.variants)
    return _(
        "To be expected: {questions} {ways} {variants}, at most {n} instances, since some variants cannot be "
        "made of every question.",
        questions=questions,
        ways=ways,
        variants=variants,
        n=f"{found.most_instances:,}",
    )


class GenerateTab:
    """The tab's components and events: the choices with the button beside the sample."""

    def __init__(self, tabs: gr.Tabs) -> None:
        with gr.Tab(_("Generate"), id="generate") as self.tab, gr.Row():
            with gr.Column(scale=5, min_width=340):
                self.draft = FormDraft("benchmark", tabs, "generate")
                self.form, self.path, self.columns, self.bank = _form()
                self.expected = gr.Markdown()
                self.button = gr.Button(_("Generate"), variant="primary")
            with gr.Column(scale=6, min_width=340):
                gr.Markdown("## " + _("What the questions will look like"))
                gr.Markdown(_(ABOUT), elem_classes="cn-hint")
                self.sample = gr.HTML(padding=False, apply_default_css=False, elem_id="sample")

    def listen(
        self, page: gr.Blocks, on: Callable[..., Any], store: Store, progress: JobProgress, status: gr.HTML
    ) -> None:
        """Register the events; `on` is the page's `listen`, and `status` its status line."""
        handlers = GenerateHandlers(store)
        loading = on(page.load, handlers.load_banks, outputs=[self.bank])
        self.draft.listen(dict(zip(GenerateForm.model_fields, self.form, strict=True)), loading.then)
        shows = partial(
            gr.on, [self.tab.select, self.draft.restored.change, *(_changed(part) for part in self.form[1:])]
        )
        shown = [self.path, self.columns, self.expected, self.sample]
        on(shows, handlers.sample, self.form, shown, trigger_mode="always_last")
        generating = on(self.button.click, handlers.generate, self.form, progress.outputs)
        in_sight(generating)
        self.draft.forget_after(generating, status)


def _changed(part: Any) -> Any:
    """The event of a component after which the sample is made anew."""
    return part.blur if isinstance(part, gr.Textbox) else part.input


def _form() -> tuple[list[Any], gr.Textbox, gr.Textbox, gr.Dropdown]:
    choice: dict[str, Any] = {"filterable": False, "min_width": 200}
    with gr.Row():
        name = gr.Textbox(label=_("Name"), max_length=100, min_width=200)
        source = gr.Dropdown(labelled(SOURCES), value=MADE_UP, label=_("Records"), **choice)
    path = gr.Textbox(label=_("Folder or file"), info=_(PATH_INFO), max_length=1_000, visible=False)
    columns = gr.Textbox(label=_("Columns"), info=_(COLUMNS_INFO), max_length=1_000, visible=False)
    with gr.Row():
        preset = gr.Dropdown(
            labelled(_choices(option_names.PRESET_NAMES)), value="small", label=_("Size"), scale=4, **choice
        )
        bank = gr.Dropdown(
            labelled(_choices(option_names.BANK_NAMES)),
            value="base",
            label=_("Templates"),
            scale=5,
            **choice,
        )
    representations = gr.CheckboxGroup(
        labelled(_choices(option_names.REPRESENTATION_WORDS)),
        value=list(option_names.REPRESENTATION_WORDS),
        label=_("How records are written"),
    )
    with gr.Accordion(_("Variants and seed"), open=False):
        variants = gr.CheckboxGroup(
            labelled(_choices(option_names.VARIANT_NAMES)), label=_("Variants"), info=_(VARIANTS_INFO)
        )
        seed = gr.Number(0, label=_("Seed"), info=_(SEED_INFO), precision=0, minimum=0)
    form = [name, source, path, columns, preset, bank, representations, variants, seed]
    return form, path, columns, bank


def _choices(names: dict[str, Translatable]) -> list[tuple[str, str]]:
    return [(text, key) for key, text in names.items()]
