"""The bank page: search the templates, see how each does, open one, begin its next version, retire it."""

from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.bank_browsing import Text, VersionSearch
from clinicnum.authoring.difference import difference
from clinicnum.authoring.trial import try_template
from clinicnum.db.sessions import Store
from clinicnum.db.work.bank import bank_page, health, template_versions
from clinicnum.db.work.drafts import from_failure
from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.bank.view import difference_view, listing_view, version_view


class Message(Frozen):
    """What the page sends: `list` with a search, all else with a version."""

    action: Literal["list", "show", "compare", "try", "count", "renew", "retire"]
    search: VersionSearch = VersionSearch()
    template: Text = ""
    version: int = Field(default=0, ge=0, lt=2**31)
    before: int = Field(default=0, ge=0, lt=2**31)
    """Compared with `version`."""
    reason: str = Field(default="", max_length=5000)


class BankHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: counting and trials belong in a thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> Reply:
        """The first page; figures are counted anew at once where that is quick."""
        with self.store.reading() as session:
            stale = health.is_stale(session)
            cheap = stale and health.is_cheap(session)
        if cheap:
            self._count_anew()
        return self._list(VersionSearch(), stale=stale and not cheap)

    def _count_anew(self) -> int:
        """Counted outside the transaction that writes, so that nobody who labels waits for it."""
        with self.store.reading() as session:
            counted = health.compute_health(session)
        with self.store.writing() as session:
            return health.store_health(session, counted)

    def act(self, payload: Any, request: gr.Request) -> Reply:
        """One message; what went wrong is said and nothing is changed."""
        try:
            message = parse(Message, payload)
            return self._act(message, str(request.username))
        except ClinicnumError as error:
            return bad(error)

    def _act(self, message: Message, actor: str) -> Reply:
        if message.action == "list":
            return self._list(message.search)
        if message.action == "count":
            return self._count(message)
        if message.action == "compare":
            return self._compare(message)
        if message.action == "renew":
            with self.store.writing() as session:
                draft = from_failure.begin_next_version(
                    session, actor=actor, template_id=message.template, version=message.version
                )
            return {"go": f"/draft/?draft={draft}"}
        if message.action == "try":
            self._try(message)
            return self._show(message) | good("Tried on sample patients; see its health.")
        if message.action == "retire":
            with self.store.writing() as session:
                bank_page.retire(
                    session,
                    template_id=message.template,
                    version=message.version,
                    reason=message.reason,
                    actor=actor,
                )
            told = f"{message.template} version {message.version} is retired: no new benchmark will use it."
            return self._show(message) | good(told)
        return self._show(message)

    def _list(self, search: VersionSearch, *, stale: bool = False) -> Reply:
        with self.store.reading() as session:
            return {"listing": listing_view(bank_page.list_versions(session, search), search), "stale": stale}

    def _show(self, message: Message) -> Reply:
        with self.store.reading() as session:
            found = bank_page.load_version(session, message.template, message.version)
        return {"shown": version_view(found)}

    def _count(self, message: Message) -> Reply:
        n = self._count_anew()
        told = f"Counted anew: {n} version{'' if n == 1 else 's'} with instances or a trial."
        return self._list(message.search) | good(told)

    def _compare(self, message: Message) -> Reply:
        with self.store.reading() as session:
            old, new = (
                template_versions.template_of(
                    template_versions.find_version(session, message.template, number)
                )
                for number in (message.before, message.version)
            )
        return {"compared": difference_view(difference(old, new)), "version": message.version}

    def _try(self, message: Message) -> None:
        """The trial runs outside the transaction: nobody waits for it but who asked."""
        with self.store.reading() as session:
            row = template_versions.find_version(session, message.template, message.version)
            template = template_versions.template_of(row)
        trial = try_template(template)
        with self.store.writing() as session:
            health.store_trial(session, (template.id, template.version), trial)


def build_bank(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `curate`."""
    handlers = BankHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Bank · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/bank")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Bank</h1><div class="bk-message" role="status"></div>'
            '<div class="bk-root"></div></div>',
            js_on_load=script("dom.js", "bank_version.js", "bank.js"),
            apply_default_css=False,
            elem_id="bank",
        )
        page.load(handlers.load, None, board, **quiet)
        board.select(handlers.act, board, board, **quiet)
    return page
