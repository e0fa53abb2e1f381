"""Drafts of items for imported benchmarks: loaded, saved, checked, and sent to review.

An item is a version in the table `template` under the id `item.` and its draft's id, so that rounds of review
treat it as they treat a template.
"""

from typing import Any

from sqlmodel import Session

from clinicnum.annotations.curation.drafted_item import ItemContent, ItemVersion, item_instance
from clinicnum.annotations.curation.drafts import Draft
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.item_gold_checks import usual_limits
from clinicnum.db.engine import lock
from clinicnum.db.rows import DraftRow, InstanceRow, TemplateRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.benchmarks.item_versions import check_against_benchmark
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.drafts.item_from_failure import data_use_of
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance


class ItemDraft(Frozen):
    """An item draft with the question from which it is made."""

    draft: Draft
    content: ItemContent
    original: Instance
    data_use: str | None
    """The notice for texts that may not be shared; None if they are open."""


def load_item(session: Session, draft_id: str) -> ItemDraft:
    """An item draft. Raises InputError if there is none."""
    draft = drafts.load(session, draft_id, kind="item")
    content = ItemContent.model_validate(draft.content)
    original = _original(session, content)
    return ItemDraft(draft=draft, content=content, original=original, data_use=data_use_of(session, original))


def save_item(session: Session, *, draft_id: str, revision: int, content: ItemContent, actor: str) -> int:
    """Save the form; returns the new revision. The original stays the one with which the draft was begun.

    MedCalc-Bench's usual limits are filled in where both are left empty. Raises as `drafts.save` does.
    """
    row = drafts.find(session, draft_id, kind="item")
    content = content.model_copy(update={"base": row.content["base"]})
    original = _original(session, content)
    if original.scoring == "medcalc" and not content.lower and not content.upper:
        lower, upper = usual_limits(original, content.answer)
        content = content.model_copy(update={"lower": lower, "upper": upper})
    saved = content.model_dump(mode="json")
    return drafts.save(session, draft_id=draft_id, revision=revision, content=saved, actor=actor, kind="item")


def check_draft(session: Session, draft_id: str) -> ItemCheck:
    """The checks of a draft as it was saved last. Raises InputError if there is none."""
    row = drafts.find(session, draft_id, kind="item")
    content = ItemContent.model_validate(row.content)
    return check_against_benchmark(session, content, _original(session, content), item_id(draft_id))


def submit_item(session: Session, *, draft_id: str, revision: int, actor: str) -> tuple[str, int]:
    """Send the draft to review as a version; returns its id and number.

    A draft that was returned from review overwrites the version as which it was sent. Raises as `drafts.save`
    does, and InputError with the first fault that the checks find.
    """
    users.curator(session, actor)
    lock(session, template_versions.LOCK)
    row = drafts.find_open(session, draft_id, kind="item")
    drafts.check_revision(session, row, revision)
    content = ItemContent.model_validate(row.content)
    original, key = _original(session, content), item_id(draft_id)
    check = check_against_benchmark(session, content, original, key)
    if not check.holds:
        first, more = check.faults[0], len(check.faults) - 1
        if more:
            raise InputError(Translatable("{fault} (and {n} more); mend it first", fault=first, n=more))
        raise InputError(Translatable("{fault}; mend it first", fault=first))
    version = ItemVersion(
        kind=content.kind,
        original=original,
        item=item_instance(content, original),
        changed=check.changed,
        reason=content.reason.strip(),
        data_use=data_use_of(session, original),
    )
    number = _number(session, row, key)
    template_versions.put_columns(session, _columns(key, number, version), author=row.author)
    drafts.mark_submitted(session, row, (key, number), actor=actor)
    return key, number


def item_id(draft_id: str) -> str:
    """The id under which a draft's versions are reviewed."""
    return f"item.{draft_id}"


def _columns(key: str, number: int, version: ItemVersion) -> dict[str, Any]:
    return {
        "template_id": key,
        "version": number,
        "kind": "item",
        "payload": version.model_dump(mode="json"),
        "words": f"{key} {version.item.question}".lower(),
    }


def _number(session: Session, row: DraftRow, key: str) -> int:
    """The version as which the draft was returned from review, otherwise the next one."""
    was = None if row.version is None else session.get(TemplateRow, (key, row.version))
    if was is not None and was.status == "draft":
        return was.version
    return template_versions.next_version(session, key)


def _original(session: Session, content: ItemContent) -> Instance:
    return Instance.model_validate(session.get_one(InstanceRow, content.base).payload)
