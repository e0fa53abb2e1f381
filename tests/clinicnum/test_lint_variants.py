"""Lint on variants: all kinds of them are clean; what contradicts their kind or their base is found."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from clinicnum.generation.benchmark import generate
from clinicnum.lint.lint_results import Finding, NotChecked
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Instance
from clinicnum.variants import VARIANTS, parse_variants
from clinicnum.variants.distractor import THIS_VISIT
from tests.clinicnum.lint_planting import Plant, changed, examined, rules_by_id, shown

COMBINED = (
    "chain.extra_step+numeric.relevant",
    "chain.extra_step+options.shuffle.1",
    "chain.wrong_step+input.distractor",
    "input.distractor+missing.masked",
    "input.synonym+input.typo",
    "numeric.irrelevant+representation.no_units",
)


@cache
def bench(bank: Path = BASE_BANK, quota: int = 8) -> tuple[Instance, ...]:
    made = generate(
        contexts=contexts(synthetic(seed=6, stays=200).records, "stay"),
        templates=load_bank(bank),
        representations=REPRESENTATIONS,
        quotas=dict.fromkeys(OPERATIONS, quota),
        seed=0,
        variants=parse_variants(",".join((*VARIANTS, *COMBINED))),
    )
    return tuple(made.instances)


@pytest.mark.parametrize("bank", [BASE_BANK, EXTENDED_BANK], ids=lambda path: path.name)
def test_every_kind_of_variant_is_clean(bank: Path, tmp_path: Path) -> None:
    said, tally = examined(tmp_path, bench(bank), (bank,))
    assert said == []
    assert tally.checked == tally.rows == len(bench(bank))
    assert {i.variant for i in bench(bank)} == {None, *VARIANTS, *COMBINED}


def kind(name: str, *, room: Callable[[Instance], bool] = lambda _: True) -> Callable[[Instance], bool]:
    return lambda i: i.variant == name and i.representation == "structured" and room(i)


def with_the_value_back(instance: Instance) -> Instance:
    """The withheld value stands in the records and the context again."""
    base = next(i for i in bench() if i.instance_id == instance.base_id)
    return shown(instance, base.records)


PLANTS = {
    "what is expected is not what the kind does": Plant(
        kind("numeric.relevant"), lambda i: changed(i, expected="same"), ("variant.expected",)
    ),
    "no base": Plant(kind("input.synonym"), lambda i: changed(i, base_id=None), ("variant.no_base",)),
    "another group than the base": Plant(
        kind("input.restructure"), lambda i: changed(i, group_id="0" * 16), ("variant.group",)
    ),
    "an answer that should be the base's": Plant(
        kind("numeric.relevant"),
        lambda i: changed(i, variant="numeric.irrelevant", expected="same"),
        ("variant.answer_not_same",),
    ),
    "an answer that should have moved": Plant(
        kind("numeric.irrelevant"),
        lambda i: changed(i, variant="numeric.relevant", expected="follows"),
        ("variant.answer_not_moved",),
    ),
    "a gold for what is not documented": Plant(
        kind("missing.masked"), lambda i: changed(i, answer="1"), ("V3.answer",)
    ),
    "no gold for what is documented": Plant(kind("missing.masked"), with_the_value_back, ("V1.documented",)),
    "a wrong gold after a further step": Plant(
        kind("chain.extra_step", room=lambda i: i.answer_type == "count"),
        lambda i: changed(i, answer=str(int(i.answer) + 1)),
        ("V3.answer",),
    ),
    "options without the gold": Plant(
        kind("options.shuffle.1"),
        lambda i: changed(i, options=tuple(o if o != i.answer else "none" for o in i.options)),
        ("options.gold",),
    ),
    "an option twice": Plant(
        kind("options.shuffle.2"),
        lambda i: changed(i, options=(*i.options, i.options[0])),
        ("options.repeated",),
    ),
    "other options than in the other orders": Plant(
        kind("options.shuffle.3"),
        lambda i: changed(i, options=tuple(o if o == i.answer else f"{o}0" for o in i.options)),
        ("options.differ",),
    ),
    "an earlier visit that is not shut out": Plant(
        kind("input.distractor", room=lambda i: THIS_VISIT in i.question),
        lambda i: changed(i, question=i.question.replace(f"{THIS_VISIT} ", "")),
        ("V8.earlier_visit",),
    ),
}


def test_of_planted_defects_each_is_found_and_nothing_else(tmp_path: Path) -> None:
    instances = list(bench())
    taken: set[str] = set()
    names: dict[str, str] = {}
    for name, plant in PLANTS.items():
        at = next(n for n, i in enumerate(instances) if i.group_id not in taken and plant.fits(i))
        taken.add(instances[at].group_id)
        names[instances[at].instance_id] = name
        instances[at] = plant.change(instances[at])
    found = rules_by_id(examined(tmp_path, instances)[0])
    assert {names.get(key, key): rules for key, rules in found.items()} == {
        name: plant.rules for name, plant in PLANTS.items()
    }


def test_a_variant_is_compared_with_a_base_that_comes_later(tmp_path: Path) -> None:
    fits = kind("numeric.relevant")
    variant = next(filter(fits, bench()))
    base = next(i for i in bench() if i.instance_id == variant.base_id)
    wrong = changed(variant, variant="numeric.irrelevant", expected="same")
    (finding,), tally = examined(tmp_path, [wrong, base])
    assert isinstance(finding, Finding)
    assert (finding.rule, finding.place.row) == ("variant.answer_not_same", 1)
    assert tally.by_rule == {"variant.answer_not_same": 1}


def test_a_base_that_is_not_in_the_file_is_said(tmp_path: Path) -> None:
    variant = next(i for i in bench() if i.variant == "input.typo")
    (item,), tally = examined(tmp_path, [variant])
    assert isinstance(item, NotChecked)
    assert tally.not_checked == {"not compared: base not in the file": 1}
