"""Imported once by the process that forks commands for tests: what `clinicnum serve` imports, as it does."""

import clinicnum.scripts.cli

clinicnum.scripts.cli.quieten_libraries()

import clinicnum.scripts.commands.common.web_app  # noqa: E402
