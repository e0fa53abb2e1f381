"""The data dictionary: what each column of an export means, for people and for programs.

For programs it is a Data Package: `datapackage.json` names the files, and a Table Schema the columns of each
(specs.frictionlessdata.io).
"""

import json
from collections.abc import Sequence

from clinicnum.annotations.report.export_table import Field, FieldKind, RowTable
from clinicnum.credentialed_data import mark

_TYPES: dict[FieldKind, str] = {
    "text": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "time": "datetime",
}
_READ_AS: dict[FieldKind, dict[str, object]] = {
    "boolean": {"trueValues": ["True"], "falseValues": ["False"]},
    "time": {"format": "%Y-%m-%dT%H:%M:%S.%fZ"},
}


def dictionary_markdown(tables: Sequence[RowTable]) -> str:
    """Every table and column as Markdown."""
    parts = [
        "# Data dictionary\n",
        "A blank cell is missing. In CSV and XLSX an apostrophe stands before text that a spreadsheet would "
        "run as a formula; JSONL and Parquet hold the text as it is.\n",
    ]
    for table in tables:
        parts.append(f"## {table.name}\n\nOne row: {table.unit}. {len(table.rows)} rows.\n")
        lines = (f"| `{one.name}` | {one.kind} | {_escaped(one.description)} |" for one in table.fields)
        parts.append("\n".join(("| column | kind | meaning |", "|---|---|---|", *lines)) + "\n")
    return "\n".join(parts)


def data_package(
    tables: Sequence[RowTable], *, name: str, annotator_kind: str, said: str | None = None
) -> str:
    """`datapackage.json` for the CSV files of these tables; `said` is the notice on credentialed data, if
    any.
    """
    package = {
        "profile": "tabular-data-package",
        "title": f"Rows of the clinicnum study {name}",
        "annotator_kind": annotator_kind,
        **mark(said),
        "resources": [_resource(table) for table in tables],
    }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _resource(table: RowTable) -> dict[str, object]:
    return {
        "profile": "tabular-data-resource",
        "name": table.name,
        "path": f"{table.name}.csv",
        "description": f"One row: {table.unit}.",
        "encoding": "utf-8",
        "schema": {"fields": [_column(one) for one in table.fields], "missingValues": [""]},
    }


def _column(field: Field) -> dict[str, object]:
    column = {"name": field.name, "type": _TYPES[field.kind], "description": field.description}
    return column | _READ_AS.get(field.kind, {})


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
