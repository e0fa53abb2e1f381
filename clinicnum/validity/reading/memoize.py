"""Cache a function's results by argument: cells and phrases recur, and a look-up is one dictionary access."""

from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class Memo(dict[str, V], Generic[V]):
    """`memo[text]` is `work(text)`, computed once. Holds at most `limit` results, then is emptied."""

    def __init__(self, work: Callable[[str], V], limit: int) -> None:
        super().__init__()
        self._work = work
        self._limit = limit

    def __missing__(self, text: str) -> V:
        result = self._work(text)
        if len(self) >= self._limit:
            self.clear()
        self[text] = result
        return result
