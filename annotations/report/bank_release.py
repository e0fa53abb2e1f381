"""The bank release that a benchmark names in its meta, with what it says of the templates that are asked."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from clinicnum.release import Origin
from clinicnum.release.manifest import NAME_PATTERN
from clinicnum.templates.template import Status
from clinicnum.types import Frozen


class NamedTemplate(Frozen):
    """A template as the release has it."""

    version: int
    status: Status
    origins: tuple[Origin, ...] = ()
    """The failures it came from."""


class NamedRelease(Frozen):
    """A release by name and hash."""

    name: str = Field(pattern=NAME_PATTERN)
    sha256: str
    templates: dict[str, NamedTemplate] = Field(default_factory=dict)
    """By id; those that the benchmark asks."""


def named_release(benchmark: Mapping[str, Any]) -> NamedRelease | None:
    """What a benchmark's meta names as `bank_release`; None for nothing, or nothing of ours."""
    try:
        return NamedRelease.model_validate(benchmark.get("bank_release"))
    except ValidationError:
        return None
