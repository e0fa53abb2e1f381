"""What an answer could be at all: hand-computed ranges, and every gold lies in its own."""

from decimal import Decimal
from fractions import Fraction

import pytest

from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK
from clinicnum.variants.answer_bounds import ANYTHING, Range
from clinicnum.variants.interval_arithmetic import ANY, difference, intersection, product, quotient, total
from tests.clinicnum.varying import groups, pairs, range_of

ONE, TWO, NINE = Fraction(1), Fraction(2), Fraction(9)

KNOWN = {
    "retrieval.spo2": ("50", "100"),
    "retrieval.temperature": ("30", "43"),
    "arithmetic.pulse_pressure": ("0", "285"),
    "arithmetic.shock_index": ("0.07", "6.25"),
    "arithmetic.hr_over_baseline": ("0", "257.1"),
    "arithmetic.hr_change": ("-100", "1150"),
    "arithmetic.qsofa": ("0", "3"),
    "arithmetic.crb65": ("0", "4"),
    "arithmetic.sirs": ("0", "4"),
    "arithmetic.sirs_vital_points": ("0", "3"),
    "arithmetic.news2": ("0", "20"),
    "arithmetic.revised_trauma_score": ("0", "7.8408"),
    "arithmetic.dose_by_weight": ("90", "2400"),
    "arithmetic.infusion_dose": ("0.009", "0.948"),
    "arithmetic.proportional_pulse_pressure": ("0", "100"),
    "aggregation.share_of_time_below.spo2_94": ("0", "100"),
    "aggregation.time_weighted_mean.map": ("23.3", "233.3"),
    "aggregation.first_to_last_change.sbp": ("-260", "260"),
    "aggregation.largest_rise.heart_rate": ("0", "230"),
    "aggregation.range.temperature": ("0", "13"),
}


def test_ranges_are_those_computed_by_hand() -> None:
    found: dict[str, Range] = {}
    for bank in (BASE_BANK, EXTENDED_BANK):
        for _, bases in groups(bank):
            found[bases[0].template_id] = range_of(bases[0])
    assert {name: found[name] for name in KNOWN} == {
        name: Range(Decimal(low), Decimal(high)) for name, (low, high) in KNOWN.items()
    }


@pytest.mark.parametrize("bank", [BASE_BANK, EXTENDED_BANK], ids=lambda path: path.name)
def test_every_gold_lies_in_its_range_whatever_value_is_changed(bank: object) -> None:
    which = BASE_BANK if bank == BASE_BANK else EXTENDED_BANK
    golds = [bases[0] for _, bases in groups(which)] + [made for _, made in pairs("numeric.relevant", which)]
    for made in golds:
        if made.answer_type == "datetime":
            assert range_of(made) == ANYTHING
        else:
            assert range_of(made).holds(Decimal(made.answer or ""))
    assert len(golds) > 300


def test_counts_and_minutes_end_with_the_records() -> None:
    for _, bases in groups(EXTENDED_BANK):
        base = bases[0]
        times = [record.charttime for record in base.records]
        if base.answer_type == "count":
            assert range_of(base) == Range(Decimal(0), Decimal(len(times)))
        if base.unit == "minutes":
            high = range_of(base).high
            assert high is not None
            assert abs(high - Decimal((times[-1] - times[0]).total_seconds()) / 60) <= Decimal("0.5")
        if base.template_id == "aggregation.count.sbp_falls":
            assert range_of(base) == Range(Decimal(0), Decimal(len(times) - 1))


def test_intervals_are_computed_at_their_ends() -> None:
    assert product((-TWO, ONE), (-ONE, NINE)) == (-18, 9)
    assert product((ONE, None), (TWO, NINE)) == (2, None)
    assert product((-ONE, None), (TWO, NINE)) == ANY
    assert quotient((ONE, TWO), (TWO, NINE)) == (Fraction(1, 9), 1)
    assert quotient((ONE, TWO), (Fraction(0), NINE)) == ANY
    assert quotient((ONE, TWO), (TWO, None)) == (0, 1)
    assert difference((ONE, TWO), (TWO, NINE)) == (-8, 0)
    assert total([(ONE, None), (TWO, NINE)]) == (3, None)
    assert intersection((None, NINE), (TWO, None)) == (2, 9)
    assert not Range(Decimal(1), None).holds(Decimal("0.9"))
