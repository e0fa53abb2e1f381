"""Items whose gold may tell that of another item, although their group ids differ.

Group ids tell whether an annotator had seen the reference of a question. An annotator who has seen the gold
of a near duplicate may know the other item's gold too: these judgements are counted, and the report says how
many. Only items that were made elsewhere are compared, since our own items share a group id if they ask the
same. Near duplicates are: questions with equal text, options and gold, which may be worded differently (but
not those that share a list of options such as yes and no); MEDEC's notes under one subject id, which may be
one case with the error and without; and other items with equal text and question.
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from datetime import datetime

from clinicnum.annotations.agreement.annotation_selection import ChosenAnnotations
from clinicnum.annotations.report.question_summary import options_and_gold, shared_lists
from clinicnum.annotations.types import Annotation
from clinicnum.types import Instance


def still_counted(instances: Iterable[Instance], taken_out: Iterable[str]) -> tuple[str, ...]:
    """Ids of items that still count though an excluded item, under another group id, may ask the same."""
    gone = set(taken_out)
    of = {one.instance_id: one for one in instances if _compared(one)}
    lists = shared_lists(of.values())
    asked = {_shared(one, lists) for key, one in of.items() if key in gone}
    groups = {one.group_id for key, one in of.items() if key in gone}
    return tuple(
        key
        for key, one in of.items()
        if key not in gone and one.group_id not in groups and _shared(one, lists) in asked
    )


def asked_alike(one: Instance, lists: Collection[frozenset[str]]) -> Hashable:
    """A key that is equal for imported questions that may ask the same; for other items, unique to the item.

    `lists` are the `shared_lists` of all questions.
    """
    return _shared(one, lists) if _compared(one) else (one.instance_id,)


def _compared(one: Instance) -> bool:
    """Whether an item is compared with those of other group ids: it was imported, and is no note of MEDEC."""
    return one.operation == "external" and one.scoring != "medec"


def _shared(one: Instance, lists: Collection[frozenset[str]]) -> Hashable:
    """A key that is equal for items whose gold may tell each other's: options and gold, the subject of a
    MEDEC note, otherwise text and question.
    """
    if one.options:
        return options_and_gold(one, lists)
    return (one.subject_id,) if one.scoring == "medec" else (one.context, one.question)


def telling_items(instances: Iterable[Instance]) -> str:
    """Describes the items whose gold may reveal that of another item, as part of a sentence."""
    found = {"medec" if one.scoring == "medec" else bool(one.options) for one in instances}
    said = ["another item with the same options and gold, which may ask the same in other words"] * (
        True in found
    )
    said += ["another item with the same text and question"] * (False in found)
    said += [
        "another note under the same subject id, which may be the same case with or without the error, "
        "so that its gold tells this one's"
    ] * ("medec" in found)
    return ", or of ".join(said)


def after_rewording(
    chosen: ChosenAnnotations, annotations: Iterable[Annotation], instance: Callable[[str], Instance]
) -> frozenset[tuple[str, str]]:
    """(generation, annotator) of first judgements that count as blind although the annotator had been shown
    the gold of an item that may reveal it; empty for scripts, which always know it.

    `annotations` are all revisions; `instance` maps a generation id to its instance.
    """
    if chosen.scripted:
        return frozenset()
    seen: dict[Hashable, list[tuple[datetime, str]]] = {}
    if not any(instance(generation).operation == "external" for generation, _ in chosen.first):
        return frozenset()
    annotations = tuple(annotations)
    lists = shared_lists(instance(key) for key in {one.generation_id for one in annotations})
    saved = _first_saves(one for one in annotations if instance(one.generation_id).operation == "external")
    for (generation, annotator), at in saved.items():
        one = instance(generation)
        seen.setdefault((annotator, _shared(one, lists)), []).append((at, one.group_id))
    return frozenset(
        (generation, annotator)
        for generation, annotator in saved.keys() & chosen.first.keys()
        for one in (instance(generation),)
        if any(
            at < saved[generation, annotator] and group != one.group_id
            for at, group in seen[annotator, _shared(one, lists)]
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
