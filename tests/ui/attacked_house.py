"""The application with studies of several kinds in it, as an attacker finds it: people, pages, handlers."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.ratings.rating_axes import BUILT_IN
from clinicnum.annotations.types import Role
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import Row
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import answer_annotators
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test.browser_connection import Answer, Connection
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from clinicnum.ui.pages.annotate.page import AnnotateHandlers
from clinicnum.ui.pages.draft.page import DraftHandlers
from tests.db.adjudicating import add_role
from tests.db.checking import open_claims
from tests.db.comparing import compared_material
from tests.db.disputing import open_judged
from tests.db.examples import FAILURE, material, open_study
from tests.processes import ForkedServer

PASSWORD = "a long enough password"
SECRET = "only ann wrote this"
PEOPLE: dict[str, Role] = {
    "ann": "annotator",
    "ben": "annotator",
    "eve": "annotator",
    "ada": "adjudicator",
    "cur": "curator",
    "rex": "researcher",
    "root": "admin",
}


WORKBENCHES: dict[str, Callable[[Store], Any]] = {
    "/annotate": AnnotateHandlers,
    "/adjudicate": AdjudicateHandlers,
    "/draft": DraftHandlers,
}
"""Pages with a script of their own that calls routes."""


@dataclass
class House:
    """The application with studies of several kinds in it, and what an attacker has found out."""

    engine: Engine
    port: int
    visitors: dict[str | None, Connection] = field(default_factory=dict)
    """By name, logged in; None is a stranger."""
    pages: dict[str, frozenset[str]] = field(default_factory=dict)
    """The names that a page's navigation is shown to, by path."""
    ids: dict[str, str] = field(default_factory=dict)
    """User ids by name."""
    begun: dict[str, str] = field(default_factory=dict)
    """An assignment in work, by name."""

    def post(self, page: str, name: str | None, number: object, data: object) -> tuple[int, str]:
        """One event by hand, with something selected, for those that ask for it; status and text."""
        selected = {"index": [0, 0], "value": data, "row_value": data}
        call = {"fn_index": number, "data": data, "event_data": selected, "session_hash": "made-by-hand"}
        answer = self.send(page, name, call)
        return answer.status, answer.body.decode("utf-8", "replace")

    def call(self, handler: dict[str, Any], name: str | None, value: Any) -> tuple[int, str]:
        """An event or a route of a page with a value as each of its inputs; status and text."""
        if "route" not in handler:
            return self.post(handler["page"], name, handler["id"], _data(handler, value))
        body = value["out"] if isinstance(value, dict) and "out" in value else value
        answer = self.visitors[name].post_json(handler["route"], body)
        return answer.status, answer.body.decode("utf-8", "replace")

    def send(self, page: str, name: str | None, body: object) -> Answer:
        """Anything."""
        return self.visitors[name].post_json(f"{page}/gradio_api/run/predict", body)

    def events(self, page: str) -> list[dict[str, Any]]:
        """The handlers of a page, from its config, which somebody with the right can read."""
        insider = self.visitors[min(self.pages[page])]
        events = insider.get(f"{page}/config").json()["dependencies"]
        return [{**one, "page": page} for one in events if one["backend_fn"]]

    def handlers(self, page: str) -> list[dict[str, Any]]:
        """The events of a page, and the routes of its script."""
        made = WORKBENCHES.get(page)
        actions = made(Store(self.engine)).actions() if made else ()
        routes = [{"route": f"/api{page}/{one.name}", "targets": one.name} for one in actions]
        return [*self.events(page), *routes]

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """The whole database."""
        with reading(self.engine) as session:
            return {
                table.name: [dict(row._mapping) for row in session.execute(select(table))]
                for table in Row.metadata.sorted_tables
            }

    def enter(self, name: str) -> None:
        """Log in, and note which pages the navigation shows."""
        visitor = self.visitors[name] = Connection(self.port)
        assert visitor.post_form("/login", {"name": name, "password": PASSWORD}).status == 303
        home = (visitor.get("/").location or "").rstrip("/")
        shown: set[str] = {home} if home else set()
        config = visitor.get(f"{home}/config").json() if home else {"dependencies": []}
        for event in config["dependencies"]:
            if any(how == "load" for _, how in event["targets"]) and not event["inputs"]:
                text = json.dumps(visitor.post_json(f"{home}/gradio_api/run/predict", _call(event)).json())
                if "cn-nav" in text:
                    shown |= {found.rstrip("/") for found in re.findall(r'href=\\"(/[^"\\]*)', text)}
        for page in shown - {"", "/account", "/help"}:  # without events
            self.pages[page] = self.pages.get(page, frozenset()) | {name}


