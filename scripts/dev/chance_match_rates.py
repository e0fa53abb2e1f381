"""Generate the shipped table of chance matches, `clinicnum/diagnosis/chance_matches.yaml`.

Usage: python -m clinicnum.scripts.dev.chance_match_rates [--questions-per-template 130]

Counted on a synthetic benchmark of both banks, including the variants that add distractors: the table holds
the numbers of pairs and of matches by template and taxonomy code. A code that matches more than 10 % of its
pairs is silent: its matches are too weak as evidence.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from clinicnum.types import Instance, Operation

OUT = Path(__file__).resolve().parents[2] / "clinicnum" / "diagnosis" / "chance_matches.yaml"
VARIANTS = "input.distractor,chain.wrong_step,missing.masked"
SEED = 2026
STAYS_PER_QUESTION = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions-per-template", type=int, default=130)
    wanted = parser.parse_args().questions_per_template
    from clinicnum.diagnosis.chance_matches import count_rates

    rates, sizes = count_rates(_instances(wanted))
    lines = [
        "# Chance matches of distractors: {code: [pairs, matches]}; distractor_matches.py defines a pair.",
        f"# Made by scripts/dev/chance_match_rates.py with seed {SEED} and {wanted} questions a template.",
        "templates:",
    ]
    for template in sorted({template for template, _ in rates}):
        lines.append(f"  {template}:  # {sizes[template]} instances")
        for (name, code), rate in sorted(rates.items()):
            if name == template and rate.pairs:
                lines.append(f"    {code}: [{rate.pairs}, {rate.matches}]")
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    silent = sum(rate.silent for rate in rates.values())
    print(f"{len(sizes)} templates, {len(rates)} codes, {silent} of them silent; {OUT.name} written")


def _instances(wanted: int) -> Iterator[Instance]:
    from clinicnum.generation.benchmark import generate
    from clinicnum.records.loaded_records import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.templates.packaged_banks import named_bank
    from clinicnum.variants import parse_variants

    for bank in ("base", "extended"):
        templates = named_bank(bank)
        operations: list[Operation] = [template.operation for template in templates]
        quotas = {operation: wanted * operations.count(operation) for operation in set(operations)}
        stays = synthetic(seed=SEED, stays=STAYS_PER_QUESTION * wanted)
        yield from generate(
            contexts=contexts(stays.records, "stay"),
            templates=templates,
            representations=("structured",),
            quotas=quotas,
            seed=SEED,
            variants=parse_variants(VARIANTS),
        ).instances


if __name__ == "__main__":
    main()
