"""Imported once by the process that forks commands for tests: what `clinicnum serve` imports and reads."""

import gc

gc.disable()  # what is imported stays

import clinicnum.scripts.cli  # noqa: E402

clinicnum.scripts.cli.quieten_libraries()

import clinicnum.scripts.commands.common.web_app  # noqa: E402
from clinicnum.templates.packaged_banks import named_bank  # noqa: E402

named_bank("all")  # a server proves it at its start
clinicnum.scripts.cli.build_app()  # imports the module of every command
gc.collect()
gc.freeze()  # what is here need not be looked through again by every process that is forked
gc.enable()
