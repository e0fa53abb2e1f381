"""The rows of a study as CSV and JSONL text, under the names they had before there were other forms."""

from collections.abc import Iterable

from annotations.exports.answered import scores_table
from annotations.exports.csv_text import CsvCell, csv_text, neutralised
from annotations.exports.labelled import annotations_jsonl, annotations_table
from annotations.report.tables import StudyTables
from annotations.types import Annotation

__all__ = ["CsvCell", "annotations_csv", "annotations_jsonl", "csv_text", "neutralised", "scores_csv"]


def annotations_csv(annotations: Iterable[Annotation]) -> str:
    """All revisions, one a row; labels joined by `|`, `none` if there are none."""
    return annotations_table(annotations).csv()


def scores_csv(tables: StudyTables) -> str:
    """Every generation of the study's runs with its score."""
    return scores_table(tables).csv()
