"""`clinicnum engines`: which engines `clinicnum run --engine` finds here, and how to install the others."""

import typer


def engines() -> None:
    """List the engines that `clinicnum run --engine` can start, with version and place, or how to get them.

    Example: clinicnum engines
    """
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.inference.engines.arguments import ENGINES
    from clinicnum.scripts.commands.inference.engines.find_engine import find_engine, install_command

    for engine in ENGINES.values():
        try:
            found = find_engine(engine)
        except InputError:
            typer.echo(f"{engine.name}: not installed; install it with `{install_command(engine)}`")
        else:
            typer.echo(f"{engine.name} {found.version}: {found.program}")
