"""The annotate page: one item after the other, blind, with keys.

The browser holds nothing that counts. Each message carries the assignment and the revision it was made on,
the server checks both and the user, so a restart or a second tab can neither lose a label nor misplace one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import gradio as gr
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from pydantic import Field, ValidationError

from annotations.taxonomy import Taxonomy
from annotations.types import ItemJudgement, Judgement, ResponseJudgement, Severity
from annotations.workitem import Workitem
from clinicnum.errors import ClinicnumError, Conflict, InputError
from clinicnum.jsonl import first_problem
from clinicnum.types import Frozen
from db.store import Store
from db.work import annotate as work
from ui.shell import Shell
from ui.views import severity_view, taxonomy_view, workitem_view

STATIC = Path(__file__).parent / "static"
ALL_DONE = "All done: nothing is waiting for you. Thank you."
DAY_MS = 24 * 3600 * 1000
MOST_REVISIONS = 1_000_000
TRANSACTIONS_AT_ONCE = 8
STATUS_JS = """watch("value", () => { element.querySelector("p").textContent = props.value; });"""
Payload = dict[str, Any]
Reply = dict[str, Any]


Code = Annotated[str, Field(max_length=80)]


class Form(Frozen):
    """What the page holds while an item is in work; kept as the draft, whole or half chosen."""

    item_judgement: ItemJudgement = "valid"
    proposed_gold: str = Field(default="", max_length=200)
    response_judgement: ResponseJudgement | None = None
    primary: Code | None = None
    further: tuple[Code, ...] = Field(default=(), max_length=40)
    severity: Severity | None = None
    confidence: Literal[1, 2, 3] | None = None
    rationale: str = Field(default="", max_length=4000)


class Message(Frozen):
    """What the page sends; parsed once, here."""

    assignment_id: str | None = Field(default=None, pattern=r"^[0-9a-z-]{1,64}$")
    revision: int = Field(default=0, ge=0, le=MOST_REVISIONS)
    active_ms: int = Field(default=0, ge=0, le=DAY_MS)
    judgement: Judgement | None = None
    form: Form | None = None
    reason: str | None = Field(default=None, max_length=400)

    def on(self) -> str:
        """The assignment it is about. Raises InputError if it names none."""
        if self.assignment_id is None:
            raise InputError("This page had lost its item; nothing was saved. Reload the page and go on.")
        return self.assignment_id

    def judged(self) -> Judgement:
        """The judgement it carries. Raises InputError if there is none."""
        if self.judgement is None:
            raise InputError("No judgement arrived; nothing was saved. Choose one and submit again.")
        return self.judgement


def parse_message(payload: object) -> Message:
    """Read a page's message. Raises InputError that names the first field that is not as it should be."""
    out = payload.get("out") if isinstance(payload, dict) else None
    try:
        return Message.model_validate(out)
    except ValidationError as error:
        raise InputError(f"Not saved: {first_problem(error)}. Correct it and submit again.") from error


def _reply(kind: str, item: Workitem | None, message: str | None = None) -> Reply:
    if item is None and kind != "error":
        return {"kind": "done", "message": message or ALL_DONE, "item": None}
    return {"kind": kind, "message": message, "item": None if item is None else workitem_view(item)}


