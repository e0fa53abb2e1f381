"""`clinicnum templates`: what the bank holds, and whether it is sound."""

from typing import Annotated

import typer


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
    stays: Annotated[int, typer.Option(min=1, help="Synthetic stays on which each is tried.")] = 1500,
) -> int:
    """Load a bank, work its examples and try every template on synthetic records; exit 1 on a fault.

    Example: clinicnum templates check --bank extended
    """
    from clinicnum.generate import generate
    from clinicnum.records.loaded import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.templates.banks import named_bank
    from clinicnum.templates.example import check_example
    from clinicnum.types import REPRESENTATIONS

    templates = named_bank(bank)
    pool = contexts(synthetic(seed=0, stays=stays).records, "stay")
    faulty = set()
    for template in templates:
        wrong = check_example(template)
        if wrong is not None:
            faulty.add(template.id)
            typer.echo(f"{template.id}: its example {wrong}")
        benchmark = generate(
            contexts=pool,
            templates=[template.model_copy(update={"status": "unreviewed"})],
            representations=REPRESENTATIONS[:1],
            quotas={template.operation: 5},
            seed=0,
        )
        if not list(benchmark.instances):
            faulty.add(template.id)
            rules = ", ".join(f"{rule} {n}" for rule, n in sorted(benchmark.counts.rejected.items()))
            typer.echo(
                f"{template.id}: no valid question on {stays} synthetic stays ({rules or 'not asked'})"
            )
    typer.echo(f"{_templates(len(templates))}, {len(templates) - len(faulty)} sound")
    return 1 if faulty else 0


def _templates(count: int) -> str:
    return f"{count} template{'' if count == 1 else 's'}"
