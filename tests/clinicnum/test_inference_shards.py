"""The shares of ranks: the whole without overlap, a context in one place, costs alike."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.inference.benchmark_index import PromptLengths
from clinicnum.inference.shards import Part, find_shards, prompt_cost, shard_path, share_of
from clinicnum.types import Instance
from tests.clinicnum.answering import instance

TOKENS = 16


def _of_context(number: int, context: int, length: int = 200) -> Instance:
    return instance(number, context=f"{context} ".ljust(length, "x"))


def _shares(instances: list[Instance], world: int) -> list[list[Instance]]:
    lengths, places = PromptLengths(), range(len(instances))
    for one in instances:
        lengths.add(one)
    shares = [share_of(lengths, places, Part(rank, world), max_new_tokens=TOKENS) for rank in range(world)]
    return [[instances[place] for place in share] for share in shares]


def _cost(one: Instance) -> float:
    return prompt_cost(len(one.context) + len(one.question), TOKENS)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(10, 4_000)), max_size=40), st.integers(1, 5))
def test_the_shares_are_the_whole_without_overlap(shape: list[tuple[int, int]], world: int) -> None:
    instances = [_of_context(i, context, length) for i, (context, length) in enumerate(shape)]
    shares = _shares(instances, world)
    ids = [one.instance_id for share in shares for one in share]
    assert sorted(ids) == sorted(one.instance_id for one in instances)
    places = {one.instance_id: place for place, one in enumerate(instances)}
    for share in shares:
        assert [places[one.instance_id] for one in share] == sorted(places[one.instance_id] for one in share)


def test_questions_on_one_context_stay_together() -> None:
    instances = [_of_context(i, context=i % 40) for i in range(160)]
    shares = _shares(instances, 3)
    contexts = [{one.context for one in share} for share in shares]
    assert sum(map(len, contexts)) == 40


def test_costs_are_alike_though_lengths_differ() -> None:
    instances = [_of_context(i, context=i, length=100 * (1 + i % 17)) for i in range(200)]
    costs = [sum(map(_cost, share)) for share in _shares(instances, 4)]
    assert max(costs) < 1.01 * min(costs)


def test_a_context_that_is_most_of_the_benchmark_is_split() -> None:
    instances = [_of_context(i, context=0) for i in range(100)]
    sizes = sorted(len(share) for share in _shares(instances, 2))
    assert sizes[0] >= 40
    assert [len(share) for share in _shares(instances[:2], 2)] == [1, 1]


@pytest.mark.parametrize("name", ["g.jsonl", "a.b.jsonl", "bare", "we[i]rd+.jsonl"])
def test_shards_are_found_by_their_names(tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    parts = [Part(0, 2), Part(1, 2), Part(0, 10), Part(9, 10)]
    for part in parts:
        shard_path(out, part).touch()
    last = shard_path(out, parts[-1])
    last.rename(last.with_name(f"{last.name}.meta.json"))
    for other in ("g.rank-0-of-2.jsonl.bak", "other.rank-0-of-2.jsonl", "g.rank-x-of-2.jsonl"):
        (tmp_path / other).touch()
    assert [part for part, _ in find_shards(out)] == parts
    assert [path for _, path in find_shards(out)] == [shard_path(out, part) for part in parts]
    assert find_shards(tmp_path / "no" / name) == []
