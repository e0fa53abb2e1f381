"""What a client states before it starts: the model's identity, and how to start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clinicnum.inference.client import Client, Request


class DescribedClient(Client, Protocol):
    """A client that can describe what it runs on."""

    def describe(self) -> dict[str, Any]:
        """Device, number type and the like, or the server's address: plain values for the run's meta."""
        ...


@dataclass(frozen=True)
class TokenCounts:
    """Number of tokens of prompts."""

    each: Sequence[int]
    rests_on: str
    """How they were counted."""
    window: int | None = None
    """Tokens that the model can hold; None if not known."""


@dataclass(frozen=True)
class Plan:
    """A client that is not started yet."""

    model: str
    """The model's name."""
    fingerprint: str
    """Which model it is; part of the run's identity."""
    identity: dict[str, Any]
    """Further facts that must be equal for a file to be continued, such as the dtype."""
    facts: dict[str, Any]
    """What is known of this start before the client describes itself."""
    said: str
    """One line for the user."""
    start: Callable[[], DescribedClient]
    """Loads the model, or makes the connection's settings."""
    count_tokens: Callable[[Sequence[Request]], TokenCounts]
    """Without loading any weights."""
    floor_s: Callable[[float, int], tuple[float, str] | None]
    """Seconds that so many prompt tokens and new tokens take at least, and on what that rests."""
