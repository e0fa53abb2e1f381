"""Fields of a JSON object by dotted name: `doc.id` is the `id` in `doc`, or a key with that literal name."""

from collections.abc import Mapping
from typing import Any

from clinicnum.imports.read_rows import RowError, shortened


def field(value: Mapping[str, Any], name: str, flag: str) -> Any:
    """The value of the field `name`. Raises RowError if there is none, naming the option (`flag`) that asked
    for it.
    """
    found = _find(value, name)
    if found is None:
        raise RowError(
            f"has no {name}; got {shortened(', '.join(value))}; name a field that every row has with {flag}"
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
