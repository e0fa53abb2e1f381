"""Examine one of our own instances: rules V1 to V8 from the instance alone and the bank.

A fault in the records or the context ends the examination: what the gold should be is then not known. So does
an instance that is no filling of its template.
"""

from collections.abc import Iterator

from clinicnum.lint.finding import Examined, Finding, Said
from clinicnum.lint.own_bank import OwnBank
from clinicnum.lint.own_form import case_of, form_findings, withheld, wording_findings
from clinicnum.lint.own_gold import gold_findings, open_findings
from clinicnum.lint.own_item import OwnItem
from clinicnum.lint.own_variant import variant_findings
from clinicnum.templates.evaluate import table_of
from clinicnum.validity.rules import check_instance_text, check_records

NO_TEMPLATE = "not recomputed: template not in bank"
OTHER_REPRESENTATION = "context not read: made elsewhere"
UNREADABLE = "V1.unreadable"


def examine(item: OwnItem, bank: OwnBank, *, framed: bool) -> Examined:
    """What an instance breaks, or why its gold could not be recomputed.

    `framed`: a note may be a user's, with our entries in it.
    """
    template = item.instance.template_id
    faults = [*variant_findings(item), *_records(item), *_context(item, framed=framed)]
    if any(isinstance(said, Finding) for said in faults):
        return Examined(template, True, tuple(faults))
    asked = bank.asked(item.instance)
    if asked is None:
        version = f"{template} version {item.instance.template_version}"
        return Examined(template, False, (*faults, item.not_checked(NO_TEMPLATE, version)))
    table = table_of(item.instance.records)
    form = form_findings(item, asked, table)
    if form:
        return Examined(template, True, (*faults, *form))
    if withheld(item.instance, asked):
        gold = open_findings(item)
    else:
        gold = gold_findings(item, asked, case_of(item.instance, asked, table))
    return Examined(template, True, (*faults, *wording_findings(item, asked), *gold))


def _records(item: OwnItem) -> Iterator[Said]:
    records = item.instance.records
    if not records:
        yield item.finding("V1.no_records", "the instance has no record")
        return
    broken = check_records(records)
    if broken is not None:
        yield item.finding(broken, "of the instance's records")
    times = [record.charttime for record in records]
    if times != sorted(times):
        yield item.finding("V2.not_in_time_order", "the records do not stand in time order")


def _context(item: OwnItem, *, framed: bool) -> Iterator[Said]:
    instance = item.instance
    if instance.representation == "external":
        yield item.not_checked(OTHER_REPRESENTATION)
        return
    told = (instance.records, instance.givens, instance.representation, instance.context, instance.question)
    faults = check_instance_text(*told)
    in_note = framed and instance.representation == "note"
    if in_note and any(fault.rule.startswith(UNREADABLE) for fault in faults):
        # In a user's note numbers that belong to nothing vital are the note's own.
        faults = check_instance_text(*told, frame=True)
    for fault in faults:
        yield item.finding(fault.rule, fault.reason)
