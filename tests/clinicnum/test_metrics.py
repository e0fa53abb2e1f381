"""Accuracy tables counted by hand."""

from datetime import timedelta

import pytest

from clinicnum.scoring import score
from clinicnum.stats.accuracy import AccuracyRow, Pair, accuracy_table
from clinicnum.types import Instance
from tests.clinicnum.answering import START, generation, instance


def _pair(of: Instance, text: str) -> Pair:
    return of, score(instance=of, generation=generation(text, of=of))


def _rows(pairs: list[Pair]) -> dict[tuple[str, str], AccuracyRow]:
    return {(row.operation, row.representation): row for row in accuracy_table(pairs).rows}


def test_counts_by_operation_and_representation() -> None:
    pairs = [
        _pair(instance(0), '{"answer": 110}'),
        _pair(instance(1), "110"),
        _pair(instance(2), "no idea at all"),
        _pair(instance(3, representation="note"), '{"answer": 88}'),
        _pair(instance(4, operation="arithmetic"), '{"answer": 110}'),
    ]
    rows = _rows(pairs)
    cell = rows["retrieval", "structured"]
    assert (cell.n, cell.correct, cell.strict_correct, cell.n_subjects) == (3, 2, 1, 3)
    assert cell.accuracy == pytest.approx(2 / 3)
    assert cell.statuses["unparsable"] == 1
    assert (rows["retrieval", "all"].n, rows["retrieval", "all"].correct) == (4, 2)
    assert (rows["all", "structured"].n, rows["all", "structured"].correct) == (4, 3)
    assert (rows["all", "all"].n, rows["all", "all"].correct) == (5, 3)
    assert list(rows)[-1] == ("all", "all")


def test_what_does_not_discriminate_is_left_out_and_counted() -> None:
    pairs = [_pair(instance(0), "110"), _pair(instance(1, flags=("count_zero",)), "88")]
    table = accuracy_table(pairs)
    assert (table.n_scored, table.n_flagged) == (2, 1)
    assert table.overall is not None
    assert (table.overall.n, table.overall.n_flagged, table.overall.accuracy) == (1, 1, 1.0)


def test_variants_are_left_out_and_counted() -> None:
    table = accuracy_table([_pair(instance(0), "110"), _pair(instance(1, variant="input.typo"), "88")])
    assert (table.n_scored, table.n_variants) == (2, 1)
    assert table.overall is not None
    assert (table.overall.n, table.overall.accuracy) == (1, 1.0)


def test_only_flagged_items_leave_an_undefined_accuracy_with_its_reason() -> None:
    row = _rows([_pair(instance(0, flags=("count_zero",)), "110")])["all", "all"]
    assert (row.n, row.accuracy, row.strict_accuracy, row.baselines.zero) == (0, None, None, None)
    assert row.interval.undefined == "0 subjects; an interval needs at least 5"


def test_nothing_scored_is_an_empty_table() -> None:
    assert accuracy_table([]).overall is None


def test_interval_takes_subjects_as_clusters() -> None:
    # 6 subjects with 2 items each; subjects 0 to 2 all right, 3 to 5 all wrong: accuracy 0.5. Without a right
    # subject 4/10, without a wrong one 6/10: variance 5/6 * 6 * 0.01 = 0.05, so
    # 0.25 / 0.05 = 5 items in effect. Wilson with t(5; 0.975) = 2.570582 in place of 1.96:
    # half = t / (1 + t^2/5) * sqrt(0.25/5 + t^2/(4 * 25)).
    texts = ["110", "110", "110", "88", "88", "88"] * 2
    row = _rows([_pair(instance(i), text) for i, text in enumerate(texts)])["all", "all"]
    t = 2.570582
    half = t / (1 + t**2 / 5) * (0.25 / 5 + t**2 / 100) ** 0.5
    assert row.accuracy == 0.5
    assert row.interval.low == pytest.approx(0.5 - half, abs=1e-6)
    assert row.interval.high == pytest.approx(0.5 + half, abs=1e-6)


def test_baselines() -> None:
    # Heart rates in time: 88, 110, 50. The four golds: 88 (first), 50 (last), 0 and 88 once more.
    golds = [instance(i, answer=answer) for i, answer in enumerate(("88", "50", "0", "88"))]
    baselines = _rows([_pair(gold, "") for gold in golds])["all", "all"].baselines
    assert baselines.first_record == 0.5
    assert baselines.last_record == 0.25
    assert baselines.zero == 0.25
    assert baselines.majority == 0.5


def test_baselines_of_times_and_of_records_shown_out_of_order() -> None:
    shuffled = tuple(reversed(instance().records))
    times = {"answer_type": "datetime", "records": shuffled, "decimals": None}
    first = instance(0, answer=f"{START:%Y-%m-%d %H:%M:%S}", **times)
    other = instance(1, answer=f"{START + timedelta(hours=1):%Y-%m-%d %H:%M:%S}", **times)
    baselines = _rows([_pair(first, ""), _pair(other, "")])["all", "all"].baselines
    assert (baselines.first_record, baselines.last_record, baselines.zero) == (0.5, 0.0, 0.0)


def test_the_order_of_the_pairs_does_not_matter() -> None:
    pairs = [_pair(instance(i, answer=str(80 + i % 3)), str(80 + i % 2)) for i in range(24)]
    assert accuracy_table(pairs) == accuracy_table(pairs[::-1])


def _external(number: int) -> Instance:
    return instance(number, operation="external", representation="external", records=(), evidence=())


def test_items_without_records_have_no_baseline_of_records() -> None:
    table = accuracy_table([_pair(_external(n), "110") for n in range(3)])
    assert table.overall is not None
    found = table.overall.baselines
    assert (found.first_record, found.last_record, found.zero, found.majority) == (None, None, None, 1.0)


def test_rows_of_the_same_items_stand_once() -> None:
    elsewhere = [_pair(_external(n), "110") for n in range(3)]
    ours = [_pair(instance(9), "110"), _pair(instance(8, operation="arithmetic"), "110")]

    def shown(pairs: list[Pair]) -> list[tuple[str, str]]:
        return [(one.operation, one.representation) for one in accuracy_table(pairs).distinct_rows]

    assert shown(elsewhere) == [("external", "external")]
    assert len(accuracy_table(elsewhere).rows) == 4
    assert shown(ours) == list(_rows(ours))
    assert sorted(shown(elsewhere + ours)) == sorted([*_rows(ours), ("external", "external")])
    assert shown([]) == []


def test_without_a_form_that_was_asked_for_there_is_no_strict_accuracy() -> None:
    pairs = [_pair(instance(0), '{"answer": 110}'), _pair(instance(1), "110")]
    known, unknown = accuracy_table(pairs).overall, accuracy_table(pairs, form_asked=False).overall
    assert known is not None
    assert unknown is not None
    assert (known.strict_correct, known.strict_accuracy) == (1, 0.5)
    assert (unknown.strict_correct, unknown.strict_accuracy, unknown.accuracy) == (None, None, 1.0)
