"""A signature of a report fires only where the interval of its figure excludes the threshold."""

import pytest

from clinicnum.annotations.report.sections.failure_signatures import verdict
from clinicnum.stats.interval_estimate import share, undefined_figure


@pytest.mark.parametrize(
    ("rights", "above", "expected"),
    [
        pytest.param(38, True, "fires", id="the whole interval lies above"),
        pytest.param(2, True, "quiet", id="the whole interval lies below"),
        pytest.param(
            21, True, "open: the interval holds the threshold", id="the interval holds the threshold"
        ),
        pytest.param(2, False, "fires", id="a floor fires below"),
    ],
)
def test_a_signature_fires_only_where_its_interval_excludes_the_threshold(
    rights: int, above: bool, expected: str
) -> None:
    figure = share([(f"s{n}", float(n < rights)) for n in range(40)])
    assert verdict(figure, 0.5, above=above) == expected
    assert verdict(undefined_figure("no failure"), 0.5, above=above) == "not measured: no failure"
