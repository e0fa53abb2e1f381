"""The order of a study, and which item an annotator gets next."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.annotations.assignment import (
    BLOCK,
    REPEAT_GAP,
    Offer,
    block_end,
    left_to_others,
    order_offers,
    place_items,
    repeat_from,
    share_of_work,
    shows_suggestion,
)
from clinicnum.annotations.study_design import Design
from clinicnum.errors import InputError


def names(n: int, prefix: str = "g") -> list[str]:
    return [f"{prefix}{number}" for number in range(n)]


@settings(max_examples=40, deadline=None)
@given(items=st.integers(1, 60), people=st.integers(1, 7), data=st.data(), seed=st.integers(0, 5))
def test_asked_one_by_one_in_any_order_everyone_together_fills_each_item_to_exactly_k(
    items: int, people: int, data: st.DataObject, seed: int
) -> None:
    overlap = data.draw(st.integers(1, people))
    placed = {
        one.generation_id: one
        for one in place_items(names(items), annotators=people, overlap=overlap, seed=seed)
    }
    given_to: dict[str, set[str]] = {key: set() for key in placed}
    waiting = set(names(people, "a"))
    while waiting:
        who = data.draw(st.sampled_from(sorted(waiting)))
        offers = [
            Offer(key, one.position)
            for key, one in placed.items()
            if who not in given_to[key] and len(given_to[key]) < one.places
        ]
        ordered = order_offers(offers, annotator=who, seed=seed)
        if not ordered:
            waiting.remove(who)
            continue
        lowest = min(offer.position for offer in offers)
        assert ordered[0].position < block_end(lowest)
        given_to[ordered[0].generation].add(who)
    assert {len(panel) for panel in given_to.values()} == {overlap}


def test_training_comes_first_in_its_order_and_controls_are_mixed_in() -> None:
    placed = place_items(
        names(60), training=["t1", "t0"], controls=names(20, "c"), annotators=5, overlap=2, seed=0
    )
    assert [(one.generation_id, one.position) for one in placed[:2]] == [("t1", -2), ("t0", -1)]
    assert [one.position for one in placed] == list(range(-2, 80))
    assert Counter((one.round, one.places) for one in placed) == {
        ("training", 5): 2,
        ("control", 5): 20,
        ("main", 2): 60,
    }
    controls = [one.position for one in placed if one.round == "control"]
    assert min(controls) < 20
    assert max(controls) >= 60


def test_training_is_finished_before_anything_else_is_offered() -> None:
    offers = [Offer("m", 0), Offer("t0", -1), Offer("t1", -2)]
    assert [one.generation for one in order_offers(offers, annotator="A1", seed=0)] == ["t1", "t0"]


def test_annotators_see_the_items_of_a_block_in_orders_of_their_own() -> None:
    offers = [Offer(key, place) for place, key in enumerate(names(BLOCK + 5))]
    orders = {
        tuple(one.generation for one in order_offers(offers, annotator=who, seed=0)) for who in names(3, "A")
    }
    assert len(orders) == 3
    assert {frozenset(order) for order in orders} == {frozenset(names(BLOCK))}


def offered(*offers: Offer, who: str = "A1") -> list[str]:
    return [one.generation for one in order_offers(offers, annotator=who, seed=0)]


def test_questions_that_are_new_come_before_those_whose_reference_is_known() -> None:
    new, known = names(6, "n"), names(6, "k")
    offers = [Offer(key, place, group=key) for place, key in enumerate(new)]
    offers += [Offer(key, place + 6, group=key, known=True) for place, key in enumerate(known)]
    for who in names(5, "A"):
        ordered = offered(*offers[::-1], who=who)
        assert (set(ordered[:6]), set(ordered[6:])) == ({*new}, {*known})


def test_what_is_left_to_others_is_passed_over_unless_nothing_else_is_in_reach() -> None:
    left = [Offer(key, place, group=key, known=True, left=True) for place, key in enumerate(names(25, "l"))]
    later = [Offer("far", 2 * BLOCK + 3, group="far"), Offer("farther", 3 * BLOCK, group="farther")]
    assert offered(*left, *later) == ["far"], "the first block with something new"
    assert set(offered(*left)) == set(names(BLOCK, "l"))
    training = Offer("t", -1, group="l0", known=True, left=True)
    assert offered(*left, *later, training) == ["t"], "training comes first all the same"


def test_of_one_question_everyone_is_offered_the_same_item_first() -> None:
    offers = [
        Offer(f"{group}-{way}", 3 * group + way, group=str(group)) for group in range(5) for way in range(3)
    ]
    for who in names(5, "A"):
        assert {one.partition("-")[2] for one in offered(*offers, who=who)[:5]} == {"0"}


@pytest.mark.parametrize(
    ("known", "free", "fresh", "left"),
    [
        (False, 1, 5, False),
        (True, 1, 0, False),  # nobody else could judge it blind
        (True, 2, 2, True),
        (True, 3, 2, False),  # one place is judged by somebody who knows the reference in any case
    ],
)
def test_an_item_is_left_to_others_as_long_as_they_suffice(
    known: bool, free: int, fresh: int, left: bool
) -> None:
    assert left_to_others(known=known, free=free, fresh=fresh) is left


def test_the_same_seed_gives_the_same_order_whatever_the_order_of_the_arguments() -> None:
    once = place_items(names(30), annotators=4, overlap=2, seed=7)
    assert place_items(names(30)[::-1], annotators=4, overlap=2, seed=7) == once
    assert place_items(names(30), annotators=4, overlap=2, seed=8) != once


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"overlap": 4, "annotators": 3}, "4 people are to label each answer, but only 3 are chosen"),
        (
            {"overlap": 3, "annotators": 1},
            "only 1 is chosen: choose more people, or let 1 label each answer",
        ),
        ({"overlap": 1, "annotators": 0}, "nobody is chosen to label"),
        ({"overlap": 0, "annotators": 3}, "0 people are to label each answer"),
        ({"overlap": 1, "annotators": 3, "controls": ["g1"]}, "generation 'g1' is named twice"),
    ],
    ids=[
        "an overlap above the annotators",
        "above the only one",
        "nobody",
        "no overlap",
        "an item that is its own control",
    ],
)
def test_what_cannot_be_placed_is_said(arguments: dict[str, int], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        place_items(names(3), **{"seed": 0, **arguments})  # type: ignore[arg-type]


def test_blind_repeats_come_at_their_rate_and_never_sooner_than_the_gap() -> None:
    drawn = [repeat_from(claimed=n, annotator="A1", seed=0, share=0.2) for n in range(5000)]
    assert drawn[: REPEAT_GAP + 1] == [None] * (REPEAT_GAP + 1)
    assert all(at < n - REPEAT_GAP for n, at in enumerate(drawn) if at is not None)
    # 4,979 draws at 0.2: standard deviation 0.0057
    assert 0.18 < sum(at is not None for at in drawn) / 4979 < 0.22
    assert repeat_from(claimed=100, annotator="A1", seed=0, share=0.0) is None


def test_an_even_share_counts_training_controls_and_repeats() -> None:
    design = Design(overlap=2, training=5, controls=10, repeat_share=0.1)
    # 100 x 2 / 3 = 67 main, 10 controls, 5 training; (82 - 20) x 0.1 = 6 repeats
    assert share_of_work(design, drawn=100, training=5, controls=10, annotators=3) == 88


def test_suggestions_are_in_sight_as_the_policy_says() -> None:
    def seen(policy: str, judged: bool, generation: str = "g") -> bool:
        return shows_suggestion(policy, generation=generation, seed=0, judged=judged)

    assert (seen("hidden", True), seen("shown", False)) == (False, True)
    assert (seen("after_judgement", False), seen("after_judgement", True)) == (False, True)
    half = [seen("randomised", False, key) for key in names(2000)]
    assert half == [seen("randomised", True, key) for key in names(2000)]
    # 2,000 draws at one half: standard deviation 0.011
    assert 0.455 < sum(half) / 2000 < 0.545
