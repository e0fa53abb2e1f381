"""What a model is asked: the messages for an instance, and the hash that identifies their wording.

The wording is the same whatever the answer type, so that it never gives away what kind of gold is expected,
nor that a question cannot be answered. Only options, where shown, change it: they ask for a letter.

Imported items have wordings of their own, by how they are scored: task and form of the answer are the
source's (MEDEC's `CORRECT`, or a sentence's id and the sentence corrected), the words are ours.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple, TypedDict

from clinicnum.errors import InputError
from clinicnum.types import Instance

DEFAULT_PROMPT = "default"


class Message(TypedDict):
    """One turn of a chat, in the form that chat templates and servers take."""

    role: str
    content: str


class Wording(NamedTuple):
    """The text of one prompt, split into parts."""

    task: str
    """Who the model is and what it does."""
    close: str
    """How to write and how to end; may be empty."""
    asked: str
    """Takes context, question and options."""
    form: str
    """Text on the answer's form, with places for points and form; may be empty."""

    @property
    def system(self) -> str:
        """The system message."""
        return " ".join(filter(None, (self.task, self.close)))

    @property
    def user(self) -> str:
        """The user's message, with places for context, question, options, points and form."""
        return self.asked + self.form


_TASK = "You answer questions about a patient's vital signs from the records given."
_JSON = 'End with one line of JSON: {"answer": ...}'
_ASKED = "{context}\n\nQuestion: {question}\n{options}\n"
_BRIEFLY = "You may reason briefly first. {form}"
_ONLY = "Give the line of JSON only, without any reasoning. "
_STEPWISE = (
    "Think step by step: first write down each value that is needed, with its time, then each step of the "
    "working, and only then the line of JSON. {form}"
)
_CHECKLIST = (
    "Go through these points in order, one line each, and only then write the line of JSON:\n{points}{form}"
)

_VALUE_FORM = (
    "In the JSON write a number with the decimals asked and no unit, "
    'a time as "YYYY-MM-DD HH:MM:SS", or "not documented" if the records do not say.'
)
_OPTION_FORM = (
    'In the JSON write the letter of the right option, or "not documented" if the records do not say.'
)

_ITEM = "{context}\n\n{question}\n{options}\n"
_THEN = "Think step by step, briefly, and only then write the line of JSON. "
_VALUE = "In the JSON write a number without a unit, or a date, or weeks and days, in the form asked."
_LETTER = "In the JSON write the letter of the right option."
_ANSWER = "You answer a question about a patient from the text given."
_CALCULATE = "You calculate clinical scores and values from a patient's note."
_CHOOSE = "You answer multiple-choice questions in medicine."
_WRITE = "You answer clinical questions from the text given:"
_WHOLE = "every part of the question, and nothing else."
_REVIEW = "You are a physician who checks clinical notes for medical errors."
_CORRECT = (
    "Each sentence of the note stands on a line that begins with its ID. If no sentence is wrong, answer "
    "with the word CORRECT and nothing else. If one is, answer with its ID, a space, and the whole sentence "
    "corrected, and nothing else."
)

EXTERNAL: dict[str, str] = {
    "numeric": "external",
    "medcalc": "medcalc",
    "choice": "choice",
    "medec": "medec",
    "points": "text",
}
"""Scoring of an imported item -> the id of its prompt, unless the item names one."""

ROLES = {
    "nurse": "an experienced emergency nurse",
    "physician": "an emergency physician",
    "pharmacist": "a hospital pharmacist",
    "student": "a medical student",
    "accountant": "an experienced accountant",
    "teacher": "a primary-school teacher",
}
"""Who the model is told to be; the key is the ROLE of `persona.ROLE.STYLE`."""
MEDICAL_ROLES = ("nurse", "physician", "pharmacist", "student")
"""The roles that are medical; the others are there to compare with."""

STYLES = {
    "formal": "Write formally and in whole sentences.",
    "terse": "Write tersely, as in a note.",
    "plain": "Write in plain words, as to a patient.",
    "bold": "Be bold: commit yourself to one answer, without hedging.",
    "cautious": "Be cautious: check each value and step again, and say what is uncertain, before you answer.",
}
"""How the model writes; the key is the STYLE of `persona.ROLE.STYLE`."""

WORDINGS: dict[str, Wording] = {
    DEFAULT_PROMPT: Wording(_TASK, _JSON, _ASKED, _BRIEFLY),
    "direct": Wording(_TASK, _JSON, _ASKED, _ONLY + "{form}"),
    "step_by_step": Wording(_TASK, _JSON, _ASKED, _STEPWISE),
    "checklist": Wording(_TASK, _JSON, _ASKED, _CHECKLIST),
} | {
    f"persona.{role}.{style}": Wording(f"You are {who}. {_TASK}", f"{how} {_JSON}", _ASKED, _BRIEFLY)
    for role, who in ROLES.items()
    for style, how in STYLES.items()
}
"""Prompt id -> wording, for our own questions. A new prompt is one line here."""

EXTERNAL_WORDINGS: dict[str, Wording] = {
    "external": Wording(_ANSWER, _JSON, _ITEM, _THEN + "{form}"),
    "external.direct": Wording(_ANSWER, _JSON, _ITEM, _ONLY + "{form}"),
    "medcalc": Wording(_CALCULATE, _JSON, _ITEM, _THEN + _VALUE),
    "medcalc.direct": Wording(_CALCULATE, _JSON, _ITEM, _ONLY + _VALUE),
    "choice": Wording(_CHOOSE, _JSON, _ITEM, _THEN + _LETTER),
    "choice.direct": Wording(_CHOOSE, _JSON, _ITEM, _ONLY + _LETTER),
    "medec": Wording(_REVIEW, "", _ITEM, _CORRECT),
    "text": Wording(_WRITE, _WHOLE, "{context}\n\n{question}", ""),
}
"""Prompt id -> wording, for items made elsewhere."""
_EVERY = WORDINGS | EXTERNAL_WORDINGS


