"""The annotate page: one item after the other, blind, with keys.

The browser holds nothing that counts. Each message carries the assignment and the revision it was made on,
the server checks both and the user, so a restart or a second tab can neither lose a label nor misplace one.
The page calls the handlers by requests of its own (`server.js`): so it notices a server that
is down, and sends the same message again until it answers.
"""

from collections.abc import Callable
from typing import Any

import gradio as gr
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from clinicnum.annotations.judgement_form import empty_form
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.sessions import Store
from clinicnum.db.work.annotation import annotate as work
from clinicnum.db.work.annotation.annotator_progress import OwnProgress, own_progress
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.db.work.studies.study import taxonomy_of_study
from clinicnum.errors import ClinicnumError, Conflict, InputError, Unavailable
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.annotate.messages import Message, parse_message
from clinicnum.ui.pages.annotate.view import codes_view, guide_view, standing_text, workitem_view

TRANSACTIONS_AT_ONCE = 8
TEMPLATE = (
    '<div class="cn-page ab-page"><h1 class="ab-sr">Annotate</h1>'
    '<div class="ab-live ab-sr" aria-live="polite"></div><div class="ab-root"></div></div>'
)
SCRIPT = """import("/static/annotate/page.js").then((page) => page.start(element, props, watch));"""
Payload = dict[str, Any]
Reply = dict[str, Any]
Step = Callable[[Message, str], Reply]


def _reply(kind: str, item: Workitem | None, message: str | None = None) -> Reply:
    return {"kind": kind, "message": message, "item": None if item is None else workitem_view(item)}


def _next(found: Workitem | OwnProgress) -> Reply:
    if isinstance(found, Workitem):
        return _reply("item", found)
    return _reply("done", None, standing_text(found))


