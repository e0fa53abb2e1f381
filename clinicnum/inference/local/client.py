"""The client that runs a model on this machine."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clinicnum.inference.client_interface import Completion, Decoding, Request, prompt_too_long
from clinicnum.inference.local.devices import DtypeName, default_batch_tokens, free_bytes
from clinicnum.inference.local.prompt_tokens import chat_text, token_ids
from clinicnum.parsing.thinking import ends_open

if TYPE_CHECKING:
    from clinicnum.inference.local.batch_planning import Row
    from clinicnum.inference.local.continuous_batching import Bounds
    from clinicnum.inference.local.loading import LoadedModel, Quantize

CPU_ROWS = 48
"""Most rows of a batch on a CPU, where arithmetic is the limit."""
CPU_PREFILL_TOKENS = 1_024
GPU_PREFILL_TOKENS = 16_384
AT_A_TIME = 8_192
"""Requests whose prompts are held and ordered together; their tokens take some hundred MB."""
MEMORY_SHARE = 0.4
"""Share of the free memory that the cache may take, as it exists twice while it is laid out anew."""


class LocalClient:
    """A model in memory; use `load` to get one."""

    def __init__(self, loaded: "LoadedModel", *, batch_tokens: int | None = None, share: bool = True) -> None:
        from clinicnum.inference.local.engine_check import disagreement, why_unsupported
        from clinicnum.inference.local.forward_pass import Stepper
        from clinicnum.inference.local.loading import (
            context_length,
            end_ids,
            rotary_length_limit,
            set_greedy,
        )

        self._loaded = loaded
        self._share = share
        self._ends = end_ids(loaded.model.generation_config, loaded.tokenizer)
        self._ignored = set_greedy(loaded.model)
        self._window = context_length(loaded.model)
        self._turn = rotary_length_limit(loaded.model) or self._window
        self._stepper = Stepper(loaded.model)
        self._objection, size = why_unsupported(loaded.model), 0
        if self._objection is None:
            self._objection, size = disagreement(self._stepper)
        self._bounds = _bounds(loaded.device, batch_tokens, size)

    @classmethod
    def load(
        cls,
        folder: Path,
        *,
        dtype: DtypeName = "auto",
        batch_tokens: int | None = None,
        quantize: "Quantize | None" = None,
        device: str | None = None,
    ) -> "LocalClient":
        """Load a model folder or GGUF file; `device` None chooses one.

        `batch_tokens` is the most tokens of all rows that run at once, prompts and answers; None takes a
        default. Raises InputError if transformers cannot read it, or if this machine cannot do what was
        asked.
        """
        from clinicnum.inference.local.loading import load
        from clinicnum.inference.local.out_of_memory import out_of_memory_errors

        loaded = load(folder, dtype=dtype, quantize=quantize, device=device)
        with out_of_memory_errors(folder):  # in the trial of the engine
            return cls(loaded, batch_tokens=batch_tokens)

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        return self._loaded.tokenizer

    @property
    def model(self) -> Any:
        """The transformers model."""
        return self._loaded.model

    @property
    def counts(self) -> dict[str, int]:
        """`out_of_memory`: how often memory ran out, each time halving the batch; empty if never."""
        return {"out_of_memory": self._bounds.ran_out} if self._bounds.ran_out else {}

    def describe(self) -> dict[str, Any]:
        """How this machine runs the model, as plain values for the run's meta."""
        loaded = self._loaded
        engine = "own loop: shared prefixes, slots refilled as rows end"
        if self._objection:
            engine = f"transformers generate, because of {self._objection}"
        elif self._turn < self._window:
            engine += f"; rows beyond {self._turn} tokens alone, as rotary positions change there"
        return {
            "device": loaded.device,
            "why_device": loaded.why_device,
            "dtype": loaded.dtype,
            "why_dtype": loaded.why_dtype,
            "quantize": loaded.quantize,
            "batch_tokens": self._bounds.tokens,
            "batch_rows": self._bounds.rows,
            "window": self._window,
            "attention": loaded.model.config._attn_implementation,
            "engine": engine,
            "generation_settings_ignored": self._ignored,
        }

    def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield each completion as soon as it is finished.

        Requests are taken AT_A_TIME at once; of these, the longest prompts run first, roughly. Raises
        InputError as `prompt_tokens.chat_text` does.
        """
        import torch

        from clinicnum.inference.local.detokenize import completion

        torch.manual_seed(decoding.seed)
        waiting = iter(requests)
        while some := [*islice(waiting, AT_A_TIME)]:
            rows: list[Row] = []
            for row in self._rows(some, decoding):
                if row.limit > 0:
                    rows.append(row)
                else:
                    yield prompt_too_long(row.instance_id, len(row.prompt), self._window)
            for finished in self._run(rows, decoding.temperature):
                yield completion(finished, self._loaded.tokenizer)

    def _rows(self, requests: Sequence[Request], decoding: Decoding) -> list["Row"]:
        from clinicnum.inference.local.batch_planning import Row

        tokenizer = self._loaded.tokenizer
        texts = [chat_text(tokenizer, request, decoding.template_arguments) for request in requests]
        return [
            Row(
                request.instance_id,
                ids,
                min(decoding.max_new_tokens, self._window - len(ids)),
                opened=ends_open(text),
                seed=decoding.seed_of(request.instance_id),
            )
            for request, text, ids in zip(requests, texts, token_ids(tokenizer, texts), strict=True)
        ]

    def _run(self, rows: Sequence["Row"], temperature: float) -> Iterator[Any]:
        from clinicnum.inference.local.batch_planning import plan
        from clinicnum.inference.local.continuous_batching import Engine
        from clinicnum.inference.local.plain_generate import PlainGenerate

        how: dict[str, Any] = {"ends": self._ends, "bounds": self._bounds, "temperature": temperature}
        if self._objection:
            pad = self._loaded.tokenizer.pad_token_id or 0
            yield from PlainGenerate(self._loaded.model, pad=pad, **how).run(rows)
            return
        together = [row for row in rows if row.most <= self._turn]
        yield from Engine(self._stepper, **how).run(plan(together, share=self._share))
        alone = [row for row in rows if row.most > self._turn]
        how["bounds"] = replace(self._bounds, rows=1)
        yield from Engine(self._stepper, **how).run(plan(alone, share=False))


def _bounds(device: str, batch_tokens: int | None, bytes_per_token: int) -> "Bounds":
    """The batch size: as requested, otherwise the default or what the free memory holds."""
    from clinicnum.inference.local.continuous_batching import Bounds

    tokens = batch_tokens or default_batch_tokens()
    if bytes_per_token and not batch_tokens:
        tokens = min(tokens, max(1, int(free_bytes(device) * MEMORY_SHARE / bytes_per_token)))
    if device == "cpu":
        return Bounds(tokens, CPU_ROWS, CPU_PREFILL_TOKENS, 0.0)
    return Bounds(tokens, 4_096, GPU_PREFILL_TOKENS, 0.125)
