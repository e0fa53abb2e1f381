"""Fillings of extended templates on synthetic stays, for the tests of the extended bank."""

import random
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from pathlib import Path

from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import load_bank
from clinicnum.templates.evaluate_tree import Case, holds, table_of
from clinicnum.templates.template import Template
from clinicnum.types import Record

EXTENDED = Path(__file__).parents[2] / "clinicnum" / "templates" / "extended"
BANK = {template.id: template for template in load_bank(EXTENDED)}
STAYS = contexts(synthetic(seed=5, stays=1500).records, "stay")


def cases(template: Template) -> Iterator[tuple[Sequence[Record], Case]]:
    """The records and one filling, with givens, for each stay that fulfils what the template requires."""
    rng = random.Random(template.id)
    for stay in STAYS:
        rows = [r for r in stay if all(getattr(r, vital) is not None for vital in template.vitals)]
        places = list(combinations(range(len(rows)), len(template.record_slots)))
        givens = {name: _given(template, name, rows, rng) for name in template.givens}
        if len(rows) < 2 or not places or "" in givens.values():
            continue
        at = dict(zip(template.record_slots, rng.choice(places), strict=True))
        case = Case(table_of(rows), template.decimals or 0, at, {}, givens)
        if all(holds(condition, case, None) for condition in template.requires):
            yield rows, case


def _given(template: Template, name: str, rows: Sequence[Record], rng: random.Random) -> str:
    given = template.givens[name]
    if given.kind == "record":
        return given.value(rows) or ""
    if given.kind == "choice":
        return rng.choice(given.options)
    step = Decimal(1).scaleb(-given.decimals)
    return str(given.low + step * rng.randint(0, int((given.high - given.low) / step)))


def table() -> str:
    """The table of docs/templates.md."""
    lines = ["| template | given besides the records | source |", "|---|---|---|"]
    for name, template in sorted(BANK.items()):
        givens = ", ".join(given.label for given in template.givens.values()) or "-"
        lines.append(f"| `{name}` | {givens} | {template.source.replace('|', '/')} |")
    return "\n".join(lines)
