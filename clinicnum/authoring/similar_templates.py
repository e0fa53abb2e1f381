"""Find templates in a bank that ask the same as a given one: same tree, same answers, or same words.

tree      The same canonical tree, conditions, slots and givens: they ask the same. Score 1.
answers   On every sample filling the same gold, or the same reason for none, though the trees differ: they
          ask the same in other terms. Score: the share of fillings that have a gold.
wording   Nearly the same words about the same numbers. Score: the words that the closest pair of wordings
          share, by all their words (Jaccard), slots and small words left out.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Literal

from clinicnum.authoring.sample_golds import SampleFilling, gold_text, sample_fillings
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.canonical_tree import template_form
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Why = Literal["tree", "answers", "wording"]

PROBED = 60
"""Fillings on which golds are compared."""
NEEDED = 20
"""Fillings that both templates must answer; with fewer, equal answers may be chance."""
NEAR = 0.85
"""Share of common words from which wordings count as similar. Our own choice."""
MOST = 20
"""Limit on the similar templates reported."""
SMALL = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "for", "from", "has", "have", "how", "in"}
    | {"is", "it", "its", "many", "much", "of", "on", "or", "that", "the", "there", "this", "to", "was"}
    | {"were", "what", "when", "which", "with", "compute", "find", "give", "report"}
)


class SimilarTemplate(Frozen):
    """A similar template in the bank."""

    template_id: str
    version: int
    why: Why
    score: float
    """Similarity, from 0 to 1."""
    message: Translatable
    """The similarity in one line of text."""


SAID: dict[Why, str] = {
    "tree": Translatable(
        "{id} version {version} has the same rule, slots and conditions; use it, or change what is asked"
    ),
    "answers": Translatable(
        "{id} version {version} gives the same answer to every sample question; use it instead"
    ),
    "wording": Translatable(
        "{id} version {version} is worded almost alike ({share:.0%} of the words), but asks something else; "
        "word them apart"
    ),
}
ORDER: dict[Why, int] = {"tree": 0, "answers": 1, "wording": 2}


def similar_templates(
    template: Template, bank: Iterable[Template], *, seed: int = 0
) -> tuple[SimilarTemplate, ...]:
    """The templates in `bank` most similar to a template, at most MOST, the most similar first.

    Templates of the same id, which are versions of it, are not compared.
    """
    mine, kind, words = template_form(template), _kind(template), _words_of(template.wording)
    probe = _Probe(template, seed)
    found = []
    for other in bank:
        if other.id == template.id:
            continue
        if _kind(other) == kind:
            if template_form(other) == mine:
                found.append(_likeness(other, "tree", 1.0))
                continue
            share = probe.shared(other)
            if share is not None:
                found.append(_likeness(other, "answers", share))
                continue
        near = max((_share(one, two) for one in words for two in _words_of(other.wording)), default=0.0)
        if near >= NEAR:
            found.append(_likeness(other, "wording", near))
    found.sort(key=lambda one: (ORDER[one.why], -one.score, one.template_id, one.version))
    return tuple(found[:MOST])


def _likeness(other: Template, why: Why, score: float) -> SimilarTemplate:
    message = Translatable(SAID[why], id=other.id, version=other.version, share=score)
    return SimilarTemplate(template_id=other.id, version=other.version, why=why, score=score, message=message)


def _kind(template: Template) -> tuple[object, ...]:
    """A key shared by templates that can have the same answers; quick to compare."""
    slots = [slot.model_dump_json() for slot in template.slots.values()]
    givens = sorted(given.model_dump_json() for given in template.givens.values())
    return (template.answer_type, template.decimals, template.vitals, slots, givens)


class _Probe:
    """A template's golds on sample choices of slots, computed as needed."""

    def __init__(self, template: Template, seed: int) -> None:
        self._template = template
        self._golds = self._draw(seed)
        self._kept: list[tuple[SampleFilling, str | None]] = []

    def _draw(self, seed: int) -> Iterator[tuple[SampleFilling, str | None]]:
        asked = PreparedTemplate(self._template, ())
        for on in islice(sample_fillings(self._template, self._template.vitals, seed), PROBED):
            yield on, gold_text(asked, on)

    def _all(self) -> Iterator[tuple[SampleFilling, str | None]]:
        yield from self._kept
        for one in self._golds:
            self._kept.append(one)
            yield one

    def shared(self, other: Template) -> float | None:
        """Share of the sample fillings that have a gold, which must be the same in both templates; None if
        one differs or too few have a gold.
        """
        asked = PreparedTemplate(other, ())
        slots = dict(zip(self._template.slots, other.slots, strict=True))
        by_label = {given.model_dump_json(): name for name, given in other.givens.items()}
        givens = {name: by_label[given.model_dump_json()] for name, given in self._template.givens.items()}
        answered = tried = 0
        for on, gold in self._all():
            renamed = on._replace(
                filling={slots[name]: value for name, value in on.filling.items()},
                givens={givens[name]: value for name, value in on.givens.items()},
            )
            if gold_text(asked, renamed) != gold:
                return None
            tried += 1
            answered += gold is not None and not gold.startswith("none:")
        return answered / tried if answered >= NEEDED else None


_SLOT = re.compile(r"\{[^}]*\}")
_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[<>≥≤%]")


@lru_cache(maxsize=16_384)
def _words_of(wordings: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """The words of each wording, without slots and function words."""
    return tuple(frozenset(_WORD.findall(_SLOT.sub(" ", wording.lower()))) - SMALL for wording in wordings)


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / len(one | two) if one and two else 0.0
