"""The new-study form: preview the sample that a design draws, then open exactly that study."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from clinicnum.annotations.deadline import read_deadline, today
from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.db.work.explore.explorer import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies import new_study
from clinicnum.db.work.studies.study_progress import list_progress
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import content_id
from clinicnum.ui.components.gradio_page import (
    Outputs,
    data_table,
    error_message,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.terms import labelled
from clinicnum.ui.pages.studies import new_study_view as view
from clinicnum.ui.pages.studies.new_study_values import StudyForm
from clinicnum.ui.pages.studies.view import DEADLINE

NEW = "new"
"""The id of the form's tab."""
SLICE = ("runs", "where", "search")
"""Parameters of the address that name a slice."""


class NewStudyHandlers:
    """The form's events. Not async, so that drawing large samples runs in a worker thread."""

    def __init__(
        self, store: Store, explorer: Explorer, fields: tuple[str, ...], board: Callable[[str], Outputs]
    ) -> None:
        self.store = store
        self.explorer = explorer
        self.fields = fields
        self.board = board

    def load_choices(self, request: gr.Request) -> Outputs:
        """Show the available runs and annotators, or what is missing before a study can be created; and the
        slice, if one is in the address.
        """
        with self.store.reading() as session:
            people, studies = users.list_users(session), list_progress(session)
            runs = view.run_choices(stored_runs.list_runs(session))
        annotators = view.annotator_choices(people)
        lacks = "" if runs and annotators else _(view.NO_ANNOTATOR) if runs else _(view.NO_RUN)
        slice_, chosen, note = self._slice(request)
        return (
            "",
            gr.update(value=lacks, visible=bool(lacks)),
            gr.update(visible=not lacks),
            gr.update(choices=runs, value=chosen or ([runs[0][1]] if len(runs) == 1 else [])),
            gr.update(choices=annotators),
            gr.update(choices=view.reference_choices(studies), value=""),
            slice_,
            note,
            gr.Tabs(selected=NEW) if slice_ else gr.skip(),
        )

    def _slice(self, request: gr.Request) -> tuple[str, list[str], str]:
        """The slice in the address, its runs, and a note on it; empty without one."""
        given = dict(request.query_params)
        if not given.get("runs"):
            return "", [], ""
        slice_ = urlencode({key: given.get(key, "") for key in SLICE})
        try:
            asked = validated(StudyForm, slice=slice_).slice_query() or SliceQuery()
            with self.store.reading() as session:
                n = len(self.explorer.keys(session, user_id=str(request.username), query=asked))
        except ClinicnumError as error:
            return "", [], error_message(error)
        return slice_, list(asked.runs), view.slice_note(asked.words(), n)

    def preview(self, request: gr.Request, *values: object) -> Outputs:
        """Preview the study's sample and workload; nothing is written."""
        form = self._form(values)
        read_deadline(form.deadline, now=today())
        planned = self._plan(form, new_study.new_seed(), str(request.username))
        found = planned.preview(seconds_an_item=form.seconds_an_item)
        return (
            "",
            gr.update(visible=True),
            view.preview_view(found),
            gr.update(value=view.strata_rows(found), label=view.strata_label(found)),
            f"{planned.seed} {sample_fingerprint(form)} {left_out_fingerprint(planned)}",
            gr.update(interactive=True),
        )

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
        with self.store.writing() as session:
            made = new_study.open_planned(
                session,
                planned,
                name=form.name,
                taxonomy=load_taxonomy(),
                guideline=form.guideline,
                deadline=read_deadline(form.deadline, now=today()),
                actor=str(request.username),
            )
        said = view.opened(made)
        if planned.left_out:
            left_out_words = _(planned.left_out)
            said += f" {left_out_words[0].upper()}{left_out_words[1:]}."
        emptied = gr.update(visible=False), "", gr.update(interactive=False), ""
        return success_message(said), *emptied, *self.board(form.name)

    def _form(self, values: tuple[object, ...]) -> StudyForm:
        named: dict[str, Any] = dict(zip(self.fields, values, strict=True))
        if isinstance(named["templates"], str):
            named["templates"] = [one.strip() for one in named["templates"].split(",") if one.strip()]
        empty = {name: named[name] or None for name in ("size", "qualifying", "references_from")}
        return validated(StudyForm, **{**named, **empty})

    def _plan(self, form: StudyForm, seed: str, user_id: str) -> new_study.PlannedStudy:
        """Draw the sample before opening the write transaction, so that annotators are not blocked."""
        asked = form.slice_query()
        with self.store.reading() as session:
            keys = None if asked is None else self.explorer.keys(session, user_id=user_id, query=asked)
            return new_study.plan_stored(
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


def left_out_fingerprint(planned: new_study.PlannedStudy) -> str:
    """A fingerprint of the invalidated instances, which are not drawn."""
    return content_id(sorted(planned.material.invalidated))


class NewStudyForm:
    """The form's components and its preview."""

    def __init__(self, store: Store, explorer: Explorer) -> None:
        self.store, self.explorer = store, explorer
        self.lacks = gr.Markdown(visible=False)
        with gr.Column(visible=False) as self.form:
            self.slice_note = gr.HTML(apply_default_css=False)
            self.fields = _fields()
            with gr.Row():
                self.preview = gr.Button(_("Preview"), variant="primary")
                self.create = gr.Button(_("Open the study"), interactive=False)
        self.status = status_line()
        with gr.Column(visible=False) as self.previewed:
            self.facts = gr.HTML(apply_default_css=False)
            self.strata = data_table(view.STRATA_COLUMNS, elem_id="strata")
        self.drawn = gr.Textbox("", visible=False, label="Previewed")

    def listen(
        self,
        page: gr.Blocks,
        tabs: gr.Tabs,
        board: Callable[[str], Outputs],
        outputs: list[gr.components.Component],
    ) -> None:
        """Register the handlers; `board` returns the values of `outputs` that show the new study."""
        fields, values = self.fields, list(self.fields.values())
        handlers = NewStudyHandlers(self.store, self.explorer, tuple(fields), board)
        on = partial(listen, status=self.status)
        choices = [self.lacks, self.form, fields["runs"], fields["annotators"], fields["references_from"]]
        on(page.load, handlers.load_choices, outputs=[*choices, fields["slice"], self.slice_note, tabs])
        shown = [self.previewed, self.facts, self.strata, self.drawn, self.create]
        on(self.preview.click, handlers.preview, values, shown, show_progress_on=[self.preview])
        reset = [self.previewed, self.drawn, self.create, fields["name"]]
        on(self.create.click, handlers.create, [self.drawn, *values], [*reset, *outputs])


def _fields() -> Mapping[str, gr.components.Component]:
    """Create the form's fields, by their name in StudyForm, in page order."""
    made: dict[str, gr.components.Component] = {
        "name": gr.Textbox(label=_("Name of the study"), max_length=100),
        "slice": gr.Textbox("", visible="hidden", show_label=False, container=False),
        "runs": gr.CheckboxGroup([], label=_("Runs"), info=_("All on one benchmark.")),
        "annotators": gr.CheckboxGroup([], label=_("Annotators")),
    }
    with gr.Row():
        made["overlap"] = _number(_("Annotators per item"), 3, minimum=1)
        made["lease_minutes"] = _number(_("Lease time (minutes)"), 120, minimum=5)
    made["include"] = gr.Radio(labelled(view.INCLUDE_CHOICES), value="mixed", label=_("Sample"))
    with gr.Row():
        made["size"] = _number(_("Base questions (0: all)"), 0)
        made["variants"] = _number(_("Variants, in strata of their own"), 0)
        made["correct_percent"] = _number(_("Scored-correct share where mixed (%)"), 15, maximum=90)
    with gr.Accordion(_("Filters: none chosen means all"), open=False):
        made["operations"] = gr.CheckboxGroup(view.operation_choices(), label=_("Operations"))
        made["representations"] = gr.CheckboxGroup(view.representation_choices(), label=_("Representations"))
        made["statuses"] = gr.CheckboxGroup(view.status_choices(), label=_("Score"))
        made["templates"] = gr.Textbox(label=_("Template ids, joined by commas"), max_length=4000)
    with gr.Accordion(_("Training, control items and repeats"), open=False):
        gr.Markdown(_(view.QUALITY), elem_classes="cn-hint")
        with gr.Row():
            made["training"] = _number(_("Training items"), 0)
            made["qualifying"] = _number(_("Of these right to go on (0: no threshold)"), 0)
            made["controls"] = _number(_("Control items"), 0)
            made["repeat_percent"] = _number(_("Blind repeats (% of items)"), 0, maximum=50)
        made["references_from"] = gr.Dropdown([(_("No study"), "")], value="", label=_("References from"))
    made["suggestions"] = gr.Radio(
        labelled(view.POLICY_CHOICES),
        value="hidden",
        label=_("Suggested causes"),
        info=_("Computed from the text when the study opens."),
    )
    made["guideline"] = gr.Textbox(
        label=_("Guideline"), info=_(view.OWN_GUIDELINE), lines=6, max_length=50_000
    )
    made["deadline"] = gr.Textbox(label=_("Deadline"), info=_(DEADLINE), max_length=20)
    made["own_fields"] = gr.Textbox(
        label=_("Fields of the study's own"), info=_(view.OWN_FIELDS), lines=4, max_length=50_000
    )
    made["seconds_an_item"] = _number(
        _("Seconds per item, to estimate the hours"), 60, minimum=1, maximum=3600
    )
    return made


def _number(label: str, value: int, minimum: int = 0, maximum: int | None = None) -> gr.Number:
    return gr.Number(value, label=label, minimum=minimum, maximum=maximum, precision=0, min_width=200)
