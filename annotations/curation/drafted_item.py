"""An item made from a failed question of an imported benchmark, for the benchmark's next version.

Three kinds: a paraphrase (other words, the same gold), a minimal counterfactual (one fact changed, another
gold) and a new question of the same family. The gold of a changed or new question is what its curator states,
with a reason; nothing is derived from the original's gold.
"""

from typing import Literal

from pydantic import Field

from clinicnum.imports.medec import CORRECT, NO_ERROR
from clinicnum.io.jsonl import content_id, text_id
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance, Point

ItemKind = Literal["paraphrase", "counterfactual", "new"]
KIND_NAMES: dict[ItemKind, str] = {
    "paraphrase": Translatable("Paraphrase"),
    "counterfactual": Translatable("Minimal counterfactual"),
    "new": Translatable("New question"),
}
VARIANTS: dict[ItemKind, tuple[str, Literal["same", "follows"]]] = {
    "paraphrase": ("reviewed.paraphrase", "same"),
    "counterfactual": ("reviewed.counterfactual", "follows"),
}
"""Kind -> variant and expected answer of its instance; a new question is no variant."""
KEPT_FIELDS = ("Output Type", "Calculator ID", "Calculator Name", "Category", "Note Type")
"""Source fields (`slots`) that hold for every item of the family; the others describe the original's row."""
LONGEST_REASON = 2_000


class ItemContent(Frozen):
    """What the form of an item draft holds, complete and right or not."""

    kind: ItemKind
    base: str = Field(max_length=200)
    """Row id of the instance from which the item is made."""
    context: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    answer: str = ""
    lower: str = ""
    upper: str = ""
    points: tuple[str, ...] = ()
    """The texts of the answer points."""
    reason: str = Field(default="", max_length=LONGEST_REASON)
    """Why the gold of a changed or new question is right."""


class ChangedPlace(Frozen):
    """A place at which a counterfactual differs from its original."""

    before: str
    after: str


class ItemVersion(Frozen):
    """An item as it was sent to review, with the question from which it was made."""

    kind: ItemKind
    original: Instance
    item: Instance
    changed: tuple[ChangedPlace, ...] = ()
    """What a counterfactual changed; empty for the other kinds."""
    reason: str = ""
    data_use: str | None = None
    """The notice for a benchmark whose texts may not be shared; None if they are open."""


def content_from(kind: ItemKind, original: Instance, *, row: str, gold: str | None = None) -> ItemContent:
    """The first content of a draft: the original itself; `row` is its row id.

    `gold` replaces the answer where an upheld contest proposed another; limits then have to be given anew.
    """
    corrected = gold is not None and gold != original.answer
    return ItemContent(
        kind=kind,
        base=row,
        context=original.context,
        question=original.question,
        options=original.options,
        answer=gold if gold is not None else original.answer or "",
        lower="" if corrected else original.lower or "",
        upper="" if corrected else original.upper or "",
        points=tuple(point.text for point in original.points),
    )


def item_instance(content: ItemContent, original: Instance) -> Instance:
    """The instance that a draft's content describes, sound or not; it belongs to the original's family."""
    variant, expected = VARIANTS.get(content.kind, (None, None))
    points = _points(content, original)
    asked = [content.context, content.question, list(content.options), content.answer]
    limits = [content.lower, content.upper, [point.model_dump() for point in points]]
    key = content_id(["item", original.instance_id, content.kind, *asked, *limits])
    of_original = variant is not None
    same_gold = content.kind == "paraphrase"
    return original.model_copy(
        update={
            "instance_id": key,
            "group_id": original.group_id if of_original else key,
            "subject_id": _subject(content, original, key),
            "variant": variant,
            "base_id": original.instance_id if of_original else None,
            "expected": expected,
            "context": content.context,
            "question": content.question,
            "options": content.options,
            "answer": content.answer,
            "lower": content.lower or None,
            "upper": content.upper or None,
            "points": points,
            "slots": {name: value for name, value in original.slots.items() if name in KEPT_FIELDS},
            "dimensions": _dimensions(content, original),
            "worked": _worked(content, original),
            **({} if same_gold else {"answer_exact": None, "distractors": (), "evidence": (), "flags": ()}),
        }
    )


def _points(content: ItemContent, original: Instance) -> tuple[Point, ...]:
    """The answer points; those that the original has too keep their id and value."""
    known = {point.text: point for point in original.points}
    taken = {known[text].id for text in content.points if text in known}
    free = (str(number) for number in range(1, len(content.points) + len(taken) + 1))
    ids = (name for name in free if name not in taken)
    return tuple(known[text] if text in known else Point(id=next(ids), text=text) for text in content.points)


def _subject(content: ItemContent, original: Instance, key: str) -> str:
    """The patient: the original's unless a new question has another context."""
    if content.kind != "new" or content.context == original.context:
        return original.subject_id
    return text_id(content.context) if content.context.strip() else key


def _dimensions(content: ItemContent, original: Instance) -> dict[str, str]:
    """The original's dimensions. A MEDEC note whose text may have changed loses its kind of error; if its
    gold is CORRECT, the kind is NO_ERROR.
    """
    if original.scoring != "medec" or content.kind == "paraphrase":
        return original.dimensions
    kept = {name: value for name, value in original.dimensions.items() if name != "error_type"}
    return kept | ({"error_type": NO_ERROR} if content.answer == CORRECT else {})


def _worked(content: ItemContent, original: Instance) -> tuple[str, ...]:
    """The original's working where numbers and gold are the same; otherwise the reason that was given."""
    if content.kind == "paraphrase" and original.scoring != "medec":
        return original.worked
    return (content.reason,) if content.reason.strip() else ()
