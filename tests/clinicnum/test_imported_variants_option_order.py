"""Options of items made elsewhere in other orders: which keep theirs, and where the gold stands."""

import itertools
import random
from collections import Counter

import pytest

from clinicnum.variants.imported.option_orders import GoldPlaces, order
from clinicnum.variants.imported.option_references import (
    HAS_LETTERS,
    LISTS_OPTIONS,
    NAMES_OPTIONS,
    REFERS,
    why_fixed,
)

FIXED = (
    *(
        "none of the above.",
        "All of the above",
        "all the above",
        "None of these",
        "None",
        "Both",
        "Any of them",
    ),
    *(
        "A and C",
        "Both A and B",
        "A, B and C",
        "A & B",
        "Only A",
        "A only",
        "A to C",
        "A/B",
        "Neither A nor B",
    ),
    *("All except C", "same as B", "Option A and option B", "1 and 3", "I and II only", "Two of these"),
    *("More than one of the following", "None of these are correct", "The other options are wrong"),
    *("alle der genannten", "Antwort A und C", "toutes ces réponses", "Todas las anteriores", "以上都是"),
)
FREE = (
    *("above the knee", "a blood pressure above 140", "the above-knee amputation", "Hepatitis A and B"),
    *("vitamin A and vitamin D", "Both kidneys", "Either drug", "All patients with diabetes", "1/2", "0,5"),
    *("8-10", "No response to treatment", "drug of first choice", "C. difficile", "IV fluids"),
    *("None other than aspirin", "Blood type B (rhesus negative) only.", "varies with each patient."),
)


@pytest.mark.parametrize("option", FIXED)
def test_options_that_speak_of_each_other_keep_their_order(option: str) -> None:
    assert why_fixed(["aspirin", "ibuprofen", "heparin", option], "Which one?") == REFERS


@pytest.mark.parametrize("option", FREE)
def test_options_that_only_sound_so_are_shuffled(option: str) -> None:
    assert why_fixed(["aspirin", "ibuprofen", "heparin", option], "Which one?") is None


@pytest.mark.parametrize(
    ("options", "question", "why"),
    [
        (("x", "y"), "Is option A right?", NAMES_OPTIONS),
        (("x", "y"), "Which of the above options is it?", NAMES_OPTIONS),
        (("x", "y"), "Which one? A. aspirin B. ibuprofen", LISTS_OPTIONS),
        (("A", "B", "AB", "0"), "Which blood group?", HAS_LETTERS),
        (("(A) x", "(B) y"), "Which one?", HAS_LETTERS),
        (("1 and 2", "2 and 3"), "Which are true? 1. Stridor. 2. Rash. 3. Wheeze.", None),
        (("x", "y"), "Which is the drug of first choice for hepatitis A or B?", None),
        (("C. difficile", "E. coli"), "Which answer below fits best?", None),
    ],
)
def test_the_question_too_may_name_places(options: tuple[str, ...], question: str, why: str | None) -> None:
    assert why_fixed(options, question) == why


@pytest.mark.parametrize("options", [2, 3, 4, 5, 7])
def test_over_as_many_orders_as_options_each_stands_at_every_place_once(options: int) -> None:
    texts, places = [str(place) for place in range(options)], GoldPlaces(seed=3)
    firsts = [places.next(options) for _ in range(4 * options)]
    assert Counter(firsts) == dict.fromkeys(range(options), 4)
    made = [
        order(texts, gold=1, number=number, first=firsts[0], rng=random.Random(0))
        for number in range(1, options + 1)
    ]
    for place in range(options):
        assert {one[place] for one in made} == set(texts)
    assert [one.index("1") for one in made] == [(firsts[0] + turn) % options for turn in range(options)]


@pytest.mark.parametrize("n", [4, 5, 6])
def test_no_shuffle_of_four_options_or_more_is_the_order_of_the_item(n: int) -> None:
    options = tuple("ABCDEF"[:n])
    for seed, first, gold in itertools.product(range(40), range(n), range(n)):
        orders = [
            order(options, gold=gold, number=number, first=first, rng=random.Random(seed))
            for number in range(1, 6)
        ]
        assert options not in orders
        assert [one.index(options[gold]) for one in orders] == [(first + turn) % n for turn in range(5)]
