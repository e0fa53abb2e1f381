"""A benchmark as a whole: determinism, groups, quotas, discrimination, what is dropped."""

from collections import Counter, defaultdict
from datetime import datetime, timedelta

import pytest

from clinicnum.generation.benchmark import Benchmark, generate
from clinicnum.questions.ask_question import PreparedTemplate, RejectedError, RenderedRecords, ask, fillings
from clinicnum.records.loaded_records import Context, contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.templates.bank import load_bank
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import REPRESENTATIONS, Record, RepresentationName

STAYS = contexts(synthetic(seed=2, stays=120).records, "stay")
QUOTAS = {"retrieval": 12, "arithmetic": 20, "comparison": 30, "aggregation": 20}
BANK = {template.id: template for template in load_bank()}


def built(
    names: tuple[RepresentationName, ...] = REPRESENTATIONS, seed: int = 0, stays: tuple[Context, ...] = STAYS
) -> Benchmark:
    return generate(
        contexts=stays, templates=load_bank(), representations=names, quotas=QUOTAS, seed=seed, max_records=8
    )


def series(**values: list[int]) -> list[Record]:
    """Records an hour apart with the given vitals."""
    size = len(next(iter(values.values())))
    start = datetime(2150, 1, 1)
    return [
        Record(
            subject_id="a",
            stay_id="b",
            charttime=start + timedelta(hours=i),
            source="t",
            **{vital: column[i] for vital, column in values.items()},
        )
        for i in range(size)
    ]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    first = [i.model_dump_json() for i in built().instances]
    assert first == [i.model_dump_json() for i in built().instances]
    assert set(first).isdisjoint(i.model_dump_json() for i in built(seed=1).instances)


def test_a_group_is_one_question_on_the_same_records_in_three_representations() -> None:
    groups = defaultdict(list)
    for instance in built().instances:
        groups[instance.group_id].append(instance)
    assert len(groups) == sum(QUOTAS.values())
    for group in groups.values():
        assert tuple(i.representation for i in group) == REPRESENTATIONS
        assert len({(i.question, i.answer, i.records, i.template_id) for i in group}) == 1
        assert len({i.context for i in group}) == len({i.instance_id for i in group}) == 3


def test_which_questions_are_taken_does_not_depend_on_the_representations() -> None:
    alone = [i.instance_id for i in built(("note",)).instances]
    assert alone == [i.instance_id for i in built().instances if i.representation == "note"]


