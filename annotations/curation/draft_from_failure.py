"""Turn a failed answer into the initial content of a draft: its template, with its records as the example.

The example is a test: the template's operation tree must give the example's answer. A draft made from an
upheld contest is therefore invalid until its tree gives the answer of the contest.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from clinicnum.credentialed_data import OPEN_SOURCES, closed_sources
from clinicnum.templates.parse_template import content_of
from clinicnum.templates.published_example import check_example
from clinicnum.templates.template import Template
from clinicnum.types import OPERATIONS, TIME_FORMAT, Instance, Record

TEMPLATE_ID = re.compile(r"[a-z]+(\.[a-z0-9_]+)+")
UNSEEN = frozenset({"subject_id", "stay_id", "source", "gender", "charttime"})
CLOSED = "Its records may not be shared, so they are not copied into the draft."
MISFIT = "Its records are not copied: the template does not give the instance's answer on them."
ELSEWHERE = "Its template is not in the bank: wording and operation are filled in, the rest is yours."


@dataclass(frozen=True)
class InitialDraft:
    """What a draft made from a failed answer begins with: its content, and remarks on what is missing."""

    content: dict[str, Any]
    remarks: tuple[str, ...]
    """What could not be filled in, and why."""
    shareable: bool = True
    """Whether content from the patient's records (question, values and answers) may be shown."""


def begin_content(
    instance: Instance,
    payload: Mapping[str, Any],
    *,
    template_id: str,
    version: int,
    shareable: bool,
    answer: str | None = None,
) -> InitialDraft:
    """A draft's content from the template's `payload` (empty if it is not in the bank) and one of its
    instances.

    `shareable`: whether the benchmark was marked as open. `answer` is the gold according to an upheld
    contest; by default, the instance's own gold is used.
    """
    # An imported item has no records, so nothing shows that its text may be shared.
    known_open = bool(instance.records) and {one.source for one in instance.records} <= OPEN_SOURCES
    shareable = (shareable or known_open) and not closed_sources([instance])
    if not payload:
        bare = _bare(instance, template_id, version, shareable=shareable)
        return InitialDraft(bare, (ELSEWHERE,) if shareable else (ELSEWHERE, CLOSED), shareable)
    said = content_of(Template.model_validate(payload))
    kept = {name: value for name, value in said.items() if name != "example"}
    content = {**kept, "id": template_id, "version": version, "status": "draft"}
    if not shareable:
        return InitialDraft(content, (CLOSED,), shareable=False)
    gold = answer if answer is not None else instance.answer
    if gold is None:
        return InitialDraft(content, (MISFIT,))
    shown = {**content, "example": _example(instance, payload, gold)}
    if answer is None and not _fits(shown):
        return InitialDraft(content, (MISFIT,))
    return InitialDraft(shown, ())


def derive_template_id(instance: Instance, taken: Collection[str]) -> str:
    """A free template id derived from the instance's, in the spelling of bank ids, with a number added."""
    if TEMPLATE_ID.fullmatch(instance.template_id):
        return free_id(instance.template_id, taken)
    name = re.sub(r"[^a-z0-9]+", "_", instance.template_id.lower()).strip("_") or "new"
    return free_id(f"{instance.operation}.{name}", taken)


def free_id(template_id: str, taken: Collection[str]) -> str:
    """The id with the lowest number, from 2 upwards, that is not taken."""
    number = 2
    while f"{template_id}_{number}" in taken:
        number += 1
    return f"{template_id}_{number}"


def _bare(instance: Instance, template_id: str, version: int, *, shareable: bool) -> dict[str, Any]:
    """What an instance alone tells about its template; unknown or confidential parts are left out."""
    content: dict[str, Any] = {"id": template_id, "version": version, "status": "draft"}
    if shareable:
        content |= {"tags": list(instance.tags), "wording": [instance.question]}
    if instance.operation in OPERATIONS:
        content |= {"operation": instance.operation, "subtype": instance.subtype, "steps": instance.steps}
    if instance.answer_type in ("number", "count", "datetime"):
        content["answer_type"] = instance.answer_type
    content |= {
        name: value
        for name, value in (("decimals", instance.decimals), ("unit", instance.unit))
        if value is not None
    }
    return content | {"source": f"after a question of benchmark {instance.benchmark_id}"}


def _example(instance: Instance, payload: Mapping[str, Any], gold: str) -> dict[str, Any]:
    givens = payload.get("givens", {})
    drawn = {name for name, one in givens.items() if one.get("kind") != "record"}
    return {
        "records": [_record(one, aged=len(drawn) < len(givens)) for one in instance.records],
        "slots": dict(instance.slots),
        "givens": {one.name: one.value for one in instance.givens if one.name in drawn},
        "answer": gold,
        "source": f"instance {instance.instance_id} of benchmark {instance.benchmark_id}",
    }


def _record(record: Record, *, aged: bool) -> dict[str, Any]:
    """A record's time and values, without anything that identifies a patient; the age only where the
    template asks for it.
    """
    dumped = record.model_dump(mode="json", exclude=set(UNSEEN if aged else UNSEEN | {"age_years"}))
    values = {name: value for name, value in dumped.items() if value is not None}
    return {"charttime": record.charttime.strftime(TIME_FORMAT), **values}


def _fits(content: Mapping[str, Any]) -> bool:
    try:
        return check_example(Template.model_validate(content)) is None
    except (ValidationError, TypeError, ValueError):
        return False
