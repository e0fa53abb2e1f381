"""Fields of a template that can be derived from the others, so that a curator need not type them.

The rules are our own choice; a value typed by the curator takes precedence. `content` is a draft's content,
valid or not.
"""

import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from clinicnum.templates.slots_and_givens import GivenSpec
from clinicnum.templates.template_fault import FaultError
from clinicnum.templates.tree import ALL_RECORDS, RECORD_BY_RECORD, RootNode
from clinicnum.templates.unit_inference import unit_of
from clinicnum.types import Frozen

Path = tuple[str | int, ...]
FIELDS = ("id", "operation", "subtype", "steps", "answer_type", "decimals", "unit", "version", "status")
IN_TURN = frozenset(get_args(node.model_fields["op"].annotation)[0] for node in RECORD_BY_RECORD)
STEPS = frozenset({"add", "subtract", "multiply", "divide", "sum", "points", "over", "slope", "minutes"})
LONGEST_NAME = 6
"""Most words of an id."""
SMALL_WORDS = re.compile(
    "an?|and|are|as|at|be|by|did|do|does|during|for|from|has|have|how|in|is|its?|many|much|of|on|or|over|"
    "patients?|record|recorded|records|report|s|that|the|there|this|time|to|was|were|what|when|which|with"
)
_ROOT: TypeAdapter[Any] = TypeAdapter(RootNode)
_GIVENS: TypeAdapter[Any] = TypeAdapter(dict[str, GivenSpec])


class DerivedField(Frozen):
    """A derived value, and the path of its field."""

    path: Path
    value: Any


def derived_fields(content: Mapping[str, Any]) -> tuple[DerivedField, ...]:
    """The fields that are missing in a draft and can be derived from the rest of it."""
    found = [*_slots(content)]
    whole = with_derived_fields(content, found)
    found += _places(whole)
    whole = with_derived_fields(content, found)
    for name in (*FIELDS[1:], "id"):
        value = None if _is_there(whole, name) else _field(name, whole)
        if value is not None:
            found.append(DerivedField(path=(name,), value=value))
            whole = {**whole, name: value}
    return tuple(found)


def still_derived(content: Mapping[str, Any]) -> tuple[DerivedField, ...]:
    """The given fields whose value is the one that would be derived if they were missing."""
    bare = {name: value for name, value in content.items() if name not in FIELDS}
    return tuple(
        one
        for one in derived_fields(bare)
        if len(one.path) == 1 and content.get(str(one.path[0])) == one.value
    )


def with_derived_fields(
    content: Mapping[str, Any], found: list[DerivedField] | tuple[DerivedField, ...]
) -> dict[str, Any]:
    """A copy of the content with these derived values."""
    whole: Any = dict(content)
    for one in found:
        whole = _put(whole, one.path, one.value)
    return dict(whole)


def _put(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list) and isinstance(step, int):
        return [_put(part, rest, new) if at == step else part for at, part in enumerate(value)]
    inside = value if isinstance(value, dict) else {}
    return {**inside, step: _put(inside.get(step), rest, new)}


def _is_there(content: Mapping[str, Any], name: str) -> bool:
    return content.get(name) not in (None, "")


def _slots(content: Mapping[str, Any]) -> Iterator[DerivedField]:
    """Yield a slot for every name in braces that has none yet.

    It is a choice of `earliest` and `latest` if the operation tree takes that value from it, otherwise a
    record.
    """
    there, given = content.get("slots"), content.get("givens")
    if not isinstance(there, dict | None):
        return
    known = {*(there or {}), *(given if isinstance(given, dict) else {})}
    chosen = [node.get("take") for node in _ops(content.get("tree"))]
    for name in _braced(content):
        if name not in known:
            choice = {"kind": "choice", "options": ["earliest", "latest"]}
            yield DerivedField(path=("slots", name), value=choice if name in chosen else {"kind": "record"})


