"""The option `--json`, which many commands share."""

from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print only JSON.")]
