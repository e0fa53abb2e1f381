"""The rates of the scorer against the majority, weighted by the chance of being drawn."""

import numpy as np
import pytest

from clinicnum.annotations.report.scorer_check import Checked, rates
from clinicnum.stats.clustered_intervals import Subjects


def _scans(weight_abnormal: float, weight_normal: float) -> Checked:
    """Altman and Bland's liver scans, an abnormal scan being "scored wrong", abnormal pathology a failure."""
    times = (231, 32, 27, 54)
    abnormal = np.repeat([True, True, False, False], times)
    return Checked(
        keys=frozenset(map(str, range(sum(times)))),
        subjects=Subjects.of(map(str, range(sum(times)))),
        weight=np.where(abnormal, weight_abnormal, weight_normal).astype(float),
        failed=np.repeat([True, False, True, False], times),
        passed={"lenient": ~abnormal, "strict": ~abnormal},
        wrong=dict.fromkeys(
            ("lenient", "strict"), 263 * weight_abnormal / (263 * weight_abnormal + 81 * weight_normal)
        ),
    )


def test_unweighted_rates_are_those_of_a_published_table() -> None:
    # Altman and Bland, Diagnostic tests 1, BMJ 1994;308:1552: 231/258 = 0.90 and 54/86 = 0.63.
    sensitivity, specificity, positive, negative = rates(_scans(1, 1), "lenient")
    assert (sensitivity.figure.value, specificity.figure.value) == pytest.approx((231 / 258, 54 / 86))
    assert (positive.figure.value, negative.figure.value) == (231 / 263, 54 / 81)
    assert round(sensitivity.figure.value or 0, 2) == 0.90
    assert round(specificity.figure.value or 0, 2) == 0.63


def test_weights_undo_that_one_verdict_was_looked_at_more_often() -> None:
    # If 526 scans had been abnormal and 810 normal, the 263 and 81 being random halves and tenths of them:
    # sensitivity 462 / (462 + 270), specificity 540 / (540 + 64); predictive values do not change.
    sensitivity, specificity, positive, negative = rates(_scans(2, 10), "lenient")
    assert sensitivity.figure.value == pytest.approx(462 / 732)
    assert specificity.figure.value == pytest.approx(540 / 604)
    assert (positive.figure.value, negative.figure.value) == pytest.approx((231 / 263, 54 / 81))


def _those(scans: Checked, rows: range) -> Checked:
    kept = np.array(rows, dtype=np.int64)
    passed = {scorer: flags[kept] for scorer, flags in scans.passed.items()}
    keys = frozenset(str(one) for one in rows)
    return Checked(keys, scans.subjects[kept], scans.weight[kept], scans.failed[kept], passed, scans.wrong)


def test_without_both_verdicts_sensitivity_is_undefined_and_not_one() -> None:
    sensitivity, specificity, positive, negative = rates(_those(_scans(1, 1), range(263)), "lenient")
    assert sensitivity.figure.undefined == "no generation that is scored right is settled"
    assert specificity.figure.value is None
    assert positive.figure.value == 231 / 263
    assert negative.figure.undefined == "nothing that is settled is scored right"
    assert rates(_those(_scans(1, 1), range(0)), "lenient")[0].figure.undefined == "nothing was settled"
