"""Variants that put something beside the records that does not count, or say who the patient is."""

from pathlib import Path

import pytest

from clinicnum.lint.lint_results import Finding
from clinicnum.robustness.robustness_figures import robustness
from clinicnum.robustness.run_answers_and_pairs import join
from clinicnum.scoring import score
from clinicnum.scripts.cli import run_command
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.types import Generation, Instance
from clinicnum.validity.context_reader import read
from clinicnum.variants import NotApplicableError, parse_variants, vary
from clinicnum.variants.imported.patient_age import why_age_counts, with_age, without_age
from clinicnum.variants.imported.patient_sex import why_sex_counts, with_other_sex, without_sex
from clinicnum.variants.irrelevant_context import GO_BY_RECORDS
from clinicnum.variants.other_patient_passages import MARK, RULE
from tests.clinicnum.importing import import_items
from tests.clinicnum.lint_planting import examined
from tests.clinicnum.varying import groups, pairs, varied
from tests.open_data import MEDCALC

BANKS = [BASE_BANK, EXTENDED_BANK]


@pytest.mark.parametrize("bank", BANKS, ids=lambda path: path.name)
def test_a_superseded_entry_is_of_a_needed_value_and_would_change_the_answer(bank: Path) -> None:
    for base, made in pairs("context.conflict", bank):
        ((time, values),) = read(made.context).superseded
        ((vital, value),) = values.items()
        assert any(
            str(made.records[cell.record].charttime) == time
            and cell.vital == vital
            and getattr(made.records[cell.record], vital) != value
            for cell in made.evidence
        )
        assert GO_BY_RECORDS in made.question
        (tempting,) = [one for one in made.distractors if one.rule == "superseded_entry"]
        assert tempting.value != made.answer == base.answer
        assert made.records == base.records


@pytest.mark.parametrize(("kind", "least"), [("context.retrieved", 0), ("context.long.1000", 1000)])
def test_passages_are_of_other_patients_and_stand_on_both_sides(kind: str, least: int) -> None:
    for base, made in pairs(kind):
        lines = made.context.split("\n")
        passages = [line for line in lines if line.startswith(MARK)]
        assert "\n".join(line for line in lines if not line.startswith(MARK)) == base.context
        assert lines[0].startswith(MARK)
        assert lines[-1].startswith(MARK)
        assert len(made.context.split()) >= least
        assert len(passages) == 4 or least
        reading = read(made.context)
        assert len(reading.other_patients) == len(passages)
        assert {time for time, _ in reading.other_patients}.isdisjoint(time for time, _ in reading.rows)
        assert made.question.count(RULE) == 1


def test_a_context_that_is_long_already_is_not_made_longer() -> None:
    question, bases = groups()[0]
    (spec,) = parse_variants("context.long.1000")
    padded = bases[0].model_copy(update={"context": vary(question, bases[0], spec, 0).context})
    with pytest.raises(NotApplicableError, match="has 1000 words already"):
        vary(question, padded, spec, 0)


WHO = {
    "patient.sex.female": ("gender", "F", "Patient: woman."),
    "patient.sex.male": ("gender", "M", "Patient: man."),
    "patient.age.25": ("age_years", 25, "Patient: 25 years old."),
    "patient.age.80": ("age_years", 80, "Patient: 80 years old."),
}


@pytest.mark.parametrize("kind", WHO)
def test_another_patient_has_the_same_vital_signs(kind: str) -> None:
    field, value, line = WHO[kind]
    for base, made in pairs(kind):
        assert made.context == f"{base.context}\n{line}"
        assert made.question == base.question
        assert {getattr(record, field) for record in made.records} == {value}
        own = [record.model_copy(update={field: None}) for record in base.records]
        assert [record.model_copy(update={field: None}) for record in made.records] == own


def test_an_answer_that_rests_on_the_age_has_no_other_patient() -> None:
    resting = {
        template.id
        for template in load_bank(EXTENDED_BANK)
        if any(given.kind == "record" for given in template.givens.values())
    }
    assert len(resting) >= 3
    for kind in WHO:
        assert resting.isdisjoint(base.template_id for base, _ in varied(kind, EXTENDED_BANK))
    assert {base.template_id for base, _ in pairs("context.retrieved", EXTENDED_BANK)} >= resting


def _line_of(made: Instance, start: str) -> str:
    return next(line for line in made.context.split("\n") if line.startswith(start))


