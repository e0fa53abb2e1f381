"""Studies for the annotate page: emoji before the numbers of a text, suggestions, training, a guideline."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.study_deadline import today
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.types import Cell, Suggestion
from tests.db.examples import as_our_run, material
from tests.db.monitor import MONITOR, monitor_material
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.visit import Visit

TEXT = "🩺🫀 At 06:27 it was 118 over 76.\nSo the answer is 2000."
CAUSE = "contextual_inconsistency.wrong_record"
OWN_NAME = "Reasoned wrongly"
WARD = ("amy", "bob", "cem", "dea", "eli", "fay", "gil", "hal", "ivy", "joy", "kim")
THINKING = "As Llama-3-tiny I would take 4242 first."
GUIDELINE = "# First things\n\nRead **all** of it. <script>document.title = 'owned'</script> ![x](http://example.org/x)"
REFERENCE = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code=CAUSE, primary=True),),
    severity="2",
    rationale="It is the later one.",
)


def ward_material(*, run_id: str, wrong: int = 8) -> Material:
    """Wrong answers of a run of ours, each with one suggestion: the answer's number and one cell."""
    made = as_our_run(
        material(wrong=wrong, run_id=run_id), finish_reason="length", completion_tokens=64, thinking=THINKING
    )
    run = made.runs[0]
    generations = tuple(one.model_copy(update={"text": TEXT}) for one in run.generations)
    start = TEXT.index("2000")
    suggestions = tuple(
        Suggestion(
            generation_id=one.generation_id,
            code=CAUSE,
            rule="wrong_record",
            spans=((start, start + 4),),
            cells=(Cell(record=1, vital="sbp_mmhg"),),
            rank=1,
            sentence="2000 is what the later record gives.",
        )
        for one in generations
    )
    return replace(made, runs=(replace(run, generations=generations),), suggestions=suggestions)


def own_taxonomy() -> Taxonomy:
    """The built-in one with another name for a class, as a study may bring it."""
    built_in = load_taxonomy()
    classes = tuple(
        one.model_copy(update={"name": OWN_NAME}) if one.code == "causal_reasoning" else one
        for one in built_in.classes
    )
    return built_in.model_copy(update={"id": "of-the-school", "classes": classes})


def open_ward(database: str) -> None:
    """`ward` with suggestions after the judgement; `school` with training and a taxonomy of its own; `old` on
    version 1 of the taxonomy; `night`, in which one of the ward works as well; `pair` of two items; `monitor`
    with many records; `exam` with a threshold.
    """
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as session:
        for name in (*WARD, *MONITOR, "tess", "ugo", "una", "vic", "lea"):
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        users.add_user(session, name="root", role="admin", password=PASSWORD)
        common: dict[str, Any] = {"seed": 0, "guideline": GUIDELINE}
        study_lifecycle.create_study(
            session,
            name="ward",
            taxonomy=load_taxonomy(),
            material=ward_material(run_id="ward-run"),
            annotators=WARD,
            design=read_design({"overlap": len(WARD), "suggestions": "after_judgement"}),
            **common,
        )
        study_lifecycle.create_study(
            session,
            name="school",
            taxonomy=own_taxonomy(),
            material=ward_material(run_id="school-run", wrong=3),
            annotators=["tess", "ugo"],
            design=read_design({"overlap": 1, "training": 1, "suggestions": "shown"}),
            references={"school-run-g0": REFERENCE},
            **common,
        )
        study_lifecycle.create_study(
            session,
            name="old",
            taxonomy=load_taxonomy(version="1"),
            material=ward_material(run_id="old-run", wrong=2),
            deadline=today() - timedelta(days=2),
            annotators=["vic"],
            design=read_design({"overlap": 1}),
            seed=0,
        )
        study_lifecycle.create_study(
            session,
            name="exam",
            taxonomy=load_taxonomy(),
            material=ward_material(run_id="exam-run", wrong=4),
            annotators=["lea"],
            design=read_design({"overlap": 1, "training": 2, "qualifying": 2}),
            references={"exam-run-g0": REFERENCE, "exam-run-g1": REFERENCE},
            seed=0,
        )
        study_lifecycle.create_study(
            session,
            name="night",
            taxonomy=load_taxonomy(),
            material=ward_material(run_id="night-run", wrong=2),
            deadline=today() + timedelta(days=4),
            annotators=["ivy"],
            design=read_design({"overlap": 1}),
            seed=0,
        )
        study_lifecycle.create_study(
            session,
            name="pair",
            taxonomy=load_taxonomy(),
            material=ward_material(run_id="pair-run", wrong=2),
            annotators=["una"],
            design=read_design({"overlap": 1}),
            seed=0,
        )
        study_lifecycle.create_study(
            session,
            name="monitor",
            taxonomy=load_taxonomy(),
            material=monitor_material(),
            annotators=MONITOR,
            design=read_design({"overlap": len(MONITOR)}),
            seed=0,
        )
    engine.dispose()


@contextmanager
def ward_server(folder: Path) -> Iterator[Server]:
    """A server of `ward` and `school`, with a database of its own in `folder`."""
    database = f"sqlite:///{folder / 'ward.db'}"
    open_ward(database)
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def set_status(database: str, name: str, status: str) -> None:
    """Pause or open a study while people work in it."""
    engine = make_engine(database)
    with writing(engine) as session:
        find_study(session, name).status = status
    engine.dispose()


PAINTED = "() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))"
"""Before a page is first painted, which takes a while on a busy machine, Chromium drops keys."""


class Worker(Visit):
    """An annotator at the keyboard, with every key counted and every complaint of the browser noted."""

    def __init__(self, browser: Browser, server: Server, name: str, *, tour: bool = False) -> None:
        super().__init__(browser, server, name, tour=tour)
        self.keys = 0
        self.complaints: list[str] = []
        self.page.on("console", lambda one: self.complaints.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda one: self.complaints.append(str(one)))

    def begin(self) -> Page:
        page = self.open("/annotate/", ".ab-question")
        page.evaluate(PAINTED)
        return page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def lock(self, *keys: str) -> None:
        """Judge without the reference, lock that, and wait until the reference is there."""
        self.press(*keys, "Enter")
        expect(self.page.locator(".ab-reveal")).to_contain_text("Gold answer10")

    def assignment(self) -> str:
        return str(self.page.evaluate("document.querySelector('.ab-root').dataset.assignment"))

    def saved(self, assignment: str) -> dict[str, Any]:
        """The last complete judgement on an assignment, straight from the file."""
        with sqlite3.connect(self.server.database.removeprefix("sqlite:///")) as connection:
            found = connection.execute(
                "SELECT payload FROM annotation WHERE assignment_id = ? AND submitted ORDER BY revision DESC",
                (assignment,),
            ).fetchone()
        return dict(json.loads(found[0]))

    def moves_on(self, before: str) -> None:
        """Wait until another item is on the page."""
        expect(
            self.page.locator(f".ab-root:not([data-assignment='{before}'])[data-assignment]")
        ).to_be_visible()
        expect(self.page.locator(".ab-root")).not_to_have_attribute("data-busy", "")

    def leave(self) -> None:
        """Close, and hold the page to what no page may do."""
        assert self.complaints == []
        assert self.foreign_requests() == []
        self.close()
