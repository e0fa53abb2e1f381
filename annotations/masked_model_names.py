"""Mask the names of models in texts for readers who must not know which model wrote them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

MASK = "█"
ORDINARY = re.compile(
    "answer|assistant|base|best|case|chat|clinic|clinical|data|demo|dose|exam|example|expert|final|first|free|"
    "full|general|good|hospital|human|instruct|lab|large|last|local|main|med|medical|medicine|medium|mini|model|"
    "new|note|nurse|old|one|open|our|own|patient|pilot|plain|prompt|question|reading|record|review|round|run|"
    "second|short|simple|small|study|sum|table|team|test|text|the|tiny|trial|two|unit|ward",
    re.IGNORECASE,
)
"""Words of everyday and of the ward: standing alone, they name no model whose name begins with one."""


def mask_models(text: str, *, run_metas: Iterable[Mapping[str, Any]]) -> str:
    """A text with the names of the models of these runs masked; its length is unchanged."""
    for meta in run_metas:
        text = mask_model(text, meta.get("model"))
    return text


def mask_model(text: str, model: str | None) -> str:
    """A text with the name and family of its model masked; its length is unchanged.

    `model` is a name or folder as given in the run's meta. For `org/SmolLM2-135M-Instruct` the whole name,
    its last part and its family (`SmolLM`, with any version) are masked where they occur as words; case is
    ignored. A family that is an ordinary word (`ward` of `ward-model`) is masked only with a number behind
    it.
    """
    if not model:
        return text
    last, family = _last_part(model)
    patterns = [re.escape(model), re.escape(last)]
    if family:
        numbered = r"[-.]?\d[-\w.]*\w|[-.]?\d"
        ordinary = ORDINARY.fullmatch(family.group())
        version = f"(?:{numbered})" if ordinary else rf"(?:{numbered}|-\w+)?"
        patterns.append(re.escape(family.group()) + version)
    masked = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
    return masked.sub(lambda found: MASK * len(found.group()), text)


def own_names(model: str | None) -> tuple[str, ...]:
    """Names or parts of names of the model, one of which occurs wherever `mask_model` masks; none without a
    model.
    """
    if not model:
        return ()
    last, family = _last_part(model)
    return (family.group(),) if family else (model, last)


def _last_part(model: str) -> tuple[str, re.Match[str] | None]:
    """The last part of a model's name, and the family with which it begins; None if it begins otherwise."""
    last = model.rstrip("/").rsplit("/", 1)[-1]
    return last, re.match(r"[^\W\d_]{3,}", last)
