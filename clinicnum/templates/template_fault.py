"""A fault in a template, with its path in the YAML."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clinicnum.templates.tree_walk import Step

Path = tuple[str | int, ...]
"""Keys and list positions, from the template down."""


class FaultError(ValueError):
    """A template contradicts itself; `path` leads to the faulty key, `rule` names the fault."""

    def __init__(self, path: Path, message: str, rule: str = "form") -> None:
        super().__init__(message)
        self.path = path
        self.rule = rule
        self.all: tuple[FaultError, ...] = (self,)
        """This fault; on the fault that `raise_all` raises, all faults that it was given."""


def raise_all(faults: Iterable[FaultError]) -> None:
    """Raise the first fault, with all of them in its `all`; do nothing if there is none."""
    found = tuple(faults)
    if found:
        found[0].all = found
        raise found[0]


def raised_faults(check: Callable[..., Any], *arguments: Any) -> Iterator[FaultError]:
    """Yield the fault that a check raises, or all that `raise_all` was given; nothing if it raises none."""
    try:
        check(*arguments)
    except FaultError as fault:
        yield from fault.all


def child_path(path: Path, step: Step) -> Path:
    """The path of a child node, in the keys of the YAML."""
    name, index = step
    return (*path, name.rstrip("_"), *(() if index is None else (index,)))
