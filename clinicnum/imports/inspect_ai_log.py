"""Import logs of Inspect (`inspect eval`): `.eval` (a zip with one file per sample) or a single `.json`.

Follows Inspect's own writer (`inspect_ai` 0.3.285, log version 2): a sample has `id`, `epoch`, `input` (a
text, or chat messages) and `output`, whose first choice holds the message and the `stop_reason`; reasoning
stands in parts of its own, and is kept apart as thinking. A sample that failed before it had an answer is a
generation whose `finish_reason` is `error`. A zip's files are read one by one, and none is unpacked beyond a
bound.
"""

import lzma
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clinicnum.errors import InputError
from clinicnum.imports.answer_matching import ID_FIELD, Matcher
from clinicnum.imports.answer_record import FinishReason, ImportedAnswer
from clinicnum.imports.dotted_fields import field
from clinicnum.imports.parse_model import parse_model
from clinicnum.imports.read_rows import check_file, checked_rows
from clinicnum.imports.row_errors import Row, RowError, shortened
from clinicnum.io.file_kinds import refuse_other_kind
from clinicnum.io.text_lines import Progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

if sys.version_info >= (3, 14):  # Inspect packs its zips with zstandard, which zipfile reads from here on
    import zipfile

    from compression.zstd import ZstdError
else:
    from backports.zstd import ZstdError, zipfile

LARGEST_SAMPLE = 64 * 1024 * 1024
"""Bytes of one sample, unpacked."""
LARGEST_LOG = 256 * 1024 * 1024
"""Bytes of a `.json` log, which is read whole."""
LARGEST_RATIO = 200
"""Unpacked bytes per packed byte of a whole log; logs have 5 to 50."""
EXPECTED = Translatable("an Inspect log, .eval or .json")
ATTACHMENT = "attachment://"


_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, ZstdError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)
"""What reading a zip may raise: broken, cut off, encrypted, or packed in an unknown way."""


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Part(_Lenient):
    type: str
    text: str = ""
    reasoning: str = ""
    summary: str | None = None
    redacted: bool = False


class _Message(_Lenient):
    role: str = ""
    content: str | list[_Part]


class _Choice(_Lenient):
    message: _Message
    stop_reason: str = "unknown"


class _Usage(_Lenient):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Output(_Lenient):
    choices: list[_Choice] = Field(default_factory=list)
    usage: _Usage | None = None
    time: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    error: str | None = None


class _Error(_Lenient):
    message: str


class _Sample(_Lenient):
    id: int | str
    epoch: int = 1
    input: str | list[_Message]
    output: _Output
    error: _Error | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    attachments: dict[str, str] = Field(default_factory=dict)


class _Log(_Lenient):
    samples: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Found(Row):
    """One sample of a log: JSON still to be parsed, or parsed with the log."""

    content: bytes | dict[str, Any]


def answers(
    path: Path,
    *,
    known: Mapping[str, Instance] | None,
    progress: Progress,
    id_field: str | None,
    epoch: int | None,
) -> Iterator[ImportedAnswer]:
    """Yield one answer per sample.

    `known` maps ids to instances, None takes any; `id_field` names the field of the instance's id, without it
    the text that was asked identifies it; `epoch` keeps the samples of that epoch. Raises InputError naming
    every faulty sample.
    """
    check_file(path, EXPECTED)
    matcher = Matcher(known)
    with path.open("rb") as handle:
        zipped = handle.read(2) == b"PK"

    def make(found: _Found) -> ImportedAnswer | None:
        sample = parse_model(found.content, _Sample)
        if epoch is not None and sample.epoch != epoch:
            return None
        if id_field:
            instance_id = matcher.by_field(id_field, field(sample.model_dump(), id_field, ID_FIELD))
        else:
            instance_id = matcher.by_text(_asked(sample))
        return _answered(found, instance_id, sample)

    return checked_rows(_zip_samples(path, progress) if zipped else _json_samples(path, progress), make)


