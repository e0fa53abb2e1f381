"""The open data that tests read: in the checkout, or whole in the folder that CLINICNUM_OPEN_DATA names."""

import os
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_WHOLE = os.environ.get("CLINICNUM_OPEN_DATA")
IN_CHECKOUT = Path(__file__).parent / "data"
DATA = Path(_WHOLE) if _WHOLE else IN_CHECKOUT
AGREEMENT = IN_CHECKOUT / "agreement"
MEDCALC = DATA / "medcalc-bench" / "test_data_v1.csv"
MEDCALC_ANSWERS = DATA / "medcalc-bench" / "gpt-4o-mini_direct_answer.jsonl"
MEDEC = DATA / "medec" / "MEDEC-MS-ValidationSet-with-GroundTruth-and-ErrorType.csv"
MIMIC_VITALSIGN = DATA / "mimic-iv-ed-demo-2.2" / "ed" / "vitalsign.csv.gz"
MIMIC_PATIENTS = DATA / "mimic-iv-demo-2.2" / "hosp" / "patients.csv.gz"


def figure(*, subset: T, whole: T) -> T:
    """The published figure of the whole file, or that of the rows in the checkout."""
    return whole if _WHOLE else subset
