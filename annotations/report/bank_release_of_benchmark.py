"""The bank release that a benchmark's meta names, and its entries for the templates used."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from clinicnum.release import Origin
from clinicnum.release.manifest import NAME_PATTERN
from clinicnum.templates.template import Status
from clinicnum.types import Frozen


class NamedTemplate(Frozen):
    """A template's entry in the release."""

    version: int
    status: Status
    origins: tuple[Origin, ...] = ()
    """The failures from which the template was made."""


class NamedRelease(Frozen):
    """A release by name and hash."""

    name: str = Field(pattern=NAME_PATTERN)
    sha256: str
    templates: dict[str, NamedTemplate] = Field(default_factory=dict)
    """The templates that the benchmark uses, by id."""


def named_release(benchmark: Mapping[str, Any]) -> NamedRelease | None:
    """The release that a benchmark's meta names as `bank_release`; None if there is none in our format."""
    try:
        return NamedRelease.model_validate(benchmark.get("bank_release"))
    except ValidationError:
        return None
