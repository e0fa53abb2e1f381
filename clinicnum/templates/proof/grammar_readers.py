"""Readers for what no pattern describes: names, numbers, and formulas with operator signs."""

from collections.abc import Iterator
from fractions import Fraction

from clinicnum.templates.proof.grammar import Meaning, Parse, Reader

Found = list[tuple[int, Meaning]]

COUNTED = {word: n for n, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight"), 2)}
_SUMS = {"+": "+", "plus": "+", "-": "-", "minus": "-", "less": "-"}
_PRODUCTS: dict[tuple[str, ...], str] = {
    ("x",): "*",
    ("*",): "*",
    ("times",): "*",
    ("/",): "/",
    ("over",): "/",
}
_PRODUCTS |= {("multiplied", "by"): "*", ("divided", "by"): "/"}


def vital(parse: Parse, at: int) -> Found:
    """Read the name of a vital sign, without a record, at position `at`; so for all readers here."""
    word = _word(parse, at)
    return [(at + 1, ("vital", word[1:]))] if word.startswith("$") and word[1:2] != "&" else []


def given(parse: Parse, at: int) -> Found:
    """Read a given, by its label."""
    word = _word(parse, at)
    return [(at + 1, ("given", word[2:].replace("_", " ")))] if word.startswith("$&") else []


def number(parse: Parse, at: int) -> Found:
    """Read a number in digits."""
    word = _word(parse, at)
    return [(at + 1, Fraction(word))] if word[:1].isdigit() else []


def counted(parse: Parse, at: int) -> Found:
    """Read a number of records, as a word or in digits."""
    word = _word(parse, at)
    value = COUNTED.get(word) or (int(word) if word.isdigit() else None)
    return [(at + 1, Fraction(value))] if value else []


def unit(parse: Parse, at: int) -> Found:
    """Read a unit in which a vital sign or given is stated."""
    word = _word(parse, at)
    return [(at + 1, word[1:])] if word.startswith("#") else []


def slot(parse: Parse, at: int) -> Found:
    """Read a slot, by its name."""
    word = _word(parse, at)
    return [(at + 1, word[1:-1])] if word.startswith("{") else []


def formula(parse: Parse, at: int) -> Found:
    """Read sums and products from left to right, products first; one result for each position at which the
    formula can end.
    """
    return list(_sum(parse, at))


def _sum(parse: Parse, at: int) -> Iterator[tuple[int, Meaning]]:
    for end, left in _product(parse, at):
        yield from _chained(parse, end, left)


def _chained(parse: Parse, at: int, left: Meaning) -> Iterator[tuple[int, Meaning]]:
    yield at, left
    op = _SUMS.get(_word(parse, at))
    if op:
        for end, right in _product(parse, at + 1):
            yield from _chained(parse, end, (op, left, right))


def _product(parse: Parse, at: int) -> Iterator[tuple[int, Meaning]]:
    for end, left in parse.read("factor", at):
        yield from _multiplied(parse, end, left)


def _multiplied(parse: Parse, at: int, left: Meaning) -> Iterator[tuple[int, Meaning]]:
    yield at, left
    for words, op in _PRODUCTS.items():
        if tuple(parse.words[at : at + len(words)]) == words:
            for end, right in parse.read("factor", at + len(words)):
                yield from _multiplied(parse, end, (op, left, right))


def _word(parse: Parse, at: int) -> str:
    return parse.words[at] if at < len(parse.words) else ""


READERS: dict[str, Reader] = {
    "vital": vital,
    "given": given,
    "number": number,
    "counted": counted,
    "unit": unit,
    "slot": slot,
    "formula": formula,
}
