"""Agreement in the course of a study, and the items that annotators differ on most."""

from datetime import UTC, datetime, timedelta

import pytest

from clinicnum.annotations.agreement import AgreementResult
from clinicnum.annotations.reliability.agreement_over_time import course
from clinicnum.annotations.reliability.disputed_items import most_disputed

START = datetime(2180, 5, 10, tzinfo=UTC)


def study(differing: list[bool]) -> tuple[dict[str, dict[str, str]], dict[str, datetime]]:
    """Two annotators, an item an hour; the items named in reverse, so that no name gives the order away."""
    labels, completed = {}, {}
    for hour, differs in enumerate(differing):
        item = f"i{len(differing) - hour:03}"
        first = "x" if hour % 2 else "y"
        other = {"x": "y", "y": "x"}[first]
        labels[item] = {"a": first, "b": other if differs else first}
        completed[item] = START + timedelta(hours=hour)
    return labels, completed


def percent(result: AgreementResult) -> float | None:
    return result.coefficient("percent_agreement").value


def test_annotators_who_learn_agree_more_from_part_to_part() -> None:
    labels, completed = study([True] * 10 + [False] * 10)
    found = course(labels, completed, categories=("x", "y"), subjects={one: one for one in labels})
    assert [percent(one.here) for one in found] == [0.0, 1.0]
    assert [percent(one.so_far) for one in found] == [0.0, 0.5]
    # By hand: all pairs differ, and of two labels drawn from ten of each 2 * 10 * 10 in 20 * 19 would.
    alpha = found[0].here.coefficient("krippendorff_alpha_nominal").value
    assert alpha == pytest.approx(1 - 1 / (2 * 10 * 10 / (20 * 19)))
    assert (found[0].first, found[0].last) == (START, START + timedelta(hours=9))


@pytest.mark.parametrize(("items", "sizes"), [(9, []), (10, [10]), (29, [14, 15]), (200, [40] * 5)])
def test_there_are_at_most_five_parts_of_ten_items_or_more(items: int, sizes: list[int]) -> None:
    labels, completed = study([False] * items)
    found = course(labels, completed, categories=("x", "y"), subjects={one: one for one in labels})
    assert [one.here.population.items for one in found] == sizes


def test_items_with_one_label_are_in_no_part() -> None:
    labels, completed = study([False] * 20)
    for item in list(labels)[:10]:
        del labels[item]["b"]
    (only,) = course(labels, completed, categories=("x", "y"), subjects={one: one for one in labels})
    assert only.first == START + timedelta(hours=10)


def test_what_most_pairs_differ_on_comes_first_and_what_all_agree_on_is_left_out() -> None:
    labels = {
        "alike": {"a": "x", "b": "x", "c": "x"},
        "two to one": {"a": "x", "b": "x", "c": "y"},
        "all differ": {"a": "x", "b": "y", "c": "z"},
        "two differ": {"a": "x", "b": "y"},
        "alone": {"a": "x"},
    }
    found = most_disputed(labels, 10)
    assert [(one.item, one.differing, one.pairs) for one in found] == [
        ("all differ", 3, 3),
        ("two differ", 1, 1),
        ("two to one", 2, 3),
    ]
    assert [one.item for one in most_disputed(labels, 1)] == ["all differ"]
