"""A table as Parquet: texts unchanged, typed columns, column descriptions in the schema."""

import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import Field, RowTable

if TYPE_CHECKING:
    import pyarrow as pa

_STAMP = "%Y-%m-%dT%H:%M:%S.%fZ"


def parquet_bytes(table: RowTable) -> bytes:
    """The table as one Parquet file; the metadata of each field holds the column's description."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.fields)
    arrays = [
        pa.array([_value(cell, field) for cell in column], type=_type(field))
        for column, field in zip(columns, table.fields, strict=True)
    ]
    schema = pa.schema(
        [pa.field(one.name, _type(one), metadata={"description": one.description}) for one in table.fields],
        metadata={"unit": table.unit},
    )
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), sink, compression="zstd")
    return sink.getvalue()


def _type(field: Field) -> "pa.DataType":
    import pyarrow as pa

    return {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "time": pa.timestamp("us", tz="UTC"),
    }[field.kind]


def _value(cell: CsvCell, field: Field) -> CsvCell | datetime:
    if field.kind == "time" and isinstance(cell, str):
        return datetime.strptime(cell, _STAMP).replace(tzinfo=UTC)
    return cell
