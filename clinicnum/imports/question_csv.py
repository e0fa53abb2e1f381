"""Import the questions of any CSV: its header is mapped to our fields, by its user or by the usual names.

`csv-number` takes answers that are numbers or times, `csv-choice` letters or texts of options (or, without
columns for options, a few answers that recur, as yes and no), and `csv-text` any text, as one answer point.
`dimension.NAME` maps a column that says what kind of item a row is, under any name. Columns that are mapped
to no field are kept in `slots`. Cells are separated by commas, semicolons or tabs, whichever the header has
most of.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from clinicnum import item_dimensions
from clinicnum.errors import InputError
from clinicnum.imports.external_instance import checked_text, external_instance
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.question_jsonl import (
    Choice,
    Text,
    choice_instance,
    item_id,
    item_subject,
    item_template,
    text_instance,
)
from clinicnum.imports.read_rows import Cells, checked_rows, csv_rows, delimiter_of, header_of
from clinicnum.imports.row_errors import RowError, UniqueKeys, shortened, wrong_value
from clinicnum.imports.shared_answer_options import MOST_SHARED, shared_options
from clinicnum.io.text_lines import Progress
from clinicnum.lint.robbench_answer import gold_number, gold_time
from clinicnum.prompt import option_letter
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

NEEDED = ("question", "answer")
OPTION_FIELDS = tuple(f"option_{letter}" for letter in "abcdefgh")
ALIASES: dict[str, tuple[str, ...]] = {
    "question": ("question", "query", "prompt", "frage", "stem", "question_text"),
    "answer": ("answer", "gold", "label", "target", "reference", "correct_answer", "antwort", "answer_key"),
    "context": (
        *("context", "note", "patient_note", "records", "passage", "text", "vignette", "case"),
        *("kontext", "notiz"),
    ),
    "id": ("id", "item_id", "question_id", "qid", "item", "nr"),
    "subject_id": ("subject_id", "patient_id", "patient", "subject", "case_id"),
    "category": ("category", "topic", "type", "subject_name", "kategorie"),
    "task": ("task", "task_name", "aufgabe"),
    "condition": ("condition", "setting", "bedingung"),
    "turn": ("turn", "turn_number", "round"),
    "language": ("language", "lang", "sprache"),
    "difficulty": ("difficulty", "level", "schwierigkeit"),
    "specialty": ("specialty", "speciality", "department", "fachgebiet"),
    "unit": ("unit", "units", "einheit"),
    **{
        field: (field, field[-1], f"op{field[-1]}", f"choice_{field[-1]}", f"answer_{field[-1]}", str(place))
        for place, field in enumerate(OPTION_FIELDS, start=1)
    },
}
"""Our field -> names that columns of other benchmarks have, in lower case with `_` for what is no letter."""
_OF_ALL = ("context", "id", "subject_id", *item_dimensions.FIELDS)
FIELDS: dict[str, tuple[str, ...]] = {
    "csv-number": (*NEEDED, *_OF_ALL, "unit"),
    "csv-choice": (*NEEDED, *OPTION_FIELDS, *_OF_ALL),
    "csv-text": (*NEEDED, *_OF_ALL),
}
"""The fields of each format; besides them, each takes `dimension.NAME`."""
DIMENSION_FIELDS = tuple(name for name in item_dimensions.FIELDS if name != "category")
"""Fields that are dimensions only; `category` also groups items for counts."""
DIMENSION = "dimension."
"""Prefix of fields for dimensions of any other name."""

Columns = Mapping[str, str]
"""Our field -> the name of a column."""


def propose_columns(header: list[str], name: str) -> dict[str, str]:
    """Field -> column that is likely to hold it, by the names in the header, for the format `name`; each
    column is used once.
    """
    by_name = {plain_name(column): column for column in reversed(header)}
    found: dict[str, str] = {}
    for field in FIELDS[name]:
        named = (by_name[alias] for alias in ALIASES[field] if alias in by_name)
        column = next((one for one in named if one not in found.values()), None)
        if column is not None:
            found[field] = column
    return found


def parse_columns(text: str) -> dict[str, str]:
    """The mapping `field=column,...` of a command line. Raises InputError for anything else."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    wrong = next((before for before, sign, after in pairs if not (before.strip() and sign and after)), None)
    if wrong is not None:
        raise InputError(
            f"--columns: got {shortened(text)}; expected field=column,... with no comma in names"
        )
    return {before.strip(): after.strip() for before, _, after in pairs}


def dimension_field(column: str) -> str:
    """The field that takes a column as a dimension: a known field such as `task`, or else `dimension.` and
    the column's name.
    """
    plain = plain_name(column)
    known = (name for name in DIMENSION_FIELDS if plain in ALIASES[name])
    return next(known, f"{DIMENSION}{plain}")


def is_dimension(field: str) -> bool:
    """Whether a field holds a dimension of items and nothing else."""
    return field in DIMENSION_FIELDS or field.startswith(DIMENSION)


def plain_name(column: str) -> str:
    """A column's name in lower case, with `_` for what is no letter or digit."""
    return "_".join("".join(c if c.isalnum() else " " for c in column.lower()).split())


