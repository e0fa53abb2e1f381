"""The curators' page of reviews: rounds, what waits for one, figures, checklist, comments, decision."""

from typing import Annotated, Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.review import LONGEST_COMMENT
from clinicnum.annotations.curation.trial_cache import cached_trial
from clinicnum.db.sessions import Store
from clinicnum.db.work.review import curator_rounds, panels, review_queue, review_rounds
from clinicnum.db.work.review.review_rows import find_curator
from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.review_rounds.view import planning_view, reviewables_view, round_view, rounds_view

NOTHING: Reply = {"rounds": [], "waiting": [], "unreviewed": 0, "open": None, "planning": None}
Name = Annotated[str, Field(max_length=100)]


class Message(Frozen):
    """What the page sends."""

    action: Literal["show", "list", "find", "plan", "open", "invite", "withdraw", "reply", "accept", "return"]
    round: str = Field(default="", pattern=r"^([0-9a-f]{16})?$")
    template: str = Field(default="", max_length=200)
    version: int = Field(default=1, ge=1, le=1_000_000)
    experts: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    comment: str = Field(default="", pattern=r"^([0-9a-f]{16})?$")
    text: str = Field(default="", max_length=LONGEST_COMMENT)


class RoundsHandlers:
    """The page's events; the gate has checked the right, and each step checks it again.

    Not async: instances are drawn and trials made in a thread, and outside of transactions that write.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> Reply:
        """All rounds, and what waits for one."""
        return self._board()

    def change(self, payload: Any, request: gr.Request) -> Reply:
        """Take one step, and answer with what is then so."""
        told: Reply = {}
        shown: str | None = None
        user = str(request.username)
        try:
            with self.store.reading() as session:
                find_curator(session, user)
        except ClinicnumError as error:
            return NOTHING | bad(error)
        try:
            message = parse(Message, payload)
            shown = message.round or None
            if message.action == "find":
                return self._found(message.text)
            if message.action == "plan":
                return self._board() | {"planning": self._planning(message)}
            if message.action == "open":
                shown, told = self._open(message, user)
            elif message.action not in ("show", "list"):
                told = good(self._change(message, user))
            return self._board() | {"open": self._round(shown, user) if shown else None} | told
        except ClinicnumError as error:
            return self._after(error, shown, user)

    def _after(self, error: ClinicnumError, shown: str | None, user: str) -> Reply:
        """Why nothing was done, with the round as it stands."""
        board = self._board() | bad(error)
        try:
            return board | {"open": self._round(shown, user) if shown else None}
        except ClinicnumError:
            return board

    def _board(self) -> Reply:
        with self.store.reading() as session:
            return {
                "rounds": rounds_view(curator_rounds.list_rounds(session)),
                "waiting": reviewables_view(review_queue.waiting_versions(session)),
                "unreviewed": review_queue.count_unreviewed(session),
                "open": None,
                "planning": None,
                "message": None,
            }

    def _found(self, text: str) -> Reply:
        with self.store.reading() as session:
            found = review_queue.find_reviewable(session, text)
        return {"found": reviewables_view(found), "message": None}

    def _planning(self, message: Message) -> dict[str, Any]:
        with self.store.reading() as session:
            people = review_queue.reviewer_candidates(
                session, template_id=message.template, version=message.version
            )
        return planning_view(message.template, message.version, people)

    def _open(self, message: Message, actor: str) -> tuple[str, Reply]:
        asked: dict[str, Any] = {
            "template_id": message.template,
            "version": message.version,
            "experts": message.experts,
        }
        with self.store.reading() as session:
            planned = review_rounds.plan_round(session, **asked)
        with self.store.writing() as session:
            made = review_rounds.open_round(session, **asked, actor=actor, planned=planned)
        return made, good(f"The round is open: {len(message.experts)} experts are invited.")

    def _change(self, message: Message, actor: str) -> str:
        about: dict[str, Any] = {"round_id": message.round, "actor": actor}
        if message.action in ("accept", "return"):
            return self._close(message, actor)
        with self.store.writing() as session:
            if message.action == "invite":
                panels.invite(session, **about, expert=message.text)
                return f"{message.text} is invited."
            if message.action == "withdraw":
                panels.withdraw(session, **about, expert=message.text)
                return f"The invitation of {message.text} is taken back for this round."
            review_rounds.reply(session, **about, comment=message.comment, text=message.text)
            return "The comment is answered."

    def _close(self, message: Message, actor: str) -> str:
        accept = message.action == "accept"
        with self.store.reading() as session:
            template = curator_rounds.round_template(session, message.round)
        trial = cached_trial(template)
        with self.store.writing() as session:
            review_rounds.close_round(
                session, round_id=message.round, accept=accept, trial=trial, actor=actor, reason=message.text
            )
        return f"{template.id} version {template.version} is " + ("validated." if accept else "returned.")

    def _round(self, round_id: str, viewer: str) -> dict[str, Any]:
        with self.store.reading() as session:
            template = curator_rounds.round_template(session, round_id)
        trial = cached_trial(template)
        with self.store.reading() as session:
            view = curator_rounds.load_round(session, round_id=round_id, viewer=viewer, trial=trial)
            people = review_queue.reviewer_candidates(
                session, template_id=template.id, version=template.version
            )
        return round_view(view, people)


def build_rounds(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `curate`."""
    handlers = RoundsHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Reviews · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/rounds")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Reviews</h1><div class="rd-message" role="status"></div>'
            '<div class="rd-root"></div></div>',
            js_on_load=script("dom.js", "rounds_views.js", "rounds.js"),
            apply_default_css=False,
            elem_id="rounds",
        )
        page.load(handlers.load, None, board, **quiet)
        board.select(handlers.change, board, board, **quiet)
    return page
