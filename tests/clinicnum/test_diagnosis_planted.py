"""Recall of planted failures: correct worked solutions broken in one known way, by code, at least 0.85.

Few instances here; `scripts/dev/evidence suggestions` takes 5,000. A value that two mistakes give counts for
either. The planting (`planting*.py`) knows neither the distractors nor the trace check.
"""

import os
from collections import Counter
from functools import cache

from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.diagnosis import Rates, rates_for, suggest
from clinicnum.generation.benchmark import generate
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.scoring import score
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import Generation, Instance, Operation
from clinicnum.variants import parse_variants
from tests.clinicnum.planting_form import WAYS, Planted, planted

SIZE = int(os.environ.get("CLINICNUM_PLANTED", "160"))
"""Instances with a worked solution; `scripts/dev/evidence suggestions` sets 5,000."""
UNANSWERABLE = SIZE * 3 // 16
"""Instances without one, where any value is a mistake; in addition."""
SHARES: dict[Operation, float] = {
    "retrieval": 0.15,
    "arithmetic": 0.4,
    "comparison": 0.3,
    "aggregation": 0.15,
}
LEAST = 0.85
FEW = 10
"""Below so many plants a share says little."""


@cache
def benchmark() -> tuple[tuple[Instance, ...], Rates]:
    """Instances of the base bank in notes, with the variants that have mistakes of their own."""
    wanted = SIZE * 5 // 8
    stays = synthetic(seed=11, stays=max(60, wanted // 6))
    made = generate(
        contexts=contexts(stays.records, "stay"),
        templates=named_bank("base"),
        representations=("note",),
        quotas={operation: round(share * wanted) for operation, share in SHARES.items()},
        seed=11,
        variants=parse_variants("input.distractor,missing.masked"),
    )
    instances = list(made.instances)
    bases = [one for one in instances if one.variant is None]
    varied = [one for one in instances if one.variant is not None]
    solved = [one for one in varied if one.answer is not None][: SIZE - len(bases)]
    unanswerable = [one for one in varied if one.answer is None][:UNANSWERABLE]
    return (*bases, *solved, *unanswerable), rates_for(instances)


def generation_of(plant: Planted) -> Generation:
    return Generation(
        generation_id=f"{plant.instance.instance_id}-{plant.way}",
        run_id="planted",
        instance_id=plant.instance.instance_id,
        text=plant.text,
        finish_reason=plant.finish,  # type: ignore[arg-type]
    )


def also_right(plant: Planted, parsed: str | None) -> set[str]:
    """The planted code, and those of other mistakes that give the same value."""
    same = {d.code for d in plant.instance.distractors if parsed and _equal(d.value, parsed)}
    return {plant.code} | same


def _equal(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


@cache
def counted() -> tuple[Counter[str], Counter[str], Counter[str]]:
    """By code: planted, suggested at all, suggested first."""
    instances, rates = benchmark()
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for instance in instances:
        for plant in planted(instance, seed=1):
            generation = generation_of(plant)
            judged = score(instance=instance, generation=generation)
            causes = suggest(instance=instance, generation=generation, score=judged, rates=rates)
            codes = [cause.code for cause in causes]
            right = also_right(plant, judged.parsed)
            made[plant.code] += 1
            found[plant.code] += bool(right & set(codes))
            first[plant.code] += bool(codes) and codes[0] in right
            assert not judged.strict, plant
            assert len(codes) <= 3
            for cause in causes:
                assert all(0 <= start < end <= len(plant.text) for start, end in cause.spans), (plant, cause)
                assert all(c.record < len(instance.records) for c in cause.cells)
    return made, found, first


def test_as_many_instances_are_broken_as_were_asked_for() -> None:
    instances, _ = benchmark()
    solved = [one for one in instances if one.answer is not None]
    assert len(solved) == SIZE
    assert all(one.worked for one in solved)
    assert len(instances) - len(solved) == UNANSWERABLE


def test_planted_failures_are_recalled_by_code() -> None:
    made, found, first = counted()
    instances, _ = benchmark()
    print(f"\n{SIZE} instances with a worked solution, {len(instances) - SIZE} unanswerable")
    print("planted failures: code, planted, share suggested, share suggested first")
    for code in sorted(made):
        shares = (found[code] / made[code], first[code] / made[code])
        print(f"{code:<45}{made[code]:>6}{shares[0]:>8.3f}{shares[1]:>8.3f}")
    low = {code: found[code] / n for code, n in made.items() if n >= FEW and found[code] / n < LEAST}
    assert not low


def test_every_way_to_fail_was_planted_and_is_in_the_taxonomy() -> None:
    made, _, _ = counted()
    known = set(load_taxonomy().codes())
    assert set(made) == {code for code, _ in WAYS} <= known


def test_the_right_working_gets_no_suggestion_and_is_found_sound() -> None:
    from clinicnum.diagnosis import measure_steps

    instances, rates = benchmark()
    for instance in instances:
        if instance.answer is None:
            continue
        text = "\n".join([*instance.worked, f'{{"answer": "{instance.answer}"}}'])
        generation = generation_of(Planted(instance, "", "none", text))
        judged = score(instance=instance, generation=generation)
        assert judged.strict
        assert suggest(instance=instance, generation=generation, score=judged, rates=rates) == ()
        measures = measure_steps(instance=instance, generation=generation)
        assert measures.factuality in (None, 1), text
        assert (measures.groundedness, measures.completeness) == (1, 1), text
        assert measures.efficiency in (None, 1), text


def test_codes_above_ten_percent_of_chance_matches_are_silent() -> None:
    instances, rates = benchmark()
    print("\nplacebo: code, codes of templates, of these silent, highest and lowest share")
    by_code: dict[str, list[float]] = {}
    for (_, code), rate in rates.by_code.items():
        if rate.share is not None:
            by_code.setdefault(code, []).append(rate.share)
            assert rate.silent == (rate.share > 0.10)
    for code, shares in sorted(by_code.items()):
        silent = sum(share > 0.10 for share in shares)
        print(f"{code:<45}{len(shares):>5}{silent:>5}{max(shares):>8.3f}{min(shares):>8.3f}")
    noisy = [one for one in instances if one.template_id in ("retrieval.resp_rate", "retrieval.spo2")]
    quiet = [one for one in instances if one.template_id in ("retrieval.sbp", "retrieval.dbp")]
    wrong_record = "contextual_inconsistency.wrong_record"
    # Another patient's respiratory rate or SpO2 often equals a neighbouring record's; a pressure seldom does.
    assert noisy
    assert quiet
    assert not any(rates.speaks(one, wrong_record) for one in noisy)
    assert all(rates.speaks(one, wrong_record) for one in quiet)
