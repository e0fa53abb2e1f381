"""Compute a template's published example by its tree."""

from decimal import Decimal, InvalidOperation

from clinicnum.templates.evaluate_tree import Case, UndefinedError, answer, holds, table_of
from clinicnum.templates.slots_and_givens import Example, RecordGiven
from clinicnum.templates.template import Template


def check_example(template: Template) -> str | None:
    """What is wrong with a template's published example, in words that continue `its example ...`; None if
    nothing is.
    """
    example = template.example
    if example is None:
        return None
    times = [record.charttime for record in example.records]
    if any(time.tzinfo is not None for time in times):
        return "has a time with a zone; a local time has none"
    if times != sorted(set(times)):
        return "has records out of time order, or two at one time"
    case = _case(template, example)
    if isinstance(case, str):
        return case
    try:
        if not all(holds(condition, case, None) for condition in template.requires):
            return "does not fulfil what the template requires"
        found = answer(template.tree, case).text
    except UndefinedError as error:
        return f"has no answer by rule {error}"
    if found != example.answer:
        return f"gives {found} by the tree, but {example.answer} by {example.source}"
    return None


def _case(template: Template, example: Example) -> Case | str:
    table = table_of(example.records)
    at, choices, givens = {}, {}, dict(example.givens)
    for name, slot in template.slots.items():
        value = example.slots[name]
        if slot.kind == "choice":
            if value not in slot.options:
                return f"fills {name} with {value}, which is none of {', '.join(slot.options)}"
            choices[name] = value
        elif value not in table.times:
            return f"has no record at {name} = {value}"
        else:
            at[name] = table.times.index(value)
    if list(at.values()) != sorted(set(at.values())):
        return "fills its record slots out of time order"
    wrong = _read_givens(template, example, givens)
    if wrong is not None:
        return wrong
    return Case(table, template.decimals or 0, at, choices, givens)


def _read_givens(template: Template, example: Example, givens: dict[str, str]) -> str | None:
    """Add givens that are read from the records to `givens`; returns what is wrong with any of them."""
    for name, given in template.givens.items():
        if isinstance(given, RecordGiven):
            read = given.value(example.records)
            if read is None:
                return f"leaves {name} open: its records do not agree on {given.field}"
            givens[name] = read
        elif given.kind == "number" and not _is_number(givens[name]):
            return f"gives {name} as {givens[name]}, which is no number"
        elif given.kind == "choice" and givens[name] not in given.options:
            return f"gives {name} as {givens[name]}, which is none of {', '.join(given.options)}"
    return None


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
