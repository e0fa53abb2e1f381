"""Check a judgement against its item: codes of the taxonomy, spans of the text, cells of the table."""

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.errors import InputError


def check_judgement(judgement: Judgement, *, taxonomy: Taxonomy, text_length: int, records: int) -> None:
    """Raise InputError for a code outside the taxonomy, a span outside the text or a cell outside the table.

    `text_length` is in characters, `records` the number of rows of the instance's table.
    """
    for label in judgement.labels:
        taxonomy.level1(label.code)
        _check_evidence(label, text_length, records)


def _check_evidence(label: Label, text_length: int, records: int) -> None:
    for start, end in label.spans:
        if not 0 <= start < end <= text_length:
            raise InputError(
                f"span {start} to {end} of {label.code} lies outside the text; "
                f"expected 0 <= start < end <= {text_length}"
            )
    for cell in label.cells:
        if cell.record >= records:
            raise InputError(
                f"cell {cell.vital} of record {cell.record} lies outside the table; "
                f"expected a record from 0 to {records - 1}"
            )
