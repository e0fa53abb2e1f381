"""Import MedCalc-Bench: its test CSV as instances, and the JSONL of answers that its `run.py` writes.

Source: Khandekar et al. 2024 (arXiv 2406.12036), github.com/ncbi-nlp/MedCalc-Bench. An answer is right if it
lies between the limits; dates, scores of rules, and weeks with days must be exact, so there the limits are
the answer. A patient is identified by Note ID, except that the ids 1, 2, ... are counted anew for each
calculator: there by the text of the note. Calculator ID and Note ID identify a row.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.imports.answer_record import ImportedAnswer, StoredResult
from clinicnum.imports.external_instance import checked_id, checked_number, checked_text, external_instance
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import Cells, Line, checked_rows, csv_rows, json_lines
from clinicnum.imports.row_errors import RowError, UniqueKeys, shortened, wrong_value
from clinicnum.io.jsonl import text_id
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import AnswerType, Instance

COLUMNS = (
    "Row Number",
    "Calculator ID",
    "Calculator Name",
    "Category",
    "Output Type",
    "Note ID",
    "Note Type",
    "Patient Note",
    "Question",
    "Relevant Entities",
    "Ground Truth Answer",
    "Lower Limit",
    "Upper Limit",
    "Ground Truth Explanation",
)
FIELDS = {
    "Patient Note": "context",
    "Question": "question",
    "Ground Truth Answer": "answer",
    "Lower Limit": "lower",
    "Upper Limit": "upper",
}
"""Column -> the field of an instance that holds it; the explanation is `worked`, line by line."""
DIMENSIONS = {
    "category": "Category",
    "calculator": "Calculator Name",
    "output_type": "Output Type",
    "note_type": "Note Type",
}
EXPLANATION = "Ground Truth Explanation"
OUTPUT_TYPES = ("decimal", "integer", "date")
WEEKS_AND_DAYS = re.compile(r"\('\d{1,2} weeks?', '[0-6] days?'\)")
DATE = re.compile(r"\d{2}/\d{2}/\d{4}")
NO_EXPLANATION = ("N/A", "No Explanation")
"""What the source writes if the model was not asked for an explanation, or none was found."""


def instances(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield an instance per row of a test CSV. Raises InputError naming every faulty row."""
    numbers, keys = UniqueKeys("Row Number"), UniqueKeys(Translatable("Calculator ID and Note ID"))

    def make(row: Cells) -> Instance:
        cells = row.cells
        if not cells["Row Number"].isdecimal():
            raise wrong_value("Row Number", cells["Row Number"], Translatable("a whole number"))
        numbers.check(cells["Row Number"], row)
        keys.check(f"{cells['Calculator ID']} and {cells['Note ID']}", row)
        return _instance(cells, benchmark_id, prompt_id)

    return checked_rows(csv_rows(path, COLUMNS, progress), make)


def _instance(cells: Mapping[str, str], benchmark_id: str, prompt_id: str) -> Instance:
    calculator = cells["Calculator ID"]
    if not calculator.isdecimal():
        raise wrong_value("Calculator ID", calculator, Translatable("a whole number"))
    note_id = checked_id("Note ID", cells["Note ID"])
    note = checked_text("Patient Note", cells["Patient Note"])
    if cells["Output Type"] not in OUTPUT_TYPES:
        raise wrong_value("Output Type", cells["Output Type"], ", ".join(OUTPUT_TYPES))
    answer_type = _answer_type(cells)
    fields = {field: cells[column] for column, field in FIELDS.items()}
    return external_instance(
        benchmark_id=benchmark_id,
        instance_id=text_id("medcalc", calculator, note_id, *fields.values()),
        template_id=f"medcalc.calculator_{calculator}",
        subtype=cells["Category"],
        prompt_id=prompt_id,
        subject_id=text_id(note) if note_id.isdecimal() else note_id,
        context=note,
        question=checked_text("Question", cells["Question"]),
        answer=cells["Ground Truth Answer"],
        answer_type=answer_type,
        scoring="medcalc",
        lower=cells["Lower Limit"],
        upper=cells["Upper Limit"],
        worked=cells[EXPLANATION].split("\n"),
        dimensions={name: cells[column] for name, column in DIMENSIONS.items()},
        source={name: cell for name, cell in cells.items() if name not in (*FIELDS, EXPLANATION)},
    )


