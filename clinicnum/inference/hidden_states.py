"""Mean-pooled last hidden states of contexts, from which the latent flip rate is computed.

What the model is fed is the context alone: no chat template, no question, and the special tokens that its
tokenizer puts around any text. A state is the mean of the last layer's output (after the model's final norm)
over the tokens of the context, special ones left out, computed in float32 whatever the model computes in.
Padding stands to the right, where a causal model never looks, so a batch changes no result.

The states go straight into a memory-mapped file, which appears under its name only when complete.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clinicnum.errors import InputError
from clinicnum.io.jsonl import replacing, write_meta
from clinicnum.types import Instance

if TYPE_CHECKING:
    from clinicnum.inference.local.loading import LoadedModel

FED = "the context alone, with the special tokens of the tokenizer, which are left out of the mean"
BATCH_TOKENS = 4_096


@dataclass(frozen=True)
class Context:
    """A context text that instances share."""

    text: str
    instance_ids: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """SHA-256 of the UTF-8 text, in hexadecimal."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class _Encoded:
    """A context's tokens, and which of them belong to the context itself."""

    place: int
    ids: list[int]
    own: list[bool]


def contexts_of(instances: Sequence[Instance]) -> list[Context]:
    """The distinct contexts of instances, in the order of their first instance."""
    about: dict[str, list[str]] = {}
    for instance in instances:
        about.setdefault(instance.context, []).append(instance.instance_id)
    return [Context(text, tuple(ids)) for text, ids in about.items()]


def rows_path(out: Path) -> Path:
    """Path of the file that says, for each context, which row of the array `out` is its hidden state."""
    return out.with_name(out.name + ".rows.jsonl")


def write_hidden_states(
    contexts: Sequence[Context],
    loaded: "LoadedModel",
    out: Path,
    *,
    meta: dict[str, Any],
    batch_tokens: int = BATCH_TOKENS,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[int, int]:
    """Write float32 [contexts, hidden size] to `out`; returns the number of rows and of contexts left out.

    `OUT.rows.jsonl` has one line a context: its row (null with a reason where it has none, being empty or
    longer than the model's window), SHA-256, tokens and instance ids. `OUT.meta.json` has `meta` and what was
    fed. Raises InputError if no context can be represented, and OSError where the disk is full; nothing is
    left behind then.
    """
    from clinicnum.inference.local.loading import context_length

    if not out.parent.is_dir():
        raise InputError(f"{out}: folder {out.parent} does not exist; make it or name another --out")
    encoded = _encode(contexts, loaded.tokenizer)
    limit = context_length(loaded.model)
    reasons = [_reason(one, limit) for one in encoded]
    kept = [one for one, reason in zip(encoded, reasons, strict=True) if reason is None]
    if not kept:
        raise InputError(f"none of the {len(contexts)} contexts can be represented: {reasons[0]}")
    row_of = {one.place: row for row, one in enumerate(kept)}
    with _Array(out, len(kept), int(loaded.model.config.get_text_config(decoder=True).hidden_size)) as array:
        for done, (place, state) in enumerate(_states(kept, loaded, batch_tokens), start=1):
            array.rows[row_of[place]] = state
            progress(done)
        with replacing(rows_path(out)) as handle:
            for context, one, reason in zip(contexts, encoded, reasons, strict=True):
                handle.write(json.dumps(_line(context, one, row_of.get(one.place), reason)) + "\n")
        write_meta(out, meta | {"fed": FED, "layer": "last", "pooling": "mean", "n_rows": len(kept)})
        array.complete()
    return len(kept), len(contexts) - len(kept)


def _encode(contexts: Sequence[Context], tokenizer: Any) -> list[_Encoded]:
    encoded = tokenizer([context.text for context in contexts], return_special_tokens_mask=True)
    marks = zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True)
    return [_Encoded(i, ids, [not mark for mark in special]) for i, (ids, special) in enumerate(marks)]


def _reason(one: _Encoded, limit: int) -> str | None:
    """Why a context has no row; None if it has one."""
    if not any(one.own):
        return "the context is empty"
    if len(one.ids) > limit:
        return f"the context has {len(one.ids)} tokens, the model's window {limit}"
    return None


def _line(context: Context, one: _Encoded, row: int | None, reason: str | None) -> dict[str, Any]:
    return {
        "row": row,
        "context_sha256": context.sha256,
        "tokens": sum(one.own),
        "instance_ids": list(context.instance_ids),
        "reason": reason,
    }


def _states(
    encoded: Sequence[_Encoded], loaded: "LoadedModel", batch_tokens: int
) -> Iterator[tuple[int, Any]]:
    """Index and float32 [hidden size] of each context, longest first; if memory runs out the batch is
    halved.
    """
    from clinicnum.inference.local.out_of_memory import is_out_of_memory, release

    waiting = sorted(encoded, key=lambda one: -len(one.ids))
    most = len(waiting)
    while waiting:
        size = max(1, min(most, len(waiting), batch_tokens // len(waiting[0].ids)))
        try:
            pooled = _pooled(waiting[:size], loaded)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            pooled = None
        if pooled is None:
            if size == 1:
                raise InputError(
                    f"out of memory with one context of {len(waiting[0].ids)} tokens; take a smaller --dtype "
                    "or a machine with more memory"
                )
            release()
            most = size // 2
            continue
        yield from zip((one.place for one in waiting[:size]), pooled, strict=True)
        waiting = waiting[size:]


def _pooled(batch: Sequence[_Encoded], loaded: "LoadedModel") -> Any:
    """Mean-pooled hidden states, float32 [batch, hidden size]."""
    import torch

    device = loaded.model.get_input_embeddings().weight.device
    width = max(len(one.ids) for one in batch)
    pad = loaded.tokenizer.pad_token_id or 0
    ids = torch.tensor([[*one.ids, *[pad] * (width - len(one.ids))] for one in batch], device=device)
    real = torch.tensor([[i < len(one.ids) for i in range(width)] for one in batch], device=device)
    own = torch.tensor([[*one.own, *[False] * (width - len(one.own))] for one in batch], device=device)
    given = {"input_ids": ids} if bool(real.all()) else {"input_ids": ids, "attention_mask": real.long()}
    with torch.inference_mode():
        states = loaded.model.base_model(**given, use_cache=False, return_dict=True).last_hidden_state
    own = own.to(states.device)[:, :, None]
    summed = torch.where(own, states.float(), 0.0).sum(dim=1)
    return (summed / own.sum(dim=1)).cpu().numpy()


class _Array:
    """A float32 .npy file [rows, columns], memory-mapped under a temporary name until `complete`."""

    def __init__(self, out: Path, rows: int, columns: int) -> None:
        self._out, self._shape = out, (rows, columns)
        self._part = out.with_name(f".{out.name}.{os.getpid()}.part")
        self.rows: Any = None

    def __enter__(self) -> "_Array":
        from numpy.lib.format import open_memmap

        try:
            os.close(os.open(self._part, os.O_CREAT | os.O_WRONLY, 0o600))  # for its owner alone
            self.rows = open_memmap(self._part, mode="w+", dtype="float32", shape=self._shape)
            with self._part.open("r+b") as handle:
                # Written to a full disk, a mapped page kills the process: take the space now.
                os.posix_fallocate(handle.fileno(), 0, self._part.stat().st_size)
        except OSError:
            self._part.unlink(missing_ok=True)
            raise
        return self

    def complete(self) -> None:
        """Rename the finished file to its final name."""
        self.rows.flush()
        self._part.replace(self._out)

    def __exit__(self, *_: object) -> None:
        self.rows = None
        self._part.unlink(missing_ok=True)
