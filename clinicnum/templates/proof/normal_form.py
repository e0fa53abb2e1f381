"""The normal form of a meaning: the same for meanings that are equal by arithmetic and logic.

Numbers are compared by their value where every vital sign, given and time is replaced by a number that
follows from its name, in the field of integers modulo a large prime: equal formulas then have equal values,
and different ones differ but for a chance of about 2^-120 (Schwartz and Zippel's lemma).
"""

import hashlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from clinicnum.templates.proof.clinical_score_tables import NEWS2, NEWS2_CHOICES, NEWS2_SCALE_2, TRAUMA
from clinicnum.templates.proof.grammar import Meaning

PRIME = 2**127 - 1
NAMED = {
    "above": ("above", 1),
    "below": ("above", -1),
    "at_least": ("at_least", 1),
    "at_most": ("at_least", -1),
}


class ContradictionError(ValueError):
    """A wording or a rule that cannot be right; the message says why.

    It contradicts itself, compares numbers of different units, uses a score in a way that its tables do not
    allow, or presumes what the template does not require.
    """


def normal_form(meaning: Meaning) -> Meaning:
    """The normal form of an answer: a number, a time, or a condition.

    Raises ContradictionError for a meaning that contradicts itself, such as a division by 0.
    """
    return _form(meaning, None)


def _form(meaning: Meaning, where: str | None) -> Meaning:
    kind = meaning[0] if isinstance(meaning, tuple) else None
    if kind in ("all", "any"):
        return _joined(str(kind), [_form(part, where) for part in meaning[1:]])
    if kind == "not":
        return _negated(_form(meaning[1], where))
    if kind == "at":
        return _form(meaning[2], meaning[1])
    if kind == "agree":
        return _agreed([_form(part, where) for part in meaning[1:]])
    if kind in NAMED:
        name, sign = NAMED[str(kind)]
        difference = (_value(meaning[1], where) - _value(meaning[2], where)) * sign % PRIME
        return (name, difference)
    return ("number", _value(meaning, where))


def _agreed(forms: list[Meaning]) -> Meaning:
    if forms[0] != forms[1]:
        raise ContradictionError("it says what is looked for in two ways that differ")
    return forms[0]


def _joined(kind: str, forms: list[Meaning]) -> Meaning:
    flat: list[Meaning] = []
    for form in forms:
        flat += form[1:] if form[0] == kind else [form]
    unique = sorted(set(flat), key=repr)
    return unique[0] if len(unique) == 1 else (kind, *unique)


def _negated(form: Meaning) -> Meaning:
    kind = form[0]
    if kind in ("all", "any"):
        return _joined("any" if kind == "all" else "all", [_negated(part) for part in form[1:]])
    return ({"above": "at_least", "at_least": "above"}[kind], -form[1] % PRIME)


def _value(meaning: Meaning, where: str | None) -> int:
    if isinstance(meaning, Fraction):
        return meaning.numerator * pow(meaning.denominator, -1, PRIME) % PRIME
    return _VALUES[meaning[0]](meaning, where)


def _atom(*parts: Any) -> int:
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()) % PRIME


def _arithmetic(meaning: Meaning, where: str | None) -> int:
    op, *parts = meaning
    values = [_value(part, where) for part in parts]
    total = values[0]
    for value in values[1:]:
        if op == "+":
            total += value
        elif op == "-":
            total -= value
        elif op == "*":
            total *= value
        elif value:
            total *= pow(value, -1, PRIME)
        else:
            raise ContradictionError("it divides by a number that is always 0")
    return total % PRIME


def _same(meaning: Meaning, where: str | None) -> int:
    """The value of a number that a text both names and gives a formula for. Raises ContradictionError if the
    two differ.
    """
    name, formula = (_value(part, where) for part in meaning[1:])
    if name != formula:
        raise ContradictionError("the name it uses and the formula it gives for it differ")
    return name


def _over(meaning: Meaning, where: str | None) -> int:
    _, how, of, take, n = meaning
    if how == "range":
        highest, lowest = (_value(("over", how, of, take, n), where) for how in ("highest", "lowest"))
        return (highest - lowest) % PRIME
    count = None if n in (None, "none") else int(n)
    return _atom("over", how, _value(of, "each"), take, count)


def _absolute(meaning: Meaning, where: str | None) -> int:
    value = _value(meaning[1], where)
    return _atom("absolute", min(value, PRIME - value))


