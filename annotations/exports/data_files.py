"""The data of a study as files: all its tables in all formats."""

import json
from collections.abc import Callable, Mapping

from clinicnum.annotations.exports.analysis_table import analysis_table
from clinicnum.annotations.exports.annotation_tables import annotations_jsonl, annotations_table, labels_table
from clinicnum.annotations.exports.claims_table import claims_table
from clinicnum.annotations.exports.consensus_table import consensus_table
from clinicnum.annotations.exports.criteria_table import criteria_table
from clinicnum.annotations.exports.data_dictionary import data_package, dictionary_markdown
from clinicnum.annotations.exports.decision_tables import (
    adjudications_table,
    decisions_jsonl,
    invalidations_table,
    rulings_table,
)
from clinicnum.annotations.exports.pairwise_comparisons_table import comparisons_table
from clinicnum.annotations.exports.parquet import parquet_bytes
from clinicnum.annotations.exports.ratings_table import ratings_table
from clinicnum.annotations.exports.score_and_generation_tables import scores_table
from clinicnum.annotations.exports.xlsx import Sheet, workbook_bytes
from clinicnum.annotations.report.export_table import RowTable
from clinicnum.annotations.report.study_tables import StudyTables, annotator_kind
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.credentialed_data import README, mark, readme

DICTIONARY = "data_dictionary.md"
_OTHER_KINDS: Mapping[StudyKind, Callable[[StudyView], RowTable]] = {
    "pairwise": comparisons_table,
    "ratings": ratings_table,
    "claims": claims_table,
}
"""Kind of a study that does not judge failures -> its table."""


def study_tables(tables: StudyTables) -> tuple[RowTable, ...]:
    """For a study of failures: annotations, their codes, scores, decisions, invalidated instances, consensus
    and one joined table for analysis, with rulings and ticks of criteria if any; for another kind, the table
    of its kind, the scores, and decisions if its adjudicators make any.

    They hold no text of a record or model, and no question on credentialed records.
    """
    view = StudyView(tables)
    if tables.kind in _OTHER_KINDS:
        decisions = (adjudications_table(tables.adjudications, disputes=True),) * _settles(tables)
        made = (_OTHER_KINDS[tables.kind](view), scores_table(tables), *decisions)
        return tuple(table.marked(view.data_use) for table in made)
    found = (
        annotations_table(tables.annotations, tables.fields),
        labels_table(tables.annotations),
        scores_table(tables),
        adjudications_table(tables.adjudications, tables.fields, disputes=_settles(tables)),
        invalidations_table(tables.invalidations),
        *((rulings_table(tables.rulings),) if tables.rulings else ()),
        *((criteria_table(view),) if tables.criteria else ()),
        consensus_table(view),
        analysis_table(view),
    )
    return tuple(table.marked(view.data_use) for table in found)


def _settles(tables: StudyTables) -> bool:
    """Whether adjudicators settle other disputes than those about labels, such as differing ratings."""
    return tables.design is not None and tables.design.adjudicated


def csv_files(tables: StudyTables) -> dict[str, str]:
    """The tables as CSV, with the data dictionary as Markdown and as a Data Package."""
    rows = study_tables(tables)
    kind, said = annotator_kind(tables.annotations), StudyView(tables).data_use
    return {
        **data_use_files(tables),
        **{f"{table.name}.csv": table.csv() for table in rows},
        DICTIONARY: dictionary_markdown(rows),
        "datapackage.json": data_package(rows, name=tables.study_name, annotator_kind=kind, said=said),
    }


def jsonl_files(tables: StudyTables) -> dict[str, str]:
    """The rows of a study as JSONL, by file name: annotations with all evidence, decisions, and the table for
    analysis.

    In a study that does not judge failures, the table of its kind takes the place of that for analysis. With
    credentialed data, a `.meta.json` of each file and a README say so.
    """
    view = StudyView(tables)
    if tables.kind in _OTHER_KINDS:
        made = _OTHER_KINDS[tables.kind](view)
        files = {
            "annotations.jsonl": annotations_jsonl(tables.annotations),
            f"{made.name}.jsonl": made.marked(view.data_use).jsonl(),
            **({"adjudications.jsonl": decisions_jsonl(tables.adjudications)} if _settles(tables) else {}),
        }
        return files | meta_files(tables, *files) | data_use_files(tables)
    files = {
        "annotations.jsonl": annotations_jsonl(tables.annotations),
        "adjudications.jsonl": decisions_jsonl(tables.adjudications),
        "invalidations.jsonl": decisions_jsonl(tables.invalidations),
        **({"rulings.jsonl": decisions_jsonl(tables.rulings)} if tables.rulings else {}),
        "analysis.jsonl": analysis_table(view).marked(view.data_use).jsonl(),
    }
    return files | meta_files(tables, *files) | data_use_files(tables)


def data_use_files(tables: StudyTables) -> dict[str, str]:
    """The notice that accompanies credentialed data in every format; no file for open data."""
    said = StudyView(tables).data_use
    return {} if said is None else {README: readme(said)}


def meta_files(tables: StudyTables, *names: str) -> dict[str, str]:
    """The `.meta.json` files that mark JSONL as credentialed, since its lines cannot; none for open data."""
    said = StudyView(tables).data_use
    marked = json.dumps(mark(said), indent=2, ensure_ascii=False) + "\n"
    return {} if said is None else {f"{name}.meta.json": marked for name in names}


def parquet_files(tables: StudyTables) -> dict[str, bytes]:
    """The tables as Parquet; each file holds the descriptions of its columns."""
    made = {f"{table.name}.parquet": parquet_bytes(table) for table in study_tables(tables)}
    return made | {name: text.encode() for name, text in data_use_files(tables).items()}


def rows_workbook(tables: StudyTables) -> bytes:
    """The tables as one XLSX file; the first sheet is the data dictionary.

    Raises InputError for a table that is too long for a sheet, MissingExtra without xlsxwriter.
    """
    rows = study_tables(tables)
    meanings = Sheet(
        title="data dictionary",
        heads=("table", "column", "kind", "meaning"),
        rows=[(table.name, one.name, one.kind, one.description) for table in rows for one in table.fields],
        widths=(16, 24, 12, 90),
    )
    sheets = (Sheet(table.name, tuple(one.name for one in table.fields), table.rows) for table in rows)
    said = StudyView(tables).data_use
    first = [] if said is None else [Sheet("data use", ("Data use",), [(said,)], widths=(160,))]
    return workbook_bytes([*first, meanings, *sheets])
