"""Check one instance in clinicnum's own format: rules V1 to V8 from the instance alone and the bank.

A fault in the records or the context ends the examination: what the gold should be is then not known. So does
an instance that does not fit its template.
"""

from collections.abc import Iterator

from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_conformance import case_of, form_findings, withheld, wording_findings
from clinicnum.lint.instance_gold import gold_findings, open_findings
from clinicnum.lint.instance_variant import variant_findings
from clinicnum.lint.lint_results import Examined, Finding, Said
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.records.vitals import implausible
from clinicnum.templates.evaluate_tree import table_of
from clinicnum.types import Record
from clinicnum.validity.instance_rules import check_instance_text, check_records

NO_TEMPLATE = "not recomputed: template not in bank"
OTHER_REPRESENTATION = "context not read: made elsewhere"
UNREADABLE = "V1.unreadable"


def examine(item: OwnItem, bank: OwnBank, *, framed: bool | None) -> Examined:
    """The rules that an instance breaks, or why its gold could not be recomputed.

    `framed`: whether notes are users' notes with our entries in them; None where that is not known.
    """
    template = item.instance.template_id
    faults = [*variant_findings(item), *_records(item), *_context(item, framed=framed)]
    if any(isinstance(said, Finding) for said in faults):
        return Examined(template, True, tuple(faults))
    if not bank.has(item.instance):
        version = f"{template} version {item.instance.template_version}"
        return Examined(template, False, (*faults, item.not_checked(NO_TEMPLATE, version)))
    asked = bank.asked(item.instance)
    if asked is None:
        fault = item.finding("question.wording", "the question names no further step that is known")
        return Examined(template, True, (*faults, fault))
    table = table_of(item.instance.records)
    form = form_findings(item, asked, table)
    if form:
        return Examined(template, True, (*faults, *form))
    if withheld(item.instance, asked):
        gold = open_findings(item)
    else:
        gold = gold_findings(item, asked, case_of(item.instance, asked, table))
    return Examined(
        template, True, (*faults, *wording_findings(item, asked, bank.contradictions(item.instance)), *gold)
    )


def _records(item: OwnItem) -> Iterator[Said]:
    records = item.instance.records
    if not records and item.instance.representation != "external":
        yield item.finding("V1.no_records", "the instance has no record")
    broken = next(filter(None, map(_beyond_use, records)), None)
    if broken is not None:
        yield item.finding(*broken)
        return
    rule = check_records(records)
    if rule is not None:
        yield item.finding(rule, "of the instance's records")
    times = [record.charttime for record in records]
    if times != sorted(times):
        yield item.finding("V2.not_in_time_order", "the records do not stand in time order")


def _beyond_use(record: Record) -> tuple[str, str] | None:
    """Rule and message for a record that cannot even be compared with others; None if it can."""
    if record.charttime.tzinfo is not None:
        return "V2.time_zone", f"a local time has no zone: {record.charttime}"
    reason = implausible(record)
    return None if reason is None else (f"V6.{reason}", f"at {record.charttime}")


def _context(item: OwnItem, *, framed: bool | None) -> Iterator[Said]:
    instance = item.instance
    if instance.representation == "external":
        yield item.not_checked(OTHER_REPRESENTATION)
        return
    told = (instance.records, instance.givens, instance.representation, instance.context, instance.question)
    note = instance.representation == "note"
    faults = check_instance_text(*told, frame=note and framed is True)
    if note and framed is None and any(fault.rule.startswith(UNREADABLE) for fault in faults):
        # In a user's note numbers that belong to nothing vital are the note's own.
        faults = check_instance_text(*told, frame=True)
    for fault in faults:
        yield item.finding(fault.rule, fault.reason)
