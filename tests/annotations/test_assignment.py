"""Who gets what: exact overlap, even loads, every pair together, an order per annotator."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotations.assignment import BLOCK, Assigned, assign
from clinicnum.errors import InputError


def names(n: int, prefix: str) -> list[str]:
    return [f"{prefix}{number}" for number in range(n)]


def panels(assigned: tuple[Assigned, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for duty in assigned:
        found.setdefault(duty.generation_id, set()).add(duty.annotator)
    return found


@settings(max_examples=60, deadline=None)
@given(items=st.integers(0, 60), people=st.integers(1, 7), data=st.data(), seed=st.integers(0, 5))
def test_each_item_goes_to_exactly_k_and_loads_differ_by_at_most_one(
    items: int, people: int, data: st.DataObject, seed: int
) -> None:
    overlap = data.draw(st.integers(1, people))
    assigned = assign(names(items, "g"), names(people, "a"), overlap=overlap, seed=seed)
    assert len({(duty.generation_id, duty.annotator) for duty in assigned}) == len(assigned)
    assert {len(panel) for panel in panels(assigned).values()} <= {overlap}
    assert len(panels(assigned)) == items
    loads = Counter(duty.annotator for duty in assigned)
    counts = [loads[name] for name in names(people, "a")]
    assert max(counts) - min(counts) <= 1
    for name in names(people, "a"):
        assert sorted(d.position for d in assigned if d.annotator == name) == list(range(loads[name]))


def test_every_pair_of_annotators_shares_items() -> None:
    assigned = assign(names(30, "g"), names(4, "a"), overlap=2, seed=0)
    pairs = Counter(frozenset(panel) for panel in panels(assigned).values())
    assert set(pairs) == {frozenset(pair) for pair in combinations(names(4, "a"), 2)}
    assert max(pairs.values()) - min(pairs.values()) <= 2


def test_the_same_seed_gives_the_same_work_whatever_the_order_of_the_arguments() -> None:
    generations, people = names(30, "g"), names(4, "a")
    once = assign(generations, people, overlap=2, seed=7)
    assert assign(generations[::-1], people[::-1], overlap=2, seed=7) == once
    assert assign(generations, people, overlap=2, seed=8) != once


def test_annotators_see_the_items_in_orders_of_their_own() -> None:
    assigned = assign(names(12, "g"), names(3, "a"), overlap=3, seed=0)
    orders = {
        tuple(duty.generation_id for duty in assigned if duty.annotator == name) for name in names(3, "a")
    }
    assert len(orders) == 3


def test_items_are_filled_to_k_before_many_new_ones_are_opened() -> None:
    # All share one sequence of blocks, so after any block's end no item is half-filled.
    assigned = assign(names(3 * BLOCK, "g"), names(3, "a"), overlap=3, seed=0)
    for end in (BLOCK, 2 * BLOCK):
        seen = Counter(duty.generation_id for duty in assigned if duty.position < end)
        assert set(seen.values()) == {3}


@pytest.mark.parametrize(
    ("people", "overlap", "complaint"),
    [
        (["a", "b"], 3, "overlap 3 with 2 annotators"),
        (["a", "b"], 0, "overlap 0 with 2 annotators"),
        ([], 1, "overlap 1 with 0 annotators"),
        (["a", "a"], 1, "annotator 'a' is named twice"),
    ],
)
def test_what_cannot_be_assigned_is_said(people: list[str], overlap: int, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        assign(["g"], people, overlap=overlap, seed=0)
    with pytest.raises(InputError, match="generation 'g' is named twice"):
        assign(["g", "g"], ["a"], overlap=1, seed=0)
