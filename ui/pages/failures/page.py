"""The failures page: what people labelled and contested, grouped by likeness, and the way to a draft."""

from threading import Lock
from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.clusters import Clustering, cluster_failures
from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.sessions import Store
from clinicnum.db.work.drafts import failures, from_failure
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.failures.view import choices_view, cluster_view, contest_view, failure_view, paged


class Looked(Frozen):
    """What the page shows."""

    view: Literal["clusters", "contests", "failures"] = "clusters"
    operation: str = Field(default="", max_length=50)
    code: str = Field(default="", max_length=100)
    template: str = Field(default="", max_length=200)
    failure: str = Field(default="", max_length=200)
    """One answer, by its item id."""
    cluster: str = Field(default="", max_length=200)
    page: int = Field(default=1, ge=1, le=100_000)

    def holds(self, one: Failure) -> bool:
        """Whether a failure is among what is shown."""
        return (
            self.operation in ("", one.operation)
            and self.code in ("", one.code)
            and self.template in ("", one.template_id)
            and self.failure in ("", one.item)
        )


class Message(Frozen):
    """What the page sends."""

    action: Literal["list", "make"]
    look: Looked = Looked()
    kind: Literal["failure", "cluster", "contest"] = "failure"
    of: str = Field(default="", max_length=200)
    """The failure's key, the cluster's or the contest's id."""
    next_version: bool = False


class FailuresHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: reading and grouping belong in a thread. What was grouped is kept until something changed.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._grouping = Lock()
        self._kept: tuple[str, tuple[Failure, ...], Clustering] | None = None
        taxonomy = load_taxonomy()
        self._names = {code: taxonomy.find(code).name for code in taxonomy.codes()}

    def load(self) -> Reply:
        """That the page may ask: grouping may take seconds, and it says so meanwhile."""
        return {"ready": True}

    def act(self, payload: Any, request: gr.Request) -> Reply:
        """One message; what went wrong is said and nothing is changed."""
        try:
            message = parse(Message, payload)
            if message.action == "list":
                return self._list(message.look, str(request.username))
            return {"go": f"/draft/?draft={self._make(message, str(request.username))}"}
        except ClinicnumError as error:
            return bad(error)

    def _make(self, message: Message, actor: str) -> str:
        if message.kind == "contest":
            with self.store.writing() as session:
                return from_failure.begin_from_contest(
                    session, actor=actor, contest=message.of, next_version=message.next_version
                )
        known, clustering = self._grouped()
        if message.kind == "cluster":
            chosen = [one.members for one in clustering.clusters if one.cluster_id == message.of]
        else:
            chosen = [(one,) for one in known if one.key == message.of]
        if not chosen:
            raise InputError("that is not among the failures any more; load the page again")
        with self.store.writing() as session:
            return from_failure.begin_from_failures(
                session, actor=actor, failures=chosen[0], next_version=message.next_version
            )

    def _grouped(self) -> tuple[tuple[Failure, ...], Clustering]:
        with self._grouping:
            with self.store.reading() as session:
                mark = failures.failures_mark(session)
                if self._kept is not None and self._kept[0] == mark:
                    return self._kept[1:]
                known = failures.labelled_failures(session)
            self._kept = mark, known, cluster_failures(known)
            return self._kept[1:]

    def _list(self, look: Looked, user_id: str) -> Reply:
        known, clustering = self._grouped()
        with self.store.reading() as session:
            contests = [
                one
                for one in failures.upheld_contests(session, user_id=user_id)
                if look.template in ("", one.template_id)
                and look.operation in ("", one.operation)
                and look.failure in ("", one.item)
            ]
            made = failures.drafts_made(session)
        alone = [one for one in known if look.holds(one)]
        clusters = [
            one
            for one in clustering.clusters
            if look.cluster in ("", one.cluster_id) and any(map(look.holds, one.members))
        ]
        counts = {"clusters": len(clusters), "contests": len(contests), "failures": len(alone)}
        part, place = paged(counts[look.view], look.page)
        shown: list[dict[str, Any]] = {
            "clusters": lambda: [cluster_view(one, made, self._name) for one in clusters[part]],
            "contests": lambda: [contest_view(one, made) for one in contests[part]],
            "failures": lambda: [failure_view(one, made, self._name) for one in alone[part]],
        }[look.view]()
        return {
            "look": look.model_dump(mode="json") | {"page": place["page"]},
            "counts": counts,
            "choices": choices_view(known, self._name),
            "left_out": clustering.left_out,
            "shown": shown,
            **place,
        }

    def _name(self, code: str) -> str:
        return self._names.get(code, code)


def build_failures(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `curate`."""
    handlers = FailuresHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Failures · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/failures")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Failures</h1>'
            '<div class="fl-message" role="status"></div><div class="fl-root"></div></div>',
            js_on_load=script("dom.js", "failures.js"),
            apply_default_css=False,
            elem_id="failures",
        )
        page.load(handlers.load, None, board, **quiet)
        board.select(handlers.act, board, board, **quiet)
    return page
