"""Import ClinicNumRobBench: its CSV of questions as instances, and the CSV of answers that its script
writes.

Source: Nguyen et al. 2026 (arXiv 2604.11133), github.com/MinhVuong2000/ClinicNumRobBench. A row holds
`question` (the context, a blank line, the question), `answer` and `dataset_source`; for the answers,
`generate_llm_response.py` adds `generated_text`, `num_input_tokens` and `num_output_tokens`, all blank where
nothing was generated yet, and other columns that are left aside: its log probabilities come without tokens.
The rows name no patient: the context stands for one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from clinicnum.imports.answer_matching import Matcher
from clinicnum.imports.answer_record import ImportedAnswer
from clinicnum.imports.external_instance import checked_text, external_instance
from clinicnum.imports.read_rows import Cells, checked_rows, csv_rows
from clinicnum.imports.row_errors import UniqueKeys, wrong_value
from clinicnum.io.jsonl import text_id
from clinicnum.io.parse_int import whole_number
from clinicnum.io.text_lines import Progress
from clinicnum.lint.input_files import COLUMNS
from clinicnum.lint.read_robbench_context import NotUnderstoodError
from clinicnum.lint.read_robbench_question import ForeignQuestion, read_question
from clinicnum.lint.robbench_answer import gold_number, gold_time
from clinicnum.translatable_text import Translatable
from clinicnum.types import AnswerType, Instance

BETWEEN = "\n\n"
"""The separator between context and question."""


def instances(path: Path, *, benchmark_id: str, prompt_id: str, progress: Progress) -> Iterator[Instance]:
    """Yield an instance per row of a CSV. Raises InputError naming every faulty row."""
    once = UniqueKeys(Translatable("question"))

    def make(row: Cells) -> Instance:
        whole = row.cells["question"].replace("\r\n", "\n")
        context = whole.rstrip().rpartition(BETWEEN)[0]
        question = whole[len(context) + len(BETWEEN) :]
        if not context.strip() or not question.strip():
            raise wrong_value("question", whole, Translatable("a context, a blank line and a question"))
        instance_id = text_id("clinicnumrobbench", whole)
        once.check(instance_id, row)
        understood = _understood(question)
        answer, answer_type = _gold(row.cells["answer"].strip(), understood)
        origin = checked_text("dataset_source", row.cells["dataset_source"])
        name = understood.template if understood else origin
        return external_instance(
            benchmark_id=benchmark_id,
            instance_id=instance_id,
            template_id=f"clinicnumrobbench.{name}",
            subtype=name.partition(".")[0],
            prompt_id=prompt_id,
            subject_id=text_id(context),
            context=context,
            question=question,
            answer=answer,
            answer_type=answer_type,
            scoring="numeric",
            decimals=understood.decimals if understood and answer_type == "number" else None,
            dimensions={"task": name.partition(".")[0], "source": origin},
            source={name: cell for name, cell in row.cells.items() if name != "question"},
        )

    return checked_rows(csv_rows(path, COLUMNS, progress), make)


def _understood(question: str) -> ForeignQuestion | None:
    try:
        return read_question(question)
    except NotUnderstoodError as error:
        raise wrong_value("question", question, Translatable("times that exist")) from error


def _gold(text: str, question: ForeignQuestion | None) -> tuple[str, AnswerType]:
    time = gold_time(text)
    if time is not None:
        return time, "datetime"
    if gold_number(text) is None:
        raise wrong_value("answer", text, Translatable("a number, or a time as YYYY-MM-DD HH:MM:SS"))
    counted = question is not None and question.template.startswith("aggregation.")
    return text, "count" if counted else "number"


def answers(
    path: Path, *, known: Mapping[str, Instance] | None, progress: Progress
) -> Iterator[ImportedAnswer]:
    """Yield the answers of the rows that have one. Raises InputError naming every faulty row."""
    matcher = Matcher(known)

    def make(row: Cells) -> ImportedAnswer | None:
        counts = [_tokens(row, name) for name in ("num_input_tokens", "num_output_tokens")]
        text = row.cells["generated_text"]
        if not text and not counts[1]:
            return None
        return ImportedAnswer(
            place=row.place,
            number=row.number,
            instance_id=matcher.by_text([row.cells["question"]]),
            text=text,
            prompt_tokens=counts[0],
            completion_tokens=counts[1],
        )

    rows = csv_rows(path, ("question", "generated_text"), progress)
    return checked_rows(rows, make)


def _tokens(row: Cells, name: str) -> int | None:
    """A count as pandas writes it: `123.0`, or empty."""
    text = row.cells.get(name, "").strip()
    if not text:
        return None
    whole, _, rest = text.partition(".")
    number = whole_number(whole)
    if number is None or rest.strip("0"):
        raise wrong_value(name, text, Translatable("a whole number of tokens, or nothing"))
    return number