def _answer_type(cells: Mapping[str, str]) -> AnswerType:
    """The answer type of the gold, after checking the gold against its limits."""
    answer, lower, upper = (cells[name] for name in ("Ground Truth Answer", "Lower Limit", "Upper Limit"))
    if cells["Output Type"] == "date":
        kind: AnswerType = "datetime"
        if not _is_date(answer):
            raise wrong_value(
                "Ground Truth Answer",
                answer,
                Translatable("a date as MM/DD/YYYY, as Output Type is date"),
            )
    elif WEEKS_AND_DAYS.fullmatch(answer):
        kind = "text"
    else:
        gold = checked_number("Ground Truth Answer", answer)
        low, high = checked_number("Lower Limit", lower), checked_number("Upper Limit", upper)
        if not low <= gold <= high:
            raise RowError(
                Translatable(
                    "Ground Truth Answer {answer} lies outside Lower Limit {lower} and Upper Limit {upper}; "
                    "expected a gold answer within its limits; correct the row",
                    answer=answer,
                    lower=lower,
                    upper=upper,
                )
            )
        return "number"
    for name in ("Lower Limit", "Upper Limit"):
        if cells[name] != answer:
            raise wrong_value(
                name,
                cells[name],
                Translatable("the Ground Truth Answer, {answer}, as it must be exact", answer=answer),
            )
    return kind


def _is_date(text: str) -> bool:
    try:
        return DATE.fullmatch(text) is not None and bool(datetime.strptime(text, "%m/%d/%Y"))
    except ValueError:
        return False


def source_row(instance: Instance) -> dict[str, str]:
    """The row of the CSV from which an instance was made, by column."""
    held = {column: getattr(instance, field) for column, field in FIELDS.items()}
    known = {**instance.slots, **held, EXPLANATION: "\n".join(instance.worked)}
    others = (name for name in instance.slots if name not in COLUMNS)
    return {name: known.get(name, "") for name in (*COLUMNS, *others)}


_PYTHON_ERROR = re.compile(
    r"name '.+' is not defined"
    r"|(?:cannot access )?local variable '.+' (?:where it is not associated with"
    r" a value|referenced before assignment)|.+ object (?:is not|has no) .+|unsupported operand .+"
    r"|invalid syntax.*"
    r"|could not convert string .+|(?:list|string) index out of range|(?:float )?division by zero"
)
"""Python errors of the asking program, which MedCalc-Bench stores in the place of an answer."""


class _Output(BaseModel):
    """One line of the answers; fields that are not needed are ignored."""

    model_config = ConfigDict(extra="ignore")

    row_number: int = Field(alias="Row Number")
    calculator: str = Field(alias="Calculator ID")
    note_id: str = Field(alias="Note ID")
    note: str = Field(alias="Patient Note")
    question: str = Field(alias="Question")
    answer: str = Field(alias="LLM Answer")
    explanation: str = Field(alias="LLM Explanation")
    gold: str = Field(alias="Ground Truth Answer")
    result: str = Field(alias="Result")


def answers(path: Path, *, known: Mapping[str, Instance], progress: Progress) -> Iterator[ImportedAnswer]:
    """Yield the answers in `run.py`'s JSONL, each with the score stored in it; `known` maps ids to instances.

    Raises InputError naming every faulty line.
    """
    by_row = {instance.slots.get("Row Number", ""): instance for instance in known.values()}

    def make(line: Line) -> ImportedAnswer:
        output = parse_model(line.text, _Output)
        failed = _PYTHON_ERROR.fullmatch(output.answer) is not None
        return ImportedAnswer(
            place=line.place,
            number=line.number,
            instance_id=_matching(output, by_row).instance_id,
            text=_text(output),
            stored=_stored(output.result, output.answer),
            finish_reason="error" if failed else "stop",
            error=output.answer if failed else None,
        )

    return checked_rows(json_lines(path, progress), make)


def _matching(output: _Output, by_row: Mapping[str, Instance]) -> Instance:
    instance = by_row.get(str(output.row_number))
    if instance is None:
        raise RowError(
            Translatable(
                "Row Number {row} is no row of the benchmark; name the benchmark that was imported from the "
                "CSV these answers are to",
                row=output.row_number,
            )
        )
    said = {
        "Calculator ID": output.calculator,
        "Note ID": output.note_id,
        "Patient Note": output.note,
        "Question": output.question,
        "Ground Truth Answer": output.gold,
    }
    row = source_row(instance)
    for name, value in said.items():
        if row[name] != value:
            raise wrong_value(
                name,
                value,
                Translatable(
                    "{value}, as in row {row} of the benchmark",
                    value=shortened(row[name]),
                    row=output.row_number,
                ),
            )
    return instance


def _text(output: _Output) -> str:
    """The answer as stored, with its reasoning if that is stored too, in the form the model was asked for."""
    if output.explanation in NO_EXPLANATION:
        return output.answer
    whole = {"step_by_step_thinking": output.explanation, "answer": output.answer}
    return json.dumps(whole, ensure_ascii=False)


def _stored(result: str, answer: str) -> StoredResult:
    if result not in ("Correct", "Incorrect"):
        raise wrong_value("Result", result, Translatable("Correct or Incorrect"))
    return StoredResult(correct=result == "Correct", parsed=answer)
