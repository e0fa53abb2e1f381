"""Instances whose failures have known causes, and the causes that are suggested for a text."""

from clinicnum.diagnosis import Rates, suggest
from clinicnum.scoring import score
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance

NO_RATES = Rates({})
WRONG_RECORD, WRONG_VITAL = "contextual_inconsistency.wrong_record", "contextual_inconsistency.wrong_vital"
FABRICATED = "hallucination.fabricated_value"
HR = instance()
TIME = instance(
    answer="2180-05-10 09:12:30",
    answer_exact=None,
    answer_type="datetime",
    decimals=None,
    unit=None,
    operation="comparison",
    question="When was the heart rate highest? Answer with the date and time as YYYY-MM-DD HH:MM:SS.",
)
UNCHANGED = instance(
    answer="0.83",
    answer_exact="5/6",
    decimals=2,
    unit="%",
    operation="arithmetic",
    distractors=({"value": "0.00", "rule": "resp_rate_bpm_for_heart_rate_bpm", "code": WRONG_VITAL},),
)
PRESSURE = instance(
    question="What was the pulse pressure at 2180-05-10 09:12:30?",
    operation="arithmetic",
    answer="40",
    worked=("At 2180-05-10 09:12:30: systolic pressure 120 mmHg.", "120 - 80 = 40."),
    evidence=({"record": 1, "vital": "sbp_mmhg"}, {"record": 1, "vital": "dbp_mmhg"}),
    unit="mmHg",
)


def causes(gold: Instance, text: str, finish: str = "stop") -> list[tuple[str, str]]:
    given_text = generation(text, of=gold, finish=finish)
    judged = score(instance=gold, generation=given_text)
    found = suggest(instance=gold, generation=given_text, score=judged, rates=NO_RATES)
    assert [cause.rank for cause in found] == list(range(1, len(found) + 1))
    return [(cause.code, cause.sentence) for cause in found]
