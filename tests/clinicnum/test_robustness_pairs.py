"""Which pairs of base and variant count, what a remark's adoption is, and files that do not match."""

import pytest

from clinicnum.errors import InputError
from clinicnum.robustness import join, robustness
from tests.clinicnum.answering import instance, scored


def test_flagged_pairs_and_variants_without_a_base_are_left_out_and_counted() -> None:
    base, flagged = instance(0), instance(1, flags=("count_zero",))
    variants = [
        instance(2, variant="input.typo", base_id="i0", expected="same"),
        instance(3, variant="input.typo", base_id="i1", expected="same"),
        instance(4, variant="input.typo", base_id="gone", expected="same"),
    ]
    asked = {one.instance_id: one for one in (base, flagged, *variants)}
    made = [scored(one, right=True) for one in asked.values()]
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
        made = [scored(base, right=True), scored(variant, right=parsed == "110", parsed=parsed)]
        run = join("m", {"i0": base, "i1": variant}, *zip(*made, strict=True))
        (row,) = robustness([run]).models[0].chain
        assert row.adopted.value == float(adopts)


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
    made, judged = scored(instance(0), right=True)
    other, stray = scored(instance(9), right=True)
    generations = {"unknown": [other], "twice": [made, made]}.get(broken, [made])
    scores = {"unscored": [], "scored twice": [judged, judged], "stray": [judged, stray]}.get(
        broken, [judged]
    )
    with pytest.raises(InputError, match=said.replace(".", r"\.")):
        join("m", {"i0": instance(0)}, generations, scores)
