"""The adjudicate page: items with disagreements, contests or flags, decided one at a time.

The browser gets the annotators' positions (distinct judgements) without names or counts. A decision carries
a fingerprint of the item as shown, and an upheld contest one of the consequences shown; if either has changed
since, the server refuses. Gradio only hosts the element; the script calls the actions
(`clinicnum.ui.app.page_action_routes`).
"""

from typing import Any

import gradio as gr
from anyio import CapacityLimiter

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.adjudication import adjudicate as work
from clinicnum.db.work.adjudication import answer_annotators, contest_resolution
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem, load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import choose_study, list_waiting
from clinicnum.db.work.changes.label_changes import visible_studies
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.errors import ClinicnumError, Conflict, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import page_title
from clinicnum.ui.components.html import CONTENT_ID
from clinicnum.ui.components.language import _, error_text
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.page_action import Action, Reply
from clinicnum.ui.components.static_files import static_path
from clinicnum.ui.pages.adjudicate.request_models import (
    AnswerRequest,
    AnswerThreadRequest,
    ChooseRequest,
    ConsequencesRequest,
    DecideRequest,
    ItemRequest,
    LoadRequest,
    PlaceRequest,
    RejectRequest,
    ThreadRequest,
    UpholdRequest,
)
from clinicnum.ui.pages.adjudicate.view import adjudication_item_view, queue_view, uphold_preview_view

ALL_DONE = Translatable("Nothing waits for you: no disagreement, contest, flag or reply is open.")
NOTHING_WAITS = Translatable("Nothing waits for you in the study “{study}”.")
NO_SUCH_STUDY = Translatable("There is no study “{study}” for you to decide in.")
AT_ONCE = 4
TEMPLATE = (
    '<div class="cn-page"><h1 class="cn-sr">{title}</h1>'
    '<div class="aj-live cn-sr" aria-live="polite"></div>'
    '<div class="aj-root" id="{content}" tabindex="-1"></div></div>'
)
SCRIPT = f'import("{static_path("adjudicate/page.js")}").then((page) => page.start(element));'


def _item(message: ItemRequest) -> dict[str, str]:
    return {"study_id": message.study_id, "item": message.item}


