"""Text that keeps its English wording and the values filled in, so that pages can translate it."""

from collections.abc import Iterable
from typing import Any

from pydantic_core import CoreSchema, core_schema


class Translatable(str):
    """English text made from a wording and the values of its named fields.

    To everything but a page it is plain text: it is compared, stored and printed in English. A page looks the
    wording up in its catalogue and fills in the values again.

    >>> text = Translatable("{n} of {total} items", n=3, total=8)
    >>> text, text.wording
    ('3 of 8 items', '{n} of {total} items')
    """

    wording: str
    values: dict[str, Any]

    def __new__(cls, wording: str, /, **values: Any) -> "Translatable":
        """`wording` is a format string if there are values, and is taken as it stands if there are none."""
        made = super().__new__(cls, wording.format(**values) if values else wording)
        made.wording, made.values = wording, values
        return made

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """A field of this type keeps a Translatable as it is, takes other text, and is written as text."""
        return core_schema.no_info_after_validator_function(
            cls.of,
            core_schema.union_schema([core_schema.is_instance_schema(cls), core_schema.str_schema()]),
            serialization=core_schema.to_string_ser_schema(),
        )

    @classmethod
    def of(cls, text: str) -> "Translatable":
        """The text unchanged if translatable, else translatable with itself as wording."""
        return text if isinstance(text, cls) else cls(text)

    def to_stored(self) -> Any:
        """The text as JSON that `from_stored` reads: itself, or its wording and values if it has any.

        >>> Translatable.from_stored(Translatable("{n} items", n=3).to_stored()).values
        {'n': 3}
        """
        if not self.values:
            return str(self)
        values = {
            name: value.to_stored() if isinstance(value, Translatable) else value
            for name, value in self.values.items()
        }
        return {"wording": self.wording, "values": values}

    @classmethod
    def from_stored(cls, stored: Any) -> "Translatable":
        """The text that `to_stored` stored; plain text is one without values."""
        if isinstance(stored, str):
            return cls(stored)
        values = {
            name: cls.from_stored(value) if isinstance(value, str | dict) else value
            for name, value in stored["values"].items()
        }
        return cls(stored["wording"], **values)


def joined(separator: str, parts: Iterable[str]) -> Translatable:
    """Whole texts one after the other, such as the clauses of a message; each is translated by itself.

    >>> joined("; ", [Translatable("{n} open", n=2), Translatable("none upheld")])
    '2 open; none upheld'
    """
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Translatable(separator.join(f"{{{name}}}" for name in values), **values)
