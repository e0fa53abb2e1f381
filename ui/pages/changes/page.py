"""Changes of labels: who changed which when, from the audit log, and whether that is whole.

Every view has its address, and the address is all that the browser sends; what of it is shown is decided in
`clinicnum.db.work.changes.label_changes`, by the user of the request.
"""

import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import gradio as gr
from markupsafe import Markup
from pydantic import Field, ValidationError

from clinicnum.db.sessions import Store
from clinicnum.db.work.audit.audit_log import ChainCheck, verify_one
from clinicnum.db.work.audit.audit_replay import compare_with_log
from clinicnum.db.work.changes.label_changes import check_may_verify, label_changes, visible_studies
from clinicnum.db.work.changes.visibility import Kind
from clinicnum.db.work.studies.study import taxonomy_of_study
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.types import Frozen
from clinicnum.ui.components.html import note
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.changes.view import changes_view, check_view, page_view


class Address(Frozen):
    """What the page's address asks for."""

    study: Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")] | None = None
    item: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    person: str = Field(default="", max_length=100, pattern=r"^[^\x00]*$")
    kind: Kind | None = None
    before: int | None = Field(default=None, ge=0, le=2**31)
    check: Literal["1"] | None = None


def parse_address(query: Mapping[str, Any]) -> Address:
    """Read the parts that are known; Gradio adds its own. Raises InputError that names the first at fault."""
    known = {key: query[key] for key in Address.model_fields if query.get(key) not in (None, "")}
    try:
        return Address.model_validate(known)
    except ValidationError as error:
        raise InputError(f"This address leads nowhere: {first_problem(error)}. Open Changes anew.") from error


class ChangesHandlers:
    """The page's event. Not async: a look through thousands of rows belongs in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> str:
        """The view that the address asks for, as the user who asks may see it."""
        user_id = str(request.username)
        with self.store.reading() as session:
            studies = visible_studies(session, user_id=user_id)
        if not studies:
            return page_view((), None, note("There is no study that you may look into yet."))
        try:
            asked = parse_address(request.query_params)
            study_id = asked.study or studies[0][0]
            return page_view(studies, study_id, self._study(user_id, study_id, asked))
        except ClinicnumError as error:
            return page_view(studies, None, note(str(error), "bad"))

    def _study(self, user_id: str, study_id: str, asked: Address) -> Markup:
        query = asked.model_dump(include={"item", "person", "kind"})
        with self.store.reading() as session:
            found = label_changes(session, user_id=user_id, study_id=study_id, before=asked.before, **query)
            taxonomy = taxonomy_of_study(session, study_id=study_id)
        checked, differences, seconds = self._checked(user_id, study_id) if asked.check else (None, 0, 0.0)
        return changes_view(found, taxonomy, query, check_view(checked, differences, seconds, study_id))

    def _checked(self, user_id: str, study_id: str) -> tuple[ChainCheck, int, float]:
        began = time.perf_counter()
        with self.store.reading() as session:
            check_may_verify(session, user_id=user_id, study_id=study_id)
            checked = verify_one(session, study_id)
            differences = len(compare_with_log(session, [study_id]))
        return checked, differences, time.perf_counter() - began


def build_changes(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `see_agreement`."""
    handlers = ChangesHandlers(store)
    with gr.Blocks(title="Changes · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/changes")
        changes = gr.HTML("", apply_default_css=False, js_on_load=None)
        page.load(handlers.load, None, changes, queue=False, show_progress="hidden", api_visibility="private")
    return page
