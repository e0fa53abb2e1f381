"""The adjudicate page: what annotators differ on, contest or flag, one item after the other.

The browser learns what was said, never by whom or how often. A decision carries the mark of what was looked
at, and a contest that of the consequences shown, so that nothing else than what was seen is decided.
"""

from collections.abc import Callable
from typing import Annotated, Any

import gradio as gr
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from pydantic import Field, ValidationError

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.annotations.contest_consequences import Scope
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.sessions import Store
from clinicnum.db.work.adjudication import adjudicate as work
from clinicnum.db.work.adjudication import contest_resolution
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem, load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.studies.study import taxonomy_of_study
from clinicnum.errors import ClinicnumError, Conflict, InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.types import Frozen
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.adjudicate.view import hearing_view, outlook_view, queue_view

ALL_DONE = "Nothing waits for you: no disagreement, contest or flag is open."
AT_ONCE = 4
Payload = dict[str, Any]
Reply = dict[str, Any]
Key = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]


class Message(Frozen):
    """What the page sends; parsed once, here."""

    study_id: Key | None = None
    item: Key | None = None
    seen: Key | None = None
    position: int | None = Field(default=None, ge=0, le=999)
    judgement: Judgement | None = None
    comment: str = Field(default="", max_length=LONGEST_COMMENT)
    claim: Key | None = None
    scope: Scope = "group"
    mark: Key | None = None
    flag: Key | None = None

    def about(self) -> dict[str, str]:
        """The item. Raises InputError if it names none."""
        if self.study_id is None or self.item is None:
            raise InputError("This page had lost its item; nothing was saved. Reload the page and go on.")
        return {"study_id": self.study_id, "item": self.item}

    def named(self, field: str) -> str:
        """A key that the step needs. Raises InputError if it is not there."""
        value = getattr(self, field)
        if value is None:
            raise InputError(f"Not done: the page sent no {field}. Reload the page and try again.")
        return str(value)


def parse_message(payload: object) -> Message:
    """Read a page's message. Raises InputError that names the first field that is not as it should be."""
    out = payload.get("out") if isinstance(payload, dict) else None
    try:
        return Message.model_validate(out)
    except ValidationError as error:
        raise InputError(f"Not saved: {first_problem(error)}. Correct it and try again.") from error


