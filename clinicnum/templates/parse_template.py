"""Parse any content into a template, or list everything that is wrong with it; shared by form, YAML and
commands.

Faults are looked for in stages, as each needs the one before: first faults of form (a missing key, an
unknown word), then contradictions, then the faults of `checks.static_faults`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from clinicnum.templates.checks import size_limits
from clinicnum.templates.checks.single_root import root_faults
from clinicnum.templates.checks.static_faults import named_faults
from clinicnum.templates.checks.wording_proofs import not_proven
from clinicnum.templates.fault_messages import Fault, Path, shown
from clinicnum.templates.template import Template
from clinicnum.templates.template_fault import FaultError
from clinicnum.templates.template_yaml import content_of_yaml, yaml_of
from clinicnum.templates.tree import condition_kind
from clinicnum.translatable_text import Translatable
from clinicnum.types import SIX_VITALS, Frozen

__all__ = ["Reading", "content_of", "content_of_yaml", "read_content", "yaml_of"]

NO_KEY = Translatable("there is no such key here, got {got}; remove it or correct its name")
NO_OPERATION = Translatable("choose an operation, got {got}; expected a mapping that begins with op or kind")
SHORT = {"version": 1, "tags": [], "slots": {}}
"""Optional keys that are written to a template's file even at their defaults."""


class Reading(Frozen):
    """The result of parsing content into a template."""

    template: Template | None
    """None if the content is no template. A template may have faults of `static_faults`."""
    faults: tuple[Fault, ...]
    notes: tuple[Fault, ...] = ()
    """Remarks on wordings not proven to be right, if no fault was found."""


def read_content(content: Mapping[str, Any]) -> Reading:
    """The template that content describes, and all its faults; never fails, whatever the content."""
    large = size_limits.content_faults(content)
    if large:
        return Reading(template=None, faults=large)
    if not isinstance(content, Mapping):
        fault = Fault(
            rule="form", path=(), message=Translatable("expected a template, got {got}", got=shown(content))
        )
        return Reading(template=None, faults=(fault,))
    roots = tuple(root_faults(content))
    try:
        template = Template.model_validate(content)
    except ValidationError as error:
        faults = [*roots]
        for fault in _faults_of(error, content):
            if not any(_covers(root.path, fault.path) for root in roots) and fault not in faults:
                faults.append(fault)
        return Reading(template=None, faults=tuple(faults))
    if roots:
        return Reading(template=None, faults=roots)
    large = tuple(size_limits.template_faults(template))
    if large:
        return Reading(template=None, faults=large)
    return Reading(template=template, faults=tuple(named_faults(template)), notes=tuple(not_proven(template)))


def content_of(template: Template) -> dict[str, Any]:
    """A template as plain JSON values for a form or file, without default values."""
    said = template.model_dump(mode="json", exclude_defaults=True)
    for record in said.get("example", {}).get("records", ()):
        for name in ("subject_id", "stay_id", "source"):
            if record[name] == "example":  # the default of an example's record
                del record[name]
    return {name: said.get(name, SHORT.get(name)) for name in Template.model_fields if name in said | SHORT}


def _covers(root: Path, path: Path) -> bool:
    return path[: len(root)] == root


def _faults_of(error: ValidationError, content: Mapping[str, Any]) -> Iterator[Fault]:
    for problem in error.errors(include_url=False):
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, FaultError):
            yield from (Fault(rule=f.rule, path=f.path, message=str(f)) for f in cause.all)
        elif not _seems_short(dict(problem)):
            yield _form_fault(dict(problem), content)


def _seems_short(problem: dict[str, Any]) -> bool:
    """Whether a list is reported as too short only because of wrong items, which are reported themselves."""
    got = problem["input"]
    long_enough = isinstance(got, list | tuple) and len(got) >= problem.get("ctx", {}).get("min_length", 0)
    return problem["type"] == "too_short" and long_enough


def _form_fault(problem: dict[str, Any], content: Mapping[str, Any]) -> Fault:
    path = content_path(content, problem["loc"])
    message, more = _message(problem)
    path += more
    rule = "form"
    if path[-1:] == ("vital",) and problem["type"] == "literal_error":
        rule, message = "unknown_vital", _vital_message(problem["input"])
    elif path[:1] == ("slots",) and len(path) > 2:
        rule, message = (
            "unfillable_slot",
            Translatable("slot {slot} stays empty: {why}", slot=path[1], why=message),
        )
    return Fault(rule=rule, path=path, message=message)


def content_path(content: object, loc: tuple[str | int, ...]) -> Path:
    """Path of a validation error in the content, without tags of unions."""
    path: list[str | int] = []
    tag = None
    for part in loc:
        if part == tag:
            tag = None
            continue
        path.append(part)
        content = _at(content, part)
        tag = _tag(content)
    return tuple(path)


def _at(content: object, part: str | int) -> object:
    if isinstance(content, Mapping):
        return content.get(part)
    inside = isinstance(content, list | tuple) and isinstance(part, int) and part < len(content)
    return content[part] if inside else None  # type: ignore[index]  # checked in the line above


def _tag(content: object) -> object:
    if not isinstance(content, Mapping):
        return None
    named = content.get("op") or content.get("kind")
    return named or condition_kind(dict(content))


def _message(problem: dict[str, Any]) -> tuple[str, Path]:
    """The message, and the key below the error's path that it concerns."""
    kind, context, got = problem["type"], problem.get("ctx", {}), shown(problem["input"])
    if kind == "missing":
        return Translatable("it is missing; fill it in"), ()
    if kind == "extra_forbidden":
        return Translatable(NO_KEY, got=got), ()
    if kind == "literal_error":
        return Translatable("got {got}; expected {expected}", got=got, expected=context["expected"]), ()
    if kind == "union_tag_invalid":
        key = context["discriminator"].strip("'")
        told = Translatable(
            "got {got}; expected one of {expected}",
            got=repr(context["tag"]),
            expected=context["expected_tags"],
        )
        return told, ((key,) if key in ("op", "kind") else ())
    if kind == "union_tag_not_found":
        return Translatable(NO_OPERATION, got=got), ()
    if kind == "too_short":
        counts = {"n": len(problem["input"]), "least": context["min_length"]}
        return Translatable("it has {n} of at least {least}; add more", **counts), ()
    if kind in _EXPECTED:
        return Translatable("got {got}; expected {expected}", got=got, expected=_EXPECTED[kind]), ()
    said = problem["msg"].removeprefix("Value error, ")
    return f"{said[:1].lower()}{said[1:]}, got {got}" if isinstance(problem["input"], str | int) else said, ()


_EXPECTED = {
    "string_type": Translatable("text; put a word like yes or a number in quotes"),
    "int_type": Translatable("a whole number"),
    "int_parsing": Translatable("a whole number"),
    "int_from_float": Translatable("a whole number"),
    "decimal_type": Translatable("a number"),
    "decimal_parsing": Translatable("a number such as 37.5"),
    "finite_number": Translatable("a number such as 37.5"),
    "tuple_type": Translatable("a list"),
    "dict_type": Translatable("keys with values"),
    "model_type": Translatable("keys with values"),
    "model_attributes_type": Translatable("keys with values"),
    "mapping_type": Translatable("keys with values"),
}


def _vital_message(got: object) -> str:
    return Translatable(
        "got {got}; expected one of {expected}", got=shown(got), expected=", ".join(SIX_VITALS)
    )
