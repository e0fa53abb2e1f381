"""V7: why an instance, though valid, does not discriminate. A flag, not a rejection."""

from clinicnum.templates.evaluate import Answer
from clinicnum.templates.tree import CountNode, RootNode, TimeOfNode


def flags(root: RootNode, gold: Answer, records: int, *, undiscriminated: bool) -> tuple[str, ...]:
    """`crossing_at_first_record`, `count_zero`, `count_all_records`, `distractor_equals_gold`.

    `undiscriminated`: a mistake of reading (record, vital, formula) gives the gold too.
    """
    found = []
    if isinstance(root, TimeOfNode) and gold.record == 0:
        found.append("crossing_at_first_record")
    if isinstance(root, CountNode) and gold.exact == 0:
        found.append("count_zero")
    if isinstance(root, CountNode) and gold.exact == records:
        found.append("count_all_records")
    if undiscriminated:
        found.append("distractor_equals_gold")
    return tuple(found)
