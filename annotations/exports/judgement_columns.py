"""The columns of a judgement in a table: one per field, two for its labels."""

from collections.abc import Iterable

from clinicnum.annotations.custom_field_answers import answer_label, column_name, declared_words
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import FIELDS, Judgement, label_of, values_of
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import Field, FieldKind

NO_CODE = "none"
_KINDS: dict[type, FieldKind] = {bool: "boolean", int: "integer", str: "text"}
_PRIMARY = Field(name="primary", kind="text", description="Code of the first error; none if no code is given")
PUBLIC = tuple(name for name, about in FIELDS.items() if not about.private)


def judgement_columns(names: tuple[str, ...] = tuple(FIELDS), *, decided: bool = False) -> tuple[Field, ...]:
    """Columns for these fields of a judgement; with `decided`, described as of an adjudicator's decision. The
    field `labels` takes two: `primary` (code of the first error) and `labels` (all codes).
    """
    meanings = {name: meaning_of(name, decided=decided) for name in names}
    columns = {name: Field(name=name, kind=_kind(name), description=said) for name, said in meanings.items()}
    return tuple(one for column in columns.values() for one in _with_primary(column))


def _with_primary(column: Field) -> tuple[Field, ...]:
    return (_PRIMARY, column) if column.name == "labels" else (column,)


def judgement_cells(judgement: Judgement, names: tuple[str, ...] = tuple(FIELDS)) -> list[CsvCell]:
    """The cells of `judgement_columns(names)` for one judgement."""
    cells: list[CsvCell] = []
    for name in names:
        if name == "labels":
            cells.append(next((label.code for label in judgement.labels if label.primary), NO_CODE))
            cells.append("|".join(label.code for label in judgement.labels) or NO_CODE)
        else:
            cells.append(getattr(judgement, name))
    return cells


def custom_columns(fields: Iterable[CustomField]) -> tuple[Field, ...]:
    """One column for each custom field of the study."""
    return tuple(
        Field(
            name=column_name(one),
            kind="number" if one.type == "number" else "text",
            description=f"{declared_words(one)}; blank if not answered",
        )
        for one in fields
    )


def custom_cells(judgement: Judgement, fields: Iterable[CustomField]) -> list[CsvCell]:
    """The cells of `custom_columns(fields)` for one judgement."""
    given = (judgement.custom.get(one.name) for one in fields)
    return [one if isinstance(one, float) or one is None else answer_label(one) for one in given]


def _kind(name: str) -> FieldKind:
    options = FIELDS[name].options
    return _KINDS[type(options[0].value)] if options else "text"


def meaning_of(name: str, *, blank: bool = True, decided: bool = False) -> str:
    """What the data dictionary says of a field, with its possible values and, if `blank`, when it is blank in
    a judgement; with `decided`, in an adjudicator's decision.
    """
    about = FIELDS[name]
    values = [v if isinstance(v, str) else f"{v} ({label_of(name, v).lower()})" for v in values_of(name)]
    listed = f": {', '.join(values)}" if values else ""
    optional = about.when if name != "labels" else None
    said = f"; blank unless {optional.field} is {optional.value}" if optional else ""
    if optional and not decided:
        said += ", and in a first judgement of a round that gave none"
    if about.after_reference and not optional and not decided:
        said = "; blank in a first judgement of a round, locked before the reference is shown in it"
    return f"{about.meaning}{listed}{said * blank}"
