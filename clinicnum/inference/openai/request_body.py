"""The body of a request, adapted to what the server refused before."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.openai.completion import read_reply
from clinicnum.prompt import fold_system

OPTIONAL = ("logprobs", "seed", "repetition_penalty", "top_p", "top_k", "min_p")
"""Parameters left out if a server refuses them. Without a penalty vLLM and SGLang take the model's own, which
is not greedy; others do not know the word."""

_REFUSES = re.compile(
    r"unsupported|not support|unexpected|unrecogni[sz]ed|unknown|extra|invalid|disabled|cannot|can't|must be"
    r"|not (?:allowed|permitted|enabled)",
    re.I,
)
_NO_SYSTEM = re.compile(
    r"system (?:role|message|prompt|instruction)|role\W+system|roles must alternate", re.I
)


class RequestFormat(Protocol):
    """How requests are written for a server, and its answers read."""

    path: str
    """Where requests go, below the server's address."""
    without: set[str]
    """Parameters that the server refuses."""
    folds_system: bool
    """Whether the system text is put into the first user message."""

    def impossible(self, request: Request, decoding: Decoding) -> Completion | None:
        """The completion, with an error, of a request that cannot be sent at all; None for all others."""
        ...

    def payload(self, request: Request, *, model: str, decoding: Decoding) -> dict[str, Any]:
        """The JSON body of a request."""
        ...

    def learn(self, status: int, message: str, payload: dict[str, Any]) -> bool:
        """Learn from a refusal of `payload`, by its HTTP status; returns whether another form of the request
        is worth sending.
        """
        ...

    def read(self, body: Any, request: Request, decoding: Decoding, latency_s: float) -> Completion | str:
        """The completion in an answer after `latency_s` seconds, or one line that says why there is none."""
        ...


def drawing(decoding: Decoding) -> dict[str, Any]:
    """Parameters with which a server draws from the whole vocabulary, against its defaults; empty for greedy
    decoding.
    """
    return {"top_p": 1, "top_k": -1, "min_p": 0} if decoding.temperature else {}


def refused_parameters(message: str, payload: dict[str, Any], optional: Iterable[str]) -> set[str]:
    """Those of the `optional` parameters in `payload` that the server's message refuses by name."""
    if not _REFUSES.search(message):
        return set()
    return {key for key in optional if key in payload and re.search(rf"\b{key}\b", message)}


@dataclass
class Dialect:
    """Requests for chat completions, in the form that one server accepts, learned from its refusals."""

    path = "/chat/completions"

    without: set[str] = field(default_factory=set)
    """Parameters of OPTIONAL that the server refuses."""
    folds_system: bool = False
    """Whether the system text must be put into the first user message."""
    limit_key: str = "max_tokens"
    """The server's name for the parameter that limits the tokens to generate."""

    def impossible(self, request: Request, decoding: Decoding) -> Completion | None:
        """Always None: only the server can tell whether a prompt is too long."""
        return None

    def read(self, body: Any, request: Request, decoding: Decoding, latency_s: float) -> Completion | str:
        """The completion in an answer, or one line that says why there is none."""
        limit = decoding.max_new_tokens
        return read_reply(body, instance_id=request.instance_id, max_new_tokens=limit, latency_s=latency_s)

    def payload(self, request: Request, *, model: str, decoding: Decoding) -> dict[str, Any]:
        """The JSON body of a request."""
        messages: Sequence[Any] = fold_system(request.messages) if self.folds_system else request.messages
        options = {
            "logprobs": True,
            "seed": decoding.seed_of(request.instance_id),
            "repetition_penalty": 1.0,
            **drawing(decoding),
        }
        body: dict[str, Any] = {
            "model": model,
            "messages": list(messages),
            "temperature": decoding.temperature or 0,
            self.limit_key: decoding.max_new_tokens,
        }
        if decoding.template_arguments:
            body["chat_template_kwargs"] = decoding.template_arguments
        return body | {key: value for key, value in options.items() if key not in self.without}

    def learn(self, status: int, message: str, payload: dict[str, Any]) -> bool:
        """Learn from a refusal of `payload`; returns whether another form of the request is worth sending."""
        if status < 400 or status in (401, 403, 404, 429):
            return False
        if _NO_SYSTEM.search(message) and any(turn["role"] == "system" for turn in payload["messages"]):
            self.folds_system = True
            return True
        refused = refused_parameters(message, payload, OPTIONAL)
        if refused:
            self.without |= refused
            return True
        if (
            "max_completion_tokens" in message
            and "max_tokens" in payload
            and "unsupported" in message.lower()
        ):
            self.limit_key = "max_completion_tokens"
            return True
        return False