class AdjudicateHandlers:
    """The page's events. Each reads its message, makes one call into `clinicnum.db.work`, and views the
    result."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.threads = CapacityLimiter(AT_ONCE)

    async def load(self, request: gr.Request) -> Reply:
        """What waits, and the first of it."""
        return await self._run(lambda _, user_id: self._next(user_id), {"out": {}}, request)

    async def go(self, payload: Payload, request: gr.Request) -> Reply:
        """An item that was chosen from the queue."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                item = load_adjudication_item(session, user_id=user_id, **message.about())
            return self._reply(user_id, "item", item)

        return await self._run(step, payload, request)

    async def later(self, payload: Payload, request: gr.Request) -> Reply:
        """The item behind this one, which goes on waiting."""
        return await self._run(lambda m, user_id: self._next(user_id, m.item), payload, request)

    async def back(self, payload: Payload, request: gr.Request) -> Reply:
        """The item decided before, to look at or to decide otherwise."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                item = work.previous_adjudication_item(session, user_id=user_id, item=message.item)
                if item is None:
                    raise InputError("You have decided no item before this one.")
            return self._reply(user_id, "item", item)

        return await self._run(step, payload, request)

    async def decide(self, payload: Payload, request: gr.Request) -> Reply:
        """Settle the item and hand out the next."""

        def step(message: Message, user_id: str) -> Reply:
            about, seen = message.about(), message.named("seen")
            with self.store.writing() as session:
                work.decide(
                    session,
                    user_id=user_id,
                    **about,
                    seen=seen,
                    position=message.position,
                    judgement=message.judgement,
                    comment=message.comment,
                )
            return self._next(user_id, message.item)

        return await self._run(step, payload, request)

    async def outlook(self, payload: Payload, request: gr.Request) -> Reply:
        """What upholding a contest would do."""

        def step(message: Message, user_id: str) -> Reply:
            about, claim = message.about(), message.named("claim")
            with self.store.reading() as session:
                found = contest_resolution.preview_uphold(
                    session, user_id=user_id, **about, claim=claim, scope=message.scope
                )
            return {"kind": "outlook", "message": None, "claim": claim, "outlook": outlook_view(found)}

        return await self._run(step, payload, request)

    async def uphold(self, payload: Payload, request: gr.Request) -> Reply:
        """Uphold a contest with the consequences that were shown, and no others."""

        def step(message: Message, user_id: str) -> Reply:
            about, claim, mark = message.about(), message.named("claim"), message.named("mark")
            with self.store.writing() as session:
                n = contest_resolution.uphold(
                    session,
                    user_id=user_id,
                    **about,
                    claim=claim,
                    scope=message.scope,
                    mark=mark,
                    comment=message.comment,
                )
            return self._again(message, user_id, f"Upheld: {n} instances are out; the template is in review.")

        return await self._run(step, payload, request)

    async def reject(self, payload: Payload, request: gr.Request) -> Reply:
        """Close a contest with a reason; the labels stay."""

        def step(message: Message, user_id: str) -> Reply:
            about, claim = message.about(), message.named("claim")
            with self.store.writing() as session:
                contest_resolution.reject(
                    session, user_id=user_id, **about, claim=claim, comment=message.comment
                )
            return self._again(message, user_id, "Rejected: the question stays as it is.")

        return await self._run(step, payload, request)

    async def answer(self, payload: Payload, request: gr.Request) -> Reply:
        """Take a flag down with an answer."""

        def step(message: Message, user_id: str) -> Reply:
            about, flag = message.about(), message.named("flag")
            with self.store.writing() as session:
                work.answer_flag(session, user_id=user_id, **about, flag=flag, comment=message.comment)
            return self._again(message, user_id, "The flag is answered.")

        return await self._run(step, payload, request)

    def _next(self, user_id: str, after: str | None = None) -> Reply:
        with self.store.reading() as session:
            desk = work.next_adjudication_item(session, user_id=user_id, after=after)
            if desk.presented is None:
                return {"kind": "done", "message": ALL_DONE, "item": None, "queue": queue_view(desk.waiting)}
            taxonomy = taxonomy_of_study(session, study_id=desk.presented.study_id)
        return {
            "kind": "item",
            "message": None,
            "item": hearing_view(desk.presented, taxonomy),
            "queue": queue_view(desk.waiting),
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
            "item": None if item is None or taxonomy is None else hearing_view(item, taxonomy),
            "queue": queue_view(waiting),
        }

    def _again(self, message: Message, user_id: str, told: str) -> Reply:
        """The same item if something on it still waits, else the next; with what was done."""
        with self.store.reading() as session:
            waiting = list_waiting(session, user_id=user_id)
            if any(one.item == message.item for one in waiting):
                item = load_adjudication_item(session, user_id=user_id, **message.about())
                return self._reply(user_id, "item", item, told)
        reply = self._next(user_id, message.item)
        return {**reply, "message": f"{told} {reply['message'] or ''}".strip()}

    async def _run(
        self, step: Callable[[Message, str], Reply], payload: Payload, request: gr.Request
    ) -> Reply:
        return await run_sync(self._try, step, payload, str(request.username), limiter=self.threads)

    def _try(self, step: Callable[[Message, str], Reply], payload: Payload, user_id: str) -> Reply:
        """Take the step, or say why not; after a conflict with the item as it now stands."""
        message = None
        try:
            message = parse_message(payload)
            return step(message, user_id)
        except Conflict as error:
            with self.store.reading() as session:
                item = (
                    load_adjudication_item(session, user_id=user_id, **message.about()) if message else None
                )
            return self._reply(user_id, "error", item, str(error))
        except ClinicnumError as error:
            return {"kind": "error", "message": str(error), "item": None}


def build_adjudicate(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `adjudicate`."""
    handlers = AdjudicateHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Adjudicate · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/adjudicate")
        bench = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1 class="aj-sr">Adjudicate</h1>'
            '<div class="aj-live aj-sr" aria-live="polite"></div><div class="aj-root"></div></div>',
            js_on_load=script("dom.js", "../pages/adjudicate/views.js", "../pages/adjudicate/page.js"),
            apply_default_css=False,
            elem_id="adjudicate",
        )
        page.load(handlers.load, None, bench, **quiet)
        for event, handler in (
            (bench.select, handlers.go),
            (bench.clear, handlers.later),
            (bench.undo, handlers.back),
            (bench.submit, handlers.decide),
            (bench.expand, handlers.outlook),
            (bench.apply, handlers.uphold),
            (bench.delete, handlers.reject),
            (bench.edit, handlers.answer),
        ):
            event(handler, bench, bench, **quiet)
    return page
