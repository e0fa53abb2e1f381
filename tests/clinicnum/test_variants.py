"""What all variants have in common: names, combinations, links to the base, determinism, proofs."""

import itertools
import json
from decimal import Decimal

import pytest

from clinicnum.errors import InputError
from clinicnum.prompt import messages_for
from clinicnum.questions.ask_question import RejectedError
from clinicnum.types import Instance
from clinicnum.variants import VARIANTS, NotApplicableError, Variations, parse_variants, vary
from tests.clinicnum.varying import SEED, groups, pairs, varied

DESIGN = {
    *("representation.abbreviations", "representation.no_units", "representation.abbreviations_no_units"),
    *("representation.order", "representation.separators"),
    *("input.synonym", "input.restructure", "input.typo", "input.distractor"),
    *("numeric.relevant", "numeric.irrelevant", "missing.masked", "missing.negated"),
    *("context.conflict", "context.retrieved", "context.long.1000", "context.long.4000"),
    *("patient.sex.female", "patient.sex.male", "patient.age.25", "patient.age.80"),
    *("chain.wrong_step", "chain.early_rounding", "chain.extra_step"),
    *(f"options.shuffle.{n}" for n in range(1, 6)),
    *("prompt.direct", "prompt.step_by_step", "prompt.checklist"),
}
PERSONA = "prompt.persona.nurse.terse"
KINDS = (*sorted(DESIGN), PERSONA)
SELDOM = {"chain.early_rounding": 20}
"""Kinds that few questions have, and how many instances at least."""


def test_every_kind_of_the_design_is_there_and_personas_are_roles_by_styles() -> None:
    personas = [name for name in VARIANTS if name not in DESIGN]
    assert set(VARIANTS) >= DESIGN
    assert all(name.startswith("prompt.persona.") and name.count(".") == 3 for name in personas)
    roles, styles = ({name.split(".")[i] for name in personas} for i in (2, 3))
    assert len(personas) == len(roles) * len(styles) >= 6


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_keeps_its_promise_and_its_links(name: str) -> None:
    found = pairs(name)
    assert len(found) >= SELDOM.get(name, 400)
    for base, made in found:
        assert made.variant == name
        assert (made.base_id, made.group_id) == (base.instance_id, base.group_id)
        assert made.instance_id != base.instance_id
        assert set(base.tags) <= set(made.tags)
        assert made.expected == VARIANTS[name].expected
        assert made.slots == base.slots
        if made.expected == "same":
            assert (made.answer, made.answer_exact) == (base.answer, base.answer_exact)
            assert made.evidence == base.evidence
        assert made.answer not in {item.value for item in made.distractors}
        # What is frozen without validation must still be what the contract says.
        assert Instance.model_validate_json(made.model_dump_json()) == made
        assert messages_for(made)
    ids = [made.instance_id for _, made in found]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["numeric.relevant", "input.distractor", "missing.masked"])
def test_the_same_seed_gives_the_same_variant_and_another_seed_mostly_another(name: str) -> None:
    again = [made for _, made in varied(name)]
    assert again == [made for _, made in pairs(name)]
    other = {made.instance_id for _, made in varied(name, seed=SEED + 1)}
    assert len(other & {made.instance_id for made in again}) < 0.6 * len(again)


@pytest.mark.parametrize(
    "name", ["numeric.relevant", "numeric.irrelevant", "missing.masked", "chain.extra_step"]
)
def test_the_three_representations_of_a_question_are_changed_alike(name: str) -> None:
    by_group: dict[str, set[str]] = {}
    for _, made in pairs(name):
        shown = [json.loads(made.model_dump_json())[key] for key in ("records", "question", "answer")]
        by_group.setdefault(made.group_id, set()).add(json.dumps(shown))
    assert {len(texts) for texts in by_group.values()} == {1}


def test_one_call_and_the_reused_object_make_the_same() -> None:
    (spec,) = parse_variants("numeric.relevant+input.typo+prompt.direct")
    for question, bases in groups()[::20]:
        variations = Variations(question, SEED)
        for base in bases:
            try:
                made = variations.of(base, spec)
            except (RejectedError, NotApplicableError) as error:
                with pytest.raises(type(error), match=str(error)):
                    vary(question, base, spec, SEED)
            else:
                assert vary(question, base, spec, SEED) == made