def _answered(found: _Found, instance_id: str, sample: _Sample) -> ImportedAnswer:
    output = sample.output
    text, thinking = "", None
    if output.choices:
        choice = output.choices[0]
        text, thinking = _said(choice.message, sample.attachments)
        finish_reason, why = _finish(choice.stop_reason, text)
    else:
        finish_reason = "error"
        why = sample.error.message if sample.error else output.error or "the log holds no answer"
    return ImportedAnswer(
        place=found.place,
        number=found.number,
        instance_id=instance_id,
        text=text,
        finish_reason=finish_reason,
        prompt_tokens=output.usage.input_tokens if output.usage else None,
        completion_tokens=output.usage.output_tokens if output.usage else None,
        latency_s=output.time,
        thinking=thinking,
        error=" ".join(why.split())[:500] if why else None,
    )


def _finish(stop_reason: str, text: str) -> tuple[FinishReason, str | None]:
    """Our finish reason, and why there is no text if the model did not end by itself."""
    if stop_reason in ("max_tokens", "model_length"):
        return "length", None
    if stop_reason in ("stop", "unknown") or text:
        return "stop", None
    return "error", f"the model stopped by {stop_reason}"


def _said(message: _Message, attachments: Mapping[str, str]) -> tuple[str, str | None]:
    """The text of a message, and its reasoning if there is any."""
    if isinstance(message.content, str):
        return _resolved(message.content, attachments), None
    texts = [_resolved(part.text, attachments) for part in message.content if part.type == "text"]
    thoughts = [
        _resolved((part.summary or "") if part.redacted else part.reasoning, attachments)
        for part in message.content
        if part.type == "reasoning"
    ]
    return "\n".join(texts), "\n\n".join(filter(None, thoughts)) or None


def _resolved(text: str, attachments: Mapping[str, str]) -> str:
    """The text itself where the log stores a long text under a name."""
    return attachments.get(text.removeprefix(ATTACHMENT), text) if text.startswith(ATTACHMENT) else text


def _asked(sample: _Sample) -> list[str]:
    if isinstance(sample.input, str):
        return [_resolved(sample.input, sample.attachments)]
    users = [message for message in sample.input if message.role == "user"]
    return [_said(message, sample.attachments)[0] for message in reversed(users)]


def _zip_samples(path: Path, progress: Progress) -> Iterator[_Found]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if _is_sample(m.filename)]
            if not members:
                refuse_other_kind(path)
            left = LARGEST_SAMPLE + LARGEST_RATIO * path.stat().st_size
            for number, member in enumerate(members, start=1):
                with archive.open(member) as handle:
                    content = handle.read(LARGEST_SAMPLE + 1)
                left -= len(content)
                if len(content) > LARGEST_SAMPLE or left < 0:
                    raise InputError(
                        Translatable(
                            "{place} unpacks to more than a sample holds ({most:,} bytes, {ratio} times what "
                            "is packed); take it out of the log",
                            place=f"{path}: {member.filename}",
                            most=LARGEST_SAMPLE,
                            ratio=LARGEST_RATIO,
                        )
                    )
                progress(member.compress_size)
                yield _Found(f"{path}: {member.filename}", number, content)
    except _UNREADABLE as error:
        raise InputError(
            Translatable(
                "{path}: not a zip that can be read ({error}); get the log again, or convert it to .json "
                "with inspect log convert",
                path=str(path),
                error=str(error),
            )
        ) from error


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


def _json_samples(path: Path, progress: Progress) -> Iterator[_Found]:
    size = path.stat().st_size
    if size > LARGEST_LOG:
        raise InputError(
            Translatable(
                "{path}: {size:,} bytes; a .json log is read whole, up to {most:,}; convert it to .eval with "
                "inspect log convert",
                path=str(path),
                size=size,
                most=LARGEST_LOG,
            )
        )
    try:
        log = parse_model(path.read_bytes(), _Log)
    except RowError as error:
        raise InputError(
            Translatable(
                "{path}: {problem}; expected {expected}",
                path=str(path),
                problem=error.text,
                expected=EXPECTED,
            )
        ) from error
    progress(size)
    if not log.samples:
        raise InputError(
            Translatable(
                "{path}: holds no samples; expected at least one; log the samples too", path=str(path)
            )
        )
    for number, sample in enumerate(log.samples, start=1):
        name = f"{shortened(sample.get('id'))} epoch {shortened(sample.get('epoch'))}"
        yield _Found(f"{path}: sample {name}", number, sample)