def test_quotas_are_kept_and_shared_evenly_by_the_templates() -> None:
    benchmark = built()
    asked = Counter(i.template_id for i in benchmark.instances)
    for operation, quota in QUOTAS.items():
        shares = [n // 3 for name, n in asked.items() if name.startswith(operation)]
        assert sum(shares) == quota == benchmark.counts.groups[operation]
        assert max(shares) - min(shares) <= 1


def test_at_least_half_of_each_template_discriminates() -> None:
    benchmark = built()
    flags = defaultdict(list)
    for instance in benchmark.instances:
        flags[instance.template_id].append(bool(instance.flags))
    assert all(2 * sum(flagged) <= len(flagged) for flagged in flags.values())
    assert (
        sum(map(sum, flags.values())) == 3 * sum(t.flagged for t in benchmark.counts.templates.values()) > 0
    )


def test_a_record_without_a_needed_vital_is_left_out_and_others_stay() -> None:
    for instance in built().instances:
        for vital in BANK[instance.template_id].vitals:
            assert all(getattr(record, vital) is not None for record in instance.records)
    assert any(r.temperature_c is None for i in built().instances for r in i.records)


def test_the_bound_on_context_length_is_kept() -> None:
    assert {len(i.records) for i in built().instances} <= set(range(2, 9))


def test_a_template_that_is_retired_or_a_draft_is_not_asked() -> None:
    for status in ("draft", "retired", "in_review"):
        templates = [t.model_copy(update={"status": status}) for t in load_bank()]
        found = generate(
            contexts=STAYS, templates=templates, representations=("note",), quotas=QUOTAS, seed=0
        )
        assert list(found.instances) == []


REJECTED = {
    "a tie in a superlative": ("comparison.highest.heart_rate", {"heart_rate_bpm": [90, 90, 80]}, "V2.tie"),
    "no crossing": ("comparison.first_above.heart_rate", {"heart_rate_bpm": [90, 100]}, "V2.no_crossing"),
    # 100 / 160 = 0.625: a tie at two decimals.
    "a tie at the asked digit": (
        "arithmetic.shock_index",
        {"heart_rate_bpm": [100, 80], "sbp_mmhg": [160, 120]},
        "V4.tie_at_asked_digit",
    ),
    "an implausible value": (
        "comparison.highest.heart_rate",
        {"heart_rate_bpm": [90, 251]},
        "V6.heart_rate_bpm.out_of_range",
    ),
    "pressures the wrong way round": (
        "comparison.highest.sbp",
        {"sbp_mmhg": [90, 80], "dbp_mmhg": [60, 80]},
        "V6.dbp_not_below_sbp",
    ),
}


@pytest.mark.parametrize(("template_id", "vitals", "rule"), REJECTED.values(), ids=REJECTED.keys())
def test_what_is_rejected(template_id: str, vitals: dict[str, list[int]], rule: str) -> None:
    asked, records = PreparedTemplate.of(BANK[template_id]), series(**vitals)
    filling = fillings(BANK[template_id], len(records))[0]
    with pytest.raises(RejectedError, match=f"^{rule}$"):
        ask(asked, RenderedRecords.of(records, 0), filling)


def test_two_records_at_one_time_are_rejected() -> None:
    records = series(heart_rate_bpm=[90, 80])
    twice = [records[0], records[1].model_copy(update={"charttime": records[0].charttime})]
    with pytest.raises(RejectedError, match=r"V2\.time_not_unique"):
        ask(PreparedTemplate.of(BANK["comparison.highest.heart_rate"]), RenderedRecords.of(twice, 0), {})


def test_what_holds_throughout_is_asked_within_one_stay() -> None:
    pooled = contexts(synthetic(seed=2, stays=200).records, "subject")
    spans = {}
    for template in named_bank("extended"):
        benchmark = generate(
            contexts=pooled,
            templates=[template],
            representations=("note",),
            quotas={template.operation: 3},
            seed=0,
            scope="subject",
        )
        stays = [len({record.stay_id for record in one.records}) for one in benchmark.instances]
        spans[template.id] = max(stays, default=1)
    assert spans["aggregation.time_above.heart_rate_100"] == spans["arithmetic.infused_volume"] == 1
    assert spans["arithmetic.news2"] == spans["aggregation.count.spo2_falls_of_3"] == 1
    assert max(spans.values()) > 1


def test_a_count_of_pairs_that_is_none_or_all_does_not_discriminate() -> None:
    (template,) = [t for t in named_bank("extended") if t.id == "aggregation.count.sbp_falls"]
    for values, flag in (([120, 130, 140], "count_zero"), ([140, 130, 120], "count_all_records")):
        question = ask(PreparedTemplate.of(template), RenderedRecords.of(series(sbp_mmhg=values), 0), {})
        assert flag in question.flags


def test_rejections_are_counted_by_rule() -> None:
    benchmark = generate(
        contexts=[tuple(series(heart_rate_bpm=[90, 90])), tuple(series(heart_rate_bpm=[90, 80]))],
        templates=[BANK["comparison.highest.heart_rate"]],
        representations=REPRESENTATIONS,
        quotas={"comparison": 5},
        seed=0,
    )
    assert len(list(benchmark.instances)) == 3
    assert benchmark.counts.rejected == {"V2.tie": 1}


def test_a_threshold_meets_the_unrounded_value() -> None:
    # MAP (151 - 75) / 3 + 75 = 100.33 counts; (150 - 75) / 3 + 75 = 100 does not.
    records = series(sbp_mmhg=[151, 150, 120], dbp_mmhg=[75, 75, 60])
    question = ask(PreparedTemplate.of(BANK["aggregation.map_above_100"]), RenderedRecords.of(records, 0), {})
    assert question.gold.text == "1"
    early = [d for d in question.mistakes.items if d.rule == "at_least_for_above"]
    assert [d.value for d in early] == ["2"]


def test_record_slots_are_filled_in_time_order() -> None:
    ways = fillings(BANK["arithmetic.hr_change"], 3)
    assert ways == [{"earlier": a, "later": b} for a in range(3) for b in range(a + 1, 3)]
    assert fillings(BANK["arithmetic.mean_resp_rate"], 3) == [{"which": "earliest"}, {"which": "latest"}]
