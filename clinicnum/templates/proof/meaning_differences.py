"""Describe in one line how the meaning of a wording differs from that of its rule."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.proof.grammar import Meaning

COMPARED = {"above": "above", "below": "below", "at_least": "at least", "at_most": "at most"}
SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
OVER_PAIRS = "from record to record"


def difference(said: Meaning, rule: Meaning) -> str:
    """The first difference between what a wording says and its rule, in words; compared in turn: vital signs,
    limits, aggregation, direction, record, operands.
    """
    for kind, found in KINDS.items():
        one, other = (set(found(meaning)) for meaning in (said, rule))
        if one != other:
            return f"it says {_listed(one - other, kind)}; the rule has {_listed(other - one, kind)}"
    return f"it says {formula(said)}; the rule has {formula(rule)}"


def formula(meaning: Meaning) -> str:
    """A meaning as a formula in words, operands in order."""
    if isinstance(meaning, Fraction):
        return f"{float(meaning):g}"
    if not isinstance(meaning, tuple):
        return str(meaning)
    kind, *parts = meaning
    if kind in SIGNS:
        return f" {SIGNS[kind]} ".join(
            f"({formula(part)})" if _compound(part) else formula(part) for part in parts
        )
    if kind == "vital":
        return VITAL_SIGNS[parts[0]].label + _of_record(parts[1] if len(parts) > 1 else "each")
    if kind in COMPARED:
        return f"{formula(parts[0])} {COMPARED[kind]} {formula(parts[1])}"
    if kind == "same":
        return formula(parts[1])
    if kind == "at":
        return f"{formula(parts[1])}{_of_record(parts[0])}"
    if kind in ("bands", "news2", "scale_1", "trauma", "option_points", "given"):
        return f"{'' if kind == 'given' else 'points of '}{formula(parts[0])}"
    told = ", ".join(formula(part) for part in parts if isinstance(part, tuple | Fraction))
    return f"{kind} of {told}" if told else str(kind)


def _of_record(where: str) -> str:
    if where in ("each", "next", "earliest", "latest"):
        return "" if where == "each" else f" of the {where} record"
    return f" at {{{where}}}"


def _compound(part: Meaning) -> bool:
    return isinstance(part, tuple) and part[0] in SIGNS


def _listed(found: set[str], kind: str) -> str:
    return ", ".join(sorted(found)) if found else f"no such {kind}"


def parts(meaning: Meaning) -> Iterator[tuple[Meaning, ...]]:
    """Yield every part of a meaning that is itself a list."""
    if isinstance(meaning, tuple) and meaning:
        yield meaning
        for part in meaning[2:] if meaning[0] == "same" else meaning[1:]:
            yield from parts(part)


def _vitals(meaning: Meaning) -> Iterator[str]:
    yield from (VITAL_SIGNS[p[1]].label for p in parts(meaning) if p[0] == "vital")


def _givens(meaning: Meaning) -> Iterator[str]:
    for part in parts(meaning):
        if part[0] == "option_points" or part[0] == "given":
            yield str(part[1])


def _limits(meaning: Meaning) -> Iterator[str]:
    for part in parts(meaning):
        if part[0] in COMPARED:
            limit = f" {float(part[2]):g}" if isinstance(part[2], Fraction) else ""
            yield f"{COMPARED[part[0]]}{limit}"


def _aggregations(meaning: Meaning) -> Iterator[str]:
    for part in parts(meaning):
        if part[0] == "over":
            yield f"the {part[1]} over records"
        elif part[0] == "pairs":
            yield f"the {part[1]} {OVER_PAIRS}"
        elif part[0] in ("count", "slope"):
            yield f"a {part[0]}"
        elif part[0] in ("time_of", "time_of_extreme"):
            yield "a time"


def _directions(meaning: Meaning) -> Iterator[str]:
    yield from (str(p[1]) for p in parts(meaning) if p[0] in ("time_of", "time_of_extreme"))


def _records(meaning: Meaning) -> Iterator[str]:
    for part in parts(meaning):
        if part[0] == "at" or (part[0] == "time" and part[1] not in ("each", "next")):
            yield f"{{{part[1]}}}" if part[1] not in ("earliest", "latest") else f"the {part[1]} record"
        elif part[0] == "vital" and len(part) > 2 and part[2] not in ("each",):
            yield f"{{{part[2]}}}" if part[2] not in ("earliest", "latest") else f"the {part[2]} record"
        elif part[0] in ("over", "slope") and part[-1] not in (None, "none"):
            take = part[-2] if part[-2] in ("earliest", "latest") else f"{{{part[-2]}}}"
            yield f"the {int(part[-1])} {take} records"


KINDS: dict[str, Callable[[Meaning], Iterator[str]]] = {
    "vital sign": _vitals,
    "given": _givens,
    "limit": _limits,
    "aggregation": _aggregations,
    "direction": _directions,
    "record": _records,
}
