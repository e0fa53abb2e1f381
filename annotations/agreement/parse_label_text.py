"""Parse label texts by scale: which texts are allowed, and the value that each stands for in comparisons.

nominal, ordinal: the text itself, one of the declared categories. interval: a number, one of the declared
ones, or any number if none are declared. set: categories joined by `|`; `none` is the empty set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clinicnum.annotations.agreement.types import NONE, SCALES, SEPARATOR, Scale
from clinicnum.errors import InputError

Value = str | float | frozenset[str]


@dataclass(frozen=True)
class LabelReader:
    """Parses the labels of one scale against its declared categories."""

    scale: Scale
    categories: tuple[str, ...]
    """In order; empty only on an interval scale without declared levels."""
    _allowed: frozenset[Value]

    def read(self, label: str, item: str) -> Value:
        """The value of a label. Raises InputError naming the label if it was not declared, or is not a number
        on an interval scale.
        """
        text = label.strip()
        if self.scale == "set":
            return self._read_set(text, item)
        value: Value = _number(text, f"item {item!r}") if self.scale == "interval" else text
        if self._allowed and value not in self._allowed:
            raise self._not_declared(text, item)
        return value

    def _read_set(self, text: str, item: str) -> frozenset[str]:
        codes = frozenset(part.strip() for part in text.split(SEPARATOR))
        if codes == {NONE}:
            return frozenset()
        for code in sorted(codes):
            if code == NONE:
                raise InputError(f"item {item!r}: {text!r} joins `none` with codes; `none` stands alone")
            if code not in self._allowed:
                raise self._not_declared(code, item)
        return codes

    def values(self, seen: Iterable[Value]) -> tuple[Value, ...]:
        """The values to compare, in order: the declared categories; for sets, those that occurred; for
        numbers, those declared or given.
        """
        if self.scale == "set":
            sets = {value for value in seen if isinstance(value, frozenset)}
            return tuple(sorted(sets, key=sorted))
        if self.scale == "interval":
            numbers = {value for value in seen if isinstance(value, float)}
            numbers |= {value for value in self._allowed if isinstance(value, float)}
            return tuple(sorted(numbers))
        return self.categories

    def _not_declared(self, label: str, item: str) -> InputError:
        hint = "; `none` must be declared too" if label == NONE else ""
        return InputError(
            f"label {label!r} on item {item!r} is not a declared category; "
            f"expected one of {', '.join(self.categories)}: correct the label or declare it{hint}"
        )


def label_reader(scale: str, categories: Sequence[str] | None) -> LabelReader:
    """Make a reader after checking the declared categories.

    Raises InputError for an unknown scale and for missing or repeated categories.
    """
    known = next((one for one in SCALES if one == scale), None)
    if known is None:
        raise InputError(f"scale {scale!r} is unknown; expected one of {', '.join(SCALES)}")
    declared = tuple(category.strip() for category in categories or ())
    if not declared and known != "interval":
        raise InputError(
            f"no categories declared for the scale {known}; declare all of them in order, seen or not"
        )
    if "" in declared or len(set(declared)) != len(declared):
        raise InputError(
            f"categories {', '.join(declared)!r} hold a blank or a double; name each category once"
        )
    if any(SEPARATOR in category for category in declared):
        raise InputError(f"a category may not hold {SEPARATOR!r}: it joins the codes of a set")
    if known == "interval":
        return LabelReader(known, declared, frozenset(_number(one, "categories") for one in declared))
    return LabelReader(known, declared, frozenset(declared))


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")):
        raise InputError(f"{where}: {text!r} is not a number, which the scale interval expects")
    return number
