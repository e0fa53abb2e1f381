"""HealthBench's conversations as items, and the same file as criteria of a study."""

import json
from pathlib import Path

import pytest

from clinicnum.annotations.criteria.read import read_criteria
from clinicnum.imports.item_preview import find_format, preview_items
from tests.clinicnum.importing import import_items

RUBRICS = [
    {"criterion": "Guesses a cause.", "points": -5, "tags": []},
    {"criterion": "Asks for other signs.", "points": 7, "tags": ["axis:context_awareness"]},
]
FEVER = {
    "prompt_id": "p-1",
    "prompt": [
        {"role": "user", "content": "He is hot."},
        {"role": "assistant", "content": "How hot?"},
        {"role": "user", "content": "39.5. What now?"},
    ],
    "rubrics": RUBRICS,
    "example_tags": ["theme:hedging", "a tag of another form"],
    "ideal_completions_data": {"ideal_completion": "How old is he?", "ideal_completions_group": "1"},
    "canary": "made up for this test, in the published form",
}
COUGH = {"prompt_id": "p-2", "prompt": [{"role": "user", "content": "I cough."}], "rubrics": RUBRICS}


def written(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "healthbench.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_conversation_is_an_item_whose_last_message_is_the_question(tmp_path: Path) -> None:
    path = written(tmp_path, FEVER, COUGH)
    assert find_format(path).format == "healthbench"
    first, second = import_items("healthbench", path, tmp_path / "bench.jsonl").values()
    assert (first.question, first.context) == ("39.5. What now?", "User: He is hot.\n\nAssistant: How hot?")
    assert first.dimensions == {"turn": "2", "theme": "hedging"}
    assert (first.answer, first.prompt_id, first.scoring) == ("How old is he?", "text", "points")
    assert (second.question, second.context, second.answer) == ("I cough.", "", "Asks for other signs.")
    assert [(point.id, point.text) for point in second.points] == [("2", "Asks for other signs.")]
    criteria = read_criteria(path)
    assert {one.item for one in criteria} == {first.instance_id, second.instance_id}
    of_first = {one.id: one.text for one in criteria if one.item == first.instance_id}
    assert all(of_first[point.id] == point.text for point in first.points)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"prompt": FEVER["prompt"][:2]}, "the last message of prompt is of 'assistant'; expected 'user'"),  # type: ignore[index]
        ({"rubrics": RUBRICS[:1]}, "no rubric has points above 0; expected at least one"),
        ({"prompt": []}, "prompt"),
        ({"prompt_id": "p-1"}, "p-1"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, changed: dict[str, object], said: str) -> None:
    found = preview_items(written(tmp_path, FEVER, COUGH | changed), "healthbench")
    assert (found.items, found.wrong) == (1, 1)
    assert found.problems[0].place.endswith("healthbench.jsonl:2")
    assert said in found.problems[0].text
