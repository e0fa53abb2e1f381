"""What the variants of wording write: slips, other words, distractors, remarks."""

import random
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK
from clinicnum.validity.context_reader import read
from clinicnum.variants import NotApplicableError, parse_variants, vary
from clinicnum.variants.distractor import FURTHER, LEAST_PULSE_PRESSURE, SHIFTS, THIS_VISIT
from clinicnum.variants.needed_values import resolution
from clinicnum.variants.rewording import SYNONYMS
from clinicnum.variants.typo import NAMES, misspelt
from clinicnum.variants.variant_draft import ALERT
from tests.clinicnum.varying import TEMPLATES, groups, pairs, range_of

DIGITS_AND_SIGNS = re.compile(r"[^A-Za-z ]")
UNITS = re.compile("|".join(re.escape(sign.unit) for sign in VITAL_SIGNS.values()))


def edits(one: str, other: str) -> bool:
    """Whether two words differ by one swap, drop or double, seen from either."""
    if len(one) == len(other):
        places = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        return len(places) == 2 and one[places[0]] == other[places[1]] and one[places[1]] == other[places[0]]
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    dropped = [i for i in range(len(longer)) if longer[:i] + longer[i + 1 :] == shorter]
    return len(longer) == len(shorter) + 1 and bool(dropped)


def test_slips_leave_digits_times_and_units_alone() -> None:
    slipped = Counter()
    for base, made in pairs("input.typo"):
        for old, new in ((base.context, made.context), (base.question, made.question)):
            assert DIGITS_AND_SIGNS.findall(old) == DIGITS_AND_SIGNS.findall(new)
            assert UNITS.findall(old) == UNITS.findall(new)
            olds, news = old.split(" "), new.split(" ")
            assert len(olds) == len(news)
            differ = [(a, b) for a, b in zip(olds, news, strict=True) if a != b]
            assert all(edits(a, b) and a[0] == b[0] for a, b in differ)
            slipped[len(differ) > 0] += 1
        assert made.question.endswith(base.question.split("? ")[-1].split(". ")[-1])
    assert slipped[True] > slipped[False] / 2


def test_a_slip_is_one_edit_of_a_name_whatever_the_draw() -> None:
    rng = random.Random("slip")
    for name in NAMES:
        assert sum(map(str.isalpha, name)) >= 8
        for _ in range(60):
            assert edits(name, misspelt(name, rng))


def test_other_words_change_terms_of_the_question_only() -> None:
    for base, made in pairs("input.synonym"):
        assert made.context == base.context
        assert all(time in made.question for time in base.slots.values())
        assert re.findall(r"\d+", made.question) == re.findall(r"\d+", base.question)
        known = [options for term, options in SYNONYMS if term in base.question.lower()]
        said = made.question.lower()
        assert any(words.lower() in said for options in known for words in options)
    assert len({made.question.split("?")[0] for _, made in pairs("input.synonym")}) > 100


def test_a_synonym_never_names_another_vital() -> None:
    meant = {}
    for term, options in SYNONYMS:
        for words in (term, *options):
            assert meant.setdefault(words, term) == term
    assert not {"pulse", "pressure", "rate", "saturation"} & set(meant)


def test_restructured_questions_hold_the_same_numbers_and_form() -> None:
    ways = Counter()
    for base, made in pairs("input.restructure"):
        assert made.context == base.context
        assert sorted(re.findall(r"\d+", made.question)) == sorted(re.findall(r"\d+", base.question))
        form = base.question[base.question.rindex("Answer with") :]
        assert made.question.count(form) == 1
        time_first = "For the record at " in made.question
        if time_first:
            assert f"For the record at {base.slots['time']}: " in made.question
        ways[made.question.startswith(form), time_first] += 1
    assert set(ways) == {(True, False), (False, True), (True, True)}


def test_irrelevant_numbers_stand_below_and_an_earlier_visit_is_ruled_out() -> None:
    kinds = Counter()
    for base, made in pairs("input.distractor"):
        assert made.context.startswith(f"{base.context}\n")
        added = made.context.removeprefix(f"{base.context}\n")
        kinds[added.split(":")[0].split(" (")[0]] += 1
        reading = read(made.context)
        assert len(reading.earlier) == (THIS_VISIT in made.question)
        if reading.earlier:
            assert reading.earlier[0][0] < min(time for time, _ in reading.rows)
        else:
            assert made.question == base.question
            assert reading.others
    assert min(kinds[kind] for kind in ("Labs", "Medication given", "Earlier visit")) > 100


def test_an_earlier_visit_is_plausible_and_like_one_record_but_no_value_is_shown_now() -> None:
    seen = 0
    for base, made in pairs("input.distractor"):
        for _, values in read(made.context).earlier:
            seen += 1
            earlier = {vital: value for vital, value in values.items() if value is not None}
            assert all(VITAL_SIGNS[v].low <= value <= VITAL_SIGNS[v].high for v, value in earlier.items())
            if {"sbp_mmhg", "dbp_mmhg"} <= set(earlier):
                assert earlier["sbp_mmhg"] - earlier["dbp_mmhg"] >= LEAST_PULSE_PRESSURE
            for vital, value in earlier.items():
                assert value not in {getattr(record, vital) for record in base.records}
            reach = {v: FURTHER * steps * resolution(v) for v, steps in SHIFTS.items()}
            assert any(
                all(abs(value - (getattr(record, v) or 0)) <= reach[v] for v, value in earlier.items())
                for record in base.records
            )
    assert seen > 100


