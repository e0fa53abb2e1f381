"""Agreement between annotators: one function, `agreement`, that everything calls."""

from clinicnum.annotations.agreement.compute_agreement import agreement
from clinicnum.annotations.agreement.label_table import LabelTable
from clinicnum.annotations.agreement.types import (
    NONE,
    SCALES,
    AgreementResult,
    AlternativeInterval,
    CoefficientValue,
    Exclusion,
    PairAgreement,
    Population,
    Rating,
    Scale,
    Strength,
)

__all__ = [
    "NONE",
    "SCALES",
    "AgreementResult",
    "AlternativeInterval",
    "CoefficientValue",
    "Exclusion",
    "LabelTable",
    "PairAgreement",
    "Population",
    "Rating",
    "Scale",
    "Strength",
    "agreement",
]
