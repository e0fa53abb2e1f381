"""A row of JSON as a model of pydantic, whose errors are told in our own words."""

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from clinicnum.imports.row_errors import RowError, shortened
from clinicnum.translatable_text import Translatable

M = TypeVar("M", bound=BaseModel)

_UNIONS = ("str", "int")
"""What pydantic adds to a field's name where it may have one of two types."""
_TEXT, _WHOLE, _NUMBER = Translatable("a text"), Translatable("a whole number"), Translatable("a number")
_LIST, _OBJECT = Translatable("a list"), Translatable("an object")
_EXPECTED = {
    "string_type": _TEXT,
    "string_too_short": Translatable("a text that is not empty"),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": Translatable("a finite number"),
    "list_type": _LIST,
    "tuple_type": _LIST,
    "too_short": Translatable("a list that is not empty"),
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
}
"""What was expected, by pydantic's type of an error; its own words stand for the others."""


def parse_model(content: str | bytes | dict[str, Any], kind: type[M]) -> M:
    """A model of class `kind` from JSON, as text or parsed. Raises RowError naming the field and what was
    expected.
    """
    try:
        if isinstance(content, dict):
            return kind.model_validate(content)
        return kind.model_validate_json(content)
    except ValidationError as error:
        raise RowError(_fault(error, kind)) from error


def _fault(error: ValidationError, kind: type[BaseModel]) -> str:
    problem = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in problem["loc"] if part not in _UNIONS)
    said = problem["msg"][:1].lower() + problem["msg"][1:]
    fields = ", ".join(kind.model_fields)
    match problem["type"]:
        case "json_invalid":
            return _not_json(said.removeprefix("invalid JSON: "))
        case "missing":
            return Translatable("{name} is missing; expected {fields}; add it", name=name, fields=fields)
        case "extra_forbidden":
            return Translatable(
                "{name} is not known; expected {fields}; take it out, or keep it in `source`",
                name=name,
                fields=fields,
            )
        case "value_error":
            return Translatable.of(problem["ctx"]["error"].args[0])
    values = {"name": name or Translatable("the row"), "got": shortened(problem["input"])}
    expected = _EXPECTED.get(problem["type"])
    if expected is not None:
        return Translatable("{name} is {got}; expected {expected}; correct it", **values, expected=expected)
    return Translatable("{name} is {got}: {said}; correct it", **values, said=said)


def _not_json(said: str) -> str:
    """What is wrong with a line that is no JSON, of which a parser of JSON `said` this."""
    if said.startswith("EOF"):
        return Translatable(
            "ends in the middle; expected one whole JSON object, in JSONL on one line; "
            "if the file was cut off, save or download it again"
        )
    where = re.sub(r" at line \d+ column (\d+)$", r" at character \1", said)
    return Translatable("not JSON ({where}); expected one JSON object; correct it", where=where)
