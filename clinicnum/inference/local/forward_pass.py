"""A model as the engine uses it: a forward pass over a `SlotCache`, with logits where needed."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from clinicnum.inference.local.kv_cache import SlotCache


class Stepper:
    """Runs a causal language model on a `SlotCache`."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.config = model.config.get_text_config(decoder=True)
        self.device = model.get_input_embeddings().weight.device
        taken = inspect.signature(model.forward).parameters
        self._positions = "position_ids" in taken
        self._head = model.get_output_embeddings()

    def cache(self, slots: int, capacity: int, *, edge: int = 0) -> SlotCache:
        """An empty cache for this model, of `slots` rows of `capacity` tokens that end at `edge`."""
        return SlotCache(self.config.num_hidden_layers, slots, capacity, edge=edge)

    def read(
        self, cache: SlotCache, tokens: Sequence[Sequence[int]], starts: Sequence[int], *, logits: bool = True
    ) -> Any:
        """Append right-padded tokens to rows of a cache whose own tokens begin at `starts`.

        Returns float32 logits [rows, vocabulary] after each row's last token (None unless `logits`). The edge
        stays where it was; row i then ends at edge + len(tokens[i]).
        """
        width = max(map(len, tokens))
        ids = torch.tensor([[*row, *[row[-1]] * (width - len(row))] for row in tokens])
        lengths = torch.tensor([len(row) for row in tokens])
        begins = torch.tensor(list(starts))
        places = torch.arange(cache.low, cache.edge + width)
        seen = (places >= begins[:, None]) & (places < cache.edge + lengths[:, None])
        steps = torch.minimum(torch.arange(width)[None], lengths[:, None] - 1)
        positions = cache.edge - begins[:, None] + steps
        last = lengths - 1 if logits else torch.zeros_like(lengths)
        out = self._forward(cache, ids, None if bool(seen.all()) else seen, positions, last)
        return out.float() if logits else None

    def step(self, cache: SlotCache, tokens: Any, starts: Any) -> Any:
        """Append one token to each row and advance the edge; float32 logits [rows, vocabulary]."""
        places = torch.arange(cache.low, cache.edge + 1, device=self.device)
        seen = places >= starts[:, None]
        out = self._forward(cache, tokens[:, None], seen, cache.edge - starts[:, None], None)
        cache.edge += 1
        return out.float()

    def _forward(self, cache: SlotCache, ids: Any, seen: Any, positions: Any, last: Any) -> Any:
        given = {"input_ids": ids.to(self.device), "past_key_values": cache, "use_cache": True}
        if seen is not None:
            given["attention_mask"] = seen.to(self.device, torch.long)
        if self._positions:
            given["position_ids"] = positions.to(self.device)
        with torch.inference_mode(), _only(self._head, last):
            logits = self.model(**given, return_dict=True).logits
        if logits.shape[1] > 1 and last is not None:
            logits = logits[torch.arange(len(last)), last.to(logits.device)][:, None]
        return logits[:, -1]


@contextmanager
def _only(head: Any, last: Any) -> Iterator[None]:
    """Restrict the output layer to one position per row, the one whose next token is needed."""
    if head is None or last is None:
        yield
        return

    def keep(_: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        hidden = arguments[0]
        rows = torch.arange(len(last), device=hidden.device)
        return (hidden[rows, last.to(hidden.device)][:, None], *arguments[1:])

    handle = head.register_forward_pre_hook(keep)
    try:
        yield
    finally:
        handle.remove()
