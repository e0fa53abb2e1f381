"""Why a generation failed, with the evidence: distractors, trace check, placebo rates, and steps of a
working.
"""

from clinicnum.diagnosis.many import suggest_all
from clinicnum.diagnosis.placebo import Rates, rates_for
from clinicnum.diagnosis.steps import StepMeasures, mean_shares, measure_steps
from clinicnum.diagnosis.suggest import suggest

__all__ = ["Rates", "StepMeasures", "mean_shares", "measure_steps", "rates_for", "suggest", "suggest_all"]
