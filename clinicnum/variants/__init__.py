"""Variants: controlled rewritings of an instance, each with a proven right answer of its own.

`parse_variants` parses a user's request; `Variations(question, seed).of(base, spec)` makes one variant of
one instance, `vary` does so in one call. For lint, `named_step` gives the template with the further step
that a question asks for, and `crossing` the crossing to which that step counts minutes.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from clinicnum.questions.ask_question import Question, RejectedError
from clinicnum.representations import BASE
from clinicnum.types import Instance
from clinicnum.variants.extra_step import crossing, named_step
from clinicnum.variants.finish_variant import finish, settle
from clinicnum.variants.kinds import VARIANTS, Kind, VariantSpec, expected, parse_variants
from clinicnum.variants.representation import rendered
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, begin

__all__ = [
    "VARIANTS",
    "Kind",
    "NotApplicableError",
    "VariantSpec",
    "Variations",
    "crossing",
    "named_step",
    "parse_variants",
    "vary",
]


class Variations:
    """The variants of one question in all its representations.

    Each kind draws from the seed, its own name and the question's group: kinds do not disturb each other, and
    a question's representations are changed alike. What concerns the question alone is made once for all.
    """

    def __init__(self, question: Question, seed: int) -> None:
        self._question = question
        self._seed = seed
        self._settled: dict[tuple[str, tuple[str, ...]], VariantDraft | Exception] = {}

    def of(self, base: Instance, spec: VariantSpec) -> Instance:
        """One variant of `base`, which is one representation of the question.

        Raises RejectedError (a rule fails) or NotApplicableError (there is nothing to change).
        """
        draft = self._of_question(base, spec.of_question)
        frame = self._question.shown.frame if base.representation == "note" else None
        draft = replace(draft, base=base, context=base.context, frame=frame)
        draft = self._changed(draft, spec.of_rendering)
        if draft.tree_or_records_changed or draft.style != BASE:
            draft = replace(draft, context=rendered(draft))
        return finish(self._changed(draft, spec.of_text), spec)

    def _of_question(self, base: Instance, names: tuple[str, ...]) -> VariantDraft:
        found = self._settled.get((base.group_id, names))
        if found is None:
            found = self._settled[base.group_id, names] = self._settle(base, names)
        if isinstance(found, Exception):
            raise type(found)(*found.args)
        return found

    def _settle(self, base: Instance, names: tuple[str, ...]) -> VariantDraft | Exception:
        try:
            return settle(self._changed(begin(self._question, base), names), expected(names))
        except (RejectedError, NotApplicableError) as error:
            return error

    def _changed(self, draft: VariantDraft, names: Sequence[str]) -> VariantDraft:
        for name in names:
            rng = Random(f"{self._seed}:{name}:{draft.base.group_id}")  # noqa: S311  reproducible, not secret
            draft = VARIANTS[name].change(draft, rng)
        return draft


def vary(question: Question, base: Instance, spec: VariantSpec, seed: int) -> Instance:
    """One variant of one instance, with random choices seeded by `seed`. Raises as `Variations.of` does.

    For several variants of a question, `Variations` is faster.
    """
    return Variations(question, seed).of(base, spec)
