"""Kind `input.distractor`: numbers that have nothing to do with the question: labs, a dose, an earlier visit.

An earlier visit is shown only where a context is one stay, with a question that limits itself to this visit.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from clinicnum.questions import NotAskedError, RejectedError, gold_of
from clinicnum.records.vitals import VITAL_SIGNS, implausible, time_text, value_text
from clinicnum.representations.names import ABBREVIATED, FULL, SUFFIXES
from clinicnum.types import Distractor, Record
from clinicnum.variants.draft import Draft, NotApplicableError, case_of
from clinicnum.variants.needed import resolution

THIS_VISIT = "The question is about this visit only."
USED = "contextual_inconsistency.distractor_used"

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
"""As written, what it is called in full, lowest and highest usual value, unit."""
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
"""Words of a question that a dose could be taken to belong to."""

SHIFTS = {"temperature_c": 8, "pain": 2}
"""By how many steps a value of the earlier visit may differ from one of this visit; else by SHIFT."""
SHIFT = 15


def distractor(draft: Draft, rng: random.Random) -> Draft:
    """One of the three, below the records."""
    ways: list[Callable[[Draft, random.Random], Draft | None]] = [_labs, _dose, _earlier_visit]
    for way in rng.sample(ways, len(ways)):
        changed = way(draft, rng)
        if changed is not None:
            return changed
    raise NotApplicableError("every distractor could be taken for something asked")


def _labs(draft: Draft, rng: random.Random) -> Draft | None:
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


def _dose(draft: Draft, rng: random.Random) -> Draft | None:
    asked = _asked_about(draft)
    if any(word in asked for word in OF_DOSES):
        return None
    drug, dose = rng.choice(DOSES)
    return _below(draft, f"Medication given: {drug} {dose}.")


def _asked_about(draft: Draft) -> str:
    return " ".join([draft.words.text(), *(given.name for given in draft.givens)]).lower()


def _below(draft: Draft, line: str) -> Draft:
    return replace(draft, context=f"{draft.context}\n{line}")


def _earlier_visit(draft: Draft, rng: random.Random) -> Draft | None:
    """Values like this visit's, one visit long ago; None in a context that pools visits."""
    if draft.base.scope != "stay":
        return None
    now = rng.choice(draft.records)
    ago = timedelta(days=rng.randrange(30, 700), minutes=rng.randrange(24 * 60))
    earlier = now.model_copy(update={**_shifted(now, rng), "charttime": draft.records[0].charttime - ago})
    if implausible(earlier) is not None:
        return None
    names = ABBREVIATED if draft.style.abbreviated else FULL
    suffixes = ("",) * len(SUFFIXES) if draft.style.units is False else SUFFIXES
    shown = [
        f"{name} {value_text(vital, value)}{suffix}"
        for vital, name, suffix in zip(VITAL_SIGNS, names, suffixes, strict=True)
        if (value := getattr(earlier, vital)) is not None
    ]
    line = f"Earlier visit (not this one), {time_text(earlier)}: {', '.join(shown)}."
    words = replace(draft.words, rules=(THIS_VISIT, *draft.words.rules))
    tempted = (*draft.temptations, *_using(draft, earlier))
    return replace(_below(draft, line), words=words, temptations=tempted)


def _shifted(record: Record, rng: random.Random) -> dict[str, Decimal]:
    values: dict[str, Decimal] = {}
    for vital in VITAL_SIGNS:
        reach, value = SHIFTS.get(vital, SHIFT), getattr(record, vital)
        moved = resolution(vital) * rng.randrange(-reach, reach + 1)
        if value is not None:
            values[vital] = value + moved
    return values


def _using(draft: Draft, earlier: Record) -> Iterator[Distractor]:
    """The answer that the earlier visit gives, or joins in giving."""
    case = case_of(draft, (earlier, *draft.records))
    single = len(case.at) == 1
    case = case.with_at({slot: 0 if single else index + 1 for slot, index in case.at.items()})
    try:
        value = gold_of(draft.asked, case).text
    except (RejectedError, NotAskedError):
        return
    yield Distractor.model_construct(value=value, rule="earlier_visit", code=USED)