def test_lint_names_what_such_a_variant_gets_wrong(tmp_path: Path) -> None:
    _, other = pairs("context.retrieved")[0]
    _, conflict = pairs("context.conflict")[0]
    _, woman = pairs("patient.sex.female")[0]
    entry = _line_of(conflict, "Superseded")
    unmarked = entry.removeprefix("Superseded entry (replaced by the record), ")
    elsewhere = entry.replace(entry.split(", ")[1][:4], "1999", 1)
    plants = {
        "V8.other_patient": other.model_copy(update={"question": other.question.replace(f" {RULE}", "")}),
        "V8.superseded": conflict.model_copy(
            update={"question": conflict.question.replace(f" {GO_BY_RECORDS}", "")}
        ),
        "V8.superseded ": conflict.model_copy(update={"context": conflict.context.replace(entry, elsewhere)}),
        "V1.differs": woman.model_copy(update={"context": woman.context.replace("woman", "man")}),
        "V": conflict.model_copy(update={"context": conflict.context.replace(entry, unmarked)}),
    }
    for rule, item in plants.items():
        said = examined(tmp_path, [item])[0]
        found = [one.rule for one in said if isinstance(one, Finding)]
        assert found, rule
        assert found[0].startswith(rule.strip()), (rule, found)


def _medcalc(tmp_path: Path, *kinds: str) -> dict[str, Instance]:
    return import_items("medcalc", MEDCALC, tmp_path / "b.jsonl", "--variants", ",".join(kinds))


