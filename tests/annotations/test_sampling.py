"""What a study draws: every failure, 15 % scored-correct ones, and the chance of each."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest

from clinicnum.annotations.sampling import Candidate, SampledGeneration, correct_wanted, draw_sample
from clinicnum.errors import InputError

OPERATIONS = ("retrieval", "arithmetic", "comparison", "aggregation")


def candidates(failures: int, right: int, *, variant: str = "") -> list[Candidate]:
    """Spread over four operations and two representations."""
    return [
        Candidate(
            generation_id=f"{'v' if variant else 'g'}{number}",
            operation=OPERATIONS[number % 4],
            representation=("structured", "note")[number // 4 % 2],
            correct=number >= failures,
            variant=variant,
        )
        for number in range(failures + right)
    ]


@pytest.mark.parametrize(
    ("failures", "available", "wanted"),
    [
        (85, 1000, 15),  # 85 / 0.85 = 100, of which 15 are correct
        (17, 1000, 3),
        (6, 1000, 1),  # 6 x 15 / 85 = 1.06
        (2, 1000, 1),  # 0.35, but one at least
        (85, 4, 4),  # no more than there are
        (85, 0, 0),
    ],
)
def test_scored_correct_ones_make_up_fifteen_percent(failures: int, available: int, wanted: int) -> None:
    assert correct_wanted(failures, available) == wanted


def test_by_default_every_failure_is_drawn_with_certainty_and_the_correct_ones_with_an_equal_chance() -> None:
    drawn = draw_sample(candidates(170, 400), include="mixed", seed=0)
    chances = Counter(item.inclusion_probability for item in drawn)
    assert chances == {1.0: 170, 30 / 400: 30}
    assert len({item.generation_id for item in drawn}) == 200
    assert all(item.stratum.endswith("/correct") == (item.inclusion_probability < 1) for item in drawn)


def test_each_stratum_of_correct_ones_gets_its_share() -> None:
    drawn = draw_sample(candidates(170, 400), include="mixed", seed=3)
    strata = Counter(item.stratum for item in drawn if item.inclusion_probability < 1)
    # 8 strata of 50 each, 30 places: 3.75 a stratum
    assert set(strata.values()) == {3, 4}
    assert len(strata) == 8


def test_over_many_seeds_each_correct_one_is_drawn_as_often_as_its_probability_says() -> None:
    seen: Counter[str] = Counter()
    for seed in range(400):
        drawn = draw_sample(candidates(17, 20), include="mixed", seed=seed)
        seen.update(item.generation_id for item in drawn if item.inclusion_probability < 1)
    # p = 3/20 in 400 draws: 60 expected, standard deviation 7.1; five of them on each side
    assert len(seen) == 20
    assert all(25 <= count <= 95 for count in seen.values())


def asked_in_three_ways(questions: int = 16, *, correct: bool = False) -> list[Candidate]:
    """Each question in three representations, which share its gold."""
    return [
        Candidate(f"{group}-{way}", "retrieval", way, correct=correct, group_id=f"q{group}")
        for group in range(questions)
        for way in ("structured", "templated", "note")
    ]


def questions_of(drawn: Iterable[SampledGeneration]) -> Counter[str]:
    return Counter(one.generation_id.partition("-")[0] for one in drawn)


def test_a_sample_spreads_over_questions_and_each_answer_keeps_its_chance() -> None:
    seen: Counter[str] = Counter()
    repeated = 0
    for seed in range(300):
        drawn = draw_sample(asked_in_three_ways(), include="incorrect", size=16, seed=seed)
        assert Counter(one.stratum for one in drawn).most_common(1)[0][1] <= 6, (
            "5 or 6 of each representation"
        )
        repeated += 16 - len(questions_of(drawn))
        seen.update(one.generation_id for one in drawn)
    # Drawn at random within strata, 4.8 of 16 repeat a question: 1,450 in all.
    assert repeated < 100
    # p = 1/3 in 300 draws: 100 expected, standard deviation 8.2; five of them on each side
    assert len(seen) == 48
    assert all(59 <= count <= 141 for count in seen.values())


def test_each_run_gets_its_share_of_a_stratum_also_where_it_answered_a_part() -> None:
    """A run that answered few of the questions is neither left out nor drawn whole by chance."""
    answered = {"a": 120, "b": 60, "c": 20}
    every = [
        Candidate(f"{run}{n}", "retrieval", "note", correct=False, group_id=f"q{n}", run_id=run)
        for run, count in answered.items()
        for n in range(count)
    ]
    for seed in range(60):
        drawn = Counter(one.generation_id[0] for one in draw_sample(every, include="all", size=40, seed=seed))
        assert drawn == {"a": 24, "b": 12, "c": 4}


def test_samples_drawn_beside_each_other_keep_apart_too() -> None:
    """Failures and scored-correct answers of the same questions, a quarter of either."""
    both = [
        *asked_in_three_ways(),
        *(
            replace(one, generation_id=f"{one.generation_id}-right")
            for one in asked_in_three_ways(correct=True)
        ),
    ]
    repeated = 0
    for seed in range(40):
        drawn = draw_sample(both, include="mixed", size=16, correct_share=0.5, seed=seed)
        assert Counter(one.inclusion_probability for one in drawn) == {8 / 48: 16}
        repeated += 16 - len(questions_of(drawn))
    # At random 5.0 of 16 repeat a question.
    assert repeated / 40 < 1


def test_where_the_chances_force_it_answers_to_one_question_are_drawn_together() -> None:
    everything = draw_sample(asked_in_three_ways(), include="all", seed=0)
    assert set(questions_of(everything).values()) == {3}
    half = draw_sample(asked_in_three_ways(), include="incorrect", size=24, seed=0)
    assert set(questions_of(half).values()) <= {1, 2}


def test_the_other_two_ways_take_all_or_only_failures() -> None:
    everything = draw_sample(candidates(5, 7), include="all", seed=0)
    assert [item.inclusion_probability for item in everything] == [1.0] * 12
    failures = draw_sample(candidates(5, 7), include="incorrect", seed=0)
    assert sorted(item.generation_id for item in failures) == ["g0", "g1", "g2", "g3", "g4"]


def test_the_draw_depends_on_the_seed_and_not_on_the_order() -> None:
    once = draw_sample(candidates(40, 100), include="mixed", seed=1)
    assert draw_sample(candidates(40, 100)[::-1], include="mixed", seed=1) == once
    assert draw_sample(candidates(40, 100), include="mixed", seed=2) != once


def test_without_a_failure_there_is_nothing_to_label() -> None:
    for include in ("mixed", "incorrect", "all"):
        with pytest.raises(InputError, match="none of the 3 generations is a failure"):
            draw_sample(candidates(0, 3), include=include, seed=0)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'some' is no choice of answers to draw; expected mixed or inc"):
        draw_sample(candidates(3, 3), include="some", seed=0)  # type: ignore[arg-type]


def test_a_small_study_still_holds_a_scored_correct_generation() -> None:
    assert correct_wanted(failures=1, available=38) == 1
    assert correct_wanted(failures=2, available=38) == 1
    assert correct_wanted(failures=2, available=0) == 0


def test_variants_are_drawn_only_on_request_and_in_strata_of_their_own() -> None:
    both = candidates(40, 20) + candidates(400, 200, variant="input.typo")
    base = draw_sample(both, include="mixed", seed=0)
    assert base == draw_sample(candidates(40, 20), include="mixed", seed=0)
    drawn = draw_sample(both, include="mixed", seed=0, variants=20)
    beside = [one for one in drawn if one.generation_id.startswith("v")]
    assert {one.stratum.split("/", 2)[2] for one in beside} == {"variant/failure", "variant/correct"}
    # 20 x 0.85 = 17 of 400 failures, 3 of 200 scored correct.
    assert Counter(one.inclusion_probability for one in beside) == {17 / 400: 17, 3 / 200: 3}
    assert tuple(one for one in drawn if one not in beside) == base


def test_the_size_of_the_study_counts_base_questions() -> None:
    both = candidates(40, 20) + candidates(400, 200, variant="input.typo")
    drawn = draw_sample(both, include="all", seed=0, size=30, variants=10)
    assert Counter("variant" in one.stratum for one in drawn) == {False: 30, True: 10}


def test_where_all_failures_are_variants_they_must_be_asked_for() -> None:
    only = candidates(5, 0, variant="input.typo")
    with pytest.raises(InputError, match=r"5 answers are to variants, .* \(--variants N\)"):
        draw_sample(only, include="mixed", seed=0)
    assert len(draw_sample(only, include="mixed", seed=0, variants=3)) == 3


def test_each_kind_of_variant_gets_its_share_and_every_answer_the_same_chance() -> None:
    kinds = ["input.typo"] * 300 + ["prompt.direct"] * 60 + ["missing.masked"] * 40
    made = [
        replace(one, operation="arithmetic", representation="note", variant=kind)
        for one, kind in zip(candidates(400, 0, variant="x"), kinds, strict=True)
    ]
    seen: Counter[str] = Counter()
    for seed in range(100):
        drawn = draw_sample(made, include="incorrect", seed=seed, variants=20)
        kind_of = {one.generation_id: one.variant for one in made}
        assert Counter(kind_of[one.generation_id] for one in drawn) == {
            "input.typo": 15,
            "prompt.direct": 3,
            "missing.masked": 2,
        }
        assert {one.inclusion_probability for one in drawn} == {20 / 400}
        seen.update(one.generation_id for one in drawn)
    # p = 1/20 in 100 draws: 5 expected of each, standard deviation 2.2
    assert len(seen) > 380
    assert max(seen.values()) <= 16
