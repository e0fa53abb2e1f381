"""Import generations from plain JSONL: one object a line, with the text and a reference to its instance.

The text stands in `text`, or where `--text-field` says. The instance is found by `instance_id`, or by the
field that `--id-field` names, or else by what was asked: `prompt`, or `context` and `question`, or
`question`. `finish_reason`, `prompt_tokens`, `completion_tokens`, `latency_s`, `thinking` and `error` are
taken over where they are given; other fields are ignored.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.imports.answer_matching import ID_FIELD, Matcher
from clinicnum.imports.answer_record import FinishReason, ImportedAnswer
from clinicnum.imports.dotted_fields import NamedField, field, texts
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import Line, checked_rows, json_lines
from clinicnum.imports.row_errors import RowError, wrong_value
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

OWN_ID = "instance_id"
TEXT_FIELD = NamedField(Translatable("the answer"), "--text-field")


class _Line(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    finish_reason: FinishReason | None = None
    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    latency_s: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    thinking: str | None = None
    error: str | None = None


def answers(
    path: Path,
    *,
    known: Mapping[str, Instance] | None,
    progress: Progress,
    id_field: str | None,
    text_field: str,
) -> Iterator[ImportedAnswer]:
    """Yield one answer per line.

    `known` maps ids to instances, None takes any; `id_field` and `text_field` name the fields of the
    instance's id and of the text. Raises InputError naming every faulty line.
    """
    matcher = Matcher(known)

    def make(line: Line) -> ImportedAnswer:
        given = parse_model(line.text, _Line)
        fields: dict[str, Any] = given.model_dump(exclude_unset=True)
        failed = given.finish_reason == "error"
        text = fields.get(text_field, "") if failed else field(fields, text_field, TEXT_FIELD)
        if not isinstance(text, str):
            raise wrong_value(
                text_field,
                text,
                Translatable("a text"),
                Translatable("name another field for it"),
                on_command_line=TEXT_FIELD.option,
            )
        if failed != (given.error is not None):
            raise RowError(
                Translatable(
                    "error is {error!r} and finish_reason {ended!r}; expected a reason in `error` exactly "
                    "where finish_reason is 'error'; correct the row",
                    error=given.error,
                    ended=given.finish_reason,
                )
            )
        return ImportedAnswer(
            place=line.place,
            number=line.number,
            instance_id=instance_of(matcher, fields, id_field),
            text=text,
            finish_reason=given.finish_reason or "stop",
            prompt_tokens=given.prompt_tokens,
            completion_tokens=given.completion_tokens,
            latency_s=given.latency_s,
            thinking=given.thinking,
            error=given.error,
        )

    return checked_rows(json_lines(path, progress), make)


def instance_of(matcher: Matcher, fields: Mapping[str, Any], id_field: str | None) -> str:
    """Id of the answered instance, by id field or by text asked. Raises RowError if there is none."""
    if id_field or OWN_ID in fields:
        name = id_field or OWN_ID
        return matcher.by_field(name, field(fields, name, ID_FIELD))
    question, context = texts(fields, "question"), texts(fields, "context")
    both = [f"{context[0]}\n\n{question[0]}"] if question and context else []
    return matcher.by_text([*texts(fields, "prompt"), *both, *question])
