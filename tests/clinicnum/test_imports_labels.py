"""Labels made elsewhere: every format gives the same labels.csv, and a wrong row is named."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clinicnum.scripts.cli import run_command
from tests.open_data import AGREEMENT

PUBLISHED = AGREEMENT / "gwet_cac_raw4raters.json"
Table = list[tuple[str, str, str | None]]
Row = dict[str, str]


def imported(source: Path, form: str, *options: str) -> list[Row]:
    out = source.parent / "labels.csv"
    assert (
        run_command(
            ["import", "labels", "--format", form, "--from", str(source), "--out", str(out), *options]
        )
        == 0
    )
    with out.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def refused(source: Path, form: str, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    out = source.parent / "labels.csv"
    assert (
        run_command(
            ["import", "labels", "--format", form, "--from", str(source), "--out", str(out), *options]
        )
        == 2
    )
    assert not out.exists()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def as_long(folder: Path, table: Table) -> Path:
    path = folder / "long.csv"
    with path.open("w", encoding="utf-8", newline="") as handle:
        rows = csv.writer(handle)
        rows.writerow(["case", "who", "cause", "patient"])
        rows.writerows([item, who, label or "", f"p-{item}"] for item, who, label in table)
    return path


def as_label_studio(folder: Path, table: Table) -> Path:
    tasks: dict[str, dict[str, Any]] = {}
    for number, (item, who, label) in enumerate(table):
        task = tasks.setdefault(
            item,
            {
                "id": len(tasks) + 1,
                "data": {"case": item, "patient": f"p-{item}"},
                "annotations": [],
                "predictions": [],
            },
        )
        chosen = {"from_name": "cause", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
        other = {"from_name": "sure", "to_name": "text", "type": "rating", "value": {"rating": 4}}
        task["annotations"].append(
            {
                "id": number,
                "completed_by": {"id": number, "email": who},
                "was_cancelled": False,
                "created_at": f"2026-01-01T00:{number:02}:00Z",
                "result": [other] if label is None else [chosen, other],
            }
        )
    path = folder / "export.json"
    path.write_text(json.dumps(list(tasks.values())), encoding="utf-8")
    return path


def as_potato_state(folder: Path, table: Table) -> Path:
    """The shape of the present version: one user_state.json an annotator, pairs of name and value."""
    output = folder / "annotation_output"
    for who in {who for _, who, _ in table}:
        answers = {
            item: []
            if label is None
            else [[{"schema": "cause", "name": label}, True], [{"schema": "sure", "name": "4"}, "4"]]
            for item, other, label in table
            if other == who
        }
        (output / who).mkdir(parents=True)
        state = {"user_id": who, "instance_id_to_label_to_value": answers, "instance_id_ordering": []}
        (output / who / "user_state.json").write_text(json.dumps(state), encoding="utf-8")
    return output


def as_potato_instances(folder: Path, table: Table) -> Path:
    """The shape of earlier versions: one annotated_instances.jsonl an annotator."""
    output = folder / "annotation_output"
    for item, who, label in table:
        (output / who).mkdir(parents=True, exist_ok=True)
        line = {
            "id": item,
            "displayed_text": "text",
            "label_annotations": {} if label is None else {"cause": {label: "1"}},
            "span_annotations": {},
            "behavioral_data": {},
        }
        with (output / who / "annotated_instances.jsonl").open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line) + "\n")
    return output


def as_potato_export(folder: Path, table: Table) -> Path:
    path = folder / "annotations.jsonl"
    lines = [
        {
            "instance_id": item,
            "user_id": who,
            "labels": {} if label is None else {"cause": {"select-one": label}},
            "spans": {},
        }
        for item, who, label in table
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


FORMATS = [
    pytest.param(
        as_long,
        "long",
        ["--item", "case", "--annotator", "who", "--label", "cause", "--cluster", "patient"],
        id="long",
    ),
    pytest.param(
        as_label_studio,
        "label-studio",
        ["--item", "data.case", "--label", "cause", "--cluster", "data.patient"],
        id="Label Studio",
    ),
    pytest.param(as_potato_state, "potato", ["--label", "cause"], id="Potato, user_state.json"),
    pytest.param(as_potato_instances, "potato", [], id="Potato, annotated_instances.jsonl"),
    pytest.param(as_potato_export, "potato", [], id="Potato, its export"),
]


@pytest.mark.parametrize(("make", "form", "options"), FORMATS)
def test_a_finished_project_gets_the_published_figures(
    make: Callable[[Path, Table], Path],
    form: str,
    options: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    table: Table = [
        (item, who, None if label is None else str(label)) for item, who, label in published["ratings"]
    ]
    rows = imported(make(tmp_path, table), form, *options)
    assert sorted((row["item"], row["annotator"], row["label"]) for row in rows) == sorted(
        (item, who, label or "") for item, who, label in table
    )
    categories = ",".join(str(one) for one in published["categories"])
    capsys.readouterr()
    labels = str(tmp_path / "labels.csv")
    assert (
        run_command(
            ["agreement", "--from", labels, "--scale", "nominal", "--categories", categories, "--json"]
        )
        == 0
    )
    figures = {one["name"]: one["value"] for one in json.loads(capsys.readouterr().out)["coefficients"]}
    for name in ("krippendorff_alpha_nominal", "fleiss_kappa"):
        assert figures[name] == pytest.approx(published["expected"][name]["value"], abs=1e-5)
    if "cluster" in rows[0]:
        assert {row["cluster"] for row in rows} == {f"p-{item}" for item, _, _ in table}
    meta = json.loads((tmp_path / "labels.csv.meta.json").read_text(encoding="utf-8"))
    assert (meta["kind"], meta["source_format"], meta["n_items"]) == (
        "labels",
        form,
        len({row[0] for row in table}),
    )


def studio(folder: Path, *annotations: dict[str, Any]) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps([{"id": 7, "data": {}, "annotations": list(annotations)}]), encoding="utf-8")
    return path


def annotation(number: int = 1, who: Any = 3, **changes: Any) -> dict[str, Any]:
    result = {"from_name": "cause", "type": "choices", "value": {"choices": ["a"]}}
    return {
        "id": number,
        "completed_by": who,
        "created_at": f"2026-01-0{number}",
        "result": [result],
        **changes,
    }


def value(kind: str, held: Any) -> dict[str, Any]:
    return {"result": [{"from_name": "cause", "type": kind, "value": {kind: held}}]}


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
    rows = {row["annotator"]: row for row in imported(path, "label-studio")}
    assert (rows["3"]["item"], rows["3"]["label"]) == ("7", label)


def test_skipped_annotations_are_no_labels_and_second_ones_are_passes(tmp_path: Path) -> None:
    path = studio(tmp_path, annotation(3), annotation(1, was_cancelled=True), annotation(2), annotation(1, 9))
    rows = imported(path, "label-studio")
    assert [(row["annotator"], row["repeat"]) for row in rows] == [("9", "0"), ("3", "0"), ("3", "1")]


def test_annotators_may_be_named_under_a_tag(tmp_path: Path) -> None:
    """As our own export for Label Studio does, which names no accounts."""
    who = {"from_name": "annotator", "type": "choices", "value": {"choices": ["p"]}}
    one = annotation()
    anonymous = {"created_at": "2026-01-01", "result": [who, *one["result"]]}
    (row,) = imported(
        studio(tmp_path, anonymous), "label-studio", "--label", "cause", "--annotator", "annotator"
    )
    assert (row["annotator"], row["label"]) == ("p", "a")


def test_checked_potato_answers_are_a_set_and_unchecked_ones_are_not_in_it(tmp_path: Path) -> None:
    path = tmp_path / "annotations.jsonl"
    labels = {"cause": {"b": "true", "a": True, "c": False, "d": "", "free_response": "because"}}
    path.write_text(json.dumps({"instance_id": 1, "user_id": "p", "labels": labels}) + "\n", encoding="utf-8")
    assert imported(path, "potato")[0]["label"] == "a|b"


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
    assert error in refused(path, form, capsys, *options)


def test_an_empty_potato_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "output" / "p").mkdir(parents=True)
    assert "holds no annotated item; expected Potato's annotation_output" in refused(
        tmp_path / "output", "potato", capsys
    )
