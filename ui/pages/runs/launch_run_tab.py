"""The tab that launches a run, or the dry run before it, as a job of the worker."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.run_names import LONGEST_LABEL
from clinicnum.annotations.worker_jobs import MOST_SAMPLES, RunArguments
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.runs.launch_run import (
    check_key_name,
    consent_needed,
    launch_outlook,
    launch_run,
    runnable_benchmarks,
)
from clinicnum.db.work.runs.stored_runs import list_runs
from clinicnum.types import Frozen
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import EVERY_TIME, Outputs, listen, status_line, validated
from clinicnum.ui.components.job_progress import in_sight, watch
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.runs import launch_view as view

Models = Callable[[], Sequence[tuple[str, str]]]
"""The models that can be launched, as (name, path on the worker's machine)."""
Client = Literal["local", "openai"]


class LaunchValues(Frozen):
    """The values of the form, as the browser sends them."""

    benchmark: str = Field(default="", max_length=200)
    client: Client = "local"
    folder: str = Field(default="", max_length=1_000)
    address: str = Field(default="", max_length=1_000)
    served: str = Field(default="", max_length=500)
    key: str = Field(default="", max_length=1_000)
    consent: tuple[str, ...] = Field(default=(), max_length=5)
    label: str = Field(default="", max_length=1_000)
    max_new_tokens: int = Field(default=256, ge=1, le=100_000, title="Longest answer, in tokens")
    limit: int = Field(default=0, ge=0, title="Number of answers")
    """0 for all questions."""
    temperature: float = Field(default=0, ge=0, le=2, title="Temperature")
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES, title="Answers to each question")
    seed: int = Field(default=0, ge=0, title="Seed")

    def asked(self, *, dry_run: bool) -> RunArguments:
        """The arguments of the job that the form asks for; `dry_run`: of one that only estimates the run.

        Raises InputError if `key` may be a secret.
        """
        server = self.client == "openai"
        return RunArguments(
            benchmark_id=self.benchmark,
            client=self.client,
            model=(self.served if server else self.folder).strip(),
            base_url=self.address.strip() if server else None,
            api_key_env=check_key_name(self.key) if server else None,
            max_new_tokens=self.max_new_tokens,
            limit=self.limit or None,
            temperature=self.temperature,
            samples=self.samples,
            seed=self.seed,
            label=self.label,
            dry_run=dry_run,
        )


class LaunchHandlers:
    """The tab's events."""

    def __init__(self, store: Store, models: Models) -> None:
        self.store = store
        self.models = models

    def load_choices(self, request: gr.Request) -> Outputs:
        """Benchmarks and models to choose from; a benchmark in the address is chosen.

        The tab, or that for uploads if the address names it, is opened if the address names a benchmark; also
        if none has a run yet.
        """
        with self.store.reading() as session:
            found = runnable_benchmarks(session, user_id=str(request.username))
            any_run = bool(list_runs(session))
        wanted = request.query_params.get("benchmark")
        known = {one.benchmark_id for one in found}
        first = found[0].benchmark_id if found else None
        models = list(self.models())
        chosen = wanted if wanted in known else first
        model = models[0][1] if models else None
        tab = "upload" if request.query_params.get("tab") == "upload" else "launch"
        return (
            "",
            gr.update(selected=tab) if wanted in known or (found and not any_run) else gr.skip(),
            gr.update(
                choices=[(one.name, one.benchmark_id) for one in found],
                value=chosen,
            ),
            gr.update(choices=models, value=model),
            self._outlook(str(request.username), chosen or "", model or ""),
        )

    def adapt(self, benchmark: object, client: object, address: object, request: gr.Request) -> Outputs:
        """Show the fields of the chosen kind of model, and the consent that its server needs."""
        asked = validated(LaunchValues, benchmark=benchmark, client=client, address=address)
        server = asked.client == "openai"
        with self.store.reading() as session:
            found = runnable_benchmarks(session, user_id=str(request.username))
        chosen = next((one for one in found if one.benchmark_id == asked.benchmark), None)
        needed = (
            consent_needed(chosen, asked.address.strip()) if chosen and server and asked.address else None
        )
        label = view.consent_label(chosen.name, asked.address) if chosen and needed else ""
        return (
            "",
            gr.update(visible=not server),
            gr.update(visible=server),
            gr.update(choices=[(label, needed)] if needed else [], value=[], visible=needed is not None),
        )

    def tell(
        self, benchmark: object, client: object, folder: object, served: object, request: gr.Request
    ) -> Outputs:
        """Say, before a launch, how many answers it asks for and whether the model has runs already."""
        asked = validated(LaunchValues, benchmark=benchmark, client=client, folder=folder, served=served)
        model = asked.served if asked.client == "openai" else asked.folder
        return "", self._outlook(str(request.username), asked.benchmark, model.strip())

    def _outlook(self, user_id: str, benchmark: str, model: str) -> str:
        """The text of `view.outlook_text`; empty until benchmark and model are chosen."""
        with self.store.reading() as session:
            found = launch_outlook(session, user_id=user_id, benchmark_id=benchmark, model=model)
        return view.outlook_text(found, model) if found and model else ""

    def dry_run(self, request: gr.Request, *values: object) -> Outputs:
        """Queue a dry run, which only estimates what the run will take."""
        return self._launch(str(request.username), values, dry_run=True)

    def run(self, request: gr.Request, *values: object) -> Outputs:
        """Queue the run."""
        return self._launch(str(request.username), values, dry_run=False)

    def _launch(self, user_id: str, values: Sequence[object], *, dry_run: bool) -> Outputs:
        form = validated(LaunchValues, **dict(zip(LaunchValues.model_fields, values, strict=True)))
        with self.store.writing() as session:
            job = launch_run(
                session,
                user_id=user_id,
                asked=form.asked(dry_run=dry_run),
                consent=form.consent[0] if form.consent else "",
            )
        return "", *watch(job), ""


