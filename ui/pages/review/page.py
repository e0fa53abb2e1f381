"""The page on which an expert reviews templates: a list of invitations, then one sheet.

No gold comes here, and nothing of other experts: `clinicnum.db.work.review.expert_review` has neither.
"""

from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.review import ReviewSheet
from clinicnum.db.sessions import Store
from clinicnum.db.work.review.expert_review import hand_in, list_invitations, load_review, save_sheet
from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.review.view import invitations_view, review_view

HANDED_IN = "Handed in. Thank you. Answers to your comments will stand here."


class Message(Frozen):
    """What the page sends."""

    action: Literal["list", "open", "save", "hand_in"]
    round: str = Field(default="", pattern=r"^([0-9a-f]{16})?$")
    sheet: ReviewSheet = ReviewSheet()


class ReviewHandlers:
    """The page's events. Each answers with what is then so."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Reply:
        """The expert's invitations."""
        return self._list(str(request.username))

    def change(self, payload: Any, request: gr.Request) -> Reply:
        """Open a review, keep its sheet, or hand it in."""
        user = str(request.username)
        try:
            message = parse(Message, payload)
            if message.action == "list":
                return self._list(user)
            if message.action == "save":
                return self._save(message, user)
            told: Reply = {}
            if message.action == "hand_in":
                with self.store.writing() as session:
                    hand_in(session, user_id=user, round_id=message.round, sheet=message.sheet)
                told = good(HANDED_IN)
            return self._open(message.round, user) | told
        except ClinicnumError as error:
            return {"kind": "refused", **bad(error)}

    def _save(self, message: Message, user: str) -> Reply:
        """Quietly: the page goes on while it is typed in."""
        try:
            with self.store.writing() as session:
                save_sheet(session, user_id=user, round_id=message.round, sheet=message.sheet)
        except ClinicnumError as error:
            return {"kind": "unsaved", **bad(error)}
        return {"kind": "saved", "message": None}

    def _list(self, user: str) -> Reply:
        try:
            with self.store.reading() as session:
                invitations = list_invitations(session, user_id=user)
        except ClinicnumError as error:
            return {"kind": "refused", **bad(error)}
        return {"kind": "list", "invitations": invitations_view(invitations), "message": None}

    def _open(self, round_id: str, user: str) -> Reply:
        with self.store.reading() as session:
            review = load_review(session, user_id=user, round_id=round_id)
        return {"kind": "review", "review": review_view(review), "message": None}


def build_review(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `review_templates`."""
    handlers = ReviewHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Review templates · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/review")
        desk = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Review templates</h1><div class="rv-root"></div>'
            '<div class="rv-message" role="status"></div></div>',
            js_on_load=script("dom.js", "review.js"),
            apply_default_css=False,
            elem_id="review",
        )
        page.load(handlers.load, None, desk, **quiet)
        desk.select(handlers.change, desk, desk, **quiet)
    return page
