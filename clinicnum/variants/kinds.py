"""All kinds of variants, and how they are requested and combined."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Literal

from clinicnum.errors import InputError
from clinicnum.variants import (
    changed_value,
    irrelevant_context,
    misleading_remark,
    missing_value,
    patient_demographics,
    representation,
)
from clinicnum.variants.distractor import distractor
from clinicnum.variants.multiple_choice import SHUFFLES, shuffle
from clinicnum.variants.other_patient_passages import LENGTHS
from clinicnum.variants.prompt_wording import PROMPT_IDS, prompt
from clinicnum.variants.rewording import restructure, synonym
from clinicnum.variants.typo import typo
from clinicnum.variants.variant_draft import VariantDraft

Change = Callable[[VariantDraft, Random], VariantDraft]
Expected = Literal["same", "follows", "abstains"]
Stage = Literal["tree", "records", "rendering", "context", "wording", "options", "prompt"]
STAGES: tuple[Stage, ...] = ("tree", "records", "rendering", "context", "wording", "options", "prompt")
"""The order in which kinds change a draft: what is needed is known once the tree is, and so on.

Tree and records concern the question in all its representations; after rendering, the context is written.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of variant."""

    change: Change
    stage: Stage
    expected: Expected
    """The right answer of the variant: the same as the base's, following the change, or not documented."""
    claims: frozenset[str]
    """The parts that the kind changes: kinds that claim the same part cannot be combined."""


def _kind(change: Change, stage: Stage, *claims: str, expected: Expected = "same") -> Kind:
    return Kind(change, stage, expected, frozenset(claims))


VARIANTS: dict[str, Kind] = {
    "representation.abbreviations": _kind(representation.abbreviations, "rendering", "names"),
    "representation.no_units": _kind(representation.no_units, "rendering", "units"),
    "representation.abbreviations_no_units": _kind(
        representation.abbreviations_no_units, "rendering", "names", "units"
    ),
    "representation.order": _kind(representation.order, "rendering", "order"),
    "representation.separators": _kind(representation.separators, "rendering", "separators"),
    "input.synonym": _kind(synonym, "wording", "terms"),
    "input.restructure": _kind(restructure, "wording", "clauses"),
    "input.typo": _kind(typo, "wording", "spelling"),
    "input.distractor": _kind(distractor, "context", "distractor"),
    "numeric.relevant": _kind(changed_value.relevant, "records", "gold", expected="follows"),
    "numeric.irrelevant": _kind(changed_value.irrelevant, "records", "unneeded"),
    # Claims choices, remark and entry too: without a gold there are no options, and what tempts to another
    # answer would reveal the value.
    "missing.masked": _kind(
        missing_value.masked, "records", "gold", "choices", "remark", "entry", expected="abstains"
    ),
    "missing.negated": _kind(missing_value.negated, "context", "findings"),
    "context.conflict": _kind(irrelevant_context.conflict, "context", "entry"),
    "context.retrieved": _kind(irrelevant_context.retrieved, "context", "passages"),
    **{f"context.long.{n}": _kind(irrelevant_context.long(n), "context", "passages") for n in LENGTHS},
    **{
        f"patient.sex.{name}": _kind(patient_demographics.sex(name), "context", "sex")
        for name in patient_demographics.SEXES
    },
    **{
        f"patient.age.{years}": _kind(patient_demographics.age(years), "context", "age")
        for years in patient_demographics.AGES
    },
    "chain.wrong_step": _kind(misleading_remark.wrong_step, "wording", "remark"),
    "chain.early_rounding": _kind(misleading_remark.early_rounding, "wording", "remark"),
    "chain.extra_step": _kind(misleading_remark.extra_step, "tree", "step", expected="follows"),
    **{f"options.shuffle.{n}": _kind(shuffle(n), "options", "choices") for n in SHUFFLES},
    **{f"prompt.{prompt_id}": _kind(prompt(prompt_id), "prompt", "prompt") for prompt_id in PROMPT_IDS},
}
"""Name -> kind. Within a stage, kinds change a draft in this order."""

