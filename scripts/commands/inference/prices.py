"""Cost of tokens at the user's prices; never part of a run's identity."""

import math
from dataclasses import dataclass

from clinicnum.errors import InputError


@dataclass(frozen=True)
class Prices:
    """US dollars per million prompt tokens and new tokens."""

    prompt: float
    new: float

    def cost(self, prompt_tokens: int, new_tokens: int) -> str:
        """The cost of that many tokens, in words."""
        usd = (prompt_tokens * self.prompt + new_tokens * self.new) / 1e6
        return f"USD {usd:,.2f}" if usd >= 0.01 or not usd else "less than USD 0.01"

    def __str__(self) -> str:
        return f"USD {self.prompt:g} and {self.new:g} for a million tokens of prompts and of generations"


def prices_of(prompt: float | None, new: float | None) -> Prices | None:
    """The prices, if given. Raises InputError for one without the other, or a non-number."""
    if prompt is None and new is None:
        return None
    if prompt is None or new is None:
        raise InputError("--price-input and --price-output: one is missing; give both, 0 for what is free")
    if not (math.isfinite(prompt) and math.isfinite(new)):
        raise InputError("--price-input and --price-output: expected amounts in US dollars, such as 2.5")
    return Prices(prompt, new)
