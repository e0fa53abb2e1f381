"""Labels made elsewhere that are wrong: the fault names the row, and nothing is written."""

import json
from pathlib import Path

import pytest

from tests.clinicnum.importing import refuse_labels
from tests.clinicnum.label_studio import annotation, value


@pytest.mark.parametrize(
    ("form", "content", "options", "error"),
    [
        pytest.param(
            "long",
            "item,annotator,label\n1,p,a\n1,p,b\n",
            [],
            "long.csv:3: row 2: label of item and annotator '1 / p / 0' again, first in row 1",
            id="a second label without a pass",
        ),
        pytest.param(
            "long",
            "item,annotator,label\n1,,a\n",
            [],
            "row 1: annotator is ''; expected a name in every row",
            id="nobody",
        ),
        pytest.param("long", "item,who,label\n1,p,a\n", [], "no column 'annotator'", id="a missing column"),
        pytest.param(
            "long",
            "item,annotator,label\n1,p,\n",
            [],
            "holds no label; expected at least one",
            id="all blank",
        ),
        pytest.param(
            "long",
            "item,annotator,label,repeat\n1,p,a,again\n",
            [],
            "repeat is 'again'; expected the number of the pass",
            id="a pass that is no number",
        ),
        pytest.param(
            "label-studio", "{}", [], "expected Label Studio's JSON export, a list of tasks", id="no list"
        ),
        pytest.param("label-studio", "[", [], "not JSON", id="not JSON"),
        pytest.param(
            "label-studio",
            '[{"id": 1, "cause": "a"}]',
            [],
            "not as JSON-MIN",
            id="the flat export of Label Studio",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation(result=[])]}]),
            [],
            "labels under no tag; name one of them with --label",
            id="no tag",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation(**value("rectanglelabels", ["a"]))]}]),
            [],
            "task 7: row 1: annotation 1, cause, is of the type 'rectanglelabels'; expected one of choices",
            id="labels of regions",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation(result=annotation()["result"] * 2)]}]),
            [],
            "holds 2 results; expected one for the whole task",
            id="a tag for each region",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation(**value("choices", ["a|b"]))]}]),
            [],
            "holds '|'; it joins the labels of a set; rename the label",
            id="a label that holds the separator",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation()]}]),
            ["--item", "data.case"],
            "has no data.case",
            id="a field that the task lacks",
        ),
        pytest.param(
            "label-studio",
            json.dumps([{"id": 7, "annotations": [annotation(completed_by=None)]}]),
            [],
            "has no completed_by; expected who made it; name the tag that says so with --annotator",
            id="nobody said to have made it",
        ),
        pytest.param(
            "potato",
            "x",
            ["--annotator", "x"],
            "--annotator has no use for --format potato; leave it out",
            id="an option without a use",
        ),
        pytest.param(
            "potato",
            json.dumps({"instance_id": 1, "user_id": "p", "labels": {"x": {"a": 1}, "y": {"b": 1}}}),
            [],
            "answers to x, y; name one of them with --label",
            id="several schemas",
        ),
        pytest.param(
            "potato",
            json.dumps({"instance_id": 1, "user_id": "p", "labels": "a"}),
            ["--label", "x"],
            "row 1: the item's labels is 'a'; expected {schema: {name: value}}",
            id="an unknown shape",
        ),
        pytest.param(
            "crowd", "x", [], "--format 'crowd' does not exist; expected one of long", id="an unknown format"
        ),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(
    form: str,
    content: str,
    options: list[str],
    error: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / f"{form}.csv"
    path.write_text(content, encoding="utf-8")
    assert error in refuse_labels(path, form, capsys, *options)


def test_an_empty_potato_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "output" / "p").mkdir(parents=True)
    assert "holds no annotated item; expected Potato's annotation_output" in refuse_labels(
        tmp_path / "output", "potato", capsys
    )
