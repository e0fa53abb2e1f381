"""The interface of inference clients: requests, completions, and the method `complete`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.prompt import Message

TEMPERATURES = (0.01, 2.0)
"""Lowest and highest sampling temperature: engines take less for 0, and many refuse more."""


@dataclass(frozen=True)
class Decoding:
    """How prompts are written and tokens chosen; part of a run's identity."""

    max_new_tokens: int = 256
    seed: int = 0
    """Seed of the draws; at temperature 0 only recorded."""
    template_arguments: dict[str, Any] = field(default_factory=dict)
    """Arguments for the chat template, such as `reasoning_effort`."""
    temperature: float = 0.0
    """What logits are divided by before a token is drawn; 0 takes the likeliest token and draws nothing."""
    sample: int = 1
    """The number, from 1, of this answer among several that are drawn for each instance."""

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values, for ids and meta files; those that have no effect are left out."""
        method = "sampling" if self.temperature else "greedy"
        settings: dict[str, Any] = {
            "max_new_tokens": self.max_new_tokens,
            "seed": self.seed,
            "method": method,
        }
        if self.template_arguments:
            settings["template_arguments"] = self.template_arguments
        if self.temperature:
            settings |= {"temperature": self.temperature, "sample": self.sample}
        return settings

    def seed_of(self, instance_id: str) -> int:
        """The seed of one generation, 31 bits as every engine takes them.

        It follows from seed, sample and instance alone, not from the order or batch in which instances run.
        """
        if not self.temperature:
            return self.seed
        return int(content_id([self.seed, self.sample, instance_id])[:8], 16) >> 1


def check_sampling(temperature: float, samples: int) -> None:
    """Raise InputError for a temperature that engines do not take, and for several samples at temperature
    0.
    """
    least, most = TEMPERATURES
    if temperature and not least <= temperature <= most:
        raise InputError(
            "temperature {given}: expected 0, or a number from {least} to {most}",
            given=temperature,
            least=least,
            most=most,
        )
    if samples > 1 and not temperature:
        raise InputError(
            "{n} samples at temperature 0 would all be equal; give a temperature such as 0.7, or ask for one "
            "sample",
            n=samples,
        )


@dataclass(frozen=True)
class Request:
    """One prompt to complete."""

    instance_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Token:
    """One generated token of a completion's text."""

    end: int
    """Characters of the text up to and including this token."""
    logprob: float
    """Natural logarithm of the token's probability, given all tokens before it, at temperature 1."""


@dataclass(frozen=True)
class Completion:
    """The result of one request."""

    instance_id: str
    text: str
    finish_reason: Literal["stop", "length", "error"]
    """`error`: the prompt could not be run at all (longer than the model allows, or than memory)."""
    prompt_tokens: int | None
    completion_tokens: int | None
    """Tokens generated, the end token included."""
    latency_s: float | None
    """Seconds from the request's entry into a batch (or its sending) to its last token."""
    thinking: str | None = None
    """What a reasoning model wrote before its answer, which is not part of `text`."""
    tokens: tuple[Token, ...] | None = None
    """The tokens of `text` in order, the end token (whose `end` is the text's length) included if there was
    one; None if the client cannot know. Those of `thinking` are left out."""
    error: str | None = None
    """Set exactly for `error`: one line that says why, and what to do."""
    transient: bool = False
    """Only for `error`: the server failed, not the request, so the instance stays open for a later run."""


def prompt_too_long(instance_id: str, length: int, window: int) -> Completion:
    """The completion of a prompt of `length` tokens that leaves no room for an answer in the window."""
    problem = (
        f"a prompt of {length} tokens does not fit the model's window of {window} with an answer; "
        "shorten the context (--scope stay) or take a model with a larger window"
    )
    return Completion(instance_id, "", "error", length, 0, None, error=problem)


class Client(Protocol):
    """The interface of every inference client."""

    def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield one completion per request, in any order, each as soon as it is finished.

        Of very many requests only some are taken at a time.
        """
        ...
