"""`clinicnum run --dry-run`: the remaining instances, their tokens and the estimated time; writes nothing."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from clinicnum.inference.estimate import Rate, duration, rate_of, shared_share
from clinicnum.inference.runner import requests_for
from clinicnum.inference.shards import find_shards, prompt_cost
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.commands.inference.client_plan import Plan, TokenCounts
from clinicnum.types import Instance


def dry_run_lines(
    plan: Plan,
    instances: Sequence[Instance],
    done: Collection[str],
    out: Path,
    max_new_tokens: int,
) -> Iterator[str]:
    """The estimate, one fact per line."""
    left = [instance for instance in instances if instance.instance_id not in done]
    yield plan.said
    yield f"{len(left)} of {len(instances)} instances left"
    if not left:
        return
    counts = plan.count_tokens(requests_for(left))
    shared = shared_share(left)
    yield (
        f"prompts: {sum(counts.each):,} tokens, the longest {max(counts.each):,}, {counts.rests_on}; "
        f"{shared:.0%} of them stand in a beginning that another prompt has too (by characters)"
    )
    yield f"generations: at most {len(left) * max_new_tokens:,} new tokens"
    yield from _window(counts, max_new_tokens)
    sessions = [s for path in [out, *(p for _, p in find_shards(out))] for s in _sessions(path)]
    rate = rate_of(sessions)
    line = (
        _at_rate(rate, left, max_new_tokens)
        if rate
        else _at_least(plan, counts, shared, len(left) * max_new_tokens)
    )
    yield f"time: {line}"


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


def _at_rate(rate: Rate, left: Sequence[Instance], max_new_tokens: int) -> str:
    cost = sum(prompt_cost(instance, max_new_tokens) for instance in left)
    session = rate.session
    world = session.get("world") or 1
    each = f", one of {world} processes" if world != 1 else ""
    return (
        f"about {duration(cost / rate.cost_per_s)} in one process, at the rate of an earlier start of this "
        f"run ({rate.written} generations in {duration(rate.seconds)} on "
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
