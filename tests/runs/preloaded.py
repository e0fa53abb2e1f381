"""Imported once for the commands of these tests: the local model's client, reports and the packaged bank."""

import matplotlib.pyplot  # noqa: F401

import clinicnum.annotations.bundle
import clinicnum.annotations.exports.report_files
import clinicnum.annotations.report.build
import clinicnum.db.work.studies.load_whole_study
import clinicnum.release
import clinicnum.scripts.commands.common.open_database
import clinicnum.scripts.commands.inference.execute
import clinicnum.scripts.commands.inference.plan_local_run  # noqa: F401
from clinicnum.inference.local import (  # noqa: F401
    continuous_batching,
    detokenize,
    engine_check,
    loading,
    plain_generate,
)
from clinicnum.scripts.cli import build_app
from clinicnum.templates.packaged_banks import named_bank

named_bank("all")  # its proof takes a second
build_app()  # imports the module of every command
