"""Convert LaTeX and Unicode fractions to plain text: `\\text{bpm}`, `36^\\circ`, `89\\frac{1}{3}`, "89⅓"."""

import re
import unicodedata
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

FRACTION_DIGITS = 12
"""Decimals written for a fraction without a finite decimal form, such as 1/3."""
_DEGREE_POWER = re.compile(r"\^\s?\{?\s?(?:\\circ|°|o\b)\s?\}?")
_POWER = re.compile(
    r"(?<=[0-9])\s?(?:[x×*·]|\\times|\\cdot)\s?10\s?(?:\^\s?|\*\*\s?)"
    r"\{?\s?(?P<power>[-+−]?[0-9]{1,2})(?:\s?\})?"
)
_SPLIT_POWER = re.compile(r"\$?\s?\\times\s?\$?\s?10\s?\$?\^(?P<power>\{?[-+−]?[0-9]{1,2}\}?)\$?")
"""A power of ten whose parts are typeset separately: "1.03 $\\times$ 10$^{13}$"."""
_SPACES = re.compile(r"\\(?:[,;:! ]|quad\b|qquad\b)")
_WRAPPED = re.compile(r"\\(?:textbf|mathbf|mathrm|text|boldsymbol|displaystyle|left|right)\b|\\[()\[\]]")
_FRACTION = re.compile(
    r"(?P<whole>(?<![\w.,])[0-9]{1,9}\s?)?\\[dt]?frac\s?\{\s?(?P<top>[0-9]{1,9})\s?\}\s?\{\s?(?P<bottom>[0-9]{1,9})\s?\}"
)
_VULGAR = re.compile(r"(?P<whole>(?<![\w.,])[0-9]{1,9}\s?)?(?P<part>[¼-¾⅐-⅞])")
_PLAIN = {"\\%": "%", "\\$": "$", "\\circ": "°", "{,}": ",", "\\times": "×", "\\cdot": "×", "\\approx": "≈"}


def without_latex(text: str) -> str:
    """`text` with LaTeX as plain text, simple fractions as decimals, powers of ten as exponents."""
    if "$" in text and "10" in text:
        text = _SPLIT_POWER.sub(r"\\times 10^\g<power>", text)
    if "10" in text:
        text = _POWER.sub(lambda match: f"e{match['power'].replace('−', '-')}", text)
    if "\\" in text or "^" in text or "{,}" in text:
        text = _DEGREE_POWER.sub("°", text)
        text = _FRACTION.sub(lambda match: _decimal(match, int(match["top"]), int(match["bottom"])), text)
        for old, new in _PLAIN.items():
            text = text.replace(old, new)
        text = _WRAPPED.sub("", _SPACES.sub(" ", text))
    return text if text.isascii() else _VULGAR.sub(_from_vulgar, text)


def _from_vulgar(match: re.Match[str]) -> str:
    part = Fraction(unicodedata.numeric(match["part"])).limit_denominator(10)
    return _decimal(match, part.numerator, part.denominator)


def _decimal(match: re.Match[str], top: int, bottom: int) -> str:
    """A fraction as a decimal number; unchanged if its denominator is 0."""
    if bottom == 0:
        return match[0]
    value = int(match["whole"] or 0) + Fraction(top, bottom)
    step = Decimal(1).scaleb(-FRACTION_DIGITS)
    decimal = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(step, ROUND_HALF_EVEN)
    return f"{decimal.normalize():f}"
