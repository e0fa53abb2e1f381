"""The editor's form schema, derived from the template models, so that new node types appear in the form.

A shape is a small dict with `kind`: `text`, `integer`, `decimal`, `one` (of options), `many` (of options),
`list`, `map` (name -> shape), `fields` (of a variant), `node` (of a group), or one of NAMED, whose options
come from the rest of the template. A group lists its variants; a variant has fields and initial values.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.templates.template import Template
from clinicnum.templates.tree import RECORD_BY_RECORD, Node, OverPairsNode
from clinicnum.ui.components.judgement_wording import code_name
from clinicnum.ui.components.language import ENGLISH, _, current_language
from clinicnum.ui.pages.draft.form_labels import FIELDS, NESTED, OPTIONS, SINGULAR, VARIANTS

Json = dict[str, Any]
NAMED = {
    ("VitalNode", "at"): "place",
    ("AtNode", "at"): "place",
    ("OverNode", "take"): "take",
    ("SlopeNode", "take"): "take",
    ("GivenNode", "name"): "given_number",
    ("GivenPointsNode", "name"): "given_choice",
    ("Mistake", "code"): "code",
}
GROUPS = {
    "VitalNode": "number",
    "CountNode": "root",
    "AtNode": "moment",
    "CompareNode": "condition",
    "RecordSlot": "slot",
    "NumberGiven": "given",
}
"""One model per group, by which the group is recognised -> name of the group."""
INITIAL_VALUES: dict[str, Json] = {
    "CompareNode": {"left": {"op": "vital"}, "comparator": "above", "right": {"op": "constant"}},
    "over": {"how": "mean", "take": "all"},
    "over_pairs": {"how": "highest"},
    "slope": {"take": "all"},
    "time_of": {"which": "first"},
    "time_of_extreme": {"which": "highest"},
    "ChoiceSlot": {"options": ["earliest", "latest"]},
    "minutes": {"start": {"op": "at"}, "end": {"op": "at"}},
}
"""The most usual values of a new node; its other values follow from the models."""
HIDDEN_FIELDS = {("Record", name) for name in ("subject_id", "stay_id", "source")}
"""Fields left out of the form: the record of a worked example belongs to no patient."""
HIDDEN_OPTIONS = {"pain", "external"}
"""Options that exist in the models, but that no template may choose."""


def form_schema() -> Json:
    """The schema as JSON-ready dicts: groups, variants, and the template's own fields, named in the page's
    language.
    """
    return _schema(current_language())


@cache
def _schema(language: str) -> Json:
    """The form's schema, derived from the pydantic models of `Template`; cached by language, and `language`
    must be the current one.
    """
    whole = Template.model_json_schema(by_alias=True)
    models: Mapping[str, Json] = whole["$defs"]
    variants: dict[str, Json] = {}
    groups: dict[str, list[str]] = {}
    for schema in _schemas(whole):
        if "oneOf" in schema:
            groups.setdefault(_group(schema), _members(schema))
    for name, model in models.items():
        for tag in _tags(model):
            key = tag or name
            variants[key] = _variant(key, name, tag, model)
    return {
        "groups": groups,
        "variants": variants,
        "nested": {key: _(label) for key, label in NESTED.items()},
        "template": _fields("Template", whole),
        "codes": [code for code in load_taxonomy().codes() if "." in code],
        "words": {option: _(label) for option, label in OPTIONS.items()} | _code_names(),
        "in_turn": [_op(node) for node in RECORD_BY_RECORD],
        "pairs": _op(OverPairsNode),
    }


def _code_names() -> dict[str, str]:
    """Taxonomy code -> its name in another language; in English a code is shown as it is spelt."""
    if current_language() == ENGLISH:
        return {}
    taxonomy = load_taxonomy()
    return {code: code_name(taxonomy, code) for code in taxonomy.codes()}


def _op(node: type[Node]) -> str:
    """The tag (`op`) of a node type that has exactly one."""
    return str(get_args(node.model_fields["op"].annotation)[0])


def _schemas(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from _schemas(part)
    elif isinstance(value, list):
        for part in value:
            yield from _schemas(part)


def _model_name(schema: Json) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _group(schema: Json) -> str:
    return next(GROUPS[name] for one in schema["oneOf"] if (name := _model_name(one)) in GROUPS)


def _members(schema: Json) -> list[str]:
    """The keys of a union's variants, in the order of the models."""
    mapping = schema.get("discriminator", {"mapping": {}})["mapping"]
    if schema.get("discriminator", {}).get("propertyName") != "op":
        return [_model_name(one) for one in schema["oneOf"]]
    order = [_model_name(one) for one in schema["oneOf"]]
    return sorted(mapping, key=lambda tag: (order.index(str(mapping[tag]).rpartition("/")[2]), tag))


