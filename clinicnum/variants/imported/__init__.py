"""Variants of imported items; each must pass a comparison with its base (`reading_back`) to be written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.types import Instance
from clinicnum.variants.imported.kinds import IMPORTED_ATTACK, IMPORTED_KINDS, Drawn, unknown_of
from clinicnum.variants.imported.option_orders import GoldPlaces
from clinicnum.variants.imported.option_references import why_fixed
from clinicnum.variants.imported.patient_age import why_age_counts
from clinicnum.variants.imported.patient_sex import why_sex_counts
from clinicnum.variants.imported.reading_back import ReadBack, difference, numbers_of, read_back
from clinicnum.variants.imported.reviewed_variants import REVIEWED, reviewed_difference
from clinicnum.variants.kinds import VariantSpec
from clinicnum.variants.variant_draft import NotApplicableError

__all__ = [
    "IMPORTED_ATTACK",
    "IMPORTED_KINDS",
    "REVIEWED",
    "ImportedVariants",
    "ReadBack",
    "difference",
    "numbers_of",
    "read_back",
    "reviewed_difference",
    "why_age_counts",
    "why_fixed",
    "why_sex_counts",
]


class ImportedVariants:
    """Makes the variants of a benchmark's items in order, and counts those made and those not."""

    def __init__(self, specs: Sequence[VariantSpec], seed: int) -> None:
        """Raises InputError for a kind that needs records or a template."""
        unknown = unknown_of(part for spec in specs for part in spec.parts)
        if unknown:
            raise InputError(
                "--variants: {kind!r} needs records and a rule to compute the answer from, which items made "
                "elsewhere lack; expected some of {known}",
                kind=unknown[0],
                known=", ".join(IMPORTED_KINDS),
            )
        self._specs = specs
        self._seed = seed
        self._places = GoldPlaces(seed)
        self._made: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()
        self._not_applicable: Counter[str] = Counter()

    def with_variants(self, items: Iterable[Instance]) -> Iterator[Instance]:
        """Yield each item and then its variants."""
        for item in items:
            yield item
            yield from self._of(item)

    def meta(self) -> dict[str, Any]:
        """What the benchmark's meta says of its variants, as in generated benchmarks."""
        return {
            "asked": [spec.name for spec in self._specs],
            "made": dict(sorted(self._made.items())),
            "rejected": dict(sorted(self._rejected.items())),
            "not_applicable": dict(sorted(self._not_applicable.items())),
        }

    def _of(self, base: Instance) -> Iterator[Instance]:
        # A place is dealt out only to an item whose options are shuffled: others would unbalance the deal.
        movable = bool(base.options) and why_fixed(base.options, base.question, base.context) is None
        drawn = Drawn(self._seed, self._places.next(len(base.options)) if movable else 0)
        says = read_back(base)
        for spec in self._specs:
            try:
                made = _changed(base, spec, drawn)
            except NotApplicableError as error:
                self._not_applicable[f"{spec.name} {error}"] += 1
                continue
            rule = difference(says, read_back(made), spec.parts)
            if rule is not None:
                self._rejected[f"{spec.name} {rule}"] += 1
                continue
            self._made[spec.name] += 1
            yield made


def _changed(base: Instance, spec: VariantSpec, drawn: Drawn) -> Instance:
    item = base
    for part in spec.parts:
        item = IMPORTED_KINDS[part](item, drawn)
    seen = [item.context, item.question, list(item.options), item.prompt_id, item.answer]
    return item.model_copy(
        update={
            "instance_id": content_id([base.instance_id, spec.name, *seen]),
            "variant": spec.name,
            "base_id": base.instance_id,
            "expected": "same",
        }
    )
