"""What a model is asked: the messages for an instance, and the hash that identifies their wording.

The wording is the same whatever the answer type, so that it never gives away what kind of gold is expected,
nor that a question cannot be answered.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import TypedDict

from clinicnum.errors import InputError
from clinicnum.types import Instance

DEFAULT_PROMPT = "default"


class Message(TypedDict):
    """One turn of a chat, in the form that chat templates and servers take."""

    role: str
    content: str


_SYSTEM = (
    "You answer questions about a patient's vital signs from the records given. "
    'End with one line of JSON: {"answer": ...}'
)
_USER = (
    "{context}\n\nQuestion: {question}\n{options}\n"
    "You may reason briefly first. In the JSON write a number with the decimals asked and no unit, "
    'a time as "YYYY-MM-DD HH:MM:SS", or "not documented" if the records do not say.'
)

_WORDINGS: dict[str, tuple[str, str]] = {DEFAULT_PROMPT: (_SYSTEM, _USER)}
"""Prompt id -> (system, user). A new prompt is one line here."""


def messages_for(instance: Instance) -> tuple[Message, ...]:
    """System and user message. Raises InputError for a prompt id that has no wording."""
    system, user = _wording(instance.prompt_id)
    options = "".join(f"{chr(ord('A') + i)}. {text}\n" for i, text in enumerate(instance.options))
    filled = user.format(context=instance.context, question=instance.question, options=options)
    return (Message(role="system", content=system), Message(role="user", content=filled))


def fold_system(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The same messages with the system text put before the first user text, for models without that role."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if not system or not rest:
        return tuple(rest)
    first = Message(role=rest[0]["role"], content="\n\n".join([*system, rest[0]["content"]]))
    return (first, *rest[1:])


def prompt_hash(prompt_ids: Iterable[str | None]) -> str:
    """SHA-256 over the ids and texts of the wordings that these prompt ids use (None is the default)."""
    used = sorted({prompt_id or DEFAULT_PROMPT for prompt_id in prompt_ids})
    payload = [[prompt_id, *_wording(prompt_id)] for prompt_id in used]
    return sha256(json.dumps(payload, ensure_ascii=False).encode()).hexdigest()


def _wording(prompt_id: str | None) -> tuple[str, str]:
    found = _WORDINGS.get(prompt_id or DEFAULT_PROMPT)
    if found is None:
        raise InputError(
            f"no prompt is called {prompt_id!r}; expected one of: {', '.join(sorted(_WORDINGS))}; "
            "correct prompt_id in the benchmark"
        )
    return found
