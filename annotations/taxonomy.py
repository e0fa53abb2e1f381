"""Failure taxonomies: YAML, versioned, replaceable. A label's code is `class` or `class.sub_class`."""

import functools
import re
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from clinicnum.annotations.judgement import SEVERITIES, Severity
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.templates.template_yaml import plain_yaml
from clinicnum.types import Frozen

BUILT_IN = "clinical_numeracy"
CURRENT = "2"
"""Version of the built-in taxonomy that new studies take; earlier ones stay for studies opened with them."""
MOST_PLAIN_WORDS = 5


def _snake_case(text: str) -> str:
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*", text):
        raise ValueError(f"{text!r} is not snake case (lower-case words joined by _)")
    return text


def _letter(text: str) -> str:
    if not re.fullmatch(r"[a-z]", text):
        raise ValueError(f"key {text!r} is not one lower-case letter")
    return text


def _few_words(text: str) -> str:
    if len(text.split()) > MOST_PLAIN_WORDS:
        raise ValueError(f"plain words {text!r} are too many; expected at most {MOST_PLAIN_WORDS}")
    return text


SnakeCase = Annotated[str, AfterValidator(_snake_case)]
Letter = Annotated[str, AfterValidator(_letter)]
Sentence = Annotated[str, Field(min_length=1)]
PlainWords = Annotated[str, AfterValidator(_few_words)]


class Code(Frozen):
    """One code with the rules by which annotators decide whether it applies."""

    code: SnakeCase
    key: Letter
    """Keyboard key that chooses it; unique among its siblings."""
    name: Sentence
    plain: PlainWords = ""
    """The name in words that a clinician understands at once; empty if the name does."""
    step: Sentence | None = None
    """Name of the answer step at which such an error is made; None if no step applies."""
    definition: Sentence
    include: Sentence
    """When to use the code."""
    exclude: Sentence
    """When not to use it, and what to use instead."""
    examples: tuple[Sentence, Sentence]


class TaxonomyClass(Code):
    """A level-1 class with its level-2 codes."""

    sub_classes: tuple[Code, ...] = ()


class SeverityLevel(Frozen):
    """One level of harm."""

    level: Severity
    name: Sentence
    plain: PlainWords = ""
    """The name in few words."""
    definition: Sentence
    examples: tuple[Sentence, Sentence]


class OrderStep(Frozen):
    """One step of an answer, at which it may first go wrong."""

    name: Sentence
    hint: str = ""
    """The question by which annotators check the step."""


def _named_step(given: object) -> object:
    """A step without a hint may be written as its name alone, as version 1 does."""
    return {"name": given} if isinstance(given, str) else given


class Taxonomy(Frozen):
    """A complete taxonomy; labels refer to its version."""

    id: str
    version: str
    order: tuple[Annotated[OrderStep, BeforeValidator(_named_step)], ...]
    """The steps of an answer; the primary label is the first error in this order."""
    classes: tuple[TaxonomyClass, ...] = Field(min_length=1)
    severities: tuple[SeverityLevel, ...]

    @model_validator(mode="after")
    def _each_is_named_once(self) -> "Taxonomy":
        _unique("class", self.classes)
        for group in self.classes:
            _unique(f"sub-class of {group.code}", group.sub_classes)
        steps = [step.name for step in self.order]
        for entry in (entry for group in self.classes for entry in (group, *group.sub_classes)):
            if entry.step is not None and entry.step not in steps:
                raise ValueError(
                    f"code {entry.code!r} has the step {entry.step!r}; "
                    f"expected one of the order: {', '.join(steps)}"
                )
        if tuple(level.level for level in self.severities) != SEVERITIES:
            raise ValueError(f"severities must be {', '.join(SEVERITIES)}, in this order")
        return self

    def codes(self) -> tuple[str, ...]:
        """Every code, `class` before its `class.sub_class`, in the taxonomy's order."""
        return tuple(
            code
            for group in self.classes
            for code in (group.code, *(f"{group.code}.{sub.code}" for sub in group.sub_classes))
        )

    def step_names(self) -> str:
        """The names of the steps in order, joined by commas."""
        return ", ".join(step.name for step in self.order)

    def level1(self, code: str) -> str:
        """The class of a code. Raises InputError for a code outside the taxonomy."""
        if code not in self.codes():
            raise InputError(
                "code {code!r} is not in taxonomy {taxonomy} {version}; expected one of {codes}",
                code=code,
                taxonomy=self.id,
                version=self.version,
                codes=", ".join(self.codes()),
            )
        return code.partition(".")[0]

    def find(self, code: str) -> Code:
        """The entry of a code. Raises InputError for a code outside the taxonomy."""
        level1 = self.level1(code)
        group = next(group for group in self.classes if group.code == level1)
        sub_code = code.partition(".")[2]
        return next((sub for sub in group.sub_classes if sub.code == sub_code), group)


def _unique(what: str, codes: tuple[Code, ...]) -> None:
    for field in ("code", "key"):
        values = [getattr(code, field) for code in codes]
        twice = sorted({value for value in values if values.count(value) > 1})
        if twice:
            raise ValueError(f"two entries ({what}) have the {field} {twice[0]!r}; give each its own")


def load_taxonomy(path: Path | None = None, *, version: str = CURRENT) -> Taxonomy:
    """Read a taxonomy file, or the built-in `clinical-numeracy` in a version ("1" or "2").

    Raises InputError naming the file for one that is missing, not YAML, or not a taxonomy, and
    FileNotFoundError for a version that does not exist.
    """
    if path is None:
        return _built_in(version)
    if not path.is_file():
        raise InputError("{path}: no such file; expected a taxonomy in YAML", path=path)
    return _parse(path.read_text(encoding="utf-8", errors="replace"), str(path))


@functools.cache
def _built_in(version: str) -> Taxonomy:
    name = f"{BUILT_IN}_v{version}.yaml"
    file = resources.files("clinicnum.annotations").joinpath("taxonomies", name)
    return _parse(file.read_text(encoding="utf-8"), name)


def _parse(text: str, name: str) -> Taxonomy:
    loaded = plain_yaml(text, f"{name}:")
    if not isinstance(loaded, dict):
        raise InputError(
            "{name}: expected a mapping with id, version, order, classes and severities", name=name
        )
    try:
        return Taxonomy.model_validate(loaded)
    except ValidationError as error:
        raise InputError(
            "{name}: not a taxonomy: {problem}; correct the file", name=name, problem=first_problem(error)
        ) from error
