"""The rows of a study as files: which tables there are, in which forms."""

from annotations.exports.answered import scores_table
from annotations.exports.decided import adjudications_table, invalidations_table
from annotations.exports.dictionary import data_package, dictionary_markdown
from annotations.exports.labelled import annotations_table, labels_table
from annotations.exports.parquet import parquet_bytes
from annotations.exports.table import RowTable
from annotations.exports.xlsx import Sheet, workbook_bytes
from annotations.report.tables import StudyTables
from annotations.report.view import annotator_kind

DICTIONARY = "data_dictionary.md"


def study_tables(tables: StudyTables) -> tuple[RowTable, ...]:
    """Annotations, their codes, scores, decisions: no text of a record, a question or a model is in them."""
    return (
        annotations_table(tables.annotations),
        labels_table(tables.annotations),
        scores_table(tables),
        adjudications_table(tables.adjudications),
        invalidations_table(tables.invalidations),
    )


def csv_files(tables: StudyTables) -> dict[str, str]:
    """The tables as CSV, with the data dictionary for people and for programs."""
    rows = study_tables(tables)
    kind = annotator_kind(tables.annotations)
    return {
        **{f"{table.name}.csv": table.csv() for table in rows},
        DICTIONARY: dictionary_markdown(rows),
        "datapackage.json": data_package(rows, name=tables.study_name, annotator_kind=kind),
    }


def parquet_files(tables: StudyTables) -> dict[str, bytes]:
    """The tables as Parquet; each file carries its part of the data dictionary."""
    return {f"{table.name}.parquet": parquet_bytes(table) for table in study_tables(tables)}


def rows_workbook(tables: StudyTables) -> bytes:
    """The tables as one XLSX, the data dictionary its first sheet."""
    rows = study_tables(tables)
    meanings = Sheet(
        title="data dictionary",
        heads=("table", "column", "kind", "meaning"),
        rows=[(table.name, one.name, one.kind, one.description) for table in rows for one in table.fields],
        widths=(16, 24, 12, 90),
    )
    sheets = (Sheet(table.name, tuple(one.name for one in table.fields), table.rows) for table in rows)
    return workbook_bytes([meanings, *sheets])
