"""The report of a study, and its paragraphs and tables by name."""

import re
from collections.abc import Iterator

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.report_content import Report, Table
from clinicnum.annotations.report.study_tables import StudyTables

FILE = re.compile(r"(\w+\.csv): ([^;]+)")
COLUMN = re.compile(r"^[a-z_]+$")


def scripted(tables: StudyTables) -> StudyTables:
    """The study as if scripts had judged it."""
    changed = tuple(one.model_copy(update={"annotator_kind": "simulated"}) for one in tables.annotations)
    return tables.model_copy(update={"annotations": changed})


_REPORTS: dict[str, Report] = {}


def report_of(tables: StudyTables) -> Report:
    """The report of a study; of studies that are the same to the last value, one is built."""
    key = tables.model_dump_json()
    if key not in _REPORTS:
        _REPORTS[key] = build_report(tables, generated_by="test")
    return _REPORTS[key]


def paragraphs(report: Report, section: str) -> str:
    """The text of a section."""
    return " ".join(next(one for one in report.sections if one.id == section).paragraphs)


def table_of(report: Report, name: str) -> Table:
    """A table by its id."""
    return next(one for section in report.sections for one in section.tables if one.id == name)


def named_columns(trace: str) -> Iterator[tuple[str, str]]:
    """File and column, of each that a footer names as a bare name."""
    for file, names in FILE.findall(trace):
        for name in names.split(", "):
            bare = name.split(" at ")[0].split(" is ")[0]
            if COLUMN.match(bare):
                yield file, bare
