"""The dimensions of benchmark items: task, category, language and so on, as their source names them.

`Instance.dimensions` maps names to values. Both are the source's, so that its published tables can be made
again. They are shown with results, never while people annotate: a value may reveal the gold, as MEDEC's kind
of error does.
"""

from collections.abc import Mapping, Sequence

from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

COMMON = (
    *("task", "category", "condition", "turn", "language", "difficulty", "specialty"),
    *("calculator", "output_type", "note_type", "error_type", "source"),
)
"""Names that many benchmarks share. Each is a facet of its own where answers are explored; a dimension of any
other name is a value of the facet `dimension`."""
FIELDS = COMMON[:7]
"""Dimensions that importers look for in every file, as column or key."""
MOST = 30
LONGEST_NAME, LONGEST_VALUE = 60, 200


def problem(dimensions: Mapping[str, str]) -> Translatable | None:
    """What is wrong with an item's dimensions; None if nothing is."""
    if len(dimensions) > MOST:
        return Translatable(
            "{n} dimensions; expected at most {most}; keep those that tables are wanted by",
            n=len(dimensions),
            most=MOST,
        )
    for name, value in dimensions.items():
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            return Translatable(
                "a dimension is called {name!r}; expected a plain name of at most {most} characters; "
                "rename it",
                name=name[:80],
                most=LONGEST_NAME,
            )
        if not value.strip() or not value.isprintable() or len(value) > LONGEST_VALUE:
            return Translatable(
                "dimension {name} is {value!r}; expected a plain value of at most {most} characters; correct "
                "the row or leave this dimension out",
                name=name,
                value=value[:80],
                most=LONGEST_VALUE,
            )
    return None


def kind_name(instance: Instance) -> str:
    """The calculator that an item asks for, as its source names it, or else its template."""
    return instance.dimensions.get("calculator") or instance.template_id


def values_by_dimension(instances: Sequence[Instance]) -> dict[str, list[str]]:
    """The dimensions by which these items differ, in their source's order, each with its values in order.

    A dimension in which all items have one value tells nothing and is left out; items without it have the
    value "".
    """
    names = dict.fromkeys(name for one in instances for name in one.dimensions)
    found = {name: {one.dimensions.get(name, "") for one in instances} for name in names}
    return {name: sorted(values, key=_place) for name, values in found.items() if len(values) > 1}


def _place(value: str) -> tuple[bool, float, str]:
    """Sort key: numbers by size, then texts, then the empty value."""
    try:
        return not value, float(value), value
    except ValueError:
        return not value, float("inf"), value
