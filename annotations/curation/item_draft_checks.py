"""Checks that an item draft must pass before experts review it: form of its gold, kind of its change, no
repetition.
"""

from collections.abc import Iterable, Iterator

from clinicnum.annotations.curation.differences_from_original import changed_places
from clinicnum.annotations.curation.drafted_item import ChangedPlace, ItemContent, item_instance
from clinicnum.annotations.curation.item_gold_checks import gold_faults
from clinicnum.annotations.curation.item_similarity import SimilarItem, asked_text, similar_items
from clinicnum.scoring.numeric import finite_number
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance
from clinicnum.variants.imported import numbers_of

MOST_NAMED = 5
"""Number of faults of one kind that a message names."""


class ItemCheck(Frozen):
    """What the checks say of an item draft."""

    faults: tuple[Translatable, ...]
    """What must be put right before review; empty if nothing."""
    changed: tuple[ChangedPlace, ...] = ()
    """The places at which a counterfactual differs from its original."""
    similar: tuple[SimilarItem, ...] = ()
    """Items of the benchmark with much the same words; shown, but no fault."""

    @property
    def holds(self) -> bool:
        """Whether there is no fault."""
        return not self.faults


def check_item(content: ItemContent, original: Instance, others: Iterable[Instance]) -> ItemCheck:
    """Check an item draft against the question it was made from and against the other items.

    `others`: the benchmark's items without those taken out by contests, and items that wait for their
    review or passed it.
    """
    item, known = item_instance(content, original), list(others)
    changed = changed_places(_text(original), _text(item)) if content.kind == "counterfactual" else ()
    faults = [*_missing(content), *gold_faults(item)]
    if content.kind == "paraphrase":
        faults += _paraphrase(item, original)
    elif content.kind == "counterfactual":
        faults += _counterfactual(item, original, changed)
    faults += _repeated(item, known)
    plain = [one for one in known if one.variant is None and one.instance_id != original.instance_id]
    return ItemCheck(faults=tuple(faults), changed=changed, similar=similar_items(item, plain))


def _text(item: Instance) -> str:
    return f"{item.context}\n{item.question}"


def _missing(content: ItemContent) -> Iterator[Translatable]:
    if not content.question.strip():
        yield Translatable("the question is empty; write what is asked")
    if content.kind != "paraphrase" and not content.reason.strip():
        yield Translatable("the reason is empty; say why the gold answer is right (a source, a rule)")


def _paraphrase(item: Instance, original: Instance) -> Iterator[Translatable]:
    if _one_line(_text(item)) == _one_line(_text(original)):
        yield Translatable("nothing is worded differently; put context or question in other words")
    here, there = numbers_of(_text(item)), numbers_of(_text(original))
    if here != there:
        yield Translatable(
            "a paraphrase keeps every number; lacking: {lacking}; added: {added}; put them as they were",
            lacking=_named((there - here).elements()),
            added=_named((here - there).elements()),
        )
    if item.options != original.options:
        yield Translatable("a paraphrase keeps the options; put them as they were")
    if _gold(item) != _gold(original):
        yield Translatable("a paraphrase keeps the gold answer; put it as it was, or choose another kind")


def _counterfactual(
    item: Instance, original: Instance, changed: tuple[ChangedPlace, ...]
) -> Iterator[Translatable]:
    if not changed:
        yield Translatable("nothing is changed; change one fact in context or question")
    elif len({(one.before, one.after) for one in changed}) > 1:
        yield Translatable(
            "{n} places are changed ({places}); change one fact, or make it a new question",
            n=len(changed),
            places=_named(f"{one.before or '-'} → {one.after or '-'}" for one in changed),
        )
    if item.options != original.options:
        yield Translatable("a counterfactual keeps the options; put them as they were")
    if not _gold_moved(item, original):
        yield Translatable(
            "the gold answer is still right by the original's ({gold}); a counterfactual has another",
            gold=_gold_text(original),
        )


def _gold(item: Instance) -> tuple[object, ...]:
    points = tuple(point.text for point in item.points)
    return item.answer or "", item.lower or "", item.upper or "", points


def _gold_text(item: Instance) -> str:
    if item.lower and item.upper and item.lower != item.upper:
        return f"{item.lower} - {item.upper}"
    return item.answer or ""


def _gold_moved(item: Instance, original: Instance) -> bool:
    """Whether the new gold would be wrong as an answer to the original."""
    if item.scoring == "points":
        return {point.text for point in item.points} != {point.text for point in original.points}
    gold, was = finite_number(item.answer or ""), finite_number(original.answer or "")
    if item.scoring in ("numeric", "medcalc") and gold is not None and was is not None:
        lower, upper = finite_number(original.lower or ""), finite_number(original.upper or "")
        return not (was if lower is None else lower) <= gold <= (was if upper is None else upper)
    return _one_line(item.answer or "") != _one_line(original.answer or "")


def _repeated(item: Instance, known: Iterable[Instance]) -> Iterator[Translatable]:
    mine = asked_text(item)
    same = next((one for one in known if asked_text(one) == mine), None)
    if same is not None:
        yield Translatable("item {id} asks exactly this; word it differently", id=same.instance_id)


def _named(parts: Iterable[str]) -> str:
    listed = list(parts)
    more = " ..." if len(listed) > MOST_NAMED else ""
    return (", ".join(listed[:MOST_NAMED]) + more) if listed else "-"


def _one_line(text: str) -> str:
    return " ".join(text.casefold().split())
