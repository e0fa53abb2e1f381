"""My work: an annotator's own history, and what they can learn once a study is closed.

Every view has its address, and the address is all that the browser sends: it is parsed here, and whose work
it leads to is decided by the user of the request.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import gradio as gr
from pydantic import Field, ValidationError

from clinicnum.db.sessions import Store
from clinicnum.db.work.my_work.feedback import explain, own_summary
from clinicnum.db.work.my_work.work_history import OwnStudy, own_item, own_items, own_studies
from clinicnum.db.work.studies.study import taxonomy_of_study
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.types import Frozen
from clinicnum.ui.components.html import note
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.my_work.view import explained_view, item_view, list_view, page_view

Id = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]
MOST_ITEMS = 10_000_000


class Address(Frozen):
    """What the page's address asks for."""

    study: Id | None = None
    show: Literal["all", "submitted", "skipped", "flagged", "differ"] = "all"
    q: str = Field(default="", max_length=200)
    before: int | None = Field(default=None, ge=0, le=MOST_ITEMS)
    item: Id | None = None


def parse_address(query: Mapping[str, Any]) -> Address:
    """Read the parts that are known; Gradio adds its own. Raises InputError that names the first at fault."""
    known = {key: query[key] for key in Address.model_fields if query.get(key) not in (None, "")}
    try:
        return Address.model_validate(known)
    except ValidationError as error:
        raise InputError(f"This address leads nowhere: {first_problem(error)}. Open My work anew.") from error


class MyWorkHandlers:
    """The page's event. Not async: a search through thousands of items belongs in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> str:
        """The view that the address asks for, of the user who asks."""
        user_id = str(request.username)
        studies: tuple[OwnStudy, ...] = ()
        try:
            with self.store.reading() as session:
                studies = own_studies(session, user_id=user_id)
            asked = parse_address(request.query_params)
            if asked.item is not None:
                return self._one(user_id, asked.item)
            return self._several(user_id, studies, asked)
        except ClinicnumError as error:
            return page_view(studies, studies[0] if studies else None, note(str(error), "bad"))

    def _one(self, user_id: str, assignment_id: str) -> str:
        with self.store.reading() as session:
            history = own_item(session, user_id=user_id, assignment_id=assignment_id)
            taxonomy = taxonomy_of_study(session, study_id=history.item.study_id)
        return page_view((), None, item_view(history, taxonomy))

    def _several(self, user_id: str, studies: tuple[OwnStudy, ...], asked: Address) -> str:
        if not studies:
            return page_view((), None, note("You are in no study yet."))
        chosen = next((one for one in studies if one.study_id == asked.study), None)
        if chosen is None and asked.study is not None:
            raise InputError("You are not an annotator of this study; choose one of yours.")
        chosen = chosen or studies[0]
        address = {"user_id": user_id, "study_id": chosen.study_id}
        with self.store.reading() as session:
            taxonomy = taxonomy_of_study(session, study_id=chosen.study_id)
            if asked.show == "differ":
                page = explain(session, **address, before=asked.before)
                summary = own_summary(session, **address) if asked.before is None else None
                content = explained_view(page, summary, chosen, taxonomy)
            else:
                items = own_items(session, **address, show=asked.show, text=asked.q, before=asked.before)
                content = list_view(items, chosen, taxonomy, show=asked.show, text=asked.q)
        return page_view(studies, chosen, content, show=asked.show, text=asked.q)


def build_my_work(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `annotate`."""
    handlers = MyWorkHandlers(store)
    with gr.Blocks(title="My work · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/my-work")
        work = gr.HTML("", apply_default_css=False, js_on_load=None)
        page.load(handlers.load, None, work, queue=False, show_progress="hidden", api_visibility="private")
    return page
