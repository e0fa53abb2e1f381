"""Figures as text: rounded by their decimal digits, not by the binary number that stands for them."""

import pytest

from clinicnum.stats.rounded_figures import percent, rounded


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(69, 240, "28.8"), (81, 240, "33.8"), (1, 16, "6.2"), (3, 16, "18.8"), (2, 3, "66.7"), (1, 1, "100.0")],
)
def test_a_share_that_ends_in_5_goes_to_the_even_digit(part: int, whole: int, said: str) -> None:
    assert percent(part / whole) == said


def test_signs_and_decimals_are_as_asked() -> None:
    assert rounded(2.345, 2) == "2.34"
    assert rounded(-2.25, 1, signed=True) == "-2.2"
    assert rounded(0.0, 1, signed=True) == "+0.0"
    assert percent(0.575, 0) == "58"
