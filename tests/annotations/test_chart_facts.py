"""What the chart of an item shows besides its records, of every template of the banks, before and after."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from clinicnum.annotations.chart_facts import ChartFacts, chart_facts
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.types import Instance, Record
from tests.db.examples import instance

BANK = {template.id: template for template in named_bank("all")}
START = datetime(2180, 5, 10, 6, 27)
PRESSURES = ((118, 76, 90), (119, None, 96), (80, 45, 120))


def asked(template: Template, question: str | None = None) -> Instance:
    """An item of a template on three records, one of which lacks its diastolic pressure."""
    records = tuple(
        Record(
            subject_id="s",
            stay_id="1",
            charttime=START + timedelta(hours=hour),
            sbp_mmhg=Decimal(sbp),
            dbp_mmhg=None if dbp is None else Decimal(dbp),
            heart_rate_bpm=Decimal(rate),
            source="synthetic",
        )
        for hour, (sbp, dbp, rate) in enumerate(PRESSURES)
    )
    filled = {name: "2180-05-10 06:27:00" for name in template.record_slots}
    words = {name: "earliest" for name in template.slots if name not in filled}
    worded = template.question(0, filled | words) if question is None else question
    return instance(0).model_copy(update={"records": records, "question": worded})


def facts(template_id: str, *, revealed: bool, question: str | None = None) -> ChartFacts:
    template = BANK[template_id]
    return chart_facts(template, asked(template, question), revealed=revealed)


def limits(found: ChartFacts) -> list[tuple[str | None, str, str, str | None]]:
    return [(one.vital or one.formula, one.comparator, one.value, one.unit) for one in found.thresholds]


@pytest.mark.parametrize(
    ("template_id", "expected"),
    [
        ("comparison.first_above.sbp", [("sbp_mmhg", "above", "120", "mmHg")]),
        ("comparison.first_below.heart_rate", [("heart_rate_bpm", "below", "60", "bpm")]),
        ("aggregation.map_above_100", [("mean arterial pressure", "above", "100", "mmHg")]),
        ("aggregation.shock_index_above_0_7", [("shock index", "above", "0.7", None)]),
        ("arithmetic.bp_sum", []),
    ],
)
def test_thresholds_of_the_question_are_told_before_the_reference_is_open(
    template_id: str, expected: list[tuple[str, str, str, str | None]]
) -> None:
    assert limits(facts(template_id, revealed=False)) == expected
    assert limits(facts(template_id, revealed=True)) == expected


def test_a_limit_that_the_question_does_not_name_waits_for_the_reference() -> None:
    bands = "arithmetic.news2_points.resp_rate"
    assert limits(facts(bands, revealed=False)) == []
    assert [limit[2] for limit in limits(facts(bands, revealed=True))] == ["8", "11", "20", "24"]
    assert limits(facts("comparison.first_above.sbp", revealed=False, question="When was it high?")) == []


@pytest.mark.parametrize(
    ("template_id", "name", "unit", "values"),
    [
        ("aggregation.map_above_100", "mean arterial pressure", "mmHg", ("90.00", None, "56.67")),
        ("arithmetic.map_double_diastolic", "mean arterial pressure", "mmHg", ("90.0", None, "56.7")),
        ("arithmetic.shock_index", "shock index", None, ("0.76", "0.81", "1.50")),
        ("arithmetic.age_shock_index", "shock index", None, ("0.76", "0.81", "1.50")),
        ("arithmetic.modified_shock_index", "modified shock index", None, ("1.00", None, "2.12")),
        ("arithmetic.pulse_pressure", "pulse pressure", "mmHg", ("42", None, "35")),
    ],
)
def test_values_of_the_formula_that_is_asked_come_with_the_reference_and_no_sooner(
    template_id: str, name: str, unit: str | None, values: tuple[str | None, ...]
) -> None:
    (lane,) = facts(template_id, revealed=True).formulas
    assert (lane.name, lane.unit, lane.values) == (name, unit, values)
    assert facts(template_id, revealed=False).formulas == ()


def test_no_template_of_the_banks_tells_a_value_before_the_reference_that_its_question_does_not() -> None:
    limited = 0
    for template in BANK.values():
        item = asked(template)
        blind, after = (chart_facts(template, item, revealed=shown) for shown in (False, True))
        assert blind.formulas == ()
        assert all(one.value in item.question for one in blind.thresholds), template.id
        assert set(blind.thresholds) <= set(after.thresholds)
        assert all(len(lane.values) == len(item.records) for lane in after.formulas)
        limited += bool(blind.thresholds)
    assert limited > len(BANK) / 10


def test_a_question_from_elsewhere_has_no_facts() -> None:
    item = asked(BANK["arithmetic.shock_index"])
    assert chart_facts(None, item, revealed=True) == ChartFacts()
    bare = item.model_copy(update={"records": ()})
    assert chart_facts(BANK["arithmetic.shock_index"], bare, revealed=True) == ChartFacts()
