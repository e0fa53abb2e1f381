"""Evaluate a written arithmetic expression, with the uncertainty that comes from rounded operands.

Supported: + - * / in plain, printed and LaTeX form, brackets, bars for absolute values, powers up to 10, and
a number directly before a bracket. Units after a number are skipped; a unit or word in the place of a number
makes the expression symbolic, and symbolic expressions are not computed. Nothing is evaluated as code.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clinicnum.diagnosis.numbers_in_text import MAX_DIGITS

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?P<blank>\s+)"
    r"|(?P<word>[a-z_µμ][a-z_0-9µμ']*)"
    r"|(?P<sign>[-+/×÷·^()|−–{}\[\]])"
    r"|(?P<equals>[=≈])"
    r"|(?P<unit>%|°)"
    r"|(?P<latex>\\(?:(?:text|mathrm|mathbf|textbf)\s?\{[^{}]{0,60}\}|[a-z]+|[,!;: %]))"
    r"|(?P<marks>\*+|\$+|`+)"
    r"|(?P<other>\x00+|.)"
)
_UNIT_WORDS = (
    "mm hg mmhg kpa bpm breaths beats per min mins minute minutes hour hours hr hrs h day d kg g mg mcg ml l"
    " µg μg c f degree degrees celsius fahrenheit percent point points"
)
_UNITS = frozenset(_UNIT_WORDS.split())
_LATEX = {
    "\\times": "*", "\\cdot": "*", "\\div": "/", "\\frac": "\\frac",
    "\\dfrac": "\\frac", "\\tfrac": "\\frac",
    "\\approx": "≈", "\\circ": "°", "\\%": "%",
}  # fmt: skip
_SAME = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "{": "(", "}": ")", "[": "(", "]": ")"}
_LATEX_BLANK = frozenset(["\\left", "\\right", "\\quad", "\\,", "\\!", "\\;", "\\:", "\\ "])
MAX_POWER = 10
MAX_DEPTH = 20


class Token(NamedTuple):
    """A token of an expression."""

    kind: str
    text: str
    start: int
    end: int


class Term(NamedTuple):
    """The value of an expression with its uncertainty."""

    value: float
    doubt: float
    """Largest error of the value that rounded operands can cause."""


Part = Callable[[], Term]
Doubts = Callable[[float, int], float]
"""Function of an operand's (value, decimals): half a unit of its last digit if it may be rounded, else 0."""


class SymbolicError(Exception):
    """The text is no expression of numbers only."""


def tokens_of(line: str, offset: int) -> list[Token]:
    """The tokens of a (case-folded) line that begins at `offset` of its text, without blanks."""
    found: list[Token] = []
    for match in _TOKEN.finditer(line):
        kind, text = match.lastgroup or "other", match[0]
        if kind != "blank":
            kind, text = _classified(kind, text, found)
            if kind != "blank":
                found.append(Token(kind, text, offset + match.start(), offset + match.end()))
    return found


def _classified(kind: str, text: str, before: Sequence[Token]) -> tuple[str, str]:
    """The token kind, and its text in the calculator's notation."""
    if kind == "sign":
        return kind, _SAME.get(text, text)
    if kind == "word":
        if text == "x" and before and (before[-1].kind in ("number", "unit") or before[-1].text == ")"):
            return "sign", "*"
        return ("unit" if text in _UNITS else "other"), text
    if kind == "marks":  # one asterisk multiplies; two make bold type
        return ("sign", "*") if text == "*" else ("blank", text)
    if kind == "latex":
        return _of_latex(text)
    return kind, text


def _of_latex(text: str) -> tuple[str, str]:
    sign = _LATEX.get(text)
    if sign is None:
        return ("blank" if text in _LATEX_BLANK or text.endswith("}") else "other"), text
    return ("equals" if sign == "≈" else "unit" if sign in "°%" else "sign"), sign


