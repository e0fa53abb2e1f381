"""The my-work page: an annotator's own history, and feedback once a study is closed.

Every view has its own URL; it always shows the work of the user who requests it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

import gradio as gr
from pydantic import Field, ValidationError

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.annotation import own_message_threads
from clinicnum.db.work.my_work.feedback_to_annotator import explain, own_summary
from clinicnum.db.work.my_work.work_history import OwnStudy, own_item, own_items, own_studies
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    error_message,
    explained,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.my_work import adjudicator_answers, view
from clinicnum.ui.pages.my_work.decision_comparison_view import decision_comparison_view

Id = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]
MOST_ITEMS = 10_000_000
SENT = Translatable("The reply is sent; the answer to it comes back here.")


class RequestedView(Frozen):
    """The view requested by the URL."""

    study: Id | None = None
    show: Literal["all", "submitted", "skipped", "flagged", "answered", "differ"] = "all"
    q: str = Field(default="", max_length=200)
    before: int | None = Field(default=None, ge=0, le=MOST_ITEMS)
    item: Id | None = None


def parse_query(query: Mapping[str, Any]) -> RequestedView:
    """Parse the known query parameters, ignoring Gradio's. Raises InputError naming the first invalid one."""
    known = {key: query[key] for key in RequestedView.model_fields if query.get(key) not in (None, "")}
    try:
        return RequestedView.model_validate(known)
    except ValidationError as error:
        raise InputError(
            "This address leads nowhere: {problem}. Open My work anew.", problem=first_problem(error)
        ) from error


class ReplyForm(Frozen):
    """A reply to the adjudicators about one item."""

    item: Id
    text: str = Field(default="", max_length=LONGEST_COMMENT)


FILTERS = ("study", "show", "q", "before")


class MyWorkHandlers:
    """The page's events. Not async, so that long searches run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show the user's own work in the view that the URL asks for."""
        user_id = str(request.username)
        studies = self._studies(user_id)
        try:
            asked = parse_query(request.query_params)
            if asked.item is not None:
                return "", *self._one(user_id, asked.item)
            if not studies:
                return str(note(_(view.NO_STUDY))), *_alone("")
            return "", *self._several(user_id, studies, asked)
        except ClinicnumError as error:
            return error_message(error), *(
                _list(studies, studies[0], RequestedView(), "", None) if studies else _alone("")
            )

    def show(self, study: object, show: object, q: object, request: gr.Request) -> Outputs:
        """The newest items that match the filters."""
        return self.older(study, show, q, None, request)

    def choose_study(self, study: object, request: gr.Request) -> Outputs:
        """The newest items of a study, without the filters of the one before."""
        return self._matching((study, "all", "", None), request, set_filters=True)

    def older(self, study: object, show: object, q: object, before: object, request: gr.Request) -> Outputs:
        """The next older items, before the cursor `before`."""
        return self._matching((study, show, q, before), request, set_filters=False)

    def _matching(self, values: tuple[object, ...], request: gr.Request, *, set_filters: bool) -> Outputs:
        user_id = str(request.username)
        asked = parse_query(dict(zip(FILTERS, values, strict=True)))
        return "", *self._several(user_id, self._studies(user_id), asked, set_filters=set_filters)

    def _studies(self, user_id: str) -> tuple[OwnStudy, ...]:
        with self.store.reading() as session:
            return own_studies(session, user_id=user_id)

    def reply(self, item: object, text: object, request: gr.Request) -> Outputs:
        """Reply to the adjudicators in the thread of the item shown."""
        form, user_id = validated(ReplyForm, item=item, text=text), str(request.username)
        with self.store.writing() as session:
            own_message_threads.reply(session, user_id=user_id, assignment_id=form.item, text=form.text)
        return success_message(_(SENT)), *self._one(user_id, form.item), ""

    def _one(self, user_id: str, assignment_id: str) -> Outputs:
        """One item with its thread, whose answers count as read from now on."""
        about = {"user_id": user_id, "assignment_id": assignment_id}
        with self.store.reading() as session:
            history = own_item(session, **about)
            taxonomy = taxonomy_of_study(session, study_id=history.item.study_id)
        with self.store.writing() as session:
            thread = next(iter(own_message_threads.read_threads(session, **about)), None)
        said = view.NOTHING if thread is None else adjudicator_answers.thread_html(thread, reader=user_id)
        may_reply = thread is not None and thread.open
        return _alone(
            view.framed(view.item_view(history, taxonomy, said)), assignment_id if may_reply else ""
        )

    def _several(
        self,
        user_id: str,
        studies: tuple[OwnStudy, ...],
        asked: RequestedView,
        *,
        set_filters: bool = True,
    ) -> Outputs:
        chosen = next((one for one in studies if one.study_id == asked.study), None)
        if chosen is None and (asked.study is not None or not studies):
            raise InputError("You are not an annotator of this study; choose one of yours.")
        chosen = chosen or studies[0]
        address = {"user_id": user_id, "study_id": chosen.study_id}
        with self.store.reading() as session:
            taxonomy = taxonomy_of_study(session, study_id=chosen.study_id)
            waiting = adjudicator_answers.answers_line(
                own_message_threads.unread_answers(session, **address), chosen.study_id
            )
            if asked.show == "differ":
                page = explain(session, **address, before=asked.before)
                summary = own_summary(session, **address) if asked.before is None else None
                content, older = decision_comparison_view(page, summary, taxonomy), page.older
            else:
                items = own_items(session, **address, show=asked.show, text=asked.q, before=asked.before)
                content, older = view.list_view(items, taxonomy, text=asked.q), items.older
        return _list(studies, chosen, asked, content, older, waiting=waiting, set_filters=set_filters)


