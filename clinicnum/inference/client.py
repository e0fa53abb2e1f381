"""What every inference client is given and gives back. A client is anything with this `complete`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from clinicnum.prompt import Message


@dataclass(frozen=True)
class Decoding:
    """How tokens are chosen. It belongs to the identity of a run."""

    max_new_tokens: int = 256
    seed: int = 0
    """Recorded and set; greedy decoding does not draw."""
    method: Literal["greedy"] = "greedy"

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for ids and meta files."""
        return asdict(self)


@dataclass(frozen=True)
class Request:
    """One prompt to complete."""

    instance_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Completion:
    """What a client made of one request."""

    instance_id: str
    text: str
    finish_reason: Literal["stop", "length", "error"]
    """`error`: the prompt could not be run at all (longer than the model allows, or than memory)."""
    prompt_tokens: int | None
    completion_tokens: int | None
    """Tokens generated, the end token included."""
    latency_s: float | None
    """Seconds from the start of the batch to its end."""


class Client(Protocol):
    """A way to get completions."""

    def complete(self, requests: Sequence[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield one completion per request, in any order, each as soon as it is finished."""
        ...
