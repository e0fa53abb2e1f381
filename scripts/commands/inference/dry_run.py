"""`clinicnum run --dry-run`: the remaining instances, their tokens and the estimated time; writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.inference.run_time_estimate import Rate, duration, rate_of, shared_share, tokens_a_minute
from clinicnum.inference.runner import request_for
from clinicnum.inference.shards import find_shards, prompt_cost
from clinicnum.io.jsonl import read_meta
from clinicnum.prompt_file import PromptFile
from clinicnum.scripts.commands.inference.client_plan import Plan, TokenCounts
from clinicnum.scripts.commands.inference.prices import Prices

COUNTED_AT_A_TIME = 2_000
"""Prompts in memory while their tokens are counted."""
COMPARED = 20_000
"""Prompts whose beginnings are compared: enough for a share, and few enough for memory."""


def dry_run_lines(
    plan: Plan,
    benchmark: BenchmarkIndex,
    places: Sequence[int],
    left: Sequence[int],
    *,
    out: Path,
    max_new_tokens: int,
    prices: Prices | None = None,
    prompt: PromptFile | None = None,
) -> Iterator[str]:
    """Yield the estimate, one fact per line.

    `places` are the indices in the benchmark of this process's instances, `left` those of them without a
    generation in `out`. Raises InputError as `plan.count_tokens` does.
    """
    yield plan.said
    yield f"{len(left)} of {len(places)} instances left"
    if not left:
        return
    counts = _counted(plan, benchmark, left, prompt)
    shared = shared_share([*benchmark.read(left[:COMPARED])], prompt)
    of = "them" if len(left) <= COMPARED else f"the first {COMPARED:,}"
    yield (
        f"prompts: {sum(counts.each):,} tokens, the longest {max(counts.each):,}, {counts.rests_on}; "
        f"{shared:.0%} of {of} stand in a beginning that another prompt has too (by characters)"
    )
    most = len(left) * max_new_tokens
    yield f"generations: at most {most:,} new tokens"
    if prices:
        prompts = sum(counts.each)
        yield f"costs: {prices.cost(prompts, 0)} to {prices.cost(prompts, most)}, at {prices}"
    yield from _window(counts, max_new_tokens)
    sessions = [s for path in [out, *(p for _, p in find_shards(out))] for s in _sessions(path)]
    rate = rate_of(sessions)
    cost = sum(prompt_cost(benchmark.lengths.of_prompt[place], max_new_tokens) for place in left)
    line = _at_rate(rate, cost) if rate else _at_least(plan, counts, shared, most)
    yield f"time: {line}"


def _counted(
    plan: Plan, benchmark: BenchmarkIndex, left: Sequence[int], prompt: PromptFile | None
) -> TokenCounts:
    """The tokens of the prompts that are left, counted in parts, so that few prompts are in memory."""
    parts = [
        plan.count_tokens(
            [request_for(one, prompt) for one in benchmark.read(left[start : start + COUNTED_AT_A_TIME])]
        )
        for start in range(0, len(left), COUNTED_AT_A_TIME)
    ]
    return replace(parts[0], each=[count for part in parts for count in part.each])


def _sessions(path: Path) -> list[dict[str, object]]:
    return list((read_meta(path) or {}).get("sessions", []))


def _window(counts: TokenCounts, max_new_tokens: int) -> list[str]:
    if counts.window is None:
        return []
    long = sum(tokens >= counts.window for tokens in counts.each)
    short = sum(tokens < counts.window < tokens + max_new_tokens for tokens in counts.each)
    return [
        f"prompts that {what} the model's window of {counts.window:,} tokens: {n}"
        for n, what in ((long, "do not fit"), (short, "leave fewer new tokens than asked in"))
        if n
    ]


def _at_rate(rate: Rate, cost: float) -> str:
    session = rate.session
    world = session.get("world") or 1
    each = f", one of {world} processes" if world != 1 else ""
    tokens = sum(int(session.get(key) or 0) for key in ("prompt_tokens", "new_tokens"))
    pace = f", {tokens_a_minute(tokens, rate.seconds)}" if tokens else ""
    return (
        f"about {duration(cost / rate.cost_per_s)} in one process, at the rate of an earlier start of this "
        f"run ({rate.written} generations in {duration(rate.seconds)}{pace} on "
        f"{session.get('device', 'the server')}{each})"
    )


def _at_least(plan: Plan, counts: TokenCounts, shared: float, new_tokens: int) -> str:
    least = plan.floor_s(sum(counts.each) * (1 - shared), new_tokens)
    if least is None:
        return "not known before something has run: start with --limit 20, then ask again"
    seconds, rests_on = least
    return (
        f"at least {duration(seconds)} if all generations are as long as allowed ({rests_on}); start with "
        "--limit 20 and ask again for an estimate from this run's own rate"
    )
