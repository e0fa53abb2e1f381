"""Compute agreement coefficients with other packages, in the environment made by `scripts/dev/oracles`."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clinicnum.errors import InputError

ROOT = Path(__file__).parents[2]


def oracle_python() -> Path:
    """The Python interpreter of the environment. Raises InputError if it does not exist."""
    python = ROOT / os.environ.get("CLINICNUM_ORACLES", ".oracles") / "bin" / "python"
    if not python.is_file():
        raise InputError(f"{python}: no such interpreter; run scripts/dev/oracles, which makes it")
    return python


def run_reference_packages(tables: Sequence[dict[str, Any]], **options: Any) -> dict[str, Any]:
    """The packages' answers for `tables`; see `scripts/dev/agreement_by_other_packages.py` for their format
    and `options`.

    Raises InputError if the environment does not exist, and subprocess.CalledProcessError if a package fails.
    """
    done = subprocess.run(  # noqa: S603 - our own interpreter and module
        [oracle_python(), "-m", "clinicnum.scripts.dev.agreement_by_other_packages"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
        input=json.dumps({"tables": tables} | options),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
