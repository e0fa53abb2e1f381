"""Import generations of lm-evaluation-harness: the `samples_TASK_DATE.jsonl` that `--log_samples` writes.

Follows the harness's writer (`evaluator.py`, `loggers/evaluation_tracker.py` of version 0.4.13): a line is
one document under one filter, with `doc`, `arguments` (`gen_args_0.arg_0` is the prompt) and `resps`, the raw
texts, one list a request with one text a repeat. Filters only rewrite `filtered_resps`, so the lines of the
first filter stand for all. Tasks of multiple choice by likelihood log no text and are refused. Whether a text
was cut off is not logged.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from clinicnum.imports.answer_matching import ID_FIELD, Matcher
from clinicnum.imports.answer_record import ImportedAnswer
from clinicnum.imports.dotted_fields import field, texts
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import Line, checked_rows, json_lines
from clinicnum.imports.row_errors import RowError, shortened
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance


class _Sample(BaseModel):
    model_config = ConfigDict(extra="ignore")

    doc_id: int | str
    doc: dict[str, Any]
    arguments: dict[str, dict[str, Any]]
    resps: list[list[Any]]
    filter: str | None = None


def answers(
    path: Path,
    *,
    known: Mapping[str, Instance] | None,
    progress: Progress,
    id_field: str | None,
    epoch: int | None,
) -> Iterator[ImportedAnswer]:
    """Yield one answer per document, of the first filter that the file names.

    `known` maps ids to instances, None takes any; `id_field` names the field of the instance's id, without it
    the text that was asked identifies it; `epoch`, from 1, chooses among several texts. Raises InputError
    naming every faulty line.
    """
    matcher = Matcher(known)
    filters: list[str | None] = []

    def make(line: Line) -> ImportedAnswer | None:
        sample = parse_model(line.text, _Sample)
        filters[:] = filters or [sample.filter]
        if sample.filter != filters[0]:
            return None
        if id_field:
            instance_id = matcher.by_field(id_field, field(sample.model_dump(), id_field, ID_FIELD))
        else:
            instance_id = matcher.by_text(_asked(sample))
        text = _text(sample, epoch)
        return ImportedAnswer(place=line.place, number=line.number, instance_id=instance_id, text=text)

    return checked_rows(json_lines(path, progress), make)


def _asked(sample: _Sample) -> list[str]:
    """The texts that were asked, the most specific first: a chat template may surround the prompt."""
    context = texts(sample.doc, "context")
    question = texts(sample.doc, "question")
    both = [f"{context[0]}\n\n{question[0]}"] if context and question else []
    return [
        *texts(sample.arguments, "gen_args_0.arg_0"),
        *both,
        *texts(sample.doc, "prompt", "input"),
        *question,
    ]


def _text(sample: _Sample, epoch: int | None) -> str:
    if len(sample.resps) != 1:
        raise RowError(
            Translatable(
                "resps holds {n} requests; expected one, with the text generated; "
                "log a task whose output_type is generate_until",
                n=len(sample.resps),
            )
        )
    return _chosen(sample.resps[0], epoch)


def _chosen(answers: list[Any], epoch: int | None) -> str:
    """The text number `epoch`, from 1, among the answers to one prompt.

    Raises RowError if it does not exist or is no text, or if there are several and `epoch` is None.
    """
    if epoch is None and len(answers) > 1:
        raise RowError(
            Translatable("resps holds {n} texts of one prompt; expected one; keep one", n=len(answers)),
            on_command_line="--epoch",
        )
    place = (epoch or 1) - 1
    if place >= len(answers):
        raise RowError(
            Translatable(
                "resps holds {n} texts; expected {expected} or more; choose another",
                n=len(answers),
                expected=place + 1,
            ),
            on_command_line="--epoch",
        )
    if not isinstance(answers[place], str):
        raise RowError(
            Translatable(
                "resps holds {got}; expected the text generated; log a task whose output_type is "
                "generate_until",
                got=shortened(answers[place]),
            )
        )
    return str(answers[place])
