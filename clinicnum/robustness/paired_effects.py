"""Paired differences: prompts and conditions against the base, between patients, representations and models.

Every comparison is on the same items, by subject (`clinicnum.stats.paired_tests`), and corrected for the
number of comparisons in its table.
"""

from collections.abc import Sequence
from itertools import combinations

from clinicnum.robustness.run_answers_and_pairs import ALL, Answer, Pair, Run
from clinicnum.stats.paired_tests import Comparison, compare, corrected
from clinicnum.types import OPERATIONS

BASE = "base"
PROMPT = "prompt."
CONTEXT = "context."
PATIENTS = (("patient.sex.female", "patient.sex.male"), ("patient.age.80", "patient.age.25"))
"""Who the patient is said to be: pairs of kinds that are compared with each other."""


def effects_on_bases(pairs: Sequence[Pair], family: str) -> tuple[Comparison, ...]:
    """Accuracy on each kind of variant in a family (PROMPT, CONTEXT) less that on the variants' own bases.

    Representations are pooled; combined kinds are left out.
    """
    kinds = sorted({pair.kind for pair in pairs if pair.kind.startswith(family) and "+" not in pair.kind})
    return corrected(
        [
            compare(
                kind,
                BASE,
                [(p.base.subject, p.variant.right, p.base.right) for p in pairs if p.kind == kind],
            )
            for kind in kinds
        ]
    )


def patient_effects(pairs: Sequence[Pair]) -> tuple[Comparison, ...]:
    """Accuracy where the patient is said to be of one sex or age less that where of another, on the same
    questions with the same vital signs, by operation and overall.

    An imported item has only a variant of the other sex; the item itself stands for its own sex.
    """
    found = []
    for one, other in PATIENTS:
        beside: dict[str, dict[str, Answer]] = {}
        for pair in pairs:
            if pair.kind in (one, other):
                beside.setdefault(pair.base.instance.instance_id, {})[pair.kind] = pair.variant
                if pair.base.instance.operation == "external" and one.startswith("patient.sex."):
                    own = other if pair.kind == one else one
                    beside[pair.base.instance.instance_id].setdefault(own, pair.base)
        both = [(each[one], each[other]) for each in beside.values() if one in each and other in each]
        found += _by_operation(one, other, both) if both else []
    return corrected(found)


def representation_effects(run: Run) -> tuple[Comparison, ...]:
    """Differences in accuracy between representations of the same question, by operation and overall."""
    asked: dict[str, dict[str, Answer]] = {}
    for answer in run.bases:
        asked.setdefault(answer.instance.group_id, {})[answer.instance.representation] = answer
    names = sorted({answer.instance.representation for answer in run.bases})
    found = []
    for one, other in combinations(names, 2):
        both = [(group[one], group[other]) for group in asked.values() if one in group and other in group]
        found += _by_operation(one, other, both)
    return corrected(found)


def model_effects(runs: Sequence[Run]) -> tuple[Comparison, ...]:
    """Differences in accuracy between models on instances that both answered, by operation and overall."""
    found = []
    for one, other in combinations(runs, 2):
        both = [
            (answer, other.answers[answer.instance.instance_id])
            for answer in one.bases
            if answer.instance.instance_id in other.answers
        ]
        found += _by_operation(one.name, other.name, both)
    return corrected(found)


def _by_operation(first: str, second: str, both: Sequence[tuple[Answer, Answer]]) -> list[Comparison]:
    found = []
    for operation in (*OPERATIONS, "external"):
        here = [(a, b) for a, b in both if a.instance.operation == operation]
        if here and len(here) < len(both):
            found.append(compare(first, second, _items(here), on=operation))
    return [*found, compare(first, second, _items(both), on=ALL)]


def _items(both: Sequence[tuple[Answer, Answer]]) -> list[tuple[str, bool, bool]]:
    return [(a.subject, a.right, b.right) for a, b in both]
