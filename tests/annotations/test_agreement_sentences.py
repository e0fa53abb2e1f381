"""Agreement in sentences: pairs counted, and what says little named as such."""

from dataclasses import replace

import pytest

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.agreement.results_in_sentences import agreement_sentence
from clinicnum.annotations.agreement.types import Scale


def pairs_of(*counted: tuple[str, str, int]) -> list[Rating]:
    """Two annotators on as many items with these labels."""
    found: list[Rating] = []
    for first, second, n in counted:
        for _ in range(n):
            item = f"i{len(found)}"
            found += [
                Rating(item=item, annotator=who, label=said) for who, said in (("a", first), ("b", second))
            ]
    return found


def sentence(table: list[Rating], *categories: str) -> str:
    return agreement_sentence("The item", agreement(table, scale="nominal", categories=categories))


def test_where_nearly_all_labels_are_the_same_alpha_says_little_and_ac1_stands_beside_it() -> None:
    said = sentence(pairs_of(("valid", "valid", 93), ("valid", "doubtful", 7)), "valid", "doubtful")
    assert said.startswith("The item: annotators agreed on 93 of 100 pairs of labels on the same item. ")
    assert (
        "Of 200 labels, 7 are not the most frequent one, so Krippendorff's alpha of -0.03 says little" in said
    )
    # AC1 by hand: pa 0.93, pe = 2 * 0.965 * 0.035 = 0.06755, so (0.93 - 0.06755) / 0.93245 = 0.92.
    assert said.endswith("Gwet's AC1, which depends less on that, is 0.92.")


def test_where_chance_alone_makes_nearly_all_pairs_agree_alpha_says_little_with_few_subjects_too() -> None:
    """With few subjects no interval is computed, and the labels off the most frequent one are not counted."""
    table = pairs_of(("valid", "valid", 58), ("valid", "doubtful", 2))
    table = [replace(one, cluster=f"s{int(one.item[1:]) % 3}") for one in table]
    said = sentence(table, "valid", "doubtful")
    assert "annotators agreed on 58 of 60 pairs" in said
    # D_o = 2 / 60; D_e = 2 * 118 * 2 / (120 * 119) = 0.03305, so 97 % agree by chance and alpha is -0.01.
    assert "97 % of pairs would agree by chance, so Krippendorff's alpha of -0.01 says little" in said
    assert said.endswith("Gwet's AC1, which depends less on that, is 0.97.")


def test_where_labels_are_few_but_balanced_only_the_interval_is_doubted() -> None:
    table = pairs_of(("x", "x", 5), ("y", "y", 6), ("x", "y", 1))
    said = sentence(table, "x", "y")
    # 11 x and 13 y: D_o = 1/12, D_e = 2 * 11 * 13 / (24 * 23) = 0.518, so alpha = 1 - 0.0833 / 0.518 = 0.84.
    assert "Krippendorff's alpha is 0.84 (95 % interval 0." in said
    assert said.endswith(
        ", which may be too short: 11 of 24 labels are not the most frequent one, fewer than 20)."
    )
    assert "says little" not in said


@pytest.mark.parametrize(("rare", "little"), [(3, True), (4, False)])
def test_alpha_says_little_from_a_share_of_the_most_frequent_label_of_eight_tenths(
    rare: int, little: bool
) -> None:
    """Of 40 labels 7 or 9 are b: the others are 82.5 and 77.5 %."""
    said = sentence(pairs_of(("b", "b", rare), ("a", "b", 1), ("a", "a", 19 - rare)), "a", "b")
    assert ("says little" in said) == little
    assert ("may be too short" in said) != little


def test_where_labels_vary_alpha_is_given_with_its_interval() -> None:
    said = sentence(pairs_of(("x", "x", 40), ("y", "y", 40), ("x", "y", 20)), "x", "y")
    assert "agreed on 80 of 100 pairs" in said
    assert "Krippendorff's alpha is 0.60 (95 % interval 0." in said


def test_unequal_numbers_of_labels_give_no_count_of_agreeing_pairs() -> None:
    table = pairs_of(("x", "x", 30), ("y", "x", 29), ("y", "y", 30))
    table += [Rating(item="i0", annotator="c", label="y")]
    assert "% of cases, averaged over items (91 pairs)" in sentence(table, "x", "y")


def test_what_cannot_be_computed_is_said() -> None:
    alone = [Rating(item=f"i{number}", annotator="a", label="x") for number in range(5)]
    said = sentence(alone, "x", "y")
    assert said.startswith(
        "The item: no two annotators labelled the same item. Krippendorff's alpha is undefined"
    )


@pytest.mark.parametrize("label", ["x", "y"])
def test_one_label_throughout_is_said(label: str) -> None:
    said = sentence(pairs_of((label, label, 30)), "x", "y")
    assert "agreed on 30 of 30 pairs" in said
    assert "undefined" in said or "says little" in said


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        ("ordinal", "This alpha counts neighbouring levels as nearly alike"),
        ("interval", "This alpha counts close values as nearly alike"),
        ("set", "This alpha counts sets that share some codes as alike in part."),
        ("nominal", ""),
    ],
)
def test_what_alpha_makes_of_near_misses_is_said_where_the_scale_has_any(scale: Scale, says: str) -> None:
    labels = ("x", "y", "x|y") if scale == "set" else ("1", "2", "3")
    first, second, third = labels
    alike = [(one, one, 30) for one in labels]
    categories = ["x", "y"] if scale == "set" else list(labels)

    def said(table: list[Rating]) -> str:
        return agreement_sentence("Severity", agreement(table, scale=scale, categories=categories))

    sentence = said(pairs_of(*alike, (first, second, 10), (second, third, 20)))
    assert says in sentence
    assert ("This alpha counts" in sentence) == bool(says)
    assert "This alpha counts" not in said(pairs_of(*alike)), "where all agree nothing is a near miss"