def checked_columns(path: Path, name: str, columns: Columns) -> dict[str, str]:
    """Field -> column to read: `columns`, or else those that `propose_columns` finds. Raises InputError for
    unusable ones.
    """
    header = header_of(path)
    chosen = dict(columns) or propose_columns(header, name)
    got = shortened(", ".join(header))
    for field, column in chosen.items():
        if field not in FIELDS[name] and not field.startswith(DIMENSION):
            raise InputError(
                Translatable(
                    "{field!r} is no field of {format}; expected {fields}, or dimension.NAME",
                    field=field,
                    format=name,
                    fields=", ".join(FIELDS[name]),
                )
            )
        if column not in header:
            raise InputError(
                Translatable(
                    "no column {column!r} for {field}; the file has {got}",
                    column=column,
                    field=field,
                    got=got,
                )
            )
    lacking = [field for field in NEEDED if field not in chosen]
    if name == "csv-choice" and not lacking:
        _check_options(path, chosen, got)
    if lacking:
        raise InputError(
            Translatable(
                "no column is chosen for {lacking}; the file has {got}; say which",
                lacking=", ".join(lacking),
                got=got,
            ),
            on_command_line="--columns field=column,...",
        )
    return chosen


def _check_options(path: Path, chosen: Columns, got: str) -> None:
    """Raise InputError unless there are columns for options, or answers that can be the options."""
    given = sum(field in chosen for field in OPTION_FIELDS)
    if given < 2 and (given or not shared_options(path, chosen["answer"], delimiter=delimiter_of(path))):
        raise InputError(
            Translatable(
                "no column is chosen for option_a, option_b, ..., and the answers in {answer!r} are not two "
                "to {most} words that recur, as yes and no; the file has {got}; choose columns for the "
                "options",
                answer=chosen["answer"],
                most=MOST_SHARED,
                got=got,
            ),
            on_command_line="--columns option_a=column,...",
        )


def instances(
    path: Path, *, name: str, columns: Columns, benchmark_id: str, prompt_id: str, progress: Progress
) -> Iterator[Instance]:
    """Yield an instance per row of `checked_columns`. Raises InputError naming every faulty row."""
    ids = UniqueKeys("id")
    make = _MAKE[name]
    if name == "csv-choice" and OPTION_FIELDS[0] not in columns:
        shared = shared_options(path, columns["answer"], delimiter=delimiter_of(path))
        make = partial(make, shared=shared)

    def made(row: Cells) -> Instance:
        given = {field: row.cells[column] for field, column in columns.items() if row.cells[column].strip()}
        kinds = {field: value for field, value in given.items() if is_dimension(field) or field == "category"}
        given = {field: value for field, value in given.items() if not is_dimension(field)}
        for field in NEEDED:
            checked_text(columns[field], row.cells[columns[field]])
        kept = {column: cell for column, cell in row.cells.items() if column not in columns.values()}
        named = {field.removeprefix(DIMENSION): value for field, value in kinds.items()}
        return make(given, named, kept, row, ids, benchmark_id=benchmark_id, prompt_id=prompt_id)

    rows = csv_rows(path, list(columns.values()), progress, delimiter=delimiter_of(path))
    return checked_rows(rows, made)


Make = Callable[..., Instance]


def _number(
    given: dict[str, str],
    kinds: dict[str, str],
    kept: dict[str, str],
    row: Cells,
    ids: UniqueKeys,
    *,
    benchmark_id: str,
    prompt_id: str,
) -> Instance:
    answer, question, context = given["answer"].strip(), given["question"], given.get("context", "")
    time = gold_time(answer)
    if time is None and gold_number(answer) is None:
        raise wrong_value(
            "answer",
            answer,
            Translatable("a number such as 37.5, or a time as YYYY-MM-DD HH:MM:SS"),
        )
    instance_id = item_id(given.get("id"), context, question, answer)
    ids.check(instance_id, row)
    return external_instance(
        instance_id=instance_id,
        template_id=item_template("number", given.get("category")),
        subtype="number",
        subject_id=item_subject(given.get("subject_id"), context, instance_id),
        context=context,
        question=question,
        answer=time or answer,
        answer_type="datetime" if time else "number",
        scoring="numeric",
        unit=given.get("unit"),
        source=kept,
        dimensions=kinds,
        benchmark_id=benchmark_id,
        prompt_id=prompt_id,
    )


def _choice(
    given: dict[str, str],
    kinds: dict[str, str],
    kept: dict[str, str],
    row: Cells,
    ids: UniqueKeys,
    *,
    shared: tuple[str, ...] = (),
    **more: str,
) -> Instance:
    options = list(shared) or [given.pop(field, "") for field in OPTION_FIELDS]
    given["answer"] = given["answer"].strip() if shared else given["answer"]
    while options and not options[-1]:
        options.pop()
    if "" in options:  # the letters of the others would move up
        raise RowError(
            Translatable(
                "option {letter} is empty, but a later one is not; expected options without a gap; correct "
                "the row",
                letter=option_letter(options.index("")),
            )
        )
    item = parse_model({**given, "options": options, "source": kept, "dimensions": kinds}, Choice)
    return choice_instance(item, row, ids, **more)


def _text(
    given: dict[str, str],
    kinds: dict[str, str],
    kept: dict[str, str],
    row: Cells,
    ids: UniqueKeys,
    **more: str,
) -> Instance:
    item = parse_model({**given, "points": [given["answer"]], "source": kept, "dimensions": kinds}, Text)
    return text_instance(item, row, ids, **more)


_MAKE: dict[str, Make] = {"csv-number": _number, "csv-choice": _choice, "csv-text": _text}
number_items, choice_items, text_items = (partial(instances, name=name) for name in _MAKE)
"""The readers of the three formats."""
