"""`clinicnum templates`: list a bank, check it, compare it with another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def list_all(
    bank: Annotated[str, typer.Option(help="base, extended, all, or a folder of templates.")] = "base",
    as_json: Annotated[bool, typer.Option("--json", help="Print the templates as JSON.")] = False,
) -> None:
    """List the templates of a bank.

    Example: clinicnum templates list
    """
    from clinicnum.templates.packaged_banks import named_bank

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
    sample: Annotated[int, typer.Option(min=1, help="Questions that each is tried on.")] = 200,
    stays: Annotated[
        int, typer.Option(min=1, max=8000, help="Synthetic stays that are looked at, at most.")
    ] = 8000,
    release: Annotated[
        Path | None,
        typer.Option(help="Check instead whether each file of this release is as it was published."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> int:
    """Read every template of a bank, compute its example and try it on synthetic patients; exit code 1 on a
    fault.

    Each fault is one line: file, line, template, key, what is wrong, what to do. A wording that is not proven
    to ask what the rule computes is reported as well, but is no fault.

    Example: clinicnum templates check --bank extended
    """
    from rich.console import Console
    from rich.progress import track

    from clinicnum.authoring.template_bank_check import check_entries
    from clinicnum.scripts.commands.common.check_release import check_release
    from clinicnum.templates.bank import read_bank
    from clinicnum.templates.packaged_banks import bank_folders

    if release is not None:
        return check_release(release, as_json=as_json)
    entries = [entry for folder in bank_folders(bank) for entry in read_bank(folder)]
    checking = check_entries(entries, sample=sample, stays=stays)
    console = Console(stderr=True)
    told = track(checking, "templates", total=len(entries), console=console, transient=True)
    checked = list(told)
    sound = sum(not template.faults for template in checked)
    unproven = sum(bool(template.notes) for template in checked)
    if as_json:
        found = {
            "templates": len(checked),
            "sound": sound,
            "unproven": unproven,
            "found": [t.as_json() for t in checked],
        }
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        for fault in (fault for template in checked for fault in template.faults):
            typer.echo(fault.text())
        for note in (note for template in checked for note in template.notes):
            typer.echo(note.text())
        if unproven:
            typer.echo(
                f"{_templates(unproven)} with a wording that is not proven to ask what its rule computes"
            )
        typer.echo(f"{_templates(len(checked))}, {sound} sound")
    return 0 if sound == len(checked) else 1


def diff(
    old: Annotated[str, typer.Argument(help="base, extended, all, or a folder of templates.")],
    new: Annotated[str, typer.Argument(help="The same, as it is now.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the differences as JSON.")] = False,
) -> None:
    """Describe the differences between two banks, and the golds that change on the same sample patients.

    Example: clinicnum templates diff base my-bank
    """
    from clinicnum.authoring.template_diff import bank_difference
    from clinicnum.templates.packaged_banks import named_bank

    found = bank_difference(named_bank(old), named_bank(new))
    if as_json:
        typer.echo(found.model_dump_json(indent=1))
        return
    for line in found.lines():
        typer.echo(line)


def _templates(count: int) -> str:
    return f"{count} template{'' if count == 1 else 's'}"
