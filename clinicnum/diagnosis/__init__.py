"""Why a generation failed, with the evidence: distractors, trace check, placebo rates, and steps of a working."""

from clinicnum.diagnosis.placebo import Rates, rates_for
from clinicnum.diagnosis.suggest import suggest

__all__ = ["Rates", "rates_for", "suggest"]
