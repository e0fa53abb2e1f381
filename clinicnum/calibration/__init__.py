"""Calibration of a model's confidence: Brier score, slope and intercept, calibration error."""

from clinicnum.calibration.ece import Bin, CalibrationError, calibration_error
from clinicnum.calibration.table import CalibrationRow, Coefficient, calibration_row, calibration_table

__all__ = [
    "Bin",
    "CalibrationError",
    "CalibrationRow",
    "Coefficient",
    "calibration_error",
    "calibration_row",
    "calibration_table",
]
