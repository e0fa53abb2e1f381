"""Items that may ask one question in different words: equal options and gold, under different group ids.

Whether an annotator had seen the reference of a question is known by its group id. One who has seen the gold
of such an item may know that of the other too: these judgements are counted, and the report says how many.
Only items that were made elsewhere are compared: of ours, the group id holds what asks the same.
"""

from collections.abc import Callable, Iterable, Sized
from datetime import datetime

from clinicnum.annotations.agreement.population import ChosenAnnotations
from clinicnum.annotations.report.question_summary import options_and_gold
from clinicnum.annotations.types import Annotation
from clinicnum.stats.jackknife import how_many
from clinicnum.types import Instance


def still_counted(instances: Iterable[Instance], taken_out: Iterable[str]) -> tuple[str, ...]:
    """Ids of items that stay and have options and gold of one that is taken out, under another group id."""
    gone = set(taken_out)
    of = {one.instance_id: one for one in instances if _compared(one)}
    asked = {options_and_gold(one) for key, one in of.items() if key in gone}
    groups = {one.group_id for key, one in of.items() if key in gone}
    return tuple(
        key
        for key, one in of.items()
        if key not in gone and one.group_id not in groups and options_and_gold(one) in asked
    )


def _compared(one: Instance) -> bool:
    return bool(one.options) and one.operation == "external"


def after_rewording(
    chosen: ChosenAnnotations, annotations: Iterable[Annotation], instance: Callable[[str], Instance]
) -> frozenset[tuple[str, str]]:
    """(generation, annotator) of first judgements that count as blind and came after their annotator had been
    shown the gold of an item with the same text, options and gold; none of scripts, which have it at once.

    `annotations` are all revisions, `instance` finds what a generation answers.
    """
    if chosen.scripted:
        return frozenset()
    seen: dict[tuple[object, ...], list[tuple[datetime, str]]] = {}
    if not any(_compared(instance(generation)) for generation, _ in chosen.first):
        return frozenset()
    saved = _first_saves(one for one in annotations if _compared(instance(one.generation_id)))
    for (generation, annotator), at in saved.items():
        one = instance(generation)
        seen.setdefault((annotator, *options_and_gold(one)), []).append((at, one.group_id))
    return frozenset(
        (generation, annotator)
        for generation, annotator in saved.keys() & chosen.first.keys()
        for one in (instance(generation),)
        if any(
            at < saved[generation, annotator] and group != one.group_id
            for at, group in seen[annotator, *options_and_gold(one)]
        )
    )


def _first_saves(annotations: Iterable[Annotation]) -> dict[tuple[str, str], datetime]:
    """(generation, annotator) -> when its first judgement was saved, in whatever round; the gold was shown
    then.
    """
    found: dict[tuple[str, str], datetime] = {}
    for one in annotations:
        key = (one.generation_id, one.annotator_id)
        found[key] = min(found.get(key, one.created_at), one.created_at)
    return found


def rewording_said(followed: Sized) -> str:
    """How many first judgements that count may have known the gold from an item in other words, as a
    sentence; empty without any.
    """
    n = len(followed)
    if not n:
        return ""
    return (
        f" {how_many(n, 'first judgement')} that {'counts' if n == 1 else 'count'} as made before the gold "
        f"was shown followed the gold of another item with the same options and gold, which may ask the same "
        "in other words."
    )
