"""The changes page: who changed which label and when, from the audit log, with an integrity check.

Every view has its own URL. `clinicnum.db.work.changes.label_changes` decides what the requesting user may
see of it.
"""

import time
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import gradio as gr
from pydantic import Field, ValidationError

from clinicnum.annotations.types import StudyStatus
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.audit.audit_log import verify_one
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.changes.change_visibility import Kind
from clinicnum.db.work.changes.label_changes import check_may_verify, label_changes, visible_studies
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    error_message,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.changes import view

FILTERS = ("study", "item", "kind", "person", "before")
Studies = tuple[tuple[str, str, StudyStatus], ...]


class RequestedView(Frozen):
    """The requested view, from the URL or the filters."""

    study: Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")] | None = None
    item: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    person: str = Field(default="", max_length=100, pattern=r"^[^\x00]*$")
    kind: Kind | None = None
    before: int | None = Field(default=None, ge=0, le=2**31)
    check: Annotated[str, Field(pattern="^1$")] | None = None


def parse_query(query: Mapping[str, Any]) -> RequestedView:
    """Parse the known query parameters, ignoring Gradio's. Raises InputError naming the first invalid one."""
    known = {key: query[key] for key in RequestedView.model_fields if query.get(key) not in (None, "")}
    try:
        return RequestedView.model_validate(known)
    except ValidationError as error:
        raise InputError(
            Translatable(
                "This address leads nowhere: {problem}. Open Changes anew.", problem=first_problem(error)
            )
        ) from error


class ChangesHandlers:
    """The page's events. Not async, so that long searches run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show the view in the URL, limited to what the user may see."""
        user_id = str(request.username)
        studies = self._studies(user_id)
        if not studies:
            return str(note(_(view.NO_STUDY))), *_nothing(studies)
        try:
            asked = parse_query(request.query_params)
            checked = self._check(user_id, asked.study or studies[0][0]) if asked.check else ""
            return checked, *self._shown(user_id, studies, asked)
        except ClinicnumError as error:
            return error_message(error), *_nothing(studies)

    def show(self, study: object, item: object, kind: object, person: object, request: gr.Request) -> Outputs:
        """The newest changes that match the filters."""
        return self.older(study, item, kind, person, None, request)

    def choose_study(self, study: object, request: gr.Request) -> Outputs:
        """The newest changes of a study."""
        return self.older(study, "", "", "", None, request)

    def older(
        self, study: object, item: object, kind: object, person: object, before: object, request: gr.Request
    ) -> Outputs:
        """The next older changes, before the cursor `before`."""
        user_id = str(request.username)
        asked = parse_query(dict(zip(FILTERS, (study, item, kind, person, before), strict=True)))
        return "", *self._shown(user_id, self._studies(user_id), asked)

    def check(self, study: object, request: gr.Request) -> Outputs:
        """Verify a study's audit log against the stored labels."""
        asked = parse_query({"study": study})
        if asked.study is None:
            raise InputError(Translatable("Choose a study first."))
        return (self._check(str(request.username), asked.study),)

    def _check(self, user_id: str, study_id: str) -> str:
        began = time.perf_counter()
        with self.store.reading() as session:
            check_may_verify(session, user_id=user_id, study_id=study_id)
            checked = verify_one(session, study_id)
            differences = len(compare_with_log(session, [study_id]))
        return view.check_view(checked, differences, time.perf_counter() - began)

    def _studies(self, user_id: str) -> Studies:
        with self.store.reading() as session:
            return visible_studies(session, user_id=user_id)

    def _shown(self, user_id: str, studies: Studies, asked: RequestedView) -> Outputs:
        """Values for the filters, the table of changes, and the cursor for older changes."""
        study_id = asked.study or (studies[0][0] if studies else "")
        query = asked.model_dump(include={"item", "person", "kind"})
        with self.store.reading() as session:
            found = label_changes(session, user_id=user_id, study_id=study_id, before=asked.before, **query)
            taxonomy = taxonomy_of_study(session, study_id=study_id)
        people = view.people_choices(found.people)
        rows = view.change_rows(found, taxonomy)
        return (
            gr.update(choices=view.study_choices(studies), value=study_id),
            asked.item,
            asked.kind or "",
            gr.update(choices=people, value=asked.person, visible=bool(found.people)),
            view.hidden_names_note(found),
            gr.update(value=rows, label=view.changes_label(found), visible=bool(rows)),
            view.below_table(found),
            gr.update(value=view.older_label(bool(rows)), visible=found.older is not None),
            "" if found.older is None else str(found.older),
        )


def _nothing(studies: Studies) -> Outputs:
    """Outputs with the list of studies and no changes."""
    choice = gr.update(choices=view.study_choices(studies), value=None)
    hidden = gr.update(visible=False)
    return choice, "", "", hidden, "", hidden, "", hidden, ""


def build_changes(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `see_agreement`."""
    handlers = ChangesHandlers(store)
    with gradio_page(_("Changes of labels"), "/changes", navbar) as page:
        status = status_line()
        with gr.Row():
            study = gr.Dropdown([], label=_("Study"))
            kind = gr.Dropdown(view.kind_choices(), value="", label=_("What"))
            person = gr.Dropdown(view.people_choices(()), value="", label=_("Who"))
            item = gr.Textbox(label=_("Item: its place or id"), max_length=200)
        with gr.Row():
            show = gr.Button(_("Show"), variant="primary")
            check = gr.Button(_("Check that nothing was altered"))
        veil = gr.HTML(apply_default_css=False)
        table = data_table(
            view.COLUMNS, column_widths=view.WIDTHS, visible=False, elem_id="changes", explains=None
        )
        nothing = gr.HTML(apply_default_css=False)
        older = gr.Button(_("Older changes"), visible=False)
        before = gr.Textbox(visible=False, label=_("Before"))
        filters = [study, item, kind, person]
        shown = [study, item, kind, person, veil, table, nothing, older, before]
        on = partial(listen, status=status)
        on(page.load, handlers.load, outputs=shown)
        shows = partial(gr.on, [show.click, item.submit, kind.input, person.input])
        on(shows, handlers.show, filters, shown, js=keep_view_in_url(FILTERS[:4]), trigger_mode=EVERY_TIME)
        on(
            study.input,
            handlers.choose_study,
            [study],
            shown,
            js=keep_view_in_url(FILTERS[:1]),
            trigger_mode=EVERY_TIME,
        )
        on(older.click, handlers.older, [*filters, before], shown, js=keep_view_in_url(FILTERS))
        on(check.click, handlers.check, [study])
    return page
