"""Check the declarations of a variant: its kinds exist, it names its base, its options contain the
gold once.
"""

from collections.abc import Iterator
from functools import lru_cache

from clinicnum.errors import InputError
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.lint_results import Finding
from clinicnum.lint.template_lookup import kinds
from clinicnum.scoring.multiple_choice import right_option
from clinicnum.variants import parse_variants
from clinicnum.variants.imported import REVIEWED, why_age_counts, why_fixed, why_sex_counts

_WHO = {"patient.age.": why_age_counts, "patient.sex.": why_sex_counts}


def variant_findings(item: OwnItem) -> Iterator[Finding]:
    """Yield faults of an instance's `variant`, `base_id`, `expected` and `options`."""
    instance = item.instance
    if instance.variant is None:
        if instance.base_id is not None or instance.expected is not None:
            yield item.finding("variant.unnamed", "it has a base or an expected answer, but names no variant")
        return
    reviewed = REVIEWED.get(instance.variant) if instance.operation == "external" else None
    expected = reviewed or _expected(instance.variant)
    if expected is None:
        yield item.finding("variant.unknown", f"{instance.variant!r} is no variant")
    elif instance.expected != expected:
        message = f"expected is {instance.expected}, of {instance.variant} it is {expected}"
        yield item.finding("variant.expected", message)
    if instance.base_id is None:
        yield item.finding("variant.no_base", "it names no base")
    if shuffled(item):
        yield from _options(item)
    if instance.operation == "external":
        yield from _patient(item)


def _patient(item: OwnItem) -> Iterator[Finding]:
    """Yield a finding if a variant of an imported item gives the patient another age or sex although the
    answer may rest on it.
    """
    for family, why_counts in _WHO.items():
        told = any(kind.startswith(family) for kind in kinds(item.instance))
        why = why_counts(item.instance) if told else None
        if why is not None:
            yield item.finding("variant.patient", f"its answer may rest on who the patient is: {why}")


@lru_cache(maxsize=1024)
def _expected(variant: str) -> str | None:
    """How the right answer of a variant should relate to the base's; None for an unknown variant."""
    try:
        specs = parse_variants(variant)
    except InputError:
        return None
    return specs[0].expected if len(specs) == 1 else None


def shuffled(item: OwnItem) -> bool:
    """Whether the instance is one of several orders of its options."""
    return any(kind.startswith("options.") for kind in kinds(item.instance))


def _options(item: OwnItem) -> Iterator[Finding]:
    instance, options = item.instance, item.instance.options
    if len(set(options)) != len(options):
        yield item.finding("options.repeated", f"an option stands twice: {', '.join(options)}")
    elif right_option(instance) is None:
        yield item.finding(
            "options.gold", f"the gold {instance.answer} is none of the options {', '.join(options)}"
        )
    elif instance.operation == "external":
        why = why_fixed(options, instance.question, instance.context)
        if why is not None:
            yield item.finding("options.order", f"in another order the options say something else: {why}")
