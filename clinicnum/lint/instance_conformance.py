"""Check an instance against its template: fields, decimals, slots, givens and wording."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.lint_results import Finding
from clinicnum.lint.template_lookup import kinds
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.evaluate_tree import Case, Table
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.template import ChoiceGiven, ChoiceSlot, GivenSpec, NumberGiven, Template
from clinicnum.types import Instance

SAME = ("operation", "subtype", "steps", "tags", "unit")
"""Fields that an instance takes over from its template."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def form_findings(item: OwnItem, asked: PreparedTemplate, table: Table) -> list[Finding]:
    """Findings on fields, slots and givens in which an instance differs from its template; `table` holds its
    records.
    """
    return [
        *_fields(item, asked.template),
        *_slots(item, asked.template, table),
        *_givens(item, asked.template),
    ]


def withheld(instance: Instance, asked: PreparedTemplate) -> bool:
    """Whether the instance lacks a given that its template's tree needs; it then has no answer."""
    return not {spec.label for spec in asked.template.givens.values()} <= {g.name for g in instance.givens}


def case_of(instance: Instance, asked: PreparedTemplate, table: Table) -> Case:
    """The evaluator's `Case` for an instance without form findings."""
    template = asked.template
    at = {name: table.times.index(instance.slots[name]) for name in template.record_slots}
    choices = {name: word for name, word in instance.slots.items() if name not in at}
    told = {given.name: given.value for given in instance.givens}
    givens = {key: told[spec.label] for key, spec in template.givens.items()}
    return Case(table, template.decimals or 0, at, choices, givens)


def wording_findings(
    item: OwnItem, asked: PreparedTemplate, contradicted: Sequence[Fault]
) -> Iterator[Finding]:
    """Yield findings on wording: a base question must be one of the template's, a variant's must name its
    times and form.

    `contradicted`: wordings of the template that ask something else than its rule computes.
    """
    instance, template = item.instance, asked.template
    if instance.variant is None:
        worded = [template.question(n, instance.slots) for n in range(len(template.wording))]
        if instance.question not in worded:
            yield item.finding("question.wording", "the question is none of the template's with these slots")
        for fault in contradicted:
            if instance.question == worded[int(fault.path[-1])]:
                yield item.finding("question.contradicts_rule", fault.message)
        return
    for name in template.record_slots:
        if instance.slots[name] not in instance.question:
            yield item.finding("question.wording", f"the question does not name the time of slot {name}")


def _fields(item: OwnItem, template: Template) -> Iterator[Finding]:
    instance = item.instance
    for name in SAME:
        if getattr(instance, name) != getattr(template, name):
            message = f"{name} is {getattr(instance, name)!r}, the template's {getattr(template, name)!r}"
            yield item.finding(f"template.{name}", message)
    answer_type = _answer_type(instance, template)
    if instance.answer_type != answer_type:
        message = f"answer_type is {instance.answer_type}, expected {answer_type}"
        yield item.finding("template.answer_type", message)
    if instance.decimals != template.decimals or template.answer_form not in instance.question:
        message = f"decimals is {instance.decimals}; the question asks otherwise: {instance.question[-60:]!r}"
        yield item.finding("V3.decimals", message)


def _answer_type(instance: Instance, template: Template) -> str:
    if instance.expected == "abstains":
        return "unanswerable"
    return "choice" if any(kind.startswith("options.") for kind in kinds(instance)) else template.answer_type


def _slots(item: OwnItem, template: Template, table: Table) -> Iterator[Finding]:
    slots = item.instance.slots
    if set(slots) != set(template.slots):
        message = (
            f"slots are {', '.join(slots) or 'none'}; the template has {', '.join(template.slots) or 'none'}"
        )
        yield item.finding("template.slots", message)
        return
    for name, slot in template.slots.items():
        if isinstance(slot, ChoiceSlot):
            if slots[name] not in slot.options:
                message = f"slot {name} is {slots[name]!r}, none of {', '.join(slot.options)}"
                yield item.finding("template.slots", message)
        elif slots[name] not in table.times:
            yield item.finding("V1.absent", f"no record has the time of slot {name}, {slots[name]}")


def _givens(item: OwnItem, template: Template) -> Iterator[Finding]:
    told = {given.name: given for given in item.instance.givens}
    for spec in template.givens.values():
        given = told.get(spec.label)
        if given is None:
            if item.instance.expected != "abstains":
                yield item.finding("V1.given_absent", f"{spec.label} is needed and not given")
        elif given.unit != spec.unit:
            yield item.finding("V5.given", f"{spec.label} is in {given.unit}, the template's in {spec.unit}")
        elif not _fits(spec, given.value, item.instance):
            yield item.finding(
                "V6.given", f"{spec.label} is {given.value}, which the template does not allow"
            )


def _fits(spec: GivenSpec, value: str, instance: Instance) -> bool:
    if isinstance(spec, ChoiceGiven):
        return value in spec.options
    if isinstance(spec, NumberGiven):
        return _NUMBER.fullmatch(value) is not None and spec.allows(Decimal(value))
    return value == spec.value(instance.records)
