"""The variant `input.distractor`: numbers unrelated to the question, such as labs, a dose or an earlier
visit.

An earlier visit is shown only where a context is one stay, with a question that limits itself to this visit.
"""

import random
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from clinicnum.questions.ask_question import NotAskedError, RejectedError, gold_of
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.taxonomy_codes import DISTRACTOR_USED
from clinicnum.types import Distractor, Record, Vital
from clinicnum.variants.answer_bounds import Range
from clinicnum.variants.needed_values import resolution
from clinicnum.variants.record_line import values_text
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, alert, case_of

THIS_VISIT = "The question is about this visit only."

# Sodium, potassium, chloride, calcium: Scripps Medical Laboratory, reference ranges; haemoglobin: MSD Manual,
# "Blood Tests"; albumin: ABIM, "Reference ranges". Usual values, as they mean nothing here.
LABS: tuple[tuple[str, tuple[str, ...], str, str, str], ...] = (
    ("Na", ("sodium",), "136", "146", "mmol/L"),
    ("K", ("potassium",), "3.5", "5.1", "mmol/L"),
    ("Cl", ("chloride",), "98", "107", "mmol/L"),
    ("Ca", ("calcium",), "8.4", "10.3", "mg/dL"),
    ("Hb", ("haemoglobin", "hemoglobin"), "12.0", "16.0", "g/dL"),
    ("albumin", ("albumin",), "3.5", "5.5", "g/dL"),
)
"""Name as written, full name, lowest and highest usual value, unit."""
LABS_SHOWN = 3

# Usual single doses of adults: paracetamol from Am Fam Physician 2013;87:766, table of analgesics; the others
# from the National Cancer Institute's PDQ on pain, table 1.
DOSES = (
    ("paracetamol", "1000 mg PO"),
    ("ibuprofen", "400 mg PO"),
    ("naproxen", "250 mg PO"),
    ("aspirin", "650 mg PO"),
    ("ketorolac", "10 mg PO"),
)
OF_DOSES = ("dose", "mg", "infusion", "drug")
"""Words that show that a question is about a dose: it gets no unrelated dose."""

SHIFTS: dict[Vital, int] = {
    "temperature_c": 6,
    "heart_rate_bpm": 12,
    "resp_rate_bpm": 4,
    "spo2_pct": 2,
    "sbp_mmhg": 12,
    "dbp_mmhg": 8,
    "pain": 2,
}
"""For each vital, the maximum steps by which an earlier visit's value differs from the similar record's."""
FURTHER = 3
"""Factor by which SHIFTS may be widened if all nearer values are shown already."""
LEAST_PULSE_PRESSURE = 20


def distractor(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with labs, a dose or an earlier visit below the records, chosen at random.

    Raises NotApplicableError if each of them could be taken for something that is asked.
    """
    ways: list[Callable[[VariantDraft, random.Random], VariantDraft | None]] = [_labs, _dose, _earlier_visit]
    for way in rng.sample(ways, len(ways)):
        changed = way(draft, rng)
        if changed is not None:
            return changed
    raise NotApplicableError("every distractor could be taken for something asked")


def _labs(draft: VariantDraft, rng: random.Random) -> VariantDraft | None:
    asked = _asked_about(draft)
    free = [lab for lab in LABS if not any(name in asked for name in lab[1])]
    if len(free) < LABS_SHOWN:
        return None
    shown = []
    for name, _, low, high, unit in rng.sample(free, LABS_SHOWN):
        step = Decimal(1).scaleb(Decimal(low).as_tuple().exponent)  # type: ignore[arg-type]
        value = Decimal(low) + step * rng.randrange(int((Decimal(high) - Decimal(low)) / step) + 1)
        shown.append(f"{name} {value} {unit}")
    return _below(draft, f"Labs: {', '.join(shown)}.")


def _dose(draft: VariantDraft, rng: random.Random) -> VariantDraft | None:
    asked = _asked_about(draft)
    # All doses are taken by mouth.
    if any(word in asked for word in OF_DOSES) or not alert(draft.givens):
        return None
    drug, dose = rng.choice(DOSES)
    return _below(draft, f"Medication given: {drug} {dose}.")


def _asked_about(draft: VariantDraft) -> str:
    return " ".join([draft.words.text(), *(given.name for given in draft.givens)]).lower()


def _below(draft: VariantDraft, line: str) -> VariantDraft:
    return replace(draft, context=f"{draft.context}\n{line}")


def _earlier_visit(draft: VariantDraft, rng: random.Random) -> VariantDraft | None:
    """The draft with a line on a made-up earlier visit, whose values resemble those of one record.

    None if the context pools visits, or if a vital sign that the template uses has no value in that record or
    no unused value near it.
    """
    if draft.base.scope != "stay":
        return None
    values = _like(rng.choice(draft.records), draft, rng)
    ago = timedelta(days=rng.randrange(30, 700), minutes=rng.randrange(24 * 60))
    if any(values[vital] is None for vital in draft.asked.template.vitals):
        return None
    first = draft.records[0]
    told: dict[str, Any] = {**values, "charttime": first.charttime - ago}
    earlier = first.model_copy(update=told)
    line = f"Earlier visit (not this one), {values_text(earlier, draft.style)}."
    words = replace(draft.words, rules=(THIS_VISIT, *draft.words.rules))
    tempted = (*draft.temptations, *_using(draft, earlier))
    return replace(_below(draft, line), words=words, temptations=tempted)


def _like(record: Record, draft: VariantDraft, rng: random.Random) -> dict[str, Decimal | None]:
    """The record's values, each slightly changed and different from all values shown for its vital;
    None if impossible.
    """
    values: dict[str, Decimal | None] = {}
    for vital, sign in VITAL_SIGNS.items():
        value: Decimal | None = getattr(record, vital)
        if value is not None:
            seen = {getattr(other, vital) for other in draft.records}
            high = sign.high
            if vital == "dbp_mmhg" and (systolic := values["sbp_mmhg"]) is not None:
                high = min(high, systolic - LEAST_PULSE_PRESSURE)
            value = _off(value, Range(sign.low, high), seen, vital, rng)
        values[vital] = value
    return values


def _off(
    value: Decimal, range_: Range, seen: AbstractSet[Decimal | None], vital: Vital, rng: random.Random
) -> Decimal | None:
    """Another value within the range, not shown anywhere, at most as many steps away as SHIFTS allows."""
    reach, step = SHIFTS[vital], resolution(vital)
    for times in range(1, FURTHER + 1):
        values = [value + step * by for by in range(-reach * times, reach * times + 1)]
        free = [v for v in values if v not in seen and range_.holds(v)]
        if free:
            return rng.choice(free)
    return None


def _using(draft: VariantDraft, earlier: Record) -> Iterator[Distractor]:
    """Yield the answers that use the earlier visit instead of the present one, or together with it."""
    case = case_of(draft, (earlier, *draft.records))
    single = len(case.at) == 1
    case = case.with_at({slot: 0 if single else index + 1 for slot, index in case.at.items()})
    try:
        value = gold_of(draft.asked, case).text
    except (RejectedError, NotAskedError):
        return
    yield Distractor.model_construct(value=value, rule="earlier_visit", code=DISTRACTOR_USED)
