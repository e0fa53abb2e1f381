"""Every gold again, by a solver that shares no code with the operation tree."""

import json
from collections import Counter
from fractions import Fraction

import pytest

from clinicnum.generation.benchmark import generate
from clinicnum.records.loaded_records import Loaded, Scope, contexts
from clinicnum.records.mimic import load_mimic_iv_ed
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import load_bank
from clinicnum.types import REPRESENTATIONS
from tests.clinicnum.solver import asked_decimals, rounded, solve
from tests.open_data import DATA


def loaded_from(source: str) -> Loaded:
    if source == "synthetic":
        return synthetic(seed=1, stays=900)
    return load_mimic_iv_ed(DATA)


@pytest.mark.parametrize("source", ["synthetic", "mimic"])
@pytest.mark.parametrize("scope", ["stay", "subject"])
def test_every_gold_of_every_template_is_what_the_records_give(source: str, scope: Scope) -> None:
    loaded = loaded_from(source)
    benchmark = generate(
        contexts=contexts(loaded.records, scope),
        templates=load_bank(),
        representations=REPRESENTATIONS,
        quotas={"retrieval": 90, "arithmetic": 150, "comparison": 345, "aggregation": 45},
        seed=5,
        scope=scope,
    )
    seen: Counter[str] = Counter()
    for instance in benchmark.instances:
        line = json.loads(instance.model_dump_json())
        gold = solve(line["template_id"], line["records"], line["slots"])
        decimals = None if isinstance(gold, str) else asked_decimals(line["template_id"])
        if line["answer_type"] == "count":
            decimals = 0
        assert line["decimals"] == decimals, line["template_id"]
        expected = gold if isinstance(gold, str) else rounded(Fraction(gold), decimals or 0)
        assert line["answer"] == expected, line
        if not isinstance(gold, str):
            assert Fraction(line["answer_exact"]) == gold
        assert expected not in {d["value"] for d in line["distractors"]}
        assert line["worked"][-1].endswith(f"{expected}.")
        assert all(text in line["question"] for text in line["slots"].values())
        seen[line["template_id"]] += 1
    barren = {t.id for t in load_bank()} - set(seen)
    # People breathe too regularly for that template to have discriminating questions in few stays.
    assert barren <= {"comparison.first_below.resp_rate"}
    assert all(n % 3 == 0 for n in seen.values())


WORKED = {
    # Two records, 10:00 (hr 80, 120/60) and 11:00 (hr 120, 90/60); values derived by hand.
    "arithmetic.shock_index": ("0.67", "2/3"),
    "arithmetic.map": ("80.0", "80"),  # (120 - 60) / 3 + 60
    "arithmetic.hr_change": ("50.00", "50"),  # (120 - 80) / 80
    "aggregation.shock_index_above_0_7": ("1", "1"),  # 0.667 no, 1.333 yes; 0.667 rounds to 0.7, no crossing
    "comparison.first_above.heart_rate": ("2150-01-01 11:00:00", None),
}


@pytest.mark.parametrize("template_id", WORKED)
def test_answers_derived_by_hand(template_id: str) -> None:
    from datetime import datetime

    from clinicnum.questions.ask_question import PreparedTemplate, RenderedRecords, ask
    from clinicnum.templates.exact_numbers import exact_text
    from clinicnum.types import Record

    def row(hour: int, rate: int, sbp: int) -> Record:
        time = datetime(2150, 1, 1, hour)
        values = {"heart_rate_bpm": rate, "sbp_mmhg": sbp, "dbp_mmhg": 60}
        return Record(subject_id="a", stay_id="b", charttime=time, source="t", **values)

    (template,) = [t for t in load_bank() if t.id == template_id]
    filling = dict(zip(template.record_slots, range(2), strict=False))
    question = ask(
        PreparedTemplate.of(template), RenderedRecords.of([row(10, 80, 120), row(11, 120, 90)], 0), filling
    )
    text, exact = WORKED[template_id]
    assert question.gold.text == text
    assert (None if question.gold.exact is None else exact_text(question.gold.exact)) == exact
