"""A user's own prompt: a named version of system text, wording, few-shot examples and form of the answer.

The wording is a text with the places `{context}`, `{question}`, `{options}` and `{form}`; other braces stand
for themselves. The form of the answer is the user's sentence or, if none is given, clinicnum's, by which
answers are scored as `strict`. With a user's form, the form of answers is not judged.

A run is identified by its prompt's text: the hash changes with every character.
"""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator

from clinicnum.errors import InputError
from clinicnum.io.jsonl import compact_json, first_problem
from clinicnum.prompt import JUDGED_FORMS, Message, judged_form, option_lines
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance

LONGEST = 50_000
PLACES = ("context", "question", "options", "form")
_PLACE = re.compile(r"\{(" + "|".join(PLACES) + r")\}")
_Text = Annotated[str, Field(max_length=LONGEST)]


class Example(Frozen):
    """A few-shot example: a question and an answer, shown as turns."""

    context: _Text = ""
    question: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    options: tuple[_Text, ...] = Field(default=(), max_length=26)
    answer: Annotated[str, Field(min_length=1, max_length=LONGEST)]


class PromptFile(Frozen):
    """One version of a prompt."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*$")
    version: int = Field(ge=1)
    system: _Text = ""
    """The system message; none if empty."""
    wording: _Text
    """The user's message, with places for context, question, options and form."""
    form: _Text | None = None
    """Sentences that ask for the answer's form; None for clinicnum's own."""
    examples: tuple[Example, ...] = Field(default=(), max_length=50)

    @field_validator("wording")
    @classmethod
    def _has_places(cls, text: str) -> str:
        found = _PLACE.findall(text)
        lacking = next((one for one in ("context", "question", "options") if one not in found), None)
        if lacking is not None:
            raise ValueError(
                Translatable("it has no place {{{place}}}; write that where it belongs", place=lacking)
            )
        twice = next((one for one in found if found.count(one) > 1), None)
        if twice is not None:
            raise ValueError(
                Translatable("the place {{{place}}} stands in it twice; leave one out", place=twice)
            )
        return text

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} v{self.version}"

    @property
    def asks_judged_form(self) -> bool:
        """Whether the prompt asks for the form that `strict` scoring judges."""
        return self.form is None

    @property
    def hash(self) -> str:
        """SHA-256 of the prompt's fields, with clinicnum's sentences on the form if they are used."""
        said = [self.model_dump(mode="json"), JUDGED_FORMS if self.form is None else ()]
        return sha256(compact_json(said).encode()).hexdigest()

    def messages(self, instance: Instance) -> tuple[Message, ...]:
        """The chat messages for an instance: system text, the examples as turns, the question."""
        turns = [Message(role="system", content=self.system)] if self.system.strip() else []
        for one in self.examples:
            shown = instance.model_copy(
                update={"context": one.context, "question": one.question, "options": one.options}
            )
            turns.append(Message(role="user", content=self._asked(shown)))
            turns.append(Message(role="assistant", content=one.answer))
        return (*turns, Message(role="user", content=self._asked(instance)))

    def form_of(self, instance: Instance) -> str:
        """The sentences on the form of an instance's answer, on one line."""
        return " ".join((judged_form(instance) if self.form is None else self.form).split())

    def gives_away(self, instance: Instance) -> bool:
        """Whether an example is this very question, so that its answer would be shown."""
        asked = (instance.context.split(), instance.question.split())
        return any((one.context.split(), one.question.split()) == asked for one in self.examples)

    def _asked(self, instance: Instance) -> str:
        said = {
            "context": instance.context,
            "question": instance.question,
            "options": option_lines(instance),
            "form": self.form_of(instance),
        }
        text = _PLACE.sub(lambda place: said[place[1]], self.wording)
        if "{form}" not in self.wording and said["form"]:
            text = f"{text.rstrip()}\n\n{said['form']}"
        return text if instance.context else text.lstrip("\n")


def prompt_of(content: object) -> PromptFile:
    """The prompt in a mapping of plain values. Raises InputError naming the first wrong field."""
    if not isinstance(content, Mapping):
        raise InputError("a prompt has the fields name, version, system, wording, form and examples")
    try:
        return PromptFile.model_validate(content)
    except ValidationError as error:
        raise InputError("{problem}", problem=first_problem(error)) from error


def recorded_prompt(run_meta: Mapping[str, Any]) -> PromptFile | None:
    """The user's prompt in a run's meta; None if the run used clinicnum's own."""
    recorded = run_meta.get("prompt")
    if not isinstance(recorded, dict):
        return None
    try:
        return prompt_of(recorded)
    except InputError:
        return None
