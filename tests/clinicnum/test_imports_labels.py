"""Labels made elsewhere: every format gives the same labels.csv, and the published figures."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clinicnum.scripts.cli import run_command
from tests.clinicnum.importing import import_labels
from tests.open_data import AGREEMENT

PUBLISHED = AGREEMENT / "gwet_cac_raw4raters.json"
Table = list[tuple[str, str, str | None]]


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
    rows = import_labels(make(tmp_path, table), form, *options)
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
