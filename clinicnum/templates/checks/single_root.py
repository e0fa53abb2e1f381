"""Check that a tree has a single root: a template asks one thing.

There are several roots if `tree` is a list; if a second tree is found under another key; if the outermost
node has the parts of two nodes (`of` and `where`); if an operation that takes one number, moment or
condition is given several; or if a count, which is only allowed outermost, is inside the tree.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from clinicnum.templates.fault_messages import Fault, Path
from clinicnum.translatable_text import Translatable

SECOND = frozenset({"trees", "tree2", "tree_2", "second_tree", "root", "roots"})
SINGLE = ("of", "where", "left", "right", "start", "end", "not")
"""Keys that hold a single node; `of` of a sum holds several."""
ONE = Translatable("a template has one: bring them together with an operation, or make two templates")


def root_faults(content: Mapping[Any, Any]) -> Iterator[Fault]:
    """Yield a fault for every root besides the first in raw content, which need not be a template."""
    for key in content:
        if isinstance(key, str) and key in SECOND:
            yield _fault((key,), Translatable("{key} stands beside tree; {rule}"), key=key)
    tree = content.get("tree")
    if isinstance(tree, list | tuple):
        yield _fault(("tree",), Translatable("got {n} roots; {rule}"), n=len(tree))
    elif isinstance(tree, Mapping):
        if "of" in tree and "where" in tree:
            yield _fault(("tree",), Translatable("got the parts of two roots, `of` and `where`; {rule}"))
        yield from _below(tree, ("tree",))
    mistakes = content.get("mistakes")
    for i, mistake in enumerate(mistakes if isinstance(mistakes, list | tuple) else ()):
        if isinstance(mistake, Mapping) and isinstance(mistake.get("tree"), list | tuple):
            yield _fault(
                ("mistakes", i, "tree"),
                Translatable("got {n} roots; {rule}"),
                n=len(mistake["tree"]),
            )


def _below(node: Mapping[Any, Any], path: Path) -> Iterator[Fault]:
    for key, value in node.items():
        if isinstance(value, list | tuple):
            if key in SINGLE and not (key == "of" and node.get("op") == "sum"):
                yield _fault(
                    (*path, key),
                    Translatable("got {n} nodes where one stands; {rule}"),
                    n=len(value),
                )
            parts = [((*path, key, i), item) for i, item in enumerate(value)]
        else:
            parts = [((*path, key), value)]
        for place, part in parts:
            if isinstance(part, Mapping):
                if part.get("op") == "count":
                    yield _fault((*place, "op"), Translatable("count stands outermost or not at all; {rule}"))
                yield from _below(part, place)


def _fault(path: Path, text: str, **values: object) -> Fault:
    return Fault(rule="two_roots", path=path, message=Translatable(text, rule=ONE, **values))
