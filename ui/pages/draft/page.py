"""The drafts page: a template written in a form or as YAML, looked at as it is typed, sent to review.

The browser holds what is typed and saves it at every pause, on the revision that it began from; who saves on
an older one is told and loses nothing (see `clinicnum.db.work.drafts.drafts`). Everything the page shows is
made anew from the content that it sends, by one way for form and YAML.
"""

from collections.abc import Callable
from typing import Any

import gradio as gr
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from clinicnum.annotations.curation.derived_fields import (
    FIELDS,
    DerivedField,
    derived_fields,
    still_derived,
    with_derived_fields,
)
from clinicnum.annotations.curation.drafts import Draft, OvertakenDraft, check_content
from clinicnum.annotations.curation.review_readiness import read_draft, sound_template, trial_of
from clinicnum.authoring.similarity import similar_templates
from clinicnum.authoring.trial import preview
from clinicnum.db.sessions import Store
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.bank.known_templates import KnownTemplates
from clinicnum.db.work.drafts import draft_rebase, drafts
from clinicnum.errors import ClinicnumError, Conflict, InputError, Unavailable
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.parse_template import content_of, content_of_yaml, yaml_of
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.draft.form_schema import form_schema
from clinicnum.ui.pages.draft.messages import Message
from clinicnum.ui.pages.draft.view import (
    alike_view,
    draft_view,
    faults_view,
    filled_view,
    overtaken_view,
    preview_view,
    summaries_view,
    trial_view,
)

AT_ONCE = 4
LOOKS_AT_ONCE = 2
"""Each computes on a core; annotators' saves must not wait for them."""
TEMPLATE = '<div class="cn-page df-page"><h1>Drafts</h1><div class="df-root"></div></div>'
SCRIPT = """import("/static/draft/page.js").then((page) => page.start(element));"""
Step = Callable[[Message, str], Reply]


