"""The releases page: what was published, what is ready, a new release, its preview and regression."""

from typing import Annotated, Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.db.sessions import Store
from clinicnum.db.work.release import regression, release_readiness, releases
from clinicnum.db.work.release.releases import ReleaseOptions
from clinicnum.errors import ClinicnumError, Conflict
from clinicnum.release.make import LICENCE
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.releases.view import (
    plan_view,
    regression_view,
    releases_view,
    standings_view,
    templates,
)

Names = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=5000)]
OTHERWISE = "The bank has changed since the preview; nothing was published. Look at the preview anew."


class Message(Frozen):
    """What the page sends: the form as it stands, and what to do with it."""

    action: Literal["look", "preview", "publish", "regress"]
    name: str = Field(default="", max_length=64)
    notes: str = Field(default="", max_length=5_000)
    date: str = Field(default="", max_length=10)
    licence: str = Field(default=LICENCE, max_length=100)
    authors: str = Field(default="", max_length=1_000)
    """Joined by semicolons."""
    include_unreviewed: bool = False
    leave_out: Names = ()
    sha256: str = Field(default="", max_length=64)
    """Of the preview that is to be published."""
    benchmark: str = Field(default="", max_length=200)

    def order(self) -> ReleaseOptions:
        """What is to be published."""
        return ReleaseOptions(
            name=self.name.strip(),
            notes=self.notes,
            date=self.date.strip() or None,
            include_unreviewed=self.include_unreviewed,
            leave_out=self.leave_out,
            licence=self.licence.strip() or LICENCE,
            authors=tuple(one.strip() for one in self.authors.split(";") if one.strip()),
        )


class ReleasesHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: a changelog compares golds on sample patients, and a regression judges stored runs anew.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> Reply:
        """What was published, and what is ready."""
        return self._board(Message(action="look"))

    def change(self, payload: Any, request: gr.Request) -> Reply:
        """Look anew, or preview, publish or try the release that the form describes."""
        message = Message(action="look")
        told: Reply = {}
        try:
            message = parse(Message, payload)
            told = self._act(message, str(request.username))
        except ClinicnumError as error:
            told = bad(error)
        return self._board(message) | told

    def _act(self, message: Message, actor: str) -> Reply:
        if message.action == "preview":
            with self.store.reading() as session:
                return {"plan": plan_view(releases.plan_release(session, message.order()))}
        if message.action == "publish":
            return self._publish(message, actor)
        if message.action == "regress":
            with self.store.reading() as session:
                bank = releases.ready_templates(session, message.order())
                found = regression.regress_stored(session, bank, benchmark_id=message.benchmark)
            return {"regression": regression_view(found)}
        return {}

    def _publish(self, message: Message, actor: str) -> Reply:
        """Publish just what was shown."""
        with self.store.reading() as session:
            made = releases.plan_release(session, message.order())
        if made.manifest.sha256 != message.sha256:
            raise Conflict(OTHERWISE)
        with self.store.writing() as session:
            releases.publish(session, made, actor=actor)
        count = templates(len(made.manifest.templates))
        again = " It was published before, just so." if made.known else ""
        return {
            "published": message.order().name,
            **good(f"Release {made.manifest.name} is published, with {count}.{again}"),
        }

    def _board(self, message: Message) -> Reply:
        with self.store.reading() as session:
            found = release_readiness.template_readiness(
                session, include_unreviewed=message.include_unreviewed
            )
            return {
                "releases": releases_view(releases.list_releases(session)),
                "standings": standings_view(found, message.leave_out),
                "benchmarks": list(regression.scored_benchmarks(session)),
            }


def build_releases(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `curate`."""
    handlers = ReleasesHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Releases · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/releases")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Releases</h1><div class="st-message" role="status"></div>'
            '<div class="st-root"></div></div>',
            js_on_load=script("dom.js", "releases.js"),
            apply_default_css=False,
            elem_id="releases",
        )
        page.load(handlers.load, None, board, **quiet)
        board.select(handlers.change, board, board, **quiet)
    return page
