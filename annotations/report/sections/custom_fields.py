"""The section on the fields that the study adds to the judgement: answers by model, and agreement."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from statistics import fmean, median

from clinicnum.annotations.custom_field_answers import answer_label, column_name
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import CustomValue
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.agreement import summary_table
from clinicnum.annotations.report.study_view import StudyView

_UNIT = (
    "Unit: answers in the judgements that count, not generations: several annotators judge one generation. "
    "An answer is as it was last given."
)
_FIELD, _MODEL = Column(key="field", label="Field"), Column(key="model", label="Model")
Answers = Mapping[str, list[CustomValue]]
"""Model -> the answers on its generations, in the order of generations and annotators."""


def custom_fields_section(view: StudyView) -> Section:
    """Answers and agreement by custom field; empty for a study without any."""
    fields = view.tables.fields
    if not fields:
        return Section(id="custom_fields", title="")
    given = {one.name: _answers(view, one) for one in fields}
    tables = (_chosen(view, given), _numbers(view, given))
    layers = [view.agreement.layer(column_name(one)) for one in fields]
    return Section(
        id="custom_fields",
        title="What this study asked besides",
        paragraphs=tuple(_paragraph(one, given[one.name]) for one in fields),
        tables=(
            *(table for table in tables if table.rows),
            summary_table(layers, "custom_agreement", "Agreement on the study's own fields"),
        ),
    )


def _paragraph(field: CustomField, given: Answers) -> str:
    whom = "of failures only" if field.asked == "failures" else "of every answer"
    step = (
        "before the reference; agreement is on the answers as first saved"
        if field.step == 1
        else "after the reference, and so in no layer of blind judgements"
    )
    n = sum(map(len, given.values()))
    return f"{field.name}: “{field.label}” ({field.type}), asked {whom}, {step}; n = {n} answers."


def _answers(view: StudyView, field: CustomField) -> Answers:
    found: dict[str, list[CustomValue]] = defaultdict(list)
    for one in view.chosen.annotations:
        if field.name in one.custom:
            run_id = view.generation(one.generation_id).run_id
            found[view.model(run_id) or run_id].append(one.custom[field.name])
    return found


def _chosen(view: StudyView, given: Mapping[str, Answers]) -> Table:
    return Table(
        id="custom_answers",
        caption="Answers to the study's own fields",
        note=f"{_UNIT} Of several options each has a row, and their shares add up to more than 100 %. Free "
        "texts are in the exports alone.",
        trace="annotations.csv: custom_ columns; scores.csv: model",
        columns=(
            _FIELD,
            _MODEL,
            Column(key="answer", label="Answer"),
            Column(key="n", label="Answers", kind="count"),
            Column(key="of", label="Of", kind="count"),
            Column(key="share", label="Share", kind="share"),
        ),
        rows=tuple(
            row
            for one in view.tables.fields
            if one.type not in ("number", "text")
            for model in sorted(given[one.name])
            for row in _counts(one, model, given[one.name][model])
        ),
    )


def _counts(field: CustomField, model: str, answers: list[CustomValue]) -> Iterator[tuple[Cell, ...]]:
    each = Counter(part for one in answers for part in answer_label(one).split("|"))
    values = [one.value for one in field.options] or ["yes", "no"]
    for value in values:
        yield field.name, model, value, each[value], len(answers), each[value] / len(answers)


def _numbers(view: StudyView, given: Mapping[str, Answers]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for field in view.tables.fields:
        for model, answers in sorted(given[field.name].items()):
            numbers = [one for one in answers if isinstance(one, float)]
            if field.type == "number" and numbers:
                rows.append((field.name, model, len(numbers), fmean(numbers), median(numbers)))
    return Table(
        id="custom_numbers",
        caption="Numbers given in the study's own fields",
        note=_UNIT,
        trace="annotations.csv: custom_ columns; scores.csv: model",
        columns=(
            _FIELD,
            _MODEL,
            Column(key="n", label="Answers", kind="count"),
            Column(key="mean", label="Mean", kind="number"),
            Column(key="median", label="Median", kind="number"),
        ),
        rows=tuple(rows),
    )
