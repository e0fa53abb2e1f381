"""Clean benchmarks of ours, and the defects that tests of lint plant in them, one an instance."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from clinicnum.generation.benchmark import generate
from clinicnum.io.jsonl import write_jsonl
from clinicnum.lint.lint_file import lint
from clinicnum.lint.lint_results import Finding, Said, Tally
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.representations import render_context
from clinicnum.templates.bank import BASE_BANK, load_bank
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Distractor, Instance, Record


@cache
def bench(bank: Path = BASE_BANK, quota: int = 80) -> tuple[Instance, ...]:
    made = generate(
        contexts=contexts(synthetic(seed=5, stays=400).records, "stay"),
        templates=load_bank(bank),
        representations=REPRESENTATIONS,
        quotas=dict.fromkeys(OPERATIONS, quota),
        seed=0,
    )
    return tuple(made.instances)


def examined(
    tmp_path: Path, instances: Iterable[Instance], banks: Iterable[Path] = (BASE_BANK,)
) -> tuple[list[Said], Tally]:
    path = tmp_path / "bench.jsonl"
    write_jsonl(path, instances)
    examination = lint(path, [template for bank in banks for template in load_bank(bank)])
    return list(examination.said), examination.tally


def rules_by_id(said: list[Said]) -> dict[str, tuple[str, ...]]:
    rules: dict[str, tuple[str, ...]] = {}
    for item in said:
        assert isinstance(item, Finding)
        rules[item.instance_id] = (*rules.get(item.instance_id, ()), item.rule)
    return {name: tuple(dict.fromkeys(found)) for name, found in rules.items()}


@dataclass(frozen=True)
class Plant:
    """A defect: in which instance it is planted, how, and the rules that must name it."""

    fits: Callable[[Instance], bool]
    change: Callable[[Instance], Instance]
    rules: tuple[str, ...]


def changed(instance: Instance, **fields: Any) -> Instance:
    return instance.model_copy(update=fields)


def shown(instance: Instance, records: Iterable[Record]) -> Instance:
    """The instance on other records, its context written anew."""
    records = tuple(records)
    text = render_context(records, instance.givens, instance.representation, "planted")
    return changed(instance, records=records, context=text)


def with_values(instance: Instance, **values: Any) -> Instance:
    """The same values in all records."""
    return shown(instance, (record.model_copy(update=values) for record in instance.records))


def of(template: str, representation: str = "structured") -> Callable[[Instance], bool]:
    return lambda i: i.template_id == template and i.representation == representation


def any_in(representation: str) -> Callable[[Instance], bool]:
    return lambda i: i.representation == representation


def one_more(instance: Instance) -> Instance:
    """The first heart rate in the context is another than in the records."""
    value = instance.records[0].heart_rate_bpm
    text = re.sub(rf"\b{value}\b", f"{value + 1}", instance.context, count=1)
    return changed(instance, context=text)


def at_one_time(instance: Instance) -> Instance:
    first, second, *rest = instance.records
    return shown(instance, (first, second.model_copy(update={"charttime": first.charttime}), *rest))


def tied(instance: Instance) -> Instance:
    return with_values(instance, heart_rate_bpm=Decimal(91))


def off_by_one_unit(instance: Instance) -> Instance:
    unit = Decimal(1).scaleb(-instance.decimals)
    return changed(instance, answer=f"{Decimal(instance.answer) + unit:f}")


def later_by_a_minute(instance: Instance) -> Instance:
    record, *rest = instance.records
    later = record.model_copy(update={"charttime": record.charttime + timedelta(minutes=1)})
    return changed(instance, records=(later, *rest))


def flagged(instance: Instance) -> bool:
    return bool(instance.flags) and instance.representation == "structured"


def unflagged(instance: Instance) -> bool:
    return not instance.flags and instance.representation == "structured"


EARLIER = "Earlier visit (not this one), 1999-01-01 10:00:00: heart rate 88 bpm."

PLANTS: dict[str, Plant] = {
    "a value of the context that the records do not have": Plant(
        of("comparison.highest.heart_rate", "templated"), one_more, ("V1.differs.templated",)
    ),
    "a record at another time than the context says": Plant(
        any_in("structured"), later_by_a_minute, ("V1.differs.structured",)
    ),
    "a line that is no row": Plant(
        any_in("structured"),
        lambda i: changed(i, context=i.context + "\n| 12 |"),
        ("V1.unreadable.structured",),
    ),
    "a slot whose time no record has": Plant(
        of("retrieval.sbp"), lambda i: changed(i, slots={"time": "1999-01-01 10:00:00"}), ("V1.absent",)
    ),
    "two records at one time": Plant(any_in("templated"), at_one_time, ("V2.time_not_unique",)),
    "records out of order": Plant(
        any_in("structured"), lambda i: shown(i, reversed(i.records)), ("V2.not_in_time_order",)
    ),
    "a tie of the extreme": Plant(of("comparison.highest.heart_rate"), tied, ("V2.tie",)),
    "no crossing": Plant(
        of("comparison.first_above.heart_rate"),
        lambda i: with_values(i, heart_rate_bpm=Decimal(90)),
        ("V2.no_crossing",),
    ),
    "a premise that does not hold": Plant(
        of("arithmetic.hr_over_baseline"),
        lambda i: with_values(i, heart_rate_bpm=Decimal(65)),
        ("V2.premise",),
    ),
    "a wrong gold": Plant(of("arithmetic.map"), off_by_one_unit, ("V3.answer",)),
    "a wrong count": Plant(
        of("aggregation.shock_index_above_0_7"),
        lambda i: changed(i, answer=str(int(i.answer) + 1)),
        ("V3.answer",),
    ),
    "a wrong exact value": Plant(
        of("arithmetic.third_pulse_pressure"), lambda i: changed(i, answer_exact="1/3"), ("V3.answer_exact",)
    ),
    "a gold with a digit too few": Plant(
        lambda i: of("arithmetic.third_pulse_pressure")(i) and i.answer.endswith(".0"),
        lambda i: changed(i, answer=i.answer.removesuffix(".0")),
        ("V3.decimals",),
    ),
    "decimals other than the question asks": Plant(
        of("arithmetic.shock_index"), lambda i: changed(i, decimals=1), ("V3.decimals",)
    ),
    "an exact value between two answers": Plant(
        of("arithmetic.shock_index"),
        # 81/200 is 0.405.
        lambda i: with_values(i, heart_rate_bpm=Decimal(81), sbp_mmhg=Decimal(200), dbp_mmhg=Decimal(90)),
        ("V4.tie_at_asked_digit",),
    ),
    "°F in a column of °C": Plant(
        any_in("structured"),
        lambda i: changed(i, context=i.context.replace("°C", "°F")),
        ("V5.unit.structured",),
    ),
    "a value beyond belief": Plant(
        any_in("structured"),
        lambda i: with_values(i, resp_rate_bpm=Decimal(90)),
        ("V6.resp_rate_bpm.out_of_range",),
    ),
    "a diastolic above the systolic pressure": Plant(
        any_in("structured"),
        lambda i: with_values(i, sbp_mmhg=Decimal(80), dbp_mmhg=Decimal(90)),
        ("V6.dbp_not_below_sbp",),
    ),
    "a flag taken away": Plant(flagged, lambda i: changed(i, flags=()), ("V7.flag_missing",)),
    "a flag that does not hold": Plant(
        unflagged, lambda i: changed(i, flags=("crossing_at_first_record",)), ("V7.flag_wrong",)
    ),
    "a word that implies a state": Plant(
        any_in("note"), lambda i: changed(i, context=f"{i.context}\nPt tachycardic."), ("V8.state_word",)
    ),
    "a second value of a vital": Plant(
        any_in("note"), lambda i: changed(i, context=f"{i.context}\nLabs: HR 91 bpm."), ("V8.other_value",)
    ),
    "an earlier visit that the question does not shut out": Plant(
        any_in("templated"), lambda i: changed(i, context=f"{i.context}\n{EARLIER}"), ("V8.earlier_visit",)
    ),
    "a question that is not the template's": Plant(
        of("retrieval.dbp"), lambda i: changed(i, question=f"Please: {i.question}"), ("question.wording",)
    ),
    "another unit": Plant(of("retrieval.spo2"), lambda i: changed(i, unit="kPa"), ("template.unit",)),
    "another answer type": Plant(
        of("retrieval.temperature"), lambda i: changed(i, answer_type="text"), ("template.answer_type",)
    ),
    "a slot too many": Plant(
        of("aggregation.tachycardia"), lambda i: changed(i, slots={"time": "x"}), ("template.slots",)
    ),
    "evidence left out": Plant(
        of("arithmetic.bp_sum"), lambda i: changed(i, evidence=i.evidence[1:]), ("evidence.differs",)
    ),
    "a worked step left out": Plant(
        of("arithmetic.celsius_to_fahrenheit"), lambda i: changed(i, worked=i.worked[1:]), ("worked.differs",)
    ),
    "the gold among the distractors": Plant(
        of("arithmetic.pulse_pressure"),
        lambda i: changed(i, distractors=(Distractor(value=i.answer, rule="r", code="a.b"),)),
        ("distractors.gold",),
    ),
    "a distractor that no mistake gives": Plant(
        of("arithmetic.temperature_x1_8"),
        lambda i: changed(i, distractors=(*i.distractors, Distractor(value="1.0", rule="r", code="a.b"))),
        ("distractors.differ",),
    ),
    "a base without a variant": Plant(
        any_in("structured"), lambda i: changed(i, base_id="0" * 16), ("variant.unnamed",)
    ),
    "a member of another group": Plant(
        any_in("structured"), lambda i: changed(i, group_id=bench()[0].group_id), ("group.differs",)
    ),
    "a variant that is none": Plant(
        any_in("structured"),
        lambda i: changed(i, variant="input.shouting", base_id=i.instance_id, expected="same"),
        ("variant.unknown",),
    ),
}


def with_weight(instance: Instance, **fields: str) -> Instance:
    """The instance with another body weight, its context written anew."""
    givens = (g.model_copy(update=fields) if g.name == WEIGHT else g for g in instance.givens)
    return shown(changed(instance, givens=tuple(givens)), instance.records)


def without_weight(instance: Instance) -> Instance:
    givens = tuple(given for given in instance.givens if given.name != WEIGHT)
    return shown(changed(instance, givens=givens), instance.records)


def weighed(instance: Instance) -> bool:
    return any_in("structured")(instance) and any(given.name == WEIGHT for given in instance.givens)


WEIGHT = "body weight"
OF_GIVENS: dict[str, Plant] = {
    "a given that is needed and not there": Plant(weighed, without_weight, ("V1.given_absent",)),
    "a given in another unit": Plant(weighed, lambda i: with_weight(i, unit="lb"), ("V5.given",)),
    "a given beyond its range": Plant(weighed, lambda i: with_weight(i, value="900"), ("V6.given",)),
    "a given that the context tells otherwise": Plant(
        weighed,
        lambda i: changed(with_weight(i, value="71"), context=i.context),
        ("V1.differs.structured",),
    ),
}
