"""V7: reasons why a valid instance does not discriminate. They flag the instance, they do not reject it."""

from clinicnum.templates.distractors import Distractors
from clinicnum.templates.evaluate_tree import Answer
from clinicnum.templates.tree import (
    CountNode,
    OneIfNode,
    OverNode,
    OverPairsNode,
    RootNode,
    RoundNode,
    TimeOfNode,
)


def flags(root: RootNode, gold: Answer, records: int, mistakes: Distractors) -> tuple[str, ...]:
    """All V7 flags of one instance, by name; `records` is the number of its records."""
    return (*flags_of_gold(root, gold, records), *flags_of_mistakes(mistakes))


def flags_of_mistakes(mistakes: Distractors) -> tuple[str, ...]:
    """The flag `distractor_equals_gold`, if a mistake of reading (record, vital, formula) gives the gold
    too.
    """
    return ("distractor_equals_gold",) if mistakes.undiscriminated else ()


def flags_of_gold(root: RootNode, gold: Answer, records: int) -> tuple[str, ...]:
    """Those of the flags `crossing_at_first_record`, `count_zero` and `count_all_records` that the gold
    earns.
    """
    found = []
    if isinstance(root, TimeOfNode) and gold.record == 0:
        found.append("crossing_at_first_record")
    counted = _counted(root, records)
    if counted is not None and gold.exact == 0:
        found.append("count_zero")
    if counted is not None and gold.exact == counted:
        found.append("count_all_records")
    return tuple(found)


def _counted(root: RootNode, records: int) -> int | None:
    """The highest count that a counting question can have; None for other questions."""
    if isinstance(root, CountNode):
        return records
    of = root.of if isinstance(root, RoundNode) else None
    if isinstance(of, OverNode | OverPairsNode) and of.how == "sum" and isinstance(of.of, OneIfNode):
        return records - 1 if isinstance(of, OverPairsNode) else of.n or records
    return None
