"""A report as a folder of files: the same study and options give the same bytes."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from clinicnum.annotations.consensus import asked_protocol
from clinicnum.annotations.exports.annotation_tables import annotations_jsonl
from clinicnum.annotations.exports.data_files import csv_files, data_use_files, meta_files
from clinicnum.annotations.exports.report_files import report_files, report_workbook
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.chosen_sections import with_sections
from clinicnum.annotations.report.leaderboard import build_leaderboard
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.suppress_small_counts import suppressed
from clinicnum.annotations.worker_jobs import ReportArguments

WORKBOOK = "report.xlsx"


def with_consensus(tables: StudyTables, consensus: str | None) -> StudyTables:
    """The tables with the named consensus protocol, or with None the default one.

    Raises InputError for an unknown name.
    """
    return tables.model_copy(update={"consensus": asked_protocol(consensus)})


def reports_folder(
    studies: Sequence[StudyTables], asked: ReportArguments, *, generated_by: str
) -> tuple[Report, dict[str, bytes]]:
    """The report of one or several studies, and its files by path.

    For several, models are compared over all of them, and each study's own report is in a subfolder. Raises
    InputError for options that do not exist.
    """
    if len(studies) == 1:
        return report_folder(studies[0], asked, generated_by=generated_by)
    chosen = [with_consensus(one, asked.consensus) for one in studies]
    overall = _suppressed(build_leaderboard(chosen, generated_by=generated_by), asked)
    files = _forms(overall)
    for folder, tables in zip(folder_names([one.study_name for one in studies]), studies, strict=True):
        _, own = report_folder(tables, asked, generated_by=generated_by)
        files |= {f"{folder}/{name}": content for name, content in own.items()}
    return overall, files


def report_folder(
    tables: StudyTables, asked: ReportArguments, *, generated_by: str
) -> tuple[Report, dict[str, bytes]]:
    """A study's report, and its files by name: all forms, and the rows behind the figures.

    Rows are left out where small counts are suppressed, since they would reveal them. Raises InputError for
    options that do not exist.
    """
    built = build_report(with_consensus(tables, asked.consensus), generated_by=generated_by)
    report = _suppressed(with_sections(built, asked.sections), asked)
    rows = _rows(tables) if asked.suppress_below is None else data_use_files(tables)
    return report, _forms(report) | {name: text.encode() for name, text in rows.items()}


def _suppressed(report: Report, asked: ReportArguments) -> Report:
    return report if asked.suppress_below is None else suppressed(report, asked.suppress_below)


def _forms(report: Report) -> dict[str, bytes]:
    files = report_files(report).items()
    made = {name: one if isinstance(one, bytes) else one.encode() for name, one in files}
    return made | {WORKBOOK: report_workbook(report)}


def _rows(tables: StudyTables) -> dict[str, str]:
    labels = {"annotations.jsonl": annotations_jsonl(tables.annotations)}
    return csv_files(tables) | labels | meta_files(tables, *labels)


def folder_names(studies: Sequence[str]) -> tuple[str, ...]:
    """Folder names for the studies of a joint report: numbered, as names may differ in signs only."""
    return tuple(
        f"{number}-{re.sub('[^A-Za-z0-9_-]+', '-', name).strip('-')[:60]}".rstrip("-")
        for number, name in enumerate(studies, 1)
    )


def folder_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 over the files' names and hashes: of what `sha256sum` prints for them, sorted by name."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


ARCHIVES: dict[str, tuple[str, ...]] = {
    "tables.zip": (".csv", ".jsonl", "datapackage.json", "data_dictionary.md"),
    "latex.zip": (".tex",),
    "figures.zip": (".svg", ".pdf"),
    "everything.zip": ("",),
}
"""Name of a downloadable archive -> suffixes of the files in it."""


def archive_members(name: str, files: Iterable[str]) -> tuple[str, ...]:
    """Sorted names of the files in the archive `name`; none if it is not in ARCHIVES."""
    return tuple(sorted(file for file in files if file.endswith(ARCHIVES.get(name, ()))))
