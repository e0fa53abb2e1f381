"""Robustness on a planted model: every figure is counted once more, from what was planted."""

from collections import Counter
from dataclasses import asdict
from functools import lru_cache
from random import Random

import pytest

from clinicnum.generation.benchmark import generate
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.robustness import ModelRobustness, Run, join, robustness
from clinicnum.scoring import score
from clinicnum.stats.clustered_intervals import Subjects, share_interval
from clinicnum.stats.interval_estimate import Figure
from clinicnum.templates.bank import load_bank
from clinicnum.types import Generation, Instance, Score
from clinicnum.variants import parse_variants
from tests.clinicnum.answering import generation

KINDS = "input.typo,numeric.relevant,missing.masked,chain.wrong_step,prompt.direct,prompt.persona.nurse.terse"
SAME = ("input.typo", "chain.wrong_step", "prompt.direct", "prompt.persona.nurse.terse")


@lru_cache
def _benchmark() -> dict[str, Instance]:
    made = generate(
        contexts=contexts(synthetic(seed=5, stays=60).records, "stay"),
        templates=load_bank(),
        representations=("structured", "templated"),
        quotas={"retrieval": 40, "arithmetic": 30},
        seed=0,
        variants=parse_variants(KINDS),
    )
    return {one.instance_id: one for one in made.instances}


def _says(of: Instance, value: str | None) -> str:
    return '{"answer": "not documented"}' if value is None else f'{{"answer": {value}}}'


def _answered(seed: int) -> tuple[list[Generation], list[Score], dict[str, str]]:
    """Planned answers: right, wrong, the base's kept, a remark's taken, or that it is not documented."""
    rng, instances = Random(seed), _benchmark()
    generations, scores, plans = [], [], {}
    for name, one in instances.items():
        plan = rng.choices(("right", "wrong", "keep", "adopt", "abstain"), (60, 20, 10, 5, 5))[0]
        value = one.answer
        if plan == "wrong":
            value = "999"
        elif plan == "keep":
            value = instances[one.base_id].answer if one.base_id else one.answer
        elif plan == "adopt":
            value = next((d.value for d in one.distractors if d.rule.startswith("remark_")), "998")
        elif plan == "abstain":
            value = None
        made = generation(_says(one, value), of=one, run=f"r{seed}")
        generations.append(made.model_copy(update={"answer_confidence": rng.uniform(0.2, 0.99)}))
        scores.append(score(instance=one, generation=made))
        plans[name] = "keep" if value == one.answer and plan == "keep" else plan
    return generations, scores, plans


@lru_cache
def _run(seed: int) -> tuple[Run, dict[str, bool]]:
    generations, scores, _ = _answered(seed)
    right = {g.instance_id: s.lenient for g, s in zip(generations, scores, strict=True)}
    return join(f"model {seed}", _benchmark(), generations, scores), right


@lru_cache
def _report() -> ModelRobustness:
    return robustness([_run(0)[0]], rerun=_run(1)[0]).models[0]


def _pairs(kind: str) -> list[tuple[Instance, Instance]]:
    found = [(_benchmark()[v.base_id], v) for v in _benchmark().values() if v.base_id and v.variant == kind]
    return [(base, variant) for base, variant in found if not base.flags and not variant.flags]


def _same(figure: Figure, expected: list[tuple[str, bool]]) -> None:
    """Value, n, subjects and interval are those of these (subject, counts)."""
    assert expected
    assert figure.n == len(expected)
    assert figure.value == pytest.approx(sum(counts for _, counts in expected) / len(expected))
    by_subject: Counter[str] = Counter(subject for subject, _ in expected)
    assert figure.n_subjects == len(by_subject)
    columns = [[float(counts), 1.0] for _, counts in expected]
    import numpy as np

    totals = Subjects.of([subject for subject, _ in expected]).totals(np.array(columns))
    assert figure.interval == share_interval(totals[:, 0], totals[:, 1], len(expected))


@pytest.mark.parametrize("kind", SAME)
def test_flips_their_reverse_and_the_rerun(kind: str) -> None:
    right, again = _run(0)[1], _run(1)[1]
    row = next(r for r in _report().flips if (r.kind, r.representation) == (kind, "all"))
    base_right = [(b, v) for b, v in _pairs(kind) if right[b.instance_id]]
    base_wrong = [(b, v) for b, v in _pairs(kind) if not right[b.instance_id]]
    _same(row.flip, [(b.subject_id, not right[v.instance_id]) for b, v in base_right])
    _same(row.reverse, [(b.subject_id, right[v.instance_id]) for b, v in base_wrong])
    _same(row.rerun_flip, [(b.subject_id, not again[b.instance_id]) for b, _ in base_right])
    _same(row.rerun_reverse, [(b.subject_id, again[b.instance_id]) for b, _ in base_wrong])
    both = [again[b.instance_id] - right[v.instance_id] for b, v in base_right]
    assert row.extra.n == len(both)
    assert row.extra.value == pytest.approx(sum(both) / len(both))
    assert row.flip.value is not None
    assert row.rerun_flip.value is not None
    assert row.extra.value == pytest.approx(row.flip.value - row.rerun_flip.value)
    assert row.extra.interval.low is not None
    assert row.extra.interval.low <= row.extra.value
    assert [r.representation for r in _report().flips if r.kind == kind] == ["structured", "templated", "all"]


