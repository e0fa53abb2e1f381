"""Base questions for the tests of variants, some of every template, and every variant of them."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from clinicnum.generation.benchmark import generate
from clinicnum.questions.ask_question import Question, RejectedError
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.evaluation_input import Case, table_of
from clinicnum.types import REPRESENTATIONS, Instance, Operation
from clinicnum.variants import NotApplicableError, Variations, parse_variants
from clinicnum.variants.answer_bounds import Range, possible_range

SEED = 3
Bases = tuple[Question, list[Instance]]
BASE: dict[Operation, int] = {"retrieval": 36, "arithmetic": 66, "comparison": 130, "aggregation": 24}
TEMPLATES = {template.id: template for bank in (BASE_BANK, EXTENDED_BANK) for template in load_bank(bank)}
EXTENDED: dict[Operation, int] = {"retrieval": 4, "arithmetic": 111, "comparison": 24, "aggregation": 87}


@lru_cache
def groups(bank: Path = BASE_BANK) -> tuple[Bases, ...]:
    """Seeded questions of every template, each with its instance in every representation."""
    benchmark = generate(
        contexts=contexts(synthetic(seed=1, stays=150).records, "stay"),
        templates=load_bank(bank),
        representations=REPRESENTATIONS,
        quotas=BASE if bank == BASE_BANK else EXTENDED,
        seed=0,
    )
    return tuple((group.question, group.instances()) for group in benchmark.groups)


def varied(name: str, bank: Path = BASE_BANK, seed: int = SEED) -> Iterator[tuple[Instance, Instance]]:
    """Every base instance that has this variant, with it."""
    (spec,) = parse_variants(name)
    for question, bases in groups(bank):
        variations = Variations(question, seed)
        for base in bases:
            try:
                yield base, variations.of(base, spec)
            except (RejectedError, NotApplicableError):
                continue


@lru_cache
def pairs(name: str, bank: Path = BASE_BANK) -> tuple[tuple[Instance, Instance], ...]:
    """`varied`, made once."""
    return tuple(varied(name, bank))


def range_of(instance: Instance) -> Range:
    """What an answer to the instance's template on its records could be at all."""
    template, table = TEMPLATES[instance.template_id], table_of(instance.records)
    at = {name: table.times.index(instance.slots[name]) for name in template.record_slots}
    choices = {name: word for name, word in instance.slots.items() if name not in at}
    keys = {given.label: key for key, given in template.givens.items()}
    givens = {keys[given.name]: given.value for given in instance.givens}
    return possible_range(template, Case(table, template.decimals or 0, at, choices, givens))
