"""The annotate page: items one at a time, judged blind first, operated by keyboard.

All state that matters is on the server. Each message carries the assignment and the revision it is based on;
the server checks both and the user, so a restart or a second tab can neither lose nor misattribute a label.
Gradio only hosts the element; the page's script calls the actions (`clinicnum.ui.app.page_action_routes`).
"""

from typing import Any

import gradio as gr
from anyio import CapacityLimiter

from clinicnum.annotations.practice_items import practice_items, practice_workitem
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.annotation import annotate as work
from clinicnum.db.work.annotation import own_message_threads
from clinicnum.db.work.annotation.annotator_progress import own_progress
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.db.work.annotation.locked_assignment import StudyClosed
from clinicnum.db.work.annotation.own_studies import choose_study, find_own_study, left_study, own_studies
from clinicnum.db.work.common.chosen_study_and_tour import is_tour_due, keep_tour
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.errors import ClinicnumError, Conflict, InputError, NotAllowed, Unavailable
from clinicnum.ui.components.gradio_page import page_title
from clinicnum.ui.components.html import CONTENT_ID
from clinicnum.ui.components.language import _, error_text
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.page_action import Action, Reply
from clinicnum.ui.components.static_files import static_path
from clinicnum.ui.pages.annotate.custom_item_component import BuildItemView, add_item_view
from clinicnum.ui.pages.annotate.replies import closed_reply, next_reply, plain_reply, with_refusal
from clinicnum.ui.pages.annotate.request_models import (
    AnswersRequest,
    AssignmentRequest,
    ChooseRequest,
    DraftRequest,
    FlagRequest,
    GuidelineRequest,
    JudgementRequest,
    LoadRequest,
    PracticeRequest,
    PreviousRequest,
    ReplyRequest,
    SkipRequest,
    StudiesRequest,
    TourRequest,
)
from clinicnum.ui.pages.annotate.studies_view import NONE_THERE, studies_view
from clinicnum.ui.pages.annotate.view import (
    NO_SUCH_ITEM,
    PRACTICE_OVER,
    answers_view,
    codes_view,
    guideline_view,
    practice_view,
    threads_view,
)

TRANSACTIONS_AT_ONCE = 8
TEMPLATE = (
    '<div class="cn-page ab-page"><h1 class="cn-sr">{title}</h1>'
    '<div class="ab-live cn-sr" aria-live="polite"></div>'
    '<div class="ab-root" id="{content}" tabindex="-1"></div></div>'
)
SCRIPT = f'import("{static_path("annotate/page.js")}").then((page) => page.start(element, props));'