def _list(
    studies: Sequence[OwnStudy],
    chosen: OwnStudy,
    asked: RequestedView,
    content: str,
    older: int | None,
    *,
    waiting: str = "",
    set_filters: bool = True,
) -> Outputs:
    """Values for the filters, the list of items, and the cursor for older items; `waiting` tells of answers.

    Filters that the request came from are left alone: the user may have changed them meanwhile.
    """
    show, text = ({"value": asked.show}, {"value": asked.q}) if set_filters else ({}, {})
    return (
        gr.update(visible=True),
        gr.update(choices=view.study_choices(studies), value=chosen.study_id),
        gr.update(choices=view.show_choices(chosen), **show),
        gr.update(**text),
        f"{view.counts_text(chosen)} {waiting}",
        content,
        gr.update(value=view.older_label(asked.q), visible=older is not None),
        "" if older is None else str(older),
        gr.update(visible=False),
        "",
    )


def _alone(content: str, replied: str = "") -> Outputs:
    """Values that show one item and hide the list's filters; `replied` is the item's id if one may reply."""
    hidden = gr.update(visible=False)
    list_values = hidden, gr.skip(), gr.skip(), gr.skip(), "", content, hidden, ""
    return *list_values, gr.update(visible=bool(replied)), replied


def build_my_work(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `annotate`."""
    handlers = MyWorkHandlers(store)
    with gradio_page(_("My work"), "/my-work", navbar) as page:
        status = status_line()
        with gr.Column(visible=False) as listing:
            with gr.Row():
                study = gr.Dropdown([], label=_("Study"))
                text = gr.Textbox(label=_("Find in questions"), max_length=200)
                find = gr.Button(_("Find"), min_width=120, scale=0)
            show = gr.Radio(labelled(view.SHOW_CHOICES), value="all", label=_("Items"))
            with explained("own_work"):
                counts = gr.Markdown(elem_classes="cn-hint")
        content = gr.HTML(apply_default_css=False, elem_id="work")
        older = gr.Button(_("Older items"), visible=False)
        before = gr.Textbox(visible=False, label="Before")
        with gr.Column(visible=False) as replying:
            said = gr.Textbox(label=_("Reply to the adjudicators"), lines=2, max_length=LONGEST_COMMENT)
            send = gr.Button(_("Send the reply"))
        item = gr.Textbox(visible=False, label="Item")
        filters = [study, show, text]
        shown = [listing, study, show, text, counts, content, older, before, replying, item]
        on = partial(listen, status=status)
        on(page.load, handlers.load, outputs=shown)
        shows = partial(gr.on, [find.click, text.submit, show.input])
        on(shows, handlers.show, filters, shown, js=keep_view_in_url(FILTERS[:3]), trigger_mode=EVERY_TIME)
        on(
            study.input,
            handlers.choose_study,
            [study],
            shown,
            js=keep_view_in_url(FILTERS[:1]),
            trigger_mode=EVERY_TIME,
        )
        on(send.click, handlers.reply, [item, said], [*shown, said])
        on(older.click, handlers.older, [*filters, before], shown, js=keep_view_in_url(FILTERS))
    return page
