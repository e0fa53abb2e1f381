"""Base questions for the tests of variants, some of every template, and every variant of them."""

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from clinicnum.questions import Asked, NotAskedError, Question, RejectedError, Shown, ask, fillings, instances
from clinicnum.records.loaded import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import BASE_BANK, load_bank
from clinicnum.types import REPRESENTATIONS, Instance
from clinicnum.variants import NotApplicableError, Variations, parse_variants

SEED = 3
Group = tuple[Question, list[Instance]]


@lru_cache
def groups(bank: Path = BASE_BANK, per_template: int = 6) -> tuple[Group, ...]:
    """Seeded questions of every template, each with its instance in every representation."""
    stays = contexts(synthetic(seed=1, stays=150).records, "stay")
    return tuple(
        group for template in load_bank(bank) for group in _some(Asked.of(template), stays, per_template)
    )


def _some(asked: Asked, stays: tuple[tuple, ...], wanted: int) -> list[Group]:
    template, found = asked.template, []
    rng = random.Random(f"varying:{template.id}")
    for stay in rng.sample(stays, len(stays)):
        records = [r for r in stay if all(getattr(r, vital) is not None for vital in template.vitals)]
        if len(records) < 2:
            continue
        try:
            question = ask(asked, Shown.of(records, 0), rng.choice(fillings(template, len(records))))
        except (RejectedError, NotAskedError):
            continue
        wording = rng.randrange(len(template.wording))
        made = instances(
            question, wording=wording, representations=REPRESENTATIONS, benchmark_id="b", scope="stay"
        )
        found.append((question, made))
        if len(found) == wanted:
            break
    return found


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
def pairs(name: str) -> tuple[tuple[Instance, Instance], ...]:
    """`varied` on the base bank, made once."""
    return tuple(varied(name))
