"""One criterion of an answer, and the criteria of a study by item.

A tick says whether an answer meets one version of a criterion. `Judgement.criteria` stores it under the key
`ID@VERSION`, so that it stays readable when the text changes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from clinicnum.annotations.judgement import MOST_TICKS
from clinicnum.errors import InputError
from clinicnum.io.jsonl import sha256_json
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

LONGEST_CRITERION = 10_000
"""Most characters of a criterion's text; HealthBench's consensus criteria have over 3,000."""
LARGEST_WEIGHT = 1_000_000
CRITERION_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError(Translatable("the text of a criterion is empty; write what an answer must say"))
    return text.strip()


def _weighs(weight: float) -> float:
    if weight == 0:
        raise ValueError(Translatable("the weight is 0; give one above 0, or below 0 for a fault"))
    return weight


class Criterion(Frozen):
    """A criterion for answers, in one version."""

    item: str = Field(default="", max_length=200)
    """The `instance_id` it applies to; empty: every item of the study."""
    id: str = Field(pattern=CRITERION_ID)
    """Unique among the criteria that apply to the same item."""
    text: Annotated[str, Field(max_length=LONGEST_CRITERION), AfterValidator(_said)]
    weight: Annotated[
        float,
        Field(allow_inf_nan=False, ge=-LARGEST_WEIGHT, le=LARGEST_WEIGHT),
        AfterValidator(_weighs),
    ] = 1.0
    """Points of an answer that meets it; below 0 for a fault that an answer should not have."""
    must_have: bool = False
    """Whether an answer that does not meet it fails, whatever else it meets."""
    source: str = Field(default="", max_length=500)
    """Where it comes from: a guideline, a benchmark, a person."""
    version: int = Field(default=1, ge=1, le=9_999)
    """Raised with each change of the text."""

    @property
    def key(self) -> str:
        """Key of its ticks: `ID@VERSION`."""
        return f"{self.id}@{self.version}"


def criterion_of_key(key: str) -> tuple[str, int]:
    """The id and version in the key of a tick."""
    name, _, version = key.rpartition("@")
    return name, int(version)


class Criteria:
    """The criteria of a study by item, in all their versions."""

    def __init__(self, criteria: Iterable[Criterion]) -> None:
        self.every = tuple(criteria)
        newest: dict[tuple[str, str], Criterion] = {}
        for one in self.every:
            before = newest.get((one.item, one.id))
            newest[one.item, one.id] = one if before is None or one.version > before.version else before
        self.newest = tuple(newest.values())
        """The version in force of each, in the order in which they were given."""
        self._by_item: dict[str, list[Criterion]] = {}
        for one in self.newest:
            self._by_item.setdefault(one.item, []).append(one)

    def of_item(self, instance_id: str) -> tuple[Criterion, ...]:
        """The criteria in force of one item: its own, then those of every item."""
        own = self._by_item.get(instance_id, []) if instance_id else []
        return (*own, *self._by_item.get("", []))


def check_criteria(criteria: Sequence[Criterion]) -> None:
    """Raise InputError if an id occurs twice among the criteria of one item, or if they are too many."""
    common = {one.id for one in criteria if not one.item}
    own = Counter(one.item for one in criteria if one.item)
    seen: set[tuple[str, str]] = set()
    for one in criteria:
        if (one.item, one.id) in seen or (one.item and one.id in common):
            raise InputError(
                "criterion {id!r} of {item} is given twice; give each criterion of an item an id of its own",
                id=one.id,
                item=one.item or Translatable("every item"),
            )
        seen.add((one.item, one.id))
    most = max(own.values(), default=0) + len(common)
    if most > MOST_TICKS:
        raise InputError(
            "an item has {n} criteria; expected at most {most}, as each is ticked by hand",
            n=most,
            most=MOST_TICKS,
        )


def criteria_of_items(criteria: Sequence[Criterion], items: Iterable[str]) -> tuple[Criterion, ...]:
    """The criteria that apply to every item or to one of `items`.

    Raises InputError as `check_criteria` does, and where no criterion applies to any of the items.
    """
    check_criteria(criteria)
    known = set(items)
    kept = tuple(one for one in criteria if not one.item or one.item in known)
    if criteria and not kept:
        raise InputError(
            "none of the {n} criteria belongs to an item of this study; the first is of item {item!r}, and "
            "the items are {items} …; correct the ids, or leave the item empty for criteria of every item",
            n=len(criteria),
            item=criteria[0].item,
            items=", ".join(sorted(known)[:3]),
        )
    return kept


def criteria_hashes(criteria: Iterable[Criterion]) -> dict[str, str]:
    """What the audit log stores: item and key -> hash of the whole criterion."""
    return {f"{one.item} {one.key}".strip(): sha256_json(one.model_dump(mode="json")) for one in criteria}


def changed_criteria(
    in_force: Mapping[tuple[str, str], Criterion], given: Sequence[Criterion]
) -> tuple[Criterion, ...]:
    """The criteria of `given` that change one in force, with their new version numbers. A new text gets the
    next version; a new weight, must-have mark or source keeps the version, as a tick is about the text alone.

    Raises InputError for a criterion that the study lacks, and where nothing changes.
    """
    check_criteria(given)
    changed = []
    for one in given:
        before = in_force.get((one.item, one.id))
        if before is None:
            raise InputError(
                "the study has no criterion {id!r} of {item}; only criteria that it was opened with can be "
                "changed, so that what is judged already is judged by all of them",
                id=one.id,
                item=one.item or Translatable("every item"),
            )
        after = one.model_copy(update={"version": before.version + (one.text != before.text)})
        if after != before:
            changed.append(after)
    if not changed:
        raise InputError("nothing changes: these criteria are the ones in force already")
    return tuple(changed)
