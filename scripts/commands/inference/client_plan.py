"""A client's plan for a run, before it starts: the model's identity, and how to start the client."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clinicnum.inference.client_interface import Client, Request


class DescribedClient(Client, Protocol):
    """A client that can describe its device or server."""

    def describe(self) -> dict[str, Any]:
        """Device, data type and the like, or the server's address: plain values for the run's meta data."""
        ...


@dataclass(frozen=True)
class TokenCounts:
    """Tokens of each prompt of the run, how they were counted, and the model's context window."""

    each: Sequence[int]
    rests_on: str
    """How the tokens were counted, in words."""
    window: int | None = None
    """Context window of the model, in tokens; None if unknown."""


@dataclass(frozen=True)
class Plan:
    """A client's plan; the client is not started yet."""

    model: str
    """The model's name."""
    fingerprint: str
    """Identifies the model; part of the run's identity."""
    identity: dict[str, Any]
    """Further values, such as the dtype, that must be equal to continue an existing file."""
    facts: dict[str, Any]
    """Meta data of this session known before the client describes itself."""
    said: str
    """One line for the user."""
    start: Callable[[], DescribedClient]
    """Starts the client: loads the model, or configures the connection."""
    count_tokens: Callable[[Sequence[Request]], TokenCounts]
    """Counts prompt tokens without loading any weights."""
    floor_s: Callable[[float, int], tuple[float, str] | None]
    """Minimum seconds for these numbers of prompt and new tokens, and the basis of that figure; None if
    unknown.
    """
    stop: Callable[[], None] = lambda: None
    """Stops what `start` started, even if that failed half-way."""
