"""The values on which an answer depends (cells and givens), and the same question with one of them
changed.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from clinicnum.questions.ask_question import NotAskedError, RejectedError, gold_of
from clinicnum.records.vitals import VITAL_SIGNS, implausible, value_text
from clinicnum.templates.evaluate_tree import Answer, Case, evidence
from clinicnum.templates.template import ChoiceGiven, NumberGiven, RecordGiven
from clinicnum.types import Cell, Given, Record, Vital
from clinicnum.variants.variant_draft import VariantDraft

Need = Cell | str
"""A cell of the record table, or the key of a given."""
Value = Decimal | str
"""The value of a cell or number given; for a choice given, the word."""

REACH = 5
"""Another value is at most 1/REACH of a vital's plausible range away."""
DRAWS = 6
"""Values drawn for a gap, besides the two ends of the range."""
USUAL: dict[Vital, tuple[str, str]] = {
    "temperature_c": ("35.0", "39.5"),
    "heart_rate_bpm": ("45", "140"),
    "resp_rate_bpm": ("8", "32"),
    "spo2_pct": ("88", "100"),
    "sbp_mmhg": ("70", "195"),
    "dbp_mmhg": ("35", "110"),
}
"""What a gap may plausibly hold: about the 0.5th to 99.5th percentile of the open MIMIC-IV-ED demo.

An answer that only a value at the limits of belief (V6) would change is not open.
"""
DIASTOLIC_SHARE = Decimal("0.3"), Decimal("0.85")
"""Diastolic as a share of systolic pressure, likewise."""


@dataclass(frozen=True, slots=True)
class ChangedQuestion:
    """The question with one value changed."""

    records: tuple[Record, ...]
    givens: tuple[Given, ...]
    case: Case
    gold: Answer


def needs(draft: VariantDraft) -> list[Need]:
    """What an answer depends on: the cells of the evidence, then the givens stated separately in the
    context.
    """
    template = draft.asked.template
    keys = [key for key, given in template.givens.items() if not isinstance(given, RecordGiven)]
    return [*evidence(template.tree, draft.case, draft.gold), *keys]


def value_of(draft: VariantDraft, need: Need) -> Value:
    """The present value of a needed cell or given."""
    if isinstance(need, Cell):
        value: Decimal = getattr(draft.records[need.record], need.vital)
        return value
    text = draft.case.givens[need]
    return Decimal(text) if isinstance(draft.asked.template.givens[need], NumberGiven) else text


def shown(draft: VariantDraft, need: Need, value: Value) -> str:
    """A value of the needed cell or given as the context would show it, with its unit."""
    if isinstance(need, Cell):
        assert isinstance(value, Decimal)
        return f"{value_text(need.vital, value)} {VITAL_SIGNS[need.vital].unit}"
    unit = draft.asked.template.givens[need].unit
    return f"{value} {unit}" if unit else str(value)


def nearby(draft: VariantDraft, need: Need, rng: random.Random) -> Value:
    """A random value for a needed cell or given: of a vital, another at most 1/REACH of its range away,
    perhaps out of range.
    """
    old = value_of(draft, need)
    if isinstance(need, Cell):
        assert isinstance(old, Decimal)
        low, high, step = _range(draft, need)
        steps = int((high - low) / step) // REACH
        return old + step * rng.randrange(1, steps + 1) * rng.choice((1, -1))
    given = draft.asked.template.givens[need]
    if isinstance(given, ChoiceGiven):
        return rng.choice([option for option in given.options if option != old])
    assert isinstance(given, NumberGiven)
    return given.drawn(rng)


def completions(draft: VariantDraft, need: Need, rng: random.Random) -> Iterator[Value]:
    """Yield values that the needed cell or given could have: both ends of its range and draws between, or
    every option.
    """
    given = None if isinstance(need, Cell) else draft.asked.template.givens[need]
    if isinstance(given, ChoiceGiven):
        yield from given.options
        return
    low, high, step = _usual(draft, need) if isinstance(need, Cell) else _range(draft, need)
    if low > high:
        return
    yield from (low, high)
    for _ in range(DRAWS):
        yield given.drawn(rng) if isinstance(given, NumberGiven) else _drawn(low, high, step, rng)


