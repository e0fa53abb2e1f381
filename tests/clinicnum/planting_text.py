"""A worked solution as lines that can be changed in one place and worked out again from there.

Knows the wording of worked solutions only: readings, equations, lines of one record each, the last line.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor

READING = re.compile(r"^(At (\S+ \S+): (.+?) )(-?[\d.]+)( [^\d]*)?\.$")
EQUATION = re.compile(r"^(.*?)([-(\d|][-\d.()+/x\s|]*?) ([=≈]) (-?[\d.]+)$")
COMPARED = re.compile(r"(-?[\d.]+) (>=|<=|>|<) (-?[\d.]+): (yes|no)")
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
NUMBER = re.compile(r"\(-(\d+(?:\.\d+)?)\)|(?<![\d.])\d+(?:\.\d+)?(?![\d.])")
RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
OPERATIONS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def worth(expression: str) -> Fraction | None:
    """The value of `(118 - 76) / 3`; None if it cannot be told."""
    text = expression.replace(" x ", " * ")
    if "|" in text:
        text = text.replace("|", "")
        inner = worth(text)
        return None if inner is None else abs(inner)
    try:
        return _worth(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, TypeError, KeyError):
        return None


def _worth(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        return OPERATIONS[type(node.op)](_worth(node.left), _worth(node.right))
    if isinstance(node, ast.UnaryOp):
        return -_worth(node.operand)
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))


def rounded(value: Fraction, digits: int) -> str:
    """Half away from zero, as a decimal with so many digits."""
    scale = 10**digits
    size = floor(abs(value) * scale + Fraction(1, 2))
    text = f"{size // scale}" + (f".{size % scale:0{digits}d}" if digits else "")
    return f"-{text}" if value < 0 and size else text


def shown(value: Fraction) -> tuple[str, bool]:
    """As a working writes it: exact to six digits, else rounded; and whether it is exact."""
    for digits in range(7):
        if value * 10**digits == floor(value * 10**digits):
            return rounded(value, digits), True
    return rounded(value, 6), False


def substituted(text: str, changed: Mapping[str, str]) -> str:
    """`text` with numbers replaced; negative ones stand in brackets."""

    def replace(match: re.Match[str]) -> str:
        old = f"-{match[1]}" if match[1] else match[0]
        new = changed.get(old, old)
        return f"({new})" if new.startswith("-") else new

    return NUMBER.sub(replace, text)


def rework(lines: list[str], changed: dict[str, str], first: int = 0) -> list[str] | None:
    """The lines from `first` on with numbers replaced and every result worked out again; None if that fails.

    `changed` maps a number as written to the one that takes its place, and grows with the results.
    """
    done = list(lines[:first])
    for line in lines[first:]:
        rounding = re.match(r"^(With (\d+) decimals?: )(-?[\d.]+)\.$", line)
        if rounding:
            value = last_value(done)
            if value is None:
                return None
            done.append(f"{rounding[1]}{rounded(value, int(rounding[2]))}.")
            continue
        steps = [_step(step, changed) for step in line[:-1].split("; ")]
        if None in steps:
            return None
        done.append("; ".join(map(str, steps)) + ".")
    return done


def last_value(lines: list[str]) -> Fraction | None:
    """The last result, or, without one, the last reading."""
    for pattern in (EQUATION, READING):
        for line in reversed(lines):
            match = pattern.match(line[:-1] if pattern is EQUATION else line)
            if match:
                return Fraction(match[4])
    return None


def _step(step: str, changed: dict[str, str]) -> str | None:
    equation = EQUATION.match(step)
    if equation:
        left = substituted(equation[2], changed)
        value = worth(left)
        if value is None:
            return None
        text, exact = shown(value)
        if text != equation[4]:
            changed[equation[4]] = text
        return f"{equation[1]}{left} {'=' if exact else '≈'} {text}"
    return judged(substituted_in_words(step, changed))


def substituted_in_words(step: str, changed: Mapping[str, str]) -> str:
    """Numbers replaced after a time that begins a line."""
    head = TIME.match(step)
    start = head.end() if head else 0
    return step[:start] + substituted(step[start:], changed)


def judged(step: str) -> str:
    """Every "a > b: yes" with the verdict that is so."""
    return COMPARED.sub(
        lambda m: (
            f"{m[1]} {m[2]} {m[3]}: " + ("yes" if RELATIONS[m[2]](Fraction(m[1]), Fraction(m[3])) else "no")
        ),
        step,
    )


def concluded(lines: list[str]) -> tuple[list[str], str] | None:
    """The lines with their last one, and the answer, told from the lines of one record each."""
    last = lines[-1]
    told = [(line[:19], line.rstrip(".").endswith(": yes")) for line in lines[:-1] if TIME.match(line)]
    count = re.match(r"^Records in which it holds: \d+\.$", last)
    if count:
        answer = str(sum(yes for _, yes in told))
        return [*lines[:-1], f"Records in which it holds: {answer}."], answer
    crossing = re.match(r"^It (first|last) holds at ", last)
    if crossing:
        times = [time for time, yes in told if yes]
        if not times:
            return None
        answer = times[0 if crossing[1] == "first" else -1]
        return [*lines[:-1], f"It {crossing[1]} holds at {answer}."], answer
    extreme = re.match(r"^The (highest|lowest) stands at ", last)
    if extreme:
        values = [
            (Fraction(line.rstrip(".").split()[-1]), line[:19]) for line in lines[:-1] if TIME.match(line)
        ]
        if not values:
            return None
        ranked = sorted(values)
        value, answer = ranked[-1 if extreme[1] == "highest" else 0]
        if sum(v == value for v, _ in values) > 1:
            return None
        return [*lines[:-1], f"The {extreme[1]} stands at {answer}."], answer
    rounding = re.match(r"^With \d+ decimals?: (-?[\d.]+)\.$", last)
    return (lines, rounding[1]) if rounding else None
