"""Fields that a study adds to the judgement, declared in YAML when it is opened; see `docs/custom-fields.md`.

A declared field becomes a `FieldDefinition`, so that page, export, agreement and report treat it like a
built-in one. `Judgement.custom` holds the answers; `custom_field_answers.py` checks them.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, model_validator

from clinicnum.annotations.judgement import (
    CUSTOM_NAME,
    FAILED,
    FIELDS,
    MOST_CUSTOM,
    CustomValue,
    Judgement,
)
from clinicnum.annotations.judgement_field_definition import FieldDefinition, Option
from clinicnum.annotations.judgement_option_definitions import OptionRules
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.errors import InputError
from clinicnum.io.validation_problems import problem_text
from clinicnum.templates.template_yaml import plain_yaml
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

T = TypeVar("T")
CustomType = Literal["choice", "multiple choice", "yes/no", "number", "text"]
PAGE_KEYS = frozenset("ijklqsyz")
"""Letters that the annotate page uses itself, besides those of the judgement and the taxonomy."""
CRITERION_KEYS = "5678"
"""Keys that tick a criterion as met, not met or not applicable, and the key for the previous criterion."""
LONGEST_YAML = 50_000
_CHOSEN: tuple[CustomType, ...] = ("choice", "multiple choice")
_A: dict[CustomType, Translatable] = {
    "yes/no": Translatable("a yes/no"),
    "number": Translatable("a number"),
    "text": Translatable("a text"),
}
"""What a field without options takes."""


def _text_of_digit(value: object) -> object:
    """A whole number as text, as YAML reads a lone 5 as a number; raises ValueError for a boolean."""
    if isinstance(value, bool):
        raise ValueError(
            Translatable("YAML reads a bare yes, no, on or off as true or false; put the word in quotes")
        )
    return str(value) if isinstance(value, int) else value


def _plain(text: str) -> str:
    if text != text.strip() or not text.isprintable():
        raise ValueError(
            Translatable(
                "{line!r} has a line break, or a space at an end; expected one plain line", line=text
            )
        )
    return text


Line = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_plain)]
Key = Annotated[str, BeforeValidator(_text_of_digit), Field(pattern=r"^[a-z0-9]$")]


class CustomOption(Frozen):
    """One value that may be chosen."""

    value: Annotated[
        str, BeforeValidator(_text_of_digit), Field(min_length=1, max_length=60), AfterValidator(_plain)
    ]
    """What is stored, and shown on pages."""
    means: str = Field(default="", max_length=500)
    """When to choose it; shown by the *i* beside the option."""
    key: Key | None = None


class CustomField(Frozen):
    """One field as declared."""

    name: str = Field(pattern=CUSTOM_NAME)
    label: Line
    """The question, in words."""
    type: CustomType
    options: tuple[CustomOption, ...] = Field(default=(), max_length=20)
    ordered: bool = False
    """Whether the options have an order, so that agreement is ordinal."""
    key: Key | None = None
    """Key that steps through the options, or moves to the number or text."""
    hint: str = Field(default="", max_length=100)
    required: bool = False
    step: Literal[1, 2] = 1
    """1: asked without the reference; 2: after it."""
    asked: Literal["always", "failures"] = "always"

    @model_validator(mode="after")
    def _options_fit_the_type(self) -> Self:
        values = [one.value for one in self.options]
        if self.name in Judgement.model_fields:
            raise ValueError(
                Translatable("{name!r} is a field of every judgement; choose another name", name=self.name)
            )
        if self.type in _CHOSEN and len(values) < 2:
            raise ValueError(
                Translatable(
                    "a {kind} with {n} options; expected two or more",
                    kind=self.type,
                    n=len(values),
                )
            )
        if self.type not in _CHOSEN and values:
            raise ValueError(
                Translatable("a field of type {kind} takes no options; leave `options` out", kind=self.type)
            )
        if self.ordered and self.type != "choice":
            raise ValueError(
                Translatable("`ordered` is for a choice, not for {kind}; leave it out", kind=self.type)
            )
        if len(set(values)) < len(values):
            raise ValueError(Translatable("two options have the same value; name each once"))
        for value in values:
            if "|" in value or (value == "none" and self.type == "multiple choice"):
                raise ValueError(
                    Translatable(
                        "option {option!r} cannot be told apart in exports; leave out | and none",
                        option=value,
                    )
                )
        return self

    def definition(self) -> FieldDefinition:
        """The field in the form in which built-in fields are defined."""
        options = tuple(
            Option(
                one.value,
                one.value[0].upper() + one.value[1:],
                one.key,
                OptionRules(one.means, "", "", ()) if one.means else None,
            )
            for one in self.options
        )
        if self.type == "yes/no":
            options = (Option(True, Translatable("Yes")), Option(False, Translatable("No")))
        optional = Translatable("{hint}, optional", hint=self.hint) if self.hint else Translatable("optional")
        return FieldDefinition(
            label=self.label,
            meaning=self.label,
            hint=self.hint if self.required else optional,
            options=options,
            key=self.key,
            when=FAILED if self.asked == "failures" else None,
            required=Translatable("Answer “{label}”.", label=self.label) if self.required else None,
            private=self.type == "text",
            after_reference=self.step == 2,
        )

    def applies(self, judgement: Judgement) -> bool:
        """Whether the field is asked of this judgement."""
        return self.asked == "always" or getattr(judgement, FAILED.field) == FAILED.value

    def check(self, value: CustomValue) -> None:
        """Raise InputError for a value that the field does not allow."""
        values = {one.value for one in self.options}
        fits = {
            "choice": isinstance(value, str) and value in values,
            "multiple choice": isinstance(value, tuple) and bool(value) and values.issuperset(value),
            "yes/no": isinstance(value, bool),
            "number": isinstance(value, float),
            "text": isinstance(value, str) and bool(value.strip()),
        }
        if not fits[self.type]:
            expected = (
                Translatable("one of {options}", options=", ".join(one.value for one in self.options))
                if values
                else _A[self.type]
            )
            some = Translatable("some of them, as a list: ") if self.type == "multiple choice" else ""
            raise InputError(
                "the answer {answer!r} does not fit “{label}”; expected {some}{expected}. Nothing was saved: "
                "correct the answer, or reload the page",
                answer=value,
                label=self.label,
                some=some,
                expected=expected,
            )


def distinct_fields(fields: tuple[CustomField, ...]) -> tuple[CustomField, ...]:
    """The fields as they are. Raises ValueError for a name or key that is given twice."""
    name = _twice([one.name for one in fields])
    if name is not None:
        raise ValueError(
            Translatable("the name {name!r} is given twice; give each field and option its own", name=name)
        )
    key = _twice([key for one in fields for key in _keys(one)])
    if key is not None:
        raise ValueError(
            Translatable("the key {key!r} is given twice; give each field and option its own", key=key)
        )
    return fields


def _twice(given: list[str]) -> str | None:
    """The first one, by the alphabet, that is given more than once; None if none is."""
    return min((one for one in given if given.count(one) > 1), default=None)


CustomFields = Annotated[
    tuple[CustomField, ...], Field(max_length=MOST_CUSTOM), AfterValidator(distinct_fields)
]
_FIELDS: TypeAdapter[tuple[CustomField, ...]] = TypeAdapter(CustomFields)


def _keys(field: CustomField) -> list[str]:
    return [key for key in (field.key, *(one.key for one in field.options)) if key]


def read_custom_fields(text: str, before: str = "line ") -> tuple[CustomField, ...]:
    """The fields declared in a YAML text. Raises InputError saying what was wrong and what was expected.

    `before` is put before line numbers in errors.
    """
    return read_declared(text, _FIELDS, before)


def read_declared(text: str, declared: TypeAdapter[tuple[T, ...]], before: str) -> tuple[T, ...]:
    """The fields in a YAML list, each entry validated by `declared`; none for an empty text.

    Raises InputError for a text too long, not a list, or with an invalid entry.
    """
    if len(text) > LONGEST_YAML:
        raise InputError(
            "the fields have {n} characters; expected at most {most}",
            n=len(text),
            most=LONGEST_YAML,
        )
    loaded = plain_yaml(text, before)
    if loaded is None:
        return ()
    if not isinstance(loaded, list):
        raise InputError(
            "the fields cannot be read: got a {kind}; expected a YAML list, one field an entry that begins "
            "with `- name:`",
            kind=type(loaded).__name__,
        )
    try:
        return declared.validate_python(loaded)
    except ValidationError as error:
        raise InputError(_said(error, loaded)) from error


def _said(error: ValidationError, loaded: list[Any]) -> Translatable:
    """The first problem in plain words: the field, what was wrong, what was got, what to do."""
    problem = error.errors(include_url=False)[0]
    at, *where = problem["loc"] or (None,)
    entry = loaded[at] if isinstance(at, int) and at < len(loaded) else None
    name = entry.get("name") if isinstance(entry, dict) else None
    place: str = ""
    if isinstance(at, int) and name:
        place = Translatable(" in field {n} ({name})", n=at + 1, name=name)
    elif isinstance(at, int):
        place = Translatable(" in field {n}", n=at + 1)
    message: str = problem_text(problem)
    if problem["type"] == "value_error":
        message = problem["ctx"]["error"].args[0]
    elif problem["type"] != "missing":
        message = Translatable("{problem}; got {got!r}", problem=message, got=str(problem["input"])[:60])
    return Translatable(
        "the declared fields cannot be used{place}{inner}: {message}. Correct the YAML and try again",
        place=place,
        inner=f", `{'.'.join(map(str, where))}`" if where else "",
        message=message,
    )


def check_keys(fields: Iterable[CustomField], taxonomy: Taxonomy, *, criteria: bool = False) -> None:
    """Raise InputError for a key that the annotate page already uses, listing the free keys.

    `criteria`: whether the study has criteria, which are ticked by keys of their own.
    """
    own = [
        key for about in FIELDS.values() for key in (about.key, *(one.key for one in about.options)) if key
    ]
    classes = [group.key for group in taxonomy.classes]
    levels = [one.level for one in taxonomy.severities]
    taken = {*PAGE_KEYS, *own, *classes, *levels, *(CRITERION_KEYS if criteria else ())}
    for field in fields:
        for key in _keys(field):
            if key in taken:
                free = sorted(set("abcdefghijklmnopqrstuvwxyz0123456789") - taken)
                raise InputError(
                    "key {key!r} of field {field} is taken by the annotate page; expected one of "
                    "{keys}, or no key: the option can be clicked",
                    key=key,
                    field=field.name,
                    keys=", ".join(free),
                )
