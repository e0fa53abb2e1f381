"""Limits on the size of a template, checked before anything is computed from it.

The limits are our own choice, several times what any template of the packaged banks needs.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any

from clinicnum.templates.fault_messages import Fault, Path
from clinicnum.templates.template import Template
from clinicnum.templates.tree import RECORD_BY_RECORD, Node
from clinicnum.templates.tree_walk import children, nodes

MAX_DEPTH = 48
"""Maximum nesting of mappings and lists."""
MAX_VALUES = 6_000
MAX_TEXT = 1_500
"""Maximum length of a text."""
MAX_NUMBER = 10**12
MAX_DECIMALS = 12
MAX_COUNTS: Mapping[str, int] = {
    "tags": 20,
    "wording": 12,
    "slots": 4,
    "givens": 8,
    "requires": 12,
    "mistakes": 20,
}
MAX_RECORD_SLOTS = 3
MAX_NODES = 250
"""Maximum nodes of a tree."""
PER_RECORD = 6
"""Records of a usual stay; the work below an operation over records is multiplied by it."""
MAX_WORK = 1_000
"""Approximate limit on the operations for one answer; the packaged banks need 277 at most."""
MAX_EXAMPLE_RECORDS = 50

_BEYOND = "a number lies between -10^12 and 10^12 and has at most 12 decimals"
_NUMBER = re.compile(r"\s*[+-]?[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?\s*")


def content_faults(content: object) -> tuple[Fault, ...]:
    """A fault for the first size limit that raw content breaks, if any; content may be anything, even
    cyclic.
    """
    waiting: list[tuple[object, Path]] = [(content, ())]
    seen = 0
    while waiting:
        value, path = waiting.pop()
        seen += 1
        inside = len(value) if isinstance(value, Mapping | list | tuple) else 0
        if seen + inside > MAX_VALUES:
            return (_large((), f"it has more than {MAX_VALUES} values; a template needs a few hundred"),)
        if len(path) > MAX_DEPTH:
            return (_large(path[:4], f"it is nested more than {MAX_DEPTH} deep; make the tree flatter"),)
        wrong = _value_fault(value)
        if wrong is not None:
            return (_large(path, wrong),)
        if isinstance(value, Mapping):
            waiting += [(inner, (*path, _key(key))) for key, inner in value.items()]
        elif isinstance(value, list | tuple):
            waiting += [(inner, (*path, i)) for i, inner in enumerate(value)]
    return tuple(_count_faults(content))


def _key(key: object) -> str | int:
    return key if isinstance(key, str | int) else str(type(key).__name__)


def _value_fault(value: object) -> str | None:
    if isinstance(value, Mapping) and any(isinstance(key, str) and not _encodable(key) for key in value):
        return "a key holds half a character; type it anew"
    if isinstance(value, str):
        if not _encodable(value):
            return "a text holds half a character; type it anew"
        if len(value) > MAX_TEXT:
            return f"a text has at most {MAX_TEXT} characters, got {len(value)}"
        if _NUMBER.fullmatch(value) and not _small(value.strip()):
            return _BEYOND
        return None
    beyond = abs(value) > MAX_NUMBER if isinstance(value, int) else False
    if isinstance(value, float):
        beyond = not (isfinite(value) and _small(str(value)))
    return _BEYOND if beyond else None


def _encodable(text: str) -> bool:
    """Whether a text can be encoded, that is, has no lone surrogate, which JSON can express."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _small(text: str) -> bool:
    """Whether a number is small enough for fast exact arithmetic; other values pass."""
    if len(text) > 2 * MAX_DECIMALS + 4:
        return False
    try:
        exponent = Decimal(text).as_tuple().exponent
    except InvalidOperation:
        return True
    # The exponent first: to compare with 1e999999999 would write it out.
    return isinstance(exponent, int) and -MAX_DECIMALS <= exponent <= 12 and abs(Decimal(text)) <= MAX_NUMBER


def _count_faults(content: object) -> Iterator[Fault]:
    if not isinstance(content, Mapping):
        return
    for name, most in MAX_COUNTS.items():
        value: Any = content.get(name)
        if isinstance(value, Mapping | list | tuple) and len(value) > most:
            yield _large((name,), f"at most {most}, got {len(value)}; remove some or make two templates")


def template_faults(template: Template) -> Iterator[Fault]:
    """Yield the limits that an otherwise sound template breaks."""
    slots = template.record_slots
    if len(slots) > MAX_RECORD_SLOTS:
        yield _large(("slots",), f"at most {MAX_RECORD_SLOTS} of them take a record, got {len(slots)}")
    if template.example is not None and len(template.example.records) > MAX_EXAMPLE_RECORDS:
        yield _large(("example", "records"), f"at most {MAX_EXAMPLE_RECORDS} records")
    for path, root in trees(template):
        yield from _tree_faults(root, path)


def trees(template: Template) -> Iterator[tuple[Path, Node]]:
    """Yield every tree of a template with its path: its own, its conditions, its mistakes."""
    yield ("tree",), template.tree
    yield from ((("requires", i), condition) for i, condition in enumerate(template.requires))
    yield from ((("mistakes", i, "tree"), mistake.tree) for i, mistake in enumerate(template.mistakes))


def _tree_faults(root: Node, path: Path) -> Iterator[Fault]:
    size = sum(1 for _ in nodes(root))
    if size > MAX_NODES:
        yield _large(path, f"a tree has at most {MAX_NODES} operations, got {size}; make two templates")
    elif work_of(root) > MAX_WORK:
        yield _large(path, "too much is computed again for every record; go over the records fewer times")


def work_of(node: Node) -> int:
    """Approximate number of operations for one answer."""
    below = sum(work_of(child) for _, child in children(node))
    return 1 + below * (PER_RECORD if isinstance(node, RECORD_BY_RECORD) else 1)


def _large(path: Path, message: str) -> Fault:
    return Fault(rule="too_large", path=path, message=message)
