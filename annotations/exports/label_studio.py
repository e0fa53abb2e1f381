"""A study as Label Studio tasks (labelstud.io/guide/task_format) with the labelling interface they need.

One task per annotated generation, with the last revision of each annotator as an annotation. `completed_by`
is left out, as Label Studio refuses a file that names accounts it does not have; the result `annotator`
holds the name instead, and is kept when Label Studio exports the tasks again.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from clinicnum.annotations.custom_field_answers import answer_label, column_name
from clinicnum.annotations.judgement import FIELDS, values_of
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.io.jsonl import text_id

TASKS, INTERFACE = "label_studio.json", "label_studio.xml"
_TEXT = "text"
_CONTEXT = "context"
"""Names of the labelled texts in the interface."""
_KINDS = ("human", "simulated")


def label_studio_files(tables: StudyTables) -> dict[str, str]:
    """The tasks with their annotations, to be imported, and the interface, to be pasted into the settings."""
    return {TASKS: _tasks_json(tables), INTERFACE: _interface(tables)}


def _tasks_json(tables: StudyTables) -> str:
    return json.dumps(list(_tasks(tables)), indent=1, ensure_ascii=False) + "\n"


def _tasks(tables: StudyTables) -> Iterator[dict[str, Any]]:
    view = StudyView(tables)
    by_generation: dict[str, dict[tuple[str, str], Annotation]] = {}
    for one in tables.annotations:
        whose = by_generation.setdefault(one.generation_id, {})
        key = (one.annotator_id, one.round)
        if key not in whose or whose[key].revision < one.revision:
            whose[key] = one
    for number, (generation_id, last) in enumerate(by_generation.items(), start=1):
        texts = {_TEXT: view.generation(generation_id).text, _CONTEXT: view.instance(generation_id).context}
        yield {
            "id": number,
            "data": _data(view, generation_id),
            "annotations": [_annotation(one, texts) for one in last.values()],
            "predictions": [],
        }


def _data(view: StudyView, generation_id: str) -> dict[str, Any]:
    instance, score = view.instance(generation_id), view.score(generation_id)
    return {
        _TEXT: view.generation(generation_id).text,
        _CONTEXT: instance.context,
        "question": instance.question,
        "gold": instance.answer,
        "status": score.status,
        "generation_id": generation_id,
        "model": view.model(view.generation(generation_id).run_id),
        "run_id": view.generation(generation_id).run_id,
        "instance_id": instance.instance_id,
        "subject_id": instance.subject_id,
        "operation": instance.operation,
        "representation": instance.representation,
        **({"data_use": view.data_use} if view.data_use else {}),
    }


def _annotation(one: Annotation, texts: Mapping[str, str]) -> dict[str, Any]:
    created = one.model_dump(mode="json")["created_at"]
    result = [
        part | {"id": text_id(one.annotation_id, str(at))} for at, part in enumerate(_results(one, texts))
    ]
    return {
        "result": result,
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": created,
        "updated_at": created,
        "lead_time": one.active_ms / 1000,
        "result_count": len(result),
    }


def _results(one: Annotation, texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    yield _choices("annotator", [one.annotator_id])
    yield _choices("annotator_kind", [one.annotator_kind])
    for name, about in FIELDS.items():
        value = getattr(one, name)
        if about.chosen and value not in (None, False):
            yield _choices(name, [str(value)])
        elif name == "labels" and value:
            yield _choices("primary", [label.code for label in value if label.primary])
            yield _choices("labels", [label.code for label in value])
        elif value:
            yield _part(name, "textarea", {"text": [value]})
    for name, answer in one.custom.items():
        yield _part(f"custom_{name}", "textarea", {"text": [answer_label(answer)]})
    for label in one.labels:
        for name, spans, of in (
            ("evidence", label.spans, _TEXT),
            ("context_evidence", label.context_spans, _CONTEXT),
        ):
            text = texts[of]
            for start, end in spans:
                ends = {"start": _utf16(text[:start]), "end": _utf16(text[:end]), "text": text[start:end]}
                yield _part(name, "labels", ends | {"labels": [label.code]}, of)


def _choices(name: str, chosen: list[str]) -> dict[str, Any]:
    return _part(name, "choices", {"choices": chosen})


def _part(name: str, kind: str, value: dict[str, Any], of: str = _TEXT) -> dict[str, Any]:
    return {"from_name": name, "to_name": of, "type": kind, "value": value}


def _utf16(text: str) -> int:
    """Length in UTF-16 units, as browsers count: a character outside the basic plane takes two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _interface(tables: StudyTables) -> str:
    codes = [one.code for one in tables.taxonomy_codes]
    people = sorted({one.annotator_id for one in tables.annotations})
    view = ElementTree.Element("View")
    said = StudyView(tables).data_use
    if said is not None:
        ElementTree.SubElement(view, "Header", value=said)
    for name in (_CONTEXT, "question"):
        ElementTree.SubElement(view, "Header", value=name.capitalize())
        ElementTree.SubElement(view, "Text", name=name, value=f"${name}")
    for name, of in (("context_evidence", _CONTEXT), ("evidence", _TEXT)):
        evidence = ElementTree.SubElement(view, "Labels", name=name, toName=of)
        for code in codes:
            ElementTree.SubElement(evidence, "Label", value=code)
    ElementTree.SubElement(view, "Text", name=_TEXT, value=f"${_TEXT}")
    for name, about in FIELDS.items():
        if about.chosen:
            _choice(view, name, map(str, values_of(name)))
        elif name == "labels":
            _choice(view, "primary", codes)
            _choice(view, "labels", codes, many=True)
        else:
            ElementTree.SubElement(view, "TextArea", name=name, toName=_TEXT)
    for field in tables.fields:
        ElementTree.SubElement(view, "Header", value=field.label)
        ElementTree.SubElement(view, "TextArea", name=column_name(field), toName=_TEXT)
    _choice(view, "annotator", people)
    _choice(view, "annotator_kind", _KINDS)
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _choice(view: ElementTree.Element, name: str, values: Iterable[str], *, many: bool = False) -> None:
    ElementTree.SubElement(view, "Header", value=name.replace("_", " ").capitalize())
    how = "multiple" if many else "single"
    group = ElementTree.SubElement(view, "Choices", name=name, toName=_TEXT, choice=how)
    for value in values:
        ElementTree.SubElement(group, "Choice", value=value)
