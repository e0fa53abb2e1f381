"""Prompts as written by the model's own chat template, and their tokens."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clinicnum.inference.chat_template_inputs import prints_date, with_fixed_date
from clinicnum.inference.client_interface import Request
from clinicnum.prompt import fold_system


def chat_text(tokenizer: Any, request: Request, arguments: Mapping[str, Any] | None = None) -> str:
    """The prompt as written by the model's chat template, given its `arguments`; plain text for a model
    without one.

    The system text is folded into the user's where the template refuses or drops that role. A template that
    prints today's date prints a fixed one; raises InputError if it computes the form of the date.
    """
    from jinja2 import TemplateError

    messages = list(request.messages)
    if not tokenizer.chat_template:
        return "\n\n".join(message["content"] for message in messages) + "\n"
    system = [message["content"] for message in messages if message["role"] == "system"]
    options: dict[str, Any] = {"tokenize": False, "add_generation_prompt": True, **(arguments or {})}
    if prints_date(tokenizer.chat_template):
        options["chat_template"] = with_fixed_date(tokenizer.chat_template)
    try:
        text: str = tokenizer.apply_chat_template(messages, **options)
    except TemplateError:  # how templates refuse a system role
        text = ""
    if text and all(content.strip() in text for content in system):
        return text
    return str(tokenizer.apply_chat_template(list(fold_system(messages)), **options))


def token_ids(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """Token ids of prompts. Chat templates write their own special tokens; for plain text the
    tokenizer adds them.
    """
    if not texts:
        return []
    plain = not tokenizer.chat_template
    ids: list[list[int]] = tokenizer(list(texts), add_special_tokens=plain)["input_ids"]
    return ids


def token_counts(
    folder: Path, requests: Sequence[Request], arguments: Mapping[str, Any] | None = None
) -> list[int]:
    """Number of prompt tokens of each request, by tokenizer and template alone, without loading weights.

    Raises InputError if the tokenizer cannot be read.
    """
    from clinicnum.inference.local.loading import load_tokenizer

    tokenizer = load_tokenizer(folder)
    texts = [chat_text(tokenizer, one, arguments) for one in requests]
    return [len(ids) for ids in token_ids(tokenizer, texts)]
