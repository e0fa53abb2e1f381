"""Generations as columns: facets with their counts, several values a row, and frames of several runs."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from clinicnum.annotations.explore.facet import Facet, concatenated
from clinicnum.annotations.explore.facet_names import BANDS, MADE_ELSEWHERE, OUTCOMES, TITLES, band
from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame, QuestionTable, make_frame
from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.annotations.explore.worst_slices import slice_table
from clinicnum.errors import InputError
from tests.db.examples import instance


def question(number: int, **fields: Any) -> dict[str, Any]:
    return instance(number).model_dump(mode="json") | {"flags": []} | fields


QUESTIONS = [
    question(0, operation="retrieval", evidence=[{"record": 0, "vital": "spo2_pct"}]),
    question(1, operation="arithmetic", tags=["one_step", "mechanical"], flags=["count_zero"]),
    question(2, operation="arithmetic", variant="input.typo", evidence=[], tags=[], records=[], context=""),
    question(3, operation="external", subject_id="s0", context="x" * 500),
]
STATUSES = ["correct", "incorrect", "correct", "error"]


def answers(run: str, statuses: list[str]) -> AnswerTable:
    return AnswerTable.of(
        (
            (
                f"{run}-{at}",
                at,
                {"finish_reason": "stop", "answer_confidence": at / 3},
                {"status": status, "form": "json", "strict": False},
            )
            for at, status in enumerate(statuses)
        ),
        run=run,
        model=f"model of {run}",
    )


def frame(*runs: tuple[str, list[str]]) -> Frame:
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate(QUESTIONS))
    return make_frame([(table, answers(run, statuses)) for run, statuses in runs or [("a", STATUSES)]])


def counts(of: Frame, name: str, **where: list[str]) -> dict[str, int]:
    found = zip(of.facets[name].values, of.counts(where)[name].tolist(), strict=True)
    return {value: n for value, n in found if n}


def test_each_facet_tells_what_is_in_the_payloads() -> None:
    of = frame()
    assert counts(of, "operation") == {"retrieval": 1, "arithmetic": 2, "external": 1}
    assert counts(of, "status") == {"correct": 2, "incorrect": 1, "error": 1}
    assert counts(of, "correct") == {"yes": 2, "no": 2}
    assert counts(of, "context_length") == {"0-499": 3, "500-999": 1}
    assert counts(of, "records") == {"0": 1, "2": 3}
    assert counts(of, "confidence") == {"0-0.5": 2, "0.5-0.7": 1, "0.99-1": 1}
    assert counts(of, "patient") == {"s0": 2, "s1": 1, "s2": 1}
    assert counts(of, "headline") == {"yes": 1, "no": 3}, "variants, flagged ones and failed samples are out"
    assert of.correct.tolist() == [True, False, True, False]
    assert of.answered.tolist() == [True, True, True, False]
    assert of.subjects.names == ("s0", "s1", "s2")
    assert of.keys.tolist() == [b"a-0", b"a-1", b"a-2", b"a-3"]


def test_a_row_counts_under_each_of_its_values_and_one_without_any_under_none() -> None:
    of = frame()
    assert counts(of, "vital") == {"": 1, "spo2_pct": 1, "sbp_mmhg": 2, "dbp_mmhg": 2}
    assert counts(of, "tag") == {"": 1, "one_step": 3, "mechanical": 1}
    assert of.facets["tag"].values_of(1) == ("mechanical", "one_step")
    assert of.choose({"vital": ["sbp_mmhg", "spo2_pct"]}).tolist() == [True, True, False, True]
    assert of.choose({"vital": [""]}).tolist() == [False, False, True, False]


def test_counts_follow_the_other_facets_and_what_is_searched() -> None:
    of = frame()
    chosen = {"operation": ["arithmetic"], "correct": ["no"]}
    assert of.choose(chosen).tolist() == [False, True, False, False]
    assert counts(of, "operation", **chosen) == {"arithmetic": 1, "external": 1}, "what choosing would show"
    assert counts(of, "correct", **chosen) == {"yes": 1, "no": 1}
    assert counts(of, "patient", **chosen) == {"s1": 1}
    assert of.choose({"operation": [], "correct": ["yes"]}).sum() == 2, "an empty choice does not restrict"
    within = np.array([True, False, False, False])
    assert of.counts({}, within)["operation"].sum() == 1
    assert of.choose({"operation": ["no such"]}).sum() == 0
    with pytest.raises(InputError, match=r"no facet 'no such'; expected one of headline, run"):
        of.choose({"no such": ["x"]})


def test_runs_on_one_benchmark_share_their_instances_and_others_do_not() -> None:
    two = frame(("a", STATUSES), ("b", ["incorrect"]))
    assert two.instances.tolist() == [0, 1, 2, 3, 0]
    assert counts(two, "model") == {"model of a": 4, "model of b": 1}
    other = QuestionTable.of([("x", question(9, operation="comparison", tags=["new"]))])
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate(QUESTIONS))
    both = make_frame([(table, answers("a", STATUSES)), (other, answers("c", ["correct"]))])
    assert both.instances.tolist() == [0, 1, 2, 3, 4]
    assert counts(both, "operation") == {"retrieval": 1, "arithmetic": 2, "comparison": 1, "external": 1}
    assert both.facets["operation"].values == ("retrieval", "arithmetic", "comparison", "external")
    assert counts(both, "tag") == {"": 1, "mechanical": 1, "new": 1, "one_step": 3}
    part = both[both.choose({"run": ["c"]})]
    assert (len(part), part.subjects.names, part.facets["tag"].values_of(0)) == (1, ("s9",), ("new",))
    with pytest.raises(InputError, match="no run is chosen"):
        make_frame([])


def test_any_columns_put_together_keep_each_rows_values() -> None:
    draw = np.random.default_rng(0)
    words = ["", "a", "b", "c", "d"]
    rows = [
        [tuple(sorted(set(draw.choice(words[1:], draw.integers(0, 3))))) for _ in range(50)] for _ in range(3)
    ]
    whole = concatenated([Facet.of(part, ("d",)) for part in rows], ("d",))
    flat = [one or ("",) for part in rows for one in part]
    assert [set(whole.values_of(at)) for at in range(len(whole))] == [set(one) for one in flat]
    assert whole.values[0] == "d"
    mask = draw.random(150) < 0.5
    expected = Counter(word for one, kept in zip(flat, mask, strict=True) if kept for word in one)
    counted = dict(zip(whole.values, whole.counts(mask).tolist(), strict=True))
    assert {word: n for word, n in counted.items() if n} == expected


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"headline": ("yes",)}, "answers that count in the accuracy"),
        ({"headline": ("yes", "no")}, ""),
        (
            {"strict": ("no",), "variant": ("", "renamed")},
            "variant: none or renamed; answers that are not right in the form asked for",
        ),
    ],
)
def test_a_slice_is_told_in_plain_english(where: dict[str, tuple[str, ...]], words: str) -> None:
    assert SliceQuery(where=where).words() == words


def test_bands_hold_their_first_number_and_every_facet_has_a_title() -> None:
    for name, (starts, names) in BANDS.items():
        assert [band(name, start) for start in starts] == list(names)
        assert band(name, None) == ""
    assert band("context_length", 499) == "0-499"
    assert band("context_length", 10**9) == "16000+"
    assert band("confidence", 1.0) == "0.99-1"
    assert set(TITLES) >= OUTCOMES
    assert {*frame().facets} <= {*TITLES}


def test_dimensions_are_facets_also_beside_a_benchmark_that_lacks_them() -> None:
    kinds = [{"category": "lab", "ward": "icu"}, {"category": "risk", "ward": "er", "unit": "x"}]
    asked = QuestionTable.of((f"d{at}", question(at, dimensions=one)) for at, one in enumerate(kinds))
    plain = QuestionTable.of((f"q{at}", one) for at, one in enumerate(QUESTIONS))
    of = make_frame([(asked, answers("a", STATUSES[:2])), (plain, answers("b", STATUSES))])
    assert counts(of, "category") == {"lab": 1, "risk": 1, "": 4}
    assert counts(of, "dimension") == {"ward: icu": 1, "ward: er": 1, "unit: x": 1, "": 4}
    assert of.choose({"category": ["lab"], "dimension": ["ward: icu", "ward: er"]}).sum() == 1
    assert "task" not in of.facets
    assert not of.choose({"task": ["x"]}).any()


def test_questions_that_share_no_patient_are_their_own_subjects() -> None:
    assert not frame().each_is_own_subject  # q0 and q3 are of one patient
    apart = QuestionTable.of((f"q{at}", question(at, subject_id=f"s{at}")) for at in range(4))
    runs = [(apart, answers(run, STATUSES)) for run in ("a", "b")]
    assert make_frame(runs).each_is_own_subject


def test_what_questions_made_elsewhere_ask_about_is_not_known() -> None:
    elsewhere = question(0, operation="external", evidence=[], records=[])
    named = question(1, operation="external", evidence=[{"record": 0, "vital": "spo2_pct"}])
    ours = question(2, operation="arithmetic", evidence=[])
    table = QuestionTable.of((f"q{at}", one) for at, one in enumerate([elsewhere, named, ours]))
    of = make_frame([(table, answers("a", STATUSES[:3]))])
    assert counts(of, "vital") == {MADE_ELSEWHERE: 1, "spo2_pct": 1, "": 1}
    assert counts(of, "steps")[""] == 2
    assert "not known: made elsewhere" in SliceQuery(where={"vital": (MADE_ELSEWHERE,)}).words()
    searched = slice_table(of, np.ones(3, dtype=bool))[["vital", "steps"]]
    assert searched.isna().to_numpy().tolist() == [[True, True], [False, True], [True, False]]
