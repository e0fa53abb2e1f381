"""`clinicnum templates`: what the bank holds, and whether it is sound."""

from pathlib import Path
from typing import Annotated

import typer


def list_all(
    bank: Annotated[Path | None, typer.Option(help="Folder of templates instead of the base bank.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the templates as JSON.")] = False,
) -> None:
    """List the templates of a bank.

    Example: clinicnum templates list
    """
    from clinicnum.templates.bank import BASE_BANK, load_bank

    templates = load_bank(bank or BASE_BANK)
    if as_json:
        typer.echo("[" + ",\n".join(template.model_dump_json() for template in templates) + "]")
        return
    for template in templates:
        tags = f"  [{', '.join(template.tags)}]" if template.tags else ""
        typer.echo(f"{template.id:<36}v{template.version}  {template.status:<12}{template.answer_type}{tags}")
    typer.echo(f"{len(templates)} templates")


def check(
    bank: Annotated[Path | None, typer.Option(help="Folder of templates instead of the base bank.")] = None,
    stays: Annotated[int, typer.Option(min=1, help="Synthetic stays on which each is tried.")] = 300,
) -> int:
    """Load a bank and try every template on synthetic records; exit 1 if one gives no valid question.

    Example: clinicnum templates check --bank clinicnum/templates/bank
    """
    from clinicnum.generate import generate
    from clinicnum.records.loaded import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.templates.bank import BASE_BANK, load_bank
    from clinicnum.types import REPRESENTATIONS

    templates = load_bank(bank or BASE_BANK)
    pool = contexts(synthetic(seed=0, stays=stays).records, "stay")
    barren = []
    for template in templates:
        benchmark = generate(
            contexts=pool,
            templates=[template.model_copy(update={"status": "unreviewed"})],
            representations=REPRESENTATIONS[:1],
            quotas={template.operation: 5},
            seed=0,
        )
        if not list(benchmark.instances):
            barren.append(template.id)
            rules = ", ".join(f"{rule} {n}" for rule, n in sorted(benchmark.counts.rejected.items()))
            typer.echo(
                f"{template.id}: no valid question on {stays} synthetic stays ({rules or 'not asked'})"
            )
    typer.echo(f"{len(templates)} templates, {len(templates) - len(barren)} sound")
    return 1 if barren else 0
