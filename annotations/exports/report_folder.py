"""A report as a folder of files: the same study and options give the same bytes."""

import re
from collections.abc import Sequence

from clinicnum.annotations.consensus import asked_protocol
from clinicnum.annotations.exports.annotation_tables import annotations_jsonl
from clinicnum.annotations.exports.data_files import csv_files, data_use_files, meta_files
from clinicnum.annotations.exports.report_files import report_files, report_workbook
from clinicnum.annotations.jobs import ReportArguments
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.chosen_sections import with_sections
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.suppression import suppressed

WORKBOOK = "report.xlsx"


def with_consensus(tables: StudyTables, consensus: str | None) -> StudyTables:
    """The tables with the named consensus protocol, or with None the default one.

    Raises InputError for an unknown name.
    """
    return tables.model_copy(update={"consensus": asked_protocol(consensus)})


def chosen_report(tables: StudyTables, asked: ReportArguments, *, generated_by: str) -> Report:
    """The report of a study with what was asked for: consensus, sections, and no small counts."""
    built = build_report(with_consensus(tables, asked.consensus), generated_by=generated_by)
    kept = with_sections(built, asked.sections)
    return kept if asked.suppress_below is None else suppressed(kept, asked.suppress_below)


def report_folder(
    tables: StudyTables, asked: ReportArguments, *, generated_by: str
) -> tuple[Report, dict[str, bytes]]:
    """A study's report, and its files by name: all forms, and the rows behind the figures.

    Rows are left out where small counts are suppressed, since they would reveal them. Raises InputError for
    options that do not exist.
    """
    report = chosen_report(tables, asked, generated_by=generated_by)
    rows = _rows(tables) if asked.suppress_below is None else data_use_files(tables)
    texts = {name: text.encode() for name, text in {**report_files(report), **rows}.items()}
    return report, texts | {WORKBOOK: report_workbook(report)}


def _rows(tables: StudyTables) -> dict[str, str]:
    labels = {"annotations.jsonl": annotations_jsonl(tables.annotations)}
    return csv_files(tables) | labels | meta_files(tables, *labels)


def folder_names(studies: Sequence[str]) -> tuple[str, ...]:
    """A folder for each study of a report of several: numbered, since names may differ in signs alone."""
    return tuple(
        f"{number}-{re.sub('[^A-Za-z0-9_-]+', '-', name).strip('-')[:60]}".rstrip("-")
        for number, name in enumerate(studies, 1)
    )
