"""The report of a study in a notebook, recomputed from its bundle, without a database."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from clinicnum import __version__
from clinicnum.annotations.bundle.archive import unpack
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import Verification, verify_bundle
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.report_content import Report, Table

GENERATED_BY = f"clinicnum {__version__}"


@dataclass(frozen=True)
class StudyReport:
    """The tables of a study's report."""

    report: Report
    """The whole report: sections with titles, tables, notes and worked examples."""
    tables: dict[str, pd.DataFrame]
    """Tables by the name of their CSV file; an interval has the columns `KEY_low` and `KEY_high`."""


def report(bundle: str | Path) -> StudyReport:
    """The report of a study, computed anew from the raw rows of its bundle (`clinicnum export --bundle F`).

    Raises InputError if the file is not a bundle.

    Example:
        >>> import clinicnum
        >>> report = clinicnum.report(bundle)  # the path of a bundle
        >>> list(report.tables["accuracy"].columns[:3])
        ['model', 'operation', 'representation']
    """
    made = build_report(read_raw(unpack(Path(bundle)).files).tables, generated_by=GENERATED_BY)
    tables = {table.id: _frame(table) for section in made.sections for table in section.tables}
    return StudyReport(made, tables)


def verify(bundle: str | Path) -> Verification:
    """Check a bundle: every hash, every figure of its report from the raw rows, every file made from them.

    `whole` says whether everything is as it should be, `faults` lists what is not. Raises InputError if the
    file is not a bundle.

    Example:
        >>> import clinicnum
        >>> clinicnum.verify(bundle).whole  # the path of a bundle
        True
    """
    return verify_bundle(unpack(Path(bundle)), generated_by=GENERATED_BY)


def _frame(table: Table) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {}
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        if column.kind.endswith("interval"):
            ends = [cell if isinstance(cell, tuple) else (None, None) for cell in cells]
            columns[f"{column.key}_low"] = [low for low, _ in ends]
            columns[f"{column.key}_high"] = [high for _, high in ends]
        else:
            columns[column.key] = cells
    return pd.DataFrame(columns)