def _call(event: dict[str, Any]) -> dict[str, Any]:
    return {"fn_index": event["id"], "data": [], "session_hash": "made-by-hand"}


def serve_house(folder: Path) -> Iterator[House]:
    """Somebody of each role, logged in, and studies in which they have begun to work."""
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    with writing(engine) as session:
        ids = {
            name: users.add_user(session, name=name, role=role, password=PASSWORD).user_id
            for name, role in PEOPLE.items()
        }
    open_study(engine, annotators=("ann", "ben"), overlap=2)
    open_study(engine, material(run_id="run-of-eve"), name="other", annotators=("eve",), overlap=1)
    compared = open_study(
        engine,
        compared_material(),
        name="pairs",
        annotators=("eve",),
        overlap=1,
        include="all",
        pairwise=True,
    )
    rated = open_study(
        engine,
        material(run_id="run-of-eve-rated"),
        name="rated",
        annotators=("eve",),
        overlap=1,
        include="all",
        asks="ratings",
        fields=BUILT_IN,
    )
    checked = open_claims(engine, annotators=("eve",), overlap=1)
    two = {name: add_role(engine, name, "annotator") for name in ("kim", "lee")}
    open_judged(engine, two, "failures", name="ticks", annotators=("kim", "lee"))
    begun = _begin(engine, ids)
    with writing(engine) as session:
        for what, study in {"pairs": compared, "rated": rated, "checks": checked}.items():
            item = annotate.next_assignment(session, user_id=ids["eve"], study_id=study.study_id)
            assert item is not None
            begun[f"eve, {what}"] = item.assignment_id
    _ask_and_answer(engine, ids, begun["ann, done"])
    server = ForkedServer.clinicnum_serve(url, folder / "log").start()
    made = House(engine, server.port, {None: Connection(server.port)}, ids=ids, begun=begun)
    try:
        for name in PEOPLE:
            made.enter(name)
        yield made
    finally:
        server.kill()
        for visitor in made.visitors.values():
            visitor.close()
        engine.dispose()


def _begin(engine: Engine, ids: dict[str, str]) -> dict[str, str]:
    """Ann has submitted one item and has another in work; ben and eve have one in work each."""
    begun = {}
    with writing(engine) as session:
        first = annotate.next_assignment(session, user_id=ids["ann"])
        assert first is not None
        annotate.submit(
            session,
            user_id=ids["ann"],
            assignment_id=first.assignment_id,
            revision=0,
            judgement=Judgement(**{**FAILURE.model_dump(), "rationale": SECRET}),
            active_ms=1,
        )
        second = annotate.next_assignment(session, user_id=ids["ann"])
        assert second is not None
        begun["ann"], begun["ann, done"] = second.assignment_id, first.assignment_id
        for name in ("ben", "eve"):
            item = annotate.next_assignment(session, user_id=ids[name])
            assert item is not None
            begun[name] = item.assignment_id
    return begun


def _ask_and_answer(engine: Engine, ids: dict[str, str], assignment_id: str) -> None:
    """Ann has flagged what she submitted, and ada has answered; both say what nobody else may read."""
    with writing(engine) as session:
        annotate.flag(session, user_id=ids["ann"], assignment_id=assignment_id, note=SECRET)
        one = next(one for one in list_waiting(session, user_id=ids["ada"]) if one.flagged)
        about = {"user_id": ids["ada"], "study_id": one.study_id, "item": one.item}
        (flag,) = load_adjudication_item(session, **about).flags
        answer_annotators.answer_flag(session, **about, flag=flag.key, comment=SECRET, ruling=True)


def _data(event: dict[str, Any], value: Any) -> list[Any]:
    return [value] * max(1, len(event["inputs"])) if event["inputs"] else []
