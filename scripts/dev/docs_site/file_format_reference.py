"""The reference of the file formats, read from the validated types whose objects are lines of JSONL."""

import ast
import inspect
import json
from textwrap import dedent
from typing import Any

from pydantic import BaseModel

from clinicnum.annotations.judgement import Label
from clinicnum.annotations.judgement_field_definition import FieldDefinition
from clinicnum.annotations.types import Annotation, Contest, Invalidation, Ruling
from clinicnum.scripts.dev.docs_site.command_reference import cell
from clinicnum.types import Cell, Distractor, Generation, Given, Instance, Point, Record, Score, Suggestion

FILES: tuple[tuple[str, str, type[BaseModel]], ...] = (
    ("Benchmark", "`clinicnum generate`, `clinicnum import items`", Instance),
    ("Generations", "`clinicnum run`, `clinicnum import generations`", Generation),
    ("Scores", "`clinicnum score --out`", Score),
    ("Suggestions", "`clinicnum score --suggestions`", Suggestion),
    ("Annotations", "`clinicnum export`", Annotation),
    ("Contests", "`clinicnum export --bundle`", Contest),
    ("Invalidations", "`clinicnum export`", Invalidation),
    ("Rulings", "`clinicnum export`", Ruling),
)
"""(what a file holds, which command writes it, the type of a line)."""
PARTS: tuple[type[BaseModel], ...] = (Record, Cell, Distractor, Point, Given, Label)
"""Objects inside those lines."""

HEAD = """# File formats

Each step hands its result on as a file of JSON Lines in UTF-8: one object a line, as below. An unknown key is
an error, and so is a value of another type. A field may be left out if the column *default* has a value.
Settings, hashes and how records may be used belong to a whole file: they are beside it in `FILE.meta.json`.

| file | made by | one line is |
|---|---|---|
"""


def formats_page() -> str:
    """The page as Markdown: the files, then every type with its fields."""
    rows = [f"| {name} | {made} | {_link(kind.__name__)} |\n" for name, made, kind in FILES]
    kinds = [*(kind for _, _, kind in FILES), *PARTS]
    return HEAD + "".join(rows) + "".join(_section(kind) for kind in kinds)


def _section(kind: type[BaseModel]) -> str:
    schema = kind.model_json_schema(mode="serialization")
    meanings = field_meanings(kind)
    text = (inspect.getdoc(kind) or "").partition("Example:")[0].strip()
    head = f"\n## {kind.__name__}\n\n{text}\n\n| field | type | default | meaning |\n|---|---|---|---|\n"
    rows = []
    for name, field in kind.model_fields.items():
        default = "required"
        if not field.is_required():
            default = f"`{json.dumps(field.get_default(call_default_factory=True))}`"
        written = _type(schema["properties"][name])
        rows.append(f"| `{name}` | {written} | {default} | {cell(meanings[name])} |\n")
    return head + "".join(rows)


def field_meanings(kind: type[BaseModel]) -> dict[str, str]:
    """What each field means: the text below it in its class, or what the judgement's own definition says."""
    found = {name: "" for name in kind.model_fields}
    for one in (base for base in reversed(kind.mro()) if base.__module__.startswith("clinicnum.")):
        found |= _texts_below_fields(one)
    for name, field in kind.model_fields.items():
        for about in field.metadata:
            if isinstance(about, FieldDefinition):
                found[name] = f"{about.meaning}."
    return found


def _texts_below_fields(kind: type) -> dict[str, str]:
    (tree,) = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    pairs = zip(tree.body, tree.body[1:], strict=False)
    return {
        field.target.id: text.value.value
        for field, text in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def _type(schema: dict[str, Any]) -> str:
    """A type of JSON Schema in words."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[key]))
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{one}`" for one in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        inner = schema.get("prefixItems", [schema.get("items", {})])
        return f"list of {', '.join(_type(one) for one in inner)}"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"object whose values are {_type(values)}" if isinstance(values, dict) else "object"
    return str(schema.get("type", "any"))


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"
