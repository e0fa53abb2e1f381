"""The fields of the new-study form: basic ones first, the rest folded by purpose."""

from collections.abc import Mapping
from typing import Any

import gradio as gr

from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.studies import new_study_view as view
from clinicnum.ui.pages.studies.view import DEADLINE

Fields = dict[str, gr.components.Component]


def study_fields() -> Mapping[str, gr.components.Component]:
    """Create the form's fields, by their name in StudyForm, in page order."""
    made = _first()
    with gr.Accordion(_("More settings: every one has a usual value"), open=False):
        with gr.Accordion(_("Which answers are drawn: right ones, variants, filters"), open=False):
            made |= _drawn()
        with gr.Accordion(
            _("Are annotators ready and consistent? Training, control items, repeats"), open=False
        ):
            made |= _quality()
        with gr.Accordion(_("What annotators see: guideline, suggestions, further questions"), open=False):
            made |= _seen()
        with gr.Accordion(_("Time: deadline, reserved items, estimate"), open=False):
            made |= _time()
    return made


def _first() -> Fields:
    made: Fields = {
        "name": gr.Textbox(label=_("Name of the study"), info=_("Annotators see it."), max_length=2_000),
        "slice": gr.Textbox("", visible="hidden", show_label=False, container=False),
        "runs": gr.CheckboxGroup([], label=_("Runs"), info=_(view.RUNS)),
    }
    with gr.Row():
        choices = labelled(view.INCLUDE_CHOICES)
        made["include"] = gr.Radio(choices, value="mixed", label=_("Which of their answers"), min_width=330)
        made["annotators"] = gr.CheckboxGroup([], label=_("Who labels"), min_width=330)
    with gr.Row():
        made["size"] = _number(_("How many answers"), 0, _(view.SIZE))
        made["overlap"] = _number(_("How many people label each answer"), 3, _(view.OVERLAP), minimum=1)
    return made


def _drawn() -> Fields:
    made: Fields = {}
    with gr.Row():
        made["correct_percent"] = _number(
            _("Share of answers scored right (%)"), 15, _(view.CORRECT), maximum=90
        )
        made["variants"] = _number(_("How many answers to variants"), 0, _(view.VARIANTS))
    operations, representations = view.operation_choices(), view.representation_choices()
    made["operations"] = gr.CheckboxGroup(operations, label=_("Operations"), info=_(view.ALL))
    made["representations"] = gr.CheckboxGroup(
        representations, label=_("How records are written"), info=_(view.ALL)
    )
    made["statuses"] = gr.CheckboxGroup(view.status_choices(), label=_("Score"), info=_(view.ALL))
    made["templates"] = gr.Textbox(label=_("Template ids"), info=_(view.TEMPLATES), max_length=4000)
    return made


def _quality() -> Fields:
    made: Fields = {}
    gr.Markdown(_(view.QUALITY), elem_classes="cn-hint")
    made["references_from"] = gr.Dropdown(
        [(_("No study"), "")], value="", label=_("Reference labels from"), info=_(view.REFERENCES)
    )
    with gr.Row():
        made["training"] = _number(_("Training items"), 0, _(view.TRAINING))
        made["qualifying"] = _number(_("Of these right to go on"), 0, _(view.QUALIFYING))
    with gr.Row():
        made["controls"] = _number(_("Control items"), 0, _(view.CONTROLS))
        made["repeat_percent"] = _number(_("Blind repeats (%)"), 0, _(view.REPEATS), maximum=50)
    with gr.Row():
        made["adjudicated"] = gr.Checkbox(
            value=True, label=_("Adjudicators settle more than labels"), info=_(view.ADJUDICATED)
        )
        made["rating_limit"] = _number(
            _("Points that ratings may be apart"), 1, _(view.RATING_LIMIT), maximum=8
        )
    return made


def _seen() -> Fields:
    return {
        "guideline": gr.Textbox(label=_("Guideline"), info=_(view.OWN_GUIDELINE), lines=6, max_length=50_000),
        "suggestions": gr.Radio(
            labelled(view.POLICY_CHOICES),
            value="hidden",
            label=_("Suggested causes"),
            info=_(view.SUGGESTIONS),
        ),
        "own_fields": gr.Textbox(
            label=_("Fields of the study's own"), info=_(view.OWN_FIELDS), lines=4, max_length=50_000
        ),
        "axes": gr.Textbox(label=_("Axes"), info=_(view.AXES), lines=4, max_length=50_000),
        "reference": gr.Checkbox(
            label=_("Show the gold answer beside the answer that is rated"), info=_(view.REFERENCE)
        ),
    }


def _time() -> Fields:
    made: Fields = {"deadline": gr.Textbox(label=_("Deadline"), info=_(DEADLINE), max_length=20)}
    with gr.Row():
        made["lease_minutes"] = _number(_("Lease time (minutes)"), 120, _(view.LEASE), minimum=5)
        made["seconds_an_item"] = _number(_("Seconds per item"), 60, _(view.SECONDS), minimum=1, maximum=3600)
    return made


def _number(label: str, value: int, info: str, **limits: Any) -> gr.Number:
    return gr.Number(value, label=label, info=info, precision=0, min_width=200, **{"minimum": 0, **limits})