def _braced(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in braces, in the order in which the wordings mention them."""
    found: dict[str, None] = {}
    wordings = content.get("wording")
    for wording in wordings if isinstance(wordings, list) else []:
        try:
            parts = list(Formatter().parse(wording)) if isinstance(wording, str) else []
        except ValueError:
            continue
        found.update({name: None for _, name, _, _ in parts if name and name.isidentifier()})
    return tuple(found)


def _places(content: Mapping[str, Any]) -> Iterator[DerivedField]:
    """Yield the missing `at` and `take` fields of operations that read values.

    A value that is read outside record-by-record evaluation comes from the first record slot; `over` and
    `slope` take all records.
    """
    slots = content.get("slots")
    named = slots.items() if isinstance(slots, dict) else ()
    records = [name for name, slot in named if isinstance(slot, dict) and slot.get("kind") == "record"]
    for name in ("tree", "requires", "mistakes"):
        for path, node, in_turn in _walk(content.get(name), (name,), False):
            op = _op(node)
            if op in ("vital", "at") and not node.get("at") and not in_turn and records:
                yield DerivedField(path=(*path, "at"), value=records[0])
            if op in ("over", "slope") and not node.get("take"):
                yield DerivedField(path=(*path, "take"), value=ALL_RECORDS)


def _walk(value: Any, path: Path, in_turn: bool) -> Iterator[tuple[Path, dict[str, Any], bool]]:
    """Yield every mapping below a value, with its path and whether it is evaluated record by record."""
    if isinstance(value, dict):
        yield path, value, in_turn
        below = in_turn or _op(value) in IN_TURN
        for key, part in value.items():
            yield from _walk(part, (*path, key), below)
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _walk(part, (*path, at), in_turn)


def _op(node: dict[str, Any]) -> str:
    op = node.get("op")
    return op if isinstance(op, str) else ""


def _ops(tree: Any) -> list[dict[str, Any]]:
    return [node for _, node, _ in _walk(tree, (), False) if _op(node)]


def _field(name: str, content: Mapping[str, Any]) -> Any:
    if name in ("version", "status"):
        return 1 if name == "version" else "draft"
    tree = content.get("tree")
    if not isinstance(tree, dict) or not _op(tree):
        return None
    return {
        "id": _id,
        "operation": _operation,
        "subtype": _subtype,
        "steps": _steps,
        "answer_type": _answer_type,
        "decimals": _decimals,
        "unit": _unit,
    }[name](content)


def _root(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The operation at the root of the tree, or below a rounding at the root."""
    tree = content["tree"]
    inside = tree.get("of") if tree["op"] == "round" else tree
    return (_op(inside), inside) if isinstance(inside, dict) else ("", {})


def _operation(content: Mapping[str, Any]) -> str | None:
    op, _ = _root(content)
    if not op:
        return None
    if op in ("time_of", "time_of_extreme"):
        return "comparison"
    if op == "vital":
        return "retrieval"
    ops = {node["op"] for node in _ops(content["tree"])}
    return "aggregation" if ops & {"count", "over", "over_pairs", "slope", "minutes"} else "arithmetic"


SUBTYPES = {
    "count": "count",
    "time_of": "threshold",
    "time_of_extreme": "superlative",
    "slope": "trend",
    "over_pairs": "change",
    "minutes": "duration",
    "sum": "score",
    "points": "score",
    "given_points": "score",
    "one_if": "score",
}
OF_OVER = {"mean": "mean", "sum": "total", "highest": "extreme", "lowest": "extreme", "range": "range"}
ONE_TWO_THREE = ("one_step", "one_step", "two_steps")


def _subtype(content: Mapping[str, Any]) -> str | None:
    op, node = _root(content)
    if not op:
        return None
    if op == "vital":
        return "value_at_end" if node.get("at") in ("earliest", "latest") else "value_at_time"
    if op == "over":
        return OF_OVER.get(str(node.get("how")))
    steps = _steps(content)
    return SUBTYPES.get(op) or (ONE_TWO_THREE[steps] if steps < len(ONE_TWO_THREE) else "three_steps")


def _steps(content: Mapping[str, Any]) -> int:
    found = [node for _, node, _ in _walk(content["tree"], (), False)]
    return sum(_op(node) in STEPS or "comparator" in node for node in found)


def _answer_type(content: Mapping[str, Any]) -> str:
    return {"round": "number", "count": "count"}.get(content["tree"]["op"], "datetime")


def _decimals(content: Mapping[str, Any]) -> int | None:
    kind = content.get("answer_type")
    if kind != "number":
        return 0 if kind == "count" else None
    op, _ = _root(content)
    ops = _ops(content["tree"])
    parted = any(one["op"] in ("divide", "slope") or one.get("how") == "mean" for one in ops)
    warm = any(one.get("vital") == "temperature_c" for one in ops)
    return int(op == "vital" or parted or warm)


def _unit(content: Mapping[str, Any]) -> str | None:
    if content.get("answer_type") != "number":
        return None
    try:
        givens = _GIVENS.validate_python(content.get("givens") or {})
        return unit_of(_ROOT.validate_python(content["tree"]), ("tree",), givens)
    except (ValidationError, FaultError, KeyError):
        return None  # an incomplete operation tree has no unit yet


def _id(content: Mapping[str, Any]) -> str | None:
    wordings = content.get("wording")
    first = wordings[0] if isinstance(wordings, list) and wordings else None
    if not isinstance(first, str) or not isinstance(content.get("operation"), str):
        return None
    words = re.findall(r"[a-z]+|[0-9]+(?:\.[0-9]+)?", re.sub(r"\{[^}]*\}|'s\b", " ", first.lower()))
    told = [word.replace(".", "_") for word in words if not SMALL_WORDS.fullmatch(word)][:LONGEST_NAME]
    name = "_".join(told) or content.get("subtype")
    return f"{content['operation']}.{name}" if name else None