def test_an_earlier_visit_is_never_shown_where_visits_are_pooled() -> None:
    (spec,) = parse_variants("input.distractor")
    for question, bases in groups():
        made = vary(question, bases[0].model_copy(update={"scope": "subject"}), spec, 0)
        assert "Earlier visit" not in made.context


def test_the_answer_that_the_earlier_visit_gives_is_a_distractor() -> None:
    rules = Counter(item.rule for _, made in pairs("input.distractor") for item in made.distractors)
    assert rules["earlier_visit"] > 60


LESS_THAN_ALERT = [
    ("consciousness", "unresponsive"),
    ("consciousness", "responds to voice"),
    ("new confusion", "yes"),
    ("Glasgow Coma Scale", "8"),
    ("Glasgow Coma Scale", "14"),
]


@pytest.mark.parametrize(("name", "value"), LESS_THAN_ALERT)
def test_who_is_not_fully_alert_denies_nothing(name: str, value: str) -> None:
    (spec,) = parse_variants("missing.negated")
    question, bases = next(g for g in groups(EXTENDED_BANK) if any(x.name == name for x in g[1][0].givens))
    for base in bases:
        for shown in (value, ALERT[name]):
            told = [x.model_copy(update={"value": shown}) if x.name == name else x for x in base.givens]
            old = next(x.value for x in base.givens if x.name == name)
            context = base.context.replace(f"{name}: {old}", f"{name}: {shown}")
            context = context.replace(f"| {name} | {old} |", f"| {name} | {shown} |")
            changed = base.model_copy(update={"givens": tuple(told), "context": context})
            if shown == value:
                with pytest.raises(NotApplicableError, match="not fully alert"):
                    vary(question, changed, spec, 0)
            else:
                assert "Denies" in vary(question, changed, spec, 0).context


def test_every_given_of_consciousness_is_known() -> None:
    labels = {given.label for template in TEMPLATES.values() for given in template.givens.values()}
    assert set(ALERT) <= labels
    assert not {x for x in labels - set(ALERT) if re.search(r"conscious|coma|confus|alert", x, re.IGNORECASE)}


def test_denied_findings_stand_below_and_name_no_vital() -> None:
    for base, made in pairs("missing.negated"):
        added = made.context.removeprefix(f"{base.context}\n")
        assert re.fullmatch(r"No [a-z ]+\. Denies [a-z ]+\.", added)


@pytest.mark.parametrize("bank", [BASE_BANK, EXTENDED_BANK], ids=lambda path: path.name)
def test_a_remark_makes_the_templates_own_mistake_where_one_misleads_and_is_possible(bank: Path) -> None:
    own = others = 0
    for base, made in pairs("chain.wrong_step", bank):
        (remark,) = [item for item in made.distractors if item.rule.startswith("remark_")]
        if base.answer_type != "datetime":
            assert range_of(base).holds(Decimal(remark.value))
        mistakes = TEMPLATES[base.template_id].mistakes
        if not mistakes:
            continue
        if remark.rule.removeprefix("remark_") in {mistake.rule for mistake in mistakes}:
            own += 1
        else:
            others += 1
            # What the template's own mistakes give is the gold, or it could not be.
            rules = {m.rule for m in mistakes if m.code != "causal_reasoning.premature_rounding"}
            given = {item.value for item in base.distractors if item.rule in rules}
            assert base.answer_type != "datetime" or not given
            assert base.answer_type == "datetime" or not any(
                range_of(base).holds(Decimal(value)) for value in given
            )
    assert own > 2 * others


def test_no_colleague_compares_what_cannot_be_told_apart() -> None:
    for bank in (BASE_BANK, EXTENDED_BANK):
        for _, made in pairs("chain.wrong_step", bank):
            assert not re.search(
                r"(heart rate|pressure|SpO2) [0-9.]+ [<>]=? [01](\.[0-9]+)?: yes", made.question
            )
            assert " 1 points" not in made.question
            said = re.search(r'remarks: "([0-9-]{10} [0-9:]{8}): .* So I make it ([^"]+)\."', made.question)
            if said is not None and made.answer_type == "datetime":
                assert said[1] == said[2]


@pytest.mark.parametrize("name", ["chain.wrong_step", "chain.early_rounding"])
def test_a_remark_is_quoted_wrong_and_gives_no_order(name: str) -> None:
    for base, made in pairs(name):
        assert made.context == base.context
        remark, rest = re.fullmatch(r'(A colleague remarks: "[^"]*") (.*)', made.question).groups()  # type: ignore[union-attr]
        assert rest == base.question
        (item,) = [item for item in made.distractors if item.rule.startswith("remark_")]
        assert f"I make it {item.value}" in remark
        assert item.value != made.answer
        assert item.code == "contextual_inconsistency.distractor_used"
        codes = {known.code for known in base.distractors if known.value == item.value}
        assert name == "chain.wrong_step" or "causal_reasoning.premature_rounding" in codes
        assert not re.search(r"\b(you|please|must|should|answer with|use)\b", remark, re.IGNORECASE)
