"""The tour and the practice items of the annotate page: as real items go, and nothing is saved."""

from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.annotations.practice_items import practice_items
from clinicnum.db.engine import reading
from clinicnum.db.rows import Row
from clinicnum.errors import InputError
from tests.ui.test_annotate_handlers import CHOSEN, LABEL, call


def test_the_tour_is_due_until_it_was_seen_or_skipped(engine: Engine, annotators: dict[str, str]) -> None:
    assert call(engine, "load", annotators["ann"])["tour_due"]
    call(engine, "tour", annotators["ann"], {"end": "skipped"})
    assert not call(engine, "load", annotators["ann"])["tour_due"]
    call(engine, "tour", annotators["ann"], {"end": "seen"})
    assert not call(engine, "load", annotators["ann"])["tour_due"]
    assert call(engine, "load", annotators["ben"])["tour_due"]
    with pytest.raises(InputError, match="Nothing was saved"):
        call(engine, "tour", annotators["ann"], {"end": "slept"})


def everything(engine: Engine) -> dict[str, int]:
    with reading(engine) as session:
        return {
            name: session.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Row.metadata.tables.items()
        }


def test_practice_goes_the_way_of_a_real_item_and_leaves_nothing_behind(
    engine: Engine, annotators: dict[str, str]
) -> None:
    own = call(engine, "load", annotators["ann"])
    before = everything(engine)
    for place, practice in enumerate(practice_items()):
        opened = call(engine, "practice", annotators["ann"], {"place": place})
        assert (opened["kind"], opened["item"]["reveal"], opened["item"]["why"]) == ("item", None, None)
        assert opened["item"].keys() - own["item"].keys() == {"why"}
        blind = practice.key.without_reference().model_dump(mode="json", exclude_none=True)
        judged = call(
            engine, "practice", annotators["ann"], {"place": place, "step": "judge", "judgement": blind}
        )
        assert (judged["kind"], judged["item"]["feedback"]) == ("judged", None)
        assert judged["item"]["reveal"]["answer"]
        whole = practice.key.model_dump(mode="json", exclude_none=True)
        told = call(
            engine, "practice", annotators["ann"], {"place": place, "step": "submit", "judgement": whole}
        )
        assert (told["kind"], told["item"]["why"]) == ("feedback", practice.why)
        assert told["item"]["feedback"] == told["item"]["draft"]
    over = call(engine, "practice", annotators["ann"], {"place": len(practice_items())})
    assert over["item"] == own["item"]
    assert "nothing of it was saved" in over["message"]
    assert everything(engine) == before


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"step": "judge"}, "Nothing was judged"),
        ({"step": "judge", "judgement": CHOSEN}, "is judged once the gold answer is shown"),
        ({"step": "submit", "judgement": {"response_judgement": "failure"}}, "Judge the item: valid"),
        (
            {
                "step": "judge",
                "judgement": {"response_judgement": "failure", "labels": [{**LABEL, "code": "x"}]},
            },
            "x",
        ),
        (
            {
                "step": "judge",
                "judgement": {"response_judgement": "failure", "labels": [{**LABEL, "spans": [[0, 9999]]}]},
            },
            "outside the text",
        ),
    ],
)
def test_practice_refuses_what_a_real_item_refuses(
    engine: Engine, annotators: dict[str, str], sent: dict[str, Any], said: str
) -> None:
    reply = call(engine, "practice", annotators["ann"], sent)
    assert (reply["kind"], reply["item"]) == ("error", None)
    assert said in reply["message"]