class LaunchForm:
    """The form that launches a run or a dry run."""

    def __init__(self, tabs: gr.Tabs) -> None:
        self.tabs = tabs
        self.draft = FormDraft("launch", tabs, "launch")
        self.status = status_line()
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        with gr.Row():
            self.benchmark = gr.Dropdown([], label=_("Benchmark to run"), min_width=260)
            self.client = gr.Radio(
                view.clients(), value="local", label=_("Where the model is"), min_width=260
            )
        with gr.Row() as self.local:
            self.folder = gr.Dropdown([], label=_("Model"), info=_(view.FOLDER), allow_custom_value=True)
        with gr.Row(visible=False) as self.server:
            self.address = gr.Textbox(
                label=_("Server address"), info=_(view.ADDRESS), max_length=500, min_width=260
            )
            self.served = gr.Textbox(
                label=_("Name of the model there"), info=_(view.SERVED), max_length=300, min_width=260
            )
            self.key = gr.Textbox(
                label=_("Variable that holds the key"), info=_(view.KEY), max_length=100, min_width=260
            )
        self.consent = gr.CheckboxGroup([], label=_("Consent"), info=_(view.CONSENT), visible=False)
        with gr.Row():
            self.label = gr.Textbox(
                label=_("Name of the new run"), info=_(view.LABEL), max_length=LONGEST_LABEL, min_width=260
            )
            self.limit = gr.Number(
                0, label=_("Number of answers"), info=_(view.LIMIT), precision=0, min_width=260
            )
        with gr.Accordion(_("Settings"), open=False):
            with gr.Row():
                self.tokens = gr.Number(
                    256,
                    label=_("Longest answer, in tokens"),
                    info=_(view.TOKENS),
                    precision=0,
                    minimum=1,
                    min_width=260,
                )
                self.temperature = gr.Number(
                    0,
                    label=_("Temperature"),
                    info=_(view.TEMPERATURE),
                    step=0.1,
                    minimum=0,
                    maximum=2,
                    min_width=260,
                )
            with gr.Row():
                self.samples = gr.Number(
                    1,
                    label=_("Answers to each question"),
                    info=_(view.SAMPLES),
                    precision=0,
                    minimum=1,
                    min_width=260,
                )
                self.seed = gr.Number(
                    0, label=_("Seed"), info=_(view.SEED), precision=0, minimum=0, min_width=260
                )
        self.outlook = gr.Markdown(elem_id="launch-outlook")
        with gr.Row():
            self.dry_run = gr.Button(_("Dry run: tokens and time"), min_width=180)
            self.run = gr.Button(_("Launch the run"), variant="primary", min_width=180)

    def listen(self, handlers: LaunchHandlers, page: gr.Blocks, job: list[gr.components.Component]) -> None:
        """Register the handlers; `job` are the components that show the job."""
        on = partial(listen, status=self.status)
        opened = [self.tabs, self.benchmark, self.folder, self.outlook]
        loading = on(page.load, handlers.load_choices, outputs=opened)
        kind = [self.benchmark, self.client, self.address]
        adapted = [self.local, self.server, self.consent]
        changed = partial(
            gr.on, [self.benchmark.input, self.client.input, self.address.blur, self.draft.restored.change]
        )
        on(changed, handlers.adapt, kind, adapted, trigger_mode=EVERY_TIME)
        told = [self.benchmark, self.client, self.folder, self.served]
        changed = partial(
            gr.on, [*(one.input for one in told[:3]), self.served.blur, self.draft.restored.change]
        )
        on(changed, handlers.tell, told, [self.outlook], trigger_mode="always_last", show_progress="hidden")
        values = [
            *(self.benchmark, self.client, self.folder, self.address, self.served, self.key, self.consent),
            *(self.label, self.tokens, self.limit, self.temperature, self.samples, self.seed),
        ]
        fields = dict(zip(LaunchValues.model_fields, values, strict=True))
        del fields["consent"]  # what was consented to is asked anew
        self.draft.listen(fields, loading.then)
        in_sight(on(self.dry_run.click, handlers.dry_run, values, job))
        launching = on(self.run.click, handlers.run, values, job)
        in_sight(launching)
        self.draft.forget_after(launching, self.status)
