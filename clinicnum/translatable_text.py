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


def joined(separator: str, parts: Iterable[str]) -> Translatable:
    """Whole texts one after the other, such as the clauses of a message; each is translated by itself.

    >>> joined("; ", [Translatable("{n} open", n=2), Translatable("none upheld")])
    '2 open; none upheld'
    """
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Translatable(separator.join(f"{{{name}}}" for name in values), **values)
