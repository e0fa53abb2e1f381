"""A new bank on stored runs: what becomes of each instance, and of each model's accuracy.

The patients: one template a question each, sbp 120 and dbp 80 in the first record, heart rate 61 + 3 x
patient. Every expected value is derived by hand in a comment.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest

from clinicnum.annotations.curation.bank_regression import Regression, regress, regression_json
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.generation.benchmark import generate
from clinicnum.generation.instance_writer import QuestionInstances
from clinicnum.questions.ask_question import PreparedTemplate, RenderedRecords, ask
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.scoring import score
from clinicnum.templates.bank import load_bank
from clinicnum.templates.template import Template
from clinicnum.types import Generation, Instance, Record
from clinicnum.variants import parse_variants

BANK = {one.id: one for one in load_bank()}
PULSE, SUM, SHOCK, RATE = (
    "arithmetic.pulse_pressure",
    "arithmetic.bp_sum",
    "arithmetic.shock_index",
    "retrieval.heart_rate",
)
PATIENTS = 8


def record(patient: int, hour: int) -> Record:
    return Record(
        subject_id=f"p{patient}",
        stay_id="1",
        charttime=datetime(2180, 5, 10, 6 + hour, 0),
        heart_rate_bpm=Decimal(61 + 3 * patient),
        sbp_mmhg=Decimal(120 + hour),
        dbp_mmhg=Decimal(80),
        temperature_c=Decimal("36.8"),
        resp_rate_bpm=Decimal(16),
        spo2_pct=Decimal(97),
        source="synthetic",
    )


def instance(template_id: str, patient: int) -> Instance:
    shown = RenderedRecords.of([record(patient, 0), record(patient, 1)], seed=0)
    question = ask(PreparedTemplate.of(BANK[template_id]), shown, {"time": 0})
    (made,) = QuestionInstances(question, 0, ("structured",), "bench", "stay").instances()
    return made.model_copy(update={"flags": ()})


def stored(*template_ids: str, says: dict[str, str] | None = None) -> Material:
    """Each template asked of each patient; the model gives the gold, or what `says` has for the template."""
    instances = [instance(name, patient) for name in template_ids for patient in range(PATIENTS)]
    return answered(instances, says or {})


def answered(instances: list[Instance], says: dict[str, str]) -> Material:
    generations = tuple(
        Generation(
            generation_id=f"g{number}",
            run_id="run",
            instance_id=one.instance_id,
            text=f'{{"answer": "{says.get(one.template_id, one.answer)}"}}',
            finish_reason="stop",
        )
        for number, one in enumerate(instances)
    )
    scores = tuple(score(instance=one, generation=g) for one, g in zip(instances, generations, strict=True))
    return Material({}, tuple(instances), (Run({"model": "tiny"}, generations),), scores)


def version_two(template_id: str, **changed: object) -> Template:
    content = BANK[template_id].model_dump(mode="json") | {"version": 2, "status": "validated"} | changed
    return Template.model_validate(content)


def shares(found: Regression) -> tuple[float | None, ...]:
    (effect,) = found.effects
    return tuple(one.value for one in (effect.before, effect.without_removed, effect.after))


def test_the_same_bank_changes_nothing_whatever_the_variants() -> None:
    records = synthetic(seed=1, stays=60).records
    made = generate(
        contexts=contexts(records, "stay"),
        templates=list(BANK.values()),
        representations=("structured", "note"),
        quotas={"arithmetic": 8, "comparison": 8, "retrieval": 4, "aggregation": 4},
        seed=1,
        variants=parse_variants(
            "input.typo,numeric.relevant,missing.masked,chain.extra_step,options.shuffle.1,prompt.direct"
        ),
    )
    material = answered(list(made.instances), {})
    assert len({one.variant for one in material.instances}) > 5
    found = regress(material, list(BANK.values()))
    assert found.kinds == {"same": len(material.instances)}
    assert (found.changes, found.flips) == ((), ())
    (effect,) = found.effects
    assert effect.before == effect.without_removed == effect.after


def test_another_gold_turns_answers_and_says_so() -> None:
    # Version 2 takes dbp - sbp: 80 - 120 = -40 instead of 40. Who said 40 was right and is wrong.
    tree = BANK[PULSE].model_dump(mode="json")["tree"]
    tree["of"]["left"], tree["of"]["right"] = tree["of"]["right"], tree["of"]["left"]
    found = regress(stored(PULSE, SUM), [version_two(PULSE, tree=tree, mistakes=[]), BANK[SUM]])
    assert found.kinds == {"gold_changed": 8, "same": 8}
    assert {(one.gold, one.gold_now, one.version, one.version_now) for one in found.changes} == {
        ("40", "-40", 1, 2)
    }
    # Sixteen right answers, then eight of them wrong.
    assert shares(found) == (1.0, 1.0, 0.5)
    assert {(one.was, one.now, one.why) for one in found.flips} == {
        ("correct", "incorrect", "gold was 40, is -40")
    }
    (effect,) = found.effects
    assert (effect.turned_right, effect.turned_wrong, effect.removed, effect.reworded) == (0, 8, 0, 0)
    assert effect.before.interval.low is not None


def test_a_wrong_answer_that_the_new_gold_makes_right_turns_too() -> None:
    tree = BANK[PULSE].model_dump(mode="json")["tree"]
    tree["of"]["left"], tree["of"]["right"] = tree["of"]["right"], tree["of"]["left"]
    found = regress(stored(PULSE, says={PULSE: "-40"}), [version_two(PULSE, tree=tree, mistakes=[])])
    assert shares(found) == (0.0, 0.0, 1.0)
    assert {(one.was, one.now) for one in found.flips} == {("incorrect", "correct")}


def test_another_wording_is_another_question_and_its_answers_are_counted_apart() -> None:
    reworded = version_two(PULSE, wording=["How far apart were the two blood pressures at {time}?"])
    found = regress(stored(PULSE, SUM, says={PULSE: "7"}), [reworded, BANK[SUM]])
    assert found.kinds == {"same": 8, "wording_changed": 8}
    assert "the stored answer answers another wording; version 2 asks: How far apart" in found.changes[0].why
    # Eight wrong to the old wording leave: 8 of 16 right, then 8 of 8.
    assert shares(found) == (0.5, 0.5, 1.0)
    assert found.effects[0].reworded == 8
    assert found.flips == ()


def test_a_new_version_that_keeps_the_wording_among_others_is_the_same_question() -> None:
    more = [*BANK[PULSE].wording, "And how far apart were they at {time}?"]
    assert regress(stored(PULSE), [version_two(PULSE, wording=more)]).kinds == {"same": 8}


def test_asked_with_other_decimals_it_is_worded_otherwise() -> None:
    # The form of the answer is part of the question: one decimal, where none was asked.
    found = regress(stored(PULSE), [version_two(PULSE, decimals=1)])
    assert found.kinds == {"wording_changed": 8}
    assert {one.gold_now for one in found.changes} == {"40.0"}


def test_decimals_that_the_preset_asked_are_no_change_of_the_bank() -> None:
    made = [
        one.model_copy(
            update={
                "decimals": 1,
                "answer": "0.5",
                "question": one.question.replace("two decimals", "one decimal"),
            }
        )
        for one in (instance(SHOCK, patient) for patient in range(2))
    ]
    # 61/120 and 64/120 are 0.508 and 0.533: 0.5 at one decimal.
    material = replace(answered(made, {}), benchmark_meta={"preset": "paper"})
    assert regress(material, [version_two(SHOCK)]).kinds == {"same": 2}
    assert regress(answered(made, {}), [version_two(SHOCK)]).kinds == {"wording_changed": 2}


def test_what_cannot_be_asked_as_it_was_or_was_withdrawn_leaves_accuracy() -> None:
    change = BANK["arithmetic.hr_change"].model_dump(mode="json")
    twice = version_two(
        SHOCK, **{key: change[key] for key in ("slots", "tree", "wording", "unit", "decimals")}, mistakes=[]
    )
    found = regress(stored(PULSE, SUM, SHOCK, says={SHOCK: "9"}), [BANK[PULSE], twice])
    assert found.kinds == {"cannot_be_asked": 8, "same": 8, "withdrawn": 8}
    reasons = {one.template_id: one.why for one in found.changes}
    assert reasons[SUM] == f"the bank has no {SUM}"
    assert "cannot be asked as it was: slots are time; the template has" in reasons[SHOCK]
    # 16 of 24 right; without the 8 wrong and 8 right that go, 8 of 8.
    before, *rest = shares(found)
    assert before == pytest.approx(2 / 3)
    assert rest == [1.0, 1.0]
    assert found.effects[0].removed == 16


def test_a_template_that_may_not_be_asked_counts_as_withdrawn() -> None:
    assert regress(stored(PULSE), [version_two(PULSE, status="retired")]).kinds == {"withdrawn": 8}


def test_contested_items_that_were_removed_are_listed_with_accuracy_before_and_after() -> None:
    material = stored(PULSE, SUM, says={SUM: "1"})
    gone = {one.instance_id: "two readings (by hand)" for one in material.instances if one.template_id == SUM}
    found = regress(material, [BANK[PULSE], BANK[SUM]], invalidated=gone)
    assert found.kinds == {"contested": 8, "same": 8}
    assert {(one.template_id, one.why) for one in found.changes} == {(SUM, "two readings (by hand)")}
    assert shares(found) == (0.5, 1.0, 1.0)


def test_a_question_made_unanswerable_stays_so_or_cannot_be_asked() -> None:
    records = [record(0, 0).model_copy(update={"sbp_mmhg": None}), record(0, 1)]
    masked = instance(PULSE, 0).model_copy(
        update={
            "instance_id": "masked",
            "records": tuple(records),
            "answer": None,
            "answer_exact": None,
            "answer_type": "unanswerable",
            "expected": "abstains",
            "variant": "missing.masked",
            "base_id": instance(PULSE, 0).instance_id,
        }
    )
    material = answered([instance(PULSE, 0), masked], {PULSE: "not documented"})
    assert regress(material, [BANK[PULSE]]).kinds == {"same": 2}
    # A rule that no longer reads what was withheld: the answer is there now. Its unit is part of the wording.
    tree = BANK[RATE].model_dump(mode="json")["tree"]
    other = version_two(PULSE, tree=tree, mistakes=[], unit=BANK[RATE].unit)
    found = regress(material, [other])
    assert found.kinds == {"cannot_be_asked": 1, "wording_changed": 1}
    assert "it was made unanswerable and now has an answer" in found.changes[1].why


def test_items_made_elsewhere_are_left_alone() -> None:
    foreign = instance(PULSE, 0).model_copy(update={"operation": "external", "template_id": "medcalc.bmi"})
    assert regress(answered([foreign], {}), [BANK[PULSE]]).kinds == {"elsewhere": 1}


def test_as_json_it_has_the_figures_with_their_intervals() -> None:
    told = regression_json(regress(stored(PULSE), [BANK[PULSE]]))
    assert told["effects"][0]["before"]["value"] == 1.0
    assert told["effects"][0]["before"]["interval"]["method"]
