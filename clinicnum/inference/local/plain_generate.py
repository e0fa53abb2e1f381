"""Decoding by the model's own `generate`, for architectures whose cache the engine cannot handle:
recurrent and hybrid ones, and models that failed the trial. A batch holds prompts of equal length,
so there is no padding.
"""

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from clinicnum.inference.local.batch_planning import Row
from clinicnum.inference.local.continuous_batching import Bounds, Finished, _finished, _too_large
from clinicnum.inference.local.out_of_memory import is_out_of_memory, release
from clinicnum.inference.local.sampling import choose


class PlainGenerate:
    """Runs rows through the model's `generate`. `ends` are the token ids that end a text, `pad` is that of
    padding.
    """

    def __init__(
        self, model: Any, *, ends: Sequence[int], pad: int, bounds: Bounds, temperature: float = 0.0
    ) -> None:
        self._model = model
        self._temperature = temperature
        self._ends = list(ends)
        self._pad = pad
        self.bounds = bounds

    def run(self, rows: Sequence[Row]) -> Iterator[Finished]:
        """Yield the rows batch by batch, longest prompts first."""
        waiting = deque(sorted(rows, key=lambda row: (-len(row.prompt), -row.limit)))
        while waiting:
            batch = self._next(waiting)
            try:
                self._generate(batch)
                failed = False
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                failed = True
            if failed:
                release()
                self.bounds.ran_out += 1
                if len(batch) > 1:
                    self.bounds.rows = len(batch) // 2
                    continue
            for row in batch:
                waiting.popleft()
                if failed:
                    yield _finished(row, "error", _too_large(row))
                else:
                    yield _finished(row, "stop" if row.generated[-1] in self._ends else "length")

    def _next(self, waiting: deque[Row]) -> list[Row]:
        first = waiting[0]
        most = max(1, min(self.bounds.rows, self.bounds.tokens // first.most))
        same = [row for row in list(waiting)[:most] if len(row.prompt) == len(first.prompt)]
        return [row for row in same if row.limit == first.limit]

    def _generate(self, batch: Sequence[Row]) -> None:
        """Generate the text of the rows of a batch."""
        import torch
        from transformers import GenerationConfig, LogitsProcessorList

        now = time.perf_counter()
        kept: list[list[float]] = []

        def keep(_: Any, scores: Any) -> Any:
            places = [(row.seed, len(kept)) for row in batch]
            tokens, logprobs = choose(scores.float(), places, self._temperature)
            kept.append(logprobs)
            chosen = torch.tensor(tokens, device=scores.device)[:, None]
            return torch.full_like(scores, -math.inf).scatter(1, chosen, 0.0)

        # The model's own settings are gone (`loading.set_greedy`): what `keep` sees is what the model gave,
        # and of what it leaves, the greedy search can take the chosen token only.
        config = GenerationConfig(
            max_new_tokens=batch[0].limit, do_sample=False, eos_token_id=self._ends, pad_token_id=self._pad
        )
        ids = torch.tensor([row.prompt for row in batch], device=self._model.device)
        with torch.inference_mode():
            output = self._model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                generation_config=config,
                logits_processor=LogitsProcessorList([keep]),
            )
        logprobs = map(list, zip(*kept, strict=True))
        for row, written, scores in zip(batch, output[:, ids.shape[1] :].tolist(), logprobs, strict=True):
            end = next((i for i, token in enumerate(written) if token in self._ends), len(written) - 1)
            row.entered = now
            row.generated, row.logprobs = written[: end + 1], scores[: end + 1]
