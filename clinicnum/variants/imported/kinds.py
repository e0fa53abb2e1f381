"""The kinds of variants that imported items can have: those after which the gold provably stays right.

Only the text and the gold of such an item are known, so no value is changed and nothing is computed.
"""

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

from clinicnum.prompt import EXTERNAL_WORDINGS, option_letter, prompt_id_of
from clinicnum.scoring.multiple_choice import right_place
from clinicnum.types import Instance
from clinicnum.variants.imported.option_orders import order
from clinicnum.variants.imported.option_references import why_fixed
from clinicnum.variants.imported.patient_age import why_age_counts, with_age
from clinicnum.variants.imported.patient_sex import NOT_ONE_SEX, sex_of, why_sex_counts, with_other_sex
from clinicnum.variants.imported.typos import misspelt_text
from clinicnum.variants.imported.unrelated_lines import could_be_gold, fitting_notice
from clinicnum.variants.multiple_choice import SHUFFLES
from clinicnum.variants.other_patient_passages import LENGTHS, RULE, with_passages
from clinicnum.variants.patient_demographics import AGES, SEXES
from clinicnum.variants.variant_draft import NotApplicableError

WHOLE_TEXT_ASKED = "the text itself is what is asked about"


class Drawn(NamedTuple):
    """The random choices for one item."""

    seed: int
    first_place: int
    """Place of the gold in the first order of the options."""

    def rng(self, kind: str, item: Instance) -> random.Random:
        """The random generator for one kind and item."""
        return random.Random(f"{self.seed}:{kind}:{item.group_id}")  # noqa: S311  reproducible, not secret


Change = Callable[[Instance, Drawn], Instance]


def _shuffle(number: int) -> Change:
    def change(item: Instance, drawn: Drawn) -> Instance:
        if item.scoring != "choice":
            raise NotApplicableError("no options")
        why = why_fixed(item.options, item.question, item.context)
        gold = right_place(item)
        if why is not None or gold is None:
            raise NotApplicableError(why or "the gold names no option")
        rng = drawn.rng("options.shuffle", item)
        options = order(item.options, gold=gold, number=number, first=drawn.first_place, rng=rng)
        right = item.options[gold]
        answer = option_letter(options.index(right)) if item.answer != right else right
        return item.model_copy(update={"options": options, "answer": answer})

    return change


def _typo(item: Instance, drawn: Drawn) -> Instance:
    if item.scoring == "medec":
        raise NotApplicableError(WHOLE_TEXT_ASKED)
    rng = drawn.rng("input.typo", item)
    changed = {"context": misspelt_text(item.context, rng), "question": misspelt_text(item.question, rng)}
    if changed == {"context": item.context, "question": item.question}:
        raise NotApplicableError("no ordinary word is long enough")
    return item.model_copy(update=changed)


def _distractor(item: Instance, drawn: Drawn) -> Instance:
    if item.scoring == "medec":
        raise NotApplicableError(WHOLE_TEXT_ASKED)
    notice = fitting_notice(item, drawn.rng("input.distractor", item))
    if notice is None:
        raise NotApplicableError("every line has a word or number of the item")
    below = f"{item.context}\n{notice}" if item.context else notice
    return item.model_copy(update={"context": below})


def _passages(kind: str, words: int | None = None) -> Change:
    def change(item: Instance, drawn: Drawn) -> Instance:
        if item.scoring == "medec":
            raise NotApplicableError(WHOLE_TEXT_ASKED)
        rng = drawn.rng(kind, item)
        context = with_passages(
            item.context, rng, words=words, usable=lambda line: not could_be_gold(item, line)
        )
        return item.model_copy(update={"context": context, "question": f"{item.question}\n{RULE}"})

    return change


def _age(years: int) -> Change:
    """A function that gives the patient another age.

    It raises NotApplicableError unless the answer is known to rest on measured values alone.
    """

    def change(item: Instance, _drawn: Drawn) -> Instance:
        why = why_age_counts(item)
        if why is not None:
            raise NotApplicableError(why)
        context = with_age(item.context, years)
        if context == item.context:
            raise NotApplicableError("the patient is of that age already")
        if could_be_gold(item, str(years)):
            raise NotApplicableError("the age lies within the limits of its answer")
        return item.model_copy(update={"context": context})

    return change


def _sex(name: str) -> Change:
    """A function that gives the patient the other sex.

    It raises NotApplicableError unless the answer is known to rest on measured values alone.
    """

    def change(item: Instance, _drawn: Drawn) -> Instance:
        why = why_sex_counts(item)
        if why is not None:
            raise NotApplicableError(why)
        if sex_of(item) == name:
            raise NotApplicableError("the patient is of that sex already")
        context = with_other_sex(item)
        if context is None:
            raise NotApplicableError(NOT_ONE_SEX)
        return item.model_copy(update={"context": context})

    return change


def _prompt(name: str) -> Change:
    """A function that words the item's own prompt otherwise: `direct` asks for the answer alone,
    `step_by_step` for thinking first.
    """

    def change(item: Instance, _drawn: Drawn) -> Instance:
        own = prompt_id_of(item) or ""
        family = own.removesuffix(".direct")
        wanted = f"{family}.direct" if name == "direct" else family
        if wanted not in EXTERNAL_WORDINGS or f"{family}.direct" not in EXTERNAL_WORDINGS:
            raise NotApplicableError(f"its prompt, {own}, has no such wording")
        if wanted == own:
            raise NotApplicableError("its own prompt asks so already")
        return item.model_copy(update={"prompt_id": wanted})

    return change


IMPORTED_KINDS: dict[str, Change] = {
    "input.typo": _typo,
    "input.distractor": _distractor,
    "context.retrieved": _passages("context.retrieved"),
    **{f"context.long.{words}": _passages(f"context.long.{words}", words) for words in LENGTHS},
    **{f"patient.sex.{name}": _sex(name) for name in SEXES},
    **{f"patient.age.{years}": _age(years) for years in AGES},
    **{f"options.shuffle.{number}": _shuffle(number) for number in SHUFFLES},
    "prompt.direct": _prompt("direct"),
    "prompt.step_by_step": _prompt("step_by_step"),
}
"""Name -> change; each is a kind of `variants.kinds.VARIANTS`, which says what it claims."""

IMPORTED_ATTACK = tuple(kind for kind in IMPORTED_KINDS if not kind.startswith("context.long."))
"""Kinds that `attack` in a request means."""


def unknown_of(names: Iterable[str]) -> list[str]:
    """Those of `names` that are no kinds of variant for imported items."""
    return [name for name in names if name not in IMPORTED_KINDS]
