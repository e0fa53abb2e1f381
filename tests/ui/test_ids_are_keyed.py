"""What an attacker works out from ids and orders, who has an account, the source and the published files.

The attacker knows the name of the study, its design, every generation with its model, the form of pseudonyms
and of every hash in the source, and reads all that the pages, addresses and errors of an open study show.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.assignment import Offer, order_offers, place_items
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.study_seed import parse_seed, study_secret
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import ROUNDS
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AssignmentRow, GenerationRow, StudyAnnotatorRow, StudyItemRow, StudyRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_planning import new_seed
from clinicnum.db.work.studies.study_progress import study_details
from clinicnum.io.jsonl import content_id, keyed_id
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from clinicnum.ui.pages.annotate.page import AnnotateHandlers
from clinicnum.ui.pages.changes.page import ChangesHandlers
from clinicnum.ui.pages.items.page import ItemsHandlers
from clinicnum.ui.pages.my_work.page import MyWorkHandlers
from tests.db.adjudicating import add_role, decide_all
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.ui.calling import call_action

RUNS = ("run-of-llama", "run-of-qwen")
WRONG = 14
ID = re.compile(r"\b[0-9a-f]{16}\b")
PSEUDONYMS = [f"{letter}{number}" for letter in "AJ" for number in range(1, 9)]
ALSO_OMITTED = Judgement.model_validate(
    {
        "item_judgement": "valid",
        "response_judgement": "failure",
        "labels": [{"code": "omission", "primary": True}],
        "severity": "4",
    }
)


@dataclass
class Request:
    """The parts of Gradio's request that handlers read."""

    username: str
    query_params: dict[str, Any] = field(default_factory=dict)


def two_models() -> Material:
    """Two models that give the same texts to the same questions: nothing but an id tells them apart."""
    made = [material(wrong=WRONG, run_id=run) for run in RUNS]
    return replace(
        made[0],
        runs=tuple(one.runs[0] for one in made),
        scores=tuple(score for one in made for score in one.scores),
    )


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """Three annotators have judged what they were given, blind repeats among it; one item is flagged."""
    found = {user.name: user.user_id for user in add_users(engine)}
    with writing(engine) as session:
        study_lifecycle.create_study(
            session,
            name="blind",
            material=two_models(),
            annotators=["ann", "ben", "eve"],
            design=Design(overlap=3, include="all", repeat_share=0.5),
            seed=new_seed(),
            taxonomy=load_taxonomy(),
        )
    for name, said in (("ann", FAILURE), ("ben", ALSO_OMITTED), ("eve", FAILURE)):
        label_all(engine, found[name], said)
    return {**found, "ada": add_role(engine, "ada"), "root": add_role(engine, "root", "admin")}


def label_all(engine: Engine, user_id: str, said: Judgement) -> None:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
    assert item is not None
    with writing(engine) as session:
        annotate.flag(session, user_id=user_id, assignment_id=item.assignment_id, note="odd unit")
    while item is not None:
        with writing(engine) as session:
            annotate.submit(
                session,
                user_id=user_id,
                assignment_id=item.assignment_id,
                revision=item.revision,
                judgement=said,
                active_ms=1,
            )
            item = annotate.next_assignment(session, user_id=user_id)


def shown_to(engine: Engine, people: dict[str, str]) -> Iterator[str]:
    """All that pages of the open study say to its annotators and to an adjudicator, as text."""
    store = Store(engine)
    for name in ("ann", "ben"):
        bench = AnnotateHandlers(store)
        back = call_action(bench, "load", people[name])
        seen = set()
        while (key := json.dumps(back, default=str)) not in seen:
            seen.add(key)
            yield key
            item = back["item"]
            message = {} if item is None else {"assignment_id": item["assignment_id"]}
            back = call_action(bench, "previous", people[name], message)
        for query in ({}, {"item": "0" * 16}, {"show": "flagged"}):
            yield text_of(MyWorkHandlers(store).load(Request(people[name], dict(query))))  # type: ignore[arg-type]
    desk = AdjudicateHandlers(store)
    reply = call_action(desk, "load", people["ada"])
    for _ in range(5):
        yield json.dumps(reply, default=str)
        at = {name: reply["item"][name] for name in ("study_id", "item")}
        yield json.dumps(call_action(desk, "open", people["ada"], {**at, "item": "0" * 16}))
        decision = {**at, "seen": reply["item"]["seen"], "position": 0}
        reply = call_action(desk, "decide", people["ada"], decision)
    yield text_of(ChangesHandlers(store).load(Request(people["ada"])))  # type: ignore[arg-type]
    yield from items_shown_to(store, people["root"])


def items_shown_to(store: Store, lead: str) -> Iterator[str]:
    """The list of items, and one of them."""
    page = ItemsHandlers(store)
    yield text_of(page.load(Request(lead)))  # type: ignore[arg-type]
    with store.reading() as session:
        item = session.scalars(select(col(StudyItemRow.item_id))).first()
    yield text_of(page.load(Request(lead, {"item": item})))  # type: ignore[arg-type]


def text_of(answer: tuple[Any, ...]) -> str:
    """All that a page of components is given to show."""
    return json.dumps(answer, default=lambda part: getattr(part, "__dict__", None) or str(part))


