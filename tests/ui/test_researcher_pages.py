"""A researcher previews a study, opens it and closes it: the handlers, called as Gradio calls them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.study_inputs import Material
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, StudyRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.ui.pages.studies.new_study_view import proposed_name
from clinicnum.ui.pages.studies.page import StudiesHandlers
from tests.db.adjudicating import next_of
from tests.db.examples import add_users, material
from tests.db.test_contests import contest, look, uphold
from tests.db.test_left_out import two_groups
from tests.ui.gradio_request import Request
from tests.ui.new_study_form import admin_with_run, form, new_study, refusal, stored, strata


@pytest.fixture
def root(engine: Engine) -> Any:
    return admin_with_run(engine)


def test_a_study_is_previewed_opened_paused_reworded_and_closed_by_its_researcher(
    engine: Engine, root: Any
) -> None:
    page, making = StudiesHandlers(Store(engine)), new_study(engine)
    assert page.load(Request("nobody"))[1]["value"] == []
    _, lacks, shown, runs, annotators, overlap, usual, *_ = making.load_choices(root)
    assert [name for _, name in annotators["choices"]] == ["ann", "ben", "eve"]
    assert (annotators["value"], overlap, usual) == (["ann", "ben", "eve"], 3, 3), "few people are all chosen"
    assert runs["value"] == [runs["choices"][0][1]], "and so is the only run"
    assert "12 failures in 20 answers (40 % right)" in runs["choices"][0][0]
    assert (lacks["visible"], shown["visible"]) == (False, True)
    before = stored(engine)
    values = form(engine, guideline="# Look", seconds_an_item=120)
    _, _, facts, previewed = making.preview(root, *values)
    assert strata(facts) == [
        ["arithmetic, structured, correct", "8", "2", "0.250"],
        ["arithmetic, structured, failure", "12", "12", "1.000"],
    ]
    assert "14 of 20 answers will be labelled: 12 scored as failures, 2 scored as right." in facts
    assert "Each of the 2 annotators labels every answer: 14 items each." in facts
    assert "about 28 minutes each, 56 minutes in all, at 120 seconds an item" in facts
    assert "/people/" not in facts
    _, _, alone, _ = making.preview(root, *form(engine, annotators=["ann"], overlap=1))
    assert "a failure counts where two people agree on it" in alone
    assert '<a href="/people/" target="_blank" rel="noopener" data-new-tab>More people are invited' in alone
    assert stored(engine) == before
    renamed = form(engine, name="newer", guideline="# Look", seconds_an_item=120)
    message, *_, shown = making.create(root, previewed, *renamed)
    assert "Study newer is open: 14 items for 2 annotators. Its guideline is version 1." in message
    assert "their items wait at https://here/annotate/" in message
    assert 'href="/studies/?study=newer"' in message
    assert 'href="/studies/?study=newer&amp;part=deadline"' in message
    assert shown == "newer"
    seed = previewed.split()[0]
    with reading(engine) as session:
        assert find_study(session, "newer").seed == seed
    board = page.show("newer")
    assert seed not in str(board), "it stays secret until the study is closed"
    assert board[1]["value"][0][:4] == ["newer", "open", "0 of 28 (0 %)", "0 of 14"]
    assert "# Look" in board[12]
    assert board[9]["choices"] == ["eve"]
    for handler, more, told in (
        (page.pause, (), "is paused"),
        (page.save_guideline, ("# Look twice", ""), "has a new guideline"),
        (page.add_annotator, ("eve",), "has one more annotator"),
        (page.reopen, (), "is open"),
        (page.confirm_close, (), "is closed"),
    ):
        message, table, *_ = handler("newer", *more, root)
        assert told in message
    assert table["value"][0][1] == "closed"
    with reading(engine) as session:
        (study,) = session.scalars(select(StudyRow))
        log = session.scalars(select(AuditRow).where(col(AuditRow.chain) == study.id))
        assert [row.actor for row in log] == [root.username] * 6


def test_addresses_open_a_study_at_a_part_and_the_form_with_a_run(engine: Engine, root: Any) -> None:
    page, making = StudiesHandlers(Store(engine)), new_study(engine)
    making.create(root, making.preview(root, *form(engine))[3], *form(engine))
    for asked, seen, tab in (
        ({"study": "new", "part": "deadline"}, True, "deadline"),
        ({"study": "new", "part": "<b>"}, True, None),
        ({"study": "x" * 2000}, False, None),
    ):
        *board, parts = page.load(Request(root.username, query_params=asked))  # type: ignore[arg-type]
        assert (board[3]["visible"], getattr(parts, "selected", None)) == (seen, tab)
        assert ("There is no study “" in board[0]) is not seen
    assert page.load(root)[0] == "", "an address that names none"
    with writing(engine) as session:
        (added,) = stored_runs.add_runs(session, material=material(wrong=12, right=8, run_id="two"))
    for asked, chosen, tab in (
        ({"run": added.run}, [added.run], "new"),
        ({"run": "none"}, [], None),
        ({"part": "new"}, [], "new"),
    ):
        _, _, _, runs, *_, tabs = making.load_choices(Request(root.username, query_params=asked))  # type: ignore[arg-type]
        assert (runs["value"], getattr(tabs, "selected", None)) == (chosen, tab)


def test_closing_and_reopening_what_was_closed_are_asked_once_more(engine: Engine, root: Any) -> None:
    page, making = StudiesHandlers(Store(engine)), new_study(engine)
    making.create(root, making.preview(root, *form(engine))[3], *form(engine))
    _, visible, warning = page.close("new")
    assert visible["visible"]
    assert "Nobody can save in it any more" in warning
    assert "not judged by all their annotators" in warning
    assert page.load(Request("nobody"))[1]["value"][0][1] == "open"
    page.confirm_close("new", root)
    *_, visible, warning = page.reopen("new", root)
    assert visible["visible"]
    assert "is not independent" in warning
    assert page.load(Request("nobody"))[1]["value"][0][1] == "closed"
    assert "is open" in page.confirm_reopen("new", root)[0]


def test_what_was_not_previewed_is_not_opened(engine: Engine, root: Any) -> None:
    making, before = new_study(engine), stored(engine)
    previewed = making.preview(root, *form(engine))[3]
    mark = previewed.split()[1]
    for sent in ("", None, f" {mark}", mark, f"7 {mark}", f"{'0' * 31}g {mark}", {}):
        refusal(making.create, root, sent, *form(engine))
    assert "changed after the preview" in refusal(making.create, root, previewed, *form(engine, overlap=1))
    assert stored(engine) == before


def test_what_a_contest_takes_out_after_the_preview_asks_for_another_one_which_says_so(
    engine: Engine,
) -> None:
    people = contest(engine, made=two_groups())
    boss, making, values = Request(people["ada"]), new_study(engine), form(engine, include="all")
    previewed = making.preview(boss, *values)[3]
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    assert "upheld after the preview" in refusal(making.create, boss, previewed, *values)
    _, _, facts, previewed = making.preview(boss, *values)
    said = "left out: 3 answers to 3 instances that upheld contests invalidated"
    assert said in facts
    assert sum(int(row[1]) for row in strata(facts)) == 3
    assert f"L{said[1:]}" in making.create(boss, previewed, *values)[0]


@pytest.mark.parametrize(
    ("chosen", "overlap", "usual", "shown"),
    [
        (["ann"], 3, 3, (1, 1)),
        (["ann", "ben"], 1, 1, (2, 2)),
        (["ann", "ben", "eve", "ivy"], 2, 2, (3, 3)),
        ([], 1, 1, (3, 3)),
        (["ann", "ben"], 1, 3, (1, 0)),
        (["ann", "ben", "eve"], 1, 0, (1, 0)),
        (["ann"], 2, 0, (1, 0)),
    ],
)
def test_how_many_label_an_answer_follows_who_is_chosen_until_it_is_set(
    engine: Engine, chosen: list[str], overlap: int, usual: int, shown: tuple[int, int]
) -> None:
    assert new_study(engine).people_changed(chosen, overlap, usual) == ("", *shown)


def test_scripts_that_are_not_chosen_do_not_raise_how_many_label_an_answer(engine: Engine) -> None:
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=1))
        users.add_user(session, name="ann", role="annotator", password=None)
        root = Request(users.add_user(session, name="root", role="admin", password=None).user_id)
        users.add_user(session, name="script", role="annotator", password=None, kind="simulated")
    _, _, _, _, annotators, overlap, usual, *_ = new_study(engine).load_choices(root)  # type: ignore[arg-type]
    assert (annotators["value"], overlap, usual) == (["ann"], 1, 1)


def test_a_name_that_tells_the_model_is_warned_of_and_none_is_proposed(engine: Engine, root: Any) -> None:
    making = new_study(engine)
    proposed = making.load_choices(root)[8]
    assert proposed == "Study 1"
    said = making.preview(root, *form(engine, name="Failures of Llama 3"))[2]
    assert "they would learn that they judge answers of makers/Llama-3-tiny" in said
    assert "they would learn" not in making.preview(root, *form(engine, name=proposed))[2]
    assert proposed_name(["Study 3", "six"]) == "Study 4"


def test_an_empty_number_of_answers_is_said_to_take_all(engine: Engine, root: Any) -> None:
    making = new_study(engine)
    told = "“How many answers” is empty, so all that fit are taken: 14."
    assert told in making.preview(root, *form(engine, size=None))[2]
    assert told in making.preview(root, *form(engine, size=""))[2]
    assert "is empty" not in making.preview(root, *form(engine, size=0))[2]


def only_variants() -> Material:
    made = material(wrong=12)
    rewritten = tuple(one.model_copy(update={"variant": "numeric.relevant"}) for one in made.instances)
    return replace(made, instances=rewritten)


def test_variants_are_drawn_where_the_form_asks_for_some(engine: Engine) -> None:
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=only_variants())
    making = new_study(engine)
    assert "12 answers are to variants" in refusal(making.preview, Request("nobody"), *form(engine))
    facts = making.preview(Request("nobody"), *form(engine, variants=5))[2]
    assert strata(facts) == [["arithmetic, structured, variant, failure", "12", "4", "0.333"]]
    expected = "0 answers to base questions; 4 of 12 answers to variants are drawn, in strata of their own"
    assert expected in facts.partition("<details>")[0], "in sight, not among the details"
    assert "4 of 12 answers to variants of the kind numeric.relevant are drawn" in facts
    assert "5 variants were asked for" in facts