def test_what_moves_or_abstains_is_no_flip() -> None:
    assert {row.kind for row in _report().flips} == set(SAME)
    assert {row.kind for row in _report().following} == {"numeric.relevant"}


def test_following_and_what_is_kept() -> None:
    right, plans = _run(0)[1], _answered(0)[2]
    row = next(r for r in _report().following if r.representation == "structured")
    pairs = [p for p in _pairs("numeric.relevant") if right[p[0].instance_id]]
    pairs = [p for p in pairs if p[1].representation == "structured"]
    _same(row.following, [(b.subject_id, right[v.instance_id]) for b, v in pairs])
    _same(row.kept, [(b.subject_id, plans[v.instance_id] == "keep") for b, v in pairs])
    assert row.kept.value


def test_remarks_withstood_and_adopted() -> None:
    right, plans = _run(0)[1], _answered(0)[2]
    row = next(r for r in _report().chain if r.representation == "all")
    pairs = [p for p in _pairs("chain.wrong_step") if right[p[0].instance_id]]
    _same(row.resistance, [(b.subject_id, right[v.instance_id]) for b, v in pairs])
    _same(row.adopted, [(b.subject_id, plans[v.instance_id] == "adopt") for b, v in pairs])
    assert row.adopted.value


def test_abstention_where_it_is_due_and_where_not() -> None:
    right, plans = _run(0)[1], _answered(0)[2]
    row = next(r for r in _report().abstention if r.representation == "all")
    masked = _pairs("missing.masked")
    bases = [one for one in _benchmark().values() if one.variant is None and not one.flags]
    _same(row.sensitivity, [(b.subject_id, right[v.instance_id]) for b, v in masked])
    _same(row.false_abstention, [(b.subject_id, plans[b.instance_id] == "abstain") for b in bases])
    _same(row.abstained_on_base, [(b.subject_id, plans[b.instance_id] == "abstain") for b, _ in masked])
    _same(row.rerun_sensitivity, [(b.subject_id, _run(1)[1][v.instance_id]) for b, v in masked])


def test_prompts_are_compared_with_the_default_and_corrected_for_their_number() -> None:
    right = _run(0)[1]
    rows = {row.first: row for row in _report().prompts}
    assert set(rows) == {"prompt.direct", "prompt.persona.nurse.terse"}
    for kind, row in rows.items():
        pairs = [(right[v.instance_id], right[b.instance_id]) for b, v in _pairs(kind)]
        assert (row.second, row.on, row.n) == ("base", "all", len(pairs))
        assert (row.only_first, row.only_second) == (pairs.count((True, False)), pairs.count((False, True)))
        assert row.difference == pytest.approx((row.only_first - row.only_second) / len(pairs))
    p_values = sorted(row.p for row in rows.values() if row.p is not None)
    assert min(row.p_corrected or 1.0 for row in rows.values()) == pytest.approx(min(1.0, 2 * p_values[0]))


def test_representations_are_compared_on_the_same_questions() -> None:
    right = _run(0)[1]
    rows = {row.on: row for row in _report().representations}
    assert set(rows) == {"retrieval", "arithmetic", "all"}
    groups: dict[str, dict[str, Instance]] = {}
    for one in _benchmark().values():
        if one.variant is None and not one.flags:
            groups.setdefault(one.group_id, {})[one.representation] = one
    both = [(g["structured"], g["templated"]) for g in groups.values() if len(g) == 2]
    only = sum(right[a.instance_id] and not right[b.instance_id] for a, b in both)
    assert (rows["all"].first, rows["all"].second) == ("structured", "templated")
    assert (rows["all"].n, rows["all"].only_first) == (len(both), only)
    assert rows["retrieval"].n + rows["arithmetic"].n == rows["all"].n


def test_models_are_compared_on_what_both_answered() -> None:
    one, other = _run(0)[0], _run(1)[0]
    some = dict(list(other.answers.items())[: len(other.answers) // 2])
    found = robustness([one, Run("half", some)]).comparisons
    bases = [a for a in some.values() if a.instance.variant is None and not a.instance.flags]
    (total,) = [row for row in found if row.on == "all"]
    assert (total.first, total.second, total.n) == ("model 0", "half", len(bases))
    assert robustness([one, one]).comparisons[-1].p == 1.0


def test_calibration_is_by_operation() -> None:
    assert [row.operation for row in _report().calibration] == ["retrieval", "arithmetic", "all"]


def test_without_a_rerun_its_rates_have_a_reason() -> None:
    row = robustness([_run(0)[0]]).models[0].flips[0]
    assert (row.rerun_flip.value, row.rerun_flip.undefined) == (None, "no identical re-run was given")


def test_the_order_of_answers_does_not_matter() -> None:
    run = _run(0)[0]
    assert asdict(robustness([Run(run.name, dict(reversed(run.answers.items())))])) == asdict(
        robustness([run])
    )
