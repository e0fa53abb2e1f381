"""Whether the engine can run a model: judged by its kind of cache, and by a trial that compares two prompts
run together in the engine with the same prompts run one by one.
"""

from typing import Any

import torch

from clinicnum.inference.local.batch_planning import Group, Row
from clinicnum.inference.local.forward_pass import Stepper
from clinicnum.inference.local.out_of_memory import is_out_of_memory
from clinicnum.inference.local.prefill import prefill

_TOLERANCE = {torch.float32: 0.01, torch.bfloat16: 0.5, torch.float16: 0.1}
"""Largest difference of logits, in their standard deviations; a wrong mask or position gives 1 and more."""
_LENGTHS = (29, 17)
_SHARED = 12


def why_unsupported(model: Any) -> str | None:
    """Why the engine cannot run a model, by the model's configuration; None if there is no objection."""
    from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

    if getattr(model, "_is_stateful", False):
        return "a recurrent state instead of keys and values"
    if model.config.is_encoder_decoder:
        return "an encoder-decoder"
    config = model.config.get_text_config(decoder=True)
    kinds = set(getattr(config, "layer_types", None) or ())
    if kinds - {"full_attention", "sliding_attention"}:
        return f"layers of the kind {', '.join(sorted(kinds - {'full_attention', 'sliding_attention'}))}"
    try:
        layers = DynamicCache(config=model.config).layers
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        return f"a cache that is not known ({error})"
    if any(type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers):
        return "a cache that is not made of keys and values alone"
    return None


def disagreement(stepper: Stepper) -> tuple[str | None, int]:
    """Run two prompts of different length with a shared prefix in the engine and one by one, and compare.

    Returns why they disagree (None if they do not), and the bytes that a token takes in the cache.
    """
    vocabulary = stepper.config.vocab_size
    shared = [(31 * i + 7) % vocabulary for i in range(_SHARED)]
    group = Group(prefix=tuple(shared), waiting=2)
    rows = [
        Row("", shared + [(17 * i + 5 * n + 3) % vocabulary for i in range(n - _SHARED)], 2, group=group)
        for n in _LENGTHS
    ]
    try:
        segments, logits = prefill(stepper, rows)
        chosen = logits.argmax(dim=-1)
        cache = stepper.cache(2, max(_LENGTHS) + 1, edge=max(_LENGTHS))
        for slot, segment in enumerate(segments):
            cache.put(slot, segment)
        starts = torch.tensor([cache.edge - segment.length for segment in segments], device=stepper.device)
        then = stepper.step(cache, chosen, starts)
        apart = 0.0
        for i, row in enumerate(rows):
            ids = torch.tensor([[*row.prompt, int(chosen[i])]], device=stepper.device)
            with torch.inference_mode():
                alone = stepper.model(input_ids=ids, use_cache=False).logits[0, -2:].float()
            together = torch.stack([logits[i], then[i]]).to(alone.device)
            apart = max(apart, float((alone - together).abs().max() / alone.std().clamp_min(1e-6)))
    except (TypeError, AttributeError, IndexError, ValueError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        problem = (str(error).strip() or type(error).__name__).splitlines()[0]
        return f"its forward pass refuses our cache ({problem[:120]})", 0
    if not apart <= _TOLERANCE.get(stepper.model.dtype, 0.5):
        return f"logits differ by {apart:.2g} standard deviations between batch and single", 0
    return None, cache.bytes_per_token()
