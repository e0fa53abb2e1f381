"""Check a judgement against its item and its study: completeness, codes, spans, cells, fields."""

from collections.abc import Iterable, Sequence

from clinicnum.annotations.custom_field_answers import check_answers, missing_answer
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable


def check_locked(judgement: Judgement, fields: Sequence[CustomField]) -> None:
    """Raise InputError for answers given too early, before the reference is shown, and for missing ones that
    must precede it; `fields` are the study's custom fields. Labels and severity may wait.
    """
    early = judgement.asked_too_early()
    if early is not None:
        raise InputError(
            "“{early}” was judged before the gold answer was shown; lock the judgement of the response "
            "first, then judge the rest.",
            early=early,
        )
    check_answers(judgement, fields, early=True)
    _refuse(missing_answer(judgement, fields, early=True))


def check_whole(judgement: Judgement, fields: Sequence[CustomField], *, texts: bool = True) -> None:
    """Raise InputError unless the judgement is complete and the custom `fields` are answered.

    Without `texts`, free-text fields may be empty.
    """
    _refuse(judgement.missing())
    check_answers(judgement, fields)
    _refuse(missing_answer(judgement, fields, texts=texts))


def _refuse(lacks: str | None) -> None:
    if lacks is not None:
        raise InputError(lacks)


def check_judgement(
    judgement: Judgement, *, taxonomy: Taxonomy, text_length: int, context_length: int, records: int
) -> None:
    """Raise InputError for a code outside the taxonomy, a span outside its text or a cell outside the table.

    Lengths of the model's text and of the context are in characters, `records` the number of rows of the
    instance's table.
    """
    for label in judgement.labels:
        taxonomy.level1(label.code)
        _check_spans(label.spans, Translatable("{code} lies outside the text", code=label.code), text_length)
        _check_spans(
            label.context_spans,
            Translatable("{code} lies outside the context", code=label.code),
            context_length,
        )
        _check_cells(label, records)


def _check_spans(spans: Iterable[tuple[int, int]], fault: str, length: int) -> None:
    for start, end in spans:
        if not 0 <= start < end <= length:
            raise InputError(
                "span {start} to {end} of {fault}; expected 0 <= start < end <= {length}",
                start=start,
                end=end,
                fault=fault,
                length=length,
            )


def _check_cells(label: Label, records: int) -> None:
    for cell in label.cells:
        if cell.record >= records:
            raise InputError(
                "cell {vital} of record {record} lies outside the table; expected a record from 0 to {last}",
                vital=cell.vital,
                record=cell.record,
                last=records - 1,
            )