def prompt_id_of(instance: Instance) -> str | None:
    """The id of an instance's prompt; None for the default prompt, that of clinicnum's own questions."""
    if instance.prompt_id is None and instance.operation == "external":
        return EXTERNAL[instance.scoring]
    return instance.prompt_id


def messages_for(instance: Instance) -> tuple[Message, ...]:
    """System and user message of an instance.

    Raises InputError for an unknown prompt id or a checklist without answer points.
    """
    wording = _wording_of(instance)
    filled = wording.user.format(
        context=instance.context,
        question=instance.question,
        options=option_lines(instance),
        **_form_parts(instance),
    )
    asked = filled if instance.context else filled.lstrip("\n")
    return (Message(role="system", content=wording.system), Message(role="user", content=asked))


def open_messages(instance: Instance) -> tuple[Message, ...]:
    """As `messages_for`, with the places for context, question, options and points left open.

    Raises InputError as `messages_for` does.
    """
    wording = _wording_of(instance)
    form = wording.form.format(**{**_form_parts(instance), "points": "{points}"})
    return (
        Message(role="system", content=wording.system),
        Message(role="user", content=wording.asked + form),
    )


def demanded_form(instance: Instance) -> str:
    """The sentences of an instance's messages that demand a form of answer, on one line.

    The same for each gold, as the messages are. Raises InputError as `messages_for` does.
    """
    wording = _wording_of(instance)
    form = wording.form.format(**_form_parts(instance))
    return " ".join(f"{wording.close} {form}".split())


_STRICT_FORMS = {"numeric": "JSON", "medcalc": "JSON", "choice": "JSON", "medec": _CORRECT}
"""Scoring -> text that a prompt must contain for `Score.strict` to judge the form it asked for."""


def asks_judged_form(instance: Instance) -> bool:
    """Whether an instance's prompt asks for the form of answer by which its scorer judges `strict`.

    False for items with answer points, which have no such form; True for an unknown prompt.
    """
    wanted = _STRICT_FORMS.get(instance.scoring)
    found = _EVERY.get(prompt_id_of(instance) or DEFAULT_PROMPT)
    return wanted is not None and (found is None or wanted in found.system + found.user)


def _form_parts(instance: Instance) -> dict[str, str]:
    """The texts to fill into the sentences on the form of an answer."""
    return {
        "points": "".join(f"{i}. {point.text}\n" for i, point in enumerate(instance.points, start=1)),
        "form": _OPTION_FORM if instance.options else _VALUE_FORM,
    }


def option_lines(instance: Instance) -> str:
    """The options with their letters, one a line; empty without any."""
    return "".join(f"{option_letter(i)}. {text}\n" for i, text in enumerate(instance.options))


def judged_form(instance: Instance) -> str:
    """The sentences that ask for the form by which an instance's answer is scored as strict; empty if its
    scorer judges none.
    """
    if instance.scoring == "points":
        return ""
    if instance.scoring == "medec":
        return _CORRECT
    if instance.operation == "external":
        return f"{_JSON}. {_LETTER if instance.options else _VALUE}"
    return f"{_JSON}. {_OPTION_FORM if instance.options else _VALUE_FORM}"


JUDGED_FORMS = (_JSON, _CORRECT, _LETTER, _VALUE, _OPTION_FORM, _VALUE_FORM)
"""All sentences that `judged_form` uses."""


def option_letter(place: int) -> str:
    """The letter under which an option is shown: A for place 0."""
    return chr(ord("A") + place)


def fold_system(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The same messages with the system text put before the first user text, for models without that role."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if not system or not rest:
        return tuple(rest)
    first = Message(role=rest[0]["role"], content="\n\n".join([*system, rest[0]["content"]]))
    return (first, *rest[1:])


def prompt_hash(prompt_ids: Iterable[str | None]) -> str:
    """SHA-256 over the ids and texts of the wordings that these prompt ids use (None is the default).

    The sentences that ask for a value and for an option are both hashed, as the benchmark decides which are
    shown. Raises InputError for an unknown prompt id.
    """
    used = sorted({prompt_id or DEFAULT_PROMPT for prompt_id in prompt_ids})
    texts = [(prompt_id, _wording(prompt_id)) for prompt_id in used]
    payload = [[prompt_id, wording.system, wording.user] for prompt_id, wording in texts]
    text = json.dumps([payload, _VALUE_FORM, _OPTION_FORM], ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _wording_of(instance: Instance) -> Wording:
    wording = _wording(prompt_id_of(instance))
    if wording.form is _CHECKLIST and not instance.points:
        raise InputError(
            f"instance {instance.instance_id}: prompt_id is 'checklist' but there are no points; "
            "expected at least one answer point; add points or leave prompt_id out"
        )
    return wording


def _wording(prompt_id: str | None) -> Wording:
    found = _EVERY.get(prompt_id or DEFAULT_PROMPT)
    if found is None:
        raise InputError(
            f"no prompt is called {prompt_id!r}; expected one of: {', '.join(sorted(_EVERY))}; "
            "correct prompt_id in the benchmark"
        )
    return found
