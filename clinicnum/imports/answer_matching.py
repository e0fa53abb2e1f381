"""Match an imported answer to the instance that it answers, by id or by the text that was asked.

A text is compared whole; only line ends and the space around it do not count. What was asked may be the
whole user message of our prompt, the context and the question with a blank line between them, or the question
alone; whichever is given must belong to one instance only.
"""

from collections.abc import Iterable, Mapping

from clinicnum.imports.dotted_fields import NamedField
from clinicnum.imports.row_errors import RowError, shortened, wrong_value
from clinicnum.io.jsonl import text_id
from clinicnum.prompt import messages_for
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

ID_FIELD = NamedField(Translatable("the question, or its id"), "--id-field")


class Matcher:
    """Finds the instances that answers belong to; the index of texts is built when first needed."""

    def __init__(self, known: Mapping[str, Instance] | None) -> None:
        """`known` maps ids to instances; None takes every id and text, to look at a file without them."""
        self._known = known
        self._texts: dict[str, tuple[str, ...]] | None = None

    def by_field(self, field: str, value: object) -> str:
        """The id of the instance that `value` identifies, by its id or by the text that it asks.

        Raises RowError if `value` is neither, or if several instances ask it.
        """
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise wrong_value(
                field,
                value,
                Translatable("an instance's id"),
                Translatable("name another field for it"),
                on_command_line=ID_FIELD.option,
            )
        if self._known is None or str(value) in self._known:
            return str(value)
        if self._texts is None:
            self._texts = _index(self._known)
        if _key(str(value)) in self._texts:
            return self.by_text([str(value)])
        raise wrong_value(
            field,
            value,
            Translatable("the id of an instance of the benchmark, or its whole question"),
            Translatable("name the right benchmark"),
        )

    def by_text(self, asked: Iterable[str]) -> str:
        """The id of the instance to which the first known of these texts belongs.

        Raises RowError if no text is known, or if it belongs to several.
        """
        if self._texts is None:
            self._texts = _index(self._known or {})
        first = ""
        for text in asked:
            first = first or text
            found = self._texts.get(_key(text), ())
            if len(found) == 1:
                return found[0]
            if found:
                raise RowError(
                    Translatable(
                        "its question is that of several instances, {first} and {second} among them; "
                        "expected one; name a field that holds instance ids",
                        first=found[0],
                        second=found[1],
                    ),
                    on_command_line=ID_FIELD.option,
                )
        if not first:
            raise RowError(
                Translatable("holds no text of what was asked; name the field with the question, or its id"),
                on_command_line=ID_FIELD.option,
            )
        if self._known is None:
            return _key(first)
        raise RowError(
            Translatable(
                "its question, {question}, is that of no instance; name the benchmark it was asked from, or "
                "a field that holds instance ids",
                question=shortened(first),
            ),
            on_command_line=ID_FIELD.option,
        )


def _key(text: str) -> str:
    return text_id(text.replace("\r\n", "\n").strip())


def _index(known: Mapping[str, Instance]) -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for instance_id, instance in known.items():
        message = messages_for(instance)[-1]["content"]
        both = f"{instance.context}\n\n{instance.question}"
        for key in {_key(text) for text in (message, both, instance.question)}:
            found = index.get(key, ())
            if len(found) < 2:  # two are enough to know that a text belongs to several
                index[key] = (*found, instance_id)
    return index
