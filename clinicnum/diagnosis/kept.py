"""What is worked out when it is first asked for, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class kept(Generic[Value]):  # noqa: N801 -- it is used as functools.cached_property is
    """`functools.cached_property` without the lock that it has before Python 3.12: a third of its time."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    def __get__(self, one: Any, owner: type) -> Value:
        value = one.__dict__[self._name] = self._work(one)
        return value
