"""Failures are grouped by operation, cause and text, in whatever order and number they come."""

import random
import time

import pytest

from clinicnum.annotations.curation.failure_clusters import LINKED, MOST, cluster_failures
from clinicnum.annotations.curation.labelled_failure import Failure, cause

SLIP, WRONG = "causal_reasoning.arithmetic_slip", "contextual_inconsistency.wrong_record"


def failure(number: int, text: str, *, operation: str = "arithmetic", code: str = SLIP) -> Failure:
    return Failure(
        study_id="s",
        study="six",
        generation=f"g{number}",
        item=f"{number:016x}",
        instance="i",
        template_id="arithmetic.pulse_pressure",
        version=1,
        operation=operation,
        code=code,
        basis="majority",
        simulated=False,
        model="m",
        question="?",
        gold="42",
        parsed="41",
        text=text,
    )


ADDED = "The systolic pressure plus the diastolic pressure gives {}"
LAST = "I look for the last record of the stay, so the answer must be {}"
FAILURES = (
    *(failure(n, ADDED.format(100 + n)) for n in range(6)),
    *(failure(10 + n, LAST.format(n)) for n in range(4)),
    failure(20, ADDED.format(7), code=WRONG),
    failure(21, LAST.format(7), operation="retrieval"),
    failure(30, "\n\x00"),
)


def test_operation_code_and_text_part_failures_and_numbers_do_not() -> None:
    found = cluster_failures(FAILURES).clusters
    sizes = {(one.operation, one.code, len(one.members)) for one in found}
    assert sizes == {
        ("arithmetic", SLIP, 6),
        ("arithmetic", SLIP, 4),
        ("arithmetic", SLIP, 1),
        ("arithmetic", WRONG, 1),
        ("retrieval", SLIP, 1),
    }
    assert [len(one.members) for one in found] == [6, 4, 1, 1, 1]
    assert any("pressure" in word for word in found[0].words)
    assert any("stay" in word or "record" in word for word in found[1].words)
    assert all("#" not in word for one in found for word in one.words)


def test_words_that_most_groups_share_are_not_called_distinctive() -> None:
    said = "Looking at the records, the answer is {}"
    codes = (SLIP, WRONG, "omission.missed_record", "hallucination.fabricated_value")
    alike = [failure(10 * n + k, said.format(k), code=code) for n, code in enumerate(codes) for k in range(3)]
    other = [failure(90 + k, "Declines for want of a chart", code="unanswered.abstention") for k in range(2)]
    found = {one.code: one.words for one in cluster_failures([*alike, *other]).clusters}
    assert found == {code: () for code in codes} | {"unanswered.abstention": ("chart", "declines", "want")}
    assert cluster_failures(alike[:3]).clusters[0].words == (), "an only group differs from none"


def test_the_order_they_come_in_changes_nothing() -> None:
    shuffled = list(FAILURES)
    random.Random(3).shuffle(shuffled)
    assert cluster_failures(shuffled) == cluster_failures(FAILURES)


@pytest.mark.parametrize("texts", [[], ["one"], [""], ["same", "same"], ["", "\x00", "42"], ["a", "b c d"]])
def test_few_and_empty_texts_are_grouped_too(texts: list[str]) -> None:
    found = cluster_failures([failure(n, text) for n, text in enumerate(texts)])
    assert sum(len(one.members) for one in found.clusters) == len(texts)


def test_the_first_examples_are_the_most_typical() -> None:
    odd = failure(99, ADDED.format(1) + " indeed")
    (found,) = cluster_failures([odd, *FAILURES[:6]]).clusters
    assert found.members[-1] == odd


def test_ten_thousand_failures_take_seconds_and_more_are_left_out() -> None:
    rng = random.Random(1)
    words = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ara", "elo", "itu", "oso")]
    texts = [" ".join(rng.choices(words[k % 5 * 9 : k % 5 * 9 + 9], k=60)) for k in range(MOST + 5)]
    before = time.process_time()
    found = cluster_failures([failure(n, text) for n, text in enumerate(texts)])
    assert time.process_time() - before < 60
    assert found.left_out == 5
    assert sum(len(one.members) for one in found.clusters) == MOST > LINKED
    assert sum(len(one.members) for one in found.clusters[:5]) > 0.9 * MOST


CAUSES = {
    "a decision settles it": ([("acceptable", None)] * 3, ("failure", SLIP), (SLIP, "adjudicated")),
    "a decision that it is none": ([("failure", SLIP)] * 3, ("acceptable", None), None),
    "most give one code": (
        [("failure", SLIP), ("failure", SLIP), ("failure", WRONG)],
        None,
        (SLIP, "majority"),
    ),
    "most give one class": (
        [("failure", SLIP), ("failure", "causal_reasoning.wrong_formula"), ("failure", WRONG)],
        None,
        ("causal_reasoning", "majority"),
    ),
    "all differ": (
        [("failure", WRONG), ("failure", SLIP), ("failure", "omission")],
        None,
        (SLIP, "labels"),
    ),
    "half call it a failure": ([("failure", SLIP), ("acceptable", None)], None, (SLIP, "labels")),
    "most call it none": ([("failure", SLIP), ("acceptable", None), ("acceptable", None)], None, None),
    "nobody judged it": ([], None, None),
}


@pytest.mark.parametrize("case", CAUSES)
def test_what_judgements_come_to(case: str) -> None:
    votes, decision, expected = CAUSES[case]
    assert cause(votes, decision) == expected  # type: ignore[arg-type]
