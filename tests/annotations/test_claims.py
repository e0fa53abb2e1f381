"""Sentences as they are cut, verdicts as they are checked, and what they come to."""

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from clinicnum.annotations.claim_verdict import CLAIM_VERDICTS, claims_text, parts_of
from clinicnum.annotations.claims.claim import (
    Claim,
    check_claims,
    claim_of_key,
    claims_of_answer,
    claims_of_reference,
)
from clinicnum.annotations.claims.split_sentences import MOST_SENTENCES, sentences
from clinicnum.annotations.claims.verdict_shares import CheckedAnswer, Measure, differences, model_figure
from clinicnum.annotations.judgement import Judgement
from clinicnum.errors import InputError
from tests.annotations.planted_claims import planted
from tests.clinicnum.answers import HR

CUT = (
    "HR was 88 b.p.m. and rose to 102 b.p.m. at 9:30. | Dr. J. Smith saw it, e.g. twice. | Temp. was high.",
    "Give 1.5 mg/kg i.v. q.d. | Check vs. baseline approx. 3 h. | It fell (cf. Fig. 2). | Give p.o. | Ok.",
    "He took 5 mg. | Metoprolol was begun. | No. 3 of St. Mary's, i.e. the ward. | It is hepatitis B. | Old.",
    "Is it stable? | Yes! | “It is.” | She left.[1] | Max. 3 a day, z. B. Aspirin. | At 88 b.p.m. 120/80.",
    "It was 38. | Then 39.5... | More.",
    "血圧正常。|脈拍88。",
)


@pytest.mark.parametrize("marked", CUT)
def test_a_line_is_cut_between_sentences_only(marked: str) -> None:
    wanted = [one.strip() for one in marked.split("|")]
    text = ("" if "。" in marked else " ").join(wanted)
    assert [text[start:end] for start, end in sentences(text)] == wanted


def test_lists_headings_and_wrapped_lines() -> None:
    text = (
        "## Assessment\n**Plan:**\n1. Give aspirin.\n2. Stop heparin\n   - check\nthe platelets.\n\n(a) "
        "Recheck at 88\nbeats. Then\n\nhome. \n|---|---|\n| HR | 88 |\n---\n3)\nNothing follows:"
    )
    assert [text[start:end] for start, end in sentences(text)] == [
        "Assessment\n**Plan:**\n1. Give aspirin.",
        "Stop heparin",
        "check\nthe platelets.",
        "Recheck at 88\nbeats.",
        "Then",
        "home.",
        "| HR | 88 |",
        "Nothing follows:",
    ]


def test_a_text_without_end_has_a_last_sentence_with_the_rest() -> None:
    assert sentences("") == sentences(" \n...\n") == ()
    text = "It is 88. " * 1_000
    found = sentences(text)
    assert len(found) == MOST_SENTENCES
    assert found[-1][1] == len(text.rstrip())
    assert all(one[1] <= other[0] for one, other in pairwise(found))


def test_claims_name_their_characters_and_skip_thinking() -> None:
    text = "<think>Is it 88? No.</think>It is 90. He is well."
    claims = claims_of_answer(text)
    assert [text[one.start : one.end] for one in claims] == ["It is 90.", "He is well."]
    assert [claim_of_key(one.key) for one in claims] == list(claims)
    assert claims_of_reference(HR) == (Claim(part="reference", start=0, end=len(HR.answer or "")),)
    assert claims_of_reference(HR.model_copy(update={"answer": None})) == ()
    assert claims_of_reference(HR.model_copy(update={"options": ("A. x", "B. y")})) == ()


