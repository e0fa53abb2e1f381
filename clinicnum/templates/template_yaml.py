"""Read and write a template as YAML; YAML from outside is limited in size and has no anchors, aliases or
tags.

What is written is in the style of the bank's files: a list of one template, short parts on one line.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from clinicnum.errors import InputError

MAX_CHARACTERS = 100_000
MAX_DEPTH = 60
WIDTH = 110
BLOCK = frozenset({"wording", "slots", "givens", "requires", "mistakes", "records", "example"})
"""Keys whose parts get lines of their own, however short."""


# The same events from libyaml, where it is there, are read several times as fast.
LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class PlainLoader(LOADER):  # type: ignore[misc]  # one of two that read alike
    """A loader for texts, numbers, booleans, lists and mappings; times stay texts."""


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _number(make: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def construct(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
        try:
            value = make(loader, node)
        except ValueError as error:  # An int of thousands of digits, or `0x` without any.
            raise yaml.constructor.ConstructorError(None, None, "no number", node.start_mark) from error
        if isinstance(value, float) and not math.isfinite(value):
            raise yaml.constructor.ConstructorError(None, None, "no finite number", node.start_mark)
        return value

    return construct


PlainLoader.add_constructor("tag:yaml.org,2002:int", _number(yaml.SafeLoader.construct_yaml_int))
PlainLoader.add_constructor("tag:yaml.org,2002:float", _number(yaml.SafeLoader.construct_yaml_float))


def content_of_yaml(text: str) -> dict[str, Any]:
    """The content of one template. Raises InputError naming the line."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the YAML has {len(text)} characters; a template has at most {MAX_CHARACTERS}")
    value = plain_yaml(text, "line ")
    if value is None:
        raise InputError("line 1: the YAML is empty; begin with '- id:'")
    if isinstance(value, list):
        if len(value) != 1:
            raise InputError(f"line 1: got a list of {len(value)}; expected one template")
        value = value[0]
    if not isinstance(value, dict):
        raise InputError("line 1: expected a template, that is, keys with values, beginning with '- id:'")
    _refuse_other_keys(value, ())
    return value


def plain_yaml(text: str, before: str) -> Any:
    """Parse YAML text from outside into plain values; None if it is empty. Raises InputError naming the line.

    Messages begin with `before`, then the line's number.
    """
    try:
        refuse_more_than_plain(text, before)
        node = yaml.compose(text, Loader=PlainLoader)
        if node is None:
            return None
        refuse_repeated_keys(node, before)
        loader = PlainLoader("")
        value = loader.construct_document(node)
        loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise InputError(f"{before}{line}: not plain YAML: {error.problem}; correct the line") from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        place = before.removesuffix("line ")
        raise InputError(f"{place}not YAML text: {error}; write it as UTF-8") from error
    return value


def refuse_more_than_plain(text: str, before: str, *, aliases: bool = False) -> None:
    """Raise InputError for tags, merges, a second document or deep nesting, before anything is built.

    Messages begin with `before`, then the line's number. Anchors and aliases are refused too, unless
    `aliases`: a bank's file may have them, as what they build is bounded when it is read (see `size_limits`).
    """
    depth = documents = 0
    for event in yaml.parse(text, Loader=PlainLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        named = isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None
        if named and not aliases:
            raise InputError(f"{before}{line}: anchors and aliases are not taken; write the part out")
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise InputError(f"{before}{line}: tags are not taken, got {tag}; remove it")
        if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]:
            raise InputError(f"{before}{line}: merges are not taken; write the keys out")
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise InputError(f"{before}{line}: a second document begins; put it in a file of its own")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise InputError(f"{before}{line}: nested more than {MAX_DEPTH} deep; make the tree flatter")


def refuse_repeated_keys(root: yaml.Node, before: str) -> None:
    """Raise InputError for a repeated key in a mapping; `before` is put in front of the line number.

    Each node is looked at once, however many aliases lead to it.
    """
    waiting, known = [root], {id(root)}
    while waiting:
        node = waiting.pop()
        parts: list[yaml.Node] = []
        if isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                if isinstance(key.value, str):
                    if key.value in seen:
                        line = key.start_mark.line + 1
                        told = "two roots: key 'tree'" if key.value == "tree" else f"key {key.value!r}"
                        raise InputError(f"{before}{line}: {told} stands twice; keep one")
                    seen.add(key.value)
                parts.append(value)
        elif isinstance(node, yaml.SequenceNode):
            parts = list(node.value)
        for part in reversed(parts):
            if id(part) not in known:
                known.add(id(part))
                waiting.append(part)


def _refuse_other_keys(value: object, path: tuple[str, ...]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                place = ".".join(path) or "the template"
                raise InputError(f"in {place}: the key {key} is no text; put a word like yes in quotes")
            _refuse_other_keys(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            _refuse_other_keys(inner, (*path, str(i)))


def yaml_of(content: Mapping[str, Any]) -> str:
    """Content in the form of the bank's files; the inverse of `content_of_yaml`. None values are left out.

    Raises InputError for content nested too deep to be written.
    """
    try:
        lines = _mapping(_without_none(content), 1)
    except RecursionError:
        message = f"the content is nested more than {MAX_DEPTH} deep; make the tree flatter"
        raise InputError(message) from None
    return "\n".join([f"- {lines[0][2:]}", *lines[1:]]) + "\n" if lines else "- {}\n"


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _without_none(inner) for key, inner in value.items() if inner is not None}
    return [_without_none(inner) for inner in value] if isinstance(value, list | tuple) else value


def _mapping(value: Mapping[str, Any], depth: int) -> list[str]:
    return [line for key, inner in value.items() for line in _entry(key, inner, depth)]


def _entry(key: str, value: Any, depth: int) -> list[str]:
    indent = "  " * depth
    flow = f"{indent}{_scalar(key)}: {_flow(value)}"
    short = len(flow) <= WIDTH and not (depth == 1 and key in BLOCK) and key not in ("wording", "records")
    if not value or not isinstance(value, dict | list) or short:
        return [flow]
    head = f"{indent}{_scalar(key)}:"
    return [head, *(_mapping(value, depth + 1) if isinstance(value, dict) else _list(value, depth + 1))]


def _list(value: list[Any], depth: int) -> list[str]:
    lines: list[str] = []
    indent = "  " * depth
    for item in value:
        flow = f"{indent}- {_flow(item)}"
        if isinstance(item, dict) and item and len(flow) > WIDTH:
            first, *rest = _mapping(item, depth + 1)
            lines += [f"{indent}- {first.lstrip()}", *rest]
        elif isinstance(item, list) and item and len(flow) > WIDTH:
            lines += [f"{indent}-", *_list(item, depth + 1)]
        else:
            lines.append(flow)
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, str):
        return value if _plain(value) else _quoted(value)
    if isinstance(value, float):
        return _float(value)
    return str(value)


def _float(value: float) -> str:
    """A number with the point and sign that YAML 1.1 requires in an exponent."""
    text = repr(value)
    mantissa, sign, exponent = text.partition("e")
    if not sign:
        return text
    point = "" if "." in mantissa else ".0"
    return f"{mantissa}{point}e{exponent if exponent[0] in '+-' else '+' + exponent}"


_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(?: [A-Za-z0-9_.-]*[A-Za-z0-9_])*")
_RESOLVER = PlainLoader("")


def _plain(text: str) -> bool:
    """Whether YAML reads a word as this very text without quotes."""
    return (
        _WORDS.fullmatch(text) is not None
        and _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str"
    )


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else _escaped(c)) for c in text) + '"'


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"
