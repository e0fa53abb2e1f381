"""How much of what a benchmark asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from clinicnum.errors import InputError
from clinicnum.records.loaded import Scope
from clinicnum.types import Operation

PUBLISHED_PER_REPRESENTATION = 1624
"""Instances per representation of ClinicNumRobBench (arXiv 2604.11133), as the design states it."""


@dataclass(frozen=True)
class Preset:
    """Quotas and limits of a benchmark."""

    name: str
    quotas: Mapping[Operation, int]
    """Questions per operation, in each representation."""
    scope: Scope
    max_records: int | None
    """Longest context; None for any."""
    synthetic_stays: int
    decimals: Mapping[str, int] = field(default_factory=dict)
    """Asked decimals, by template id, where they differ from the template's."""


PRESETS: dict[str, Preset] = {
    "small": Preset(
        name="small",
        quotas={"retrieval": 4, "arithmetic": 4, "comparison": 4, "aggregation": 4},
        scope="stay",
        max_records=3,
        synthetic_stays=300,
    ),
    "paper": Preset(
        name="paper",
        quotas={"retrieval": 240, "arithmetic": 600, "comparison": 383, "aggregation": 201},
        scope="subject",
        max_records=None,
        synthetic_stays=1500,
        decimals={"arithmetic.shock_index": 1},
    ),
}


def preset(name: str) -> Preset:
    """The preset of that name. Raises InputError naming those there are."""
    if name not in PRESETS:
        raise InputError(f"--preset: got {name!r}; expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