def names_of(engine: Engine) -> dict[str, str]:
    """Every id that the source ever made of what is published -> what it tells: generation, whose, round."""
    with reading(engine) as session:
        key = study_lifecycle.find_study(session, "blind").id
        rows = {row.id: row.generation_id for row in session.scalars(select(GenerationRow))}
    told: dict[str, str] = {}
    for row, generation_id in rows.items():
        told |= {row: generation_id, content_id(["generation", generation_id]): generation_id}
        for number in range(1, 4):
            told[content_id(["adjudication", key, row, number])] = f"{generation_id}, decision {number}"
        for whose, round_ in product(PSEUDONYMS, ROUNDS):
            about = f"{generation_id}, {whose}, {round_}"
            assignment = content_id(["assignment", key, row, whose, round_])
            told[assignment] = about
            told |= {content_id(["annotation", assignment, revision]): about for revision in (1, 2)}
    return told


def test_no_id_that_a_page_shows_names_model_round_or_person(engine: Engine, people: dict[str, str]) -> None:
    pages = list(shown_to(engine, people))
    told = names_of(engine)
    shown = {one for page in pages for one in ID.findall(page)}
    with reading(engine) as session:
        handed_out = set(session.scalars(select(col(AssignmentRow.id))))
        repeats = session.scalars(select(AssignmentRow).where(col(AssignmentRow.round) == "repeat")).all()
    assert len(shown & handed_out) > 2 * WRONG, "the pages were read"
    assert repeats, "there are blind repeats to be told apart"
    assert {one: told[one] for one in shown if one in told} == {}
    for page in pages:
        assert not [run for run in RUNS if run in page]
        assert not re.search(r"run-of-\w+-g\d", page)


def test_no_id_in_the_tables_can_be_worked_out_either(engine: Engine, people: dict[str, str]) -> None:
    """What an export or an error might show one day."""
    told = names_of(engine)
    with reading(engine) as session:
        assignments = set(session.scalars(select(col(AssignmentRow.id))))
        items = set(session.scalars(select(col(StudyItemRow.item_id))))
        annotations = {one.annotation_id for one in load_study_material(session, "blind").tables.annotations}
    assert not (assignments | items | annotations) & told.keys()


def test_the_order_of_a_study_cannot_be_drawn_again_from_a_number(
    engine: Engine, people: dict[str, str]
) -> None:
    """The default seed was 0: whoever knew that had the order, and by it the generation behind an item."""
    with reading(engine) as session:
        key = study_lifecycle.find_study(session, "blind").id
        placed = session.execute(
            select(col(GenerationRow.generation_id), col(StudyItemRow.position))
            .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
            .where(col(StudyItemRow.study_id) == key)
        ).all()
    order = [generation for generation, _ in sorted(placed, key=lambda one: one[1])]
    for seed in (*range(200), 2026, 42_000, "blind", key):
        drawn = place_items(order, annotators=3, overlap=3, seed=seed)
        assert [one.generation_id for one in drawn] != order


def test_a_closed_study_can_be_drawn_again_to_the_last_id(engine: Engine, people: dict[str, str]) -> None:
    with reading(engine) as session:
        hidden = load_study_material(session, "blind").opened
        assert (hidden.seed, hidden.secret) == (None, None)
        assert study_details(session, "blind").seed is None
    decide_all(engine, add_role(engine, "judge"))
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="blind")
    with reading(engine) as session:
        opened = load_study_material(session, "blind").opened
        row = session.scalars(select(StudyRow)).one()
        pseudonyms = dict(
            session.execute(select(col(StudyAnnotatorRow.user_id), col(StudyAnnotatorRow.pseudonym))).all()
        )
        items = session.scalars(select(StudyItemRow)).all()
        assignments = session.scalars(select(AssignmentRow)).all()
        named = {one.id: one.generation_id for one in session.scalars(select(GenerationRow))}
    assert opened.seed is not None
    assert opened.secret == study_secret(opened.seed, study_id=row.id) == row.secret
    drawn = place_items(list(named.values()), annotators=3, overlap=3, seed=opened.seed)
    assert {one.generation_id: one.position for one in drawn} == {
        named[one.generation]: one.position for one in items
    }
    for one in items:
        assert one.item_id == keyed_id(opened.secret, ["item", one.generation])
    for one in assignments:
        about = ["assignment", one.generation, pseudonyms[one.user_id], one.round]
        assert one.id == keyed_id(opened.secret, about)
    who, called = next(iter(pseudonyms.items()))
    rest = {one.generation: one for one in items if one.position < 20}
    order: list[str] = []
    known: set[str] = set()
    while rest:
        offers = [
            Offer(one.generation, one.position, group=one.group_id, known=one.group_id in known)
            for one in rest.values()
        ]
        offered = order_offers(offers, annotator=called, seed=opened.secret)[0].generation
        known.add(rest.pop(offered).group_id)
        order.append(offered)
    mine = [one for one in assignments if one.user_id == who and one.round == "main"]
    given = [one.generation for one in sorted(mine, key=lambda one: one.position)]
    assert given[:20] == order


def test_a_new_study_draws_a_seed_of_its_own(engine: Engine) -> None:
    assert new_seed() != new_seed()
    assert re.fullmatch("[0-9a-f]{32}", new_seed())
    assert parse_seed(new_seed()) != 0


def test_a_number_as_seed_still_repeats_an_earlier_draw_under_other_ids(engine: Engine) -> None:
    add_users(engine)
    open_study(engine, name="one")
    open_study(engine, name="two")
    with reading(engine) as session:
        rows = session.execute(
            select(col(StudyRow.name), col(StudyItemRow.generation), col(StudyItemRow.item_id))
            .join(StudyItemRow, col(StudyItemRow.study_id) == col(StudyRow.id))
            .order_by(col(StudyItemRow.position))
        ).all()
    orders = {name: [row[1] for row in rows if row[0] == name] for name in ("one", "two")}
    assert orders["one"] == orders["two"]
    assert not {row[2] for row in rows if row[0] == "one"} & {row[2] for row in rows if row[0] == "two"}