class AdjudicateHandlers:
    """The page's actions; each makes one call into `clinicnum.db.work` and returns the result as a reply."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def actions(self) -> tuple[Action, ...]:
        """All actions of the page, sharing one thread limit."""
        threads = CapacityLimiter(AT_ONCE)
        return tuple(
            Action(one, self.refuse, threads)
            for one in (
                *(self.load, self.open, self.defer, self.previous, self.decide),
                *(self.consequences, self.uphold, self.reject, self.answer_flag, self.choose),
                *(self.answer_thread, self.settle_thread),
            )
        )

    def load(self, message: LoadRequest, user_id: str) -> Reply:
        """The queue and its first item, which is of the study that the message names.

        If nothing waits in that study, or there is no such study, the reply says so.
        """
        asked = (message.study or "").strip()
        if not asked:
            return self._next(user_id)
        with self.store.reading() as session:
            waiting = list_waiting(session, user_id=user_id)
            names = {key: name for key, name, _status in visible_studies(session, user_id=user_id)}
        study_id = next((one.study_id for one in waiting if asked in (one.study_id, one.study)), None)
        if study_id is not None:
            return self.choose(ChooseRequest(study_id=study_id), user_id)
        reply = self._next(user_id)
        known = asked in names or asked in names.values()
        refused = _(NOTHING_WAITS if known else NO_SUCH_STUDY, study=names.get(asked, asked))
        shown = reply["item"] and _("This item is of the study “{study}”.", study=reply["item"]["study"])
        return {**reply, "message": f"{refused} {shown or reply['message']}"}

    def open(self, message: ItemRequest, user_id: str) -> Reply:
        """The item chosen from the queue."""
        with self.store.reading() as session:
            item = load_adjudication_item(session, user_id=user_id, **_item(message))
        return self._reply(user_id, "item", item)

    def defer(self, message: PlaceRequest, user_id: str) -> Reply:
        """The next item in the queue; the current one stays in it."""
        return self._next(user_id, message.item)

    def previous(self, message: PlaceRequest, user_id: str) -> Reply:
        """The item that the user decided before this one, to review or change the decision."""
        with self.store.reading() as session:
            item = work.previous_adjudication_item(session, user_id=user_id, item=message.item)
            if item is None:
                raise InputError("You have decided no item before this one.")
        return self._reply(user_id, "item", item)

    def decide(self, message: DecideRequest, user_id: str) -> Reply:
        """Save the decision and return the next item."""
        with self.store.writing() as session:
            work.decide(
                session,
                user_id=user_id,
                **_item(message),
                seen=message.seen,
                position=message.position,
                judgement=message.judgement,
                answers=message.answers,
                comment=message.comment,
            )
        return self._after(message, user_id)

    def consequences(self, message: ConsequencesRequest, user_id: str) -> Reply:
        """Preview the effects of upholding a contest; nothing is written."""
        with self.store.reading() as session:
            found = contest_resolution.preview_uphold(
                session, user_id=user_id, **_item(message), claim=message.claim, scope=message.scope
            )
        return {
            "kind": "uphold_preview",
            "message": None,
            "claim": message.claim,
            "uphold_preview": uphold_preview_view(found),
        }

    def uphold(self, message: UpholdRequest, user_id: str) -> Reply:
        """Uphold a contest; refused if its consequences differ from those shown."""
        with self.store.writing() as session:
            n = contest_resolution.uphold(
                session,
                user_id=user_id,
                **_item(message),
                claim=message.claim,
                scope=message.scope,
                mark=message.mark,
                comment=message.comment,
                ruling=message.ruling,
            )
        return self._again(
            message, user_id, _("Upheld: {n} instances are out; the template is in review.", n=n)
        )

    def reject(self, message: RejectRequest, user_id: str) -> Reply:
        """Reject a contest with a reason; the question and its labels stay unchanged."""
        with self.store.writing() as session:
            contest_resolution.reject(
                session,
                user_id=user_id,
                **_item(message),
                claim=message.claim,
                comment=message.comment,
                ruling=message.ruling,
            )
        return self._again(message, user_id, _("Rejected: the question stays as it is."))

    def answer_flag(self, message: AnswerRequest, user_id: str) -> Reply:
        """Close a flag with an answer, which its annotator gets."""
        with self.store.writing() as session:
            answer_annotators.answer_flag(
                session,
                user_id=user_id,
                **_item(message),
                flag=message.flag,
                comment=message.comment,
                ruling=message.ruling,
            )
        return self._again(message, user_id, _("The flag is answered."))

    def choose(self, message: ChooseRequest, user_id: str) -> Reply:
        """Put a study first and return the first item of the queue."""
        with self.store.writing() as session:
            choose_study(session, user_id=user_id, study_id=message.study_id)
        return self._next(user_id)

    def answer_thread(self, message: AnswerThreadRequest, user_id: str) -> Reply:
        """Answer an annotator in a thread."""
        with self.store.writing() as session:
            answer_annotators.answer_thread(
                session,
                user_id=user_id,
                **_item(message),
                thread=message.thread,
                comment=message.comment,
                ruling=message.ruling,
            )
        return self._again(message, user_id, _("The answer is sent."))

    def settle_thread(self, message: ThreadRequest, user_id: str) -> Reply:
        """Take an annotator's reply out of the queue without an answer."""
        with self.store.writing() as session:
            answer_annotators.settle_thread(session, user_id=user_id, **_item(message), thread=message.thread)
        return self._again(message, user_id, _("The reply waits no more."))

    def refuse(self, error: ClinicnumError, message: Any, user_id: str) -> Reply:
        """The error as a reply; after a conflict it includes the item's current state."""
        if not isinstance(error, Conflict) or not isinstance(message, ItemRequest):
            return {"kind": "error", "message": error_text(error), "item": None}
        with self.store.reading() as session:
            item = load_adjudication_item(session, user_id=user_id, **_item(message))
        return self._reply(user_id, "error", item, error_text(error))

    def _next(self, user_id: str, after: str | None = None) -> Reply:
        with self.store.reading() as session:
            found = work.next_adjudication_item(session, user_id=user_id, after=after)
            if found.presented is None:
                return {
                    "kind": "done",
                    "message": _(ALL_DONE),
                    "item": None,
                    "queue": queue_view(found.waiting),
                }
            taxonomy = taxonomy_of_study(session, study_id=found.presented.study_id)
        return {
            "kind": "item",
            "message": None,
            "item": adjudication_item_view(found.presented, taxonomy, reader=user_id),
            "queue": queue_view(found.waiting),
        }

    def _reply(
        self, user_id: str, kind: str, item: AdjudicationItem | None, message: str | None = None
    ) -> Reply:
        with self.store.reading() as session:
            taxonomy = None if item is None else taxonomy_of_study(session, study_id=item.study_id)
            waiting = list_waiting(session, user_id=user_id)
        return {
            "kind": kind,
            "message": message,
            "item": None
            if item is None or taxonomy is None
            else adjudication_item_view(item, taxonomy, reader=user_id),
            "queue": queue_view(waiting),
        }

    def _again(self, message: ItemRequest, user_id: str, done: str) -> Reply:
        """The same item if it is still in the queue, else the next one, with `done` as the message."""
        with self.store.reading() as session:
            waiting = list_waiting(session, user_id=user_id)
            if any(one.item == message.item for one in waiting):
                item = load_adjudication_item(session, user_id=user_id, **_item(message))
                return self._reply(user_id, "item", item, done)
        reply = self._after(message, user_id)
        return {**reply, "message": f"{done} {reply['message'] or ''}".strip()}

    def _after(self, message: ItemRequest, user_id: str) -> Reply:
        """The next item; if it is of another study, a message says so."""
        reply = self._next(user_id, message.item)
        if reply["item"] is None or reply["item"]["study_id"] == message.study_id:
            return reply
        return {
            **reply,
            "message": _("This item is of another study: “{study}”.", study=reply["item"]["study"]),
        }


def build_adjudicate(*, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `adjudicate`."""
    with gr.Blocks(title=page_title(_("Adjudicate")), analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/adjudicate")
        gr.HTML(
            value={},
            html_template=TEMPLATE.format(title=_("Adjudicate"), content=CONTENT_ID),
            js_on_load=SCRIPT,
            apply_default_css=False,
            elem_id="adjudicate",
        )
    return page
