"""Variants that people wrote and experts reviewed: lint holds them to what their kind promises."""

from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.curation.drafted_item import ItemKind, item_instance
from clinicnum.lint.lint_results import Finding
from clinicnum.types import Instance
from tests.annotations.imported_items import CHANGED, CHOICE, EVERY, REWORDED, draft
from tests.clinicnum.lint_planting import examined, rules_by_id


def made(original: Instance, kind: ItemKind, **planted: Any) -> Instance:
    changed = (REWORDED if kind == "paraphrase" else CHANGED)[original.instance_id]
    return item_instance(draft(original, kind, **changed), original).model_copy(update=planted)


def rules(tmp_path: Path, *instances: Instance) -> list[str]:
    said, _ = examined(tmp_path, instances)
    found = rules_by_id([one for one in said if isinstance(one, Finding)])
    return [rule for of in found.values() for rule in of]


def test_sound_items_of_every_kind_of_answer_have_no_finding(tmp_path: Path) -> None:
    reworded = [made(one, "paraphrase") for one in EVERY]
    moved = [made(one, "counterfactual") for one in EVERY]
    assert rules(tmp_path, *reworded, *EVERY, *moved) == [], "bases may stand after their variants"


@pytest.mark.parametrize(
    ("kind", "planted", "rule"),
    [
        ("paraphrase", {"context": CHOICE.context}, "variant.text_same"),
        ("paraphrase", {"context": "A pregnant 35-year-old has a fever."}, "variant.numbers"),
        ("paraphrase", {"answer": "A"}, "variant.answer_not_same"),
        ("paraphrase", {"options": ("paracetamol", "aspirin", "amoxicillin")}, "options.changed"),
        ("paraphrase", {"group_id": "another"}, "variant.group"),
        ("paraphrase", {"base_id": None}, "variant.no_base"),
        ("paraphrase", {"expected": "follows"}, "variant.expected"),
        ("counterfactual", {"answer": "B"}, "variant.answer_not_moved"),
        ("counterfactual", {"context": CHOICE.context}, "variant.text_same"),
        ("counterfactual", {"options": ("a", "b", "c")}, "options.changed"),
        ("counterfactual", {"expected": "same"}, "variant.expected"),
        ("counterfactual", {"variant": "reviewed.other"}, "variant.unknown"),
    ],
)
def test_an_item_that_breaks_its_promise_is_found(
    tmp_path: Path, kind: ItemKind, planted: dict[str, Any], rule: str
) -> None:
    assert rules(tmp_path, CHOICE, made(CHOICE, kind, **planted)) == [rule]
