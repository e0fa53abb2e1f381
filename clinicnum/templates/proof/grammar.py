"""Parse words by a grammar of productions into every meaning that they can have.

A line of a grammar file is `name: pattern -> meaning`. In a pattern, `<name>` is another production, or
`<key=name>` under a key of its own; `[ ]` is optional; `( | )` is one of several; `\\(` and `\\<` are literal
signs. A meaning is a list in brackets, `(above $number $limit)`; `$key` is the meaning of that part. A line
that begins with `|` is another pattern of the production before it.

`parse` memoises by position, so its time grows with the length of the text, not with the number of parses.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from clinicnum.templates.proof.tokenize_wording import words_of

Meaning = Any
"""A number, a word, or a tuple of an operator and its parts."""
Bound = dict[str, Meaning]
MOST_STEPS = 50_000
"""Maximum number of productions tried for a text; packaged wordings need some thousands."""
Reader = Callable[["Parse", int], list[tuple[int, Meaning]]]

_PIECE = re.compile(r"<(?:(\w+)=)?(\w+)>|\\([()<])|([\[\]()|])|([^\s\[\]()|<\\]+)")


class Literal(NamedTuple):
    """A place in a pattern for a literal word."""

    word: str


class Part(NamedTuple):
    """A place in a pattern for another production, and the key under which its meaning is stored."""

    key: str
    name: str


class Choice(NamedTuple):
    """One of several sequences; an empty one makes it optional."""

    ways: tuple[tuple["Piece", ...], ...]


Piece = Literal | Part | Choice


class Production(NamedTuple):
    """One pattern for a name, with its meaning."""

    pieces: tuple[Piece, ...]
    meaning: Meaning


class Grammar(NamedTuple):
    """Productions by name, and readers for what no pattern describes."""

    productions: dict[str, tuple[Production, ...]]
    readers: dict[str, Reader]


def grammar_of(paths: Sequence[Path], readers: dict[str, Reader]) -> Grammar:
    """The grammar in some files. Raises ValueError naming file and line of an invalid production."""
    found: dict[str, list[Production]] = {}
    for path in paths:
        name = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            head, colon, rest = line.partition(": ") if line[0] not in "| " else ("|", ":", line.strip(" |"))
            pattern, arrow, meaning = rest.partition(" -> ")
            name = name if head == "|" else head.strip()
            if not (name and colon and arrow):
                raise ValueError(f"{path}:{number}: expected `name: pattern -> meaning`, got {line!r}")
            production = Production(_sequence(pattern), _read_meaning(meaning))
            found.setdefault(name, []).append(production)
    return Grammar({name: tuple(some) for name, some in found.items()}, readers)


def _sequence(pattern: str) -> tuple[Piece, ...]:
    pieces = list(_PIECE.finditer(pattern))
    ways, end = _ways(pieces, 0)
    if end != len(pieces) or len(ways) != 1:
        raise ValueError(f"brackets do not match in {pattern!r}")
    return ways[0]


def _ways(pieces: Sequence[re.Match[str]], at: int) -> tuple[tuple[tuple[Piece, ...], ...], int]:
    """The alternatives up to the closing bracket, and its position."""
    ways: list[list[Piece]] = [[]]
    while at < len(pieces):
        key, name, bracket, sign, word = pieces[at].groups()
        if sign in ("]", ")"):
            break
        if sign in ("[", "("):
            inner, at = _ways(pieces, at + 1)
            ways[-1].append(Choice((*inner, ()) if sign == "[" else inner))
        elif sign == "|":
            ways.append([])
        elif name:
            ways[-1].append(Part(key or name, name))
        else:
            ways[-1] += [Literal(one) for one in words_of(bracket or word)]
        at += 1
    return tuple(map(tuple, ways)), at


def _read_meaning(text: str) -> Meaning:
    stack: list[list[Meaning]] = [[]]
    for piece in re.findall(r"[()]|[^\s()]+", text):
        if piece == "(":
            stack.append([])
        elif piece == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(Fraction(piece) if re.fullmatch(r"-?\d+(\.\d+)?", piece) else piece)
    return stack[0][0]


class TooManyReadings(ValueError):
    """A text with too many possible readings."""


class Parse:
    """The parsing of one text by a grammar, memoised by position."""

    def __init__(self, grammar: Grammar, words: Sequence[str]) -> None:
        self.grammar, self.words = grammar, words
        self._found: dict[tuple[str, int], list[tuple[int, Meaning]]] = {}
        self._steps = 0

    def read(self, name: str, start: int) -> list[tuple[int, Meaning]]:
        """(end, meaning) of each way to read the production `name` from position `start`. Raises
        TooManyReadings after MOST_STEPS.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooManyReadings("it can be read in too many ways")
        if (name, start) not in self._found:
            self._found[name, start] = []  # a production never begins with itself
            reader = self.grammar.readers.get(name)
            found = reader(self, start) if reader else self._produced(name, start)
            self._found[name, start] = list(dict.fromkeys(found))
        return self._found[name, start]

    def _produced(self, name: str, start: int) -> list[tuple[int, Meaning]]:
        return [
            (end, _filled(production.meaning, bound))
            for production in self.grammar.productions[name]
            for end, bound in self._matched(production.pieces, start, {})
        ]

    def _matched(self, pieces: tuple[Piece, ...], at: int, bound: Bound) -> Iterator[tuple[int, Bound]]:
        if not pieces:
            yield at, bound
            return
        first, rest = pieces[0], pieces[1:]
        if isinstance(first, Literal):
            if at < len(self.words) and self.words[at] == first.word:
                yield from self._matched(rest, at + 1, bound)
        elif isinstance(first, Part):
            for end, meaning in self.read(first.name, at):
                yield from self._matched(rest, end, {**bound, first.key: meaning})
        else:
            for way in first.ways:
                yield from self._matched(way + rest, at, bound)


def parse(grammar: Grammar, name: str, words: Sequence[str]) -> list[Meaning]:
    """Every meaning that the words can have when all of them are read as the production `name`."""
    return [meaning for end, meaning in Parse(grammar, words).read(name, 0) if end == len(words)]


def _filled(meaning: Meaning, bound: Bound) -> Meaning:
    if isinstance(meaning, str):
        return bound.get(meaning[1:]) if meaning[0] == "$" else meaning
    if not isinstance(meaning, tuple):
        return meaning
    return tuple(_filled(part, bound) for part in meaning)
