"""Multiple choice: the same four answers in five orders, the gold in every place."""

from collections import Counter
from decimal import Decimal

from clinicnum.prompt import messages_for, option_letter
from clinicnum.records.vitals import VITAL_SIGNS
from tests.clinicnum.varying import pairs

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


def test_wrong_answers_are_mistakes_first_and_plausible() -> None:
    mistakes = near = 0
    for base, made in ORDERS[0]:
        wrong = set(made.options) - {made.answer}
        known = {item.value for item in base.distractors}
        mistakes += len(wrong & known)
        near += len(wrong - known)
        if base.operation == "retrieval":
            vital = base.evidence[0].vital
            sign = VITAL_SIGNS[vital]
            plausible = {v for v in known if sign.low <= Decimal(v) <= sign.high}
            assert len(wrong & known) == min(3, len(plausible))
            assert wrong & known <= plausible
        elif len(known) >= 3:
            assert wrong <= known
        if base.answer_type == "count":
            assert all(Decimal(option) >= 0 for option in made.options)
    assert mistakes > near > 0


def test_the_prompt_shows_letters_and_asks_for_one() -> None:
    for _, made in ORDERS[3][::40]:
        user = messages_for(made)[1]["content"]
        for place, option in enumerate(made.options):
            assert f"{option_letter(place)}. {option}\n" in user
        assert "write the letter of the right option" in user
