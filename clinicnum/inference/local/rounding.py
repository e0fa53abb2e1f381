"""Half precision on a processor without instructions for it.

There a product of bfloat16 matrices runs several times slower than one of float32. Its result is a sum in
float32, rounded once. The same follows from multiplying in float32 the values that bfloat16 holds exactly,
and rounding: so linear layers keep their weights a second time, widened, and attention is computed in
float32 from keys and values that the cache keeps widened. All else, and every result, stays in half
precision. It costs the memory of the weights twice over.
"""

import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

ATTENTION = "sdpa_widened"
_WORTH = 1.3
"""How many times faster it must be."""
_ROWS = 32


def widen(model: Any, device: str) -> str | None:
    """Let `model` multiply in float32 and round, where it is held in half precision on a CPU that is faster
    so. Returns what was done, in words; None if nothing.
    """
    layers = [layer for layer in model.modules() if type(layer) is torch.nn.Linear]
    if device != "cpu" or model.dtype not in (torch.bfloat16, torch.float16) or not layers:
        return None
    gain = _gain(layers[len(layers) // 2])
    if gain < _WORTH:
        return None
    for layer in layers:
        layer.forward = _product(layer)
    if model.config._attn_implementation == "sdpa":
        _register()
        model.set_attn_implementation(ATTENTION)
    name = str(model.dtype).removeprefix("torch.")
    return f"in float32, rounded to {name}: {gain:.1f} x faster than {name} on this CPU"


def _product(layer: Any) -> Callable[[Any], Any]:
    """The forward pass of a linear layer, in float32 and rounded."""
    weight = layer.weight.detach().float()
    bias = None if layer.bias is None else layer.bias.detach().float()

    def forward(states: Any) -> Any:
        return functional.linear(states.float(), weight, bias).to(states.dtype)

    return forward


def _gain(layer: Any) -> float:
    """How many times faster a layer is with `_product`."""
    states = torch.ones(_ROWS, layer.in_features, dtype=layer.weight.dtype)
    with torch.inference_mode():
        return _seconds(layer.forward, states) / _seconds(_product(layer), states)


def _seconds(forward: Callable[[Any], Any], states: Any) -> float:
    forward(states)
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        forward(states)
        best = min(best, time.perf_counter() - started)
    return best


def _attend(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **more: Any) -> Any:
    """Scaled dot-product attention in float32, rounded to the number type of the queries."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    if attention_mask is not None and attention_mask.is_floating_point():
        attention_mask = attention_mask.float()
    out, weights = sdpa_attention_forward(
        module, query.float(), key.float(), value.float(), attention_mask, **more
    )
    return out.to(query.dtype), weights


def _register() -> None:
    """Make `ATTENTION` known to transformers."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, _attend)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
