"""What a tool for labelling holds of an item becomes one cell of labels.csv."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clinicnum.importing import import_labels
from tests.clinicnum.label_studio import annotation, studio, value


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        pytest.param(value("choices", ["b", "a"]), "a|b", id="several choices are a set"),
        pytest.param(value("choices", [["top", "leaf"]]), "top/leaf", id="nested choices are a path"),
        pytest.param(
            value("taxonomy", [["top"], ["top", "leaf"]]), "top|top/leaf", id="a taxonomy is a set of paths"
        ),
        pytest.param(value("rating", 4), "4", id="a rating"),
        pytest.param(value("number", 2.5), "2.5", id="a number"),
        pytest.param(value("number", 10**400), "1" + "0" * 400, id="a number beyond any float"),
        pytest.param(value("choices", []), "", id="nothing chosen is blank, not none"),
    ],
)
def test_what_label_studio_holds_becomes_one_cell(
    changes: dict[str, Any], label: str, tmp_path: Path
) -> None:
    path = studio(tmp_path, annotation(2, 4), annotation(1, 3, **changes))
    rows = {row["annotator"]: row for row in import_labels(path, "label-studio")}
    assert (rows["3"]["item"], rows["3"]["label"]) == ("7", label)


def test_skipped_annotations_are_no_labels_and_second_ones_are_passes(tmp_path: Path) -> None:
    path = studio(tmp_path, annotation(3), annotation(1, was_cancelled=True), annotation(2), annotation(1, 9))
    rows = import_labels(path, "label-studio")
    assert [(row["annotator"], row["repeat"]) for row in rows] == [("9", "0"), ("3", "0"), ("3", "1")]


def test_annotators_may_be_named_under_a_tag(tmp_path: Path) -> None:
    """As our own export for Label Studio does, which names no accounts."""
    who = {"from_name": "annotator", "type": "choices", "value": {"choices": ["p"]}}
    one = annotation()
    anonymous = {"created_at": "2026-01-01", "result": [who, *one["result"]]}
    (row,) = import_labels(
        studio(tmp_path, anonymous), "label-studio", "--label", "cause", "--annotator", "annotator"
    )
    assert (row["annotator"], row["label"]) == ("p", "a")


def test_checked_potato_answers_are_a_set_and_unchecked_ones_are_not_in_it(tmp_path: Path) -> None:
    path = tmp_path / "annotations.jsonl"
    labels = {"cause": {"b": "true", "a": True, "c": False, "d": "", "free_response": "because"}}
    path.write_text(json.dumps({"instance_id": 1, "user_id": "p", "labels": labels}) + "\n", encoding="utf-8")
    assert import_labels(path, "potato")[0]["label"] == "a|b"