class AnnotateHandlers:
    """The page's actions; each runs one transaction and returns the result as JSON-ready dicts."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def actions(self) -> tuple[Action, ...]:
        """All actions of the page, sharing a small thread limit so that they cannot block other pages."""
        threads = CapacityLimiter(TRANSACTIONS_AT_ONCE)
        return tuple(
            Action(one, self.refuse, threads)
            for one in (
                *(self.load, self.judge, self.submit, self.skip, self.flag, self.previous, self.reply),
                *(self.save_draft, self.studies, self.choose, self.tour, self.practice, self.answers),
                self.guideline,
            )
        )

    def load(self, message: LoadRequest, user_id: str) -> Reply:
        """The named item, the next of the named study, or the current item, also if the name is refused."""
        try:
            if message.assignment_id is not None:
                with self.store.reading() as session:
                    item = work.get_assignment(session, user_id=user_id, assignment_id=message.assignment_id)
                return self._first(plain_reply("item", item), user_id)
            if message.study is not None:
                with self.store.reading() as session:
                    study_id = find_own_study(session, user_id=user_id, study=message.study)
                return self._first(self.choose(ChooseRequest(study_id=study_id), user_id), user_id)
        except (Conflict, InputError, NotAllowed) as error:  # say so, and show the current item
            refused = error_text(error) if message.assignment_id is None else _(NO_SUCH_ITEM)
            return self._first(with_refusal(self._current(user_id), refused), user_id)
        return self._first(self._current(user_id), user_id)

    def _current(self, user_id: str) -> Reply:
        """The user's current item, else the next one, or that none is left."""
        with self.store.reading() as session:
            current = work.current_assignment(session, user_id=user_id)
        if current is not None:
            return plain_reply("item", current)
        with self.store.writing() as session:
            found = work.next_assignment(session, user_id=user_id) or own_progress(session, user_id=user_id)
        return next_reply(found)

    def _first(self, reply: Reply, user_id: str) -> Reply:
        """A reply to a page that opens: with the user's studies and answers, and whether the tour is due."""
        with self.store.reading() as session:
            due = is_tour_due(session, user_id=user_id)
        return {**self._with_answers(self._with_studies(reply, user_id), user_id), "tour_due": due}

    def judge(self, message: JudgementRequest, user_id: str) -> Reply:
        """Lock the judgement made without the reference, which the browser gets with this reply only."""
        with self.store.writing() as session:
            item = work.save_judgement(
                session,
                user_id=user_id,
                assignment_id=message.assignment_id,
                revision=message.revision,
                judgement=message.judgement,
                active_ms=message.active_ms,
            )
        return plain_reply("judged", item)

    def submit(self, message: JudgementRequest, user_id: str) -> Reply:
        """Save a complete judgement as a new revision; return the next item, or feedback in training."""
        with self.store.writing() as session:
            item = work.submit_and_next(
                session,
                user_id=user_id,
                assignment_id=message.assignment_id,
                revision=message.revision,
                judgement=message.judgement,
                active_ms=message.active_ms,
            )
            left = left_study(session, user_id=user_id, assignment_id=message.assignment_id, following=item)
            found = item or own_progress(session, user_id=user_id)
        fed_back = item is not None and item.feedback
        return self._with_answers(
            plain_reply("feedback", item) if fed_back else next_reply(found, left), user_id
        )

    def skip(self, message: SkipRequest, user_id: str) -> Reply:
        """Skip an item with a reason and return the next; the user can navigate back to it."""
        with self.store.writing() as session:
            work.skip(
                session,
                user_id=user_id,
                assignment_id=message.assignment_id,
                revision=message.revision,
                reason=message.reason,
            )
            item = work.next_assignment(session, user_id=user_id)
            left = left_study(session, user_id=user_id, assignment_id=message.assignment_id, following=item)
            found = item or own_progress(session, user_id=user_id)
        return self._with_answers(next_reply(found, left), user_id)

    def flag(self, message: FlagRequest, user_id: str) -> Reply:
        """Flag an item with a note for an adjudicator; without a note, remove the flag."""
        with self.store.writing() as session:
            item = work.flag(session, user_id=user_id, assignment_id=message.assignment_id, note=message.note)
        return plain_reply("flagged", item)

    def previous(self, message: PreviousRequest, user_id: str) -> Reply:
        """The user's previous item, to view or revise."""
        with self.store.reading() as session:
            item = work.previous(session, user_id=user_id, assignment_id=message.assignment_id)
        if item is None:
            raise InputError("This is your first item; there is none before it.")
        return plain_reply("item", item)

    def guideline(self, message: GuidelineRequest, user_id: str) -> Reply:
        """Guideline, codes and severity levels of a study that the user annotates."""
        with self.store.reading() as session:
            guideline = guideline_of(session, user_id=user_id, study_id=message.study_id)
            shown = guideline_view(guideline, taxonomy_of_study(session, study_id=guideline.study_id))
        return {"kind": "guide", "message": None, "guide": shown}

    def studies(self, message: StudiesRequest, user_id: str) -> Reply:
        """The user's open studies now."""
        return self._with_studies(plain_reply("studies", None), user_id)

    def choose(self, message: ChooseRequest, user_id: str) -> Reply:
        """Put a study first and return its next item, or another study's if none waits in it."""
        with self.store.writing() as session:
            choose_study(session, user_id=user_id, study_id=message.study_id)
            found = work.next_assignment(session, user_id=user_id) or own_progress(session, user_id=user_id)
        reply = self._with_studies(next_reply(found), user_id)
        chosen = next((one for one in reply["studies"] if one["study_id"] == message.study_id), None)
        if isinstance(found, Workitem) and chosen and message.study_id not in (None, found.study_id):
            reply["message"] = _(NONE_THERE, wanted=chosen["name"], study=found.study_name)
        return reply

    def _with_studies(self, reply: Reply, user_id: str) -> Reply:
        if "studies" in reply:
            return reply
        with self.store.reading() as session:
            return {**reply, "studies": studies_view(own_studies(session, user_id=user_id))}

    def tour(self, message: TourRequest, user_id: str) -> Reply:
        """Note that the tour was seen or skipped, so that it does not begin by itself again."""
        with self.store.writing() as session:
            keep_tour(session, user_id=user_id, end=message.end)
        return plain_reply("tour", None)

    def practice(self, message: PracticeRequest, user_id: str) -> Reply:
        """A practice item at one of its steps, then the user's own next item; nothing is saved."""
        if message.place >= len(practice_items()):
            own = self.load(LoadRequest(), user_id)
            return own if own["item"] is None else {**own, "message": _(PRACTICE_OVER)}
        given = None if message.step == "open" else message.judgement
        if message.step != "open" and given is None:
            raise InputError("Nothing was judged; choose what you think of the response first.")
        item, practice = practice_workitem(message.place, judgement=given, submitted=message.step == "submit")
        kind = {"open": "item", "judge": "judged", "submit": "feedback"}[message.step]
        return {"kind": kind, "message": None, "item": practice_view(item, practice, message.place)}

    def answers(self, message: AnswersRequest, user_id: str) -> Reply:
        """The user's threads with the adjudicators, whose answers count as read from now on."""
        return self._threads(user_id)

    def reply(self, message: ReplyRequest, user_id: str) -> Reply:
        """Reply to an adjudicator in the thread of an item; returns the threads as `answers` does."""
        with self.store.writing() as session:
            own_message_threads.reply(
                session, user_id=user_id, assignment_id=message.assignment_id, text=message.text
            )
        return {**self._threads(user_id), "sent": message.assignment_id}

    def _threads(self, user_id: str) -> Reply:
        with self.store.writing() as session:
            threads = own_message_threads.read_threads(session, user_id=user_id)
        said = plain_reply("answers", None) | threads_view(threads, reader=user_id)
        return self._with_answers(said, user_id)

    def _with_answers(self, said: Reply, user_id: str) -> Reply:
        """The reply with the number of answers that the user has not read yet."""
        with self.store.reading() as session:
            unread = own_message_threads.unread_answers(session, user_id=user_id)
        return {**said, "answers": answers_view(unread)}

    def save_draft(self, message: DraftRequest, user_id: str) -> Reply:
        """Save the unfinished form as a draft."""
        try:
            with self.store.writing() as session:
                work.save_draft(
                    session,
                    user_id=user_id,
                    assignment_id=message.assignment_id,
                    revision=message.revision,
                    draft=message.form,
                )
        except Unavailable:
            raise
        except ClinicnumError as error:
            return plain_reply("draft_refused", None, _("Draft not kept: {error}", error=error_text(error)))
        return plain_reply("draft_kept", None, _("Draft kept."))

    def refuse(self, error: ClinicnumError, message: Any, user_id: str) -> Reply:
        """The error as a reply; with the item as stored after a conflict, the next after a study closed."""
        if isinstance(error, StudyClosed):
            return closed_reply(error_text(error), self._current(user_id))
        if not isinstance(error, Conflict) or not isinstance(message, AssignmentRequest):
            return plain_reply("error", None, error_text(error))
        with self.store.reading() as session:
            now = work.get_assignment(session, user_id=user_id, assignment_id=message.assignment_id)
        return plain_reply("error", now, error_text(error))


def build_annotate(
    *, navbar: Navbar, taxonomy: Taxonomy, store: Store | None = None, item_view: BuildItemView | None = None
) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `annotate`.

    `taxonomy` is the default sent with the page; the script fetches another if a study has its own.
    `item_view` fills the slot beside the item, and takes the database.
    """
    with gr.Blocks(title=page_title(_("Annotate")), analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/annotate")
        if item_view is not None and store is not None:
            add_item_view(store, item_view)
        gr.HTML(
            value={},
            html_template=TEMPLATE.format(title=_("Annotate"), content=CONTENT_ID),
            js_on_load=SCRIPT,
            apply_default_css=False,
            elem_id="bench",
            codes=codes_view(taxonomy),
            item_view=item_view is not None,
        )
    return page
