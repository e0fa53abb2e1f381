"""Multiple choice: the same four answers in five orders, the gold in every place."""

from collections import Counter
from decimal import Decimal

import pytest

from clinicnum.prompt import messages_for, option_letter
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK
from clinicnum.variants import NotApplicableError, parse_variants, vary
from tests.clinicnum.varying import groups, pairs, range_of

ORDERS = [pairs(f"options.shuffle.{n}") for n in range(1, 6)]


def test_all_five_hold_the_same_four_answers_of_which_one_is_the_gold() -> None:
    assert len({len(order) for order in ORDERS}) == 1
    for five in zip(*ORDERS, strict=True):
        assert len({frozenset(made.options) for _, made in five}) == 1
        for base, made in five:
            assert len(set(made.options)) == 4
            assert made.options.count(base.answer or "") == 1
            assert (made.answer, made.answer_type, made.scoring) == (base.answer, "choice", "choice")
            if base.answer_type != "datetime":
                assert len({Decimal(option) for option in made.options}) == 4


def test_the_golds_place_is_balanced_over_the_five_and_over_instances() -> None:
    places: list[Counter[int]] = [Counter() for _ in range(5)]
    for five in zip(*ORDERS, strict=True):
        found = [made.options.index(made.answer or "") for _, made in five]
        assert set(found) == {0, 1, 2, 3}
        for counter, place in zip(places, found, strict=True):
            counter[place] += 1
    total = sum(places, Counter())
    groups = len(ORDERS[0]) / 3
    for counter in places:
        # Groups of three instances take a place together: four deviations of a binomial over the groups.
        spread = 4 * (groups * 0.25 * 0.75) ** 0.5
        assert all(abs(counter[place] / 3 - groups / 4) < spread for place in range(4))
    assert max(total.values()) < 1.15 * min(total.values())


def test_wrong_answers_are_mistakes_first_and_possible() -> None:
    mistakes = near = 0
    for bank in (BASE_BANK, EXTENDED_BANK):
        for base, made in pairs("options.shuffle.1", bank):
            wrong = set(made.options) - {made.answer}
            known = {item.value for item in base.distractors}
            mistakes += len(wrong & known)
            near += len(wrong - known)
            if base.answer_type != "datetime":
                range_ = range_of(base)
                assert all(range_.holds(Decimal(option)) for option in made.options)
                known = {value for value in known if range_.holds(Decimal(value))}
            assert len(wrong & known) == min(3, len(known))
    assert mistakes > near > 0


def test_scores_and_counts_are_offered_as_far_as_they_go() -> None:
    highest = {"arithmetic.qsofa": 3, "arithmetic.crb65": 4, "arithmetic.sirs_vital_points": 3}
    seen = set()
    for _, made in pairs("options.shuffle.1", EXTENDED_BANK):
        if made.template_id in highest:
            seen.add(made.template_id)
            assert all(0 <= int(option) <= highest[made.template_id] for option in made.options)
        if made.template_id.startswith("aggregation.count."):
            assert all(0 <= int(option) <= len(made.records) for option in made.options)
    assert seen == set(highest)


def test_where_fewer_than_four_answers_are_possible_none_are_offered() -> None:
    (spec,) = parse_variants("options.shuffle.1")
    refused = 0
    for question, bases in groups(EXTENDED_BANK):
        if question.asked.template.id == "arithmetic.qsofa_vital_points":
            refused += 1
            with pytest.raises(NotApplicableError, match="fewer than four answers are possible"):
                vary(question, bases[0], spec, 0)
    assert refused >= 1


def test_the_prompt_shows_letters_and_asks_for_one() -> None:
    for _, made in ORDERS[3][::40]:
        user = messages_for(made)[1]["content"]
        for place, option in enumerate(made.options):
            assert f"{option_letter(place)}. {option}\n" in user
        assert "write the letter of the right option" in user
