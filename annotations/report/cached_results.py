"""Base class of `StudyView` that keeps what several sections of a report compute from it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

T = TypeVar("T")


class MadeOnce:
    """Caches function results on this object, which never changes."""

    @cached_property
    def _made(self) -> dict[Callable[..., Any], Any]:
        return {}

    def once(self, make: Callable[[Self], T]) -> T:
        """What `make(self)` returns; called once for each `make`."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made
