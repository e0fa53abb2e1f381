"""`clinicnum templates`: what the bank holds, and whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clinicnum.supply import Supply
    from clinicnum.templates.template import Template


def list_all(
    bank: Annotated[str, typer.Option(help="base, extended, all, or a folder of templates.")] = "base",
    as_json: Annotated[bool, typer.Option("--json", help="Print the templates as JSON.")] = False,
) -> None:
    """List the templates of a bank.

    Example: clinicnum templates list
    """
    from clinicnum.templates.banks import named_bank

    templates = named_bank(bank)
    if as_json:
        typer.echo("[" + ",\n".join(template.model_dump_json() for template in templates) + "]")
        return
    for template in templates:
        tags = f"  [{', '.join(template.tags)}]" if template.tags else ""
        typer.echo(f"{template.id:<36}v{template.version}  {template.status:<12}{template.answer_type}{tags}")
    typer.echo(_templates(len(templates)))


def check(
    bank: Annotated[str, typer.Option(help="base, extended, all, or a folder of templates.")] = "base",
    stays: Annotated[int, typer.Option(min=1, help="Synthetic stays on which each is tried.")] = 4000,
    release: Annotated[
        Path | None, typer.Option(help="A release instead: whether each file is as it was published.")
    ] = None,
) -> int:
    """Load a bank, work its examples and try every template on synthetic records; exit 1 on a fault.

    Example: clinicnum templates check --bank extended
    """
    from clinicnum.records.loaded import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.supply import Supply
    from clinicnum.templates.banks import named_bank
    from clinicnum.templates.example import check_example
    from scripts.banks import check_release

    if release is not None:
        return check_release(release)
    templates = named_bank(bank)
    records = synthetic(seed=0, stays=stays).records
    # What is rare in one stay may be found among all of a patient's.
    pools = [Supply.of(contexts(records, "stay")), Supply.of(contexts(records, "subject"))]
    faulty = set()
    for template in templates:
        wrong = check_example(template)
        if wrong is not None:
            faulty.add(template.id)
            typer.echo(f"{template.id}: its example {wrong}")
        tried = [_barren(template, pool) for pool in pools]
        if all(reasons is not None for reasons in tried):
            faulty.add(template.id)
            typer.echo(
                f"{template.id}: no question on {stays} synthetic stays that is valid and discriminates "
                f"({tried[0]}); ask of what is more common, or raise --stays"
            )
    typer.echo(f"{_templates(len(templates))}, {len(templates) - len(faulty)} sound")
    return 1 if faulty else 0


def _barren(template: Template, pool: Supply) -> str | None:
    """None if the template gives a question there, else what its candidates were rejected for."""
    from clinicnum.generate import generate
    from clinicnum.types import REPRESENTATIONS

    benchmark = generate(
        contexts=pool,
        templates=[template.model_copy(update={"status": "unreviewed"})],
        representations=REPRESENTATIONS[:1],
        quotas={template.operation: 1},
        seed=0,
    )
    if next(benchmark.lines, None) is not None:
        return None
    return ", ".join(f"{rule} {n}" for rule, n in sorted(benchmark.counts.rejected.items())) or "not asked"


def _templates(count: int) -> str:
    return f"{count} template{'' if count == 1 else 's'}"