def _if(meaning: Meaning, where: str | None) -> int:
    """1 if a condition holds, otherwise 0; mutually exclusive conditions are added."""
    condition = meaning[1]
    if condition[0] == "agree":
        _form(condition, where)
        condition = condition[1]
    if condition[0] == "any" and _exclusive(condition[1:], where):
        return sum(_value(("if", part), where) for part in condition[1:]) % PRIME
    return _atom("if", _form(condition, where))


def _exclusive(parts: tuple[Meaning, ...], where: str | None) -> bool:
    """Whether the parts are two limits on one number that cannot both be exceeded."""
    if sorted(part[0] for part in parts) != ["above", "below"]:
        return False
    above, below = sorted(parts)
    limits = (above[2], below[2])
    numbers = all(isinstance(limit, Fraction) for limit in limits)
    return numbers and _value(above[1], where) == _value(below[1], where) and limits[0] >= limits[1]


def _bands(meaning: Meaning, where: str | None) -> int:
    rows = tuple((None if limit is None else str(limit), points) for limit, points in meaning[2])
    return _atom("bands", _value(meaning[1], where), rows)


def _news2(meaning: Meaning, where: str | None) -> int:
    scaled = meaning[1][1] == "spo2_pct"
    if scaled != (meaning[0] == "scale_1"):
        raise ContradictionError(
            "it does not say on which scale SpO2 is scored" if scaled else "only SpO2 has scales"
        )
    return _bands(("bands", meaning[1], NEWS2[meaning[1][1]]), where)


def _news2_given(meaning: Meaning, where: str | None) -> int:
    label = meaning[1][1]
    points = NEWS2_CHOICES.get(label)
    if points is None:
        raise ContradictionError(f"NEWS2 gives no points for {label}")
    return _atom("option_points", label, tuple(sorted(points.items())))


def _scale_2(meaning: Meaning, where: str | None) -> int:
    """The points by the table for oxygen if it is given, otherwise by that for air."""
    _, vital, given = meaning
    if vital[1] != "spo2_pct" or given[1] != "supplemental oxygen":
        raise ContradictionError("scale 2 scores SpO2 by supplemental oxygen")
    total = 0
    for option, table in NEWS2_SCALE_2.items():
        chosen = tuple((name, int(name == option)) for name in sorted(NEWS2_SCALE_2))
        total += _atom("option_points", given[1], chosen) * _bands(("bands", vital, table), where)
    return total % PRIME


def _trauma(meaning: Meaning, where: str | None) -> int:
    table = {name.lower(): rows for name, rows in TRAUMA.items()}[meaning[1][1]]
    return _bands(("bands", meaning[1], table), where)


def _time_of(meaning: Meaning, where: str | None) -> int:
    return _atom("time_of", meaning[1], _form(meaning[2], "each"))


_VALUES: dict[str, Callable[[Meaning, str | None], int]] = {
    **dict.fromkeys(("+", "-", "*", "/"), _arithmetic),
    "vital": lambda m, where: _atom("vital", m[1], m[2] if len(m) > 2 else where),
    "given": lambda m, where: _atom("given", m[1]),
    "at": lambda m, where: _value(m[2], m[1]),
    "same": _same,
    "in": lambda m, where: _value(m[1], where),
    "absolute": _absolute,
    "if": _if,
    "over": _over,
    "count": lambda m, where: _over(("over", "sum", ("if", m[1]), "all", None), where),
    "pairs": lambda m, where: _atom("pairs", m[1], _value(m[2], "each")),
    "slope": lambda m, where: _atom("slope", _value(m[1], "each"), m[2], int(m[3])),
    "minutes": lambda m, where: (_value(m[2], where) - _value(m[1], where)) % PRIME,
    "time": lambda m, where: _atom("time", m[1] if m[1] != "this" else where),
    "time_of": _time_of,
    "time_of_extreme": lambda m, where: _atom("extreme", m[1], _value(m[2], "each")),
    "round": lambda m, where: _atom("round", _value(m[1], where), int(m[2])),
    "bands": _bands,
    "option_points": lambda m, where: _atom("option_points", m[1], m[2]),
    "news2": _news2,
    "scale_1": _news2,
    "news2_given": _news2_given,
    "scale_2": _scale_2,
    "trauma": _trauma,
}