class Calculator:
    """Evaluates one expression from its tokens; `doubts` gives the rounding uncertainty of each operand."""

    def __init__(self, tokens: Sequence[Token], doubts: Doubts) -> None:
        self.tokens = tokens
        self.doubts = doubts
        self.at = 0
        self.depth = 0
        self.operands: list[Token] = []
        self.operated = False
        """Whether an operation was carried out."""

    def compute(self) -> Term:
        """The value of the longest expression that starts at the first token. Raises SymbolicError if
        there is none.
        """
        return self._sum()

    @property
    def rest(self) -> Sequence[Token]:
        """The tokens after the expression."""
        return self.tokens[self.at :]

    def _peek(self) -> str:
        if self.at >= len(self.tokens):
            return ""
        token = self.tokens[self.at]
        return token.text if token.kind == "sign" else token.kind

    def _sum(self) -> Term:
        left = self._product()
        while self._peek() in ("+", "-"):
            plus = self._peek() == "+"
            self.at += 1
            right = self._product()
            self.operated = True
            value = left.value + right.value if plus else left.value - right.value
            left = Term(value, left.doubt + right.doubt)
        return left

    def _product(self) -> Term:
        left = self._signed()
        while (sign := self._peek()) in ("*", "/", "("):
            self.at += sign != "("  # a number before a bracket multiplies
            if sign == "/" and self._peek() == "unit":  # "per minute" belongs to the unit before
                self.at += 1
                continue
            right = self._signed()
            self.operated = True
            left = _quotient(left, right) if sign == "/" else _product_of(left, right)
        return left

    def _signed(self) -> Term:
        if self._peek() in ("-", "+"):
            minus = self._peek() == "-"
            self.at += 1
            value, doubt = self._deeper(self._signed)
            return Term(-value if minus else value, doubt)
        return self._power()

    def _power(self) -> Term:
        base = self._operand()
        if self._peek() != "^":
            return base
        self.at += 1
        power = self._deeper(self._signed).value
        if power != int(power) or abs(power) > MAX_POWER or (base.value == 0 and power < 0):
            raise SymbolicError
        self.operated = True
        value = base.value ** int(power)
        return Term(value, abs(power * value / base.value) * base.doubt if base.value else base.doubt)

    def _operand(self) -> Term:
        kind = self._peek()
        if kind == "number":
            token = self.tokens[self.at]
            self.at += 1
            while self._peek() == "unit":
                self.at += 1
            self.operands.append(token)
            value = number_of(token)
            return Term(value, self.doubts(value, decimals_of(token)))
        if kind in ("(", "|"):
            self.at += 1
            inside = self._deeper(self._sum)
            if self._peek() != (")" if kind == "(" else "|"):
                raise SymbolicError
            self.at += 1
            while self._peek() == "unit":
                self.at += 1
            return inside if kind == "(" else Term(abs(inside.value), inside.doubt)
        if kind == "\\frac":
            self.at += 1
            above, below = self._operand(), self._operand()
            self.operated = True
            return _quotient(above, below)
        raise SymbolicError

    def _deeper(self, part: Part) -> Term:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SymbolicError
        term = part()
        self.depth -= 1
        return term


def _product_of(left: Term, right: Term) -> Term:
    doubt = abs(left.value) * right.doubt + abs(right.value) * left.doubt
    return Term(left.value * right.value, doubt)


def _quotient(above: Term, below: Term) -> Term:
    if abs(below.value) <= below.doubt:
        raise SymbolicError
    value = above.value / below.value
    return Term(value, (above.doubt + abs(value) * below.doubt) / abs(below.value))


def number_of(token: Token) -> float:
    """The unsigned value of a number token. Raises SymbolicError if it is too long."""
    if len(token.text) > MAX_DIGITS:
        raise SymbolicError
    return float(token.text.replace(",", ""))


def decimals_of(token: Token) -> int:
    """Number of decimals with which a number is written."""
    return len(token.text.partition(".")[2])