class AnnotateHandlers:
    """The page's events. Each reads its message, works in one transaction, and views the result.

    Transactions run in a few threads of their own, so that one that waits holds up nobody else.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.threads = CapacityLimiter(TRANSACTIONS_AT_ONCE)

    async def load(self, request: gr.Request) -> Reply:
        """The item in work of the user who asks, or that of their own which the address names."""
        wanted = getattr(request, "query_params", {}).get("item")
        if wanted is not None:
            return await run_sync(self._open, str(request.username), str(wanted), limiter=self.threads)
        return await run_sync(self._load, str(request.username), limiter=self.threads)

    async def judge(self, payload: Payload, request: gr.Request) -> Reply:
        """Save the blind judgement; the reply is the first to hold the gold."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                item = work.save_judgement(
                    session,
                    user_id=user_id,
                    assignment_id=message.on(),
                    revision=message.revision,
                    judgement=message.judged(),
                    active_ms=message.active_ms,
                )
            return _reply("judged", item)

        return await self._run(step, payload, request)

    async def submit(self, payload: Payload, request: gr.Request) -> Reply:
        """Save a complete judgement as a new revision and hand out the next item, or feedback on this one."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                item = work.submit_and_next(
                    session,
                    user_id=user_id,
                    assignment_id=message.on(),
                    revision=message.revision,
                    judgement=message.judged(),
                    active_ms=message.active_ms,
                )
                found = item or own_progress(session, user_id=user_id)
            return _reply("feedback", item) if item is not None and item.feedback else _next(found)

        return await self._run(step, payload, request)

    async def skip(self, payload: Payload, request: gr.Request) -> Reply:
        """Put an item aside with a reason; going back leads to it again."""

        def step(message: Message, user_id: str) -> Reply:
            address = {"user_id": user_id, "assignment_id": message.on()}
            with self.store.writing() as session:
                work.skip(session, **address, revision=message.revision, reason=message.reason or "")
                found = work.next_assignment(session, user_id=user_id) or own_progress(
                    session, user_id=user_id
                )
            return _next(found)

        return await self._run(step, payload, request)

    async def flag(self, payload: Payload, request: gr.Request) -> Reply:
        """Mark an item for somebody to look at, with a note; without a note, take the mark away."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                item = work.flag(session, user_id=user_id, assignment_id=message.on(), note=message.note)
            return _reply("flagged", item)

        return await self._run(step, payload, request)

    async def back(self, payload: Payload, request: gr.Request) -> Reply:
        """The item before, to look at or to revise."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                item = work.previous(session, user_id=user_id, assignment_id=message.assignment_id)
            if item is None:
                raise InputError("This is your first item; there is none before it.")
            return _reply("item", item)

        return await self._run(step, payload, request)

    async def guide(self, payload: Payload, request: gr.Request) -> Reply:
        """Guideline, codes and severity levels of one of the user's studies."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                guideline = guideline_of(session, user_id=user_id, study_id=message.study_id or "")
                taxonomy = taxonomy_of_study(session, study_id=guideline.study_id)
            return {"kind": "guide", "message": None, "guide": guide_view(guideline, taxonomy)}

        return await self._run(step, payload, request)

    async def draft(self, payload: Payload, request: gr.Request) -> str:
        """Keep what is chosen so far."""
        return await run_sync(self._keep, payload, str(request.username), limiter=self.threads)

    def _keep(self, payload: Payload, user_id: str) -> str:
        try:
            message = parse_message(payload)
            address = {"user_id": user_id, "assignment_id": message.on()}
            with self.store.writing() as session:
                work.save_draft(
                    session, **address, revision=message.revision, draft=message.form or empty_form()
                )
            return "Draft kept."
        except Unavailable:
            raise
        except ClinicnumError as error:
            return f"Draft not kept: {error}"

    def _open(self, user_id: str, assignment_id: str) -> Reply:
        """One of the user's own items; the one in work if it is not theirs."""
        try:
            with self.store.reading() as session:
                item = work.get_assignment(session, user_id=user_id, assignment_id=assignment_id)
            return _reply("item", item)
        except Unavailable:
            raise
        except ClinicnumError:
            return self._load(user_id)

    def _load(self, user_id: str) -> Reply:
        with self.store.reading() as session:
            item = work.current_assignment(session, user_id=user_id)
        if item is not None:
            return _reply("item", item)
        with self.store.writing() as session:
            found = work.next_assignment(session, user_id=user_id) or own_progress(session, user_id=user_id)
        return _next(found)

    async def _run(self, step: Step, payload: Payload, request: gr.Request) -> Reply:
        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    def _try(self, step: Step, payload: Payload, user_id: str) -> Reply:
        """Take the step, or say why not; after a conflict with the item as it now stands, to go on from."""
        message = None
        try:
            message = parse_message(payload)
            return step(message, user_id)
        except Conflict as error:
            if message is None:
                return _reply("error", None, str(error))
            with self.store.reading() as session:
                now = work.get_assignment(session, user_id=user_id, assignment_id=message.on())
            return _reply("error", now, str(error))
        except Unavailable:  # the page sends the same again until it is taken
            raise
        except ClinicnumError as error:
            return _reply("error", None, str(error))


def build_annotate(*, store: Store, navbar: Navbar, taxonomy: Taxonomy) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `annotate`.

    `taxonomy` is the one that most studies use; the page asks for another where a study has its own.
    """
    handlers = AnnotateHandlers(store)
    with gr.Blocks(title="Annotate · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/annotate")
        bench = gr.HTML(
            value={},
            html_template=TEMPLATE,
            js_on_load=SCRIPT,
            apply_default_css=False,
            elem_id="bench",
            codes=codes_view(taxonomy),
        )
        quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        page.load(handlers.load, None, bench, **quiet)
        bench.select(handlers.judge, bench, bench, **quiet)
        bench.submit(handlers.submit, bench, bench, **quiet)
        bench.undo(handlers.back, bench, bench, **quiet)
        bench.clear(handlers.skip, bench, bench, **quiet)
        bench.input(handlers.draft, bench, bench, **quiet)
        bench.like(handlers.flag, bench, bench, **quiet)
        bench.expand(handlers.guide, bench, bench, **quiet)
    return page
