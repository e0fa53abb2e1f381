"""The search of an attack on planted models: what breaks is known for every variant."""

import random
from collections.abc import Callable

import pytest

from clinicnum.errors import InputError
from clinicnum.robustness.attack_strategy import Attack, Order, candidates_of
from clinicnum.robustness.attack_success import attack_figures
from clinicnum.types import Instance
from tests.clinicnum.answering import instance

KINDS = ("input.synonym", "input.typo", "input.distractor", "numeric.relevant", "chain.wrong_step", "a.b")
VARIANTS = (*KINDS, *(f"{one}+{other}" for one in KINDS[:3] for other in KINDS[3:]))
ITEMS = 30
Breaks = Callable[[Instance], bool | None]


def _variants(base: int, names: tuple[str, ...] = VARIANTS) -> list[Instance]:
    return [
        instance(1000 * base + number, variant=name, base_id=f"i{base}", subject_id=f"s{base % 12}")
        for number, name in enumerate(names, start=1)
    ]


CANDIDATES = {f"i{base}": _variants(base) for base in range(1, ITEMS + 1)}


def planted(seed: int) -> Breaks:
    """A model that each kind breaks with a chance of its own; the same answer to the same variant."""
    rng = random.Random(seed)
    chance = {kind: rng.choice((0.0, 0.05, 0.2, 0.6)) for kind in KINDS}

    def breaks(one: Instance) -> bool:
        draw = random.Random(f"{seed}:{one.instance_id}")
        return any(draw.random() < chance[kind] for kind in (one.variant or "").split("+"))

    return breaks


def attacked(breaks: Breaks, order: Order, *, budget: int = 4, seed: int = 0, per_round: int = 8) -> Attack:
    attack = Attack(CANDIDATES, budget=budget, order=order, seed=seed, per_round=per_round)
    while chosen := attack.next_round():
        assert len(chosen) <= per_round
        attack.learn({base: breaks(one) for base, one in chosen.items()})
    return attack


def broken(attack: Attack) -> set[str]:
    return {base for base, item in attack.items.items() if item.broken_by is not None}


def test_adaptive_is_never_worse_than_static_on_the_same_budget() -> None:
    gained = []
    for seed in range(500):
        breaks, budget = planted(seed), 1 + seed % 6
        static, adaptive = (attacked(breaks, order, budget=budget, seed=seed) for order in _ORDERS)
        assert broken(static) <= broken(adaptive)
        for attack in (static, adaptive):
            assert len(attack.asked) <= ITEMS * budget
            assert len({one.instance_id for one in attack.asked}) == len(attack.asked)
            assert all(breaks(item.broken_by) for item in attack.items.values() if item.broken_by)
        assert all(len(item.asked) <= budget for item in static.items.values())
        gained.append(len(broken(adaptive)) - len(broken(static)))
    # It is not the same attack in another order: what it saves breaks further items.
    assert sum(gained) / len(gained) > 2
    assert sum(gain > 0 for gain in gained) > 300


_ORDERS: tuple[Order, Order] = ("static", "adaptive")


def test_the_kind_that_breaks_is_learned() -> None:
    def breaks(one: Instance) -> bool:
        return "numeric.relevant" in (one.variant or "")

    static, adaptive = (attacked(breaks, order, budget=4) for order in _ORDERS)
    assert broken(static) == broken(adaptive) == set(CANDIDATES)
    assert len(static.asked) == 4 * ITEMS
    assert len(adaptive.asked) < 2.5 * ITEMS
    late = [one for item in list(adaptive.items.values()) for one in item.asked[:1]]
    assert sum(breaks(one) for one in late) > ITEMS / 3


def test_the_same_seed_chooses_the_same_and_another_one_otherwise() -> None:
    breaks = planted(7)
    first, again, other = (attacked(breaks, "adaptive", seed=seed) for seed in (1, 1, 2))
    assert [one.instance_id for one in first.asked] == [one.instance_id for one in again.asked]
    assert [one.instance_id for one in first.asked] != [one.instance_id for one in other.asked]


def test_what_got_no_answer_is_neither_broken_nor_whole() -> None:
    attack = attacked(lambda _: None, "adaptive", budget=2)
    assert broken(attack) == set()
    assert len(attack.asked) == 2 * ITEMS
    assert attack_figures(attack).broken.value == 0


def test_flagged_items_and_those_without_an_answer_are_left_out() -> None:
    bases = [instance(1), instance(2, flags=("count_zero",)), instance(3)]
    variants = [
        *_variants(1, ("input.typo",)),
        instance(11, variant="missing.masked", base_id="i1", expected="abstains"),
        instance(12, variant="numeric.relevant", base_id="i1", flags=("count_zero",)),
        *_variants(2, ("input.typo",)),
    ]
    found = candidates_of([*bases, *variants])
    assert {base: [one.variant for one in some] for base, some in found.items()} == {"i1": ["input.typo"]}


def test_figures_count_what_was_asked() -> None:
    attack = attacked(planted(3), "adaptive")
    found = attack_figures(attack)
    assert found.n_items == ITEMS
    assert found.broken.value == len(broken(attack)) / ITEMS
    assert sum(row.broken.n for row in found.kinds) == found.n_asked == len(attack.asked)
    assert sum(row.n_broken for row in found.kinds) == len(broken(attack))
    shares = [one.value for one in found.by_budget.values()]
    assert shares == sorted(shares, key=lambda share: share or 0)
    assert shares[-1] == found.broken.value
    assert (
        attack_figures(Attack({}, budget=1)).broken.undefined == "no item with variants was answered rightly"
    )


def test_the_interval_covers_the_true_share() -> None:
    """Each of three variants breaks an item by chance 0.2: 1 - 0.8 cubed are broken."""
    held = 0
    for seed in range(500):
        rng = random.Random(seed)
        attack = Attack(CANDIDATES, budget=3, order="static", per_round=ITEMS)
        while chosen := attack.next_round():
            attack.learn({base: rng.random() < 0.2 for base in chosen})
        interval = attack_figures(attack).broken.interval
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= 1 - 0.8**3 <= interval.high
    assert 0.93 <= held / 500 <= 0.985


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"budget": 1, "per_round": 0}])
def test_nothing_to_ask_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="expected at least 1"):
        Attack(CANDIDATES, **wrong)