def test_names_are_read_and_combined_in_any_order() -> None:
    one, two = parse_variants(" input.typo , prompt.direct+numeric.relevant ")
    assert (one.name, one.parts) == ("input.typo", ("input.typo",))
    assert (two.name, two.parts) == ("prompt.direct+numeric.relevant", ("numeric.relevant", "prompt.direct"))
    assert two.expected == "follows"
    assert parse_variants("missing.masked+chain.extra_step")[0].expected == "abstains"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("input.typos", r"no variant is called 'input.typos'; expected one of .*input\.typo, "),
        ("", "no variant is called ''"),
        ("input.typo,", "no variant is called ''"),
        ("prompt.direct+prompt.checklist", "'prompt.direct' and 'prompt.checklist' cannot be combined"),
        ("missing.masked+options.shuffle.1", "'missing.masked' and 'options.shuffle.1' cannot .* choices"),
        ("chain.wrong_step+missing.masked", "'chain.wrong_step' and 'missing.masked' cannot be .* remark"),
        ("missing.masked+numeric.relevant", "'missing.masked' and 'numeric.relevant' cannot .* gold"),
        ("options.shuffle.1+options.shuffle.2", "cannot be combined: both decide the choices"),
        (
            "representation.no_units+representation.abbreviations_no_units",
            "cannot be combined: both decide the units",
        ),
        ("input.typo+input.typo", "'input.typo' and 'input.typo' cannot be combined"),
        ("input.typo,input.typo", "'input.typo' is asked for twice"),
        ("input.typo+prompt.direct,prompt.direct+input.typo", "is asked for twice"),
    ],
)
def test_a_name_that_cannot_be_made_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_variants(text)


def _compatible() -> list[tuple[str, str]]:
    names = [name for name in (*sorted(DESIGN), PERSONA) if name != "chain.early_rounding"]
    return [
        (a, b) for a, b in itertools.combinations(names, 2) if not VARIANTS[a].claims & VARIANTS[b].claims
    ]


def test_any_two_that_can_be_combined_make_instances_in_either_order() -> None:
    orders = [[Variations(question, SEED) for _ in range(2)] for question, _ in groups()[::25]]
    for one, other in _compatible():
        (spec,), (turned,) = parse_variants(f"{one}+{other}"), parse_variants(f"{other}+{one}")
        assert spec.parts == turned.parts
        made = 0
        for (first, second), (_, bases) in zip(orders, groups()[::25], strict=True):
            for base in bases:
                try:
                    both, again = first.of(base, spec), second.of(base, turned)
                except (RejectedError, NotApplicableError):
                    continue
                made += 1
                named = {"instance_id": again.instance_id, "variant": again.variant}
                assert both.model_copy(update=named) == again
                assert (both.variant, again.variant) == (f"{one}+{other}", f"{other}+{one}")
        assert made >= 3, (one, other)


def test_both_of_a_combination_are_done() -> None:
    """Each part leaves what it leaves alone: the same draw, whoever else draws."""
    alone = {made.base_id: made for _, made in pairs("numeric.relevant")}
    words = {made.base_id: made for _, made in pairs("input.restructure")}
    seen = 0
    for base, both in varied("input.restructure+numeric.relevant+prompt.direct"):
        seen += 1
        assert both.records == alone[base.instance_id].records
        assert both.context == alone[base.instance_id].context
        assert both.answer == alone[base.instance_id].answer
        assert both.question == words[base.instance_id].question
        assert both.prompt_id == "direct"
        assert both.expected == "follows"
    assert seen >= 400


def test_factors_combined_are_the_factor_that_is_both() -> None:
    both = {base.instance_id: made.context for base, made in pairs("representation.abbreviations_no_units")}
    combined = "representation.abbreviations+representation.no_units"
    contexts = {base.instance_id: made.context for base, made in varied(combined)}
    assert contexts == both
    assert len(contexts) >= 400


@pytest.mark.parametrize(
    "name", [n for n in KINDS if n.startswith("representation.")] + ["input.typo", "missing.negated"]
)
def test_what_only_rewrites_keeps_records_and_question(name: str) -> None:
    for base, made in pairs(name):
        assert made.records == base.records
        assert name == "input.typo" or made.question == base.question
        assert name == "input.typo" or made.context != base.context


def test_bare_values_stay_plausible_in_one_unit_only() -> None:
    for _, made in pairs("representation.no_units"):
        assert "mmHg" not in made.context
        assert all(r.dbp_mmhg is None or r.dbp_mmhg > Decimal("26.7") for r in made.records)
