"""Random tables of numbers: gold, the V1 reading and the independent solver agree, and nothing crashes.

A hundred examples here; `scripts/dev/evidence golds` runs as many as a hundred thousand instances take.
"""

from collections import Counter
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clinicnum.generation.instance_writer import QuestionInstances
from clinicnum.questions.ask_question import (
    NotAskedError,
    PreparedTemplate,
    RejectedError,
    RenderedRecords,
    ask,
    fillings,
)
from clinicnum.questions.givens import draw_givens
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.bank import load_bank
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import REPRESENTATIONS, SIX_VITALS, Record
from clinicnum.validity.context_reader import read
from tests.clinicnum.solver import asked_decimals, rounded, solve

BASE = [PreparedTemplate.of(template) for template in load_bank()]
EVERY = [PreparedTemplate.of(template) for template in named_bank("all")]
START = datetime(2150, 1, 1)
NEAR = {
    "temperature_c": ("36.4", "36.5", "36.6", "37.4", "37.5", "37.6"),
    "heart_rate_bpm": ("59", "60", "61", "70", "71", "100", "101"),
    "resp_rate_bpm": ("11", "12", "13", "20", "21"),
    "spo2_pct": ("94", "95", "96", "100"),
    "sbp_mmhg": ("89", "90", "91", "120", "121"),
    "dbp_mmhg": ("59", "60", "61", "80", "81"),
}
"""Values about every threshold: ties and strictness are where golds go wrong."""
checked: Counter[str] = Counter()


def values(vital: str) -> st.SearchStrategy[Decimal | None]:
    sign = VITAL_SIGNS[vital]  # type: ignore[index]
    tenths = 10 if vital == "temperature_c" else 1
    any_value = st.integers(int(sign.low) * tenths, int(sign.high) * tenths).map(
        lambda n: Decimal(n) / tenths
    )
    near = st.sampled_from([Decimal(text) for text in NEAR.get(vital, ("0", "5"))])
    return (
        st.one_of(near, near, any_value, st.none()) if vital == "pain" else st.one_of(near, near, any_value)
    )


@st.composite
def tables(draw: st.DrawFn) -> list[Record]:
    """Plausible records of one stay, times unique; now and then a vital is undocumented in one record."""
    size = draw(st.integers(2, 7))
    gaps = draw(st.lists(st.integers(1, 30_000), min_size=size, max_size=size))
    missing = draw(st.sampled_from([None, *SIX_VITALS]))
    records, time = [], START
    for index in range(size):
        time += timedelta(seconds=gaps[index])
        row: dict[str, Any] = {vital: draw(values(vital)) for vital in VITAL_SIGNS}
        if row["dbp_mmhg"] >= row["sbp_mmhg"]:
            row["dbp_mmhg"], row["sbp_mmhg"] = Decimal(55), max(row["sbp_mmhg"], Decimal(56))
        if index == size - 1 and missing is not None:
            row[missing] = None
        records.append(Record(subject_id="a", stay_id="b", charttime=time, age_years=61, source="t", **row))
    return records


@given(tables())
def test_gold_reading_and_brute_force_agree(records: list[Record]) -> None:
    for asked in BASE:
        kept = [r for r in records if all(getattr(r, v) is not None for v in asked.template.vitals)]
        if len(kept) < 2:
            continue
        shown = RenderedRecords.of(kept, 0)
        for filling in fillings(asked.template, len(kept))[:3]:
            try:
                question = ask(asked, shown, filling)
            except (RejectedError, NotAskedError):
                continue
            for instance in QuestionInstances(question, 0, REPRESENTATIONS, "b", "stay").instances():
                rows = [{"charttime": time, **row} for time, row in read(instance.context).rows]
                gold = solve(instance.template_id, rows, instance.slots)
                expected = (
                    gold
                    if isinstance(gold, str)
                    else rounded(
                        Fraction(gold),
                        0 if instance.answer_type == "count" else asked_decimals(instance.template_id),
                    )
                )
                assert instance.answer == expected, (instance.template_id, instance.context)
                checked["instances"] += 1


wild = st.one_of(
    st.none(),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3),
    st.integers(-5, 300).map(Decimal),
)
moments = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1))


@given(st.lists(st.tuples(moments, *[wild] * 7), min_size=1, max_size=5))
def test_no_table_of_numbers_crashes_it(rows: list[tuple[Any, ...]]) -> None:
    records = [
        Record(
            subject_id="a",
            stay_id="b",
            charttime=row[0],
            source="t",
            **dict(zip(VITAL_SIGNS, row[1:], strict=True)),
        )
        for row in rows
    ]
    shown = RenderedRecords.of(records, 0)
    for asked in EVERY:
        for filling in fillings(asked.template, len(records))[:2]:
            values = draw_givens(asked.template, records, "seed")
            if values is None:
                continue
            try:
                question = ask(asked, shown, filling, values)
            except (RejectedError, NotAskedError):
                continue
            assert question.gold.text


def test_the_examples_were_not_all_rejected() -> None:
    # Runs last in this file: the first property must have met real questions.
    print(f"{checked['instances']} instances agreed")
    assert checked["instances"] > 1_000
