"""Paired differences: prompts and personas against the default, between representations, and between models.

Every comparison is on the same items, by subject (`clinicnum.stats.paired_tests`), and corrected for the
number of comparisons in its table.
"""

from collections.abc import Sequence
from itertools import combinations

from clinicnum.robustness.joined_run import ALL, Answer, Pair, Run
from clinicnum.stats.paired_tests import Comparison, compare, corrected
from clinicnum.types import OPERATIONS

BASE = "base"
PROMPT = "prompt."


def prompt_effects(pairs: Sequence[Pair]) -> tuple[Comparison, ...]:
    """Accuracy under each prompt or persona minus that under the default prompt, over all representations."""
    kinds = sorted({pair.kind for pair in pairs if _only_prompt(pair.kind)})
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


def _only_prompt(kind: str) -> bool:
    return kind.startswith(PROMPT) and "+" not in kind
