"""Find the equations written in a text, and compute each anew.

An equation is `expression = number`, or a chain of them, on one line. It holds if the number is the value of
the expression rounded, or cut off, at the number's last digit, allowing for operands that are themselves
results rounded earlier, and for a ratio written in percent. A run-on chain ("48 / 3 = 16 + 76 = 92") is read
step by step. What holds a word or a unit in place of a number is symbolic and not judged; nor is "BP =
120/80".
"""

import re
from collections.abc import Callable, Iterator, Sequence
from operator import add, mul, sub, truediv
from typing import NamedTuple

from clinicnum.diagnosis.expression_evaluator import (
    Calculator,
    Doubts,
    SymbolicError,
    Term,
    Token,
    decimals_of,
    number_of,
    tokens_of,
)
from clinicnum.diagnosis.numbers_in_text import MAX_DIGITS, half_unit

MAX_EQUATIONS = 60
"""More than this in one text is a loop, not a working."""
_LABEL = re.compile(r"^[(]?n[)]")

_N = r"[0-9]{1,15}+(?:\.[0-9]{1,15}+)?+"
_PLAIN = re.compile(
    r"[(0-9](?:(?<=^.)|(?<=[:;,.] .))"  # begins so as to be fast to search for
    rf"(?:(?<=\()(?P<minus1>-)(?P<one>{_N})\)|(?<=[0-9])[0-9]{{0,14}}+(?:\.[0-9]{{1,15}}+)?+(?P<stop>))"
    r" (?P<sign>[-+x*/×÷−]) "
    rf"(?:\((?P<minus2>-)(?P<two>{_N})\)|(?P<second>{_N})) [=≈] (?P<minus>-)?(?P<result>{_N})"
    r"(?![0-9%]|\.[0-9]|,[0-9]|\s?%|\s?[-+*/×÷−^(=≈x]\s?[0-9(])"
)
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "-": sub, "−": sub, "+": add, "x": mul, "*": mul, "×": mul, "/": truediv, "÷": truediv,
}  # fmt: skip


class Equation(NamedTuple):
    """`expression = number`."""

    start: int
    end: int
    result: Token
    """The written number."""
    said: float
    """The written number's value, with its sign."""
    computed: float
    """The value of the expression."""
    doubt: float
    """Largest error of `computed` that operands rounded earlier can cause."""
    holds: bool
    exact: bool
    """Whether the number equals the value without rounding."""
    operands: tuple[Token, ...]


def equations_in(text: str, doubts: Doubts) -> list[Equation]:
    """The equations in a (case-folded) text without dates and times, in text order, at most MAX_EQUATIONS.

    `doubts(value, decimals)` gives the rounding uncertainty of an operand.
    """
    found: list[Equation] = []
    rounded: dict[float, float] = {}
    offset = 0

    def doubt(value: float, decimals: int) -> float:
        return rounded.get(value) or doubts(value, decimals)

    for line in text.split("\n"):
        if "=" in line or "≈" in line or "\\approx" in line:
            for equation in plain_equations(line, offset, doubt) or _tokenised(line, offset, doubt):
                found.append(equation)
                if not equation.exact:
                    rounded[abs(equation.said)] = half_unit(decimals_of(equation.result))
        if len(found) >= MAX_EQUATIONS:
            break
        offset += len(line) + 1
    return found[:MAX_EQUATIONS]


def plain_equations(line: str, offset: int, doubts: Doubts) -> list[Equation]:
    """The equations of a line if all have just two operands (`a - b = c`), else none; a fast special case.
    `offset` is the line's position.
    """
    matches = list(_PLAIN.finditer(line))
    if len(matches) != line.count("=") + line.count("≈") or "\\approx" in line:
        return []
    found = []
    for match in matches:
        minus1, one, _, sign, minus2, two, second, minus, result = match.groups()
        one, two = one or line[match.start() : match.end("stop")], two or second
        if max(len(one), len(two), len(result)) > MAX_DIGITS:
            return []
        left, right = float(one), float(two)
        doubt, other = doubts(left, _decimals(one)), doubts(right, _decimals(two))
        left, right = -left if minus1 else left, -right if minus2 else right
        said = -float(result) if minus else float(result)
        if sign in "/÷" and abs(right) <= other:
            return []
        value = _OPERATIONS[sign](left, right)
        if doubt or other:
            if sign in "/÷":
                doubt = (doubt + abs(value) * other) / abs(right)
            else:
                doubt = doubt + other if sign in "+-−" else abs(left) * other + abs(right) * doubt
        exact = abs(value - said) <= 1e-9 * max(1.0, abs(said))
        holds = exact or _is_rounded(value, doubt, said, _decimals(result), percent=False)
        start = offset + match.start()
        tokens = (
            _token(one, start + 2 if minus1 else start),
            _token(two, offset + match.start("two" if minus2 else "second")),
        )
        last = _token(result, offset + match.start("result"))
        found.append(Equation(start, last.end, last, said, value, doubt, holds, exact, tokens))
    return found


