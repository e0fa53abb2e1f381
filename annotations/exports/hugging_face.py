"""A study as the folder of a Hugging Face dataset: Parquet files and a card. Nothing is sent anywhere.

The Hub reads the head of the card: one configuration per table (huggingface.co/docs/hub, manual
configuration of datasets). No licence is named, since we cannot choose it.
"""

from typing import Any

import yaml

from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.exports.data_dictionary import dictionary_markdown
from clinicnum.annotations.exports.data_files import study_tables
from clinicnum.annotations.exports.parquet import parquet_bytes
from clinicnum.annotations.exports.score_and_generation_tables import generations_table, instances_table
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.export_table import RowTable
from clinicnum.annotations.report.question_summary import made_elsewhere, source_of
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def hugging_face_files(tables: StudyTables, *, generated_by: str) -> dict[str, bytes]:
    """The files of a study as a Hugging Face dataset: name in its folder -> content.

    They hold records and model texts: a dataset with credentialed data must not be uploaded. `generated_by`
    is named in the dataset's card.
    """
    said = StudyView(tables).data_use
    texts = (generations_table(tables).marked(said), instances_table(tables).marked(said))
    rows = (*study_tables(tables), *texts)
    return {
        "README.md": _card(tables, rows, generated_by).encode(),
        **{f"data/{table.name}.parquet": parquet_bytes(table) for table in rows},
    }


def _card(tables: StudyTables, rows: tuple[RowTable, ...], generated_by: str) -> str:
    report = build_report(tables, generated_by=generated_by)
    telling = "methods" if KINDS[tables.kind].judges_failures else tables.kind
    methods = [
        escaped(text) for section in report.sections if section.id == telling for text in section.paragraphs
    ]
    head = yaml.safe_dump(_head(tables, rows), sort_keys=False, allow_unicode=True)
    warnings = "".join(f"> **{escaped(warning)}**\n\n" for warning in report.warnings)
    loading = "\n".join(
        f'load_dataset("path/to/this/folder", "{table.name}", split="train")' for table in rows
    )
    return (
        f"---\n{head}---\n\n# {escaped(report.title)}\n\n{warnings}"
        f"What language models answered to {_questions(tables)}, how each answer was scored, and what "
        f"annotators said of those that were drawn. Made by {generated_by}.\n\n"
        "Annotators are pseudonyms of this study; labels are opinions and not gold, and every revision is "
        "kept. Generations of the annotated sample were drawn by strata with the stored inclusion "
        "probability: weight by its inverse. Items of one `subject_id` are not independent.\n\n"
        f"## Methods\n\n{' '.join(methods)}\n\n"
        f"## Loading\n\n```python\nfrom datasets import load_dataset\n\n{loading}\n```\n\n"
        f"{dictionary_markdown(rows).replace('# Data dictionary', '## Data dictionary', 1)}"
    )


def _questions(tables: StudyTables) -> str:
    return source_of(tables.benchmark) if made_elsewhere(tables.instances) else "questions over vital signs"


def _head(tables: StudyTables, rows: tuple[RowTable, ...]) -> dict[str, Any]:
    largest = max(len(table.rows) for table in rows)
    size = next((name for most, name in _SIZES if largest < most), "n>1M")
    return {
        "pretty_name": f"clinicnum study {tables.study_name}",
        "language": ["en"],
        "size_categories": [size],
        "tags": ["clinical", "numeracy", "error-analysis"],
        "configs": [
            {
                "config_name": table.name,
                "data_files": [{"split": "train", "path": f"data/{table.name}.parquet"}],
            }
            for table in rows
        ],
    }
