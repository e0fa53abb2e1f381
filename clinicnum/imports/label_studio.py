"""Import labels from Label Studio's JSON export: a list of tasks with annotations.

Follows its documentation ("Label Studio JSON format of annotated tasks", and the tags' own pages): a task has
`id`, `data` and `annotations`; an annotation has `completed_by`, `was_cancelled`, `created_at` and `result`,
whose entries have `from_name` (the tag's name in the labelling config), `type` and `value`, which holds what
was chosen under its type (`choices`, `taxonomy`: a list; `rating`, `number`: one). Nested choices are paths
from the top, joined here by `/`. Skipped (cancelled) annotations, drafts and predictions are no labels.
Several annotations of a task by one user are passes, numbered by the time they were created.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.errors import InputError
from clinicnum.imports.dotted_fields import NamedField, field
from clinicnum.imports.label_record import ImportedLabel, joined, name
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import check_file, checked_rows
from clinicnum.imports.row_errors import Row, RowError, shortened, wrong_value
from clinicnum.io.strict_json import plain_json
from clinicnum.io.text_lines import Progress

ITEM = NamedField("the item's id", "--item")
CLUSTER = NamedField("the cluster", "--cluster")
EXPECTED = "Label Studio's JSON export, a list of tasks"
LARGEST = 512 * 1024 * 1024
"""Bytes of an export, which is read whole."""
PATH_SEPARATOR = "/"
READABLE = ("choices", "taxonomy", "rating", "number")


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Result(_Lenient):
    from_name: str | None = None
    type: str = ""
    value: dict[str, Any] = Field(default_factory=dict)


class _Annotation(_Lenient):
    id: int | str = "without an id"
    completed_by: int | str | dict[str, Any] | None = None
    was_cancelled: bool = False
    created_at: str = ""
    result: list[_Result]


class _Task(_Lenient):
    id: int | str
    annotations: list[_Annotation]


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaskRow(Row):
    task: Any


def labels(
    path: Path,
    *,
    item: str,
    annotator: str | None,
    label: str | None,
    cluster: str | None,
    progress: Progress,
) -> Iterator[ImportedLabel]:
    """Yield the labels given under the tag named `label` (the only tag, if None).

    `item` and `cluster` are fields of a task, such as `id` or `data.subject`. `annotator` is the tag whose
    value names the annotator; None takes `completed_by`. Raises InputError naming every faulty task.
    """
    tasks = _tasks(path, progress)
    tag = label or _only_tag(path, tasks)

    def make(row: _TaskRow) -> list[ImportedLabel]:
        task = parse_model(row.task, _Task)
        what = name(item, field(row.task, item, ITEM))
        subject = None if cluster is None else name(cluster, field(row.task, cluster, CLUSTER))
        passes: dict[str, int] = {}
        found = []
        for one in sorted(task.annotations, key=lambda one: (one.created_at, str(one.id))):
            if one.was_cancelled:
                continue
            who = _annotator(one, annotator)
            passes[who] = passes.get(who, -1) + 1
            found.append(
                ImportedLabel(
                    place=row.place,
                    number=row.number,
                    item=what,
                    annotator=who,
                    label=_label(one, tag),
                    cluster=subject,
                    repeat=passes[who],
                )
            )
        return found

    rows = (
        _TaskRow(place=f"{path}: task {shortened(task.get('id'))}", number=number, task=task)
        for number, task in enumerate(tasks, start=1)
    )
    for several in checked_rows(rows, make):
        yield from several


def _tasks(path: Path, progress: Progress) -> list[dict[str, Any]]:
    check_file(path, EXPECTED)
    size = path.stat().st_size
    if size > LARGEST:
        raise InputError(f"{path}: {size:,} bytes; at most {LARGEST:,} are read; export fewer tasks at once")
    try:
        content = plain_json(path.read_bytes())
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); expected {EXPECTED}") from error
    progress(size)
    if not isinstance(content, list) or not content or not all(isinstance(task, dict) for task in content):
        raise InputError(f"{path}: expected {EXPECTED} that is not empty; export the project as JSON")
    if not any("annotations" in task for task in content):
        raise InputError(f"{path}: no task has `annotations`; export the project as JSON, not as JSON-MIN")
    return content


def _only_tag(path: Path, tasks: Sequence[Mapping[str, Any]]) -> str:
    tags: list[str] = sorted(
        {
            result["from_name"]
            for task in tasks
            for annotation in _listed(task.get("annotations"))
            if isinstance(annotation, dict)
            for result in _listed(annotation.get("result"))
            if isinstance(result, dict) and isinstance(result.get("from_name"), str)
        }
    )
    if len(tags) != 1:
        raise InputError(f"{path}: labels under {', '.join(tags) or 'no tag'}; name one of them with --label")
    return tags[0]


def _listed(value: object) -> list[Any]:
    """The value as a list; a wrong type is reported later, with its row."""
    return value if isinstance(value, list) else []


def _annotator(annotation: _Annotation, tag: str | None) -> str:
    if tag is not None:
        return name(f"{tag} of annotation {annotation.id}", _label(annotation, tag))
    user: Any = annotation.completed_by
    if user is None:
        raise RowError(
            f"annotation {annotation.id} has no completed_by; expected who made it; name the tag that says "
            "so with --annotator"
        )
    if isinstance(user, dict):
        user = user.get("email") or user.get("id") or ""
    return name(f"completed_by of annotation {annotation.id}", user)


def _label(annotation: _Annotation, tag: str) -> str:
    """The choice under a tag; empty if nothing was chosen."""
    results = [one for one in annotation.result if one.from_name == tag]
    if not results:
        return ""
    where = f"annotation {annotation.id}, {tag},"
    if len(results) > 1:
        raise RowError(
            f"{where} holds {len(results)} results; expected one for the whole task: labels of regions are "
            "not compared here; name another tag with --label"
        )
    kind, value = results[0].type, results[0].value
    if kind not in READABLE:
        raise RowError(
            f"{where} is of the type {shortened(kind)}; expected one of {', '.join(READABLE)}; name "
            "another tag with --label"
        )
    return _chosen(where, value.get(kind))


def _chosen(where: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, list):
        raise wrong_value(where, value, "a number, or a list of what was chosen", "correct the task")
    paths = [one if isinstance(one, list) else [one] for one in value]
    if not all(isinstance(step, str) for path in paths for step in path):
        raise wrong_value(where, value, "texts, or lists of texts", "correct the task")
    return joined(where, [PATH_SEPARATOR.join(path) for path in paths])