def test_only_formulas_without_an_age_have_another_age(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = _medcalc(tmp_path, "patient.age.25", "patient.age.80", "input.typo+patient.age.80")
    made = [one for one in items.values() if one.variant is not None]
    assert len(made) >= 20
    for one in made:
        base = items[one.base_id or ""]
        assert (one.answer, one.lower, one.upper) == (base.answer, base.lower, base.upper)
        assert (one.variant or "")[-2:] in one.context
        if "+" not in (one.variant or ""):
            assert without_age(one.context) == without_age(base.context) != one.context
    assert run_command(["lint", str(tmp_path / "b.jsonl")]) == 0
    refused = {one.template_id for one in items.values() if why_age_counts(one) is not None}
    for calculator in (2, 3, 4, 9, 10, 25, 29, 38, 45, 62):  # each takes age or sex
        assert f"medcalc.calculator_{calculator}" in refused
    other = made[0].model_copy(update={"context": made[0].context.replace("is", "was", 1)})
    aged = made[0].model_copy(update={"template_id": "medcalc.calculator_2"})
    base = items[made[0].base_id or ""]
    for item, rule in ((other, "variant.text"), (aged, "variant.patient")):
        said = examined(tmp_path, [base, item], ())[0]
        assert [one.rule for one in said if isinstance(one, Finding)] == [rule]


@pytest.mark.parametrize(
    ("text", "years", "becomes"),
    [
        ("A 45-year-old man", 80, "An 80-year-old man"),
        ("An 80 year old woman", 25, "A 25 year old woman"),
        ("This 62-year-old", 80, "This 80-year-old"),
        ("with a 30-year-old scar", 80, "with an 80-year-old scar"),
    ],
)
def test_an_age_takes_its_article_with_it(text: str, years: int, becomes: str) -> None:
    assert with_age(text, years) == becomes
    assert without_age(text) == without_age(becomes)


@pytest.mark.parametrize(
    ("note", "asked"),
    [
        ("A 45-year-old man, whose 70-year-old mother drives.", True),
        ("A 12-year-old boy.", True),
        ("A 45-year-old man, aged beyond his years.", True),
        ("A 25-year-old pregnant woman.", True),
        ("A man.", True),
        ("A 45-year-old man.", False),
    ],
)
def test_a_text_that_may_rest_on_an_age_keeps_it(note: str, asked: bool) -> None:
    _, bases = groups()[0]
    fields = {
        "template_id": "medcalc.calculator_5",
        "scoring": "medcalc",
        "context": note,
        "question": "MAP?",
    }
    assert (why_age_counts(bases[0].model_copy(update=fields)) is not None) == asked


SEXES = [
    ("A 45-year-old man. His pulse is 80; he smokes.", "A 45-year-old woman. Her pulse is 80; she smokes."),
    ("She is a female teacher.", "He is a male teacher."),
    ("Her pulse is 80.", None),  # his, but also him
    ("A man with his wife.", None),
    ("A man whose nurse said that she had left.", None),
    ("A woman with irregular menses.", None),
    ("A man with an enlarged prostate.", None),
    ("A 45 M with chest pain, he smokes.", None),
    ("A salesman, he smokes.", None),
    ("A man, soft abdomen; he sent a specimen.", "A woman, soft abdomen; she sent a specimen."),
    ("Pulse 80.", None),
]


@pytest.mark.parametrize(("note", "other"), SEXES)
def test_every_word_of_a_sex_is_turned_or_none(note: str, other: str | None) -> None:
    _, bases = groups()[0]
    fields = {"template_id": "medcalc.calculator_5", "scoring": "medcalc", "question": "What is the MAP?"}
    item = bases[0].model_copy(update={**fields, "context": note})
    made = None if why_sex_counts(item) else with_other_sex(item)
    assert made == other
    assert other is None or without_sex(note) == without_sex(other)
    assert why_sex_counts(item.model_copy(update={"template_id": "medcalc.calculator_2"})) is not None


def test_only_formulas_without_a_sex_have_another_sex(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = ("patient.sex.female", "patient.sex.male", "patient.sex.female+patient.age.80")
    items = _medcalc(tmp_path, *kinds)
    made = [one for one in items.values() if one.variant is not None]
    assert made
    assert run_command(["lint", str(tmp_path / "b.jsonl")]) == 0
    base = items[made[0].base_id or ""]
    aged = made[0].model_copy(update={"template_id": "medcalc.calculator_2"})
    other = made[0].model_copy(update={"context": f"{made[0].context} Or not."})
    for item, rule in ((other, "variant.text"), (aged, "variant.patient")):
        said = examined(tmp_path, [base, item], ())[0]
        assert [one.rule for one in said if isinstance(one, Finding)] == [rule]
    # The base is of one sex and the variant of the other: they are the two sides.
    pair = {one.instance_id: one for one in (base, made[0])}
    texts = {base.instance_id: base.answer, made[0].instance_id: "unclear"}
    generations = [
        Generation(generation_id=key, run_id="r", instance_id=key, text=f"{text}", finish_reason="stop")
        for key, text in texts.items()
    ]
    scores = [score(instance=pair[one.instance_id], generation=one) for one in generations]
    (compared, *_) = robustness([join("m", pair, generations, scores)]).models[0].patients
    female = made[0].variant == "patient.sex.female"
    assert (compared.only_first, compared.only_second) == ((0, 1) if female else (1, 0))


def test_conditions_and_patients_are_compared_in_pairs() -> None:
    """A planted model: wrong under conflict for half of the questions, wrong for women in a quarter."""
    kinds = ("context.conflict", "patient.sex.female", "patient.sex.male")
    asked: dict[str, Instance] = {}
    for kind in kinds:
        for base, made in pairs(kind)[:200]:
            asked |= {base.instance_id: base, made.instance_id: made}
    places = {base.instance_id: at for at, (base, _) in enumerate(pairs("context.conflict")[:200])}

    def right(one: Instance) -> bool:
        at = places.get(one.base_id or "", 1)
        return not (
            (one.variant == "context.conflict" and at % 2 == 0)
            or (one.variant == "patient.sex.female" and at % 4 == 0)
        )

    generations = [
        Generation(
            generation_id=key,
            run_id="r",
            instance_id=key,
            text=f"The answer is {one.answer if right(one) else 'unclear'}",
            finish_reason="stop",
        )
        for key, one in asked.items()
    ]
    scores = [score(instance=asked[one.instance_id], generation=one) for one in generations]
    found = robustness([join("m", asked, generations, scores)]).models[0]
    (condition,) = found.conditions
    pairs_made = [made for _, made in pairs("context.conflict")[:200] if not made.flags]
    wrong = sum(not right(one) for one in pairs_made)
    assert (condition.first, condition.second, condition.n) == ("context.conflict", "base", len(pairs_made))
    assert (condition.only_first, condition.only_second) == (0, wrong)
    over_all = found.patients[-1]
    assert (over_all.first, over_all.second) == ("patient.sex.female", "patient.sex.male")
    women = [made for _, made in pairs("patient.sex.female")[:200] if not made.flags]
    assert over_all.difference == pytest.approx(-sum(not right(one) for one in women) / len(women))
