"""Import labels from Potato: a folder `annotation_output`, or the `annotations.jsonl` that its exporter
writes.

Follows its documentation ("Export Formats", "Single-Select Answer Integrity") and its exporter: the folder
has one folder an annotator with `user_state.json`, where `instance_id_to_label_to_value` holds for each item
the answers, as `{schema: {name: value}}`, in the documentation `{schema: {"labels": {name: value}}}`, or as
pairs `[{"schema", "name"}, value]`; from versions before, `annotated_instances.jsonl` with `id` and
`label_annotations`. An export's line has `instance_id`, `user_id` and `labels`. A name whose value is not
false is the label; where the name is only that of the widget (`select-one`, `slider`), the value is. Free
text beside an answer is ignored.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.errors import InputError
from clinicnum.imports.label_record import ImportedLabel, joined, name
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import check_file, checked_rows, json_lines
from clinicnum.imports.row_errors import Row, RowError, UniqueKeys, wrong_value
from clinicnum.io.text_lines import Progress

STATE = "user_state.json"
INSTANCES = "annotated_instances.jsonl"
EXPECTED = f"Potato's annotation_output, with a folder an annotator that holds {STATE} or {INSTANCES}"
WIDGETS = ("select-one", "slider")
"""Names of widgets, which carry no label: the value is the label."""
ASIDE = ("free_response", "text_box")
"""The key of free text beside an answer."""
NOT_CHOSEN = ("", "false")

Answers = Mapping[str, Mapping[str, Any]]
"""schema -> name -> value"""


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _State(_Lenient):
    user_id: str | None = None
    instance_id_to_label_to_value: dict[str, Any]


class _Instance(_Lenient):
    id: str | int
    label_annotations: Any = Field(default_factory=dict)


class _Exported(_Lenient):
    instance_id: str | int
    user_id: str | int
    labels: Any = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered(Row):
    """One annotator's answers on one item, not checked yet."""

    item: str | int
    annotator: str | int
    answers: Any


def labels(path: Path, *, label: str | None, progress: Progress) -> Iterator[ImportedLabel]:
    """Yield the labels of one schema (the only one, if `label` is None).

    Raises InputError naming every faulty item, or the schemas found if none can be chosen.
    """
    rows = list(_folder(path, progress) if path.is_dir() else _exported(path, progress))
    if not rows:
        raise InputError(f"{path}: holds no annotated item; expected {EXPECTED}")
    schema = label or _only_schema(path, rows)
    once = UniqueKeys("item and annotator", "expected one set of answers; remove one")

    def make(row: _Answered) -> ImportedLabel:
        item, annotator = name("the item's id", row.item), name("the annotator", row.annotator)
        once.check(f"{item} / {annotator}", row)
        answers = _by_schema(row.answers).get(schema, {})
        return ImportedLabel(
            place=row.place,
            number=row.number,
            item=item,
            annotator=annotator,
            label=joined(schema, _chosen(answers)),
        )

    return checked_rows(rows, make)


def _folder(path: Path, progress: Progress) -> Iterator[_Answered]:
    number = 0
    for folder in sorted(one for one in path.iterdir() if one.is_dir()):
        read = _from_state if (folder / STATE).is_file() else _from_instances
        for item, annotator, answers in read(folder, progress):
            number += 1
            yield _Answered(
                place=f"{folder}: item {item!r}",
                number=number,
                item=item,
                annotator=annotator,
                answers=answers,
            )


Triple = tuple[str | int, str, Any]


def _from_state(folder: Path, progress: Progress) -> Iterator[Triple]:
    path = folder / STATE
    try:
        text = path.read_text(encoding="utf-8-sig")
        state = parse_model(text, _State)
    except (RowError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    progress(path.stat().st_size)
    who = state.user_id or folder.name
    for item, answers in state.instance_id_to_label_to_value.items():
        yield item, who, answers


def _from_instances(folder: Path, progress: Progress) -> Iterator[Triple]:
    path = folder / INSTANCES
    if not path.is_file() or not path.stat().st_size:
        return
    for one in checked_rows(json_lines(path, progress), lambda line: parse_model(line.text, _Instance)):
        yield one.id, folder.name, one.label_annotations


def _exported(path: Path, progress: Progress) -> Iterator[_Answered]:
    check_file(path, f"{EXPECTED}, or its exporter's annotations.jsonl")

    def make(line: Any) -> _Answered:
        one = parse_model(line.text, _Exported)
        return _Answered(
            place=line.place,
            number=line.number,
            item=one.instance_id,
            annotator=one.user_id,
            answers=one.labels,
        )

    return checked_rows(json_lines(path, progress), make)


def _by_schema(answers: Any) -> Answers:
    """Both shapes of answers as schema -> name -> value. Raises RowError for any other shape."""
    if isinstance(answers, dict) and all(isinstance(names, dict) for names in answers.values()):
        return answers
    found: dict[str, dict[str, Any]] = {}
    for entry in answers if isinstance(answers, list) else [answers]:
        match entry:
            case [{"schema": str(schema), "name": str(label)}, value]:
                found.setdefault(schema, {})[label] = value
            case _:
                raise wrong_value("the item's labels", entry, "{schema: {name: value}}, or pairs of both")
    return found


def _only_schema(path: Path, rows: list[_Answered]) -> str:
    schemas: set[str] = set()
    for row in rows:
        try:
            schemas |= set(_by_schema(row.answers))
        except RowError:
            continue  # reported with its row when the labels are made
    if len(schemas) != 1:
        names = ", ".join(sorted(schemas)) or "no schema"
        raise InputError(f"{path}: answers to {names}; name one of them with --label")
    return schemas.pop()


def _chosen(answers: Mapping[str, Any]) -> list[str]:
    chosen = []
    nested = answers.get("labels")
    for label, value in (nested if isinstance(nested, dict) else answers).items():
        said = "" if value is None else str(value).strip()
        if label in ASIDE or said.lower() in NOT_CHOSEN:
            continue
        if isinstance(value, dict | list):
            raise wrong_value(label, json.dumps(value), "one answer", "name another schema with --label")
        chosen.append(said if label in WIDGETS else label)
    return chosen