def test_each_sentence_and_nothing_else_is_judged() -> None:
    claims = (Claim(part="answer", start=0, end=5), Claim(part="reference", start=0, end=2))

    def judged(**claims: str) -> Judgement:
        named = {key.replace("_", "-"): verdict for key, verdict in claims.items()}
        return Judgement.model_validate({"response_judgement": "checked", "claims": named})

    check_claims(judged(a0_5="contradicted:major", r0_2="stated"), claims)
    for wrong, says in (
        (judged(a0_5="supported"), "1 of 2 sentences are not judged yet"),
        (judged(a0_5="supported", r0_2="stated", a6_9="supported"), "'a6-9' is no sentence"),
        (judged(a0_5="stated", r0_2="stated"), "'stated' cannot be said of sentence a0-5"),
        (judged(a0_5="supported", r0_2="not_addressed:none"), "cannot be said of sentence r0-2"),
    ):
        with pytest.raises(InputError, match=says):
            check_claims(wrong, claims)
    for name in ("b0-5", "a00-5", "a0-0", "a0-5 "):
        with pytest.raises(ValueError, match="claims"):
            Judgement.model_validate({"response_judgement": "checked", "claims": {name: "supported"}})
    with pytest.raises(ValueError, match="claims"):
        Judgement.model_validate({"response_judgement": "acceptable", "claims": {"a0-5": "supported"}})
    text = claims_text(
        {"a0-1": "not_addressed:none", "a1-2": "contradicted:major", "a2-3": "not_addressed:none"}
    )
    assert text == "1 contradicted (major harm), 2 not addressed (no harm)"
    assert {parts_of(one)[1] for one in CLAIM_VERDICTS} == {None, "none", "minor", "major"}


R_SURVEY = {
    "supported": (0.77272727273, 0.04116439063, 0.74923547401, 0.03844388969, 0.02349179872, 0.03597702752),
    "contradicted": (
        0.12121212121,
        0.03901229037,
        0.06727828746,
        0.01457636192,
        0.05393383375,
        0.03498467904,
    ),
    "omitted": (0.17361111111, 0.04285960624, 0.27083333333, 0.04824901213, -0.09722222222, 0.05626130015),
    "claims": (4.58333333333, 0.40279954661, 4.54166666667, 0.46244710317, 0.04166666667, 0.25715763746),
}
"""Ratio and its standard error of both models, difference and its error: `svyratio` and `withReplicates` of
R's survey 4.1-1 with the totals of each answer, `svydesign(ids = ~subject)` and JK1 replicates.
"""


@pytest.mark.parametrize("measure", get_args(Measure))
def test_ratios_and_differences_are_those_of_the_survey_package(measure: Measure) -> None:
    if measure not in R_SURVEY:
        return
    judged = planted(np.random.default_rng(5), subjects=12)
    found = [model_figure(answers, measure) for answers in judged.values()]
    found += [one.figure for one in differences(judged, measure)]
    flat = [value for one in found for value in (one.value, one.interval.se)]
    assert flat == pytest.approx(R_SURVEY[measure], abs=2e-11)


def test_weights_annotators_and_what_is_undefined() -> None:
    one = CheckedAnswer("i", "s", [{"a0-1": "supported"}, {"a0-1": "contradicted:major"}], 3.0)
    other = CheckedAnswer("j", "t", [{"a0-1": "supported", "a2-3": "not_addressed:none"}])
    assert model_figure([one, other], "supported").value == pytest.approx((3 * 0.5 + 1) / (3 + 2))
    assert model_figure([one, other], "major_harm").value == pytest.approx(3 * 0.5 / 4)
    assert model_figure([one, other], "claims").value == pytest.approx((3 * 1 + 2) / 4)
    assert model_figure([one, other], "omitted").undefined == "no item has a reference"
    assert model_figure([], "claims").undefined == "no answer is judged"
    empty = CheckedAnswer("i", "s", [{"r0-1": "omitted:none"}])
    assert model_figure([empty], "supported").undefined == "no answer has a sentence"
    assert model_figure([empty], "omitted").value == 1
    (apart,) = differences({"apt": [one], "bold": [other]}, "supported")
    assert apart.figure.undefined == "no item on which an answer of both is judged"
    few = model_figure([one, other], "claims").interval
    assert few.undefined == "2 subjects; an interval needs at least 5"


def test_a_difference_that_nothing_shows_still_has_an_interval() -> None:
    same = {
        name: [CheckedAnswer(f"i{at}", f"s{at}", [{"a0-1": "supported"}]) for at in range(20)]
        for name in ("apt", "bold")
    }
    (found,) = differences(same, "contradicted")
    assert found.figure.value == 0
    assert found.figure.interval.low is not None
    assert found.figure.interval.low < 0
    (length,) = differences(same, "claims")
    assert "no width" in str(length.figure.interval.undefined)