class AnnotateHandlers:
    """The page's events. Each reads its message, makes one call into `db.work`, and views the result.

    Transactions run in a few threads of their own, so that one that waits holds up nobody else.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.threads = CapacityLimiter(TRANSACTIONS_AT_ONCE)

    async def load(self, request: gr.Request) -> Reply:
        """The next open item of the user who asks, or that of their own which the address names."""
        wanted = getattr(request, "query_params", {}).get("item")
        if wanted is not None:
            return await run_sync(self._open, str(request.username), str(wanted), limiter=self.threads)
        return await run_sync(self._next, str(request.username), limiter=self.threads)

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

        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    async def submit(self, payload: Payload, request: gr.Request) -> Reply:
        """Save a complete judgement as a new revision and hand out the next item."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                work.submit(
                    session,
                    user_id=user_id,
                    assignment_id=message.on(),
                    revision=message.revision,
                    judgement=message.judged(),
                    active_ms=message.active_ms,
                )
            return self._next(user_id)

        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    async def skip(self, payload: Payload, request: gr.Request) -> Reply:
        """Put an item aside with a reason; going back leads to it again."""

        def step(message: Message, user_id: str) -> Reply:
            address = {"user_id": user_id, "assignment_id": message.on()}
            with self.store.writing() as session:
                work.skip(session, **address, revision=message.revision, reason=message.reason or "")
            return self._next(user_id)

        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    async def back(self, payload: Payload, request: gr.Request) -> Reply:
        """The item before, to look at or to revise."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                item = work.previous(session, user_id=user_id, assignment_id=message.assignment_id)
            if item is None:
                raise InputError("This is your first item; there is none before it.")
            return _reply("item", item)

        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    async def draft(self, payload: Payload, request: gr.Request) -> str:
        """Keep what is chosen so far."""
        return await run_sync(self._keep, payload, str(request.username), limiter=self.threads)

    def _keep(self, payload: Payload, user_id: str) -> str:
        try:
            message = parse_message(payload)
            address = {"user_id": user_id, "assignment_id": message.on()}
            form = (message.form or Form()).model_dump(mode="json")
            with self.store.writing() as session:
                work.save_draft(session, **address, revision=message.revision, draft=form)
            return "Draft kept."
        except ClinicnumError as error:
            return f"Draft not kept: {error}"

    def _open(self, user_id: str, assignment_id: str) -> Reply:
        """One of the user's own items; the next one if it is not theirs."""
        try:
            with self.store.reading() as session:
                item = work.get_assignment(session, user_id=user_id, assignment_id=assignment_id)
            return _reply("item", item)
        except ClinicnumError:
            return self._next(user_id)

    def _next(self, user_id: str) -> Reply:
        with self.store.reading() as session:
            item = work.current_assignment(session, user_id=user_id)
        if item is None:
            with self.store.writing() as session:
                item = work.next_assignment(session, user_id=user_id)
        return _reply("item", item)

    def _try(self, step: Callable[[Message, str], Reply], payload: Payload, user_id: str) -> Reply:
        """Take the step, or say why not; after a conflict with the item as it now stands, to go on from."""
        message = None
        try:
            message = parse_message(payload)
            return step(message, user_id)
        except Conflict as error:
            with self.store.reading() as session:
                now = (
                    work.get_assignment(session, user_id=user_id, assignment_id=message.on())
                    if message
                    else None
                )
            return _reply("error", now, str(error))
        except ClinicnumError as error:
            return _reply("error", None, str(error))


def build_annotate(*, store: Store, shell: Shell, taxonomy: Taxonomy) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `annotate`."""
    handlers = AnnotateHandlers(store)
    with gr.Blocks(title="Annotate · clinicnum", analytics_enabled=False, fill_width=True) as page:
        shell.navigation(page, "/annotate")
        bench = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1 class="ab-sr">Annotate</h1>'
            '<div class="ab-live ab-sr" aria-live="polite"></div><div class="ab-root"></div></div>',
            js_on_load=(STATIC / "annotate.js").read_text(encoding="utf-8"),
            apply_default_css=False,
            elem_id="bench",
            taxonomy=taxonomy_view(taxonomy),
            severities=severity_view(taxonomy),
        )
        status = gr.HTML(
            value="",
            html_template='<p class="ab-status" role="status">{{value}}</p>',
            apply_default_css=False,
        )
        quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        page.load(handlers.load, None, bench, **quiet)
        bench.select(handlers.judge, bench, bench, **quiet)
        bench.submit(handlers.submit, bench, bench, **quiet)
        bench.undo(handlers.back, bench, bench, **quiet)
        bench.clear(handlers.skip, bench, bench, **quiet)
        bench.input(handlers.draft, bench, status, **quiet)
    return page
