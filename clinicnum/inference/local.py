"""The local client: transformers and accelerate on CPU or GPUs, greedy, in left-padded batches.

Prompts are sorted by length, longest first, so that padding is small and memory runs out at once or never.
A batch holds as many as fit a budget of padded tokens (prompt and new tokens); out of memory halves the
budget for the rest of the run. Only local files are read and no code of a model is run.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from clinicnum.errors import InputError
from clinicnum.inference.client import Completion, Decoding, Request
from clinicnum.prompt import fold_system

DtypeName = Literal["auto", "float32", "bfloat16", "float16"]
CPU_BATCH_TOKENS = 8_192
"""About 16 prompts of 450 tokens: twice as many gain a tenth a step and wait longer for the slowest."""
GPU_BATCH_TOKENS = 65_536


@dataclass(frozen=True)
class _Prompt:
    instance_id: str
    token_ids: list[int]


class LocalClient:
    """A model in memory. Use `load`."""

    def __init__(self, model: Any, tokenizer: Any, *, device: str, dtype: str, batch_tokens: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._budget = batch_tokens
        self.device = device
        self.dtype = dtype

    @classmethod
    def load(
        cls, folder: Path, *, dtype: DtypeName = "auto", batch_tokens: int | None = None
    ) -> "LocalClient":
        """Load a model folder. Raises InputError if transformers cannot read it."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        name, _ = resolve_dtype(dtype)
        device = compute_device()
        files: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left", **files)
            model = AutoModelForCausalLM.from_pretrained(
                folder, dtype=getattr(torch, name), device_map=device, **files
            )
        except (OSError, ValueError, KeyError) as error:
            problem = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise InputError(
                f"{folder}: transformers cannot load it ({problem}); name another model folder"
            ) from error
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        budget = batch_tokens or default_batch_tokens()
        return cls(model.eval(), tokenizer, device=device, dtype=name, batch_tokens=budget)

    def complete(self, requests: Sequence[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield completions batch by batch, longest prompts first."""
        import torch

        torch.manual_seed(decoding.seed)
        prompts = [_Prompt(request.instance_id, self._tokens(request)) for request in requests]
        waiting = sorted(prompts, key=lambda prompt: -len(prompt.token_ids))
        while waiting:
            if len(waiting[0].token_ids) + 1 > self._context_limit():
                yield _failed(waiting.pop(0))
                continue
            size = self._fitting(waiting, decoding)
            try:
                done = self._generate(waiting[:size], decoding)
            except RuntimeError as error:
                if not _out_of_memory(error):
                    raise
                done = self._shrink(waiting[:size], decoding)
                size = len(done)
            waiting = waiting[size:]
            yield from done

    def _tokens(self, request: Request) -> list[int]:
        """Token ids of the prompt in the model's own chat template."""
        text = chat_text(self._tokenizer, request)
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _context_limit(self) -> int:
        return int(getattr(self._model.config, "max_position_embeddings", None) or 2**31)

    def _fitting(self, waiting: Sequence[_Prompt], decoding: Decoding) -> int:
        padded = len(waiting[0].token_ids) + decoding.max_new_tokens
        return max(1, min(len(waiting), self._budget // padded))

    def _shrink(self, batch: Sequence[_Prompt], decoding: Decoding) -> list[Completion]:
        """After running out of memory: halve the budget; a single prompt that does not fit has failed."""
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        if len(batch) == 1:
            return [_failed(batch[0])]
        self._budget = (len(batch) // 2) * (len(batch[0].token_ids) + decoding.max_new_tokens)
        return []

    def _generate(self, batch: Sequence[_Prompt], decoding: Decoding) -> list[Completion]:
        import torch
        from transformers import GenerationConfig

        started = time.perf_counter()
        padded = self._tokenizer.pad(
            {"input_ids": [prompt.token_ids for prompt in batch]}, padding=True, return_tensors="pt"
        ).to(self._model.device)
        width = padded["input_ids"].shape[1]
        ends = _end_ids(self._model, self._tokenizer)
        new_tokens = min(decoding.max_new_tokens, self._context_limit() - width)
        # A fresh configuration: a model's own may set sampling or penalties, and greedy means greedy.
        config = GenerationConfig(
            max_new_tokens=new_tokens,
            do_sample=False,
            eos_token_id=ends,
            pad_token_id=self._tokenizer.pad_token_id,
        )
        with torch.inference_mode():
            output = self._model.generate(**padded, generation_config=config)
        latency = time.perf_counter() - started
        rows = output[:, width:].tolist()
        return [
            self._completion(prompt, row, set(ends), latency) for prompt, row in zip(batch, rows, strict=True)
        ]

    def _completion(self, prompt: _Prompt, row: list[int], ends: set[int], latency: float) -> Completion:
        length = next((i for i, token in enumerate(row) if token in ends), None)
        kept = row if length is None else row[:length]
        return Completion(
            instance_id=prompt.instance_id,
            text=self._tokenizer.decode(kept, skip_special_tokens=True),
            finish_reason="length" if length is None else "stop",
            prompt_tokens=len(prompt.token_ids),
            completion_tokens=len(kept) + (length is not None),
            latency_s=round(latency, 3),
        )


def compute_device() -> str:
    """`cpu`, `cuda` (one GPU), or `auto`: accelerate spreads the model over several."""
    import torch

    gpus = torch.cuda.device_count()
    return "cpu" if gpus == 0 else "cuda" if gpus == 1 else "auto"


def default_batch_tokens() -> int:
    """Padded tokens a batch may hold where the user says nothing."""
    return CPU_BATCH_TOKENS if compute_device() == "cpu" else GPU_BATCH_TOKENS


def resolve_dtype(dtype: DtypeName) -> tuple[str, str]:
    """The number type to compute in, and why.

    `auto` takes bfloat16 only where the hardware computes in it: on a CPU that has to emulate it, it ran 3
    to 6 x slower than float32 (two AVX2 cores, SmolLM2-135M).
    """
    import torch

    if dtype != "auto":
        return dtype, "as asked"
    if torch.cuda.is_available():
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return "bfloat16", "this GPU computes in it"
        return "float16", "this GPU has no bfloat16"
    has = torch.cpu.get_capabilities()
    if has.get("avx512_bf16") or has.get("amx_bf16"):
        return "bfloat16", "this CPU computes in it"
    return "float32", "this CPU has no bfloat16 instructions"


def chat_text(tokenizer: Any, request: Request) -> str:
    """The prompt as the model's chat template writes it; plain text for a model that has none."""
    from jinja2 import TemplateError

    messages = list(request.messages)
    if not tokenizer.chat_template:
        return "\n\n".join(message["content"] for message in messages) + "\n"
    system = [message["content"] for message in messages if message["role"] == "system"]
    options: dict[str, Any] = {"tokenize": False, "add_generation_prompt": True}
    try:
        text: str = tokenizer.apply_chat_template(messages, **options)
    except TemplateError:  # how templates refuse a system role
        text = ""
    if text and all(content.strip() in text for content in system):
        return text
    return str(tokenizer.apply_chat_template(list(fold_system(messages)), **options))


def _end_ids(model: Any, tokenizer: Any) -> list[int]:
    """Every token that ends a turn: those of the model's generation settings and the tokenizer's own."""
    own = model.generation_config.eos_token_id
    ids = own if isinstance(own, list) else [own]
    return sorted({i for i in [*ids, tokenizer.eos_token_id] if i is not None})


def _failed(prompt: _Prompt) -> Completion:
    return Completion(prompt.instance_id, "", "error", len(prompt.token_ids), 0, None)


def _out_of_memory(error: RuntimeError) -> bool:
    import torch

    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator" in str(error)
