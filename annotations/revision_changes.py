"""What changed between one revision of a judgement and the next."""

from typing import Any, NamedTuple

from clinicnum.annotations.judgement import Judgement, fields_in_page_order

PRIMARY, FURTHER, EVIDENCE = "primary", "further", "evidence"
"""Parts of `labels` that are compared separately."""
CUSTOM = "custom."
"""Prefix of a custom field's name."""


class FieldChange(NamedTuple):
    """A field whose value is another one in the later revision."""

    field: str
    """A field of `Judgement`, a part of its labels, or `custom.NAME`."""
    before: Any
    after: Any
    """Like `before`, a value; None if not given. For labels: codes; for evidence: all marks."""


def revision_changes(before: Judgement, after: Judgement) -> tuple[FieldChange, ...]:
    """Every field that differs, in the order of pages; custom fields come last, by name."""
    earlier, later = _parts(before), _parts(after)
    names = [*later, *sorted(earlier.keys() - later.keys())]
    changes = (FieldChange(name, earlier.get(name), later.get(name)) for name in names)
    return tuple(one for one in changes if one.before != one.after)


def _parts(judgement: Judgement) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, _ in fields_in_page_order():
        value = getattr(judgement, name)
        if name != "labels":
            found[name] = None if value == "" else value
            continue
        primary = next((one for one in judgement.labels if one.primary), None)
        found[PRIMARY] = None if primary is None else primary.code
        found[FURTHER] = tuple(sorted(one.code for one in judgement.labels if not one.primary)) or None
        marked = ((one.code, one.spans, one.context_spans, one.cells) for one in judgement.labels)
        found[EVIDENCE] = tuple(sorted(one for one in marked if any(one[1:]))) or None
    custom = sorted(judgement.custom.items())
    return found | {f"{CUSTOM}{name}": value for name, value in custom}
