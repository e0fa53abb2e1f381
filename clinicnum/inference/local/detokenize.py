"""Convert token ids to a completion: its text, the end of each token in it, and thinking separated from the
answer.
"""

from collections.abc import Sequence
from typing import Any

from clinicnum.inference.client import Completion, Token
from clinicnum.inference.local.decode import Finished
from clinicnum.parsing.thinking import KNOWN_TAGS, split_thinking

_TAGS = " ".join(tag for pair in KNOWN_TAGS for tag in pair)
"""All tags of thinking: special tokens that are in one are kept."""


def completion(finished: Finished, tokenizer: Any) -> Completion:
    """The completion of a finished row."""
    row = finished.row
    if finished.reason == "error":
        prompt, latency = len(row.prompt), None
        return Completion(row.instance_id, "", "error", prompt, 0, latency, error=finished.error)
    stopped = finished.reason == "stop"
    written = row.generated[:-1] if stopped else row.generated
    text, ends = decode_with_ends(tokenizer, written)
    answer, thinking = split_thinking(text, row.opened)
    tokens = _of_answer(ends, row.logprobs, len(text) - len(answer))
    if stopped:
        tokens.append(Token(len(answer), row.logprobs[-1]))
    return Completion(
        instance_id=row.instance_id,
        text=answer,
        finish_reason=finished.reason,
        prompt_tokens=len(row.prompt),
        completion_tokens=len(row.generated),
        latency_s=round(finished.seconds, 3),
        thinking=thinking,
        tokens=tuple(tokens),
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
