"""Robustness on a planted model: every figure is counted once more, from what was planted."""

from collections import Counter
from dataclasses import asdict
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.generation.benchmark import generate
from clinicnum.records.loaded_records import contexts
from clinicnum.records.synthetic import synthetic
from clinicnum.robustness import ModelRobustness, Run, join, robustness
from clinicnum.robustness.option_order import chosen
from clinicnum.scoring import score
from clinicnum.stats.clustered_intervals import Subjects, share_interval
from clinicnum.stats.interval_estimate import Figure
from clinicnum.templates.bank import load_bank
from clinicnum.types import Generation, Instance, Score
from clinicnum.variants import parse_variants
from tests.clinicnum.answering import generation, instance

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


def _one(of: Instance, *, right: bool, parsed: str | None = "1") -> tuple[Generation, Score]:
    made = generation("x", of=of)
    status = "correct" if right else "unparsable" if parsed is None else "incorrect"
    fields: dict[str, Any] = {"status": status, "strict": right, "lenient": right, "reason": "", "form": None}
    return made, Score(generation_id=made.generation_id, parsed=parsed, **fields)


def test_flagged_pairs_and_variants_without_a_base_are_left_out_and_counted() -> None:
    base, flagged = instance(0), instance(1, flags=("count_zero",))
    variants = [
        instance(2, variant="input.typo", base_id="i0", expected="same"),
        instance(3, variant="input.typo", base_id="i1", expected="same"),
        instance(4, variant="input.typo", base_id="gone", expected="same"),
    ]
    asked = {one.instance_id: one for one in (base, flagged, *variants)}
    made = [_one(one, right=True) for one in asked.values()]
    found = robustness([join("m", asked, *zip(*made, strict=True))]).models[0]
    assert (found.n_answers, found.n_pairs) == (5, 1)
    assert found.left_out == {
        "pairs flagged as not discriminating (V7)": 1,
        "variants whose base was not answered": 1,
    }
    row = found.flips[0]
    assert (row.flip.value, row.flip.interval.undefined) == (0.0, "1 subject; an interval needs at least 5")
    assert row.reverse.undefined == "no base is wrong"


def test_only_the_remarks_own_value_is_adopted() -> None:
    other = {"value": "50", "rule": "next_record", "code": "contextual_inconsistency.wrong_record"}
    remarked = other | {"value": "88", "rule": "remark_previous_record"}
    answers = {"88": True, "88.0": True, "50": False, "110": False, None: False}
    for parsed, adopts in answers.items():
        base = instance(0)
        variant = instance(
            1, variant="chain.wrong_step", base_id="i0", expected="same", distractors=(remarked, other)
        )
        made = [_one(base, right=True), _one(variant, right=parsed == "110", parsed=parsed)]
        run = join("m", {"i0": base, "i1": variant}, *zip(*made, strict=True))
        (row,) = robustness([run]).models[0].chain
        assert row.adopted.value == float(adopts)


FOUR = ("110", "88", "50", "111")


def _five(number: int, texts: tuple[str | None, ...]) -> list[tuple[Instance, Generation, Score]]:
    """Five orders of one question (gold 110), answered with these contents as letters; None is unparsed."""
    found = []
    for order, text in enumerate(texts, start=1):
        options = FOUR[order % 4 :] + FOUR[: order % 4]
        one = instance(
            100 * number + order,
            variant=f"options.shuffle.{order}",
            base_id=f"b{number}",
            expected="same",
            options=options,
            answer_type="choice",
            scoring="choice",
            subject_id=f"s{number}",
        )
        letter = None if text is None else "ABCD"[options.index(text)]
        found.append((one, *_one(one, right=text == "110", parsed=letter)))
    return found


def test_consistency_and_robust_accuracy_over_five_orders() -> None:
    questions = [
        _five(1, ("110",) * 5),  # consistent and right
        _five(2, ("88",) * 5),  # consistent and wrong
        _five(3, ("110", "110", "110", "110", "88")),  # neither
        _five(4, ("88", "88", None, "88", "88")),  # unparsed is inconsistent
        _five(5, (None,) * 5),
        _five(6, ("110",) * 4),  # an order is missing
    ]
    asked = {one.instance_id: one for five in questions for one, _, _ in five}
    made = [(g, s) for five in questions for _, g, s in five]
    run = join("m", asked, *zip(*made, strict=True))
    (row,) = robustness([run], rerun=run).models[0].options
    assert (row.kind, row.consistency.n, row.n_incomplete) == ("options.shuffle", 5, 1)
    assert (row.consistency.value, row.robust_accuracy.value) == (0.4, 0.2)
    assert row.accuracy.value == pytest.approx(9 / 25)
    assert row.rerun_consistency.value == pytest.approx(3 / 5)  # what is unparsed is not the same again
    assert sum(row.places) == 19
    assert robustness([run]).models[0].flips == ()


@pytest.mark.parametrize(
    ("parsed", "place"),
    [("B", 1), ("b", 1), (" D ", 3), ("E", None), ("88", 1), ("88.0", 1), ("12", None), (None, None)],
)
def test_an_option_is_chosen_by_letter_or_content(parsed: str | None, place: int | None) -> None:
    assert chosen(instance(options=FOUR), parsed) == place


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("unknown", "m: instance i9 is not in the benchmark; name the benchmark that it was generated for"),
        ("twice", "m: instance i0 is answered twice; remove one"),
        ("unscored", "m: generation r1-i0 has no score; score these generations again"),
        ("scored twice", "m: generation r1-i0 is scored twice; remove one"),
        ("stray", "m: score of generation r1-i9, which is not among the generations"),
    ],
)
def test_files_that_do_not_match_are_named(broken: str, said: str) -> None:
    made, judged = _one(instance(0), right=True)
    other, stray = _one(instance(9), right=True)
    generations = {"unknown": [other], "twice": [made, made]}.get(broken, [made])
    scores = {"unscored": [], "scored twice": [judged, judged], "stray": [judged, stray]}.get(
        broken, [judged]
    )
    with pytest.raises(InputError, match=said.replace(".", r"\.")):
        join("m", {"i0": instance(0)}, generations, scores)
