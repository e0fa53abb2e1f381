"""What is wrong with a value of a form, told by the field's label and without pydantic's words."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from clinicnum.errors import one_line
from clinicnum.translatable_text import Translatable

LONGEST_VALUE = 60
_WHOLE = Translatable("“{field}” is {got}; give a whole number.")
_NUMBER = Translatable("“{field}” is {got}; give a number.")
_CHARACTERS = Translatable("“{field}” has {got_length} characters; give at most {max_length}.")
_CHOICES = Translatable("Too many are chosen in “{field}”; choose at most {max_length}.")
_OTHER = Translatable("“{field}” cannot be “{got}”; choose or write another value.")
_WORDINGS = {
    "missing": Translatable("“{field}” is empty; give a value."),
    "greater_than": Translatable("“{field}” is {got}; give more than {gt}."),
    "greater_than_equal": Translatable("“{field}” is {got}; give {ge} or more."),
    "less_than": Translatable("“{field}” is {got}; give less than {lt}."),
    "less_than_equal": Translatable("“{field}” is {got}; give {le} or less."),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), _NUMBER),
    "string_too_long": _CHARACTERS,
    "too_long": _CHOICES,
}
"""By the type of pydantic's problem."""


def labels_of(model: type[BaseModel]) -> dict[str, str]:
    """The label on the page of each field that has one: the field's title."""
    return {name: field.title for name, field in model.model_fields.items() if field.title}


def form_problem(error: ValidationError, labels: Mapping[str, str]) -> Translatable:
    """The first problem of a form's values; `labels` are the labels of its fields by their names."""
    problem = error.errors(include_url=False)[0]
    said = problem.get("ctx", {}).get("error")
    if isinstance(said, ValueError) and said.args:
        return Translatable.of(str(said)) if not isinstance(said.args[0], Translatable) else said.args[0]
    name = str(problem["loc"][0]) if problem["loc"] else "value"
    label = Translatable(labels.get(name, name.replace("_", " ")))
    return Translatable(_WORDINGS.get(problem["type"], _OTHER).wording, field=label, **_values(problem))


def _values(problem: ErrorDetails) -> dict[str, Any]:
    given = problem["input"]
    limits = {
        name: int(limit) if isinstance(limit, float) and limit.is_integer() else limit
        for name, limit in problem.get("ctx", {}).items()
    }
    length = len(given) if isinstance(given, str) else 0
    return {**limits, "got": one_line(str(given))[:LONGEST_VALUE], "got_length": length}
