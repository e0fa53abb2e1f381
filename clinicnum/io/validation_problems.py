"""Pydantic's messages on a value that does not fit, as text that pages can translate."""

from typing import Any

from pydantic_core import ErrorDetails

from clinicnum.translatable_text import Translatable

_WORDINGS = {
    "missing": Translatable("Field required"),
    "extra_forbidden": Translatable("Extra inputs are not permitted"),
    "greater_than": Translatable("Input should be greater than {gt}"),
    "greater_than_equal": Translatable("Input should be greater than or equal to {ge}"),
    "less_than": Translatable("Input should be less than {lt}"),
    "less_than_equal": Translatable("Input should be less than or equal to {le}"),
    "int_type": Translatable("Input should be a valid integer"),
    "int_parsing": Translatable("Input should be a valid integer, unable to parse string as an integer"),
    "int_from_float": Translatable("Input should be a valid integer, got a number with a fractional part"),
    "float_type": Translatable("Input should be a valid number"),
    "float_parsing": Translatable("Input should be a valid number, unable to parse string as a number"),
    "bool_type": Translatable("Input should be a valid boolean"),
    "string_type": Translatable("Input should be a valid string"),
    "string_too_short": Translatable("String should have at least {min_length} characters"),
    "string_too_long": Translatable("String should have at most {max_length} characters"),
    "string_pattern_mismatch": Translatable("String should match pattern '{pattern}'"),
    "literal_error": Translatable("Input should be {expected}"),
    "value_error": Translatable("Value error, {error}"),
}
"""Pydantic's own wordings, by the type of the problem."""


def problem_text(problem: ErrorDetails) -> str:
    """The problem's message, translatable where its wording is known; the English text is pydantic's."""
    wording = _WORDINGS.get(problem["type"])
    if wording is None:
        return problem["msg"]
    values = {name: _plain(value) for name, value in problem.get("ctx", {}).items()}
    text = Translatable(wording.wording, **values)
    return text if text == problem["msg"] else problem["msg"]


def _plain(value: Any) -> Any:
    """A value of a pydantic error as it is printed: of an exception its message, a whole float as an int."""
    if isinstance(value, ValueError):
        return value.args[0] if value.args else ""
    return int(value) if isinstance(value, float) and value.is_integer() else value
