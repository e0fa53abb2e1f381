"""Check one row of a ClinicNumRobBench CSV: whether its gold follows from the context, and is unique.

Only what the question needs is looked at: an implausible blood pressure says nothing of a temperature's gold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from clinicnum.lint.lint_results import Examined, Finding, NotChecked, Place
from clinicnum.lint.read_robbench_context import ForeignRecord, NotUnderstoodError, read_context
from clinicnum.lint.read_robbench_question import ForeignQuestion, read_question
from clinicnum.lint.robbench_answer import answer_in_message, gold_number, gold_time, is_neighbour, is_right
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.records.vitals import VITAL_SIGNS, implausible
from clinicnum.templates.distractors import distractors
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, holds, table_of
from clinicnum.templates.exact_numbers import exact_text
from clinicnum.types import SIX_VITALS, Record, Vital

NO_QUESTION = "question not understood"
NO_CONTEXT = "context not understood"
LONGEST_GOLD = 100


@dataclass(frozen=True, slots=True)
class ForeignRow:
    """One row of a ClinicNumRobBench CSV."""

    place: Place
    question: str
    """The whole prompt text: the context, a blank line, the question."""
    answer: str
    source: str


@dataclass(frozen=True, slots=True)
class _Item:
    """A row whose question and context were understood, with the records relevant to its answer."""

    row: ForeignRow
    question: ForeignQuestion
    asked: PreparedTemplate
    needs: tuple[Vital, ...]
    told: tuple[ForeignRecord, ...]
    """The records that document all needed vitals; if the question names times, only those at these times."""

    @property
    def gold(self) -> str:
        """The gold of the row, shortened in messages if it is free text."""
        return self.row.answer.strip()[:LONGEST_GOLD]

    def finding(self, rule: str, message: str, **more: Any) -> Finding:
        """A finding on this row."""
        return Finding(self.row.place, self.asked.template.id, rule, message, gold=self.gold, **more)


def examine(row: ForeignRow, bank: Mapping[str, PreparedTemplate]) -> Examined:
    """The rules that a row breaks, or why it could not be checked. `bank` holds the base templates by id."""
    context, _, question_text = row.question.replace("\r\n", "\n").rstrip().rpartition("\n\n")
    template = f"unknown ({row.source})"
    try:
        question = read_question(question_text)
        if question is None:
            return _not_checked(row, template, NO_QUESTION, f"{question_text[:100]!r} has no known wording")
        template = question.template
        records = read_context(context)
        item = _item(row, question, bank[template], records)
    except NotUnderstoodError as error:
        return _not_checked(row, template, NO_CONTEXT, str(error))
    return Examined(template, True, tuple(_readings(item, records) or _answers(item)))


def _not_checked(row: ForeignRow, template: str, reason: str, detail: str) -> Examined:
    return Examined(template, False, (NotChecked(row.place, template, reason, detail),))


def _item(
    row: ForeignRow, question: ForeignQuestion, asked: PreparedTemplate, records: Sequence[ForeignRecord]
) -> _Item:
    needs = tuple(vital for vital in SIX_VITALS if vital in asked.template.vitals)
    times = set(question.at.values())
    concerned = tuple(record for record in records if not times or record.time in times)
    for record in concerned:
        missing = [vital for vital in needs if vital not in record.values]
        if missing and record.unclaimed:
            raise NotUnderstoodError(
                f"at {record.time} no {VITAL_SIGNS[missing[0]].label} was found, but a number without a name"
            )
    told = tuple(record for record in concerned if all(vital in record.values for vital in needs))
    return _Item(row, question, asked, needs, told)


def _readings(item: _Item, records: Sequence[ForeignRecord]) -> list[Finding]:
    """Reasons why the records do not form one table; then no gold can be compared."""
    return [*_absent(item), *_told_twice(item), *_units(item, records), *_repeated_times(item)]


def _absent(item: _Item) -> Iterator[Finding]:
    told = {record.time for record in item.told}
    names = " and ".join(VITAL_SIGNS[vital].label for vital in item.needs)
    for time in sorted(set(item.question.at.values()) - told):
        yield item.finding("absent", f"the context tells no {names} at {time}", times=(time,))
    if not item.told and not item.question.at:
        yield item.finding("absent", f"the context tells no {names}")


def _told_twice(item: _Item) -> Iterator[Finding]:
    for record in item.told:
        for vital in item.needs:
            if len(record.values[vital]) > 1:
                values = " and ".join(f"{value:f}" for value in record.values[vital])
                message = f"the context tells {VITAL_SIGNS[vital].label} {values} at {record.time}"
                yield item.finding("other_value", message, times=(record.time,))


def _units(item: _Item, records: Sequence[ForeignRecord]) -> Iterator[Finding]:
    if "temperature_c" in item.needs:
        units = frozenset[str]().union(*(record.temperature_units for record in records))
        if "F" in units:
            found = " and ".join("none" if not unit else f"°{unit}" for unit in sorted(units))
            yield item.finding("unit", f"temperatures in {found}; expected °C throughout")


def _repeated_times(item: _Item) -> Iterator[Finding]:
    first: dict[str, ForeignRecord] = {}
    for record in item.told:
        same = first.setdefault(record.time, record)
        if same is record:
            continue
        differ = any(same.values[vital] != record.values[vital] for vital in item.needs)
        if differ or _takes_all(item):
            message = f"two records at {record.time}" + (" with different values" if differ else "")
            yield item.finding("time_not_unique", message, times=(record.time,))
            return


def _takes_all(item: _Item) -> bool:
    """Whether the answer changes if a record occurs twice: counts and means."""
    return not item.question.at and item.asked.template.answer_type != "datetime"


def _answers(item: _Item) -> Iterator[Finding]:
    """Compare the gold with the answer computed from the records."""
    template, question = item.asked.template, item.question
    told = {told.time: told for told in item.told}
    records = [_record(told[time], item.needs) for time in sorted(told)]
    table = table_of(records)
    at = {name: table.times.index(time) for name, time in question.at.items()}
    digits = template.decimals if question.decimals is None else question.decimals
    case = Case(table=table, decimals=digits or 0, at=at, choices=question.choices)
    for record in records:
        if implausible(record) is not None:
            yield item.finding("implausible", f"{implausible(record)} at {record.charttime}")
    if not all(holds(condition, case, None) for condition in template.requires):
        yield item.finding("false_premise", "the heart rate does not exceed the baseline that is asked about")
    try:
        given = answer(template.tree, case)
    except UndefinedError as error:
        yield from _undefined(item, str(error))
        return
    gold, exact = item.gold, given.exact
    if exact is None:
        right = gold_time(gold) == given.text
    else:
        number = gold_number(gold)
        right = number is not None and is_right(number, given, question.decimals)
        if number is not None and is_neighbour(number, exact, question.decimals):
            message = f"the exact value {exact_text(exact)} is a tie at the digit asked; gold says {gold}"
            yield item.finding("rounding_tie", message, records_give=given.text)
            return
    if not right:
        said = answer_in_message(given, question.decimals)
        message = f"gold says {gold or 'nothing'}; the records give {said}{_cause(item, case, given)}"
        yield item.finding("wrong_gold", message, records_give=given.text)


def _record(told: ForeignRecord, needs: Sequence[Vital]) -> Record:
    """A record reduced to what the question needs."""
    values = {vital: told.values[vital][0] for vital in needs}
    time = datetime.fromisoformat(told.time)
    return Record.model_construct(subject_id="", stay_id="", charttime=time, source="", **values)  # type: ignore[arg-type]


def _undefined(item: _Item, rule: str) -> Iterator[Finding]:
    """Yield findings if the records give no answer: a tie, no crossing, too few records."""
    gold = item.gold
    if rule == "V2.tie":
        value, times = _tied(item)
        yield item.finding("tie", f"{value} at {len(times)} times: {', '.join(times)}", times=times)
        if gold_time(gold) not in times:
            yield item.finding("wrong_gold", f"gold says {gold}; the records give one of {', '.join(times)}")
    elif rule == "V2.no_crossing":
        yield item.finding("wrong_gold", f"gold says {gold}; the records give no such time")
    else:
        yield item.finding("absent", f"the context lacks what the question needs ({rule})")


def _tied(item: _Item) -> tuple[str, tuple[str, ...]]:
    """The value that several times share, with its unit, and those times."""
    (vital,) = item.needs
    values = {told.time: told.values[vital][0] for told in item.told}
    best = max(values.values()) if ".highest." in item.asked.template.id else min(values.values())
    times = tuple(time for time, value in values.items() if value == best)
    return f"{best:f} {VITAL_SIGNS[vital].unit}", times


def _cause(item: _Item, case: Case, given: Answer) -> str:
    """The known mistakes that lead to exactly this gold, if any."""
    gold = item.gold
    time, number = gold_time(gold), gold_number(gold)
    rules = [
        mistake.rule
        for mistake in distractors(item.asked.template.tree, item.asked.wrong, case, given).items
        if mistake.value == time or (number is not None and gold_number(mistake.value) == number)
    ]
    return f"; the gold is what these mistakes give: {', '.join(rules)}" if rules else ""
