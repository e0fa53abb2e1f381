"""Why a generation failed, with evidence: distractors, trace check, chance match rates, and measures of the
generation's working.
"""

from clinicnum.diagnosis.chance_matches import Rates, rates_for
from clinicnum.diagnosis.reasoning_metrics import StepMeasures, mean_shares, measure_steps
from clinicnum.diagnosis.suggest import suggest
from clinicnum.diagnosis.suggest_all import calls_for_cause, suggest_all

__all__ = [
    "Rates",
    "StepMeasures",
    "calls_for_cause",
    "mean_shares",
    "measure_steps",
    "rates_for",
    "suggest",
    "suggest_all",
]
