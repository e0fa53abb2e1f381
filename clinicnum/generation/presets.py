"""Presets: how many questions of each kind a benchmark has."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from clinicnum.errors import InputError
from clinicnum.io.parse_int import whole_number
from clinicnum.records.loaded_records import Scope
from clinicnum.types import OPERATIONS, Operation

PUBLISHED_PER_REPRESENTATION = 1624
"""Instances per representation of ClinicNumRobBench (arXiv 2604.11133)."""


@dataclass(frozen=True)
class Preset:
    """Quotas and limits of a benchmark."""

    name: str
    quotas: Mapping[Operation, int]
    """Operation -> questions, in each representation."""
    scope: Scope
    max_records: int | None
    """Most records of a context; None for any number."""
    synthetic_stays: int
    decimals: Mapping[str, int] = field(default_factory=dict)
    """Template id -> requested decimals, where they differ from the template's."""


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
    """The preset of that name. Raises InputError naming the existing ones."""
    if name not in PRESETS:
        raise InputError(f"--preset: got {name!r}; expected one of {', '.join(PRESETS)}")
    return PRESETS[name]


QUESTIONS_PER_STAY = 8
"""The number of synthetic stays grows with the quota, as further questions on one stay add little
information."""


def with_quota(chosen: Preset, text: str) -> Preset:
    """The preset with the quotas in `text` (`operation=questions,...`) instead of its own, and no limit on
    the records of a context.

    Operations that are not named get no questions; an empty text changes nothing. Raises InputError for an
    unknown operation or an invalid number.
    """
    if not text.strip():
        return chosen
    quotas: dict[Operation, int] = {}
    for pair in text.split(","):
        name, _, number = pair.partition("=")
        operation = next((o for o in OPERATIONS if o == name.strip()), None)
        questions = whole_number(number)
        if operation is None or questions is None:
            raise InputError(
                f"--quota: got {pair!r}; expected operation=questions with one of {', '.join(OPERATIONS)}, "
                "such as retrieval=100,aggregation=50"
            )
        quotas[operation] = questions
    stays = max(chosen.synthetic_stays, -(-sum(quotas.values()) // QUESTIONS_PER_STAY))
    return replace(chosen, quotas=quotas, synthetic_stays=stays, max_records=None)