class DraftHandlers:
    """The page's events; the gate has checked the right, and `clinicnum.db.work.drafts.drafts` checks it
    again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.threads, self.looks = CapacityLimiter(AT_ONCE), CapacityLimiter(LOOKS_AT_ONCE)
        self.known = KnownTemplates()
        self.schema = form_schema()

    async def load(self, payload: Any, request: gr.Request) -> Reply:
        """The list and the form's schema, and the draft that is asked for."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                listed = drafts.list_drafts(session)
                reply: Reply = {"schema": self.schema, "me": user_id, "drafts": summaries_view(listed)}
                if message.draft:
                    try:
                        reply["draft"] = draft_view(drafts.load(session, message.draft))
                    except InputError as error:
                        reply |= bad(error)
            return reply

        return await self._run(step, payload, request)

    async def begin(self, payload: Any, request: gr.Request) -> Reply:
        """A new draft: empty, of a version of the bank, or going on from another draft."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                return {"draft": draft_view(self._begun(session, message, user_id))}

        return await self._run(step, payload, request)

    def _begun(self, session: Any, message: Message, author: str) -> Draft:
        if message.template:
            row = template_versions.find_version(session, message.template, message.version)
            base = (row.template_id, row.version)
            content = content_of(template_versions.template_of(row))
            draft_id = drafts.begin(session, author=author, content=content, base=base)
        elif message.from_draft:
            draft_id = draft_rebase.begin_from(
                session, author=author, draft_id=message.from_draft, content=message.checked()
            )
        else:
            draft_id = drafts.begin(session, author=author, content=message.checked())
        return drafts.load(session, draft_id)

    async def save(self, payload: Any, request: gr.Request) -> Reply:
        """Keep what is typed, or tell who saved in between and show what they saved."""

        def step(message: Message, user_id: str) -> Reply:
            try:
                with self.store.writing() as session:
                    revision = drafts.save(
                        session,
                        draft_id=message.on(),
                        revision=message.revision,
                        content=message.checked(),
                        actor=user_id,
                    )
            except Conflict as error:
                return self._theirs(message) | bad(error)
            return {"saved": {"revision": revision}}

        return await self._run(step, payload, request)

    async def submit(self, payload: Any, request: gr.Request) -> Reply:
        """Make the draft a version of the bank, to be reviewed."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.reading() as session:
                content = drafts.load(session, message.on()).content
            sound_template({**content, "status": "draft", "version": 1})  # outside the transaction
            try:
                with self.store.writing() as session:
                    name, version = drafts.submit(
                        session, draft_id=message.on(), revision=message.revision, actor=user_id
                    )
                    view = draft_view(drafts.load(session, message.on()))
            except OvertakenDraft as error:
                return self._newer(message, error)
            except Conflict as error:
                return self._theirs(message) | bad(error)
            return {"draft": view, **good(f"{name} version {version} is in the bank and can be reviewed.")}

        return await self._run(step, payload, request, self.looks)

    async def rebase(self, payload: Any, request: gr.Request) -> Reply:
        """Go on from the newest version of the draft's template, which was shown beside it."""

        def step(message: Message, user_id: str) -> Reply:
            try:
                with self.store.writing() as session:
                    draft_rebase.rebase(
                        session,
                        draft_id=message.on(),
                        revision=message.revision,
                        version=message.version,
                        actor=user_id,
                    )
                    return {"draft": draft_view(drafts.load(session, message.on()))}
            except OvertakenDraft as error:
                return self._newer(message, error)
            except Conflict as error:
                return self._theirs(message) | bad(error)

        return await self._run(step, payload, request)

    async def take_back(self, payload: Any, request: gr.Request) -> Reply:
        """Go on with a draft that was sent and is not in review yet."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                drafts.take_back(session, draft_id=message.on(), actor=user_id)
                return {"draft": draft_view(drafts.load(session, message.on()))}

        return await self._run(step, payload, request)

    async def discard(self, payload: Any, request: gr.Request) -> Reply:
        """Put a draft aside."""

        def step(message: Message, user_id: str) -> Reply:
            with self.store.writing() as session:
                drafts.discard(session, draft_id=message.on(), actor=user_id)
            return {"discarded": True, **good("The draft is discarded.")}

        return await self._run(step, payload, request)

    async def look(self, payload: Any, request: gr.Request) -> Reply:
        """What follows from the content, what is wrong with it, and questions on sample patients."""

        def step(message: Message, user_id: str) -> Reply:
            try:
                content, found, whole = _whole(message)
            except InputError as error:
                return {"yaml_error": str(error)} | bad(error) if message.yaml is not None else bad(error)
            read = read_draft(whole)
            shown = preview(read.template) if read.template is not None else None
            faults = (*read.faults, *(shown.faults if shown else ()))
            return {
                "content": content if message.yaml is not None else None,
                "filled": filled_view(found),
                "followed": filled_view(still_derived(content) if message.yaml is not None else ()),
                "faults": faults_view(one for one in dict.fromkeys(faults) if not _follows_yet(one, whole)),
                "notes": faults_view(read.notes),
                "preview": preview_view(shown) if shown else None,
                "sound": read.template is not None and not faults,
            }

        return await self._run(step, payload, request, self.looks)

    async def weigh(self, payload: Any, request: gr.Request) -> Reply:
        """Validity on many sample patients, and what in the bank asks the same."""

        def step(message: Message, user_id: str) -> Reply:
            read = read_draft(_whole(message)[2])
            if read.template is None:
                return bad(InputError("the draft is no template yet; mend what is marked"))
            trial = trial_of(read.template)
            with self.store.reading() as session:
                others = self.known.all(session)
            return {
                "trial": trial_view(trial),
                "faults": faults_view(trial.faults),
                "alike": alike_view(similar_templates(read.template, others)),
            }

        return await self._run(step, payload, request, self.looks)

    async def text(self, payload: Any, request: gr.Request) -> Reply:
        """The content as YAML."""
        return await self._run(lambda message, _: {"yaml": yaml_of(message.checked())}, payload, request)

    def _theirs(self, message: Message) -> Reply:
        """The draft as it is now, where the browser has another."""
        with self.store.reading() as session:
            view = draft_view(drafts.load(session, message.on()))
        same = view["status"] == "open" and view["revision"] == message.revision
        return {} if same else {"theirs": view}

    def _newer(self, message: Message, error: OvertakenDraft) -> Reply:
        """The version that was added meanwhile, to be compared with the draft."""
        with self.store.reading() as session:
            draft = drafts.load(session, message.on())
            newer = template_versions.template_of(
                template_versions.find_version(session, error.template_id, error.version)
            )
            base = None if draft.base is None else template_versions.find_version(session, *draft.base)
        begun_from = template_versions.template_of(base) if base is not None and base.payload else None
        return {"theirs": overtaken_view(draft, newer, begun_from)} | bad(error)

    async def _run(
        self, step: Step, payload: Any, request: gr.Request, limiter: CapacityLimiter | None = None
    ) -> Reply:
        try:
            message = parse(Message, payload)
            return await run_sync(step, message, str(request.username), limiter=limiter or self.threads)
        except Unavailable:  # the page asks again by itself
            raise
        except ClinicnumError as error:
            return bad(error)


def _whole(message: Message) -> tuple[dict[str, Any], tuple[DerivedField, ...], dict[str, Any]]:
    """The content sent, what follows from it, and both together."""
    content = message.checked() if message.yaml is None else check_content(content_of_yaml(message.yaml))
    found = derived_fields(content)
    return content, found, with_derived_fields(content, found)


def _follows_yet(fault: Fault, content: dict[str, Any]) -> bool:
    """Whether it is about what follows by itself as soon as there is a tree."""
    return len(fault.path) == 1 and fault.path[0] in FIELDS and not content.get("tree")


def build_draft(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `curate`."""
    handlers = DraftHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Drafts · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/draft")
        board = gr.HTML(
            value={},
            html_template=TEMPLATE,
            js_on_load=SCRIPT,
            apply_default_css=False,
            elem_id="drafts",
        )
        # The page calls them by requests of its own; the events' names mean nothing.
        board.apply(handlers.load, board, board, **quiet)
        board.select(handlers.begin, board, board, **quiet)
        board.edit(handlers.save, board, board, **quiet)
        board.submit(handlers.submit, board, board, **quiet)
        board.undo(handlers.take_back, board, board, **quiet)
        board.clear(handlers.discard, board, board, **quiet)
        board.input(handlers.look, board, board, **quiet)
        board.expand(handlers.weigh, board, board, **quiet)
        board.copy(handlers.text, board, board, **quiet)
        board.retry(handlers.rebase, board, board, **quiet)
    return page
