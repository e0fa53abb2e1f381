"""Exploring stored runs: one frame that follows what is stored, labels and runs by the rules of blinding."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import RunRow, UserRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.explore import saved_views
from clinicnum.db.work.explore.explorable_runs import explorable_runs, hidden_by
from clinicnum.db.work.explore.explore_page_data import Explorer, Slice
from clinicnum.db.work.explore.generation_list import answers_beside, generation_lines
from clinicnum.db.work.explore.run_table_cache import RunTables
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.errors import InputError, NotAllowed
from tests.db.adjudicating import add_role, differing, next_of, take_over
from tests.db.curating import SLIP, add_graded, closed_study
from tests.db.examples import FAILURE, MODEL, add_users, material, open_study
from tests.db.test_annotate import submit
from tests.db.test_contests import maybe_next


def runs_of(engine: Engine) -> tuple[str, ...]:
    with reading(engine) as session:
        return tuple(session.scalars(select(col(RunRow.id)).order_by(col(RunRow.run_id))))


def opened(engine: Engine, user_id: str, explorer: Explorer | None = None, **query: Any) -> Slice:
    asked = SliceQuery(**{"runs": runs_of(engine), **query})
    with reading(engine) as session:
        return (explorer or Explorer()).slice_of(session, user_id=user_id, query=asked)


def counted(found: Slice, facet: str) -> dict[str, int]:
    of = found.frame.facets[facet]
    return {value: n for value, n in zip(of.values, of.counts(found.chosen).tolist(), strict=True) if n}


def test_runs_are_one_frame_with_words_found_in_questions_and_answers(engine: Engine) -> None:
    rea = add_role(engine, "rea", "researcher")
    made = add_graded(engine, 3)
    whole = opened(engine, rea)
    assert len(whole.frame) == 36
    assert set(counted(whole, "template")) == {one.template_id for one in made.instances}
    right = sum(one.status == "correct" for one in made.scores)
    assert counted(whole, "correct") == {"yes": right, "no": 36 - right}
    assert opened(engine, rea, search="GOT SOMETHING").chosen.sum() == 36 - right
    assert opened(engine, rea, search="shock INDEX").chosen.sum() == 12, "in the question"
    assert opened(engine, rea, search="zebra").chosen.sum() == 0
    chosen = opened(engine, rea, where={"template": ["arithmetic.bp_sum"], "correct": ["no"]})
    keys = [key.decode() for key in chosen.frame.keys[chosen.chosen]]
    with reading(engine) as session:
        lines = generation_lines(session, keys)
    assert [one.key for one in lines] == keys
    assert {(one.template_id, one.status) for one in lines} == {("arithmetic.bp_sum", "incorrect")}


def test_scores_given_anew_are_seen_and_runs_that_did_not_change_are_not_read_again(engine: Engine) -> None:
    rea = add_role(engine, "rea", "researcher")
    explorer, made = Explorer(), material(wrong=4, right=2)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=made)
    first = opened(engine, rea, explorer)
    assert counted(first, "status") == {"correct": 2, "incorrect": 4}
    assert opened(engine, rea, explorer).loaded.runs is first.loaded.runs
    better = tuple(one.model_copy(update={"status": "correct", "lenient": True}) for one in made.scores)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=replace(made, scores=better))
    assert counted(opened(engine, rea, explorer), "status") == {"correct": 6}
    with writing(engine) as session:
        stored_runs.add_runs(session, material=made)
    assert counted(opened(engine, rea, explorer), "status") == {"correct": 2, "incorrect": 4}


def test_memory_is_bounded_and_too_many_answers_are_refused(engine: Engine) -> None:
    rea = add_role(engine, "rea", "researcher")
    add_graded(engine, 3)
    tables = RunTables(most_answers=24)
    explorer, (one, two, three) = Explorer(tables=tables), runs_of(engine)
    with pytest.raises(InputError, match="have 36 answers; 24 can be explored at once"):
        opened(engine, rea, explorer)
    both = opened(engine, rea, explorer, runs=(one, two))
    again = opened(engine, rea, explorer, runs=(two,))
    assert again.loaded.runs[0] is both.loaded.runs[1], "shared while both fit"
    opened(engine, rea, explorer, runs=(three,))
    assert opened(engine, rea, explorer, runs=(one,)).loaded.runs[0] is not both.loaded.runs[0]


def test_suggested_causes_are_a_facet_and_follow_the_runs(engine: Engine) -> None:
    rea = add_role(engine, "rea", "researcher")
    add_graded(engine, 2)
    found = opened(engine, rea)
    assert found.lacks_causes == 0
    assert sum(counted(found, "cause").values()) == 24
    with reading(engine) as session:
        beside = answers_beside(
            session, user_id=rea, runs=runs_of(engine), generation=found.frame.keys[-1].decode()
        )
    assert [one.run for one in beside.answers] == [runs_of(engine)[1], runs_of(engine)[0]]
    primary = {one.key: one.suggestions[0].code if one.suggestions else "" for one in beside.answers}
    for row, key in enumerate(found.frame.keys.tolist()):
        if key.decode() in primary:
            assert found.frame.facets["cause"].values_of(row) == (primary[key.decode()],)
    with reading(engine) as session, pytest.raises(InputError, match="not of the chosen runs"):
        answers_beside(
            session, user_id=rea, runs=runs_of(engine)[:1], generation=found.frame.keys[-1].decode()
        )


def test_labels_are_the_consensus_of_studies_that_the_account_may_see(engine: Engine) -> None:
    closed_study(engine)
    rea = add_role(engine, "rea", "researcher")
    found = opened(engine, rea)
    assert counted(found, "label")[SLIP] == 2
    assert sum(counted(opened(engine, rea, where={"label": [SLIP]}), "severity").values()) == 2
    elsewhere = opened(engine, rea, where={"label": ["hallucination"]})
    assert elsewhere.chosen.sum() == 0


def test_of_an_open_study_only_complete_items_have_a_label_and_annotators_see_no_run(engine: Engine) -> None:
    people = {one.name: one.user_id for one in add_users(engine)}
    rea = add_role(engine, "rea", "researcher")
    open_study(engine)
    assert "label" not in opened(engine, rea).frame.facets
    for name in ("ann", "ben", "eve"):
        assert "label" not in opened(engine, rea).frame.facets, "someone is still to judge"
        while (item := maybe_next(engine, people[name])) is not None:
            submit(engine, people[name], item, FAILURE)
    assert sum(n for value, n in counted(opened(engine, rea), "label").items() if value) == 6
    assert counted(opened(engine, rea), "model") == {MODEL: 6}, "who takes part in no study sees all"
    with writing(engine) as session:
        session.get_one(UserRow, people["ann"]).role = "researcher"
    with reading(engine) as session:
        assert explorable_runs(session, user_id=people["ann"]) == {}
        assert hidden_by(session, user_id=people["ann"]) == ("six",)
        assert list(explorable_runs(session, user_id=rea).values()) == [MODEL]
    with pytest.raises(InputError, match="not open to you"):
        opened(engine, people["ann"])
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six", actor="command line")
    assert sum(n for value, n in counted(opened(engine, people["ann"]), "label").items() if value) == 6


def test_who_decided_items_sees_no_run_on_their_benchmark_while_a_decision_is_pending(engine: Engine) -> None:
    people = differing(engine, wrong=2)
    add_graded(engine, 1)
    ada = people["ada"]
    take_over(engine, ada, next_of(engine, ada), comment="it is one")
    with writing(engine) as session:
        session.get_one(UserRow, ada).role = "researcher"
        study_lifecycle.close_study(session, name="six", actor="command line")
    with reading(engine) as session:
        assert hidden_by(session, user_id=ada) == ("six",), "closed, but one item is still to be decided"
        assert list(explorable_runs(session, user_id=ada).values()) == ["acme/Model-0"]
    with writing(engine) as session:
        session.get_one(UserRow, ada).role = "adjudicator"
    take_over(engine, ada, next_of(engine, ada), comment="it is one")
    with writing(engine) as session:
        session.get_one(UserRow, ada).role = "researcher"
    with reading(engine) as session:
        assert hidden_by(session, user_id=ada) == ()
        assert len(explorable_runs(session, user_id=ada)) == 2


@pytest.mark.parametrize("role", ["annotator", "adjudicator", "curator"])
def test_other_roles_explore_nothing(engine: Engine, role: Any) -> None:
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material())
        other = users.add_user(session, name="other", role=role, password=None).user_id
    with pytest.raises(NotAllowed, match="may not evaluate"):
        opened(engine, other)
    with reading(engine) as session:
        key = opened(engine, add_role(engine, "rea", "researcher")).frame.keys[0].decode()
        for call in (
            lambda: explorable_runs(session, user_id=other),
            lambda: answers_beside(session, user_id=other, runs=runs_of(engine), generation=key),
            lambda: saved_views.list_views(session, user_id=other),
            lambda: saved_views.view_query(session, user_id=other, view_id="x"),
        ):
            with pytest.raises(NotAllowed):
                call()
    with writing(engine) as session, pytest.raises(NotAllowed):
        saved_views.save_view(session, user_id=other, name="x", query={})


def test_a_saved_view_is_every_researchers_to_open_and_its_makers_to_delete(engine: Engine) -> None:
    rea, bob = (add_role(engine, name, "researcher") for name in ("rea", "bob"))
    query = {"runs": ["r"], "where": {"vital": ["spo2_pct"]}}
    with writing(engine) as session:
        key = saved_views.save_view(session, user_id=rea, name="  SpO2 \x00 failures ", query=query)
    with reading(engine) as session:
        (listed,) = saved_views.list_views(session, user_id=bob)
        assert (listed.view_id, listed.name, listed.by, listed.mine) == (
            key,
            "SpO2 \x00 failures",
            "rea",
            False,
        )
        assert saved_views.view_query(session, user_id=bob, view_id=key) == query
        for unknown in ("no such", "\x00"):
            with pytest.raises(InputError, match="no such view"):
                saved_views.view_query(session, user_id=bob, view_id=unknown)
    for name in ("", " ", "x" * 101):
        with writing(engine) as session, pytest.raises(InputError, match="1 to 100 characters"):
            saved_views.save_view(session, user_id=rea, name=name, query=query)
    with writing(engine) as session, pytest.raises(InputError, match="already"):
        saved_views.save_view(session, user_id=bob, name="SpO2 \x00 failures", query=query)
    with writing(engine) as session, pytest.raises(NotAllowed, match="who saved"):
        saved_views.delete_view(session, user_id=bob, view_id=key)
    with writing(engine) as session:
        saved_views.delete_view(session, user_id=rea, view_id=key)
    with reading(engine) as session:
        assert saved_views.list_views(session, user_id=bob) == ()
