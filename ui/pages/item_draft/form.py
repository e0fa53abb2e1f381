"""The form of an item draft: its components, and their values."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.drafted_item import LONGEST_REASON, ItemContent
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.db.work.drafts.item_drafts import ItemDraft
from clinicnum.types import Instance
from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.item_draft import view

LIMITED = ("numeric", "medcalc")


@dataclass(frozen=True)
class ItemForm:
    """The components of the form."""

    panel: gr.Column
    facts: gr.Markdown
    original: gr.Textbox
    revision: gr.Textbox
    """Hidden: the revision that the browser shows, on which a save is based."""
    kind: gr.Radio
    fields: list[gr.Textbox]
    """Context, question, options, answer, lower, upper, points, reason."""
    faults: gr.Markdown
    changed: gr.Dataframe
    similar: gr.Dataframe
    buttons: list[gr.Button]
    """Save, submit, take back, discard."""

    def values(self) -> list[Any]:
        """What the page sends: revision, kind, then the fields."""
        return [self.revision, self.kind, *self.fields]

    def outputs(self) -> list[Any]:
        """The components in the order of the values of `form_values`."""
        head = [self.panel, self.facts, self.original, self.revision, self.kind]
        return [*head, *self.fields, *self.checks(), *self.buttons]

    def checks(self) -> list[Any]:
        """The components that show what the checks found."""
        return [self.faults, self.changed, self.similar]


def item_form() -> ItemForm:
    """Create the components, hidden until a draft is chosen."""
    # Outside the panel, as showing a column shows hidden fields in it.
    revision = gr.Textbox(visible="hidden", show_label=False, container=False)
    with gr.Column(visible=False, elem_id="item-form") as panel:
        facts = gr.Markdown()
        original = gr.Textbox(label=_("Original"), interactive=False, lines=4, max_lines=16)
        kind = gr.Radio(view.kind_choices(), label=_("Kind"), elem_id="item-kind")
        context = gr.Textbox(label=_("Text"), lines=4, max_lines=24, elem_id="item-context")
        question = gr.Textbox(label=_("Question"), lines=2, max_lines=12, elem_id="item-question")
        options = gr.Textbox(label=_("Options"), info=_("One a line"), lines=4, max_lines=26)
        answer = gr.Textbox(label=_("Gold answer"), lines=1, max_lines=6, elem_id="item-answer")
        with gr.Row():
            lower = gr.Textbox(label=_("Least right value"), info=_(view.LIMIT_HELP))
            upper = gr.Textbox(label=_("Greatest right value"))
        points = gr.Textbox(label=_("Answer points"), info=_("One a line"), lines=4, max_lines=26)
        reason = gr.Textbox(
            label=_("Reason"),
            info=_("Why the gold answer is right: a source, a rule, the steps. Experts do not see it."),
            lines=2,
            max_lines=10,
            max_length=LONGEST_REASON,
        )
        with gr.Row():
            save = gr.Button(_("Save and check"))
            submit = gr.Button(_("Submit for review"), variant="primary")
            take_back = gr.Button(_("Take back"), visible=False)
            discard = gr.Button(_("Discard"))
        faults = gr.Markdown(elem_id="item-faults")
        changed = data_table(view.CHANGED, label=_("Changed place"), visible=False, explains=None)
        similar = data_table(
            view.SIMILAR,
            label=_("Similar items of the benchmark"),
            visible=False,
            column_widths=view.SIMILAR_WIDTHS,
            explains="similar_items",
        )
    fields = [context, question, options, answer, lower, upper, points, reason]
    buttons = [save, submit, take_back, discard]
    return ItemForm(panel, facts, original, revision, kind, fields, faults, changed, similar, buttons)


def form_values(one: ItemDraft | None, check: ItemCheck | None = None) -> tuple[Any, ...]:
    """Values of `ItemForm.outputs` for a draft; None hides the form."""
    if one is None:
        return (gr.update(visible=False), *[gr.skip()] * 19)
    status = one.draft.summary.status
    is_open = status == "open"
    return (
        gr.update(visible=True),
        view.facts(one),
        view.original_text(one.original),
        str(one.draft.summary.revision),
        gr.update(value=one.content.kind, interactive=is_open, info=_(view.KIND_HELP[one.content.kind])),
        *field_values(one.content, one.original, is_open=is_open),
        *check_values(check),
        gr.update(visible=is_open),
        gr.update(visible=is_open),
        gr.update(visible=status == "submitted"),
        gr.update(visible=is_open),
    )


def field_values(content: ItemContent, original: Instance, *, is_open: bool) -> tuple[Any, ...]:
    """Values of the form's fields; those that the kind of item leaves as in the original cannot be edited."""
    gold, new = content.kind != "paraphrase", content.kind == "new"
    limited = original.scoring in LIMITED and original.answer_type in ("number", "count")
    points = original.scoring == "points"
    return (
        gr.update(value=content.context, interactive=is_open),
        gr.update(value=content.question, interactive=is_open),
        gr.update(
            value=view.on_lines(content.options), interactive=is_open and new, visible=bool(original.options)
        ),
        gr.update(
            value=content.answer, interactive=is_open and gold, info=_(view.GOLD_HELP[original.scoring])
        ),
        gr.update(value=content.lower, interactive=is_open and gold, visible=limited),
        gr.update(value=content.upper, interactive=is_open and gold, visible=limited),
        gr.update(value=view.on_lines(content.points), interactive=is_open and gold, visible=points),
        gr.update(value=content.reason, interactive=is_open, visible=gold),
    )


def check_values(check: ItemCheck | None) -> tuple[Any, ...]:
    """Values of `ItemForm.checks`; None clears them."""
    if check is None:
        return "", gr.update(visible=False), gr.update(visible=False)
    changed, similar = view.changed_rows(check), view.similar_rows(check)
    return (
        view.fault_list(check),
        gr.update(value=changed, visible=bool(changed)),
        gr.update(value=similar, visible=bool(similar)),
    )
