"""Compare inference engines on this machine on one sample: those of transformers, and clinicnum's.

    python -m clinicnum.scripts.dev.bench_engines [--instances 24] [--max-new-tokens 48] [--only NAME]

The sample is that of `bench_inference`, without prompts beyond 1,500 tokens, in float32 on the small model.
Loading is not timed. The column `texts` counts the texts that equal those of plain `generate` at batch 1.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from clinicnum.inference.client_interface import Decoding, Request
from clinicnum.scripts.dev.bench_inference import ROOT, workload

LONGEST = 1_500
Texts = dict[str, str]


def _prompts(loaded: Any, requests: Sequence[Request]) -> dict[str, list[int]]:
    from clinicnum.inference.local.prompt_tokens import chat_text, token_ids

    ids = token_ids(loaded.tokenizer, [chat_text(loaded.tokenizer, request) for request in requests])
    return {request.instance_id: each for request, each in zip(requests, ids, strict=True)}


def _config(loaded: Any, new: int, **more: Any) -> Any:
    from transformers import GenerationConfig

    from clinicnum.inference.local.loading import end_ids

    ends = end_ids(loaded.model.generation_config, loaded.tokenizer)
    pad = loaded.tokenizer.pad_token_id
    return GenerationConfig(max_new_tokens=new, do_sample=False, eos_token_id=ends, pad_token_id=pad, **more)


def static(
    loaded: Any, prompts: dict[str, list[int]], new: int, size: int, ordered: bool, **more: Any
) -> Texts:
    """Texts by `generate` in left-padded batches of `size`, in order of length or of arrival."""
    import torch

    names = sorted(prompts, key=lambda name: -len(prompts[name])) if ordered else list(prompts)
    config = _config(loaded, new, **more)
    texts: Texts = {}
    for start in range(0, len(names), size):
        batch = names[start : start + size]
        padded = loaded.tokenizer.pad({"input_ids": [prompts[n] for n in batch]}, return_tensors="pt")
        with torch.inference_mode():
            out = loaded.model.generate(**padded, generation_config=config)
        rows = out[:, padded["input_ids"].shape[1] :]
        texts |= dict(zip(batch, loaded.tokenizer.batch_decode(rows, skip_special_tokens=True), strict=True))
    return texts


def continuous(loaded: Any, prompts: dict[str, list[int]], new: int) -> Texts:
    """Texts by transformers' continuous batching, with limited memory."""
    from transformers.generation.configuration_utils import ContinuousBatchingConfig

    bounded = ContinuousBatchingConfig(num_blocks=256, max_batch_tokens=1_024)
    outputs = loaded.model.generate_batch(
        inputs=list(prompts.values()),
        generation_config=_config(loaded, new),
        continuous_batching_config=bounded,
    )
    ordered = sorted(outputs.values(), key=lambda one: int(one.request_id.rsplit("_", 1)[-1]))
    written = [loaded.tokenizer.decode(one.generated_tokens, skip_special_tokens=True) for one in ordered]
    return dict(zip(prompts, written, strict=True))


def own(client: Any, requests: Sequence[Request], new: int) -> Texts:
    """Texts by clinicnum's own engine, asked through its client."""
    done = client.complete(requests, decoding=Decoding(max_new_tokens=new))
    return {one.instance_id: one.text for one in done}


def ways(loaded: Any, requests: Sequence[Request], new: int) -> dict[str, Callable[[], Texts]]:
    """The engines to time: name -> function that answers `requests` with at most `new` tokens each.

    clinicnum's own loops come last, as they replace the loaded model's matrix products."""
    from clinicnum.inference.local import LocalClient

    prompts = _prompts(loaded, requests)

    def own_loop(share: bool) -> Texts:
        return own(LocalClient(loaded, share=share), requests, new)

    return {
        "generate, batch 1": lambda: static(loaded, prompts, new, 1, False),
        "generate, batch 1, prompt lookup": lambda: static(
            loaded, prompts, new, 1, False, prompt_lookup_num_tokens=10
        ),
        "generate, batch 1, compiled": lambda: static(
            loaded, prompts, new, 1, False, cache_implementation="static"
        ),
        "generate, batch 8": lambda: static(loaded, prompts, new, 8, False),
        "generate, batch 8, by length": lambda: static(loaded, prompts, new, 8, True),
        "generate, batch 16, by length": lambda: static(loaded, prompts, new, 16, True),
        "continuous batching": lambda: continuous(loaded, prompts, new),
        "own loop, nothing shared": lambda: own_loop(False),
        "own loop": lambda: own_loop(True),
    }


def main() -> None:
    """Run every engine and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--instances", type=int, default=24)
    parser.add_argument("--max-new-tokens", type=int, default=48)
    parser.add_argument("--path", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", help="part of a name")
    arguments = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    from clinicnum.inference.local.loading import load
    from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

    loaded = load(ensure_small_model(), dtype="float32", device="cpu")

    def fits(requests: Sequence[Request]) -> list[bool]:
        return [len(ids) <= LONGEST for ids in _prompts(loaded, requests).values()]

    requests, said = workload(arguments.path, arguments.instances, "contexts", fits)
    print(f"{said}, at most {arguments.max_new_tokens} new tokens")
    print(f"{'':34} {'wall s':>8} {'cpu s':>8} {'texts/s':>8} {'ratio':>6} {'texts':>6}")
    first: tuple[float, Texts] | None = None
    for name, way in ways(loaded, requests, arguments.max_new_tokens).items():
        if arguments.only and arguments.only not in name and first is not None:
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            texts = way()
        except (RuntimeError, ImportError, ValueError, NotImplementedError) as error:
            print(f"{name:34} does not run here: {str(error).splitlines()[0][:90]}", flush=True)
            continue
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        first = first or (wall, texts)
        same = sum(first[1][key] == text for key, text in texts.items())
        rate = len(texts) / wall
        print(f"{name:34} {wall:8.1f} {cpu:8.1f} {rate:8.3f} {first[0] / wall:6.2f} {same:6}", flush=True)


if __name__ == "__main__":
    main()
