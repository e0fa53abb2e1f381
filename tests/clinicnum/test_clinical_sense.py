"""What the packaged banks ask makes sense at a bedside: values that are set, patients as they come."""

import re
from collections import Counter
from decimal import Decimal
from itertools import islice

import pytest

from clinicnum.authoring.template_trial_outcomes import Outcomes
from clinicnum.generation.benchmark import generate
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.questions.givens import draw_givens
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.slots_and_givens import ChoiceGiven, NumberGiven
from clinicnum.types import Instance
from clinicnum.variants import parse_variants
from clinicnum.variants.rewording import SYNONYMS

BY_ID = {template.id: template for template in named_bank("all")}
DRAWN = 2_000


def drawn(template_id: str, given: str) -> Counter[str]:
    """How often each value comes in DRAWN questions."""
    template = BY_ID[template_id]
    found = (draw_givens(template, (), str(seed)) for seed in range(DRAWN))
    return Counter(values[given] for values in found if values is not None)


def test_most_patients_are_alert_and_without_oxygen_as_in_emergency_admissions() -> None:
    consciousness = drawn("arithmetic.news2", "consciousness")
    assert 0.94 < consciousness["alert"] / DRAWN < 0.98
    assert set(consciousness) == set(BY_ID["arithmetic.news2"].givens["consciousness"].options)  # type: ignore[union-attr]
    assert 0.09 < drawn("arithmetic.news2", "oxygen")["yes"] / DRAWN < 0.14


@pytest.mark.parametrize("template_id", ["arithmetic.spo2_fio2_ratio", "arithmetic.rox_index"])
def test_oxygen_fractions_are_set_in_practice_and_saturations_are_at_most_97(template_id: str) -> None:
    usual = {"0.21", "0.24", "0.28", "0.31", "0.35", "0.40", "0.50", "0.60"}
    assert set(drawn(template_id, "fio2")) == usual
    asked = 0
    for outcome in Outcomes(PreparedTemplate.of(BY_ID[template_id]), 0, stays=200).questions():
        asked += 1
        (time,) = outcome.slots.values()
        row = next(row for row in outcome.shown.records if str(row.charttime) == time)
        assert row.spo2_pct is not None
        assert row.spo2_pct <= 97
    assert asked > 50


WHOLE = sorted(
    name for name, one in BY_ID.items() if one.operation == "retrieval" and one.vitals != {"temperature_c"}
)


@pytest.mark.parametrize("template_id", WHOLE)
def test_a_vital_sign_recorded_as_a_whole_number_is_asked_as_it_is_recorded(template_id: str) -> None:
    template = BY_ID[template_id]
    assert template.answer_form == f"Answer with a whole number in {template.unit}, as recorded."
    for outcome in islice(Outcomes(PreparedTemplate.of(template), 0, stays=100).questions(), 100):
        (vital,) = template.vitals
        assert Decimal(outcome.gold.text) in {getattr(row, vital) for row in outcome.shown.records}
    assert BY_ID["retrieval.temperature"].answer_form.endswith("rounded to one decimal.")


def test_no_synonym_says_a_thing_twice_or_mixes_two_terms() -> None:
    wordings = " ".join(wording for one in BY_ID.values() for wording in one.wording).lower()
    assert "(pulse)" not in wordings
    for _, words in SYNONYMS:
        assert not any("arterial blood" in word for word in words)


def bases() -> list[Instance]:
    """Questions of all packaged templates."""
    made = generate(
        contexts=contexts(synthetic(seed=1, stays=400).records, "stay"),
        templates=list(BY_ID.values()),
        representations=["structured"],
        quotas={"retrieval": 20, "arithmetic": 120, "comparison": 80, "aggregation": 90},
        seed=1,
        variants=parse_variants("chain.extra_step,options.shuffle.1"),
    )
    return list(made.instances)


def test_times_to_choose_from_are_recorded_and_a_further_step_is_taken_at_a_bedside() -> None:
    kinds: Counter[str] = Counter()
    for one in bases():
        if one.variant == "options.shuffle.1" and one.options[0][-3:] == ":00":
            kinds["times"] += 1
            assert set(one.options) <= {str(row.charttime) for row in one.records}
        if one.variant == "chain.extra_step":
            kinds["steps"] += 1
            assert not re.search(r"(?:add|subtract) (?:ten|one)|by two", one.question), one.question
    assert kinds["times"] > 20
    assert kinds["steps"] > 100


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["0.24", "0.60"], "values go from 0.24 to 0.60, expected low 0.21"),
        (["0.215"], "decimals"),
    ],
)
def test_values_fit_their_range(values: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        NumberGiven(kind="number", label="x", low="0.21", high="0.60", decimals=2, values=values)


def test_every_option_has_a_weight_or_none_has() -> None:
    with pytest.raises(ValueError, match="1 weights for 2 options; give one for each"):
        ChoiceGiven(kind="choice", label="x", options=("a", "b"), weights=(1,))


def test_a_given_without_values_or_weights_is_dumped_as_before_there_were_any() -> None:
    plain = NumberGiven(kind="number", label="x", low=Decimal(1), high=Decimal(2))
    assert "values" not in plain.model_dump()
    assert "weights" not in ChoiceGiven(kind="choice", label="x", options=("a", "b")).model_dump_json()
