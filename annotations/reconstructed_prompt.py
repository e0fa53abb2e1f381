"""Reconstruct the prompt that a model was sent from the files of the run; say whether its text was cut off.

Our runs record a hash of their prompts. If it matches the wordings of this version, the messages are rebuilt
exactly from the instance; otherwise the prompt is unknown, with the reason.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from clinicnum.errors import InputError
from clinicnum.prompt import (
    DEFAULT_PROMPT,
    Message,
    demanded_form,
    fold_system,
    messages_for,
    prompt_hash,
    prompt_id_of,
)
from clinicnum.prompt_file import recorded_prompt
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Generation, Instance

NOT_OURS = Translatable(
    "not known, as another program obtained this answer and did not record what it asked."
)
CHANGED = Translatable(
    "not known, as it was asked with wordings that this version of the program does not have."
)
# Shown with the answers of some models only, prompts would tell the models apart: blinding comes first.
NOT_ALIKE = Translatable(
    "not shown, as it is not known to be the same for all models of this study; it could tell them apart."
)


class Turn(Frozen):
    """One message to the model."""

    role: str
    parts: tuple[str, ...]
    """The message split around the whole context, which the page shows already."""


class Asked(Frozen):
    """The prompt that was sent."""

    form: str | None
    """The answer format requested, on one line and in the prompt's own sentences."""
    turns: tuple[Turn, ...]
    """All messages in their order; empty where they are not known."""
    unknown: str | None
    """Why form and messages are unknown, to follow "is"; None if they are known."""

    def changed(self, change: Callable[[str], str]) -> "Asked":
        """A copy with `change` applied to each text."""
        turns = (Turn(role=one.role, parts=tuple(map(change, one.parts))) for one in self.turns)
        form = None if self.form is None else change(self.form)
        return Asked(form=form, turns=tuple(turns), unknown=self.unknown)


def asked_of(instance: Instance, *, run_meta: Mapping[str, Any], benchmark_meta: Mapping[str, Any]) -> Asked:
    """The prompt that the run sent for an instance, or why it is unknown; the gold is never used."""
    recorded = run_meta.get("prompt_hash")
    if recorded is None:
        return Asked(form=None, turns=(), unknown=NOT_OURS)
    if isinstance(run_meta.get("prompt"), dict):
        return _asked_by_file(instance, run_meta)
    own = prompt_id_of(instance) or DEFAULT_PROMPT
    if not any(_hash(ids) == recorded for ids in _possible_ids(own, run_meta, benchmark_meta)):
        return Asked(form=None, turns=(), unknown=CHANGED)
    try:
        messages, form = messages_for(instance), demanded_form(instance)
    except InputError:  # a benchmark changed since, which no run could have been asked
        return Asked(form=None, turns=(), unknown=CHANGED)
    return _asked(messages, form, instance, run_meta)


def asked_of_all(
    instance: Instance, *, run_metas: Iterable[Mapping[str, Any]], benchmark_meta: Mapping[str, Any]
) -> Asked:
    """The prompt for an instance, for readers who must not know the model: only what all runs of the study
    were asked, whether or not a server took the system message by itself.
    """
    metas = list(run_metas)
    for same in (metas, [{**meta, "sessions": None} for meta in metas]):
        asked = {asked_of(instance, run_meta=meta, benchmark_meta=benchmark_meta) for meta in same}
        if len(asked) == 1:
            return asked.pop()
    return Asked(form=None, turns=(), unknown=NOT_ALIKE)


def _asked_by_file(instance: Instance, run_meta: Mapping[str, Any]) -> Asked:
    """The prompt that was sent from the user's own prompt file, as the run recorded it; unknown if its hash
    does not match.
    """
    prompt = recorded_prompt(run_meta)
    if prompt is None or prompt.hash != run_meta.get("prompt_hash"):
        return Asked(form=None, turns=(), unknown=CHANGED)
    return _asked(prompt.messages(instance), prompt.form_of(instance), instance, run_meta)


def _asked(
    messages: tuple[Message, ...], form: str, instance: Instance, run_meta: Mapping[str, Any]
) -> Asked:
    turns = fold_system(messages) if _folded(run_meta) else messages
    return Asked(form=form, turns=tuple(_turn(one, instance.context) for one in turns), unknown=None)


def _turn(message: Message, context: str) -> Turn:
    text = message["content"]
    return Turn(role=message["role"], parts=tuple(text.split(context, 1)) if context else (text,))


def _possible_ids(
    own: str, run_meta: Mapping[str, Any], benchmark_meta: Mapping[str, Any]
) -> Iterator[frozenset[str]]:
    """Sets of prompt ids, with the instance's own in each, that the run's hash may have been made of.

    Runs record these ids. For earlier ones, which did not, they are those of the prompts in the benchmark, as
    its meta tells.
    """
    named = run_meta.get("prompt_ids")
    if isinstance(named, list):
        ids = frozenset(map(str, named))
        if own in ids:
            yield ids
        return
    yield frozenset({own})
    yield frozenset({own, DEFAULT_PROMPT, *_of_variants(benchmark_meta)})


def _of_variants(benchmark_meta: Mapping[str, Any]) -> Iterator[str]:
    """The prompt ids of a benchmark's variants, such as `direct` of `numeric.relevant+prompt.direct`."""
    variants = benchmark_meta.get("variants")
    made: Iterable[Any] = variants.get("made") or () if isinstance(variants, dict) else ()
    for name in made:
        yield from (one.removeprefix("prompt.") for one in str(name).split("+") if one.startswith("prompt."))


@lru_cache(maxsize=256)
def _hash(prompt_ids: frozenset[str]) -> str | None:
    """The hash of these wordings; None where one of them does not exist."""
    try:
        return prompt_hash(prompt_ids)
    except InputError:
        return None


def _folded(run_meta: Mapping[str, Any]) -> bool:
    """Whether the server took no system message, so that its text was put before the user's."""
    sessions = run_meta.get("sessions")
    return isinstance(sessions, list) and any(
        isinstance(one, dict) and one.get("system_folded") is True for one in sessions
    )


def ending_of(generation: Generation) -> Translatable | None:
    """In words, what kept the text from its end; None if nothing is known to have.

    The same words for every model: how long its answers may be, or that it is known that it ended its text by
    itself, would tell a model from others.
    """
    if generation.finish_reason == "error":
        return Translatable("There is no answer: the request to the model failed.")
    if generation.finish_reason == "length":
        return Translatable("Cut off before its end: the limit on its length was reached.")
    return None
