"""What prompts share, and in which order they run."""

import random

from hypothesis import given
from hypothesis import strategies as st

from clinicnum.inference.local import batch_planning
from clinicnum.inference.local.batch_planning import Row, plan


def _rows(*prompts: list[int]) -> list[Row]:
    return [Row(str(i), list(prompt), 4) for i, prompt in enumerate(prompts)]


def _saved(rows: list[Row]) -> int:
    groups = {id(row.group): row.group for row in rows}
    return sum(len(row.group.prefix) for row in rows) - sum(len(group.prefix) for group in groups.values())


SYSTEM = list(range(40))
ONE = SYSTEM + [101] * 200
OTHER = SYSTEM + [102] * 300


def test_questions_about_one_context_are_a_group_although_all_share_the_system_text() -> None:
    rows = _rows([*ONE, 1, 1], [*OTHER, 2], [*ONE, 2, 2, 2], [*OTHER, 3, 3], [*ONE, 3], SYSTEM + [7] * 100)
    ordered = plan(rows)
    assert [row.instance_id for row in ordered] == ["3", "1", "2", "0", "4", "5"]
    assert {len(row.group.prefix) for row in ordered[:2]} == {340}
    assert {len(row.group.prefix) for row in ordered[2:5]} == {240}
    assert ordered[5].group.prefix == ()
    assert (ordered[2].group.waiting, ordered[0].group.waiting) == (3, 2)


def test_one_group_of_all_where_that_saves_more() -> None:
    rows = plan(_rows(*([*SYSTEM, i, j] for i in range(3) for j in range(2))))
    assert {len(row.group.prefix) for row in rows} == {40}
    assert len({id(row.group) for row in rows}) == 1


def test_a_short_prefix_of_long_prompts_is_not_shared() -> None:
    rows = plan(_rows(SYSTEM + [1] * 400, SYSTEM + [2] * 400))
    assert {row.group.prefix for row in rows} == {()}


def test_equal_prompts_keep_a_token_of_their_own() -> None:
    rows = plan(_rows(ONE, ONE, ONE))
    assert {len(row.group.prefix) for row in rows} == {239}


def test_sharing_can_be_switched_off() -> None:
    assert {row.group.prefix for row in plan(_rows(ONE, ONE), share=False)} == {()}


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), min_size=1, max_size=24), st.integers(0, 9)
)
def test_any_plan_keeps_every_row_once_and_prefixes_true(prompts: list[list[int]], seed: int) -> None:
    long = [[token for token in prompt for _ in range(20)] for prompt in prompts]
    random.Random(seed).shuffle(long)
    rows = _rows(*long)
    ordered = plan(rows)
    assert sorted(row.instance_id for row in ordered) == sorted(row.instance_id for row in rows)
    for row in ordered:
        assert tuple(row.prompt[: len(row.group.prefix)]) == row.group.prefix
        assert len(row.group.prefix) < len(row.prompt)
    one_group = min(_shared(ordered), min(len(row.prompt) for row in ordered) - 1)
    if one_group >= batch_planning.MIN_SHARED:
        assert _saved(ordered) >= 0


def _shared(rows: list[Row]) -> int:
    low, high = min(row.prompt for row in rows), max(row.prompt for row in rows)
    return next(
        (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high))
    )
