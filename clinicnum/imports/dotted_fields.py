"""Fields of a JSON object by dotted name: `doc.id` is the `id` in `doc`, or a key with that literal name."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clinicnum.imports.row_errors import RowError, shortened
from clinicnum.translatable_text import Translatable


class NamedField(NamedTuple):
    """A field whose name the user gives: what it holds, and the command's option for the name."""

    holds: str
    option: str


def field(value: Mapping[str, Any], name: str, wanted: NamedField) -> Any:
    """The value of the field `name`, which is to hold what is `wanted`. Raises RowError if there is none."""
    found = _find(value, name)
    if found is None:
        raise RowError(
            Translatable(
                "has no {name}; got {got}; name a field that holds {holds} in every row",
                name=name,
                got=shortened(", ".join(value)),
                holds=wanted.holds,
            ),
            on_command_line=wanted.option,
        )
    return found


def texts(value: Mapping[str, Any], *names: str) -> list[str]:
    """The values of the named fields that are text, in the order of the names."""
    return [found for name in names if isinstance(found := _find(value, name), str)]


def _find(value: Any, name: str) -> Any:
    if not isinstance(value, Mapping):
        return None
    if name in value:
        return value[name]
    head, dot, rest = name.partition(".")
    return _find(value.get(head), rest) if dot else None
