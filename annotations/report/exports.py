"""The study's rows as files: annotations and scores, every row saying who annotated.

Text that a spreadsheet would take for a formula is neutralised: what begins with `= + - @`, a tab or a
carriage return gets a leading apostrophe. Text that is a plain number, such as a gold of `-12.5`, stays one,
and cells that hold numbers rather than text are never touched.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from annotations.report.tables import StudyTables
from annotations.report.view import StudyView
from annotations.types import Annotation
from clinicnum.types import Instance, Score

CsvCell = str | int | float | bool | None
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

ANNOTATION_COLUMNS = (
    "annotation_id",
    "study_id",
    "generation_id",
    "annotator_id",
    "annotator_kind",
    "round",
    "revision",
    "item_judgement",
    "proposed_gold",
    "response_judgement",
    "primary",
    "labels",
    "severity",
    "confidence",
    "rationale",
    "suggestion_shown",
    "active_ms",
    "taxonomy_version",
    "guideline_version",
    "created_at",
)
SCORE_COLUMNS = (
    "run_id",
    "generation_id",
    "instance_id",
    "group_id",
    "subject_id",
    "template_id",
    "operation",
    "representation",
    "variant",
    "flags",
    "gold",
    "parsed",
    "form",
    "status",
    "strict",
    "lenient",
    "reason",
    "stratum",
    "inclusion_probability",
    "annotator_kind",
)


def neutralised(cell: CsvCell) -> CsvCell:
    """The cell, with an apostrophe before text that a spreadsheet would run as a formula."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA_STARTS) or _PLAIN_NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> str:
    """CSV with a header, `\\n` line ends, full precision, blank for None, formulas neutralised."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([neutralised(column) for column in columns])
    writer.writerows([neutralised(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def annotations_jsonl(annotations: Iterable[Annotation]) -> str:
    """All revisions as JSONL, the contract of an annotation, evidence included."""
    return "".join(one.model_dump_json() + "\n" for one in annotations)


def annotations_csv(annotations: Iterable[Annotation]) -> str:
    """All revisions, one a row; labels joined by `|`, `none` if there are none. Evidence is in the JSONL."""
    return csv_text(ANNOTATION_COLUMNS, (_annotation_row(one) for one in annotations))


def _annotation_row(one: Annotation) -> tuple[CsvCell, ...]:
    flat = one.model_dump(mode="json")
    codes = "|".join(label.code for label in one.labels) or "none"
    primary = next((label.code for label in one.labels if label.primary), "none")
    flat |= {"labels": codes, "primary": primary}
    return tuple(flat[column] for column in ANNOTATION_COLUMNS)


def scores_csv(tables: StudyTables) -> str:
    """Every generation of the study's runs with its score, from which the report's accuracy can be counted.

    `stratum` and `inclusion_probability` are blank for generations that were not drawn for annotation.
    """
    view = StudyView(tables)
    drawn = {one.generation_id: one for one in tables.inclusions}
    kind = view.annotator_kind

    def rows() -> Iterable[tuple[CsvCell, ...]]:
        for generation in tables.generations:
            key = generation.generation_id
            inclusion = drawn.get(key)
            draw = (inclusion.stratum, inclusion.probability) if inclusion else (None, None)
            yield (
                generation.run_id,
                *_score_row(key, view.instance(key), view.score(key)),
                *draw,
                kind,
            )

    return csv_text(SCORE_COLUMNS, rows())


def _score_row(generation_id: str, instance: Instance, score: Score) -> tuple[CsvCell, ...]:
    return (
        generation_id,
        instance.instance_id,
        instance.group_id,
        instance.subject_id,
        instance.template_id,
        instance.operation,
        instance.representation,
        instance.variant,
        "|".join(instance.flags),
        instance.answer,
        score.parsed,
        score.form,
        score.status,
        score.strict,
        score.lenient,
        score.reason,
    )