ATTACK = "attack"
"""In a request: all kinds for an attack; joined with itself by `+`, all pairs of them."""
ATTACK_KINDS = tuple(
    name
    for name, kind in VARIANTS.items()
    if kind.expected != "abstains" and not name.startswith(("options.", "prompt.persona.", "context.long."))
)
"""All but those whose right answer is to abstain, option orders, personas and long contexts."""

_PLACE = {name: (STAGES.index(kind.stage), place) for place, (name, kind) in enumerate(VARIANTS.items())}


def expected(names: Iterable[str]) -> Expected:
    """The strongest expectation that these kinds have of the right answer: `abstains`, else `follows`, else
    `same`.
    """
    found = {VARIANTS[name].expected for name in names}
    return "abstains" if "abstains" in found else "follows" if "follows" in found else "same"


@dataclass(frozen=True)
class VariantSpec:
    """One requested variant: a kind, or several joined by `+`."""

    name: str
    """The name as requested."""
    parts: tuple[str, ...]
    """Names of the kinds, in the order in which they change a draft."""

    @cached_property
    def expected(self) -> Expected:
        """How the right answer of the variant relates to that of the base."""
        return expected(self.parts)

    @cached_property
    def of_question(self) -> tuple[str, ...]:
        """Those of its kinds that change operation tree or records."""
        return self._between("tree", "records")

    @cached_property
    def of_rendering(self) -> tuple[str, ...]:
        """Those of its kinds that change how records are written."""
        return self._between("rendering", "rendering")

    @cached_property
    def of_text(self) -> tuple[str, ...]:
        """Those of its kinds that change what is written, asked or offered as options."""
        return self._between("context", "prompt")

    def _between(self, first: Stage, last: Stage) -> tuple[str, ...]:
        stages = STAGES[STAGES.index(first) : STAGES.index(last) + 1]
        return tuple(name for name in self.parts if VARIANTS[name].stage in stages)


def parse_variants(text: str, attack: Sequence[str] = ATTACK_KINDS) -> tuple[VariantSpec, ...]:
    """Parse `a.b,c.d+e.f`: `,` separates variants, `+` combines kinds.

    `attack` stands for all of these kinds, `attack+attack` for all pairs that can be combined. Raises
    InputError for an unknown name, kinds that cannot be combined, and a variant asked for twice.
    """
    specs: dict[tuple[str, ...], VariantSpec] = {}
    for name in _written_out(text, attack):
        spec = _spec(name)
        if spec.parts in specs:
            raise InputError(
                f"--variants: {name!r} is asked for twice; expected each variant once: remove one"
            )
        specs[spec.parts] = spec
    return tuple(specs.values())


def _written_out(text: str, attack: Sequence[str]) -> Iterator[str]:
    """The names asked for, with those that `attack` stands for."""
    for asked in text.split(","):
        parts = [part.strip() for part in asked.split("+")]
        if parts == [ATTACK]:
            yield from attack
        elif parts == [ATTACK, ATTACK]:
            for one, other in combinations(attack, 2):
                if not VARIANTS[one].claims & VARIANTS[other].claims:
                    yield f"{one}+{other}"
        else:
            yield asked.strip()


def _spec(name: str) -> VariantSpec:
    parts = [part.strip() for part in name.split("+")]
    for part in parts:
        if part not in VARIANTS:
            raise InputError(
                f"--variants: no variant is called {part!r}; expected one of {', '.join(VARIANTS)}, "
                "or several joined by +; correct the name"
            )
    for one, other in combinations(parts, 2):
        shared = VARIANTS[one].claims & VARIANTS[other].claims
        if shared:
            raise InputError(
                f"--variants: {one!r} and {other!r} cannot be combined: both decide the "
                f"{', '.join(sorted(shared))}; leave one out"
            )
    return VariantSpec("+".join(parts), tuple(sorted(parts, key=_PLACE.__getitem__)))
