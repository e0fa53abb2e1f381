"""Judgements sent again, late or at the same time: nothing is lost, doubled or overwritten."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading
from clinicnum.db.work.studies import study_summaries
from clinicnum.errors import Conflict
from tests.db.examples import FAILURE
from tests.db.test_annotate import FINE, actions, annotations, first, save, submit


@pytest.mark.parametrize("judgement", [FAILURE, FINE], ids=["failure", "acceptable"])
def test_the_same_submit_sent_again_changes_nothing(
    engine: Engine, annotators: dict[str, str], judgement: Judgement
) -> None:
    item = first(engine, annotators["ann"])
    once = submit(engine, annotators["ann"], item, judgement)
    again = submit(engine, annotators["ann"], item, judgement)
    assert again == once
    assert len(annotations(engine)) == 1
    assert actions(engine) == ["create_study", "submit"]


def test_the_same_blind_judgement_sent_again_changes_nothing(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    assert save(engine, annotators["ann"], item) == save(engine, annotators["ann"], item)
    assert len(annotations(engine)) == 1


def test_another_submit_on_a_stale_revision_is_refused(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    submit(engine, annotators["ann"], item)
    with pytest.raises(Conflict, match="You changed this item in another window"):
        submit(engine, annotators["ann"], item, FINE)
    assert len(annotations(engine)) == 1


def test_a_blind_judgement_cannot_be_made_twice(engine: Engine, annotators: dict[str, str]) -> None:
    seen = save(engine, annotators["ann"], first(engine, annotators["ann"]))
    with pytest.raises(Conflict, match="submit instead"):
        save(engine, annotators["ann"], seen, FINE)


def test_a_blind_judgement_is_no_submit_even_when_sent_as_one(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    save(engine, annotators["ann"], item, FINE.without_reference())
    with pytest.raises(Conflict):
        submit(engine, annotators["ann"], item, FINE)


def test_a_submitted_item_can_be_revised_and_every_revision_stays(
    engine: Engine, annotators: dict[str, str]
) -> None:
    once = submit(engine, annotators["ann"], first(engine, annotators["ann"]))
    twice = submit(engine, annotators["ann"], once, FINE)
    assert (twice.revision, twice.progress.done) == (2, 1)
    assert [row.response_judgement for row in annotations(engine)] == ["failure", "acceptable"]


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_simultaneous_submits_one_wins(
    engine: Engine, annotators: dict[str, str], attempt: int
) -> None:
    item = first(engine, annotators["ann"])
    start = Barrier(2)

    def send(judgement: Judgement) -> str:
        start.wait()
        try:
            submit(engine, annotators["ann"], item, judgement)
        except Conflict:
            return "conflict"
        return "saved"

    with ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(send, [FAILURE, FINE]))
    assert results == ["conflict", "saved"]
    assert len(annotations(engine)) == 1
    assert first(engine, annotators["ann"]).progress.done == 1


def test_three_annotators_at_once_lose_and_double_nothing(engine: Engine, annotators: dict[str, str]) -> None:
    def work(user_id: str) -> None:
        for _ in range(6):
            submit(engine, user_id, save(engine, user_id, first(engine, user_id)))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, annotators.values()))
    saved = [(row.assignment_id, row.revision) for row in annotations(engine)]
    assert len(saved) == len(set(saved)) == 3 * 6 * 2
    assert len(actions(engine)) == 1 + 3 * 6 * 2
    with reading(engine) as session:
        assert study_summaries.list_studies(session)[0].submitted == 18
