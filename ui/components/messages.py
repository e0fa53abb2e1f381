"""What the researcher's pages send and get back: one message, parsed once; one reply with a word on it."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from clinicnum.errors import ClinicnumError, InputError
from clinicnum.io.jsonl import first_problem

Reply = dict[str, Any]
T = TypeVar("T", bound=BaseModel)


def parse(kind: type[T], payload: object) -> T:
    """Read a page's message. Raises InputError that names the first field that is not as it should be."""
    out = payload.get("out") if isinstance(payload, dict) else None
    try:
        return kind.model_validate(out)
    except ValidationError as error:
        raise InputError(f"Nothing was changed: {first_problem(error)}. Correct it and try again.") from error


def good(text: str) -> Reply:
    """A word on what was done."""
    return {"message": {"tone": "good", "text": text}}


def bad(error: ClinicnumError) -> Reply:
    """Why nothing was done."""
    text = " ".join(str(error).split())
    return {"message": {"tone": "bad", "text": text[:1].upper() + text[1:]}}
