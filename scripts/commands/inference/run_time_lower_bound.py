"""A lower bound on a run's time without loading weights: the time of the matrix products on this machine.

Each token costs two operations per parameter. Prompts are processed in large products, new tokens in
products with one row per prompt of a batch, for which all weights are read. Both kinds are timed for a
second here.
"""

import math
import time
from pathlib import Path
from typing import Any

_PROMPT_ROWS = 512
_MEASURED_S = 0.4
_WIDTH = 1_024
_WEIGHT_BYTES = 2**27
"""Larger than any cache, so that the time to read the weights is included."""


def parameters(folder: Path) -> int | None:
    """Number of parameters, from the headers of the safetensors files; None if there are none."""
    from safetensors import safe_open

    total = 0
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="numpy") as weights:
            names = weights.keys()  # the file object is not a dictionary
            total += sum(math.prod(weights.get_slice(name).get_shape()) for name in names)
    return total or None


def least_seconds(
    folder: Path, device: str, dtype: str, batch_tokens: int, prompt_tokens: float, new_tokens: int
) -> tuple[float, str] | None:
    """Minimum seconds for that many prompt and new tokens, and the basis of the figure; None if it is
    unknown.
    """
    count = parameters(folder)
    if count is None:
        return None
    rows = max(1, min(256, batch_tokens // _PROMPT_ROWS))
    prompt_rate = _products(device, dtype, _PROMPT_ROWS) / (2 * count)
    new_rate = _products(device, dtype, rows) / (2 * count)
    seconds = prompt_tokens / prompt_rate + new_tokens / new_rate
    return seconds, (
        f"matrix products of {count / 1e6:,.0f} million parameters, measured on {device} in {dtype}: at most "
        f"{prompt_rate:,.0f} prompt and {new_rate:,.0f} new tokens a second"
    )


def _products(device: str, dtype: str, rows: int) -> float:
    """Measured operations per second of matrix products with `rows` rows and weights too large for any
    cache.
    """
    import torch

    place = "cuda" if device == "auto" else device
    kind = getattr(torch, dtype)
    size = torch.empty((), dtype=kind).element_size()
    weights = [
        torch.randn(_WIDTH, 4 * _WIDTH, device=place).to(kind)
        for _ in range(_WEIGHT_BYTES // (4 * _WIDTH * _WIDTH * size))
    ]
    left = torch.randn(rows, _WIDTH, device=place).to(kind)
    _through(left, weights, place)
    rounds, started = 0, time.perf_counter()
    while rounds == 0 or time.perf_counter() - started < _MEASURED_S:
        _through(left, weights, place)
        rounds += 1
    seconds = time.perf_counter() - started
    return rounds * len(weights) * 2 * rows * 4 * _WIDTH * _WIDTH / seconds


def _through(left: Any, weights: list[Any], place: str) -> None:
    import torch

    with torch.inference_mode():
        for right in weights:
            left @ right
    if place != "cpu":
        torch.cuda.synchronize(place)
