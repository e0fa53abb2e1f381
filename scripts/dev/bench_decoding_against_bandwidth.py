"""Benchmark of our engine on a GPU against the memory-bandwidth limit, with random weights from a seed.

    python -m clinicnum.scripts.dev.bench_inference --random-weights small|7b [--batches 1,64,256,1024]

Every decoding step reads all weights and every key and value of every row, so its shortest possible time is
the number of these bytes divided by the device's memory bandwidth, which is measured by a copy. Printed for
each batch size: tokens per second while decoding (prompts already processed), the share of that limit, and
tokens per second of the whole client, prompts included. The baseline is plain `generate` at batch 1. No text
ends early, as no end token is set. Also runs on a CPU (`tiny`), to show that it works.
"""

import time
from typing import Any

PROMPT = 512
NEW = 128
_SHARED: dict[str, Any] = {"attention_bias": False, "hidden_act": "silu", "max_position_embeddings": 8_192}
SHAPES: dict[str, dict[str, Any]] = {
    "tiny": _SHARED
    | {
        "vocab_size": 512,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    },
    "small": _SHARED
    | {
        "vocab_size": 49_152,
        "hidden_size": 576,
        "intermediate_size": 1_536,
        "num_hidden_layers": 30,
        "num_attention_heads": 9,
        "num_key_value_heads": 3,
        "tie_word_embeddings": True,
    },
    "7b": _SHARED
    | {
        "vocab_size": 32_768,
        "hidden_size": 4_096,
        "intermediate_size": 14_336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
    },
}
"""Llama architectures: that of the small model, and a common one with 7 B parameters and grouped-query
attention.
"""


def bandwidth(shape: str, batches: list[int]) -> None:
    """Run the benchmark for one of SHAPES and print the table, one row per batch size.

    Raises SystemExit without a GPU, except for the shape `tiny`.
    """
    import torch

    from clinicnum.inference.local.forward_pass import Stepper

    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu" and shape != "tiny":
        raise SystemExit("no GPU is visible: --random-weights small and 7b wait for one; tiny runs anywhere")
    model = _model(shape, device)
    stepper = Stepper(model)
    limit = _copy_bytes_per_second(device)
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    if (
        not model.config.tie_word_embeddings
    ):  # a step reads only its tokens' rows of separate input embeddings
        embedding = model.get_input_embeddings().weight
        weights -= embedding.numel() * embedding.element_size()
    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    print(
        f"{shape}, {weights / 1e9:.2f} GB read a step, {model.dtype}, {name}, {limit / 1e9:.0f} GB/s by copy"
    )
    plain = _plain(model)
    print(f"plain generate, batch 1: {plain:.1f} tokens/s from prompt to end")
    print(f"{'batch':>6} {'decode tok/s':>13} {'of the limit':>13} {'whole tok/s':>12} {'to plain':>9}")
    for batch in batches:
        try:
            step, per_token = _decode(stepper, batch)
            whole = _whole(stepper, batch)
        except torch.OutOfMemoryError:
            print(f"{batch:>6} does not fit")
            torch.cuda.empty_cache()
            continue
        least = (weights + batch * (PROMPT + NEW // 2) * per_token) / limit
        shown = f"{batch / step:>13.1f} {least / step:>13.1%} {whole:>12.1f} {whole / plain:>9.1f}"
        print(f"{batch:>6} {shown}", flush=True)


def _model(shape: str, device: str) -> Any:
    import torch
    from transformers import AutoModelForCausalLM, LlamaConfig

    torch.manual_seed(0)
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(LlamaConfig(**SHAPES[shape]), dtype=dtype)
    return model.eval()


def _copy_bytes_per_second(device: str) -> float:
    """Bytes read and written per second by a copy larger than any cache."""
    import torch

    size = 2**30 if device == "cuda" else 2**27
    source = torch.zeros(size, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    best = min(_timed(lambda: target.copy_(source), device) for _ in range(10))
    return 2 * size / best


def _timed(work: Any, device: str) -> float:
    import torch

    if device == "cuda":
        torch.cuda.synchronize()
    started = time.perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started


def _prompts(model: Any, count: int) -> list[list[int]]:
    import torch

    generator = torch.Generator().manual_seed(1)
    ids: list[list[int]] = torch.randint(
        0, model.config.vocab_size, (count, PROMPT), generator=generator
    ).tolist()
    return ids


def _plain(model: Any) -> float:
    """New tokens per second of plain `generate` at batch 1, the better of two runs."""
    import torch
    from transformers import GenerationConfig

    config = GenerationConfig(max_new_tokens=NEW, do_sample=False, eos_token_id=None, pad_token_id=0)
    ids = torch.tensor(_prompts(model, 1), device=model.device)

    def work() -> None:
        with torch.inference_mode():
            model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=config)

    return NEW / min(_timed(work, model.device.type) for _ in range(2))


def _decode(stepper: Any, batch: int) -> tuple[float, int]:
    """Seconds per decoding step with at least `PROMPT` tokens in each row, and bytes per token in the KV
    cache.
    """
    import torch

    cache = stepper.cache(batch, PROMPT + NEW + 8, edge=PROMPT)
    tokens = torch.zeros(batch, dtype=torch.long, device=stepper.device)
    starts = torch.zeros(batch, dtype=torch.long, device=stepper.device)

    def steps(count: int) -> None:
        for _ in range(count):
            stepper.step(cache, tokens, starts).argmax(dim=-1).tolist()

    steps(4)
    return _timed(lambda: steps(NEW), stepper.device.type) / NEW, cache.bytes_per_token()


def _whole(stepper: Any, batch: int) -> float:
    """New tokens per second of the engine for one full batch, prompts included."""
    from clinicnum.inference.local.batch_planning import Row, plan
    from clinicnum.inference.local.client import GPU_PREFILL_TOKENS
    from clinicnum.inference.local.continuous_batching import Bounds, Engine

    rows = [Row(str(i), ids, NEW) for i, ids in enumerate(_prompts(stepper.model, batch))]
    bounds = Bounds(batch * (PROMPT + NEW), batch, GPU_PREFILL_TOKENS, 0.125)
    engine = Engine(stepper, ends=(), bounds=bounds)
    return batch * NEW / _timed(lambda: list(engine.run(plan(rows))), stepper.device.type)
