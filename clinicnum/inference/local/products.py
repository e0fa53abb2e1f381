"""Matrix products on a CPU, where the way that torch takes by itself is not the fastest. Measured at loading
on a layer of the model itself, and taken only if faster and if memory allows.

*Packed*: oneDNN multiplies few rows (a step of decoding) up to three times faster by weights laid out for it.

*Widened*: on a processor without instructions for half precision, a product of bfloat16 matrices runs several
times slower than one of float32. Its result is a sum in float32, rounded once; the same follows from
multiplying in float32 the values, which float32 holds exactly, and rounding. Attention is computed in float32
too, from keys and values that the cache keeps widened. All else, and every result, stays in half precision.

Both keep the weights of linear layers a second time.
"""

import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

ATTENTION = "sdpa_widened"
FEW = 2
"""Rows below which packed weights are slower."""
_WORTH = 1.15
"""How many times faster a way must be."""
_ROWS = 24
_MEMORY = 0.5
"""Share of the free memory that the second weights may take."""
Product = Callable[[Any], Any]


def faster_products(model: Any, free_bytes: int) -> tuple[str | None, bool]:
    """Let the linear layers of a model on a CPU multiply in the way that measures fastest.

    Returns what was done, in words (None: nothing), and whether half precision is widened.
    """
    layers = [layer for layer in model.modules() if type(layer) is torch.nn.Linear]
    half = model.dtype in (torch.bfloat16, torch.float16)
    if not layers or not (half or model.dtype == torch.float32):
        return None, False
    extra = sum(layer.weight.numel() for layer in layers) * 4 * (2 if half else 1)
    if extra > free_bytes * _MEMORY:
        return None, False
    sample = max(layers[:-1] or layers, key=lambda layer: layer.weight.numel())
    ways: dict[str, Callable[[Any], Product]] = {"packed": _packed}
    ways = (
        {"widened": _widened, "widened and packed": lambda layer: _widened(layer, _packed)} if half else ways
    )
    gains = {name: _gain(sample, way) for name, way in ways.items()}
    name = max(gains, key=lambda one: gains[one])
    if gains[name] < _WORTH:
        return None, False
    for layer in layers:
        layer.forward = ways[name](layer)
    if half and model.config._attn_implementation == "sdpa":
        _register()
        model.set_attn_implementation(ATTENTION)
    return f"{name}: {gains[name]:.1f} x faster with {_ROWS} rows than torch alone", half


def _plain(weight: Any, bias: Any) -> Product:
    return lambda states: functional.linear(states, weight, bias)


def _packed_weights(weight: Any, bias: Any) -> Product:
    """A product by weights that oneDNN has laid out for itself. Raises where this torch has no such."""
    weight, bias = weight.detach(), None if bias is None else bias.detach()
    packed = torch.ops.mkldnn._reorder_linear_weight(weight, 64)
    product = torch.ops.mkldnn._linear_pointwise

    def forward(states: Any) -> Any:
        if states.numel() < FEW * states.shape[-1]:
            return functional.linear(states, weight, bias)
        return product(states, packed, bias, "none", [], "")

    return forward


def _packed(layer: Any) -> Product:
    return _packed_weights(layer.weight, layer.bias)


def _widened(layer: Any, way: Any = None) -> Product:
    """A product in float32 of a layer in half precision, rounded to it."""
    weight = layer.weight.detach().float()
    bias = None if layer.bias is None else layer.bias.detach().float()
    product = _packed_weights(weight, bias) if way else _plain(weight, bias)
    return lambda states: product(states.float()).to(states.dtype)


def _gain(layer: Any, way: Callable[[Any], Product]) -> float:
    """How many times faster a layer is in another way; 0 where that fails or gives something else."""
    states = torch.randn(_ROWS, layer.in_features, generator=torch.Generator().manual_seed(0))
    states = states.to(layer.weight.dtype)
    with torch.inference_mode():
        try:
            product = way(layer)
            expected = layer.forward(states)
            if not torch.allclose(product(states).float(), expected.float(), rtol=0.02, atol=0.02):
                return 0.0
        except (RuntimeError, AttributeError, NotImplementedError):
            return 0.0
        return _seconds(layer.forward, states) / _seconds(product, states)


def _seconds(forward: Product, states: Any) -> float:
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
