"""Calibration of a model's confidence: Brier score, slope and intercept, calibration error."""

from clinicnum.calibration.calibration_by_operation import (
    CalibrationRow,
    Coefficient,
    calibration_row,
    calibration_table,
)
from clinicnum.calibration.ece import Bin, CalibrationError, calibration_error

__all__ = [
    "Bin",
    "CalibrationError",
    "CalibrationRow",
    "Coefficient",
    "calibration_error",
    "calibration_row",
    "calibration_table",
]