def _usual(draft: VariantDraft, cell: Cell) -> tuple[Decimal, Decimal, Decimal]:
    """Lowest and highest plausible value of a cell, and its step; no value is plausible if lowest > highest.

    The systolic pressure of the record limits the diastolic one, and the other way round.
    """
    low, high = map(Decimal, USUAL[cell.vital])
    record, (least, most) = draft.records[cell.record], DIASTOLIC_SHARE
    if cell.vital == "dbp_mmhg" and record.sbp_mmhg is not None:
        low, high = max(low, record.sbp_mmhg * least), min(high, record.sbp_mmhg * most)
    if cell.vital == "sbp_mmhg" and record.dbp_mmhg is not None:
        low, high = max(low, record.dbp_mmhg / most), min(high, record.dbp_mmhg / least)
    step = resolution(cell.vital)
    return low.quantize(step, ROUND_CEILING), high.quantize(step, ROUND_FLOOR), step


def _range(draft: VariantDraft, need: Need) -> tuple[Decimal, Decimal, Decimal]:
    """Lowest and highest plausible value, and the step between values."""
    if isinstance(need, Cell):
        sign = VITAL_SIGNS[need.vital]
        return sign.low, sign.high, resolution(need.vital)
    given = draft.asked.template.givens[need]
    assert isinstance(given, NumberGiven)
    return given.low, given.high, Decimal(1).scaleb(-given.decimals)


def _drawn(low: Decimal, high: Decimal, step: Decimal, rng: random.Random) -> Decimal:
    return low + step * rng.randrange(int((high - low) / step) + 1)


def resolution(vital: Vital) -> Decimal:
    """The step in which a vital is recorded."""
    return Decimal("0.1") if vital == "temperature_c" else Decimal(1)


def with_value(draft: VariantDraft, need: Need, value: Value) -> ChangedQuestion | None:
    """The draft's question with one needed value replaced; None if that is no valid question."""
    if isinstance(need, Cell):
        return _with_cell(draft, need, value)
    text = f"{value:f}" if isinstance(value, Decimal) else value
    label = draft.asked.template.givens[need].label
    givens = tuple(
        given.model_copy(update={"value": text}) if given.name == label else given for given in draft.givens
    )
    case = replace(draft.case, givens={**draft.case.givens, need: text})
    return _asked(draft, draft.records, givens, case)


def _with_cell(draft: VariantDraft, cell: Cell, value: Value) -> ChangedQuestion | None:
    index, vital = cell.record, cell.vital
    record = draft.records[index].model_copy(update={vital: value})
    if implausible(record) is not None:
        return None
    assert isinstance(value, Decimal)
    # Only one row is replaced, as there are many candidates; a chosen one is recomputed from its records.
    table = draft.case.table
    row = {**table.values[index], vital: value.as_integer_ratio()}
    table = replace(table, values=(*table.values[:index], row, *table.values[index + 1 :]))
    records = (*draft.records[:index], record, *draft.records[index + 1 :])
    return _asked(draft, records, draft.givens, draft.case.with_table(table))


def _asked(
    draft: VariantDraft, records: tuple[Record, ...], givens: tuple[Given, ...], case: Case
) -> ChangedQuestion | None:
    try:
        return ChangedQuestion(records, givens, case, gold_of(draft.asked, case))
    except (RejectedError, NotAskedError):
        return None


def without(draft: VariantDraft, need: Need) -> VariantDraft:
    """The draft with one needed value no longer documented."""
    if isinstance(need, Cell):
        record = draft.records[need.record].model_copy(update={need.vital: None})
        records = (*draft.records[: need.record], record, *draft.records[need.record + 1 :])
        return replace(draft, records=records)
    label = draft.asked.template.givens[need].label
    return replace(draft, givens=tuple(given for given in draft.givens if given.name != label))
