"""Convert token ids to a completion: its text, the end of each token in it, and thinking separated from the
answer.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from clinicnum.inference.client_interface import Completion, Token
from clinicnum.parsing.thinking import KNOWN_TAGS, split_thinking

if TYPE_CHECKING:
    from clinicnum.inference.local.continuous_batching import Finished

_TAGS = " ".join(tag for pair in KNOWN_TAGS for tag in pair)
"""All tags of thinking: special tokens that are in one are kept."""


def completion(finished: "Finished", tokenizer: Any) -> Completion:
    """The completion of a row that the engine has finished."""
    row = finished.row
    if finished.reason == "error":
        prompt, latency = len(row.prompt), None
        return Completion(row.instance_id, "", "error", prompt, 0, latency, error=finished.error)
    return completion_of_tokens(
        tokenizer,
        row.generated,
        row.logprobs,
        instance_id=row.instance_id,
        prompt_tokens=len(row.prompt),
        opened=row.opened,
        ended=finished.reason == "stop",
        finish_reason=finished.reason,
        latency_s=finished.seconds,
    )


def completion_of_tokens(
    tokenizer: Any,
    ids: Sequence[int],
    logprobs: Sequence[float] | None,
    *,
    instance_id: str,
    prompt_tokens: int,
    opened: bool,
    ended: bool,
    finish_reason: Literal["stop", "length"],
    latency_s: float,
) -> Completion:
    """The completion of generated token ids, the end token included if they `ended` with one.

    `opened` tells whether the prompt ended within a block of thinking; `logprobs` are one for each id.
    """
    text, ends = decode_with_ends(tokenizer, ids[:-1] if ended else ids)
    answer, thinking = split_thinking(text, opened)
    tokens = None
    if logprobs is not None:
        tokens = _of_answer(ends, logprobs, len(text) - len(answer))
        if ended:
            tokens.append(Token(len(answer), logprobs[-1]))
    return Completion(
        instance_id=instance_id,
        text=answer,
        finish_reason=finish_reason,
        prompt_tokens=prompt_tokens,
        completion_tokens=len(ids),
        latency_s=round(latency_s, 3),
        thinking=thinking,
        tokens=None if tokens is None else tuple(tokens),
    )


def _of_answer(ends: Sequence[int], logprobs: Sequence[float], offset: int) -> list[Token]:
    """The tokens after the first `offset` characters, with ends counted from there."""
    first = 0
    if offset:
        first = next((i for i, end in enumerate(ends) if end > offset), len(ends))
        while first and ends[first - 1] == offset and first > 1 and ends[first - 2] == offset:
            first -= 1  # bytes of the answer's first character
    return [Token(end - offset, logprobs[i]) for i, end in enumerate(ends) if i >= first]


def decode_with_ends(tokenizer: Any, ids: Sequence[int]) -> tuple[str, list[int]]:
    """The text of token ids, and the number of its characters up to and including each token.

    Special tokens are left out, except those of tags that open or close thinking. A token that ends within a
    character ends before it; the one that completes it ends after it.
    """
    special = zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True)
    tags = {token: written for token, written in special if written in _TAGS}
    text, ends, begin = "", list[int](), 0
    for place in [*(i for i, token in enumerate(ids) if token in tags), len(ids)]:
        run, run_ends = _spell_run(tokenizer, ids[begin:place])
        ends += [len(text) + end for end in run_ends]
        text += run
        if place < len(ids):
            text += tags[ids[place]]
            ends.append(len(text))
        begin = place + 1
    return text, ends


def _spell_run(tokenizer: Any, ids: Sequence[int]) -> tuple[str, list[int]]:
    """As `decode_with_ends`, for a run of ids without tags."""
    text: str = tokenizer.decode(list(ids), skip_special_tokens=True)
    ends = _streamed(tokenizer, ids, text) or _by_prefixes(tokenizer, ids, text)
    if ends:
        ends[-1] = len(text)  # a character that was never completed is shown at the end
    return text, ends


def _streamed(tokenizer: Any, ids: Sequence[int], text: str) -> list[int] | None:
    """Ends of tokens by the tokenizer's incremental decoder; None if that spells a different text."""
    from tokenizers.decoders import DecodeStream

    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return None
    stream = DecodeStream(skip_special_tokens=True)
    ends, spelt = [], ""
    for token in ids:
        spelt += stream.step(backend, token) or ""
        ends.append(len(spelt))
    return ends if text.startswith(spelt) and not text[len(spelt) :].strip("\ufffd") else None


def _by_prefixes(tokenizer: Any, ids: Sequence[int], text: str) -> list[int]:
    """Ends found by decoding every prefix: slower, for tokenizers without an incremental decoder."""
    ends, reached = [], 0
    for count in range(1, len(ids) + 1):
        part = tokenizer.decode(list(ids[:count]), skip_special_tokens=True).rstrip("\ufffd")
        if text.startswith(part):
            reached = max(reached, len(part))
        ends.append(reached)
    return ends