def _token(text: str, start: int) -> Token:
    return Token("number", text, start, start + len(text))


def _decimals(text: str) -> int:
    return len(text) - text.find(".") - 1 if "." in text else 0


def _tokenised(line: str, offset: int, doubts: Doubts) -> Iterator[Equation]:
    for run in _runs(tokens_of(line, offset)):
        yield from _chain(run, doubts)


def _runs(tokens: Sequence[Token]) -> Iterator[list[list[Token]]]:
    """Yield runs of tokens without words, split at equals signs; a part joined to a word is empty."""
    run: list[Token] = []
    before = ""
    for token in (*tokens, Token("other", ".", 0, 0)):
        if token.kind != "other":
            run.append(token)
            continue
        if any(t.kind == "equals" for t in run):
            yield _parts(run, before, token.text)
        run, before = [], token.text


def _parts(run: list[Token], before: str, after: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in run:
        if token.kind == "equals":
            parts.append([])
        else:
            parts[-1].append(token)
    first, last = parts[0], parts[-1]
    if first and first[0].text in "+-*/)^":
        # After a word it is the rest of a formula in words; at the start of a line a dash is a bullet.
        bullet = not before and first[0].text in "+-*" and len(first) > 1 and first[0].end < first[1].start
        parts[0] = first[1:] if bullet else first if first[0].text == "-" and not before.isalpha() else []
    if _LABEL.match("".join(token.kind[0] if token.kind == "number" else token.text for token in parts[0])):
        parts[0] = parts[0][3 if parts[0][0].text == "(" else 2 :]
    if last and last[-1].kind == "sign" and last[-1].text not in ")|":
        parts[-1] = last[:-1] if not after[:1].isalpha() else []
    return parts


def _chain(parts: list[list[Token]], doubts: Doubts) -> Iterator[Equation]:
    left: _Side | None = None
    for number, part in enumerate(parts):
        right = _side(part, doubts, last=number == len(parts) - 1)
        if left is not None and right is not None:
            equation = _equation(left, right, first=number == 1)
            if equation is not None:
                yield equation
        left = right


class _Side(NamedTuple):
    """One side of an equals sign."""

    term: Term
    operands: tuple[Token, ...]
    operated: bool
    start: int
    end: int
    percent: bool
    opening: Term | None
    """The number that it begins with, where an operation follows."""


def _side(part: list[Token], doubts: Doubts, *, last: bool) -> _Side | None:
    calculator = Calculator(part, doubts)
    try:
        term = calculator.compute()
        opening = number_of(part[0]) if part[0].kind == "number" else None
    except SymbolicError:
        return None
    rest = calculator.rest
    if rest and not (last and rest[0].text == "("):
        return None
    stop = part[calculator.at - 1].end
    percent = any("%" in token.text for token in part)
    opened = Term(opening, 0) if opening is not None and calculator.operated else None
    return _Side(term, tuple(calculator.operands), calculator.operated, part[0].start, stop, percent, opened)


def _equation(left: _Side, right: _Side, *, first: bool) -> Equation | None:
    """The equation of two sides; None if there is nothing to check."""
    said = right.opening if right.opening is not None else right.term
    if (first and not left.operated) or not right.operands:
        return None
    if right.operated and right.opening is None:  # two expressions: the right one must come to the left one
        tolerance = left.term.doubt + right.term.doubt + 1e-6 * max(1.0, abs(left.term.value))
        if abs(left.term.value - right.term.value) <= tolerance:
            return None
        said = right.term
    result = right.operands[0]
    exact = abs(left.term.value - said.value) <= 1e-9 * max(1.0, abs(said.value))
    holds = exact or _is_rounded(
        left.term.value,
        left.term.doubt,
        said.value,
        decimals_of(result),
        percent=left.percent or right.percent,
    )
    if not holds and right.operated and right.opening is not None:
        tolerance = left.term.doubt + right.term.doubt + 1e-6 * max(1.0, abs(left.term.value))
        if abs(left.term.value - right.term.value) <= tolerance:
            return None  # no run-on: the whole right side is meant, and equals
    stop = result.end if right.operated and right.opening is not None else right.end
    return Equation(
        left.start, stop, result, said.value, left.term.value, left.term.doubt, holds, exact, left.operands
    )


def _is_rounded(value: float, doubt: float, said: float, decimals: int, *, percent: bool) -> bool:
    half = half_unit(decimals)
    for factor in (1.0, 100.0, 0.01) if percent else (1.0,):
        off = abs(value * factor - said)
        if off <= half + doubt * factor:
            return True
        if decimals and off < 2 * half and abs(said) <= abs(value * factor):
            return True  # cut off instead of rounded
    return False
