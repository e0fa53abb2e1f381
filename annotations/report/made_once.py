"""What several sections of a report need, made once for the study they are about."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

T = TypeVar("T")


class MadeOnce:
    """Keeps what functions make of it: it never changes, so neither does that."""

    @cached_property
    def _made(self) -> dict[Callable[..., Any], Any]:
        return {}

    def once(self, make: Callable[[Self], T]) -> T:
        """`make(self)`, at the first call only."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made
