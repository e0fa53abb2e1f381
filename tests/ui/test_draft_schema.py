"""The editor's form is read off the template's models, and every part of it has a name."""

from collections.abc import Iterator
from typing import Any, get_args

from clinicnum.templates import tree
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import content_of
from clinicnum.templates.template import Template
from clinicnum.ui.components.language import _, answer_in
from clinicnum.ui.pages.draft.form_labels import FIELDS, OPTIONS, VARIANTS
from clinicnum.ui.pages.draft.form_schema import form_schema

SCHEMA = form_schema()
NAMED_BY_THEIR_FIELD = {"Mistake", "Example", "Record", "Band"}


def _ops() -> set[str]:
    found: set[str] = set()
    for one in vars(tree).values():
        if isinstance(one, type) and issubclass(one, tree.Node) and "op" in one.model_fields:
            found |= set(get_args(one.model_fields["op"].annotation))
    return found


def test_every_operation_of_the_tree_can_be_chosen_and_has_a_name() -> None:
    chosen = {key for group in SCHEMA["groups"].values() for key in group}
    assert _ops() <= chosen
    assert all(SCHEMA["variants"][key]["label"] for key in chosen)


def test_codes_have_their_names_in_other_languages_only() -> None:
    code = "omission.missed_record"
    assert code in SCHEMA["codes"]
    assert code not in SCHEMA["words"]
    with answer_in("de"):
        assert form_schema()["words"][code] == f"{_('Omission')}: {_('Missed record')}"


def test_no_name_is_left_over_and_none_is_a_name_of_the_code() -> None:
    assert set(VARIANTS) <= set(SCHEMA["variants"])
    names = {field["name"] for one in SCHEMA["variants"].values() for field in one["fields"]}
    names |= {field["name"] for field in SCHEMA["template"]}
    assert {name.rpartition(".")[2] for name in FIELDS} == names
    assert {one["name"] for one in SCHEMA["template"]} == set(Template.model_fields)
    assert not any("_" in label for label in (*OPTIONS.values(), *VARIANTS.values()))


def _lost(shape: dict[str, Any], value: Any, path: str) -> Iterator[str]:
    """Parts of a template that the form has no field for."""
    if value is None or shape["kind"] not in ("list", "map", "node", "fields"):
        return
    if shape["kind"] == "list":
        for at, one in enumerate(value):
            yield from _lost(shape["of"], one, f"{path}.{at}")
    elif shape["kind"] == "map":
        for name, one in value.items():
            yield from _lost(shape["of"], one, f"{path}.{name}")
    else:
        yield from _lost_in(_variant(shape, value), value, path)


def _variant(shape: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    variants: dict[str, Any] = SCHEMA["variants"]
    if shape["kind"] == "fields":
        return dict(variants[shape["of"]])
    keys = SCHEMA["groups"][shape["group"]]
    tagged = [
        key for key in keys if variants[key]["fixed"].items() <= value.items() and variants[key]["fixed"]
    ]
    bare = [key for key in keys if {one["name"] for one in variants[key]["fields"]} == set(value)]
    return dict(variants[(tagged or bare)[0]])


def _lost_in(variant: dict[str, Any], value: dict[str, Any], path: str) -> Iterator[str]:
    shapes = {one["name"]: one["shape"] for one in variant["fields"]}
    for name, one in value.items():
        if name in shapes:
            yield from _lost(shapes[name], one, f"{path}.{name}")
        elif name not in variant["fixed"] and name not in ("subject_id", "stay_id", "source"):
            yield f"{path}.{name}"


def test_every_template_of_the_bank_fits_into_the_form() -> None:
    shapes = {one["name"]: one["shape"] for one in SCHEMA["template"]}
    for template in named_bank("all"):
        for name, value in content_of(template).items():
            assert list(_lost(shapes[name], value, f"{template.id}: {name}")) == []
