"""Agreement between annotators: one function, `agreement`, that everything calls."""

from annotations.agreement.compute import agreement
from annotations.agreement.types import (
    NONE,
    SCALES,
    AgreementResult,
    CoefficientValue,
    LeftOut,
    Population,
    Rating,
    Scale,
)

__all__ = [
    "NONE",
    "SCALES",
    "AgreementResult",
    "CoefficientValue",
    "LeftOut",
    "Population",
    "Rating",
    "Scale",
    "agreement",
]