def _tags(model: Json) -> list[str]:
    """The possible tags (`op`) of a model; [""] for a model without tag."""
    op = model.get("properties", {}).get("op", {})
    return [str(op["const"])] if "const" in op else [str(one) for one in op.get("enum", ("",))]


def _variant(key: str, name: str, tag: str, model: Json) -> Json:
    fixed = {field: part["const"] for field, part in model["properties"].items() if "const" in part}
    fields = _fields(name, model)
    begins = {one["name"]: _begin(one["shape"]) for one in fields if one["needed"]}
    begins = {field: value for field, value in begins.items() if value is not None}
    begins = {**(fixed | {"op": tag} if tag else fixed), **begins, **INITIAL_VALUES.get(key, {})}
    return {
        "label": _(VARIANTS.get(key, "")),
        "fixed": fixed | ({"op": tag} if tag else {}),
        "begins": begins,
        "fields": fields,
    }


def _begin(shape: Json) -> Any:
    """Value that the form starts with for a required part of the operation tree: a node with its defaults,
    or a list as short as allowed.
    """
    if shape["kind"] == "node":
        return {
            "number": {"op": "vital"},
            "condition": INITIAL_VALUES["CompareNode"],
            "moment": {"op": "at"},
        }.get(shape["group"])
    if shape["kind"] == "list":
        of = shape["of"]
        return [
            _begin(of) if of["kind"] == "node" else {} if of["kind"] == "fields" else ""
            for place in range(shape["least"])
        ]
    return None


def _fields(name: str, model: Json) -> list[Json]:
    needed = model.get("required", [])
    found = []
    for field, schema in model["properties"].items():
        if (
            "const" in schema
            or field == "op"
            or schema.get("type") == "null"
            or (name, field) in HIDDEN_FIELDS
        ):
            continue
        label, hint = FIELDS.get(f"{name}.{field}") or FIELDS[field]
        found.append(
            {
                "name": field,
                "label": _(label),
                "one": _(SINGULAR.get(label, label)),
                "hint": _(hint),
                "needed": field in needed,
                "shape": _shape(name, field, schema),
            }
        )
    return found


def _shape(model: str, field: str, schema: Json) -> Json:
    if (model, field) in NAMED:
        return {"kind": NAMED[model, field]}
    if "$ref" in schema:
        return {"kind": "fields", "of": _model_name(schema)}
    if "oneOf" in schema:
        return {"kind": "node", "group": _group(schema)}
    if "anyOf" in schema:
        kinds = [one for one in schema["anyOf"] if one.get("type") != "null"]
        return {"kind": "decimal"} if len(kinds) > 1 else _shape(model, field, kinds[0])
    if "enum" in schema:
        return {"kind": "one", "options": [one for one in schema["enum"] if one not in HIDDEN_OPTIONS]}
    if schema["type"] == "array":
        of = _shape(model, field, schema["items"])
        if of["kind"] == "one":
            return {"kind": "many", "options": of["options"]}
        return {"kind": "list", "of": of, "least": schema.get("minItems", 0)}
    if schema["type"] == "object":
        return {"kind": "map", "of": _shape(model, field, schema["additionalProperties"])}
    if schema["type"] == "integer":
        return {"kind": "integer", "least": schema.get("minimum"), "most": schema.get("maximum")}
    return {"kind": "text"}
