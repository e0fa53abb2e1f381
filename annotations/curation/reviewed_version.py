"""What a round of review is about: a template, or an item of an imported benchmark."""

from collections.abc import Mapping, Sequence
from typing import Any

from clinicnum.annotations.curation.drafted_item import ItemVersion
from clinicnum.annotations.curation.review_case_sampling import draw_cases
from clinicnum.annotations.curation.review_sheet import CASES, is_mechanical
from clinicnum.templates.template import Template
from clinicnum.types import Instance

ReviewedVersion = Template | ItemVersion


def read_version(payload: Mapping[str, Any]) -> ReviewedVersion:
    """The template or item in the payload of a version or of its round."""
    if "original" in payload:
        return ItemVersion.model_validate({name: one for name, one in payload.items() if name != "status"})
    return Template.model_validate(payload)


def first_wording(version: ReviewedVersion) -> str:
    """What stands for a version in a list: its first wording, or its question."""
    return version.item.question if isinstance(version, ItemVersion) else version.wording[0]


def skips_relevance(version: ReviewedVersion) -> bool:
    """Whether experts are not asked about clinical relevance: of mechanical templates only."""
    return isinstance(version, Template) and is_mechanical(version)


def case_count(version: ReviewedVersion) -> int:
    """Number of instances that each expert solves: three of a template, an item itself.

    0 for an item that is answered in points: no program can tell whether an expert's own words say them, so
    experts read the points and judge them.
    """
    if isinstance(version, Template):
        return CASES
    return 0 if version.item.scoring == "points" else 1


def cases_for(
    version: ReviewedVersion, *, round_id: str, experts: Sequence[str]
) -> tuple[tuple[Instance, ...], ...]:
    """The instances for each expert to solve. Raises InputError as `draw_cases` does."""
    if isinstance(version, Template):
        return draw_cases(version, round_id=round_id, experts=experts)
    return tuple((version.item,) * case_count(version) for _ in experts)
