"""The review page: an expert's invitations, and the review sheet of the chosen one, a template or an item.

It shows neither golds nor other experts' reviews: `clinicnum.db.work.review.expert_review` loads neither.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.review_sheet import (
    CASES,
    RATING_SCALES,
    ReviewSheet,
)
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.review.expert_review import (
    ExpertReview,
    hand_in,
    list_invitations,
    load_review,
    save_sheet,
)
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import (
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
from clinicnum.ui.pages.review import view
from clinicnum.ui.pages.review.review_sheet import sheet_fields, sheet_values

LONGEST_ID = 100


def read_sheet(values: Sequence[object]) -> ReviewSheet:
    """Build the sheet from the fields' values: answers, ratings, then comments by COMMENT_SUBJECTS."""
    answers, ratings, comments = (
        values[:CASES],
        values[CASES : -len(view.COMMENT_SUBJECTS)],
        values[-len(view.COMMENT_SUBJECTS) :],
    )
    return validated(
        ReviewSheet,
        answers={str(n): one for n, one in enumerate(answers, start=1) if one not in (None, "")},
        ratings={scale: one for scale, one in zip(RATING_SCALES, ratings, strict=True) if one is not None},
        comments={
            about: one
            for about, one in zip(view.COMMENT_SUBJECTS, comments, strict=True)
            if one not in (None, "")
        },
    )


class ReviewHandlers:
    """The page's events."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show the expert's invitations, and the review named in the URL."""
        asked = str(request.query_params.get("round", ""))[:LONGEST_ID]
        listed = self._invitations(request, None)
        if not asked:
            return "", *listed, *sheet_values(None)
        try:
            review = self._load(asked, request)
        except ClinicnumError as error:
            return error_message(error), *listed, *sheet_values(None)
        return "", *self._invitations(request, asked), *sheet_values(review)

    def select_row(self, request: gr.Request, selected: gr.SelectData) -> Outputs:
        """Open the review of the clicked row."""
        row = selected.index[0] if isinstance(selected.index, list) and selected.index else None
        with self.store.reading() as session:
            found = list_invitations(session, user_id=str(request.username))
        if not isinstance(row, int) or not 0 <= row < len(found):
            raise InputError(
                Translatable("That is not among your invitations any more; load the page again.")
            )
        return "", found[row].round_id, *sheet_values(self._load(found[row].round_id, request))

    def open_review(self, request: gr.Request, round_id: object) -> Outputs:
        """Open the review chosen in the dropdown; an empty choice hides the sheet."""
        return "", *sheet_values(None if round_id is None else self._load(round_id, request))

    def save(self, request: gr.Request, round_id: object, *values: object) -> Outputs:
        """Save the unfinished sheet and report what is missing."""
        sheet, key = read_sheet(values), _round(round_id)
        with self.store.writing() as session:
            save_sheet(session, user_id=str(request.username), round_id=key, sheet=sheet)
        missing = view.missing_text(sheet, self._load(key, request))
        return "", _("Saved at {time} UTC.", time=f"{datetime.now(UTC):%H:%M}"), missing

    def ask(self, request: gr.Request, round_id: object, *values: object) -> Outputs:
        """Ask for confirmation before submitting. Raises InputError if the sheet is incomplete."""
        missing = view.missing_text(read_sheet(values), self._load(round_id, request))
        if missing:
            raise InputError(missing)
        return "", gr.update(visible=True), gr.update(visible=False)

    def submit(self, request: gr.Request, round_id: object, *values: object) -> Outputs:
        """Submit the sheet; it cannot be changed afterwards."""
        sheet, key = read_sheet(values), _round(round_id)
        with self.store.writing() as session:
            hand_in(session, user_id=str(request.username), round_id=key, sheet=sheet)
        return (
            success_message(_(view.SUBMITTED)),
            *self._invitations(request, key),
            *sheet_values(self._load(key, request)),
        )

    def cancel(self) -> Outputs:
        """Hide the confirmation without submitting."""
        return "", gr.update(visible=False), gr.update(visible=True)

    def _load(self, round_id: object, request: gr.Request) -> ExpertReview:
        with self.store.reading() as session:
            return load_review(session, user_id=str(request.username), round_id=_round(round_id))

    def _invitations(self, request: gr.Request, chosen: str | None) -> tuple[Any, ...]:
        """Values for the table of invitations, the review dropdown and the notice for an empty list."""
        with self.store.reading() as session:
            found = list_invitations(session, user_id=str(request.username))
        return (
            "" if found else _(view.NONE),
            gr.update(value=view.invitation_rows(found), visible=bool(found)),
            gr.update(choices=view.invitation_choices(found), value=chosen, visible=bool(found)),
        )


def _round(round_id: object) -> str:
    if not isinstance(round_id, str) or not 0 < len(round_id) <= LONGEST_ID or "\0" in round_id:
        raise InputError(Translatable("Choose a review first."))
    return round_id


def build_review(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `review_templates`."""
    handlers = ReviewHandlers(store)
    with gradio_page(_("Review templates"), "/review", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        nothing = gr.Markdown()
        table = data_table(
            view.INVITATIONS,
            label=_("Your invitations"),
            visible=False,
            elem_id="invitations",
            column_widths=["54%", "13%", "15%", "18%"],
            explains=None,
        )
        chosen = gr.Dropdown([], label=_("Review"), info=_("Or click a row of the table."), visible=False)
        fields = sheet_fields()
        with fields.confirmation, gr.Row():
            cancel = gr.Button(_("Cancel"))
            submit = gr.Button(_("Submit for good"), variant="primary")
        listed, sheet, values = [nothing, table, chosen], fields.outputs(), [chosen, *fields.values()]
        on(page.load, handlers.load, outputs=[*listed, *sheet])
        on(table.select, handlers.select_row, outputs=[chosen, *sheet])
        on(chosen.input, handlers.open_review, [chosen], sheet)
        # blur also catches text pasted with the mouse, without a key press.
        left = [one.blur for one in fields.values() if isinstance(one, gr.Textbox)]
        typed = partial(gr.on, [*(one.input for one in fields.values()), *left])
        kept = [fields.saved, fields.missing]
        # One save at a time; changes made meanwhile are saved afterwards.
        on(typed, handlers.save, values, kept, trigger_mode="always_last", show_progress="hidden")
        on(fields.ready.click, handlers.ask, values, [fields.confirmation, fields.ready])
        on(cancel.click, handlers.cancel, outputs=[fields.confirmation, fields.ready])
        on(submit.click, handlers.submit, values, [*listed, *sheet])
    return page
