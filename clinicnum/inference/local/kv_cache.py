"""Key-value caches allocated once: rows are aligned at a common right edge, so that the next token of each
has the same position, and a row's own tokens are always contiguous, as sliding windows need.

A cache hands the model views; nothing is copied per token. All layers keep their full length: the model's
masks leave out what a sliding window does not see.
"""

import weakref
from dataclasses import dataclass
from typing import Any

from transformers.cache_utils import Cache, CacheLayerMixin


class Layer(CacheLayerMixin):  # type: ignore[misc]
    """Keys and values of one layer, each [slots, heads, capacity, dim], allocated when first written."""

    is_sliding = False

    def __init__(self, owner: "SlotCache") -> None:
        super().__init__()
        # Weak: in a cycle, gigabytes would stay until the next garbage collection.
        self._owner: Any = weakref.proxy(owner)

    def lazy_initialization(self, key_states: Any, value_states: Any) -> None:
        """Allocate the memory, of the same type as these states."""
        shape = (self._owner.slots, key_states.shape[1], self._owner.capacity)
        self.keys = key_states.new_zeros(*shape, key_states.shape[3])
        self.values = value_states.new_zeros(*shape, value_states.shape[3])
        self.is_initialized = True

    def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Write the keys and values of new tokens at the edge; return those of all places from the first used
        one on.
        """
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        own, rows, end = self._owner, key_states.shape[0], self._owner.edge + key_states.shape[2]
        self.keys[:rows, :, own.edge : end] = key_states
        self.values[:rows, :, own.edge : end] = value_states
        return self.keys[:rows, :, own.low : end], self.values[:rows, :, own.low : end]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Number of keys that the next queries attend to, and the offset of the first."""
        return self.get_seq_length() + query_length, 0

    def get_seq_length(self) -> int:
        """Number of tokens between the first used one and the edge."""
        length: int = self._owner.edge - self._owner.low
        return length

    def get_max_length(self) -> int:
        """-1: no limit for the model to know."""
        return -1


class SlotCache(Cache):  # type: ignore[misc]
    """A batch's cache: `slots` rows of `capacity` tokens, all ending at `edge`.

    `low` is the first place that any row uses.
    """

    def __init__(self, layers: int, slots: int, capacity: int, *, edge: int = 0) -> None:
        self.slots, self.capacity, self.edge, self.low = slots, capacity, edge, 0
        super().__init__(layers=[Layer(self) for _ in range(layers)])

    def put(self, slot: int, segment: "Segment") -> None:
        """Copy a row into a slot, so that it ends at the edge."""
        start = self.edge - segment.length
        for mine, other in zip(self.layers, segment.cache.layers, strict=True):
            if not other.is_initialized:  # a layer that keeps nothing
                continue
            if not mine.is_initialized:
                mine.lazy_initialization(other.keys, other.values)
            mine.keys[slot, :, start : self.edge] = other.keys[segment.slot, :, segment.start : segment.end]
            mine.values[slot, :, start : self.edge] = other.values[
                segment.slot, :, segment.start : segment.end
            ]

    def move(self, source: int, target: int, start: int) -> None:
        """Copy a row, from its first token at `start`, from slot `source` of this cache to slot `target`."""
        for layer in self.layers:
            if layer.is_initialized:
                for kept in (layer.keys, layer.values):
                    kept[target, :, start : self.edge] = kept[source, :, start : self.edge]

    def bytes_per_token(self) -> int:
        """Bytes per token of a row; 0 before anything was written."""
        kept = [each for layer in self.layers if layer.is_initialized for each in (layer.keys, layer.values)]
        return sum(each.shape[1] * each.shape[3] * each.element_size() for each in kept)


@dataclass(frozen=True)
class Segment:
    """The tokens [start, end) in one slot of a cache: what a row has read."""

    cache: SlotCache
    slot: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of tokens."""
        return self.end - self.start
