"""Estimate how much of a run remains, and how long it takes at the rate of earlier sessions."""

from collections.abc import Iterable, Mapping, Sequence
from os.path import commonprefix
from typing import Any, NamedTuple

from clinicnum.prompt import messages_for
from clinicnum.prompt_file import PromptFile
from clinicnum.types import Instance


class Rate(NamedTuple):
    """The speed of an earlier session of this run."""

    cost_per_s: float
    """Cost per second, as `clinicnum.inference.shards.prompt_cost` counts it."""
    written: int
    """Number of generations from which the rate was computed."""
    seconds: float
    session: Mapping[str, Any]


def shared_share(instances: Sequence[Instance], prompt: PromptFile | None = None) -> float:
    """Share (0 to 1) of all prompt characters that belong to a prefix shared with another prompt of the same
    context.

    Raises InputError for an unknown prompt id or a checklist without answer points.
    """
    by_context: dict[str, list[str]] = {}
    for instance in instances:
        messages = messages_for(instance) if prompt is None else prompt.messages(instance)
        text = "\n".join(message["content"] for message in messages)
        by_context.setdefault(instance.context, []).append(text)
    shared = sum(
        (len(texts) - 1) * len(commonprefix(texts))  # noqa: RUF071
        for texts in by_context.values()
    )
    total = sum(len(text) for texts in by_context.values() for text in texts)
    return shared / total if total else 0.0


def rate_of(sessions: Iterable[Mapping[str, Any]]) -> Rate | None:
    """The rate of the latest session that wrote anything, from the sessions in a run's meta; None if none
    did.
    """
    for session in sorted(sessions, key=lambda session: str(session.get("started_at", "")), reverse=True):
        seconds, cost = session.get("seconds"), session.get("cost")
        if seconds and cost:
            return Rate(cost / seconds, int(session["written"]), float(seconds), session)
    return None


def tokens_a_minute(tokens: int, seconds: float) -> str:
    """A rate as `12,345 tokens a minute`."""
    return f"{tokens * 60 / seconds:,.0f} tokens a minute"


def duration(seconds: float) -> str:
    """A duration as `0:42`, `12:05` or `3:20:00`: minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
