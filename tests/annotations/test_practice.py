"""The built-in practice items: sound questions, planted answers, and keys that fit them."""

import pytest

from clinicnum.annotations.practice_items import PracticeItem, practice_items, practice_workitem
from clinicnum.scoring import score

ITEMS = practice_items()


def test_there_are_five_and_each_is_another_case() -> None:
    assert len(ITEMS) == 5
    assert len({one.instance.instance_id for one in ITEMS}) == 5
    assert len({next((label.code for label in one.key.labels), None) for one in ITEMS}) == 5


@pytest.mark.parametrize("item", ITEMS, ids=lambda one: one.instance.template_id)
def test_each_record_is_synthetic_and_each_key_is_complete_and_fits_the_answer(item: PracticeItem) -> None:
    assert {record.source for record in item.instance.records} == {"synthetic"}
    assert item.key.missing() is None
    place = ITEMS.index(item)
    shown, _ = practice_workitem(place, judgement=item.key, submitted=True)
    assert shown.feedback == item.key
    assert shown.asked.form is not None
    status = score(instance=item.instance, generation=item.generation).status
    assert (status == "correct") == (item.key.response_judgement == "acceptable")
    assert 20 < len(item.why) < 300
