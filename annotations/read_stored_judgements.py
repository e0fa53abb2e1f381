"""Read judgements stored in the database and the audit log, including those of earlier versions."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.types import Annotation
from clinicnum.errors import InputError

Kind = TypeVar("Kind", bound=BaseModel)
Payload = Mapping[str, Any]


def read_stored(kind: type[Kind], payload: object) -> Kind:
    """Validate a stored payload as `kind`; missing fields get their default.

    Raises InputError if a newer version wrote it, and ValidationError if it is invalid otherwise.
    """
    try:
        return kind.model_validate(payload)
    except ValidationError as error:
        newer = [".".join(map(str, one["loc"])) for one in error.errors() if one["type"] == "extra_forbidden"]
        if newer:
            raise newer_version(newer) from None
        raise


def newer_version(fields: Iterable[str]) -> InputError:
    """The error for stored fields that this version does not know."""
    return InputError(
        "a stored judgement has {fields}, which this version does not know: a newer version of clinicnum "
        "wrote it; install that version and try again",
        fields=", ".join(sorted(fields)),
    )


def unknown_fields(payload: Payload) -> list[str]:
    """Fields of a stored annotation that this version does not know."""
    return sorted(payload.keys() - Annotation.model_fields.keys())


def own_part(payload: Payload) -> Judgement:
    """The judgement within a stored annotation. Raises InputError for a field of a newer version."""
    unknown = unknown_fields(payload)
    if unknown:
        raise newer_version(unknown)
    return Judgement.model_validate(own_fields(payload))


def own_fields(payload: Payload) -> dict[str, Any]:
    """The fields of the judgement within a stored annotation, unchanged."""
    return {field: payload[field] for field in Judgement.model_fields if field in payload}
