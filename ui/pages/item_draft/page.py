"""The page of item drafts: a paraphrase, counterfactual or new question, checked and sent to review."""

from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.drafted_item import ItemContent, ItemKind
from clinicnum.annotations.curation.drafts import StaleDraft
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.drafts import drafts, item_drafts
from clinicnum.db.work.drafts.item_drafts import ItemDraft
from clinicnum.errors import ClinicnumError, Conflict, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    error_message,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.item_draft import view
from clinicnum.ui.pages.item_draft.form import (
    check_values,
    field_values,
    form_values,
    item_form,
)


class FormInputs(Frozen):
    """What the form sends."""

    draft: str = Field(default="", pattern=r"^([0-9a-f]{16})?$")
    revision: int = Field(default=0, ge=0, lt=2**31)
    kind: ItemKind = "paraphrase"
    context: str = ""
    question: str = ""
    options: str = ""
    answer: str = ""
    lower: str = Field(default="", max_length=100)
    upper: str = Field(default="", max_length=100)
    points: str = ""
    reason: str = ""

    @classmethod
    def of(cls, draft: object, values: tuple[object, ...]) -> "FormInputs":
        """The form's values, the draft's id first. Raises InputError if no draft is chosen."""
        names = [name for name in cls.model_fields if name != "draft"]
        found = validated(cls, draft=draft, **dict(zip(names, values, strict=True)))
        if not found.draft:
            raise InputError(Translatable("Choose a draft first."))
        return found

    def content(self, one: ItemDraft) -> ItemContent:
        """The content of the draft as the form has it."""
        original = one.original
        typed = validated(
            ItemContent,
            kind=self.kind,
            base=one.content.base,
            context=self.context,
            question=self.question,
            options=view.from_lines(self.options, original.options),
            answer=self.answer.strip(),
            lower=self.lower.strip(),
            upper=self.upper.strip(),
            points=view.from_lines(self.points, [point.text for point in original.points]),
            reason=self.reason,
        )
        return view.gold_of(typed, original)


class ItemDraftHandlers:
    """The page's events; the middleware has checked the right, and each step checks it again."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """The list of drafts, and the one named in the URL."""
        asked = str(request.query_params.get("draft", ""))[:100]
        if not asked:
            return "", *self._listed(None), *form_values(None)
        try:
            return "", *self._listed(asked), *self._form(asked)
        except ClinicnumError as error:
            return error_message(error), *self._listed(None), *form_values(None)

    def select_row(self, selected: gr.SelectData) -> Outputs:
        """Open the draft of the clicked row."""
        row = selected.row_value
        key = str(row[-1]) if isinstance(row, list) and row else ""
        return "", key, *self._form(key)

    def open_draft(self, draft: object) -> Outputs:
        """Open the draft chosen in the dropdown; an empty choice hides the form."""
        if draft is None:
            return "", *form_values(None)
        return "", *self._form(validated(FormInputs, draft=draft).draft)

    def choose_kind(self, draft: object, *values: object) -> Outputs:
        """Show the fields as another kind of item needs them; what was typed stays, unless it has to be as in
        the original.
        """
        of = FormInputs.of(draft, values)
        with self.store.reading() as session:
            one = item_drafts.load_item(session, of.draft)
        fields = field_values(of.content(one), one.original, is_open=True)
        return "", gr.update(info=_(view.KIND_HELP[of.kind])), *fields, *check_values(None)

    def save(self, request: gr.Request, draft: object, *values: object) -> Outputs:
        """Save the form and show what the checks find."""
        of = FormInputs.of(draft, values)
        self._save(of, request)
        return success_message(_(view.SAVED)), *self._listed(of.draft), *self._form(of.draft, checked=True)

    def submit(self, request: gr.Request, draft: object, *values: object) -> Outputs:
        """Save the form and send the item to review; if a check finds a fault, only save it."""
        of = FormInputs.of(draft, values)
        revision = self._save(of, request)
        try:
            with self.store.writing() as session:
                item_drafts.submit_item(
                    session, draft_id=of.draft, revision=revision, actor=str(request.username)
                )
        except InputError as error:
            return (
                error_message(error),
                *self._listed(of.draft),
                *self._form(of.draft, checked=True),
            )
        message = success_message(_("The item is sent to review: a curator invites its experts."))
        return message, *self._listed(of.draft), *self._form(of.draft)

    def take_back(self, request: gr.Request, draft: object) -> Outputs:
        """Reopen a draft whose review has not begun."""
        key = validated(FormInputs, draft=draft).draft
        with self.store.writing() as session:
            drafts.take_back(session, draft_id=key, actor=str(request.username))
        return success_message(_("The draft is open again.")), *self._listed(key), *self._form(key)

    def discard(self, request: gr.Request, draft: object) -> Outputs:
        """Discard the draft; it leaves the list."""
        key = validated(FormInputs, draft=draft).draft
        with self.store.writing() as session:
            drafts.discard(session, draft_id=key, actor=str(request.username))
        return success_message(_("The draft is discarded.")), *self._listed(None), *form_values(None)

    def _save(self, of: FormInputs, request: gr.Request) -> int:
        with self.store.reading() as session:
            one = item_drafts.load_item(session, of.draft)
        try:
            with self.store.writing() as session:
                return item_drafts.save_item(
                    session,
                    draft_id=of.draft,
                    revision=of.revision,
                    content=of.content(one),
                    actor=str(request.username),
                )
        except StaleDraft as error:
            raise Conflict(view.STALE) from error

    def _form(self, key: str, *, checked: bool = False) -> tuple[Any, ...]:
        with self.store.reading() as session:
            one = item_drafts.load_item(session, key)
            check = item_drafts.check_draft(session, key) if checked else None
        return form_values(one, check)

    def _listed(self, chosen: str | None) -> tuple[Any, ...]:
        """Values for the notice of an empty list, the table of drafts and the dropdown."""
        with self.store.reading() as session:
            found = drafts.list_drafts(session, kind="item")
        return (
            "" if found else _(view.NONE),
            gr.update(value=view.draft_rows(found), visible=bool(found)),
            gr.update(choices=view.draft_choices(found), value=chosen, visible=bool(found)),
        )


def build_item_draft(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    handlers = ItemDraftHandlers(store)
    with gradio_page(_("Item drafts"), "/item-draft", navbar) as page:
        gr.Markdown(_(view.ABOUT))
        status = status_line()
        on = partial(listen, status=status)
        nothing = gr.Markdown()
        table = data_table(
            view.DRAFTS,
            label=_("Drafts"),
            visible=False,
            elem_id="drafts",
            column_widths=view.DRAFT_WIDTHS,
            explains=None,
        )
        chosen = gr.Dropdown([], label=_("Draft"), info=_("Or click a row of the table."), visible=False)
        form = item_form()
        listed, values = [nothing, table, chosen], [chosen, *form.values()]
        everything = [*listed, *form.outputs()]
        on(page.load, handlers.load, outputs=everything)
        on(table.select, handlers.select_row, outputs=[chosen, *form.outputs()], trigger_mode=EVERY_TIME)
        on(chosen.input, handlers.open_draft, [chosen], form.outputs(), trigger_mode=EVERY_TIME)
        shown = [form.kind, *form.fields, *form.checks()]
        on(form.kind.input, handlers.choose_kind, values, shown, trigger_mode=EVERY_TIME)
        save, submit, take_back, discard = form.buttons
        on(save.click, handlers.save, values, everything)
        on(submit.click, handlers.submit, values, everything)
        on(take_back.click, handlers.take_back, [chosen], everything)
        on(discard.click, handlers.discard, [chosen], everything)
    return page
