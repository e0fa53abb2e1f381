"""Givens: facts that a question needs and vital signs lack, such as weight or supplemental oxygen.

They are drawn from what the template says occurs, or read from the record where it holds them, and stated in
the context like a record. An undocumented one is never assumed: the question is not asked then.
"""

import random
from collections.abc import Mapping, Sequence

from clinicnum.templates.template import NumberGiven, RecordGiven, Template
from clinicnum.types import Given, Record


def draw_givens(template: Template, records: Sequence[Record], seed: str) -> dict[str, str] | None:
    """Values of a template's givens by key; the same seed gives the same. None if the records lack one."""
    values: dict[str, str] = {}
    for key, given in template.givens.items():
        if isinstance(given, RecordGiven):
            found = given.value(records)
            if found is None:
                return None
            values[key] = found
            continue
        rng = random.Random(f"{seed}:{key}")  # noqa: S311  reproducible, not secret
        if isinstance(given, NumberGiven):
            values[key] = f"{given.drawn(rng):.{given.decimals}f}"
        else:
            values[key] = given.drawn(rng)
    return values


def stated(template: Template, values: Mapping[str, str]) -> tuple[Given, ...]:
    """The template's givens with these values, as the context states them and the instance holds them."""
    return tuple(
        Given(name=given.label, value=values[key], unit=given.unit) for key, given in template.givens.items()
    )
