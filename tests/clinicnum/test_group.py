"""A group's lines are what its objects would write; its tally is what the metrics count."""

from decimal import Decimal

import pytest

from clinicnum.errors import InputError
from clinicnum.generation.benchmark import Benchmark, generate
from clinicnum.generation.context_blocks import ContextBlocks
from clinicnum.generation.presets import PRESETS, with_quota
from clinicnum.records.loaded_records import contexts
from clinicnum.records.record_json import record_json
from clinicnum.records.synthetic import synthetic, synthetic_blocks
from clinicnum.stats.accuracy import accuracy_table
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import REPRESENTATIONS, Instance, Record, Score

LOADED = synthetic(seed=2, stays=150)
QUOTAS = {"retrieval": 12, "arithmetic": 90, "comparison": 60, "aggregation": 40}


def built(stays: ContextBlocks | None = None) -> Benchmark:
    return generate(
        contexts=stays or contexts(LOADED.records, "stay"),
        templates=named_bank("all"),
        representations=REPRESENTATIONS,
        quotas=QUOTAS,  # type: ignore[arg-type]
        seed=0,
    )


def test_lines_are_what_the_validated_objects_write() -> None:
    lines = list(built().lines)
    objects = [Instance.model_validate_json(line) for line in lines]
    assert lines == [one.model_dump_json().encode() for one in objects]
    assert objects == list(built().instances)
    assert any(one.givens for one in objects)
    assert len({one.instance_id for one in objects}) == len(objects)


@pytest.mark.parametrize("value", ["36.0", "1E+2", "98.60", "0.5", "-3", "1234567.25", "0"])
def test_any_number_is_written_as_the_model_writes_it(value: str) -> None:
    record = LOADED.records[0].model_copy(update={"temperature_c": Decimal(value), "subject_id": 'é"\\\n'})
    assert record_json(record) == record.model_dump_json()
    assert Record.model_validate_json(record_json(record)) == record


def test_the_tally_counts_what_the_metrics_count() -> None:
    benchmark = built()
    instances = [one for one in benchmark.instances if one.representation == "note"]
    assert benchmark.counts.templates
    for name, tally in benchmark.counts.templates.items():
        mine = [one for one in instances if one.template_id == name]
        scored = [(one, _score()) for one in mine]
        overall = accuracy_table(scored).overall
        assert overall is not None
        assert (tally.questions, tally.flagged) == (len(mine), overall.n_flagged)
        baselines = overall.baselines
        assert tally.shares() == pytest.approx(
            {
                "first_record": baselines.first_record,
                "last_record": baselines.last_record,
                "zero": baselines.zero,
                "majority": baselines.majority,
            }
        )


def _score() -> Score:
    return Score(
        generation_id="g", parsed=None, form=None, status="empty", strict=False, lenient=False, reason="empty"
    )


def test_blocks_share_the_quota_and_no_subject() -> None:
    def blocks() -> list[tuple[tuple[Record, ...], ...]]:
        return [
            contexts(loaded.records, "stay") for loaded in synthetic_blocks(seed=0, stays=1500, block=500)
        ]

    benchmark = built(ContextBlocks(blocks, 3, "three"))
    instances = list(benchmark.instances)
    assert benchmark.counts.groups == QUOTAS
    subjects = [{context[0].subject_id for context in block} for block in blocks()]
    by_block = [{one.group_id for one in instances if one.subject_id in some} for some in subjects]
    assert sum(map(len, by_block)) == sum(QUOTAS.values())
    assert min(map(len, by_block)) >= sum(QUOTAS.values()) // 4


def test_quotas_replace_those_of_the_preset_and_stays_grow_with_them() -> None:
    chosen = with_quota(PRESETS["small"], "retrieval=4000, aggregation=1")
    assert (chosen.quotas, chosen.synthetic_stays) == ({"retrieval": 4000, "aggregation": 1}, 501)
    assert with_quota(PRESETS["small"], " ") is PRESETS["small"]


@pytest.mark.parametrize("text", ["retrieval", "retrieval=x", "sums=3", "retrieval=-1", "retrieval=²"])
def test_a_wrong_quota_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--quota: got"):
        with_quota(PRESETS["small"], text)
