"""The next token of each row: the likeliest, or one that is drawn.

Drawn is the token whose logit / temperature + Gumbel noise is largest, which has the probabilities of
softmax(logits / temperature): the Gumbel-max trick (Gumbel 1954; Maddison, Tarlow and Minka 2014). Unlike a
draw by cumulated probabilities, it changes with the rounding of logits only where two sums are all but equal.
The noise of a token follows from the row's seed, the token's place in the text and the token alone, whatever
runs beside it, before it, and on which device.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import torch

_CELLS = 1 << 23
"""Logits that are given noise at a time, of which each takes a few times eight bytes."""
_GAMMA, *_FACTORS = (
    value - (1 << 64) for value in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
"""Constants of SplitMix64, as signed numbers."""


def choose(
    logits: Any, places: Sequence[tuple[int, int]], temperature: float
) -> tuple[list[int], list[float]]:
    """A token for each row of float32 logits [rows, vocabulary], and its log-probability at temperature 1.

    `places` has for each row its seed and the number of its tokens so far; temperature 0 takes the likeliest
    token.
    """
    if temperature:
        states = torch.tensor([_state(*place) for place in places], device=logits.device)
        at_once = max(1, _CELLS // logits.shape[1])
        parts = zip(logits.split(at_once), states.split(at_once), strict=True)
        drawn = [
            gumbel_noise(some_states, some.shape[1]).add_(some.double() / temperature).argmax(dim=-1)
            for some, some_states in parts
        ]
        chosen = torch.cat(drawn)
        own = logits.gather(-1, chosen[:, None])[:, 0]
    else:
        own, chosen = logits.max(dim=-1)
    return chosen.tolist(), (own - logits.logsumexp(dim=-1)).tolist()


def gumbel_noise(states: Any, vocabulary: int) -> Any:
    """Float64 noise [rows, vocabulary]: of row i, numbers 1, 2, ... of SplitMix64 begun at states[i].

    Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators" (OOPSLA).
    """
    z = states[:, None] + torch.arange(1, vocabulary + 1, device=states.device) * _GAMMA
    for shift, factor in zip((30, 27), _FACTORS, strict=True):
        z ^= _shifted(z, shift)
        z *= factor
    z ^= _shifted(z, 31)
    uniform = _shifted(z, 12).double()
    uniform += 0.5  # of 52 bits: never 0 nor 1
    uniform *= 2.0**-52
    return uniform.log_().neg_().log_().neg_()


def _shifted(z: Any, bits: int) -> Any:
    """`z` shifted right by `bits` and filled up with zeros; torch would fill up with the sign."""
    moved = z >> bits
    moved &= (1 << (64 - bits)) - 1
    return moved


def _state(seed: int, place: int) -> int:
    digest = sha256(f"{seed}:{place}".encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)
